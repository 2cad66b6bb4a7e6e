/** Carts with rewards, and what they cost by an independent reading of Decisions 11 with the brute force of deals. */
import fc from 'fast-check';
import type { Programme } from '../../loyalty/domain/programme.ts';
import type { Reward } from '../../loyalty/domain/reward.ts';
import { aCategory, aDeal, anAddon, anItem, inSizes, price } from '../../menu/domain/menu.test-support.ts';
import type { Deal, DealPoolEntry } from '../../menu/domain/menubook.ts';
import { UNTAXED } from './bill.test-support.ts';
import { aLine, aPriceBook, withAddons } from './cart.test-support.ts';
import type { CartLine } from './cart.ts';
import { bestByForce } from './deals/oracle.test-support.ts';
import type { DealUnits } from './deals/types.ts';
import type { QuoteInput } from './quote.ts';
import type { RewardClaim } from './rewards.ts';

export const aReward = (id: string, cost: number, items: readonly DealPoolEntry[] = []): Reward => ({
  ...{ id, name: id, nameTranslations: {}, cost, items },
});

export const aProgrammeWith = (rewards: readonly Reward[], more: Partial<Programme> = {}): Programme => ({
  ...{ orgId: 'o', isEnabled: true, mode: 'points', programName: 'نقاط', programNameAr: null },
  ...{ earnPiastresPerPoint: 1000, earnOnTax: false, visitItems: null, rewards, defaultRewardCost: 100 },
  ...{ balanceCap: null, maxRewardsPerOrder: null, offlineLimit: null, requireOtp: true },
  birthday: { isEnabled: false, amount: null, message: { ar: null, en: null } },
  winBack: { isEnabled: false, amount: null, message: { ar: null, en: null }, afterDays: null },
  terms: { ar: null, en: null },
  ...more,
});

/** What is sold: the same prices stand in the menu below. */
const SOLD = [
  { itemId: 'a-latte', categoryId: 'coffee', sizeLabel: 'small', sizeOrder: 0, price: 5000 },
  { itemId: 'a-latte', categoryId: 'coffee', sizeLabel: 'large', sizeOrder: 1, price: 7000 },
  { itemId: 'b-turkish', categoryId: 'coffee', sizeLabel: '', sizeOrder: 0, price: 4000 },
  { itemId: 'c-cake', categoryId: null, sizeLabel: '', sizeOrder: 0, price: 6000 },
] as const;
const SYRUP = 1000;

const MENU = {
  categories: [aCategory('coffee')],
  items: [
    anItem('a-latte', { ...inSizes({ small: 5000, large: 7000 }), categoryId: 'coffee' }),
    anItem('b-turkish', { prices: [price(4000)], categoryId: 'coffee' }),
    anItem('c-cake', { prices: [price(6000)] }),
  ],
  addons: [anAddon('syrup', { prices: [price(SYRUP)] })],
};

const coffee: DealPoolEntry = { categoryId: 'coffee', menuItemId: null, sizeLabel: null };
const cake: DealPoolEntry = { categoryId: null, menuItemId: 'c-cake', sizeLabel: null };
const large: DealPoolEntry = { categoryId: null, menuItemId: 'a-latte', sizeLabel: 'large' };

const deals = (amount: number): readonly Deal[] => [
  aDeal('pair', { qty: 2, terms: { kind: 'n_for_price', price: amount }, pool: [coffee] }),
  aDeal('third', { qty: 2, terms: { kind: 'buy_get', getQty: 1, getPercent: 100 }, pool: [coffee, cake] }),
  aDeal('cake', {
    ...{ qty: 1, terms: { kind: 'buy_get', getQty: 1, getPercent: 50 }, pool: [large], rewardPool: [cake] },
    maxPerOrder: 1,
  }),
];

const REWARDS = [aReward('coffee', 3, [coffee]), aReward('large', 4, [large]), aReward('any', 5)];

interface AnyLine {
  readonly kind: number;
  readonly quantity: number;
  readonly syrups: number;
  /** Wanted of each reward, at most the quantity over all. */
  readonly rewarded: readonly number[];
}

export interface RewardedCart {
  readonly deals: readonly Deal[];
  readonly lines: readonly AnyLine[];
}

const anyLine: fc.Arbitrary<AnyLine> = fc.record({
  kind: fc.nat(SOLD.length - 1),
  quantity: fc.integer({ min: 1, max: 4 }),
  syrups: fc.nat(1),
  rewarded: fc.array(fc.nat(2), { minLength: REWARDS.length, maxLength: REWARDS.length }),
});

export const rewardedCart: fc.Arbitrary<RewardedCart> = fc.record({
  deals: fc
    .tuple(fc.integer({ min: 3000, max: 11_000 }), fc.subarray([0, 1, 2]))
    .map(([amount, some]) => some.flatMap((at) => deals(amount)[at] ?? [])),
  lines: fc.array(anyLine, { minLength: 1, maxLength: 4 }),
});

const pays = (reward: number, kind: number): boolean =>
  [[0, 1, 2], [1], [0, 1, 2, 3]][reward]?.includes(kind) === true;

/** Units of the line that each reward pays for. */
const grantedOn = ({ kind, quantity, rewarded }: AnyLine): readonly number[] => {
  let left = quantity;
  return rewarded.map((wanted, reward) => {
    const units = pays(reward, kind) ? Math.min(wanted, left) : 0;
    left -= units;
    return units;
  });
};

const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);

const askedLine = ({ kind, quantity, syrups }: AnyLine): CartLine => {
  const sold = SOLD[kind] ?? SOLD[0];
  return aLine(sold.itemId, {
    quantity,
    sizeLabel: sold.sizeLabel === '' ? null : sold.sizeLabel,
    ...(syrups === 0 ? {} : withAddons({ syrup: syrups })),
  });
};

export const claimsIn = ({ lines }: RewardedCart): readonly RewardClaim[] =>
  lines.flatMap((line, lineIndex) =>
    grantedOn(line).flatMap((units, reward) =>
      units === 0 ? [] : [{ rewardId: REWARDS[reward]?.id ?? '', lineIndex, units }],
    ),
  );

export const RICH = { points: 1_000_000, visits: 0 };

export const inputOf = (
  cart: RewardedCart,
  claims = claimsIn(cart),
  programme = aProgrammeWith(REWARDS),
  balances = RICH,
): QuoteInput => ({
  book: aPriceBook({ ...MENU, deals: cart.deals }),
  lines: cart.lines.map(askedLine),
  stock: new Map(),
  terms: UNTAXED,
  redemption: { claims, programme, balances },
});

export interface ExpectedRewards {
  readonly itemsTotal: number;
  readonly saving: number;
  readonly cost: number;
}

/** The units of rewards leave the cart before the deals; the others pay as if they were alone. */
export const expectedBy = ({ lines, deals: all }: RewardedCart): ExpectedRewards => {
  const paid = lines.map((line) => line.quantity - sum(grantedOn(line)));
  const units = lines.map(({ kind }, line): DealUnits => ({
    ...(SOLD[kind] ?? SOLD[0]),
    ...{ line, quantity: paid[line] ?? 0 },
  }));
  return {
    itemsTotal: sum(units.map((unit, at) => unit.quantity * (unit.price + (lines[at]?.syrups ?? 0) * SYRUP))),
    saving: bestByForce(
      units.filter(({ quantity }) => quantity > 0),
      all,
    ).saving,
    cost: sum(lines.map((line) => sum(grantedOn(line).map((count, at) => count * (REWARDS[at]?.cost ?? 0))))),
  };
};

/** Every line as single units, with the same number of rewarded units of each kind. */
export const split = ({ deals: all, lines }: RewardedCart): RewardedCart => ({
  deals: all,
  lines: lines.flatMap((line) => {
    const granted = grantedOn(line).flatMap((units, reward) => Array.from({ length: units }, () => reward));
    return Array.from({ length: line.quantity }, (_, at) => ({
      ...{ kind: line.kind, quantity: 1, syrups: line.syrups },
      rewarded: REWARDS.map((_reward, index) => (granted[at] === index ? 1 : 0)),
    }));
  }),
});
