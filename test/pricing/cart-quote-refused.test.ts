/** Every refusal of a cart, with its figures and path. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aShopFile, openShops, tableId, thingId } from '../support/shops/cafe.ts';
import {
  addon,
  aQuotingBranch,
  aQuotingMenu,
  aQuotingShop,
  atBranch,
  combo,
  item,
  line,
  type Line,
  meal,
  optional,
  pick,
  quoteOf,
  cartRefusal,
  slot,
} from '../support/shops/quoting-shop.ts';
import { post } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;

const menu = () => {
  const { items = [], combos = [], ...rest } = aQuotingMenu();
  return {
    ...rest,
    items: [
      ...items.map((one) =>
        one.key === 'cake' ? { ...one, availability: [{ branch: 'zamalek', stock: 2 }] } : one,
      ),
      { key: 'soup', name: 'شوربة', price: 7000, active: false },
      { key: 'night', name: 'سحور', price: 9000, windows: [{ from: '23:00', to: '03:00' }] },
      {
        key: 'snoozed',
        name: 'فطير',
        price: 5000,
        availability: [{ branch: 'zamalek', sold_out_until: '2027-01-01T00:00:00Z' }],
      },
      {
        key: 'elsewhere',
        name: 'بعيد',
        price: 5000,
        availability: [{ channel: 'pickup' as const, on: false }],
      },
      { key: 'dear', name: 'ماس', price: 100_000_000 },
    ],
    addons: [
      ...(rest.addons ?? []),
      {
        key: 'gone',
        name: 'زبدة',
        type: 'extra' as const,
        price: 700,
        availability: [{ branch: 'zamalek', on: false }],
      },
    ],
    combos: [
      ...combos,
      {
        key: 'iftar',
        name: 'إفطار',
        price: 9000,
        windows: [{ from: '23:00', to: '03:00' }],
        slots: [{ key: 'iftar-slot', name: 'س', choices: [{ item: 'turkish' }] }],
      },
      {
        key: 'lunch',
        name: 'غدا',
        price: 9000,
        slots: [{ key: 'main', name: 'الطبق', choices: [{ item: 'sandwich' }, { item: 'soup' }] }],
      },
    ],
  };
};

beforeAll(async () => {
  world = await makeWorld();
  await openShops(
    world,
    aQuotingShop({ menu: menu() }),
    aShopFile({ slug: 'kashk', branches: [aQuotingBranch()] }),
  );
});
afterAll(() => world.close());

const drinkPick = pick('drink', 'latte');
const sweetPick = pick('sweet', 'cake');
const tahini = { addon_item_id: addon('tahini') };

describe('a refusal has its code, its figures and its path in the cart', () => {
  test.each<[string, Line, status: number, code: string, path: string, vars: object]>([
    [
      'an item that nobody knows',
      { menu_item_id: tableId('t1'), quantity: 1 },
      404,
      'ITEM_NOT_FOUND',
      'menu_item_id',
      { menu_item_id: tableId('t1') },
    ],
    [
      'an item of another shop',
      { menu_item_id: item('turkish', 'kashk'), quantity: 1 },
      404,
      'ITEM_NOT_FOUND',
      'menu_item_id',
      { menu_item_id: item('turkish', 'kashk') },
    ],
    ...(['soup', 'night', 'snoozed', 'elsewhere'] as const).map(
      (key): [string, Line, number, string, string, object] => [
        `an item that is not sold now (${key})`,
        line(key),
        409,
        'ITEM_UNAVAILABLE',
        'menu_item_id',
        {
          menu_item_id: item(key),
          item: { soup: 'شوربة', night: 'سحور', snoozed: 'فطير', elsewhere: 'بعيد' }[key],
          available: 0,
        },
      ],
    ),
    [
      'more than are left',
      line('cake', { quantity: 3 }),
      409,
      'ITEM_UNAVAILABLE',
      'quantity',
      { menu_item_id: item('cake'), item: 'كيك', available: 2 },
    ],
    [
      'more than are left, inside a combo',
      meal([drinkPick, pick('sweet', 'cake', { quantity: 2 })], { quantity: 2 }),
      409,
      'ITEM_UNAVAILABLE',
      'combo.picks[1].quantity',
      { menu_item_id: item('cake'), item: 'كيك', available: 2 },
    ],
    [
      'a required group left empty',
      line('sandwich'),
      400,
      'MODIFIER_TOO_FEW',
      'addons',
      { group_id: thingId('modifier_group', 'sauce'), group: 'الصوص', min: 1, got: 0 },
    ],
    [
      'a group overfilled by quantity',
      line('sandwich', { addons: [{ ...tahini, quantity: 3 }] }),
      400,
      'MODIFIER_TOO_MANY',
      'addons',
      { group_id: thingId('modifier_group', 'sauce'), group: 'الصوص', max: 2, got: 3 },
    ],
    [
      'a combo without picks',
      line('latte', { menu_item_id: combo() }),
      400,
      'COMBO_PICKS_REQUIRED',
      'combo',
      {},
    ],
    ['a combo of an empty list', meal([]), 400, 'COMBO_PICKS_REQUIRED', 'combo', {}],
    [
      'too few for a slot',
      meal([drinkPick]),
      400,
      'COMBO_SLOT_TOO_FEW',
      'combo.picks',
      { slot_id: slot('sweet'), slot: 'الحلو', min: 1, got: 0 },
    ],
    [
      'too many for a slot',
      meal([pick('drink', 'latte', { quantity: 2 }), sweetPick]),
      400,
      'COMBO_SLOT_TOO_MANY',
      'combo.picks',
      { slot_id: slot('drink'), slot: 'المشروب', max: 1, got: 2 },
    ],
    [
      'an item that is not the slot’s',
      meal([pick('drink', 'dear'), sweetPick]),
      400,
      'COMBO_CHOICE_NOT_ALLOWED',
      'combo.picks[0].menu_item_id',
      { slot_id: slot('drink'), menu_item_id: item('dear') },
    ],
    [
      'a slot of another combo',
      meal([drinkPick, sweetPick, { slot_id: slot('main', 'lunch'), menu_item_id: item('sandwich') }]),
      400,
      'COMBO_CHOICE_NOT_ALLOWED',
      'combo.picks[2].slot_id',
      { slot_id: slot('main', 'lunch'), menu_item_id: item('sandwich') },
    ],
    [
      'a combo inside a combo',
      meal([{ slot_id: slot('drink'), menu_item_id: combo() }, sweetPick]),
      400,
      'COMBO_NESTED',
      'combo.picks[0].menu_item_id',
      {},
    ],
    [
      'a combo outside its hours',
      {
        menu_item_id: combo('iftar'),
        quantity: 1,
        combo: { picks: [{ slot_id: slot('iftar-slot', 'iftar'), menu_item_id: item('turkish') }] },
      },
      409,
      'COMBO_UNAVAILABLE',
      'menu_item_id',
      { combo_id: combo('iftar'), combo: 'إفطار', reason: 'outside_hours', available: 0 },
    ],
    [
      'a choice that is not sold now',
      {
        menu_item_id: combo('lunch'),
        quantity: 1,
        combo: { picks: [{ slot_id: slot('main', 'lunch'), menu_item_id: item('soup') }] },
      },
      409,
      'COMBO_ITEM_UNAVAILABLE',
      'combo.picks[0].menu_item_id',
      { menu_item_id: item('soup'), item: 'شوربة' },
    ],
    [
      'an add-on that is not sold now',
      line('turkish', { addons: [{ addon_item_id: addon('gone') }] }),
      409,
      'ADDON_UNAVAILABLE',
      'addons[0].addon_item_id',
      { addon_item_id: addon('gone'), addon: 'زبدة', available: 0 },
    ],
    [
      'a staff drink',
      line('turkish', { staff_drink: { id: tableId('t1'), note: 'للباريستا' } }),
      403,
      'NOT_PERMITTED',
      'staff_drink',
      { permission: 'orders.staff_drink.record' },
    ],
    [
      'an empty staff drink',
      line('turkish', { staff_drink: {} }),
      403,
      'NOT_PERMITTED',
      'staff_drink',
      { permission: 'orders.staff_drink.record' },
    ],
  ])('refuses %s', async (_, one, status, code, path, vars) => {
    const refusal = await cartRefusal(world, { items: [line('turkish'), one] });
    expect(refusal).toMatchObject({ status, code });
    expect(refusal.vars ?? {}).toEqual(vars);
    expect(refusal.faults).toEqual([{ path: `items[1].${path}`, code, vars }]);
    expect(refusal.error).not.toMatch(/[{}]/);
    expect(refusal).not.toHaveProperty('fields');
  });

  test('refuses a channel that the branch does not offer', async () => {
    for (const channel of ['in_mall', 'umbrella'])
      expect(await cartRefusal(world, { items: [line('turkish')], channel })).toMatchObject({
        status: 404,
        code: 'CHANNEL_NOT_OFFERED',
        vars: { channel },
      });
  });

  test('a refusal in Arabic differs only in its text', async () => {
    const cart = { items: [line('cake', { quantity: 9 })] };
    const [english, arabic] = [
      await post(world, atBranch(), cart),
      await post(world, atBranch(), cart, { 'accept-language': 'ar' }),
    ];
    const { error, ...rest } = arabic.body as { error: string };
    expect(error).toBe('كيك: المتبقي 2 فقط.');
    expect(english.body).toEqual({ error: expect.any(String) as string, ...rest });
  });
});

describe('a refusal without a code names its field', () => {
  test.each<[string, Line, path: string]>([
    [
      'an add-on of nobody',
      line('turkish', { addons: [{ addon_item_id: tableId('t1') }] }),
      'addons[0].addon_item_id',
    ],
    [
      'an add-on that the item does not allow',
      line('latte', { addons: [tahini] }),
      'addons[0].addon_item_id',
    ],
    [
      'an optional of another size',
      line('latte', { optional_field_ids: [optional('latte', 'cup')] }),
      'optional_field_ids[0]',
    ],
    [
      'an optional of another item',
      line('turkish', { optional_field_ids: [optional('latte', 'ice')] }),
      'optional_field_ids[0]',
    ],
    ['a size of nobody', line('latte', { size_label: 'ضخم' }), 'size_label'],
    [
      'two milks',
      line('latte', { addons: [{ addon_item_id: addon('whole') }, { addon_item_id: addon('oat') }] }),
      'addons[1].addon_item_id',
    ],
    [
      'one milk twice',
      line('latte', { addons: [{ addon_item_id: addon('oat'), quantity: 2 }] }),
      'addons[0].quantity',
    ],
    ['picks of what is no combo', line('turkish', { combo: { picks: [drinkPick] } }), 'combo'],
    ['a line that costs more than int32 holds', line('dear', { quantity: 22 }), 'quantity'],
    ['a cart that does', line('dear', { quantity: 21 }), 'quantity'],
  ])('refuses %s', async (_, one, path) => {
    const refusal = await cartRefusal(world, { items: [line('dear'), one] });
    expect(refusal.status).toBe(400);
    expect(refusal.fields?.map((field) => field.path)).toEqual([`items[1].${path}`]);
    expect(refusal.error).toContain(`items[1].${path} `);
    for (const coded of ['code', 'vars', 'faults']) expect(refusal).not.toHaveProperty(coded);
  });

  test('refuses a line without an item', async () => {
    for (const one of [{ quantity: 1 }, { quantity: 1, menu_item_id: null }])
      expect(await cartRefusal(world, { items: [line('turkish'), one] })).toMatchObject({
        status: 400,
        fields: [{ path: 'items[1].menu_item_id', problem: 'is required' }],
      });
  });

  test('refuses a cart whose total exceeds int32 only with the tax on top', async () => {
    await openShops(
      world,
      aShopFile({
        slug: 'zawya',
        branches: [aQuotingBranch({ tax: { rate: 0.14, inclusive: false } })],
        menu: { items: [{ key: 'dear', name: 'ماس', price: 100_000_000 }] },
      }),
    );
    const items = (quantity: number) => [{ menu_item_id: item('dear', 'zawya'), quantity }];
    const address = atBranch('zamalek', 'zawya');
    expect((await quoteOf(world, items(18), { address })).total).toBe(2_052_000_000);
    expect(await cartRefusal(world, { items: items(19) }, address)).toMatchObject({
      status: 400,
      fields: [{ path: 'items' }],
    });
  });
});
