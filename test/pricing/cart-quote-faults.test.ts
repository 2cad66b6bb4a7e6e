/** Carts with several faults: all are reported, in order, with their paths. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openShops, tableId } from '../support/shops/cafe.ts';
import {
  addon,
  aQuotingMenu,
  aQuotingShop,
  line,
  meal,
  pick,
  cartRefusal,
  type Line,
} from '../support/shops/quoting-shop.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;

beforeAll(async () => {
  world = await makeWorld();
  const { items = [], ...menu } = aQuotingMenu();
  const two = { availability: [{ branch: 'zamalek', stock: 2 }] };
  const counted = items.map((one) => (one.key === 'cake' ? { ...one, ...two } : one));
  await openShops(world, aQuotingShop({ menu: { ...menu, items: counted } }));
});
afterAll(() => world.close());

describe('a cart with several faults', () => {
  test('reports every fault by line and field; the first sets status, code and vars', async () => {
    const items = [
      line('turkish'),
      line('latte', { size_label: 'ضخم', addons: [{ addon_item_id: addon('oat') }] }),
      line('cake', { quantity: 3 }),
      line('sandwich'),
      { menu_item_id: tableId('t1'), quantity: 1 },
    ];
    const { status, code, vars, faults, fields } = await cartRefusal(world, { items: items.slice(2) });
    expect([status, code]).toEqual([409, 'ITEM_UNAVAILABLE']);
    expect(vars).toMatchObject({ available: 2 });
    expect(faults?.map((fault) => [fault.path, fault.code])).toEqual([
      ['items[0].quantity', 'ITEM_UNAVAILABLE'],
      ['items[1].addons', 'MODIFIER_TOO_FEW'],
      ['items[2].menu_item_id', 'ITEM_NOT_FOUND'],
    ]);
    expect(fields).toBeUndefined();
    const mixed = await cartRefusal(world, { items });
    expect(mixed).toMatchObject({
      status: 400,
      fields: [{ path: 'items[1].size_label' }],
      faults: [
        { path: 'items[1].size_label', code: null, vars: {} },
        { path: 'items[2].quantity', code: 'ITEM_UNAVAILABLE' },
        { path: 'items[3].addons', code: 'MODIFIER_TOO_FEW' },
        { path: 'items[4].menu_item_id', code: 'ITEM_NOT_FOUND' },
      ],
    });
    expect(mixed.error).toMatch(/^items\[1\]\.size_label /);
    expect(mixed).not.toHaveProperty('code');
    expect(mixed).not.toHaveProperty('vars');
  });

  test('takes the code of the first fault, and lists a later fault without a code in fields', async () => {
    const refusal = await cartRefusal(world, {
      items: [line('sandwich'), line('latte', { size_label: 'ضخم' })],
    });
    expect(refusal).toMatchObject({
      status: 400,
      code: 'MODIFIER_TOO_FEW',
      fields: [{ path: 'items[1].size_label' }],
      faults: [{ path: 'items[0].addons' }, { path: 'items[1].size_label', code: null }],
    });
    expect(refusal.error).toContain('الصوص');
  });

  test('thirty faults without a code do not hide a later ITEM_NOT_FOUND', async () => {
    const sizes = Array.from({ length: 30 }, () => line('latte', { size_label: 'ضخم' }));
    const unknownItem = { menu_item_id: tableId('t1'), quantity: 1 };
    const refusal = await cartRefusal(world, { items: [...sizes, unknownItem] });
    expect(refusal.status).toBe(400);
    expect(refusal).not.toHaveProperty('code');
    expect(refusal).not.toHaveProperty('faults_left_out');
    expect(refusal.fields).toHaveLength(30);
    expect(refusal.faults).toHaveLength(31);
    expect(refusal.faults?.at(-1)).toEqual({
      path: 'items[30].menu_item_id',
      code: 'ITEM_NOT_FOUND',
      vars: { menu_item_id: tableId('t1') },
    });
  });
});

test('an excess at an entry without a quantity is reported at that entry', async () => {
  const pathsOf = async (one: Line): Promise<unknown> => {
    const { fields = [], faults = [] } = await cartRefusal(world, { items: [one] });
    return [...new Set([...fields, ...faults].map(({ path }) => path))];
  };
  const syrup = { addon_item_id: addon('syrup') };
  const oat = { addon_item_id: addon('oat') };
  const hundred = Array.from({ length: 100 }, () => syrup);
  expect(await pathsOf(line('latte', { addons: hundred }))).toEqual(['items[0].addons[99]']);
  expect(await pathsOf(line('latte', { addons: [oat, oat] }))).toEqual(['items[0].addons[1]']);
  expect(await pathsOf(line('latte', { addons: [oat, { ...oat, quantity: 1 }] }))).toEqual([
    'items[0].addons[1].quantity',
  ]);
  expect(await pathsOf(meal([pick('drink', 'latte'), pick('sweet', 'cake')], { quantity: 3 }))).toEqual([
    'items[0].combo.picks[1]',
  ]);
});
