import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { at } from '../../platform/store/types.ts';

type Db = Kysely<Database>;

export interface WebhookTarget {
  readonly id: Uuid;
  readonly url: string;
  readonly generation: number;
  readonly isActive: boolean;
  readonly createdAt: Instant;
  /** Null: not tried yet. */
  readonly triedAt: Instant | null;
  /** What became of the last try, in words: the status or the fault. */
  readonly triedReason: string | null;
}

export interface SignedTarget extends WebhookTarget {
  readonly secretHash: Uint8Array;
}

const COLUMNS = [
  'id',
  'url',
  'generation',
  'is_active as isActive',
  'created_at as createdAt',
  'tried_at as triedAt',
  'tried_reason as triedReason',
  'secret_hash as secretHash',
] as const;

export const activeTargets = async (db: Db, orgId: Uuid): Promise<Uuid[]> => {
  const rows = await db
    .selectFrom('webhook_target')
    .select('id')
    .where('org_id', '=', orgId)
    .where('is_active', '=', true)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
};

/** In the order of their creation. */
export const targetsOf = async (db: Db, orgId: Uuid): Promise<SignedTarget[]> =>
  db
    .selectFrom('webhook_target')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export const targetOf = async (db: Db, orgId: Uuid, id: Uuid): Promise<SignedTarget | null> =>
  (await db
    .selectFrom('webhook_target')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()) ?? null;

/** Locks the shop's addresses until the transaction ends. */
export const lockTargets = async (tx: Db, orgId: Uuid): Promise<WebhookTarget[]> => {
  await tx.selectFrom('shop').select('org_id').where('org_id', '=', orgId).forNoKeyUpdate().execute();
  return targetsOf(tx, orgId);
};

export const addTarget = async (
  tx: Db,
  orgId: Uuid,
  target: {
    readonly id: Uuid;
    readonly url: string;
    readonly secretHash: Buffer;
    readonly createdAt: Instant;
  },
): Promise<void> => {
  await tx
    .insertInto('webhook_target')
    .values({
      org_id: orgId,
      id: target.id,
      url: target.url,
      secret_hash: target.secretHash,
      created_at: at(target.createdAt),
    })
    .execute();
};

export const saveSecret = async (
  tx: Db,
  orgId: Uuid,
  id: Uuid,
  secret: { readonly generation: number; readonly secretHash: Buffer },
): Promise<void> => {
  await tx
    .updateTable('webhook_target')
    .set({ generation: secret.generation, secret_hash: secret.secretHash })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
};

/** False if there is no such address or it is so already. */
export const switchTarget = async (tx: Db, orgId: Uuid, id: Uuid, isActive: boolean): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_target')
    .set({ is_active: isActive })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('is_active', '=', !isActive)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const saveTry = async (
  db: Db,
  orgId: Uuid,
  id: Uuid,
  { triedAt, reason }: { readonly triedAt: Instant; readonly reason: string },
): Promise<void> => {
  await db
    .updateTable('webhook_target')
    .set({ tried_at: at(triedAt), tried_reason: reason })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
};

export const removeTarget = async (tx: Db, orgId: Uuid, id: Uuid, now: Instant): Promise<void> => {
  await tx.deleteFrom('webhook_target').where('org_id', '=', orgId).where('id', '=', id).execute();
  await sql`
    update outbox set status = 'dropped', done_at = ${at(now)}, last_error = 'the address was removed'
    where org_id = ${orgId} and target_id = ${id} and status in ('waiting', 'parked')
  `.execute(tx);
};
