import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { rowsHeard, type OfShops } from '../../platform/store/nodes/everywhere.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { DueQuery } from '../../platform/store/sweep.ts';
import { at } from '../../platform/store/types.ts';

type Db = Kysely<Database>;

export interface DueShop {
  /** The shop's. */
  readonly id: Uuid;
}

/** Shops with channels whose mode has expired. */
export const expiredChannelModesQuery = (
  { now, without, limit }: DueQuery,
  ofShops: OfShops,
): RawBuilder<DueShop> => sql`
  select distinct org_id as id from (
    select org_id from branch_channel
    where mode_until <= ${at(now)} and org_id <> all(${[...without]}::uuid[]) and ${ofShops('org_id')}
    order by mode_until
    limit ${limit}
  ) as due
`;

export const shopsWithExpiredChannelModes = async (db: Db, query: DueQuery): Promise<readonly DueShop[]> =>
  await rowsHeard(db, (ofShops) => expiredChannelModesQuery(query, ofShops));

/** Shops with expired snoozes. */
export const expiredSnoozesQuery = (
  { now, without, limit }: DueQuery,
  ofShops: OfShops,
): RawBuilder<DueShop> => sql`
  select distinct org_id as id from (
    select org_id from availability
    where sold_out_until <= ${at(now)} and org_id <> all(${[...without]}::uuid[]) and ${ofShops('org_id')}
    order by sold_out_until
    limit ${limit}
  ) as due
`;

export const shopsWithExpiredSnoozes = async (db: Db, query: DueQuery): Promise<readonly DueShop[]> =>
  await rowsHeard(db, (ofShops) => expiredSnoozesQuery(query, ofShops));
