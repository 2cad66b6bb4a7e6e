import type { Kysely } from 'kysely';
import { businessDate } from '../../kernel/business-date.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Instant } from '../../kernel/time.ts';
import type { ChangeLog } from '../../platform/app/commit.ts';
import type { Database } from '../../platform/store/schema.ts';
import { lockSale, salePlace, type StoredSale } from '../store/sale.ts';
import { openTills } from '../store/till.ts';
import { deleteSale } from '../store/undone-sale.ts';
import { saleChange, tillChanges } from './changes.ts';

/**
 * Takes the sale of an order back whose delivery is undone, within the business day: its money is in no till and no report
 * any more, and its reference is not used again. Throws REOPEN_TOO_LATE, SALE_REFUNDED, and REOPEN_TILL_CLOSED, because
 * the figures of a closed till never change (Decisions 12, Tills).
 */
export const undoSale = async (
  tx: Kysely<Database>,
  log: ChangeLog,
  { orgId, id }: Pick<StoredSale, 'orgId' | 'id'>,
  now: Instant,
): Promise<StoredSale> => {
  const sale = await lockSale(tx, orgId, id);
  const place = sale === null ? null : await salePlace(tx, orgId, sale.branchId);
  if (sale === null || place === null) throw new Error('A delivered order has a sale.');
  if (sale.businessDate !== businessDate(place.zone, now, place.dayStartsAt))
    throw new Refusal('REOPEN_TOO_LATE', { business_date: sale.businessDate });
  // What a reward paid for is refunded with no money.
  if (sale.refunds.length > 0) throw new Refusal('SALE_REFUNDED', { refunded: sale.refunded });
  const tills = tillsOf(sale);
  if ((await openTills(tx, orgId, tills)).length < tills.length) throw new Refusal('REOPEN_TILL_CLOSED');
  await deleteSale(tx, sale, now);
  log.add(orgId, saleChange(id), ...tillChanges(tills));
  return sale;
};

const tillsOf = ({ tillId, payments }: StoredSale): readonly Uuid[] => [
  ...new Set([tillId, ...payments.map((payment) => payment.tillId)].filter((id) => id !== null)),
];
