import { describe, expect, test } from 'vitest';
import {
  aCategory,
  aChoice,
  aCombo,
  aDeal,
  anAddon,
  anItem,
  aSlot,
  price,
} from '../../menu/domain/menu.test-support.ts';
import type { Programme } from '../../loyalty/domain/programme.ts';
import { UNTAXED } from './bill.test-support.ts';
import { aLine, aMeal, aPick, aPriceBook, withAddons } from './cart.test-support.ts';
import type { CartLine } from './cart.ts';
import { quote, type QuoteResult } from './quote.ts';
import { rewardHintsOf } from './hints.test-support.ts';
import { aProgrammeWith, aReward } from './rewards.test-support.ts';
import type { RewardClaim } from './rewards.ts';

const coffee = { categoryId: 'coffee', menuItemId: null, sizeLabel: null };
const turkish = anItem('turkish', { prices: [price(4000)], categoryId: 'coffee' });
const cake = anItem('cake', { prices: [price(6000)] });
const syrup = anAddon('syrup', { prices: [price(1000)] });
const meal = aCombo('meal', [aSlot('drink', [aChoice(turkish.id)])], { prices: [price(5000)] });
const third = aDeal('third', {
  ...{ qty: 2, terms: { kind: 'buy_get', getQty: 1, getPercent: 100 }, pool: [coffee] },
});
const book = aPriceBook({
  ...{ categories: [aCategory('coffee')], items: [turkish, cake, meal], addons: [syrup], deals: [third] },
});

const PROGRAMME = aProgrammeWith([aReward('free coffee', 10, [coffee]), aReward('anything', 30)]);
const claim = (rewardId: string, lineIndex = 0, units = 1): RewardClaim => ({ rewardId, lineIndex, units });

const withClaims = (
  lines: readonly CartLine[],
  claims: readonly RewardClaim[],
  { programme = PROGRAMME, points = 100 }: { programme?: Programme | null; points?: number } = {},
): QuoteResult =>
  quote({
    ...{ book, lines, stock: new Map(), terms: UNTAXED },
    redemption: { claims, programme, balances: { points, visits: 0 } },
  });
const quoted = (...args: Parameters<typeof withClaims>) => {
  const result = withClaims(...args);
  if ('faults' in result) throw new Error(JSON.stringify(result.faults));
  return result.quote;
};
const faults = (...args: Parameters<typeof withClaims>) => {
  const result = withClaims(...args);
  return 'faults' in result ? result.faults.map(({ path, refusal }) => [path, refusal]) : [];
};

test('a reward pays for one unit with its add-ons', () => {
  const line = aLine(turkish.id, { quantity: 2, ...withAddons({ syrup: 2 }) });
  const { lines, itemsTotal, rewards, rewardCost, bill } = quoted([line], [claim('free coffee')]);
  expect(lines[0]).toMatchObject({ lineTotal: 6000, rewardUnits: 1, rewardDiscount: 6000, quantity: 2 });
  expect([itemsTotal, rewardCost, bill.total]).toEqual([6000, 10, 6000]);
  expect(rewards).toMatchObject([{ lineIndex: 0, units: 1, discount: 6000, cost: 10 }]);
});

test('a rewarded unit takes part in no deal', () => {
  const three = [aLine(turkish.id, { quantity: 3 })];
  expect(quoted(three, []).bill.total).toBe(8000);
  // The deal needs three units that pay or are rewarded by it.
  expect(quoted(three, [claim('free coffee')])).toMatchObject({
    deals: { saving: 0 },
    bill: { total: 8000 },
  });
  const four = [aLine(turkish.id, { quantity: 4 })];
  expect(quoted(four, [claim('free coffee')]).bill.total).toBe(8000);
});

test('several rewards may pay for a whole cart', () => {
  const cart = [aLine(turkish.id, { quantity: 2 }), aLine(cake.id)];
  const { bill, rewardCost } = quoted(cart, [claim('free coffee', 0, 2), claim('anything', 1)]);
  expect([bill.total, rewardCost]).toEqual([0, 50]);
});

describe('rewards are refused:', () => {
  const cart = [
    aLine(turkish.id, { quantity: 2 }),
    aLine(cake.id),
    aMeal(meal.id, [aPick('drink', turkish.id)]),
  ];
  test.each<[string, readonly RewardClaim[], readonly (readonly [string, string])[]]>([
    ['of no line', [claim('anything', 3)], [['rewards[0].line_index', 'INVALID_INPUT']]],
    ['on a combo', [claim('anything', 2)], [['rewards[0].line_index', 'REWARD_IN_COMBO']]],
    ['for another item', [claim('free coffee', 1)], [['rewards[0].line_index', 'INVALID_INPUT']]],
    ['that the shop does not offer', [claim('gone')], [['rewards[0].reward_id', 'REWARD_GONE']]],
    ['beyond the units of the line', [claim('free coffee', 0, 3)], [['rewards[0].units', 'INVALID_INPUT']]],
    [
      'beyond the units of the line, over all rewards',
      [claim('free coffee', 0, 2), claim('anything', 0)],
      [['rewards[1].units', 'INVALID_INPUT']],
    ],
    ['named twice', [claim('anything'), claim('anything')], [['rewards[1]', 'INVALID_INPUT']]],
    [
      'with all their faults',
      [claim('anything', 9), claim('gone', 2)],
      [
        ['rewards[0].line_index', 'INVALID_INPUT'],
        ['rewards[1].reward_id', 'REWARD_GONE'],
        ['rewards[1].line_index', 'REWARD_IN_COMBO'],
      ],
    ],
  ])('%s', (_, claims, expected) => expect(faults(cart, claims)).toEqual(expected));

  test('that cost more than the balance, with both figures', () => {
    const result = withClaims(cart, [claim('free coffee', 0, 2)], { points: 19 });
    expect(result).toMatchObject({
      faults: [{ path: 'rewards', refusal: 'REWARD_UNAVAILABLE', figures: { balance: 19, cost: 20 } }],
    });
    expect(faults(cart, [claim('free coffee', 0, 2)], { points: 20 })).toEqual([]);
  });

  test('beyond the most of one order', () => {
    const programme = { ...PROGRAMME, maxRewardsPerOrder: 1 };
    expect(faults(cart, [claim('free coffee'), claim('anything', 1)], { programme })).toEqual([
      ['rewards[1].units', 'INVALID_INPUT'],
    ]);
  });

  test.each([
    ['is off', { ...PROGRAMME, isEnabled: false }],
    ['never was', null],
  ])('where the programme %s', (_, programme) => {
    expect(faults(cart, [claim('anything')], { programme })).toEqual([['rewards', 'LOYALTY_OFF']]);
    expect(faults(cart, [], { programme })).toEqual([]);
  });

  test('beside the faults of the lines', () =>
    expect(faults([aLine('nobody'), aLine(cake.id)], [claim('free coffee', 5)])).toEqual([
      ['items[0].menu_item_id', 'ITEM_NOT_FOUND'],
      ['rewards[0].line_index', 'INVALID_INPUT'],
    ]));
});

describe('a hint at a reward', () => {
  const hintsOf = (
    lines: readonly CartLine[],
    programme: Programme,
    points: number,
    claims: readonly RewardClaim[] = [],
  ) => {
    const input = {
      ...{ book, lines, stock: new Map<string, number>(), terms: UNTAXED },
      redemption: { claims, programme, balances: { points, visits: 0 } },
    };
    const result = quote(input);
    if ('faults' in result) throw new Error(JSON.stringify(result.faults));
    const hints = rewardHintsOf(input, result.quote);
    return hints.map(({ reward, lineIndex, saving }) => [reward.id, lineIndex, saving]);
  };
  const cart = [aLine(turkish.id), aLine(cake.id)];

  test('names the cheapest reward that pays for the line, the largest saving first', () =>
    expect(hintsOf(cart, PROGRAMME, 100)).toEqual([
      ['anything', 1, 6000],
      ['free coffee', 0, 4000],
    ]));

  test('is given for what the balance pays besides the rewards in the cart', () => {
    expect(hintsOf(cart, PROGRAMME, 29)).toEqual([['free coffee', 0, 4000]]);
    expect(hintsOf(cart, PROGRAMME, 35, [claim('free coffee')])).toEqual([]);
  });

  test('is given neither beyond the most of an order nor where the total stays', () => {
    const one = { ...PROGRAMME, maxRewardsPerOrder: 1 };
    expect(hintsOf(cart, one, 100, [claim('free coffee')])).toEqual([]);
    // Without one of three coffees the deal saves nothing, and two cost the same.
    expect(hintsOf([aLine(turkish.id, { quantity: 3 })], PROGRAMME, 100)).toEqual([]);
  });
});
