/** The carts on which the ablations run the deals engine; deterministic by seed. */
import type { Deal } from '../../src/menu/domain/menubook.ts';
import {
  cartBy as arbitraryCart,
  LARGE as ARBITRARY,
  seededDice,
} from '../../src/pricing/domain/deals/arbitraries.test-support.ts';
import type { DealUnits } from '../../src/pricing/domain/deals/types.ts';
import { cafeBy, cartBy, HEAVY, USUAL, type Cafe, type CafeSize, type Mix } from './cafe.ts';

export interface Cart {
  readonly units: readonly DealUnits[];
  readonly deals: readonly Deal[];
}

const TEN: CafeSize = { items: 24, deals: 10 };
const TWENTY: CafeSize = { items: 30, deals: 20 };
const EVERYDAY: CafeSize = { items: 24, deals: 6 };

/** Those of cafés are for each mix. Twice as many make the figures steadier, and the bench twice as long. */
const COUNTS = {
  sixty: 50,
  hundredTwenty: { tenDeals: 15, twentyDeals: 5 },
  bulk: 60,
  fewPrices: 60,
  twoCafes: 4,
  everyday: 200,
  small: 400,
  smallOfFewPrices: 60,
};

const many = (count: number, cartOf: (seed: number) => Cart): readonly Cart[] =>
  Array.from({ length: count }, (_, seed) => cartOf(seed));

const inCafe = (seed: number, cafe: Cafe, units: number): Cart => ({
  units: cartBy(seed, cafe, units),
  deals: cafe.deals,
});

const ofUnits = (count: number, units: number, mix: Mix, size: CafeSize): readonly Cart[] =>
  many(count, (seed) => inCafe(seed, cafeBy(seed, mix, size), units));

/** Hundreds of units a line. */
const bulk = (seed: number): Cart => {
  const roll = seededDice(1000 + seed);
  const { units, deals } = arbitraryCart(roll, ARBITRARY);
  const factor = 5 + roll(86);
  return {
    units: units.map((unit) => ({ ...unit, quantity: Math.min(999, unit.quantity * factor) })),
    deals,
  };
};

/** Every price is the nearest multiple of `step` piastres, at least one. */
const withFewPrices = ({ items, deals }: Cafe, step: number): Cafe => ({
  items: items.map((item) => ({
    ...item,
    sizes: item.sizes.map(({ label, price }) => ({
      label,
      price: step * Math.max(1, Math.round(price / step)),
    })),
  })),
  deals,
});

/** Five prices, three or four, or two. */
const ofFewPrices = (seed: number, units: number): Cart => {
  const step = [3000, 4000, 8000][seed % 3] ?? 3000;
  const cafe = cafeBy(seed, seed % 2 === 0 ? HEAVY : USUAL, TWENTY);
  return inCafe(seed, withFewPrices(cafe, step), units);
};

/** Units of two cafés in one cart: two problems that share a work limit, both long. */
const ofTwoCafes = (seed: number): Cart => {
  const [one, other] = [2 * seed, 2 * seed + 1].map((each) => inCafe(each, cafeBy(each, HEAVY, TWENTY), 120));
  if (one === undefined || other === undefined) throw new RangeError('There are no carts.');
  const second = (id: string | null): string | null => (id === null ? null : `second-${id}`);
  const pool = (entries: Deal['pool']): Deal['pool'] =>
    entries.map((entry) =>
      entry.categoryId === null
        ? { ...entry, menuItemId: `second-${entry.menuItemId}` }
        : { ...entry, categoryId: `second-${entry.categoryId}` },
    );
  return {
    units: [
      ...one.units,
      ...other.units.map((unit) => ({
        ...unit,
        line: one.units.length + unit.line,
        itemId: `second-${unit.itemId}`,
        categoryId: second(unit.categoryId),
      })),
    ],
    deals: [
      ...one.deals,
      ...other.deals.map((deal) => ({
        ...deal,
        id: `second-${deal.id}`,
        pool: pool(deal.pool),
        rewardPool: pool(deal.rewardPool),
      })),
    ],
  };
};

export const MANY_UNITS: readonly Cart[] = [
  ...[USUAL, HEAVY].flatMap((mix) => [
    ...ofUnits(COUNTS.sixty, 60, mix, TEN),
    ...ofUnits(COUNTS.sixty, 60, mix, TWENTY),
    ...ofUnits(COUNTS.hundredTwenty.tenDeals, 120, mix, TEN),
    ...ofUnits(COUNTS.hundredTwenty.twentyDeals, 120, mix, TWENTY),
  ]),
  ...many(COUNTS.bulk, bulk),
  ...many(COUNTS.fewPrices, (seed) => ofFewPrices(seed, seed % 6 === 5 ? 16 : 40)),
  ...many(COUNTS.twoCafes, ofTwoCafes),
];

/** Of 5 to 16 units. */
export const FEW_UNITS: readonly Cart[] = many(COUNTS.everyday, (seed) =>
  inCafe(seed, cafeBy(seed, USUAL, EVERYDAY), 5 + (seed % 12)),
);

/** Of few units, or a few more: the carts by which the constants for few units are judged. */
export const SMALL: readonly Cart[] = [
  ...many(COUNTS.small, (seed) => inCafe(seed, cafeBy(seed, USUAL, EVERYDAY), 5 + (seed % 20))),
  ...many(COUNTS.smallOfFewPrices, (seed) => ofFewPrices(seed, 16)),
];

export const HOW_MADE = `${MANY_UNITS.length} carts of many units (60 and 120 in cafés of 10 and 20 deals, hundreds a line, 16 and 40 of two to five prices, two cafés in one cart) and ${FEW_UNITS.length} of 5 to 16 units with 6 deals; for constants of few units ${SMALL.length} others of 5 to 24 units (bench/support/ablation-carts.ts).`;
