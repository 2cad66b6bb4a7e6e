/** The text of refusals in both languages: the thing and its fault. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openShops, tableId, thingId } from '../support/shops/cafe.ts';
import {
  addon,
  aQuotingMenu,
  aQuotingShop,
  atBranch,
  combo,
  item,
  line,
  meal,
  optional,
  pick,
  cartRefusal,
  slot,
  type Line,
} from '../support/shops/quoting-shop.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;

const menu = () => {
  const { items = [], addons = [], combos = [], modifier_groups: groups = [], ...rest } = aQuotingMenu();
  const left = (stock: number) => ({ availability: [{ branch: 'zamalek', stock }] });
  return {
    ...rest,
    addons: addons.map((one) =>
      one.key === 'syrup' ? { ...one, name: { ar: 'شراب', en: 'Syrup' }, ...left(5) } : one,
    ),
    modifier_groups: groups.map((one) => ({ ...one, name: { ar: 'الصوص', en: 'Sauce' } })),
    items: [
      ...items.map((one) =>
        one.key === 'cake' ? { ...one, name: { ar: 'كيك', en: 'Cake' }, ...left(2) } : one,
      ),
      { key: 'soup', name: { ar: 'شوربة', en: 'Soup' }, price: 7000, active: false },
      { key: 'dear', name: 'ماس', price: 100_000_000 },
    ],
    combos: [
      ...combos.map((one) => ({
        ...one,
        ...left(3),
        slots: one.slots.map((each) =>
          each.key === 'sweet' ? { ...each, name: { ar: 'الحلو', en: 'Sweet' } } : each,
        ),
      })),
      {
        key: 'iftar',
        name: { ar: 'إفطار', en: 'Iftar' },
        price: 9000,
        windows: [{ from: '23:00', to: '03:00' }],
        slots: [{ key: 'iftar-slot', name: 'س', choices: [{ item: 'turkish' }] }],
      },
    ],
  };
};

beforeAll(async () => {
  world = await makeWorld({ now: '2026-11-20T18:00:00Z' });
  await openShops(world, aQuotingShop({ menu: menu() }));
});
afterAll(() => world.close());

const refusalsOf = async (one: Line) => {
  const [english, arabic] = [
    await cartRefusal(world, { items: [one] }, atBranch(), 'en'),
    await cartRefusal(world, { items: [one] }, atBranch(), 'ar'),
  ];
  return { english, arabic };
};
const syrup = { addon_item_id: addon('syrup') };

describe('names in the text are in the language of the answer, names in `vars` in the shop’s', () => {
  test.each<[string, Line, english: string, arabic: string, path: string, vars: object]>([
    [
      'an item that is not sold now',
      line('soup'),
      'Soup is not available now.',
      'شوربة: غير متاح الآن.',
      'menu_item_id',
      { menu_item_id: item('soup'), item: 'شوربة', available: 0 },
    ],
    [
      'an item of which too few are left',
      line('cake', { quantity: 3 }),
      'Cake: only 2 left.',
      'كيك: المتبقي 2 فقط.',
      'quantity',
      { menu_item_id: item('cake'), item: 'كيك', available: 2 },
    ],
    [
      'an add-on of which too little is left',
      line('latte', { quantity: 2, addons: [{ ...syrup, quantity: 3 }] }),
      'Syrup: only 5 left.',
      'شراب: المتبقي 5 فقط.',
      'addons[0].quantity',
      { addon_item_id: addon('syrup'), addon: 'شراب', available: 5 },
    ],
    [
      'a combo of which too few are left',
      meal([pick('drink', 'latte'), pick('sweet', 'turkish')], { quantity: 4 }),
      'Breakfast: only 3 left.',
      'فطار: المتبقي 3 فقط.',
      'quantity',
      { combo_id: combo(), combo: 'فطار', reason: 'too_few_left', available: 3 },
    ],
    [
      'a combo outside its hours',
      { menu_item_id: combo('iftar'), quantity: 1 },
      'Iftar is not available now.',
      'إفطار: غير متاح الآن.',
      'menu_item_id',
      { combo_id: combo('iftar'), combo: 'إفطار', reason: 'outside_hours', available: 0 },
    ],
    [
      'a group left empty',
      line('sandwich'),
      'Sauce: 0 chosen; choose at least 1.',
      'الصوص: المختار 0؛ اختر 1 على الأقل.',
      'addons',
      { group_id: thingId('modifier_group', 'sauce'), group: 'الصوص', min: 1, got: 0 },
    ],
    [
      'a slot left empty',
      meal([pick('drink', 'latte')]),
      'Sweet: 0 chosen; choose at least 1.',
      'الحلو: المختار 0؛ اختر 1 على الأقل.',
      'combo.picks',
      { slot_id: slot('sweet'), slot: 'الحلو', min: 1, got: 0 },
    ],
  ])('refuses %s in English and Arabic', async (_, one, english, arabic, path, vars) => {
    const answers = await refusalsOf(one);
    expect([answers.english.error, answers.arabic.error]).toEqual([english, arabic]);
    for (const { vars: figures, faults } of Object.values(answers)) {
      expect(figures).toEqual(vars);
      expect(faults?.[0]).toMatchObject({ path: `items[0].${path}`, vars });
    }
  });

  test('a name without a translation appears in the shop’s language', async () => {
    const picks = [pick('drink', 'latte', { quantity: 2 }), pick('sweet', 'turkish')];
    expect((await refusalsOf(meal(picks))).english.error).toBe('المشروب: 2 chosen; choose at most 1.');
  });
});

describe('a refusal without a code names the problem and the field in both languages', () => {
  test.each<[string, Line, path: string, english: string, arabic: string]>([
    [
      'a second milk',
      line('latte', { addons: [{ addon_item_id: addon('whole') }, { addon_item_id: addon('oat') }] }),
      'addons[1].addon_item_id',
      'is a second milk: an item takes one',
      'لبن ثانٍ: الصنف يأخذ واحدًا فقط',
    ],
    [
      'a milk twice',
      line('latte', { addons: [{ addon_item_id: addon('oat'), quantity: 2 }] }),
      'addons[0].quantity',
      'makes more than one milk: an item takes one',
      'أكثر من لبن واحد: الصنف يأخذ واحدًا فقط',
    ],
    [
      'a size that it is not sold in',
      line('latte', { size_label: 'ضخم' }),
      'size_label',
      'names no size that this item is sold in: ‘صغير’, ‘كبير’',
      'هذا الصنف لا يباع بهذا الحجم؛ أحجامه: ‘صغير’, ‘كبير’',
    ],
    [
      'a size of what has none',
      line('turkish', { size_label: 'كبير' }),
      'size_label',
      'names a size, but this item has none',
      'هذا الصنف ليس له أحجام',
    ],
    [
      'an optional of another size',
      line('latte', { optional_field_ids: [optional('latte', 'cup')] }),
      'optional_field_ids[0]',
      'belongs to another size: ‘كبير’',
      'هذا الاختيار يخص حجمًا آخر: ‘كبير’',
    ],
    [
      'an add-on that is not this item’s',
      line('latte', { addons: [{ addon_item_id: addon('tahini') }] }),
      'addons[0].addon_item_id',
      'is not among the add-ons of this item',
      'هذه الإضافة ليست من إضافات هذا الصنف',
    ],
    [
      'an add-on of nobody',
      line('turkish', { addons: [{ addon_item_id: tableId('t1') }] }),
      'addons[0].addon_item_id',
      'names no add-on of this shop',
      'لا توجد هذه الإضافة في هذا المحل',
    ],
    [
      'a line too dear',
      line('dear', { quantity: 22 }),
      'quantity',
      'makes the line cost more than 2147483647 piastres',
      'هذا السطر يتجاوز 2147483647 قرش',
    ],
    ['a line without an item', { quantity: 1 }, 'menu_item_id', 'is required', 'الصنف مطلوب'],
  ])('refuses %s in English and Arabic', async (_, one, field, english, arabic) => {
    const answers = await refusalsOf(one);
    const path = `items[0].${field}`;
    expect(answers.english).toEqual({
      status: 400,
      error: `${path} ${english}.`,
      fields: [{ path, problem: english }],
    });
    expect(answers.arabic).toEqual({
      status: 400,
      error: `${arabic}. (${path})`,
      fields: [{ path, problem: arabic }],
    });
  });
});
