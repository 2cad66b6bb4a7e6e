/** Schema and text faults. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aMinimalShopFile } from '../support/shops/shop-file.ts';
import { expectOnly, testMistakes, withValue } from '../support/shops/shop-file-mistakes.ts';
import {
  faultsOfImport,
  openImportFixture,
  faultLines,
  type ImportFixture,
} from '../support/shops/shop-import.ts';

let fixture: ImportFixture;
beforeAll(async () => {
  fixture = await openImportFixture();
});
afterAll(() => fixture.close());

describe('the schema', () => {
  testMistakes(() => fixture, {
    'a price below zero': ['menu.items[1].price', -1, /^must be a whole number from 0 to 100000000$/],
    'half a piastre': ['menu.items[1].price', 10.5, /must be a whole number/],
    'a price as text': ['menu.items[1].price', '50', /must be a whole number/],
    'a price of null': ['menu.items[1].price', null, /must be a whole number/],
    'an unknown field': ['menu.items[1].prise', 1, /not a field that is known here — did you mean ‘price’/],
    'a shop without a slug': ['slug', undefined, /^is missing$/],
    'a slug in capitals': ['slug', 'Beans', /small letters, digits and hyphens/],
    'a payment method in capitals': [
      'payment_methods[1]',
      'InstaPay',
      /^must be 1 to 40 small letters, digits and underscores$/,
    ],
    'a payment method twice': [
      'payment_methods',
      ['cash', 'card', 'cash'],
      /names the same entry twice: the 1st and the 3rd are alike/,
    ],
    'no payment method': ['payment_methods', [], /needs at least 1 entry/],
    'too many payment methods': [
      'payment_methods',
      Array.from({ length: 21 }, (_, index) => `way_${index}`),
      /at most 20 entries/,
    ],
    'a name without text': ['menu.items[1].name', '', /must not be empty/],
    'a name that is a number': [
      'menu.items[1].name',
      7,
      /must be text, or an object of language code to text/,
    ],
    'a name in no language': ['menu.items[1].name', {}, /needs at least one field/],
    'an invalid language': [
      'menu.items[1].name',
      { ar: 'ا', Arabic: 'ا' },
      /language code such as ar or en/,
      'menu.items[1].name.Arabic',
    ],
    'a name too long for a phone': ['menu.items[1].name', 'ا'.repeat(121), /at most 120 characters/],
    'a name whose English is a number': [
      'menu.items[1].name',
      { ar: 'ا', en: 7 },
      /must be text/,
      'menu.items[1].name.en',
    ],
    'an unknown kind of add-on': [
      'menu.addons[0].type',
      'milk',
      /must be one of milk_type, coffee_type, extra — did you mean|must be one of milk_type, coffee_type, extra/,
    ],
    'an invalid time of day': ['branches[0].day_starts_at', '24:00', /time of day such as 09:30/],
    '30 February': ['branches[0].booking.blackout_dates[0]', '2027-02-30', /real date/],
    'an instant on 30 February': [
      'menu.items[0].availability[0].sold_out_until',
      '2026-02-30T10:00:00Z',
      /real moment in UTC/,
    ],
    'an instant without a zone': [
      'menu.items[0].availability[0].sold_out_until',
      '2026-02-03T10:00:00',
      /moment in UTC/,
    ],
    'a colour by name': ['brand.colors.accent', 'red', /colour such as #3B2417/],
    'a picture without https': ['brand.logo_url', 'http://pictures.example/logo.svg', /begins with https/],
    'an address without a host': ['brand.logo_url', 'https://', /begins with https/],
    'an address with a password': [
      'brand.logo_url',
      'https://me:secret@pictures.example/',
      /user name or password/,
    ],
    'an invalid id': ['menu.items[0].id', 'latte', /must be a UUID/],
    'an id as a urn': ['menu.items[0].id', 'urn:uuid:c0ffee00-0000-4000-8000-000000000002', /must be a UUID/],
    'a slot every 25 minutes': ['branches[0].booking.slot_minutes', 25, /must be one of 15, 20, 30, 45, 60/],
    'a day twice in a week': [
      'menu.items[0].windows[0].weekdays',
      ['fri', 'fri'],
      /^names the same entry twice: the 1st and the 2nd are alike$/,
    ],
    'a group without options': ['menu.modifier_groups[1].options', [], /at least 1 entry/],
    'a format of the future': ['format', 2, /must be 1/],
    'a list where a shop should be': ['branches', 'none', /must be a list/],
  });
});

describe('text', () => {
  const name = 'menu.items[1].name';
  test.each([
    ['a NUL', 'ا\u0000ب', /control character U\+0000/],
    ['half a surrogate pair', 'ا\ud800', /half of a surrogate pair/],
    ['a line break in a name', 'ا\nب', /control character U\+000A/],
    ['a bidirectional override', 'قهوة\u202e', /direction override U\+202E/],
    ['a bidirectional isolate', '\u2067قهوة', /direction override U\+2067/],
    ['only spaces', '  ', /is blank/],
    ['a space at its end', 'قهوة ', /begins or ends with a space/],
    ['a replacement character', 'قه\ufffdوة', /save the file as UTF-8/],
    ['a noncharacter', 'قه\uffff', /control character U\+FFFF/],
  ])('with %s is a fault', async (_, text, problem) => {
    await expectOnly(fixture, withValue(name, text), name, problem);
  });

  test('may contain direction marks, joiners, emoji and, in some fields, line breaks', async () => {
    const name = '\u200fقهوة\u200c بالحليب ☕️👨‍🍳';
    const item = { name, price: 4500, description: 'أ\nب' };
    await fixture.import(aMinimalShopFile({ slug: 'textful', menu: { items: [item] } }));
  });

  test('without the shop’s main language is a fault in every field', async () => {
    const english = { en: 'Only English' };
    for (const path of [
      'name',
      'loyalty.program_name',
      'loyalty.rewards[0].name',
      'branches[0].address',
      'menu.items[0].sizes[1].label',
      'menu.items[0].description',
      'menu.combos[0].slots[1].name',
      'menu.discounts[0].name',
      'branches[0].delivery_zones[0].name',
    ]) {
      const faults = await faultsOfImport(fixture.importText(JSON.stringify(withValue(path, english))));
      expect(faultLines(faults)).toContain(`${path}: has no text in the shop’s main language, ar`);
    }
  });
});
