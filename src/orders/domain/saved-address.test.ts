import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DeliveryAddress } from './checkout.ts';
import type { SavedChannel } from '../../customers/domain/address.ts';
import { addressKey } from './saved-address.ts';

const ZAMALEK = '9f6e1f5b-6a2b-5f2a-8a53-2f6d3c9b7e11';
const MAADI = '1c2d3e4f-0000-5000-8000-000000000002';

const anAddress = (address: Partial<DeliveryAddress> = {}): DeliveryAddress => ({
  addressLine: '9 شارع البرازيل, Zamalek',
  placeName: null,
  floor: '3',
  unitNumber: '12',
  landmark: 'بجوار الصيدلية',
  ...address,
});
const keyOf = (address: Partial<DeliveryAddress> = {}, channel: SavedChannel = 'outside', branch = ZAMALEK) =>
  addressKey(channel, branch, anAddress(address));

describe('the same place has the same key', () => {
  test.each([
    ['spacing and case', { addressLine: '  9  شارع\u00a0البرازيل,   ZAMALEK ' }],
    ['Arabic digits', { addressLine: '٩ شارع البرازيل, Zamalek' }],
    ['Persian and wide digits', { floor: '۳', unitNumber: '１２' }],
    ['what cannot be seen', { addressLine: '9 شارع البرازيل, Zamale\u200fk\u200b' }],
    ['another Unicode form', { addressLine: '9 ﺷﺎﺭﻉ البرازيل, Zamalek' }],
    ['a blank field', { placeName: ' \u200f ' }],
  ])('with a difference in %s: %j', (_, address) => {
    expect(keyOf(address)).toBe(keyOf());
  });

  test('for a delivery from any branch', () => {
    expect(keyOf({}, 'outside', MAADI)).toBe(keyOf());
  });
});

describe('another place has another key', () => {
  test.each([
    [{ addressLine: '19 شارع البرازيل, Zamalek' }],
    [{ floor: '4' }],
    [{ unitNumber: null }],
    [{ landmark: 'أمام المدرسة' }],
    [{ placeName: 'برج النيل' }],
    [{ floor: '12', unitNumber: '3' }],
    [{ floor: null, unitNumber: '3', landmark: '12' }],
  ])('%j', (address) => {
    expect(keyOf(address)).not.toBe(keyOf());
  });

  test('on another channel, and for in_mall and umbrella at another branch', () => {
    const channels = ['outside', 'in_mall', 'umbrella'] as const;
    expect(new Set(channels.map((channel) => keyOf({}, channel))).size).toBe(3);
    for (const channel of ['in_mall', 'umbrella'] as const)
      expect(keyOf({}, channel, MAADI)).not.toBe(keyOf({}, channel));
  });

  test('different fields never have the same key, with any characters', () => {
    const text = fc.option(fc.constantFrom('a', 'b', '"', '",', 'a","b', '\\', 'null', '[', 'a b'));
    const fields = fc.record({
      addressLine: text,
      placeName: text,
      floor: text,
      unitNumber: text,
      landmark: text,
    });
    fc.assert(
      fc.property(fields, fields, (a, b) => {
        expect(keyOf(a) === keyOf(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
  });
});
