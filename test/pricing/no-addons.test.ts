/** "No add-ons": an empty list in the shop file, its field in the menu, its refusals. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importMenuCsv } from '../../src/shopfile/app/menu-csv.ts';
import { exportShop, importShops } from '../../src/shopfile/app/shopfile.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { at } from '../../src/platform/store/db.ts';
import { branchId, openShops, shopId, SLUG, tableId } from '../support/shops/cafe.ts';
import type { Menu } from '../support/oracles/closed-menu.ts';
import { aGuest, orderOn, placed, refusedAndNothing } from '../support/people/guests.ts';
import {
  addon,
  aQuotingBranch,
  aQuotingMenu,
  aQuotingShop,
  atBranch,
  atTable,
  item,
  line,
  meal,
  pick,
  quoteOf,
  cartRefusal,
} from '../support/shops/quoting-shop.ts';
import { makeWorld, type World } from '../support/server/world.ts';

type ItemFile = NonNullable<ShopFile['menu']['items']>[number];

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, shop());
});
afterAll(() => world.close());

/** The quoting shop with some items changed. */
const shop = (changes: Readonly<Record<string, Partial<ItemFile>>> = { cake: { allowed_addons: [] } }) => {
  const menu = aQuotingMenu();
  return aQuotingShop({
    branches: [aQuotingBranch({ otp_required: false })],
    menu: {
      ...menu,
      items: (menu.items ?? []).map((each) => ({
        ...each,
        ...(each.key === 'cake' ? { name: { ar: 'كيك', en: 'Cake' } } : {}),
        ...changes[each.key ?? ''],
      })),
    },
  });
};

const menuOf = (channel: string): Promise<Menu> =>
  world.read('getBranchMenu', `/public/branches/${branchId()}/menu?channel=${channel}&preview=true`);
const onMenu = (menu: Menu, key: string) => menu.items.find(({ id }) => id === item(key));
const syrup = { addon_item_id: addon('syrup') };

describe('an item with an empty list of add-ons', () => {
  test('has takes_addons: false on every menu; other items lack the field', async () => {
    const menus = [
      await menuOf('pickup'),
      await menuOf('dine_in'),
      await world.read('getTableMenu', `/public/tables/${tableId('t1')}/menu`),
    ];
    for (const menu of menus) {
      expect(onMenu(menu, 'cake')).toMatchObject({
        ...{ takes_addons: false, allowed_addon_ids: [], addon_charges: {}, modifier_groups: [] },
      });
      expect(menu.items.filter((each) => 'takes_addons' in each)).toHaveLength(1);
    }
    const [menu] = menus;
    expect(
      Object.keys(onMenu(menu ?? (await menuOf('pickup')), 'turkish')?.addon_charges ?? {}),
    ).toHaveLength(5);
  });

  test('is sold without add-ons, alone and in a combo', async () => {
    const items = [line('cake', { quantity: 2, addons: [] }), meal()];
    expect((await quoteOf(world, items)).items_total).toBe(2 * 6000 + 9000);
    const order = orderOn('pickup', { customer_phone: aGuest().typed, items });
    expect((await placed(world, order)).subtotal).toBe(21_000);
  });

  const lineCart = { items: [line('turkish', { addons: [syrup] }), line('cake', { addons: [syrup] })] };
  const comboCart = {
    items: [meal([pick('drink', 'latte'), pick('sweet', 'cake', { addons: [syrup] })])],
  };
  const refusalAt = (path: string, problem: string) => ({
    ...{ status: 400, error: `${path} ${problem}.`, fields: [{ path, problem }] },
  });

  test.each([
    ['on a line', lineCart, 'items[1].addons[0].addon_item_id'],
    ['on a pick of a combo', comboCart, 'items[0].combo.picks[1].addons[0].addon_item_id'],
  ])('rejects an add-on %s by item name: at a branch, at a table and in an order', async (_, body, path) => {
    const refused = refusalAt(path, 'is an add-on, and ‘Cake’ takes none');
    for (const address of [atBranch(), atTable()]) {
      expect(await cartRefusal(world, body, address)).toEqual(refused);
      const { error, fields } = await cartRefusal(world, body, address, 'ar');
      expect(error).toContain('‘كيك’ لا تُضاف إليه إضافات');
      expect(fields?.map((field) => field.path)).toEqual([path]);
    }
    const order = orderOn('pickup', { ...body, customer_phone: aGuest().typed });
    expect(await refusedAndNothing(world, order, { 'accept-language': 'en' })).toEqual(refused);
  });

  test('refuses each add-on of a line, and reports an unknown add-on as unknown', async () => {
    const unknownAddon = { addon_item_id: tableId('t1') };
    const { fields } = await cartRefusal(world, {
      items: [line('cake', { addons: [syrup, unknownAddon, syrup] })],
    });
    expect(fields).toEqual([
      { path: 'items[0].addons[0].addon_item_id', problem: 'is an add-on, and ‘Cake’ takes none' },
      { path: 'items[0].addons[1].addon_item_id', problem: 'names no add-on of this shop' },
      { path: 'items[0].addons[2].addon_item_id', problem: 'is an add-on, and ‘Cake’ takes none' },
    ]);
  });

  test('keeps its optionals, which are not add-ons', async () => {
    await openShops(
      world,
      shop({ cake: { allowed_addons: [], optionals: [{ key: 'candle', name: 'شمعة', price: 250 }] } }),
    );
    const [candle] = onMenu(await menuOf('pickup'), 'cake')?.optionals ?? [];
    const items = [line('cake', { optional_field_ids: [candle?.id ?? ''] })];
    expect((await quoteOf(world, items)).items_total).toBe(6250);
    await openShops(world, shop());
  });
});

test('modifier groups alone decide which add-ons an item takes, whatever its list', async () => {
  await openShops(world, shop({ sandwich: { allowed_addons: [] } }));
  const sandwich = onMenu(await menuOf('pickup'), 'sandwich');
  expect(sandwich).not.toHaveProperty('takes_addons');
  const items = [line('sandwich', { addons: [{ addon_item_id: addon('tahini') }] })];
  expect((await quoteOf(world, items)).items_total).toBe(8500);
  await openShops(world, shop());
});

test('a list whose add-ons are all off the menu keeps its ids and is not an empty list', async () => {
  const file = shop({ cake: { allowed_addons: ['syrup'] } });
  const addons = file.menu.addons?.map((each) => (each.key === 'syrup' ? { ...each, active: false } : each));
  await openShops(world, { ...file, menu: { ...file.menu, ...(addons === undefined ? {} : { addons }) } });
  const cake = onMenu(await menuOf('pickup'), 'cake');
  expect(cake).toMatchObject({ allowed_addon_ids: [addon('syrup')], addon_charges: {} });
  expect(cake).not.toHaveProperty('takes_addons');
  await openShops(world, shop());
});

describe('allowed add-ons in a file', () => {
  const exported = async () => {
    const file = await exportShop(world.app, SLUG);
    return { file, cake: file.menu.items?.find(({ id }) => id === item('cake')) };
  };
  const imported = async (file: ShopFile) => {
    const [report] = await importShops(world.app, [{ name: 'shop.json', text: JSON.stringify(file) }]);
    await world.hearOfChanges();
    return report;
  };

  test('an empty list is exported as an empty list and imports without a change', async () => {
    const { file, cake } = await exported();
    expect(cake?.allowed_addons).toEqual([]);
    expect(file.menu.items?.filter((each) => each.allowed_addons?.length === 0)).toHaveLength(1);
    expect(await imported(file)).toMatchObject({ updated: 0, entities: [] });
  });

  test('an import reports a changed list as ‘allowed add-ons’', async () => {
    const steps: readonly (readonly [Partial<ItemFile>, object])[] = [
      [{ allowed_addons: ['syrup'] }, { allowed_addon_ids: [addon('syrup')] }],
      [{}, { allowed_addon_ids: [] }],
      [{ allowed_addons: [] }, { allowed_addon_ids: [], takes_addons: false }],
    ];
    for (const [changes, shown] of steps) {
      const report = await imported(shop({ cake: changes }));
      expect(report?.entities).toEqual([
        { op: 'updated', kind: 'item', id: item('cake'), name: 'كيك', aspects: ['allowed add-ons'] },
      ]);
      const cake = onMenu(await menuOf('pickup'), 'cake');
      expect(cake).toMatchObject(shown);
      expect(cake?.takes_addons).toBe('takes_addons' in shown ? false : undefined);
    }
  });

  test('a CSV import leaves the list unchanged', async () => {
    const text = 'name_ar,price_egp\nكيك,65\n';
    await importMenuCsv(world.app, SLUG, { name: 'menu.csv', text });
    await world.hearOfChanges();
    expect(onMenu(await menuOf('pickup'), 'cake')).toMatchObject({ price: 6500, takes_addons: false });
    expect((await exported()).cake?.allowed_addons).toEqual([]);
    await openShops(world, shop());
  });

  test('a list whose add-ons are all archived is exported as an empty list', async () => {
    await openShops(world, shop({ cake: { allowed_addons: ['syrup'] } }));
    const gone = world.db.kysely.updateTable('addon').where('id', '=', addon('syrup'));
    await gone.set({ archived_at: at(world.now) }).execute();
    const { file, cake } = await exported();
    expect(cake?.allowed_addons).toEqual([]);
    await imported({ ...file, id: shopId() });
    expect(onMenu(await menuOf('pickup'), 'cake')).toMatchObject({ takes_addons: false });
    await gone.set({ archived_at: null }).execute();
    await openShops(world, shop());
  });
});

test('takes_addons of a stored item is true by default', async () => {
  const { takes_addons } = await world.db.kysely
    .insertInto('menu_item')
    .values({ org_id: shopId(), id: tableId('t9'), name: 'قديم', sort: 99, ...NOTHING })
    .returning('takes_addons')
    .executeTakeFirstOrThrow();
  expect(takes_addons).toBe(true);
});
const NOTHING = {
  ...{ category_id: null, description: null, image_url: null },
  ...{ default_milk_addon_id: null, default_coffee_addon_id: null, meal_combo_id: null, meal_slot_id: null },
} as const;
