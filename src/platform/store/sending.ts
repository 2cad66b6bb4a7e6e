/**
 * The silence: a row that exists while this database must not send. It belongs to the database, not to its data:
 * backups exclude it and every restore creates it.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { SilenceReason } from '../domain/sending.ts';
import type { Instant } from '../../kernel/time.ts';
import { isSpread } from './nodes/spread.ts';
import type { Database } from './schema.ts';
import { at } from './types.ts';

export const SILENCE_TABLE = 'sending_hold';

/** Created with the migration table, because a restore needs it before later migrations run. */
export const CREATE_SILENCE_TABLE = `
  create table if not exists ${SILENCE_TABLE} (
    is_only boolean     primary key default true,
    reason  text        not null,
    since   timestamptz not null,
    constraint sending_hold_once check (is_only),
    constraint sending_hold_reason_known check (reason in ('restored', 'command'))
  )`;

/** Last statement of a restore; the parameter is the time. */
export const INSERT_RESTORED_SILENCE = `insert into ${SILENCE_TABLE} (reason, since) values ('restored', $1)`;

export interface StoredSilence {
  readonly reason: Exclude<SilenceReason, 'setting'>;
  readonly since: Instant;
}

type Db = Kysely<Database>;

export const storedSilence = async (db: Db): Promise<StoredSilence | null> => {
  const { rows } = await sql<StoredSilence>`select reason, since from ${sql.table(SILENCE_TABLE)}`.execute(
    db,
  );
  return rows[0] ?? null;
};

/** As a condition: a server asks it once for a statement. */
export const isSendingAllowed = sql`not exists (select from ${sql.table(SILENCE_TABLE)})`;

/** As a condition on rows of all shops: Citus plans none with two `not exists`, one of which does not speak of the row. */
export const isSendingAllowedTo = async (db: Db, orgId: string): Promise<RawBuilder<unknown>> =>
  (await isSpread(db))
    ? sql`not exists (select from ${sql.table(SILENCE_TABLE)} where ${sql.ref(orgId)} is not null)`
    : isSendingAllowed;

/** An existing silence stays unchanged. */
export const startSilence = async (db: Db, { reason, since }: StoredSilence): Promise<void> => {
  await sql`
    insert into ${sql.table(SILENCE_TABLE)} (reason, since) values (${reason}, ${at(since)})
    on conflict (is_only) do nothing
  `.execute(db);
};

/** Null when there is none for these reasons. */
export const endStoredSilence = async (
  db: Db,
  reasons: readonly StoredSilence['reason'][],
): Promise<StoredSilence | null> => {
  const { rows } = await sql<StoredSilence>`
    delete from ${sql.table(SILENCE_TABLE)} where reason = any(${[...reasons]}::text[]) returning reason, since
  `.execute(db);
  return rows[0] ?? null;
};
