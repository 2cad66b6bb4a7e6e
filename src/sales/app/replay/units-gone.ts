/** Units that a device sold are gone, whatever was counted (Decisions 13). */
import { stockChanges, takeStockAnyway } from '../../../menu/app/shared.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import type { ReplayContext } from '../../../platform/app/replay.ts';
import { reason, type ReviewReason } from '../../../platform/domain/review.ts';
import type { RecordedSale } from '../../../pricing/app/recorded-sale.ts';
import { stockTaken } from '../../../pricing/domain/frozen-cart.ts';

/** Takes them from the stock of the branch. */
export const takeUnitsGone = async (
  { tx, log, orgId, branchId }: ReplayContext,
  { cart, stock, book }: RecordedSale,
): Promise<readonly ReviewReason[]> => {
  const { emptied, below } = await takeStockAnyway(tx, orgId, branchId, stockTaken(cart.asked, stock));
  log.add(orgId, ...stockChanges(branchId, emptied));
  const nameOf = (id: Uuid): string => (book.items.get(id) ?? book.addons.get(id))?.name ?? '';
  return below.map(({ id, units }) => reason('stock_below_zero', { item: nameOf(id), units }));
};
