import type { Uuid } from '../../kernel/ids.ts';
import type { OnSaleItem } from './item.ts';
import { isToggledOn, type ChannelDiscount, type Deal, type DealPoolEntry } from './menubook.ts';
import { appliesAt, type SalePoint } from './price.ts';
import type { Instant } from '../../kernel/time.ts';
import { nextSaleWindowEdge, isInSaleWindow, type SaleWindow } from '../../kernel/sale-windows.ts';

// ── Deals ───────────────────────────────────────────────────────────────────────────────────────

/** The branch's override takes precedence. */
export const isActiveAtBranch = (deal: Deal, branchId: Uuid): boolean =>
  deal.branchOverrides.find((override) => override.branchId === branchId)?.isActive ?? deal.isActive;

const isOffered = (deal: Deal, point: SalePoint): boolean =>
  isActiveAtBranch(deal, point.branchId) && isToggledOn(deal.sell, point);

/** Plain items only: combos count towards no deal (Decisions 7.2). */
export interface DealTargets {
  readonly byId: ReadonlyMap<Uuid, OnSaleItem>;
  readonly byCategory: ReadonlyMap<Uuid | null, readonly OnSaleItem[]>;
}

const isOnMenu = (entry: DealPoolEntry, targets: DealTargets): boolean => {
  const items =
    entry.categoryId === null
      ? [targets.byId.get(entry.menuItemId)].filter((item) => item !== undefined)
      : (targets.byCategory.get(entry.categoryId) ?? []);
  return items.some(
    ({ sizes }) => entry.sizeLabel === null || sizes.some(({ label }) => label === entry.sizeLabel),
  );
};

/** Pruned to the branch; null: a required pool would be empty (Decisions 3, 6). */
const dealOnMenu = (deal: Deal, targets: DealTargets, { branchId }: SalePoint): Deal | null => {
  const pool = deal.pool.filter((entry) => isOnMenu(entry, targets));
  const rewards = deal.terms.kind === 'buy_get' ? deal.rewardPool : [];
  const rewardPool = rewards.filter((entry) => isOnMenu(entry, targets));
  if (pool.length === 0 || (rewards.length > 0 && rewardPool.length === 0)) return null;
  return {
    ...deal,
    isActive: true,
    pool,
    rewardPool,
    windows: deal.windows.filter((window) => window.branchId === null || window.branchId === branchId),
    branchOverrides: deal.branchOverrides.filter((override) => override.branchId === branchId),
  };
};

/** Decisions 6. */
export const dealsOnSale = (
  deals: readonly Deal[],
  targets: DealTargets,
  point: SalePoint,
  now: Instant,
): readonly Deal[] =>
  deals.flatMap((deal) => {
    if (!isOffered(deal, point) || !isInSaleWindow(deal.windows, point.branchId, point.zone, now)) return [];
    return dealOnMenu(deal, targets, point) ?? [];
  });

/** Null: never. */
export const nextDealChange = (deal: Deal, point: SalePoint, now: Instant): Instant | null =>
  isOffered(deal, point) ? nextSaleWindowEdge(deal.windows, point.branchId, point.zone, now) : null;

// ── The channel's discount ──────────────────────────────────────────────────────────────────────

/** From the start of the first to the end of the last date, in the branch's time zone. */
const validity = ({ validFrom, validTo }: ChannelDiscount): readonly SaleWindow[] => [
  { branchId: null, weekdays: 127, startsAt: null, endsAt: null, validFrom, validTo },
];

const isValid = (discount: ChannelDiscount, { branchId, zone }: SalePoint, now: Instant): boolean =>
  isInSaleWindow(validity(discount), branchId, zone, now);

/** The branch's own before the shop's. Dine-in has none (Decisions 7.5). */
const candidates = (discounts: readonly ChannelDiscount[], point: SalePoint): readonly ChannelDiscount[] => {
  const own = discounts.filter((discount) => discount.isActive && appliesAt(discount, point));
  return [
    ...own.filter(({ branchId }) => branchId !== null),
    ...own.filter(({ branchId }) => branchId === null),
  ];
};

/** An expired discount of the branch does not hide the shop's. */
export const discountAt = (
  discounts: readonly ChannelDiscount[],
  point: SalePoint,
  now: Instant,
): ChannelDiscount | null =>
  candidates(discounts, point).find((discount) => isValid(discount, point, now)) ?? null;

/** Times at which `discountAt` may change. */
export const discountChanges = (
  discounts: readonly ChannelDiscount[],
  point: SalePoint,
  now: Instant,
): readonly (Instant | null)[] => {
  const changes: (Instant | null)[] = [];
  for (const discount of candidates(discounts, point)) {
    changes.push(nextSaleWindowEdge(validity(discount), point.branchId, point.zone, now));
    // A valid discount hides those after it.
    if (isValid(discount, point, now)) break;
  }
  return changes;
};

/**
 * Whole percent, halves away from zero: '0.125' is 13 (Decisions 3). Computed from the digits, because 0.145
 * × 100 is 14.499… in binary.
 */
export const wholePercent = (rate: string): number => {
  const [units = '0', decimals = ''] = rate.split('.');
  const thousandths = Number(units) * 1000 + Number(decimals.slice(0, 3).padEnd(3, '0'));
  return Math.floor((thousandths + 5) / 10);
};
