import { describe, expect, test } from 'vitest';
import { BRANCH, DINE_IN, PICKUP, price } from './menu.test-support.ts';
import { priceAt, type PriceEntry } from './price.ts';

const catalogue = price(4000);
const branch = price(4100, { branchId: BRANCH });
const channel = price(4200, { channel: 'pickup' });
const both = price(4300, { branchId: BRANCH, channel: 'pickup' });
const elsewhere = [
  price(1, { branchId: 'maadi' }),
  price(2, { channel: 'outside' }),
  price(3, { branchId: 'maadi', channel: 'pickup' }),
  price(4, { branchId: BRANCH, channel: 'outside' }),
  price(5, { sizeLabel: 'كبير' }),
];

describe('the price ladder: branch + channel, channel, branch, catalogue', () => {
  test.each<[stored: string, entries: PriceEntry[], onPickup: number | null, dineIn: number | null]>([
    ['nothing', [], null, null],
    ['catalogue', [catalogue], 4000, 4000],
    ['branch', [branch], 4100, 4100],
    ['catalogue, branch', [catalogue, branch], 4100, 4100],
    ['channel', [channel], 4200, null],
    ['catalogue, channel', [catalogue, channel], 4200, 4000],
    ['branch, channel', [branch, channel], 4200, 4100],
    ['catalogue, branch, channel', [catalogue, branch, channel], 4200, 4100],
    ['both', [both], 4300, null],
    ['catalogue, both', [catalogue, both], 4300, 4000],
    ['branch, both', [branch, both], 4300, 4100],
    ['channel, both', [channel, both], 4300, null],
    ['catalogue, branch, channel, both', [catalogue, branch, channel, both], 4300, 4100],
  ])('with %s', (_, entries, onPickup, dineIn) => {
    for (const order of [entries, [...entries].reverse()]) {
      expect(priceAt([...order, ...elsewhere], PICKUP)).toBe(onPickup);
      expect(priceAt([...elsewhere, ...order], DINE_IN)).toBe(dineIn);
    }
  });

  test('a size has its own ladder, and zero is a price', () => {
    expect(priceAt([catalogue, price(0, { sizeLabel: 'كبير' })], PICKUP, 'كبير')).toBe(0);
    expect(priceAt([catalogue], PICKUP, 'كبير')).toBeNull();
  });
});
