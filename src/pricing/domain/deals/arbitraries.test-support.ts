import fc from 'fast-check';
import { groupBy } from '../../../kernel/group-by.ts';
import type { OnSaleItem } from '../../../menu/domain/item.ts';
import { BRANCH, NOON, PICKUP, aDeal, aWindow, anItem } from '../../../menu/domain/menu.test-support.ts';
import type { Deal, DealPoolEntry, DealTerms } from '../../../menu/domain/menubook.ts';
import { dealsOnSale } from '../../../menu/domain/deals-and-discounts.ts';
import type { SaleWindow } from '../../../kernel/sale-windows.ts';
import type { DealRule, DealUnits, OfferedDeals } from './types.ts';

/** A random integer from 0 to `sides` − 1. 0 is always the simplest choice, so that shrinking gives simple carts. */
export type Dice = (sides: number) => number;

/** mulberry32: the same rolls for the same seed on every machine. */
export const seededDice = (seed: number): Dice => {
  let state = seed | 0;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * sides);
  };
};

export interface Cart {
  readonly units: readonly DealUnits[];
  readonly deals: readonly Deal[];
  /** All deals, also those that are closed now or of another branch. */
  readonly stored: readonly Deal[];
}

export interface CartSize {
  readonly units: number;
  readonly deals: number;
  readonly items: number;
  /** Whether prices may be a million pounds, beyond the precision of a solver in floats. */
  readonly dearest: boolean;
}

export const SMALL: CartSize = { units: 12, deals: 6, items: 5, dearest: true };
export const LARGE: CartSize = { units: 60, deals: 20, items: 10, dearest: false };

const pick = <T>(dice: Dice, first: T, ...others: readonly T[]): T => {
  const at = dice(others.length + 1);
  return others[at - 1] ?? first;
};
/** From 1 to `most`, larger numbers more often. */
const many = (dice: Dice, most: number): number => 1 + Math.max(dice(most), dice(most));
const times = <T>(count: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => make(at));

// ── Units on sale ───────────────────────────────────────────────────────────────────────────────

type Sold = Omit<DealUnits, 'line' | 'quantity'>;

// The item's order of sizes is never the alphabetical one.
const SIZES: readonly (readonly string[])[] = [
  ['small', 'large'],
  ['tall', 'short', 'mini'],
];

/** Prices of one cart: round, few and equal, odd, close to zero, or the highest possible. */
const pricing = (dice: Dice, { dearest }: CartSize): (() => number) => {
  const ties = [1000 + dice(3000), 2000, 0];
  const styles = [
    () => 500 * (1 + dice(8)),
    () => pick(dice, 3000, 4500),
    () => 1 + dice(200),
    () => dice(4),
    () => pick(dice, 1000, ...ties),
    () => 1000 + dice(9000),
    ...(dearest ? [() => 100_000_000 - dice(3)] : []),
  ] as const;
  return pick(dice, ...styles);
};

const soldBy = (dice: Dice, size: CartSize): readonly Sold[] => {
  const price = pricing(dice, size);
  return times(1 + dice(size.items), (at) => {
    const categoryId = pick(dice, 'hot', 'cold', null);
    const labels = pick(dice, [''], ...SIZES);
    return labels.map((sizeLabel, sizeOrder) => ({
      itemId: `i${at}`,
      categoryId,
      sizeLabel,
      sizeOrder,
      price: price(),
    }));
  }).flat();
};

const linesBy = (dice: Dice, size: CartSize, sold: readonly Sold[]): readonly DealUnits[] => {
  const lines: DealUnits[] = [];
  const [first, ...others] = sold;
  const most = pick(dice, 1, 2, 4);
  for (let left = many(dice, size.units); left > 0 && first !== undefined;) {
    const quantity = Math.min(left, 1 + dice(most * Math.ceil(size.units / 12)));
    lines.push({ ...pick(dice, first, ...others), line: lines.length, quantity });
    left -= quantity;
  }
  return lines;
};

// ── Deals ───────────────────────────────────────────────────────────────────────────────────────

type Pool = readonly DealPoolEntry[];

const entryBy = (dice: Dice, sold: readonly Sold[]): DealPoolEntry => {
  const [first, ...others] = sold;
  if (first === undefined) throw new RangeError('nothing is sold');
  const { itemId, categoryId, sizeLabel } = pick(dice, first, ...others);
  const label = sizeLabel !== '' && dice(3) === 1 ? sizeLabel : null;
  return categoryId !== null && dice(2) === 0
    ? { categoryId, menuItemId: null, sizeLabel: label }
    : { categoryId: null, menuItemId: itemId, sizeLabel: label };
};

const poolBy = (dice: Dice, sold: readonly Sold[]): Pool => times(1 + dice(3), () => entryBy(dice, sold));

const termsBy = (dice: Dice, sold: readonly Sold[], qty: number): DealTerms => {
  if (dice(2) === 1)
    return {
      kind: 'buy_get',
      getQty: pick(dice, 1, 1, 2, 3),
      getPercent: pick(dice, 100, 50, 1, 33, 1 + dice(100)),
    };
  // 30 to 104 % of the price of some units; sometimes 0.
  const usual = times(qty, () => sold[dice(sold.length)]?.price ?? 0).reduce((sum, price) => sum + price, 0);
  const price = Math.floor((usual * (30 + dice(75))) / 100);
  return { kind: 'n_for_price', price: pick(dice, price, price, price, 0) };
};

/** Sale windows, and whether each is open at noon on the tests' Thursday. */
const WINDOWS: readonly { readonly window: SaleWindow; readonly open: boolean }[] = [
  { window: aWindow(), open: true },
  { window: aWindow({ weekdays: 0b0010000 }), open: true },
  { window: aWindow({ weekdays: 0b1101111 }), open: false },
  { window: aWindow({ startsAt: 720, endsAt: 721 }), open: true },
  { window: aWindow({ startsAt: 600, endsAt: 720 }), open: false },
  { window: aWindow({ weekdays: 0b0001000, startsAt: 1320, endsAt: 780 }), open: true },
  { window: aWindow({ weekdays: 0b0001000, startsAt: 1320, endsAt: 720 }), open: false },
  { window: aWindow({ validFrom: '2026-07-02', validTo: '2026-07-02' }), open: true },
  { window: aWindow({ validTo: '2026-07-01' }), open: false },
  { window: aWindow({ branchId: BRANCH, validFrom: '2026-07-03' }), open: false },
  // Windows of other branches do not apply, and a deal without windows is always on.
  { window: aWindow({ branchId: 'maadi', validFrom: '2026-07-03' }), open: true },
];

interface Offer {
  readonly deal: Deal;
  readonly open: boolean;
}

const offerBy = (dice: Dice, sold: readonly Sold[], shared: readonly Pool[], at: number): Offer => {
  const pool = (): Pool => shared[dice(shared.length + 1) - 1] ?? poolBy(dice, sold);
  const qty = pick(dice, 2, 1, 2, 3, 3, 4, 1 + dice(6));
  const terms = termsBy(dice, sold, qty);
  const { window, open } = (dice(4) === 1 ? WINDOWS[dice(WINDOWS.length)] : null) ?? {
    window: null,
    open: true,
  };
  const deal = aDeal(`d${at}`, {
    terms,
    qty,
    pool: pool(),
    rewardPool: terms.kind === 'buy_get' && dice(2) === 1 ? pool() : [],
    maxPerOrder: pick(dice, null, null, 1, 2, 3),
    sort: dice(3),
    windows: window === null ? [] : [window],
  });
  return { deal, open };
};

export const cartBy = (dice: Dice, size: CartSize): Cart => {
  const sold = soldBy(dice, size);
  const units = linesBy(dice, size, sold);
  const shared = times(dice(4), () => poolBy(dice, sold));
  const offers = times(many(dice, size.deals + 1) - 1, (at) => offerBy(dice, sold, shared, at));
  // Not in the order of their ids.
  const unordered = [...offers].sort((a, b) => a.deal.pool.length - b.deal.pool.length);
  return {
    units,
    deals: unordered.filter(({ open }) => open).map(({ deal }) => deal),
    stored: unordered.map(({ deal }) => deal),
  };
};

/** The deals that the menu puts on sale at a branch that sells the items of the cart. */
export const onSaleIn = ({ units, stored }: Cart): readonly Deal[] => {
  const items = new Map<string, OnSaleItem>();
  for (const { itemId, categoryId, sizeLabel, price } of units) {
    const label = { label: sizeLabel, labelTranslations: {}, price };
    const sizes = [...(items.get(itemId)?.sizes ?? []), ...(sizeLabel === '' ? [] : [label])];
    const item = anItem(itemId, { categoryId, sizes });
    const noExtras = { optionals: [], allowedAddonIds: null, groups: [], addonCharges: null };
    items.set(itemId, { kind: 'item', item, price, sizes, ...noExtras, defaults: item.defaults });
  }
  const byCategory = groupBy([...items.values()], ({ item }) => item.categoryId);
  return dealsOnSale(stored, { byId: items, byCategory }, PICKUP, NOON);
};

// ── For fast-check ──────────────────────────────────────────────────────────────────────────────

/** Reads rolls from the tape; zeros after its end. */
const tapeDice = (tape: readonly number[]): Dice => {
  let at = 0;
  return (sides) => (tape[at++] ?? 0) % sides;
};

const poolText = (pool: Pool): string =>
  pool
    .map(
      ({ categoryId, menuItemId, sizeLabel }) =>
        `${categoryId ?? menuItemId}${sizeLabel === null ? '' : `/${sizeLabel}`}`,
    )
    .join(' or ');

const dealText = ({ id, sort, terms, qty, pool, rewardPool, maxPerOrder }: Deal): string => {
  const rule =
    terms.kind === 'n_for_price'
      ? `${qty} for ${terms.price}`
      : `buy ${qty} get ${terms.getQty} at ${terms.getPercent} % off`;
  const rewards = rewardPool.length === 0 ? '' : `, rewards ${poolText(rewardPool)}`;
  return `${id} (sort ${sort}): ${rule}, of ${poolText(pool)}${rewards}${maxPerOrder === null ? '' : `, at most ${maxPerOrder}`}`;
};

const idsIn = (deals: ReadonlySet<DealRule>): string => [...deals].map(({ id }) => id).join(' ');

const cartText = ({ units, deals }: Cart): string =>
  [
    '',
    ...units.map(
      ({ line, quantity, itemId, sizeLabel, sizeOrder, categoryId, price, offered }) =>
        `line ${line}: ${quantity} × ${itemId}${sizeLabel === '' ? '' : `/${sizeLabel} (size ${sizeOrder})`} at ${price}, ${categoryId ?? 'no category'}${offered === undefined ? '' : `, paid in ${idsIn(offered.paid)}, rewarded in ${idsIn(offered.rewarded)}`}`,
    ),
    ...deals.map(dealText),
    '',
  ].join('\n');

const ROLLS = { small: 190, large: 530 } as const;

// Without fast-check's bias towards the smallest and largest numbers.
const carts = (size: CartSize, rolls: number): fc.Arbitrary<Cart> =>
  fc.noBias(fc.array(fc.nat({ max: 0xffffff }), { minLength: rolls, maxLength: rolls })).map((tape) => {
    const cart = cartBy(tapeDice(tape), size);
    return { ...cart, [fc.toStringMethod]: () => cartText(cart) };
  });

export const smallCart = carts(SMALL, ROLLS.small);
export const largeCart = carts(LARGE, ROLLS.large);
/** Hundreds of units a line, where rounding errors are largest. */
export const bulkCart = fc.tuple(largeCart, fc.integer({ min: 5, max: 90 })).map(([cart, factor]) => {
  const units = cart.units.map((unit) => ({ ...unit, quantity: Math.min(999, unit.quantity * factor) }));
  const bulk: Cart = { ...cart, units };
  return { ...bulk, [fc.toStringMethod]: () => cartText(bulk) };
});
/** Many deals on units of one or two prices. */
export const alikeCart = carts({ units: 9, deals: 14, items: 3, dearest: false }, ROLLS.large).filter(
  ({ units, deals }) => deals.length > 6 && new Set(units.map(({ price }) => price)).size <= 2,
);
export const dice: fc.Arbitrary<Dice> = fc.integer().map(seededDice);

/** Pools of deals may have been others in each round, but rewards came from the same pool or from another. */
const offeredBy = (roll: Dice, deals: readonly Deal[]): OfferedDeals => {
  const paid = new Set(deals.filter(() => roll(4) > 0));
  const isRewarded = (deal: Deal): boolean => (deal.rewardPool.length === 0 ? paid.has(deal) : roll(4) > 0);
  return { paid, rewarded: new Set(deals.filter(isRewarded)) };
};

const NO_DEALS: OfferedDeals = { paid: new Set(), rewarded: new Set() };

/** A cart whose lines are of up to three rounds of a ticket: each had some of the deals, and may have had other prices. */
export const ticketCart = fc.tuple(smallCart, dice).map(([{ units, deals }, roll]) => {
  const rounds = times(1 + roll(3), () => ({
    offered: offeredBy(roll, deals),
    dearer: roll(4) === 0 ? 500 : 0,
    category: roll(4) === 0 ? 'hot' : undefined,
  }));
  const fired = units.map((unit) => {
    const { offered = NO_DEALS, dearer = 0, category } = rounds[roll(rounds.length)] ?? {};
    return { ...unit, offered, price: unit.price + dearer, categoryId: category ?? unit.categoryId };
  });
  const ticket: Cart = { units: fired, deals, stored: deals };
  return { ...ticket, [fc.toStringMethod]: () => cartText(ticket) };
});

export const shuffled = <T>(items: readonly T[], roll: Dice): readonly T[] => {
  const left = [...items];
  return items.flatMap(() => left.splice(roll(left.length), 1));
};
