/** Reads deals and channel discounts. */
import type { Uuid } from '../../../kernel/ids.ts';
import { entryPath, fieldPath } from '../../domain/json.ts';
import { columnsFrom } from '../fields.ts';
import { nameColumns } from '../localized.ts';
import { checkLanguage } from '../entity-index.ts';
import { hasAtMostDecimals, type DealEntry, type DiscountEntry, type ReadContext } from './context.ts';
import { resolveBranch, readWindows, sellColumns } from './sale.ts';
import { readPool } from './pool.ts';
import { instantOf } from '../instants.ts';

export const readDeals = (context: ReadContext): void => {
  const { file, main, rows, now, entityIndex } = context;
  for (const [sort, deal] of (file.menu.deals ?? []).entries()) {
    const path = entryPath('menu.deals', sort);
    const id = entityIndex.idAt(path);
    checkDeal(context, deal, path);
    const isBuyGet = deal.kind === 'buy_get';
    const created = instantOf(deal.created_at) ?? now;
    rows.deal.push({
      id,
      ...nameColumns(deal.name, main),
      kind: deal.kind,
      ...columnsFrom('deal', deal),
      price: isBuyGet ? null : (deal.price ?? 0),
      get_qty: isBuyGet ? (deal.get_qty ?? 1) : null,
      get_percent: isBuyGet ? (deal.get_percent ?? 100) : null,
      sort,
      ...sellColumns(deal.sell),
      created_at: created,
      updated_at: instantOf(deal.updated_at) ?? created,
      archived_at: null,
    });
    const pool = readPool(context, deal.pool, fieldPath(path, 'pool'));
    const rewardPool = readPool(context, deal.reward_pool ?? [], fieldPath(path, 'reward_pool'));
    rows.deal_pool.push(
      ...pool.map((row) => ({ deal_id: id, role: 'pool', ...row })),
      ...rewardPool.map((row) => ({ deal_id: id, role: 'reward', ...row })),
    );
    readBranchSwitches(context, deal, path, id);
    readWindows(context, deal.windows, path, id);
  }
};

/** Fields of each kind of deal (Shapes, DealRule). */
const FIGURES = {
  n_for_price: { needs: ['price'], refuses: ['get_qty', 'get_percent', 'reward_pool'] },
  buy_get: { needs: ['get_qty', 'get_percent'], refuses: ['price'] },
} as const;

const checkDeal = ({ faults, main }: ReadContext, deal: DealEntry, path: string): void => {
  checkLanguage(deal.name, path, 'name', main, faults);
  const { needs, refuses } = FIGURES[deal.kind];
  for (const field of needs)
    if (deal[field] === undefined)
      faults.rule(path, field, `is missing: a deal of kind ${deal.kind} needs it`);
  for (const field of refuses)
    if (deal[field] !== undefined)
      faults.rule(path, field, `must be left out of a deal of kind ${deal.kind}`);
};

const readBranchSwitches = (context: ReadContext, deal: DealEntry, path: string, dealId: Uuid): void => {
  const { rows, faults } = context;
  const seen = new Set<Uuid>();
  for (const [index, entry] of (deal.branches ?? []).entries()) {
    const at = entryPath(fieldPath(path, 'branches'), index);
    const branch = resolveBranch(context, entry.branch, at);
    if (branch === undefined || branch === null) continue;
    if (seen.has(branch)) faults.rule(at, 'branch', 'is named before in this list');
    else rows.deal_branch.push({ deal_id: dealId, branch_id: branch, ...columnsFrom('deal_branch', entry) });
    seen.add(branch);
  }
};

export const readDiscounts = (context: ReadContext): void => {
  const { file, main, rows, entityIndex } = context;
  for (const [index, discount] of (file.menu.discounts ?? []).entries()) {
    const path = entryPath('menu.discounts', index);
    const id = entityIndex.idAt(path);
    checkDiscount(context, discount, path);
    rows.discount.push({
      id,
      ...nameColumns(discount.name, main),
      dtype: discount.percent === undefined ? 'fixed' : 'percentage',
      rate: (Math.round((discount.percent ?? 0) * 10_000) / 1_000_000).toFixed(6),
      amount: discount.percent === undefined ? (discount.amount ?? 0) : 0,
      ...columnsFrom('discount', discount),
      archived_at: null,
    });
    readDiscountPlaces(context, discount, path, id);
  }
};

const checkDiscount = ({ faults, main }: ReadContext, discount: DiscountEntry, path: string): void => {
  checkLanguage(discount.name, path, 'name', main, faults);
  if ((discount.percent === undefined) === (discount.amount === undefined))
    faults.rule(path, '', 'needs `percent` or `amount`, and not both');
  if (discount.percent !== undefined && !hasAtMostDecimals(discount.percent, 4))
    faults.rule(path, 'percent', 'must have at most four decimals');
  if (
    discount.valid_from !== undefined &&
    discount.valid_to !== undefined &&
    discount.valid_to < discount.valid_from
  )
    faults.rule(path, 'valid_to', 'is before `valid_from`');
};

/** At most one discount per channel and branch; any number at tills. */
const readDiscountPlaces = (
  context: ReadContext,
  discount: DiscountEntry,
  path: string,
  discountId: Uuid,
): void => {
  const { rows, faults } = context;
  for (const [index, { channel, branch }] of discount.on.entries()) {
    const at = entryPath(fieldPath(path, 'on'), index);
    const branchId = resolveBranch(context, branch, at);
    if (branchId === undefined) continue;
    const taken = rows.channel_discount.some(
      (row) =>
        row.channel === channel &&
        row.branch_id === branchId &&
        (channel !== 'till' || row.discount_id === discountId),
    );
    if (taken) faults.rule(at, '', `has a discount already: ${channel} ${branch ?? 'at every branch'}`);
    else rows.channel_discount.push({ channel, branch_id: branchId, discount_id: discountId });
  }
};
