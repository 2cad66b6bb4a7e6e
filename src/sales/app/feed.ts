/** What devices hold of tills and sales (Decisions 13). */
import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import { groupBy } from '../../kernel/group-by.ts';
import { withoutFields } from '../../kernel/without-fields.ts';
import { addMinutes } from '../../kernel/time.ts';
import { heldOrGone, type FeedPlace, type FeedSource } from '../../platform/app/feed.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { FeedSale, FeedTill } from '../contract/feed.ts';
import { MINUTES_IN_FEED } from '../domain/feed.ts';
import { storedFigures, type CashMovement, type LateEntry } from '../domain/till.ts';
import { heldSalesAfter, heldTillsAfter, salesByIds, tillsByIds } from '../store/feed.ts';
import { lateOfTills } from '../store/late.ts';
import type { StoredSale } from '../store/sale.ts';
import { movementsOfTills, type StoredTill } from '../store/till.ts';
import { undoneSales } from '../store/undone-sale.ts';
import { saleReply } from './sales.ts';
import { reportReply } from './till-reply.ts';

type Tx = Kysely<Database>;

const held = ({ orgId, branchId, now }: FeedPlace) => ({
  ...{ orgId, branchId, since: addMinutes(now, -MINUTES_IN_FEED) },
});

const tillRow = (
  till: StoredTill,
  movements: readonly CashMovement[],
  late: readonly LateEntry[],
): Static<typeof FeedTill> => {
  const figures = till.zFigures && storedFigures(till.zFigures);
  const report = reportReply(till, { figures, movements, late });
  return {
    ...withoutFields(report, 'branch_name', 'teller_name', 'device_label', 'kind', 'cash_movements'),
    cash_movements: report.cash_movements.map((movement) => withoutFields(movement, 'staff_name')),
  };
};

const tillRows = async (tx: Tx, { orgId }: FeedPlace, tills: readonly StoredTill[]) => {
  const ids = tills.map(({ id }) => id);
  const movements = groupBy(await movementsOfTills(tx, orgId, ids), ({ tillId }) => tillId);
  const late = groupBy(await lateOfTills(tx, orgId, ids), ({ tillId }) => tillId);
  return tills.map((till) => ({
    id: till.id,
    data: tillRow(till, movements.get(till.id) ?? [], late.get(till.id) ?? []),
  }));
};

export const tillFeed: FeedSource = {
  logTypes: ['till'],
  page: async (tx, place, page) => tillRows(tx, place, await heldTillsAfter(tx, held(place), page)),
  changes: async (tx, place, ids) => {
    const tills = await tillsByIds(tx, held(place), ids);
    return heldOrGone(
      tills,
      ({ isHeld }) => isHeld,
      (some) => tillRows(tx, place, some),
    );
  },
};

const saleRow = (sale: StoredSale): Static<typeof FeedSale> =>
  withoutFields(saleReply(sale), 'staff_name', 'customer_name');

export const saleFeed: FeedSource = {
  logTypes: ['sale'],
  page: async (tx, place, page) =>
    (await heldSalesAfter(tx, held(place), page)).map((sale) => ({ id: sale.id, data: saleRow(sale) })),
  changes: async (tx, place, ids) => {
    const sales = await salesByIds(tx, held(place), ids);
    const found = new Set(sales.map(({ id }) => id));
    const missing = ids.filter((id) => !found.has(id));
    const undone = missing.length === 0 ? [] : await undoneSales(tx, place, missing);
    return [
      ...sales.map((sale) => ({ id: sale.id, data: sale.isHeld ? saleRow(sale) : null })),
      ...undone.map((id) => ({ id, data: null })),
    ];
  },
};
