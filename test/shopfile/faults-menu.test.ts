/** Semantic faults of the menu. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { expectOnly, testMistakes, withValue } from '../support/shops/shop-file-mistakes.ts';
import { openImportFixture, type ImportFixture } from '../support/shops/shop-import.ts';

let fixture: ImportFixture;
beforeAll(async () => {
  fixture = await openImportFixture();
});
afterAll(() => fixture.close());

const item = 'menu.items[0]';
const combo = 'menu.combos[0]';

describe('prices and availability', () => {
  testMistakes(() => fixture, {
    'an item without a price': ['menu.items[1].price', undefined, /nothing says what this costs/],
    'a size without a price': [
      `${item}.sizes[0]`,
      { label: 'صغير' },
      /nothing says what this costs/,
      `${item}.sizes[0].price`,
    ],
    'a price beside sizes': [`${item}.price`, 100, /must be left out: the item has sizes/],
    'an exception without branch and channel': [
      'menu.items[2].prices[0]',
      { price: 5 },
      /neither a branch nor a channel/,
    ],
    'an exception twice': [
      'menu.items[2].prices[1]',
      { channel: 'pickup', price: 5 },
      /same branch and channel as menu.items\[2\].prices\[0\]/,
    ],
    'stock without a branch': [
      `${item}.availability[1].stock`,
      4,
      /need a `branch` and no `channel`/,
      `${item}.availability[1]`,
    ],
    'stock on a channel': [
      `${item}.availability[0].channel`,
      'pickup',
      /need a `branch` and no `channel`/,
      `${item}.availability[0]`,
    ],
    'availability twice': [`${item}.availability[2]`, { channel: 'umbrella' }, /same branch and channel/],
  });
});

describe('sale windows', () => {
  testMistakes(() => fixture, {
    'a window with only one end': [
      `${item}.windows[0].to`,
      undefined,
      /needs both `from` and `to`/,
      `${item}.windows[0]`,
    ],
    'a window that ends when it starts': [`${item}.windows[0].to`, '22:00', /must differ from `from`/],
    'a window whose dates are in reverse order': [
      `${item}.windows[1].valid_to`,
      '2026-10-31',
      /is before `valid_from`/,
    ],
  });
});

describe('add-ons and modifier groups', () => {
  testMistakes(() => fixture, {
    'a default milk that is no milk': [
      `${item}.default_milk`,
      'كراميل',
      /must be an add-on of type milk_type; ‘كراميل’ is of type extra/,
    ],
    'a default coffee that is milk': [
      `${item}.default_coffee`,
      'oat',
      /must be an add-on of type coffee_type/,
    ],
    'an optional of an unknown size': [`${item}.optionals[0].size`, 'وسط', /names no size of the item/],
    'an optional of a size where there are none': [
      'menu.items[1].optionals',
      [{ name: 'ا', size: 'كبير', price: 1 }],
      /the item has none/,
      'menu.items[1].optionals[0].size',
    ],
    'a required group that asks for none': [
      'menu.modifier_groups[0].min',
      0,
      /must be 1 or more: the group is required/,
    ],
    'a single group that allows two': ['menu.modifier_groups[0].max', 2, /at most 1: the group is single/],
    'a group that allows less than it asks for': [
      'menu.modifier_groups[1].min',
      4,
      /less than the least number of choices, 4/,
      'menu.modifier_groups[1].max',
    ],
    'a group of one type with an option of another': [
      'menu.modifier_groups[0].options',
      ['whole', 'كراميل'],
      /‘كراميل’ is of type extra/,
      'menu.modifier_groups[0].addon_type',
    ],
  });
  test('a group of swap families allows at most one of each', async () => {
    const groups = [{ name: 'ا', selection: 'multi', max: 2, options: ['whole', 'oat'] }];
    await expectOnly(
      fixture,
      withValue('menu.modifier_groups[1]', {
        name: 'إضافات',
        selection: 'multi',
        min: 2,
        options: ['whole', 'oat'],
      }),
      'menu.modifier_groups[1].min',
      /at most 1: a cup takes one of each swap family/,
    );
    await expectOnly(
      fixture,
      withValue('menu.modifier_groups[1]', { ...groups[0], name: 'إضافات' }),
      'menu.modifier_groups[1].max',
      /at most 1/,
    );
  });
});

describe('combos', () => {
  testMistakes(() => fixture, {
    'a combo inside a combo': [`${combo}.slots[1].choices[0].item`, 'فطار', /a combo holds plain items only/],
    'a choice without its included size': [
      `${combo}.slots[0].choices[0]`,
      { item: 'لاتيه' },
      /has sizes, and one must be the included one/,
      `${combo}.slots[0].choices[0].included_size`,
    ],
    'an unknown included size': [
      `${combo}.slots[0].choices[0].included_size`,
      'وسط',
      /names no size of the item/,
    ],
    'an included size of an item without sizes': [
      `${combo}.slots[0].choices[1].included_size`,
      'كبير',
      /the item has none/,
    ],
    'an extra for the included size': [
      `${combo}.slots[0].choices[0].size_extras[0].size`,
      'صغير',
      /is the included size/,
    ],
    'a choice twice': [`${combo}.slots[0].choices[1].item`, 'لاتيه', /is a choice of this slot already/],
    'a default that cannot be chosen': [`${combo}.slots[1].default`, 'لاتيه', /not among the choices/],
    'a default size without a default': [
      `${combo}.slots[0].default`,
      undefined,
      /needs a `default`/,
      `${combo}.slots[0].default_size`,
    ],
    'a slot that takes less than it needs': [
      `${combo}.slots[1].min`,
      3,
      /is less than `min`/,
      `${combo}.slots[1].max`,
    ],
    'a meal of an unknown combo': [`${item}.meal.combo`, 'غداء', /names no combo/],
    'a meal of an unknown slot': [`${item}.meal.slot`, 'drinks', /names no slot .* did you mean ‘drink’/],
    'a meal whose slot does not offer the item': [`${item}.meal.slot`, 'الحلو', /does not offer this item/],
  });
});

describe('deals and discounts', () => {
  testMistakes(() => fixture, {
    'n_for_price without a price': ['menu.deals[0].price', undefined, /a deal of kind n_for_price needs it/],
    'three for 100 with a percentage': [
      'menu.deals[0].get_percent',
      50,
      /must be left out of a deal of kind n_for_price/,
    ],
    'three for 100 with a reward pool': ['menu.deals[0].reward_pool', [{ item: 'ماء' }], /must be left out/],
    'buy one get something': ['menu.deals[1].get_percent', undefined, /a deal of kind buy_get needs it/],
    'buy one get one for a price': ['menu.deals[1].price', 5, /must be left out of a deal of kind buy_get/],
    'a pool entry with category and item': [
      'menu.deals[1].pool[0].category',
      'قهوة',
      /needs `category` or `item`, and not both/,
      'menu.deals[1].pool[0]',
    ],
    'an empty pool entry': ['menu.deals[1].pool[0]', {}, /needs `category` or `item`/],
    'a combo in a pool': ['menu.deals[1].pool[0].item', 'فطار', /names no item/],
    'an unknown pool size': ['menu.deals[1].pool[0].size', 'وسط', /names no size of the item/],
    'a pool size no item of the category has': [
      'menu.deals[0].pool[0].size',
      'وسط',
      /names no size of any item of the category/,
    ],
    'a deal switched twice at a branch': [
      'menu.deals[0].branches[1]',
      { branch: 'كشك المول', active: true },
      /is named before in this list/,
      'menu.deals[0].branches[1].branch',
    ],
    'a discount of two kinds': [
      'menu.discounts[0].amount',
      100,
      /needs `percent` or `amount`, and not both/,
      'menu.discounts[0]',
    ],
    'a discount of no kind': [
      'menu.discounts[0].percent',
      undefined,
      /needs `percent` or `amount`/,
      'menu.discounts[0]',
    ],
    'a percentage with five decimals': ['menu.discounts[0].percent', 12.12345, /at most four decimals/],
    'a discount whose dates are in reverse order': [
      'menu.discounts[0].valid_to',
      '2026-10-31',
      /is before `valid_from`/,
    ],
    'two discounts on one channel': [
      'menu.discounts[1].on[0]',
      { channel: 'pickup' },
      /has a discount already/,
    ],
  });
});
