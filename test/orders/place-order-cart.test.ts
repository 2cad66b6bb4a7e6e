/** Carts that orders and quotes refuse alike, with no side effects. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aShopFile, openShops, tableId } from '../support/shops/cafe.ts';
import { anOrder, refusedAndNothing } from '../support/people/guests.ts';
import {
  addon,
  aQuotingBranch,
  aQuotingMenu,
  aQuotingShop,
  atBranch,
  item,
  line,
  type Line,
  meal,
  optional,
  pick,
} from '../support/shops/quoting-shop.ts';
import { post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;

const menu = () => {
  const base = aQuotingMenu();
  return {
    ...base,
    items: [
      ...(base.items ?? []).map((one) =>
        one.key === 'cake' ? { ...one, availability: [{ branch: 'zamalek', stock: 2 }] } : one,
      ),
      { key: 'soup', name: { ar: 'شوربة', en: 'Soup' }, price: 7000, active: false },
      { key: 'night', name: 'سحور', price: 9000, windows: [{ from: '23:00', to: '03:00' }] },
    ],
    addons: [
      ...(base.addons ?? []),
      {
        key: 'gone',
        name: 'زبدة',
        type: 'extra' as const,
        price: 700,
        availability: [{ branch: 'zamalek', on: false }],
      },
    ],
  };
};

beforeAll(async () => {
  world = await makeWorld();
  await openShops(
    world,
    aQuotingShop({ branches: [aQuotingBranch({ otp_required: false })], menu: menu() }),
    aShopFile({ slug: 'kashk', branches: [aQuotingBranch({ otp_required: false })] }),
  );
});
afterAll(() => world.close());

const refusedWhole = (order: unknown) => refusedAndNothing(world, order);

describe('a cart', () => {
  const refusals: [
    string,
    Line[],
    status: number,
    code: string | undefined,
    path: string,
    vars: object | undefined,
  ][] = [
    [
      'an item that nobody knows',
      [{ menu_item_id: tableId('t1'), quantity: 1 }],
      404,
      'ITEM_NOT_FOUND',
      'items[0].menu_item_id',
      { menu_item_id: tableId('t1') },
    ],
    [
      'an item of another shop',
      [line('turkish'), { menu_item_id: item('turkish', 'kashk'), quantity: 1 }],
      404,
      'ITEM_NOT_FOUND',
      'items[1].menu_item_id',
      { menu_item_id: item('turkish', 'kashk') },
    ],
    [
      'an item that is off',
      [line('soup')],
      409,
      'ITEM_UNAVAILABLE',
      'items[0].menu_item_id',
      { menu_item_id: item('soup'), item: 'شوربة', available: 0 },
    ],
    [
      'an item outside its hours',
      [line('night')],
      409,
      'ITEM_UNAVAILABLE',
      'items[0].menu_item_id',
      { menu_item_id: item('night'), item: 'سحور', available: 0 },
    ],
    [
      'more than are left',
      [line('cake', { quantity: 3 })],
      409,
      'ITEM_UNAVAILABLE',
      'items[0].quantity',
      { menu_item_id: item('cake'), item: 'كيك', available: 2 },
    ],
    [
      'an add-on that is off',
      [line('turkish', { addons: [{ addon_item_id: addon('gone') }] })],
      409,
      'ADDON_UNAVAILABLE',
      'items[0].addons[0].addon_item_id',
      { addon_item_id: addon('gone'), addon: 'زبدة' },
    ],
    [
      'an add-on of nobody',
      [line('turkish', { addons: [{ addon_item_id: tableId('t1') }] })],
      400,
      undefined,
      'items[0].addons[0].addon_item_id',
      undefined,
    ],
    [
      'an add-on beyond the allowlist',
      [line('latte', { addons: [{ addon_item_id: addon('tahini') }] })],
      400,
      undefined,
      'items[0].addons[0].addon_item_id',
      undefined,
    ],
    [
      'an optional of another item',
      [line('turkish', { optional_field_ids: [optional('latte', 'ice')] })],
      400,
      undefined,
      'items[0].optional_field_ids[0]',
      undefined,
    ],
    [
      'a size that it has not',
      [line('latte', { size_label: 'وسط' })],
      400,
      undefined,
      'items[0].size_label',
      undefined,
    ],
    [
      'a sandwich without its sauce',
      [line('sandwich')],
      400,
      'MODIFIER_TOO_FEW',
      'items[0].addons',
      { group: 'الصوص', min: 1, got: 0 },
    ],
    ['a combo without picks', [meal([])], 400, 'COMBO_PICKS_REQUIRED', 'items[0].combo', undefined],
    [
      'a combo with a choice that is not its own',
      [meal([pick('drink', 'sandwich'), pick('sweet', 'cake')])],
      400,
      'COMBO_CHOICE_NOT_ALLOWED',
      'items[0].combo.picks[0].menu_item_id',
      { menu_item_id: item('sandwich') },
    ],
  ];
  test.each(refusals)(
    'with %s is refused alike for an order and a quote',
    async (_, items, status, code, path, vars) => {
      const order = anOrder({ items });
      const refusal = await refusedWhole(order);
      expect(refusal.status).toBe(status);
      expect(refusal.code).toBe(code);
      if (code === undefined) expect(refusal.fields?.[0]?.path).toBe(path);
      else expect(refusal.faults?.[0]).toMatchObject({ path, code });
      if (vars !== undefined) expect(refusal.vars).toMatchObject(vars);
      // Quotes refuse in the same words.
      expect(refusalOf(await post(world, atBranch(), { items }))).toEqual(refusal);
    },
  );

  test('with several faults reports them all, and the first gives the code', async () => {
    const refusal = await refusedWhole(
      anOrder({ items: [line('soup'), line('cake', { quantity: 9 }), line('sandwich')] }),
    );
    expect(refusal).toMatchObject({
      status: 409,
      code: 'ITEM_UNAVAILABLE',
      vars: { menu_item_id: item('soup') },
    });
    expect(refusal.faults?.map(({ path, code }) => [path, code])).toEqual([
      ['items[0].menu_item_id', 'ITEM_UNAVAILABLE'],
      ['items[1].quantity', 'ITEM_UNAVAILABLE'],
      ['items[2].addons', 'MODIFIER_TOO_FEW'],
    ]);
  });

  test('with faults is reported after the faults of the guest’s fields', async () => {
    const refusal = await refusedWhole(
      anOrder({ customer_name: ' ', customer_phone: '0100', items: [line('soup'), line('sandwich')] }),
    );
    expect(refusal.status).toBe(400);
    expect(refusal.fields?.map(({ path }) => path)).toEqual(['customer_name', 'customer_phone']);
    expect(refusal.faults?.map(({ path }) => path)).toEqual([
      'customer_name',
      'customer_phone',
      'items[0].menu_item_id',
      'items[1].addons',
    ]);
  });

  test('with a line that names no item is refused at that line', async () => {
    const refusal = await refusedWhole(
      anOrder({ items: [line('turkish'), { quantity: 1 }, { menu_item_id: null, quantity: 1 }] }),
    );
    expect(refusal.status).toBe(400);
    expect(refusal.fields?.map(({ path }) => path)).toEqual([
      'items[1].menu_item_id',
      'items[2].menu_item_id',
    ]);
  });

  test('with a staff drink is refused with NOT_PERMITTED', async () => {
    for (const staff_drink of [{}, { id: tableId('t1'), note: '' }, { comp_minor: 5 }])
      expect(
        await refusedWhole(anOrder({ items: [line('turkish'), line('turkish', { staff_drink })] })),
      ).toMatchObject({
        ...{ status: 403, code: 'NOT_PERMITTED', vars: { permission: 'orders.staff_drink.record' } },
        faults: [{ path: 'items[1].staff_drink', code: 'NOT_PERMITTED' }],
      });
  });
});
