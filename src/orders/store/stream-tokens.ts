import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { at } from '../../platform/store/types.ts';

type Db = Kysely<Database>;

export interface BoundStream {
  /** The hash of the session's token. */
  readonly session: Buffer;
  readonly branchId: Uuid;
}

export interface NewStreamToken extends BoundStream {
  readonly tokenHash: Buffer;
  readonly expiresAt: Instant;
}

export const addStreamToken = async (
  db: Db,
  { tokenHash, session, branchId, expiresAt }: NewStreamToken,
): Promise<void> => {
  await db
    .insertInto('stream_token')
    .values({
      token_hash: tokenHash,
      session_hash: session,
      branch_id: branchId,
      expires_at: at(expiresAt),
    })
    .execute();
};

/** Of concurrent calls one succeeds. Null if unknown, used or expired. */
export const spendStreamToken = async (
  db: Db,
  tokenHash: Buffer,
  now: Instant,
): Promise<BoundStream | null> => {
  const { rows } = await sql<BoundStream>`
    delete from stream_token
    where token_hash = ${tokenHash} and expires_at > ${at(now)}
    returning session_hash as session, branch_id as "branchId"
  `.execute(db);
  return rows[0] ?? null;
};
