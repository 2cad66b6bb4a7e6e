import type { Uuid } from '../../kernel/ids.ts';
import type { OnSaleItem } from './item.ts';
import { isToggledOn, type ChannelDiscount, type Deal, type DealPoolEntry } from './menubook.ts';
import { concerns, type SalePoint } from './price.ts';
import type { Instant } from '../../kernel/time.ts';
import { nextSaleEdge, onSale, type SaleWindow } from '../../kernel/windows.ts';

// ── Deals ───────────────────────────────────────────────────────────────────────────────────────

/** A branch's own word on a deal goes before the deal's. */
const isActiveAt = (deal: Deal, branchId: Uuid): boolean =>
  deal.branchOverrides.find((override) => override.branchId === branchId)?.isActive ?? deal.isActive;

const isOffered = (deal: Deal, point: SalePoint): boolean =>
  isActiveAt(deal, point.branchId) && isToggledOn(deal.sell, point.channel);

/** The plain items of a menu; combos count towards no deal (Decisions 7.2). */
export interface DealTargets {
  readonly byId: ReadonlyMap<Uuid, OnSaleItem>;
  readonly byCategory: ReadonlyMap<Uuid | null, readonly OnSaleItem[]>;
}

/** Whether some unit on this menu can count towards the entry. */
const isOnMenu = (entry: DealPoolEntry, targets: DealTargets): boolean => {
  const items =
    entry.categoryId === null
      ? [targets.byId.get(entry.menuItemId)].filter((item) => item !== undefined)
      : (targets.byCategory.get(entry.categoryId) ?? []);
  return items.some(
    ({ sizes }) => entry.sizeLabel === null || sizes.some(({ label }) => label === entry.sizeLabel),
  );
};

/** The deal with the branch's part of it alone; null when a pool that counts would be empty (Decisions 3, 6). */
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

/** The rules on offer on this channel at this branch now, pruned to this menu (Decisions 6). */
export const dealsOnSale = (
  deals: readonly Deal[],
  targets: DealTargets,
  point: SalePoint,
  now: Instant,
): readonly Deal[] =>
  deals.flatMap((deal) => {
    if (!isOffered(deal, point) || !onSale(deal.windows, point.branchId, point.zone, now)) return [];
    return dealOnMenu(deal, targets, point) ?? [];
  });

/** The next moment at which the clock alone puts the deal on or off; null when it never does. */
export const nextDealChange = (deal: Deal, point: SalePoint, now: Instant): Instant | null =>
  isOffered(deal, point) ? nextSaleEdge(deal.windows, point.branchId, point.zone, now) : null;

// ── The channel's discount ──────────────────────────────────────────────────────────────────────

/** Valid from the first date's beginning to the last one's end on the branch's clock, as a window of whole days. */
const validity = ({ validFrom, validTo }: ChannelDiscount): readonly SaleWindow[] => [
  { branchId: null, weekdays: 127, startsAt: null, endsAt: null, validFrom, validTo },
];

const isValid = (discount: ChannelDiscount, { branchId, zone }: SalePoint, now: Instant): boolean =>
  onSale(validity(discount), branchId, zone, now);

/** Those the channel may carry here, the branch's own before the shop's. Dine-in has none (Decisions 7.5). */
const candidates = (discounts: readonly ChannelDiscount[], point: SalePoint): readonly ChannelDiscount[] => {
  const own = discounts.filter((discount) => discount.isActive && concerns(discount, point));
  return [
    ...own.filter(({ branchId }) => branchId !== null),
    ...own.filter(({ branchId }) => branchId === null),
  ];
};

/** The first of them that is valid today; one that has run out does not hide the shop's. */
export const discountAt = (
  discounts: readonly ChannelDiscount[],
  point: SalePoint,
  now: Instant,
): ChannelDiscount | null =>
  candidates(discounts, point).find((discount) => isValid(discount, point, now)) ?? null;

/** The moments at which `discountAt` may change by itself. */
export const discountChanges = (
  discounts: readonly ChannelDiscount[],
  point: SalePoint,
  now: Instant,
): readonly (Instant | null)[] => {
  const changes: (Instant | null)[] = [];
  for (const discount of candidates(discounts, point)) {
    changes.push(nextSaleEdge(validity(discount), point.branchId, point.zone, now));
    // While this one holds, those after it do not show.
    if (isValid(discount, point, now)) break;
  }
  return changes;
};

/**
 * Whole percent of a rate in decimal text, halves away from zero: '0.125' is 13 (Decisions 3). Worked out on the
 * digits, because 0.145 × 100 is 14.499… in binary.
 */
export const wholePercent = (rate: string): number => {
  const [units = '0', decimals = ''] = rate.split('.');
  const thousandths = Number(units) * 1000 + Number(decimals.slice(0, 3).padEnd(3, '0'));
  return Math.floor((thousandths + 5) / 10);
};
