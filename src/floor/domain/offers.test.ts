/** A unit of a ticket counts in the deals that were on offer when it was fired, of the category that it then had. */
import { describe, expect, test } from 'vitest';
import { aDeal } from '../../menu/domain/menu.test-support.ts';
import type { Deal, DealPoolEntry } from '../../menu/domain/menubook.ts';
import { bestDeals } from '../../pricing/domain/deals/best.ts';
import { dealProblem, type OfferedUnits } from './offers.ts';

const twoFor80 = (name: string, pool: DealPoolEntry, more: Partial<Deal> = {}): Deal =>
  aDeal(name, { ...{ qty: 2, terms: { kind: 'n_for_price', price: 8_000 }, pool: [pool] }, ...more });

const OF_HOT = twoFor80('two hot drinks', { categoryId: 'hot', menuItemId: null, sizeLabel: null });
const ANOTHER = twoFor80('two cakes', { categoryId: null, menuItemId: 'cake', sizeLabel: null });
const OF_TEA = { categoryId: null, menuItemId: 'tea', sizeLabel: null };

type Round = readonly [categoryId: string, offers: readonly Deal[]];

/** One tea of each round, on a line of its own. */
const teas = (...rounds: readonly Round[]) =>
  rounds.map(([categoryId, offers], line): OfferedUnits => ({
    units: { line, itemId: 'tea', categoryId, sizeLabel: '', sizeOrder: 0, price: 5_000, quantity: 1 },
    offers,
  }));

/** The lines that deals take, and what they save. */
const found = (lines: readonly OfferedUnits[]) => {
  const { units, deals } = dealProblem(lines);
  const { applied, saving } = bestDeals(units, deals);
  return { saving, lines: applied.flatMap((one) => one.lines.map(({ line }) => line)) };
};

const NOTHING = { saving: 0, lines: [] };

describe.each([
  { offers: 'the same deals in both rounds', second: [OF_HOT] },
  { offers: 'another deal besides in the second round', second: [OF_HOT, ANOTHER] },
])('with $offers, a deal of hot drinks takes', ({ second }) => {
  test('two teas that were hot', () => {
    expect(found(teas(['hot', [OF_HOT]], ['hot', second]))).toEqual({ saving: 2_000, lines: [0, 1] });
  });

  test('no tea that was moved to or from the hot drinks in between', () => {
    expect(found(teas(['hot', [OF_HOT]], ['cold', second]))).toEqual(NOTHING);
    expect(found(teas(['cold', [OF_HOT]], ['hot', second]))).toEqual(NOTHING);
  });

  test('the hot ones among others', () => {
    const lines = teas(['hot', [OF_HOT]], ['cold', second], ['cold', [OF_HOT]], ['hot', second]);
    expect(found(lines)).toEqual({ saving: 2_000, lines: [0, 3] });
  });
});

test('a deal of teas takes the earliest ones, of whichever category', () => {
  const once = twoFor80('two teas once', OF_TEA, { maxPerOrder: 1 });
  const lines = teas(['hot', [once]], ['cold', [once]], ['hot', [once, ANOTHER]]);
  expect(found(lines)).toEqual({ saving: 2_000, lines: [0, 1] });
});

test('a deal takes no tea that was fired before or after it was on offer', () => {
  const twoTeas = twoFor80('two teas', OF_TEA);
  expect(found(teas(['hot', []], ['hot', [twoTeas]]))).toEqual(NOTHING);
  expect(found(teas(['hot', [twoTeas]], ['hot', [ANOTHER]], ['hot', [twoTeas]]))).toEqual({
    ...{ saving: 2_000, lines: [0, 2] },
  });
});

test('the units of a deal that was changed in between count in the version of their round', () => {
  const before = twoFor80('two teas', OF_TEA);
  const after = {
    ...before,
    terms: { kind: 'n_for_price', price: 9_000 },
    updatedAt: before.updatedAt + 1,
  } as const;
  expect(found(teas(['hot', [before]], ['hot', [after]]))).toEqual(NOTHING);
  const lines = teas(['hot', [before]], ['hot', [after]], ['hot', [after]], ['hot', [{ ...before }]]);
  expect(found(lines)).toEqual({ saving: 3_000, lines: [0, 3, 1, 2] });
});

test('a unit counts in a deal of its round also where a later round had the deal without its drink', () => {
  const mint = { categoryId: null, menuItemId: 'mint', sizeLabel: null };
  const either = twoFor80('tea or mint', OF_TEA, { pool: [OF_TEA, mint] });
  // Tea has sold out, and is not on the menu.
  const later = { ...either, pool: [mint] };
  const [first, second, third] = teas(['hot', [either]], ['hot', [either]], ['hot', [later]]);
  if (first === undefined || second === undefined || third === undefined) throw new Error('three rounds');
  const last: OfferedUnits = { ...third, units: { ...third.units, itemId: 'mint' } };
  for (const lines of [
    [first, second, last],
    [last, second, first],
  ])
    expect(found(lines)).toEqual({ saving: 2_000, lines: expect.any(Array) as number[] });
  for (const lines of [
    [first, last],
    [last, first],
  ])
    expect(found(lines).saving).toBe(2_000);
});

test.each([
  ['only renamed', { name: 'two hot teas' }],
  ['moved in the list of deals', { sort: 7 }],
])('a deal that was %s in between is one deal', (_, changed) => {
  const before = twoFor80('two teas', OF_TEA, { maxPerOrder: 1 });
  const after = { ...before, ...changed, updatedAt: before.updatedAt + 1 };
  for (const order of [
    [before, after],
    [after, before],
  ])
    expect(found(teas(...order.map((deal): Round => ['hot', [deal]])))).toEqual({
      ...{ saving: 2_000, lines: [0, 1] },
    });
  const twice = teas(['hot', [before]], ['hot', [before]], ['hot', [after]], ['hot', [after]]);
  expect(found(twice)).toEqual({ saving: 2_000, lines: [0, 1] });
  expect(dealProblem(twice).deals).toEqual([after]);
});

test('an item that was added to a deal, or taken out, counts in the rounds that had it in the deal', () => {
  const mint = { categoryId: null, menuItemId: 'mint', sizeLabel: null };
  const of = (pool: readonly DealPoolEntry[], updatedAt: number) =>
    twoFor80('tea or mint', OF_TEA, { pool, updatedAt });
  const [without, withTea] = [of([mint], 1), of([mint, OF_TEA], 2)];
  expect(found(teas(['hot', [without]], ['hot', [withTea]]))).toEqual(NOTHING);
  expect(found(teas(['hot', [withTea]], ['hot', [without]]))).toEqual(NOTHING);
  expect(found(teas(['hot', [withTea]], ['hot', [without]], ['hot', [withTea]]))).toEqual({
    ...{ saving: 2_000, lines: [0, 2] },
  });
});

test('a deal whose rewards come from another list from then on is another deal', () => {
  const free = { qty: 1, terms: { kind: 'buy_get', getQty: 1, getPercent: 100 }, pool: [OF_TEA] } as const;
  const [own, other] = [aDeal('tea', free), aDeal('tea', { ...free, rewardPool: [OF_TEA], updatedAt: 9 })];
  expect(found(teas(['hot', [own]], ['hot', [other]]))).toEqual(NOTHING);
  expect(found(teas(['hot', [own]], ['hot', [other]], ['hot', [own]])).lines).toEqual([0, 2]);
});

test('a unit is paid or rewarded as in its round, also where a later one has it in the other list of the deal', () => {
  const cake = { categoryId: null, menuItemId: 'cake', sizeLabel: null };
  const before = aDeal('a cake with tea', {
    ...{ qty: 1, terms: { kind: 'buy_get', getQty: 1, getPercent: 100 }, pool: [OF_TEA], rewardPool: [cake] },
  });
  const after = { ...before, pool: [OF_TEA, cake], updatedAt: before.updatedAt + 1 };
  const rounds = teas(['food', [before]], ['food', [before]], ['hot', [after]]);
  const lines = rounds.map((line, at) => ({
    ...line,
    units: { ...line.units, itemId: at < 2 ? 'cake' : 'juice' },
  }));
  expect(found(lines)).toEqual(NOTHING);
});

test('of two versions of a deal the older one applies first, whichever round is named first', () => {
  const before = twoFor80('two teas', OF_TEA);
  const after = { ...before, maxPerOrder: 9, updatedAt: before.updatedAt + 1 };
  const three = aDeal('three teas', {
    ...{ qty: 3, terms: { kind: 'n_for_price', price: 11_000 }, pool: [OF_TEA], maxPerOrder: 1, sort: 1 },
  });
  const rounds = [before, before, before, after, after, after].map((deal): Round => ['hot', [deal, three]]);
  const lines = teas(...rounds);
  expect(new Set(found(lines).lines)).toEqual(new Set(found(lines.toReversed()).lines));
  expect(found(lines).saving).toBe(found(lines.toReversed()).saving);
});

test('which teas of two categories a deal takes does not depend on the order of the rounds', () => {
  const pool = ['hot', 'cold'].map((categoryId) => ({ categoryId, menuItemId: null, sizeLabel: null }));
  const both = twoFor80('two of any', OF_TEA, { maxPerOrder: 1, pool });
  const more = twoFor80(
    'two hot',
    { categoryId: 'hot', menuItemId: null, sizeLabel: null },
    { maxPerOrder: 1, sort: 1 },
  );
  const rounds: readonly Round[] = [
    ['hot', [both, more]],
    ['hot', [both, more]],
    ['cold', [both, more]],
  ];
  const takenOf = (order: readonly Round[]) =>
    found(teas(...order))
      .lines.map((line) => order[line]?.[0])
      .sort();
  for (const order of [rounds, rounds.toReversed()]) expect(takenOf(order)).toEqual(['hot', 'hot']);
});
