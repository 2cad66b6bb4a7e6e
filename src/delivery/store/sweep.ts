import { sql, type Kysely } from 'kysely';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { deleteBatch } from '../../platform/store/sweep.ts';
import { at } from '../../platform/store/types.ts';

type Db = Kysely<Database>;

export const deleteExpiredDistances = (db: Db, before: Instant, limit: number): Promise<number> =>
  deleteBatch(db, 'road_distance', sql`measured_at <= ${at(before)}`, limit);
