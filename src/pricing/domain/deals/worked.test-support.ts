/** Carts solved by hand. */
import { aDeal } from '../../../menu/domain/menu.test-support.ts';
import type { Deal, DealPoolEntry } from '../../../menu/domain/menubook.ts';
import type { DealUnits } from './types.ts';

export const item = (menuItemId: string, sizeLabel: string | null = null): DealPoolEntry => ({
  categoryId: null,
  menuItemId,
  sizeLabel,
});
export const category = (categoryId: string, sizeLabel: string | null = null): DealPoolEntry => ({
  categoryId,
  menuItemId: null,
  sizeLabel,
});

/** Cart lines in this order; the default category is `drinks`. */
export const lines = (
  ...units: readonly (Pick<DealUnits, 'itemId' | 'price'> & Partial<DealUnits>)[]
): readonly DealUnits[] =>
  units.map((unit, line) => ({
    categoryId: 'drinks',
    sizeLabel: '',
    sizeOrder: 0,
    quantity: 1,
    ...unit,
    line,
  }));

export const nFor = (id: string, qty: number, price: number, deal: Partial<Deal> = {}): Deal =>
  aDeal(id, { qty, terms: { kind: 'n_for_price', price }, pool: [category('drinks')], ...deal });

/** Third argument: getQty and getPercent. */
export const buyGet = (
  id: string,
  qty: number,
  [getQty, getPercent]: readonly [number, number],
  deal: Partial<Deal> = {},
): Deal =>
  aDeal(id, { qty, terms: { kind: 'buy_get', getQty, getPercent }, pool: [category('drinks')], ...deal });

interface Worked {
  readonly name: string;
  readonly units: readonly DealUnits[];
  readonly deals: readonly Deal[];
  /** Deal id, times, and the discount of each line. */
  readonly best: readonly (readonly [id: string, times: number, byLine: Readonly<Record<number, number>>])[];
}

const CAKE = { categoryId: 'cakes' };

export const WORKED: readonly Worked[] = [
  {
    name: '3 for 100: the dearest three share the deal, the fourth pays list price',
    units: lines(
      { itemId: 'd', price: 3000 },
      { itemId: 'a', price: 5000 },
      { itemId: 'b', price: 4500 },
      { itemId: 'c', price: 4000 },
    ),
    deals: [nFor('three', 3, 10_000)],
    // 35.00 over 50, 45 and 40: 12.962…, then 24.629… in all, then 35.
    best: [['three', 1, { 1: 1296, 2: 1167, 3: 1037 }]],
  },
  {
    name: 'six units make the group of three twice, five only once',
    units: lines({ itemId: 'a', price: 4000, quantity: 6 }, { itemId: 'b', price: 3500, quantity: 2 }),
    deals: [nFor('three', 3, 10_000)],
    best: [['three', 2, { 0: 4000 }]],
  },
  {
    name: 'one for a price: those that cost more come down, the cheaper one is never raised',
    units: lines(
      { itemId: 'a', price: 5000 },
      { itemId: 'b', price: 3000 },
      { itemId: 'c', price: 2000 },
      { itemId: 'd', price: 3001 },
    ),
    deals: [nFor('happy', 1, 3000)],
    best: [['happy', 2, { 0: 2000, 3: 1 }]],
  },
  {
    name: 'buy 2 get 1 free: each third cup by price is free, the cheapest of each three',
    units: lines(
      { itemId: 'a', price: 6000, quantity: 2 },
      { itemId: 'b', price: 5000 },
      { itemId: 'c', price: 4000 },
      { itemId: 'd', price: 3000 },
      { itemId: 'e', price: 1000 },
    ),
    deals: [buyGet('third', 2, [1, 100])],
    best: [['third', 2, { 0: 0, 1: 5000, 2: 0, 3: 0, 4: 1000 }]],
  },
  {
    name: 'buy 1 get 1 free needs a unit that is no cheaper to be paid: two pairs of four',
    units: lines(
      { itemId: 'a', price: 1000 },
      { itemId: 'b', price: 5000 },
      { itemId: 'c', price: 10_000 },
      { itemId: 'd', price: 6000 },
    ),
    deals: [buyGet('pair', 1, [1, 100])],
    best: [['pair', 2, { 0: 1000, 1: 0, 2: 0, 3: 6000 }]],
  },
  {
    name: 'with a reward pool, two coffees let the dearer cake down, whatever it costs; half of 50.01 is 25.01',
    units: lines(
      { itemId: 'cake', price: 5001, ...CAKE },
      { itemId: 'coffee', price: 3000, quantity: 3 },
      { itemId: 'biscuit', price: 2000, ...CAKE },
    ),
    deals: [buyGet('treat', 2, [1, 50], { rewardPool: [category('cakes')] })],
    best: [['treat', 1, { 0: 2501, 1: 0 }]],
  },
  {
    name: 'a reward pool inside the pool: three coffees are two paid and one free',
    units: lines({ itemId: 'coffee', price: 3000, quantity: 3 }, { itemId: 'tea', price: 1000, quantity: 2 }),
    deals: [buyGet('third', 2, [1, 100], { rewardPool: [item('coffee')] })],
    best: [['third', 1, { 0: 3000 }]],
  },
  {
    name: 'at most once an order: the dearest pair takes it',
    units: lines({ itemId: 'a', price: 4000, quantity: 2 }, { itemId: 'b', price: 4500, quantity: 2 }),
    deals: [nFor('pair', 2, 5000, { maxPerOrder: 1 })],
    best: [['pair', 1, { 1: 4000 }]],
  },
  {
    name: 'two deals fight for one cup: the larger alone saves 40, the two smaller save 60 together',
    units: lines(
      { itemId: 'a', price: 5000 },
      { itemId: 'b', price: 5000 },
      { itemId: 'c', price: 5000 },
      { itemId: 'e', price: 5000 },
    ),
    deals: [
      nFor('ab', 2, 6000, { sort: 0, pool: [item('a'), item('b')] }),
      nFor('ac', 2, 7000, { pool: [item('a'), item('c')] }),
      nFor('be', 2, 7000, { pool: [item('b'), item('e')] }),
    ],
    best: [
      ['ac', 1, { 0: 1500, 2: 1500 }],
      ['be', 1, { 1: 1500, 3: 1500 }],
    ],
  },
  {
    name: 'as much saved in fewer applications goes first, even by a deal of higher sort',
    units: lines({ itemId: 'a', price: 1000, quantity: 4 }),
    deals: [nFor('pairs', 2, 1500, { sort: 0 }), nFor('four', 4, 3000, { sort: 1 })],
    best: [['four', 1, { 0: 1000 }]],
  },
  {
    name: 'of two deals alike, the one of lower sort applies',
    units: lines({ itemId: 'a', price: 1000, quantity: 2 }),
    deals: [nFor('a', 2, 1500, { sort: 2 }), nFor('b', 2, 1500, { sort: 1 })],
    best: [['b', 1, { 0: 500 }]],
  },
  {
    name: 'of two deals alike with the same sort, the one of lower id',
    units: lines({ itemId: 'a', price: 1000, quantity: 2 }),
    deals: [nFor('b', 2, 1500), nFor('a', 2, 1500)],
    best: [['a', 1, { 0: 500 }]],
  },
  {
    name: 'of units that cost the same, that of the lower item id and then of the earlier size is taken',
    units: lines(
      { itemId: 'b', price: 1000 },
      { itemId: 'a', price: 1000, sizeLabel: 'mini', sizeOrder: 1 },
      { itemId: 'a', price: 1000, sizeLabel: 'tall', sizeOrder: 0 },
    ),
    deals: [nFor('one', 1, 700, { maxPerOrder: 1 })],
    best: [['one', 1, { 2: 300 }]],
  },
  {
    name: 'of equal cups on two lines, those of the earlier line are taken',
    units: lines({ itemId: 'a', price: 1000 }, { itemId: 'a', price: 1000, quantity: 2 }),
    deals: [nFor('pair', 2, 1500, { maxPerOrder: 1 })],
    best: [['pair', 1, { 0: 250, 1: 250 }]],
  },
  {
    name: 'of two cups that cost the same, that of the lower item id is free, and then that of the earlier size',
    units: lines(
      { itemId: 'b', price: 1000 },
      { itemId: 'a', price: 1000, sizeLabel: 'mini', sizeOrder: 1 },
      { itemId: 'a', price: 1000, sizeLabel: 'tall', sizeOrder: 0 },
    ),
    deals: [buyGet('third', 2, [1, 100])],
    best: [['third', 1, { 0: 0, 1: 0, 2: 1000 }]],
  },
  {
    name: 'so it is where only some of the cups can be free',
    units: lines({ itemId: 'b', price: 1000 }, { itemId: 'a', price: 1000 }, { itemId: 'c', price: 1000 }),
    deals: [buyGet('third', 2, [1, 100], { rewardPool: [item('c'), item('b')] })],
    best: [['third', 1, { 0: 1000, 1: 0, 2: 0 }]],
  },
  {
    name: 'a deal that names a size counts that size alone',
    units: lines(
      { itemId: 'a', price: 4000, sizeLabel: 'large', sizeOrder: 1 },
      { itemId: 'a', price: 3000, sizeLabel: 'small', quantity: 2 },
    ),
    deals: [nFor('pair', 2, 1000, { pool: [item('a', 'large'), category('drinks', 'large')] })],
    best: [],
  },
  {
    name: 'no deal for what saves nothing: at list price, above it, or a percent that rounds to nothing',
    units: lines({ itemId: 'a', price: 1000, quantity: 4 }, { itemId: 'b', price: 49, quantity: 9, ...CAKE }),
    deals: [
      nFor('same', 2, 2000),
      nFor('dearer', 3, 3001),
      buyGet('crumbs', 1, [2, 1], { pool: [category('cakes')] }),
    ],
    best: [],
  },
  {
    name: 'one percent of 50 is one, of 49 nothing; half of one is one',
    units: lines(
      { itemId: 'a', price: 50, quantity: 2, ...CAKE },
      { itemId: 'b', price: 49, quantity: 2, ...CAKE },
      { itemId: 'c', price: 1, quantity: 2 },
    ),
    deals: [
      buyGet('crumbs', 1, [1, 1], { pool: [category('cakes')] }),
      buyGet('half', 1, [1, 50], { pool: [category('drinks')] }),
    ],
    best: [
      ['crumbs', 1, { 0: 1 }],
      ['half', 1, { 2: 1 }],
    ],
  },
];
