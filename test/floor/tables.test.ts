/** Tables and menus behind QR codes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  aBranch,
  aMenu,
  aShopFile,
  aTable,
  branchId,
  openShops,
  shopId,
  tableId,
  thingId,
} from '../support/shops/cafe.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;

const tables = [aTable('t1', 2, { label: 'ط١' }), aTable('t2', 4)];
const combo = (key: string, qr: boolean) => ({
  key,
  name: key,
  category: 'coffee',
  price: 6000,
  sell: { qr },
  slots: [{ key: `${key}-slot`, name: 'القهوة', choices: [{ item: 'turkish' }] }],
});

const gone = {
  ...{ key: 'gone', name: 'بقلاوة', category: 'coffee', price: 5000 },
  availability: [{ branch: 'zamalek', stock: 0 }],
};

beforeAll(async () => {
  world = await makeWorld();
  await openShops(
    world,
    aShopFile({
      branches: [
        aBranch({ tables }),
        aBranch({ key: 'off', name: 'ب', code: 'OFF', active: false, tables: [aTable('t3', 2)] }),
      ],
    }),
    aShopFile({ slug: 'kashk', active: false, branches: [aBranch({ tables })] }),
    aShopFile({
      slug: 'zawya',
      branches: [
        aBranch({ tables, accepts_table_orders: false, channels: { pickup: { state: { mode: 'closed' } } } }),
      ],
      menu: {
        ...aMenu(),
        items: [...(aMenu().items ?? []), gone],
        combos: [combo('with-qr', true), combo('without-qr', false)],
      },
    }),
  );
});
afterAll(() => world.close());

const table = (id: string) => world.read('getTable', `/public/tables/${id}`);

test('a table has its branch, shop and label, and no open bill', async () => {
  const expected = {
    table_id: tableId('t1'),
    branch_id: branchId(),
    org_id: shopId(),
    label: 'ط١',
    branch_name: 'الزمالك',
    accepting: true,
    bill: null,
  };
  expect(await table(tableId('t1'))).toEqual(expected);
  expect(await table(tableId('t1').toUpperCase())).toEqual(expected);
});

test('a table of a branch without QR orders has accepting false', async () => {
  expect(await table(tableId('t1', 'zamalek', 'zawya'))).toMatchObject({ accepting: false });
});

test('the menu of a table is its branch’s dine-in menu, even if pickup is closed', async () => {
  for (const slug of ['beit-el-bunn', 'zawya']) {
    const ofTable = await world.get(`/public/tables/${tableId('t1', 'zamalek', slug)}/menu`);
    const ofBranch = await world.get(`/public/branches/${branchId('zamalek', slug)}/menu?channel=dine_in`);
    expect(ofTable.status).toBe(200);
    expect(ofTable.text).toBe(ofBranch.text);
  }
});

test('the menu of a table lists what is sold out where it is asked for', async () => {
  const [ofTable, ofBranch] = [
    `/public/tables/${tableId('t1', 'zamalek', 'zawya')}/menu?`,
    `/public/branches/${branchId('zamalek', 'zawya')}/menu?channel=dine_in&`,
  ];
  const menu = await world.read('getTableMenu', `${ofTable}include_unavailable=true`);
  expect(menu.sold_out?.map(({ id }) => id)).toEqual([thingId('item', 'gone', 'zawya')]);
  expect((await world.get(`${ofBranch}include_unavailable=true`)).body).toEqual(menu);
});

test('the menu of a table has only the combos that are sold by QR', async () => {
  const menu = await world.read('getTableMenu', `/public/tables/${tableId('t1', 'zamalek', 'zawya')}/menu`);
  const combos = menu.items.filter(({ kind }) => kind === 'combo').map(({ id }) => id);
  expect(combos).toEqual([thingId('combo', 'with-qr', 'zawya')]);
});

test('unknown and removed tables, and tables of switched-off branches and shops, are the same 404', async () => {
  await openShops(world, aShopFile({ slug: 'gone', branches: [aBranch({ tables })] }));
  await openShops(world, aShopFile({ slug: 'gone', branches: [aBranch({ tables: tables.slice(1) })] }));
  const unknown = await world.get(`/public/tables/${tableId('never')}`);
  expect([unknown.status, Object.keys(unknown.body as object)]).toEqual([404, ['error']]);
  const lost = [
    tableId('t3', 'off'),
    tableId('t1', 'zamalek', 'kashk'),
    tableId('t1', 'zamalek', 'gone'),
    branchId(),
  ];
  for (const id of lost)
    for (const path of [`/public/tables/${id}`, `/public/tables/${id}/menu`])
      expect([path, (await world.get(path)).text]).toEqual([path, unknown.text]);
});

test('a malformed table id is 400 with the field named', async () => {
  for (const path of ['', '/menu'])
    expect(await world.refused(`/public/tables/t1${path}`)).toMatchObject({
      status: 400,
      fields: [{ path: 'id' }],
    });
});
