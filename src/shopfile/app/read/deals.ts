/** Deals and channel discounts. */
import type { Uuid } from '../../../kernel/ids.ts';
import { entryPath, fieldPath } from '../../domain/json.ts';
import { didYouMean } from '../../domain/text.ts';
import { sameForm } from '../identity.ts';
import { nameColumns } from '../localized.ts';
import { checkLanguage, type Thing } from '../register.ts';
import { hasDecimals, type DealEntry, type DiscountEntry, type Reading } from './reading.ts';
import { branchNamed, readWindows, sellColumns } from './sale.ts';
import { itemAt, resolveSize, sizeLabels } from './sizes.ts';
import { momentOf } from '../moments.ts';

type PoolEntry = DealEntry['pool'][number];

export const readDeals = (reading: Reading): void => {
  const { file, main, rows, now, register } = reading;
  for (const [sort, deal] of (file.menu.deals ?? []).entries()) {
    const path = entryPath('menu.deals', sort);
    const id = register.idAt(path);
    checkDeal(reading, deal, path);
    const isBuyGet = deal.kind === 'buy_get';
    const created = momentOf(deal.created_at) ?? now;
    rows.deal.push({
      id,
      ...nameColumns(deal.name, main),
      kind: deal.kind,
      qty: deal.qty,
      price: isBuyGet ? null : (deal.price ?? 0),
      get_qty: isBuyGet ? (deal.get_qty ?? 1) : null,
      get_percent: isBuyGet ? (deal.get_percent ?? 100) : null,
      max_per_order: deal.max_per_order ?? null,
      sort,
      is_active: deal.active ?? true,
      ...sellColumns(deal.sell),
      created_at: created,
      updated_at: momentOf(deal.updated_at) ?? created,
      archived_at: null,
    });
    readPool(reading, deal.pool, fieldPath(path, 'pool'), id, 'pool');
    readPool(reading, deal.reward_pool ?? [], fieldPath(path, 'reward_pool'), id, 'reward');
    readBranchSwitches(reading, deal, path, id);
    readWindows(reading, deal.windows, path, id);
  }
};

/** Which figures each kind has (Shapes, DealRule). */
const FIGURES = {
  n_for_price: { needs: ['price'], refuses: ['get_qty', 'get_percent', 'reward_pool'] },
  buy_get: { needs: ['get_qty', 'get_percent'], refuses: ['price'] },
} as const;

const checkDeal = ({ faults, main }: Reading, deal: DealEntry, path: string): void => {
  checkLanguage(deal.name, path, 'name', main, faults);
  const { needs, refuses } = FIGURES[deal.kind];
  for (const field of needs)
    if (deal[field] === undefined)
      faults.rule(path, field, `is missing: a deal of kind ${deal.kind} needs it`);
  for (const field of refuses)
    if (deal[field] !== undefined)
      faults.rule(path, field, `must be left out of a deal of kind ${deal.kind}`);
};

const readPool = (
  reading: Reading,
  entries: readonly PoolEntry[],
  path: string,
  dealId: Uuid,
  role: 'pool' | 'reward',
): void => {
  for (const [sort, entry] of entries.entries()) {
    const at = entryPath(path, sort);
    if ((entry.category === undefined) === (entry.item === undefined))
      reading.faults.rule(at, '', 'needs `category` or `item`, and not both');
    const target = poolTarget(reading, entry, at);
    if (target === null) continue;
    const size =
      entry.size === undefined ? null : poolSize(reading, target, entry.size, fieldPath(at, 'size'));
    reading.rows.deal_pool.push({
      deal_id: dealId,
      role,
      sort,
      category_id: target.kind === 'category' ? target.id : null,
      menu_item_id: target.kind === 'item' ? target.id : null,
      size_label: size,
    });
  }
};

/** Deals cover plain items (Decisions 7.4), so a combo is none of what a pool can name. */
const poolTarget = ({ register }: Reading, { category, item }: PoolEntry, path: string): Thing | null => {
  const named =
    category === undefined ? null : register.resolve('category', category, fieldPath(path, 'category'));
  const single = item === undefined ? null : register.resolve('item', item, fieldPath(path, 'item'));
  return named ?? single;
};

/** The size must be one that the item, or some item of the category, has. */
const poolSize = (reading: Reading, target: Thing, reference: string, path: string): string | null => {
  const { file, rows, register, faults } = reading;
  if (target.kind === 'item') {
    const entry = itemAt(reading, target.path);
    return entry === null ? null : resolveSize(reading, { entry, path: target.path }, reference, path);
  }
  const inCategory = new Set(
    rows.menu_item.filter((row) => row.category_id === target.id && row.kind === 'item').map((row) => row.id),
  );
  const items = (file.menu.items ?? []).filter((_, index) =>
    inCategory.has(register.idAt(entryPath('menu.items', index))),
  );
  const labels = items.flatMap((item) => sizeLabels(reading, item));
  const found = labels.find((label) => sameForm(label) === sameForm(reference));
  if (found === undefined && !register.isWrong(path) && !register.isIncomplete('item'))
    faults.add(
      path,
      `names no size of any item of the category: ‘${reference}’${didYouMean(reference, labels)}`,
    );
  return found ?? null;
};

const readBranchSwitches = (reading: Reading, deal: DealEntry, path: string, dealId: Uuid): void => {
  const { rows, faults } = reading;
  const seen = new Set<Uuid>();
  for (const [index, entry] of (deal.branches ?? []).entries()) {
    const at = entryPath(fieldPath(path, 'branches'), index);
    const branch = branchNamed(reading, entry.branch, at);
    if (branch === undefined || branch === null) continue;
    if (seen.has(branch)) faults.rule(at, 'branch', 'is named before in this list');
    else rows.deal_branch.push({ deal_id: dealId, branch_id: branch, is_active: entry.active });
    seen.add(branch);
  }
};

export const readDiscounts = (reading: Reading): void => {
  const { file, main, rows, register } = reading;
  for (const [index, discount] of (file.menu.discounts ?? []).entries()) {
    const path = entryPath('menu.discounts', index);
    const id = register.idAt(path);
    checkDiscount(reading, discount, path);
    rows.discount.push({
      id,
      ...nameColumns(discount.name, main),
      dtype: discount.percent === undefined ? 'fixed' : 'percentage',
      rate: (Math.round((discount.percent ?? 0) * 10_000) / 1_000_000).toFixed(6),
      amount: discount.percent === undefined ? (discount.amount ?? 0) : 0,
      is_active: discount.active ?? true,
      valid_from: discount.valid_from ?? null,
      valid_to: discount.valid_to ?? null,
      archived_at: null,
    });
    readDiscountPlaces(reading, discount, path, id);
  }
};

const checkDiscount = ({ faults, main }: Reading, discount: DiscountEntry, path: string): void => {
  checkLanguage(discount.name, path, 'name', main, faults);
  if ((discount.percent === undefined) === (discount.amount === undefined))
    faults.rule(path, '', 'needs `percent` or `amount`, and not both');
  if (discount.percent !== undefined && !hasDecimals(discount.percent, 4))
    faults.rule(path, 'percent', 'must have at most four decimals');
  if (
    discount.valid_from !== undefined &&
    discount.valid_to !== undefined &&
    discount.valid_to < discount.valid_from
  )
    faults.rule(path, 'valid_to', 'is before `valid_from`');
};

/** A channel carries one discount, at a branch or everywhere. */
const readDiscountPlaces = (
  reading: Reading,
  discount: DiscountEntry,
  path: string,
  discountId: Uuid,
): void => {
  const { rows, faults } = reading;
  for (const [index, { channel, branch }] of discount.on.entries()) {
    const at = entryPath(fieldPath(path, 'on'), index);
    const branchId = branchNamed(reading, branch, at);
    if (branchId === undefined) continue;
    const taken = rows.channel_discount.some((row) => row.channel === channel && row.branch_id === branchId);
    if (taken) faults.rule(at, '', `has a discount already: ${channel} ${branch ?? 'at every branch'}`);
    else rows.channel_discount.push({ channel, branch_id: branchId, discount_id: discountId });
  }
};
