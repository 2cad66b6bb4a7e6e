/** GET /staff/branches and …/{id}/sale, PUT …/items/{item_id}/stock: staff read what they can write. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { anOrder, place, placed } from '../support/people/guests.ts';
import { auditOf } from '../support/database/stored-rows.ts';
import { aMember, setPasswordAndSignIn, type SignedIn } from '../support/people/staff.ts';
import { aBranch, aMenu, aShopFile, branchId, daily, openShops, thingId } from '../support/shops/cafe.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;
let owner: SignedIn;
let teller: SignedIn;

const TURKISH = thingId('item', 'turkish');
const CAKE = thingId('item', 'cake');

const menu = (): ShopFile['menu'] => ({
  ...aMenu(),
  items: [
    { key: 'turkish', name: { ar: 'قهوة تركي', en: 'Turkish coffee' }, category: 'coffee', price: 4500 },
    {
      ...{ key: 'cake', name: { ar: 'كيك', en: 'Cake' }, category: 'coffee', price: 6000 },
      availability: [{ branch: 'zamalek', stock: 3 }],
    },
    {
      ...{ key: 'sahlab', name: { ar: 'سحلب', en: 'Sahlab' }, category: 'coffee', price: 5500 },
      availability: [{ branch: 'zamalek', on: false }],
    },
  ],
});

const shop = (): ShopFile =>
  aShopFile({
    branches: [
      aBranch({
        ...{ otp_required: false, online_hours: daily('09:00', '23:00') },
        channels: { pickup: {}, outside: {}, umbrella: { enabled: false } },
      }),
      aBranch({ key: 'maadi', code: 'MAD', name: { ar: 'المعادي', en: 'Maadi' } }),
      aBranch({ key: 'closed', code: 'OFF', name: { ar: 'مغلق', en: 'Closed' }, active: false }),
    ],
    menu: menu(),
    staff: [aMember('owner', 'owner'), aMember('teller', 'teller', { branches: ['zamalek'] })],
  });

beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

beforeEach(async () => {
  world.now = Date.parse('2026-11-20T18:00:00Z');
  await openShops(world, shop());
  owner = await setPasswordAndSignIn(world, 'owner');
  teller = await setPasswordAndSignIn(world, 'teller');
});

const put = async (address: string, body: unknown, who = teller) => {
  const headers = { 'content-type': 'application/json', ...who };
  const { status, body: reply } = await world.send('PUT', address, headers, JSON.stringify(body));
  return { status, ...(reply as object) };
};
const itemAddress = (item: string, what: string): string =>
  `/staff/branches/${branchId()}/items/${item}/${what}`;
const setStock = (stock: unknown, item = CAKE) => put(itemAddress(item, 'stock'), { stock });
const saleAt = async (branch = branchId()) => {
  const { body } = await world.get(`/staff/branches/${branch}/sale`, { ...teller });
  return body as {
    readonly channels: readonly Record<string, unknown>[];
    readonly items: readonly Record<string, unknown>[];
  };
};

describe('the branches one works at', () => {
  const codes = async (who: SignedIn) =>
    ((await world.get('/staff/branches', { ...who })).body as { code: string }[]).map(({ code }) => code);

  test('are all active branches of the shop for an owner, and their own for a teller', async () => {
    expect(await codes(owner)).toEqual(['ZML', 'MAD']);
    expect(await codes(teller)).toEqual(['ZML']);
  });
});

describe('the sale of a branch', () => {
  test('has pauses with their end, and when a closed channel opens', async () => {
    const until = '2026-11-20T18:30:00.000Z';
    await put(`/staff/branches/${branchId()}/channels/pickup`, { mode: 'closed', until });
    const { channels } = await saleAt();
    expect(channels).toHaveLength(2);
    expect(channels).toEqual(
      expect.arrayContaining([
        { channel: 'pickup', mode: 'closed', until, open_now: false, opens_at: until },
        { channel: 'outside', mode: 'auto', until: null, open_now: true, opens_at: null },
      ]),
    );
    world.now = Date.parse(until);
    expect((await saleAt()).channels).toContainEqual({
      ...{ channel: 'pickup', mode: 'auto', until: null, open_now: true, opens_at: null },
    });
  });

  test('has what is snoozed, switched off or counted, by name', async () => {
    const until = '2026-11-20T20:00:00.000Z';
    await put(itemAddress(TURKISH, 'availability'), { available: false, until });
    expect((await saleAt()).items).toEqual([
      {
        ...{ item_id: thingId('item', 'sahlab'), kind: 'item', name: 'سحلب' },
        ...{ name_translations: { en: 'Sahlab' }, available: false, until: null, stock: null },
      },
      {
        ...{ item_id: TURKISH, kind: 'item', name: 'قهوة تركي', name_translations: { en: 'Turkish coffee' } },
        ...{ available: false, until, stock: null },
      },
      {
        ...{ item_id: CAKE, kind: 'item', name: 'كيك', name_translations: { en: 'Cake' } },
        ...{ available: true, until: null, stock: 3 },
      },
    ]);
  });

  test('of another branch is 404 for who does not work there', async () => {
    const { status } = await world.get(`/staff/branches/${branchId('maadi')}/sale`, { ...teller });
    expect(status).toBe(404);
  });
});

describe('the stock of an item', () => {
  const order = (quantity: number) => anOrder({ items: [{ menu_item_id: CAKE, quantity }] });

  test('is what orders take from, until none is left', async () => {
    expect(await setStock(2)).toEqual({
      ...{ status: 200, branch_id: branchId(), item_id: CAKE, stock: 2, available: true, until: null },
    });
    await placed(world, order(2));
    expect((await saleAt()).items).toContainEqual(
      expect.objectContaining({ item_id: CAKE, stock: 0, available: false }),
    );
    expect((await place(world, order(1))).status).toBe(409);
    await setStock(1);
    await placed(world, order(1));
  });

  test('is counted no more once it is null, and a snooze stays', async () => {
    await put(itemAddress(CAKE, 'availability'), { available: false });
    expect(await setStock(null)).toMatchObject({ stock: null, available: false });
    await put(itemAddress(CAKE, 'availability'), { available: true });
    await placed(world, order(9));
    expect((await saleAt()).items.map(({ item_id }) => item_id)).not.toContain(CAKE);
  });

  test('is in the audit log with what it was; the same number again is not', async () => {
    const before = (await auditOf(world, CAKE)).length;
    for (const stock of [5, 5]) await setStock(stock);
    const added = (await auditOf(world, CAKE)).slice(before);
    expect(added).toMatchObject([{ action: 'item.stock_set', detail: { from: 3, to: 5 } }]);
  });

  test('set by many at once is one of their numbers, and each entry begins where another ended', async () => {
    const before = (await auditOf(world, CAKE)).length;
    const numbers = Array.from({ length: 10 }, (_, index) => 10 + index);
    await Promise.all(numbers.map((stock) => setStock(stock)));
    const details = (await auditOf(world, CAKE)).slice(before).map(({ detail }) => detail);
    const from = details.map((detail) => Number(detail['from']));
    const to = details.map((detail) => Number(detail['to']));
    const [last] = to.filter((number) => !from.includes(number));
    expect(to.toSorted((a, b) => a - b)).toEqual(numbers);
    expect((await saleAt()).items).toContainEqual(expect.objectContaining({ item_id: CAKE, stock: last }));
  });

  test('counted and uncounted by many at once has no change without its entry', async () => {
    const before = (await auditOf(world, TURKISH)).length;
    await Promise.all([5, null, 7, null, 9, null].map((stock) => setStock(stock, TURKISH)));
    const steps = (await auditOf(world, TURKISH)).slice(before).map(({ detail }) => detail);
    const ends = { from: steps.map(({ from }) => from ?? null), to: steps.map(({ to }) => to ?? null) };
    const row = (await saleAt()).items.find(({ item_id }) => item_id === TURKISH);
    // Each number but the last is what another entry begins with; the first entry begins with none.
    const sorted = (all: readonly unknown[]) => all.map(String).toSorted();
    expect(sorted([...ends.from, row?.['stock'] ?? null])).toEqual(sorted([null, ...ends.to]));
  });

  test('that is switched off for the shop is listed', async () => {
    await world.db.kysely
      .updateTable('menu_item')
      .set({ is_active: false })
      .where('id', '=', TURKISH)
      .execute();
    expect((await saleAt()).items).toContainEqual(
      expect.objectContaining({ item_id: TURKISH, available: false, until: null, stock: null }),
    );
  });

  test.each([[-1], [1.5], ['3'], [1_000_001], [undefined]])('of %s is refused', async (stock) => {
    expect(await setStock(stock)).toMatchObject({ status: 400, fields: [{ path: 'stock' }] });
  });

  test('of something unknown is ITEM_NOT_FOUND', async () => {
    expect(await setStock(1, branchId())).toMatchObject({ status: 404, code: 'ITEM_NOT_FOUND' });
  });
});
