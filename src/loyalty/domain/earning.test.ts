import { describe, expect, test } from 'vitest';
import { earnedBy, type PaidUnits, type SaleToEarn } from './earning.ts';
import { forecastOf } from './forecast.ts';
import type { Programme } from './programme.ts';

const latte = (units: number, sizeLabel = 'large'): PaidUnits => ({
  ...{ itemId: 'latte', categoryId: 'coffee', sizeLabel, units },
});
const cake = (units: number): PaidUnits => ({
  ...{ itemId: 'cake', categoryId: null, sizeLabel: '', units },
});

const A_SALE: SaleToEarn = { base: 10_000, taxRate: 140_000, taxInclusive: false, paid: [latte(2), cake(1)] };
const POINTS = { mode: 'points', earnPiastresPerPoint: 1000, earnOnTax: false, visitItems: null } as const;
const VISITS = { ...POINTS, mode: 'visits' } as const;

describe('points', () => {
  test.each<[what: string, rules: object, sale: Partial<SaleToEarn>, points: number]>([
    ['are whole parts of what was charged for the items', {}, { base: 10_999 }, 10],
    ['are none below one part', {}, { base: 999 }, 0],
    ['do not count tax that comes on top', {}, {}, 10],
    ['count tax that comes on top where the shop says so', { earnOnTax: true }, { base: 10_000 }, 11],
    ['count prices that contain tax as shown', { earnOnTax: true }, { taxInclusive: true }, 10],
    ['are none for a free sale', {}, { base: 0, paid: [] }, 0],
    ['may be one for each piastre', { earnPiastresPerPoint: 1 }, { base: 4500 }, 4500],
  ])('%s', (_, rules, sale, points) =>
    expect(earnedBy({ ...POINTS, ...rules }, { ...A_SALE, ...sale })).toBe(points),
  );
});

describe('visits', () => {
  const ofCoffee = [{ categoryId: 'coffee', menuItemId: null, sizeLabel: null }];
  const ofLarge = [{ categoryId: null, menuItemId: 'latte', sizeLabel: 'large' }];
  test.each<[what: string, rules: object, paid: readonly PaidUnits[], visits: number]>([
    ['are one for a sale with units that were paid for', {}, [latte(2), cake(3)], 1],
    ['are none for a sale of rewards alone', {}, [latte(0)], 0],
    ['are one for each paid unit of the listed items', { visitItems: ofCoffee }, [latte(2), cake(3)], 2],
    ['count only the listed size', { visitItems: ofLarge }, [latte(2), latte(4, 'small')], 2],
    ['are none for a sale without listed items', { visitItems: ofCoffee }, [cake(3)], 0],
  ])('%s', (_, rules, paid, visits) =>
    expect(earnedBy({ ...VISITS, ...rules }, { ...A_SALE, paid })).toBe(visits),
  );
});

test('after a refund of a part, what the rest earns is kept', () => {
  const rest = { ...A_SALE, base: 6999, paid: [latte(1)] };
  expect(earnedBy(POINTS, A_SALE) - earnedBy(POINTS, rest)).toBe(4);
  expect(earnedBy(VISITS, A_SALE) - earnedBy(VISITS, rest)).toBe(0);
  expect(earnedBy(VISITS, A_SALE) - earnedBy(VISITS, { ...rest, paid: [] })).toBe(1);
});

describe('a forecast', () => {
  const reward = { id: 'r', name: 'قهوة', nameTranslations: {}, cost: 20, items: [] };
  const programme: Programme = {
    ...{ ...POINTS, orgId: 'o', isEnabled: true, programName: 'نقاط', programNameAr: null },
    ...{ rewards: [{ ...reward, id: 'dear', cost: 50 }, reward], defaultRewardCost: 100 },
    ...{ balanceCap: null, maxRewardsPerOrder: null, offlineLimit: null, requireOtp: true },
    birthday: { isEnabled: false, amount: null, message: { ar: null, en: null } },
    winBack: { isEnabled: false, amount: null, message: { ar: null, en: null }, afterDays: null },
    terms: { ar: null, en: null },
  };
  const balances = { points: 23, visits: 7 };

  test('has what is earned, the balance after rewards, and the cheapest reward as the next one', () =>
    expect(forecastOf(programme, balances, 20, A_SALE)).toEqual({
      ...{
        mode: 'points',
        balance: 23,
        earns: 10,
        balanceAfter: 13,
        pointsToNextReward: 7,
        nextReward: reward,
      },
    }));

  test('earns at most what the cap of the balance leaves', () =>
    expect(forecastOf({ ...programme, balanceCap: 25 }, balances, 0, A_SALE)).toMatchObject({
      ...{ earns: 2, balanceAfter: 25 },
    }));

  test('earns nothing over the cap, and takes nothing away', () =>
    expect(forecastOf({ ...programme, balanceCap: 5 }, balances, 0, A_SALE)).toMatchObject({
      ...{ earns: 0, balanceAfter: 23 },
    }));

  test('of a shop without rewards has the default cost and no next reward', () =>
    expect(forecastOf({ ...programme, rewards: [] }, balances, 0, A_SALE)).toMatchObject({
      ...{ pointsToNextReward: 67, nextReward: null },
    }));
});
