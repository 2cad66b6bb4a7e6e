import { sql, type Kysely } from 'kysely';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { deleteBatch } from '../../platform/store/sweep.ts';
import { at } from '../../platform/store/types.ts';

type Db = Kysely<Database>;

export const deleteExpiredDeviceTokens = (db: Db, now: Instant, limit: number): Promise<number> =>
  deleteBatch(db, 'device_token', sql`expires_at <= ${at(now)}`, limit);

/** Phones unchanged since `since`, when their counts expire, and without a live code. */
export const deleteExpiredCodes = (db: Db, since: Instant, now: Instant, limit: number): Promise<number> =>
  deleteBatch(
    db,
    'otp_phone',
    sql`updated_at <= ${at(since)} and (code_expires_at is null or code_expires_at <= ${at(now)})`,
    limit,
  );
