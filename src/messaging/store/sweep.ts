import { sql, type Kysely } from 'kysely';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { deleteBatch } from '../../platform/store/sweep.ts';
import { at } from '../../platform/store/types.ts';

type Db = Kysely<Database>;

/** Phones whose owner was never known, unchanged since `before`. */
export const deleteExpiredTypedPhones = (db: Db, before: Instant, limit: number): Promise<number> =>
  deleteBatch(db, 'guest_phone', sql`known_at is null and updated_at <= ${at(before)}`, limit);

export const deleteExpiredKnownPhones = (
  db: Db,
  { knownBefore, unchangedSince }: { readonly knownBefore: Instant; readonly unchangedSince: Instant },
  limit: number,
): Promise<number> =>
  deleteBatch(
    db,
    'guest_phone',
    sql`known_at <= ${at(knownBefore)} and updated_at <= ${at(unchangedSince)}`,
    limit,
  );

/** Budgets without spending or alerts since `before`; too few rows for an index. */
export const deleteExpiredBudgets = (db: Db, before: Instant, limit: number): Promise<number> => {
  const minute = Math.floor(before / 60_000);
  return deleteBatch(
    db,
    'message_budget',
    sql`greatest(minute, low_minute, spent_minute) <= ${minute}`,
    limit,
  );
};

export const deleteExpiredOutboxRows = (db: Db, before: Instant, limit: number): Promise<number> =>
  deleteBatch(db, 'outbox', sql`done_at < ${at(before)} and status <> 'waiting'`, limit);
