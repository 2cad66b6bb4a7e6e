/** Idempotency keys, scoped by operation and shop (Decisions 8). */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { isDuplicateOf } from './duplicate.ts';
import type { Database } from './schema.ts';
import { at } from './types.ts';

type Db = Kysely<Database>;

/** Another committed request has the key. */
export class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
}

export const isKeyTaken = (fault: unknown): boolean => isDuplicateOf('idempotency_key_once', fault);

/** What was made under a key. */
export interface EarlierSubject {
  readonly id: Uuid;
  /** Hex. */
  readonly bodyHash: string;
}

export interface KeyOf {
  readonly orgId: Uuid;
  readonly operation: string;
  readonly key: string;
}

export const subjectUnderKey = async (
  db: Db,
  { orgId, operation, key }: KeyOf,
): Promise<EarlierSubject | null> => {
  const { rows } = await sql<EarlierSubject>`
    select subject_id as id, encode(body_hash, 'hex') as "bodyHash" from idempotency_key
    where org_id = ${orgId} and operation = ${operation} and key = ${key}
  `.execute(db);
  return rows[0] ?? null;
};

/** Waits for a transaction that has the key. Throws `KeyTaken` once it is committed. */
export const claimKey = async (
  tx: Db,
  { orgId, operation, key }: KeyOf,
  { subjectId, bodyHash }: { readonly subjectId: Uuid; readonly bodyHash: Buffer },
  now: Instant,
): Promise<void> => {
  try {
    await tx
      .insertInto('idempotency_key')
      .values({
        ...{ org_id: orgId, operation, key },
        ...{ body_hash: bodyHash, subject_id: subjectId, created_at: at(now) },
      })
      .execute();
  } catch (fault) {
    throw isKeyTaken(fault) ? new KeyTaken() : fault;
  }
};
