/**
 * A row that exists while this database must not send. It belongs to the database, not to its data: backups
 * exclude it and every restore creates it.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { SilenceReason } from '../domain/sending.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from './schema.ts';
import { at } from './types.ts';

export const HOLD = 'sending_hold';

/** Created with the migration table, because a restore needs it before later migrations run. */
export const HOLD_TABLE = `
  create table if not exists ${HOLD} (
    is_only boolean     primary key default true,
    reason  text        not null,
    since   timestamptz not null,
    constraint sending_hold_once check (is_only),
    constraint sending_hold_reason_known check (reason in ('restored', 'command'))
  )`;

/** Last statement of a restore; the parameter is the time. */
export const HOLD_RESTORED = `insert into ${HOLD} (reason, since) values ('restored', $1)`;

export interface Hold {
  readonly reason: Exclude<SilenceReason, 'setting'>;
  readonly since: Instant;
}

type Db = Kysely<Database>;

export const holdOf = async (db: Db): Promise<Hold | null> => {
  const { rows } = await sql<Hold>`select reason, since from ${sql.table(HOLD)}`.execute(db);
  return rows[0] ?? null;
};

export const notHeld: RawBuilder<unknown> = sql`not exists (select from ${sql.table(HOLD)})`;

/** An existing hold stays unchanged. */
export const hold = async (db: Db, { reason, since }: Hold): Promise<void> => {
  await sql`
    insert into ${sql.table(HOLD)} (reason, since) values (${reason}, ${at(since)})
    on conflict (is_only) do nothing
  `.execute(db);
};

/** Null when there is none for these reasons. */
export const endHold = async (db: Db, reasons: readonly Hold['reason'][]): Promise<Hold | null> => {
  const { rows } = await sql<Hold>`
    delete from ${sql.table(HOLD)} where reason = any(${[...reasons]}::text[]) returning reason, since
  `.execute(db);
  return rows[0] ?? null;
};
