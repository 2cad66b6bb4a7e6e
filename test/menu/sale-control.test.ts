/** PUT /staff/branches/{id}/channels/{channel} and …/items/{item_id}/availability. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BodyOf } from '../../src/platform/contract/endpoint.ts';
import type { ErrorBody } from '../../src/platform/contract/error.ts';
import type { EndpointOf } from '../../src/service/contract/endpoints.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import type { Uuid } from '../../src/kernel/ids.ts';
import { newId } from '../support/database/ids.ts';
import { aBranch, aMenu, aShopFile, branchId, openShops, shopId, thingId } from '../support/shops/cafe.ts';
import { aMember, setPasswordAndSignIn, type SignedIn } from '../support/people/staff.ts';
import { auditOf, changesOf, storedAvailability } from '../support/database/stored-rows.ts';
import { asOwner } from '../support/database/test-database.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Friday 20:00 in Cairo, three hours before closing. */
const EVENING = Date.parse('2026-11-20T18:00:00Z');
const iso = (instant: number): string => new Date(instant).toISOString();

let world: World;
let [owner, teller, kitchen, waiter] = Array.from({ length: 4 }, (): SignedIn => ({ authorization: '' }));

const ITEMS = ['turkish', 'counted', 'gone', 'switched-off'] as const;

const menu = (): ShopFile['menu'] => ({
  ...aMenu(),
  items: [
    { key: 'turkish', name: { ar: 'قهوة تركي', en: 'Turkish coffee' }, category: 'coffee', price: 4500 },
    {
      ...{ key: 'counted', name: { ar: 'كرواسون', en: 'Croissant' }, category: 'coffee', price: 6000 },
      availability: [{ branch: 'zamalek', stock: 3 }],
    },
    {
      ...{ key: 'gone', name: { ar: 'بقلاوة', en: 'Baklava' }, category: 'coffee', price: 5000 },
      availability: [{ branch: 'zamalek', stock: 0 }],
    },
    {
      ...{ key: 'switched-off', name: { ar: 'سحلب', en: 'Sahlab' }, category: 'coffee', price: 5500 },
      availability: [{ branch: 'zamalek', on: false }],
    },
  ],
  addons: [{ key: 'oat', name: { ar: 'لبن شوفان', en: 'Oat milk' }, type: 'milk_type', price: 1000 }],
});

const shop = (): ShopFile =>
  aShopFile({
    branches: [
      aBranch({ channels: { pickup: {}, outside: {}, umbrella: { enabled: false } } }),
      aBranch({ key: 'maadi', code: 'MAD', name: { ar: 'المعادي', en: 'Maadi' } }),
      aBranch({ key: 'closed', code: 'OFF', name: { ar: 'مغلق', en: 'Closed' }, active: false }),
      aBranch({
        ...{ key: 'till', code: 'TIL', name: { ar: 'الدقي', en: 'Dokki' } },
        online_needs_open_till: true,
      }),
    ],
    menu: menu(),
    staff: [
      aMember('owner', 'owner'),
      aMember('teller', 'teller', { branches: ['zamalek'] }),
      aMember('kitchen', 'kitchen'),
      aMember('waiter', 'waiter'),
    ],
  });

beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, shop(), aShopFile({ slug: 'kashk' }));
});
afterAll(() => world.close());

/** Restores the shop file. */
beforeEach(async () => {
  world.now = EVENING;
  await openShops(world, shop());
  await asOwner(world.database, 'delete from audit');
  await world.db.kysely.deleteFrom('change').execute();
  owner = await setPasswordAndSignIn(world, 'owner');
  teller = await setPasswordAndSignIn(world, 'teller');
  kitchen = await setPasswordAndSignIn(world, 'kitchen');
  waiter = await setPasswordAndSignIn(world, 'waiter');
});

const put = async (address: string, body: unknown, who = teller) => {
  const reply = await world.send(
    'PUT',
    address,
    { 'content-type': 'application/json', ...who },
    JSON.stringify(body),
  );
  // Audit entries are ordered by time.
  world.now += 1;
  return { ...(reply.body as object), status: reply.status };
};

type Refused = ErrorBody & { readonly status: number };

const pause = (
  body: BodyOf<EndpointOf<'setChannelMode'>>,
  { branch = branchId(), channel = 'pickup', who = teller } = {},
) => put(`/staff/branches/${branch}/channels/${channel}`, body, who);

const setItem = (
  body: BodyOf<EndpointOf<'setAvailability'>>,
  { branch = branchId(), item = thingId('item', 'turkish'), who = teller } = {},
) => put(`/staff/branches/${branch}/items/${item}/availability`, body, who);

const menuAddress = (branch = branchId()): string => `/public/branches/${branch}/menu?channel=pickup`;

/** Whether pickup is open; else when it opens. */
const pickup = async (): Promise<unknown> => {
  const { status, body } = await world.get(menuAddress());
  if (status === 200) return 'open';
  return (body as ErrorBody).vars;
};

const actions = async (id: Uuid): Promise<string[]> => (await auditOf(world, id)).map(({ action }) => action);

const inTwoHours = (): string => iso(world.now + 120 * MINUTE);

describe('a channel', () => {
  test('paused until a time closes at once and reopens by itself at that time', async () => {
    const until = inTwoHours();
    expect(await pickup()).toBe('open');
    expect(await pause({ mode: 'closed', until })).toEqual({
      ...{ status: 200, branch_id: branchId(), channel: 'pickup' },
      ...{ mode: 'closed', until, open_now: false },
    });
    expect(await pickup()).toEqual({ channel: 'pickup', opens_at: until });
    world.now += 120 * MINUTE;
    expect(await pickup()).toBe('open');
  });

  test('is paused although a subscriber of its change throws', async () => {
    const unsubscribe = world.app.changePublisher.subscribe({
      changed: () => {
        throw new Error('a broken subscriber');
      },
    });
    const logged = world.logged.length;
    const answer = await pause({ mode: 'closed' });
    unsubscribe();
    expect(answer).toMatchObject({ status: 200, mode: 'closed' });
    expect(world.logged.slice(logged)).toContainEqual(expect.stringContaining('a broken subscriber'));
    expect(await pickup()).toMatchObject({ channel: 'pickup' });
  });

  test('paused without an end stays closed until staff set it to auto', async () => {
    expect(await pause({ mode: 'closed' })).toMatchObject({ until: null, open_now: false });
    world.now += 20 * 60 * MINUTE;
    expect(await pickup()).toEqual({ channel: 'pickup' });
    teller = await setPasswordAndSignIn(world, 'teller');
    expect(await pause({ mode: 'auto', until: null })).toMatchObject({
      ...{ status: 200, mode: 'auto', until: null, open_now: true },
    });
    expect(await pickup()).toBe('open');
  });

  test('forced open answers outside its hours', async () => {
    world.now += 8 * 60 * MINUTE;
    expect(await pickup()).toMatchObject({ channel: 'pickup' });
    expect(await pause({ mode: 'open', until: inTwoHours() })).toMatchObject({
      mode: 'open',
      open_now: true,
    });
    expect(await pickup()).toBe('open');
  });

  test('is paused without effect on other channels and branches', async () => {
    await pause({ mode: 'closed' });
    expect((await world.get(`/public/branches/${branchId()}/menu?channel=outside`)).status).toBe(200);
    expect((await world.get(menuAddress(branchId('maadi')))).status).toBe(200);
  });

  test('forced open stays closed while the branch lacks the open till that it needs', async () => {
    const reply = await pause({ mode: 'open' }, { branch: branchId('till'), who: owner });
    expect(reply).toMatchObject({ status: 200, mode: 'open', open_now: false });
  });

  test('of a switched-off branch can be set and is not open', async () => {
    const reply = await pause({ mode: 'open' }, { branch: branchId('closed'), who: owner });
    expect(reply).toMatchObject({ status: 200, mode: 'open', open_now: false });
  });

  test('is changed with an audit entry of who, what and until, and a logged change', async () => {
    const until = inTwoHours();
    await pause({ mode: 'closed', until });
    await pause({ mode: 'open' });
    await pause({ mode: 'auto' });
    const entries = await auditOf(world, branchId());
    expect(entries.map(({ action, detail }) => [action, detail])).toEqual([
      ['channel.paused', { channel: 'pickup', from: 'auto', to: 'closed', until }],
      ['channel.forced_open', { channel: 'pickup', from: 'closed', to: 'open', until: null }],
      ['channel.resumed', { channel: 'pickup', from: 'open', to: 'auto', until: null }],
    ]);
    expect(entries.every(({ staff_id: staffId }) => staffId === thingId('staff', 'teller'))).toBe(true);
    expect(await changesOf(world, 'channel', branchId())).toEqual(Array(3).fill(`branch:${branchId()}`));
  });

  test('set to its present mode and end is not changed a second time', async () => {
    const until = inTwoHours();
    const first = await pause({ mode: 'closed', until });
    expect(await pause({ mode: 'closed', until: until.replace('.000Z', 'Z') })).toEqual(first);
    expect(await pause({ mode: 'auto' }, { channel: 'outside' })).toMatchObject({ status: 200 });
    expect(await actions(branchId())).toEqual(['channel.paused']);
    const longer = iso(world.now + 180 * MINUTE);
    expect(await pause({ mode: 'closed', until: longer })).toMatchObject({ until: longer });
    expect(await actions(branchId())).toEqual(['channel.paused', 'channel.paused']);
  });

  test('not offered or switched off at the branch is CHANNEL_NOT_OFFERED', async () => {
    for (const channel of ['in_mall', 'umbrella'])
      expect(await pause({ mode: 'closed' }, { channel })).toMatchObject({
        ...{ status: 404, code: 'CHANNEL_NOT_OFFERED', vars: { channel } },
      });
  });

  test('of another shop’s branch, of a branch where the person does not work, or of an unknown branch is 404', async () => {
    const elsewhere = branchId('zamalek', 'kashk');
    for (const branch of [elsewhere, branchId('maadi'), newId()]) {
      expect((await pause({ mode: 'closed' }, { branch })).status).toBe(404);
      expect((await setItem({ available: false }, { branch })).status).toBe(404);
    }
    expect((await world.get(menuAddress(elsewhere))).status).toBe(200);
  });

  test('is not changed by a waiter or the kitchen (403), nor without a session (401)', async () => {
    for (const who of [waiter, kitchen])
      expect(await pause({ mode: 'closed' }, { who })).toMatchObject({
        ...{ status: 403, code: 'NOT_PERMITTED', vars: { permission: 'channels.pause' } },
      });
    const withoutSession: SignedIn = { authorization: 'Bearer nobody' };
    expect(await pause({ mode: 'closed' }, { who: withoutSession })).toMatchObject({ status: 401 });
    expect(await pickup()).toBe('open');
  });
});

describe('the end of a pause or snooze', () => {
  const ENDS: readonly [text: () => string, problem: string][] = [
    [() => iso(world.now), 'later than now'],
    [() => iso(world.now - DAY), 'later than now'],
    [() => iso(world.now + 30 * DAY + 1), 'within 30 days'],
    [() => '2026-11-21', 'until'],
    [() => '2026-11-31T10:00:00Z', 'until'],
    [() => '2026-11-21T10:00:00', 'until'],
    [() => '2026-11-21T23:59:60Z', 'until'],
    [() => 'tomorrow', 'until'],
  ];

  test('in the past, more than 30 days away or malformed is refused with until named', async () => {
    for (const [text, problem] of ENDS) {
      const replies = [
        (await pause({ mode: 'closed', until: text() })) as Refused,
        (await setItem({ available: false, until: text() })) as Refused,
      ];
      for (const { status, fields } of replies) {
        expect([text(), status]).toEqual([text(), 400]);
        expect(fields?.map(({ path }) => path)).toEqual(['until']);
        expect(`until ${fields?.[0]?.problem}`).toContain(problem);
      }
    }
    expect(await pickup()).toBe('open');
  });

  test('is accepted 30 days away, and with another UTC offset', async () => {
    const furthest = iso(world.now + 30 * DAY);
    expect(await pause({ mode: 'closed', until: furthest })).toMatchObject({ until: furthest });
    const cairo = await pause({ mode: 'closed', until: '2026-11-20T22:30:00+02:00' });
    expect(cairo).toMatchObject({ until: '2026-11-20T20:30:00.000Z' });
  });

  test('is refused with mode: auto and with available: true', async () => {
    const until = inTwoHours();
    for (const reply of [await pause({ mode: 'auto', until }), await setItem({ available: true, until })])
      expect(reply).toMatchObject({ status: 400, fields: [{ path: 'until' }] });
  });
});

const keysOnMenu = async (branch = branchId()): Promise<string[]> => {
  const { items } = await world.read('getBranchMenu', menuAddress(branch));
  const ids = items.map(({ id }) => id);
  return ITEMS.filter((key) => ids.includes(thingId('item', key)));
};

describe('an item', () => {
  test('snoozed until a time leaves the menu at once and returns by itself at that time', async () => {
    const until = inTwoHours();
    expect(await keysOnMenu()).toEqual(['turkish', 'counted']);
    expect(await setItem({ available: false, until })).toEqual({
      ...{ status: 200, branch_id: branchId(), item_id: thingId('item', 'turkish') },
      ...{ available: false, until },
    });
    expect(await keysOnMenu()).toEqual(['counted']);
    expect(await keysOnMenu(branchId('maadi'))).toContain('turkish');
    world.now += 120 * MINUTE;
    expect(await keysOnMenu()).toEqual(['turkish', 'counted']);
  });

  test('sold out is listed apart where it is asked for, with the time when it is back', async () => {
    const soldOut = async () => {
      const menu = await world.read('getBranchMenu', `${menuAddress()}&include_unavailable=true`);
      return menu.sold_out?.map(({ id, price, back_at }) => ({ id, price, back_at }));
    };
    const baklava = { id: thingId('item', 'gone'), price: 5000, back_at: null };
    expect(await soldOut()).toEqual([baklava]);
    const until = inTwoHours();
    await setItem({ available: false, until });
    expect(await soldOut()).toEqual([
      { id: thingId('item', 'turkish'), price: 4500, back_at: until },
      baklava,
    ]);
    expect(await world.read('getBranchMenu', menuAddress())).not.toHaveProperty('sold_out');
    world.now += 120 * MINUTE;
    expect(await soldOut()).toEqual([baklava]);
  });

  test('sold out without an end returns when staff set it available, and its entry is deleted', async () => {
    expect(await setItem({ available: false })).toMatchObject({ available: false, until: null });
    world.now += DAY;
    expect(await keysOnMenu()).toEqual(['counted']);
    teller = await setPasswordAndSignIn(world, 'teller');
    expect(await setItem({ available: true })).toMatchObject({ available: true, until: null });
    expect(await keysOnMenu()).toEqual(['turkish', 'counted']);
    expect(await storedAvailability(world, branchId(), thingId('item', 'turkish'))).toBeNull();
  });

  test('keeps its counted stock when it is snoozed and set available again', async () => {
    const item = thingId('item', 'counted');
    await setItem({ available: false, until: inTwoHours() }, { item });
    expect(await keysOnMenu()).toEqual(['turkish']);
    expect(await setItem({ available: true }, { item })).toMatchObject({ available: true });
    expect(await storedAvailability(world, branchId(), item)).toEqual({
      isOn: true,
      soldOutUntil: null,
      stock: 3,
    });
  });

  test('without stock or switched off is answered as not available, whatever staff set', async () => {
    for (const key of ['gone', 'switched-off']) {
      const item = thingId('item', key);
      expect(await setItem({ available: true }, { item })).toMatchObject({
        ...{ status: 200, available: false, until: null },
      });
      expect(await setItem({ available: false, until: inTwoHours() }, { item })).toMatchObject({
        ...{ available: false, until: null },
      });
    }
    expect(await keysOnMenu()).toEqual(['turkish', 'counted']);
  });

  test('is changed with an audit entry and a logged change; a repeated request adds none', async () => {
    const item = thingId('item', 'turkish');
    const until = inTwoHours();
    await setItem({ available: true });
    const first = await setItem({ available: false, until }, { who: kitchen });
    expect(await setItem({ available: false, until }, { who: kitchen })).toEqual(first);
    await setItem({ available: false });
    await setItem({ available: true });
    await setItem({ available: true });
    const entries = await auditOf(world, item);
    expect(entries.map(({ action, detail }) => [action, detail])).toEqual([
      ['item.snoozed', { until }],
      ['item.snoozed', { until: null }],
      ['item.available', {}],
    ]);
    expect(entries[0]).toMatchObject({ staff_id: thingId('staff', 'kitchen'), branch_id: branchId() });
    expect(await changesOf(world, 'availability', item)).toEqual(Array(3).fill(`branch:${branchId()}`));
  });

  test('can be an add-on', async () => {
    const item = thingId('addon', 'oat');
    expect(await setItem({ available: false }, { item })).toMatchObject({ status: 200, available: false });
    expect(await setItem({ available: true }, { item })).toMatchObject({ status: 200, available: true });
  });

  test('unknown, archived or of another shop is ITEM_NOT_FOUND', async () => {
    await openShops(world, { ...shop(), menu: { ...menu(), addons: [] } });
    for (const item of [newId(), thingId('item', 'turkish', 'kashk'), thingId('addon', 'oat'), shopId()])
      expect(await setItem({ available: false }, { item })).toMatchObject({
        ...{ status: 404, code: 'ITEM_NOT_FOUND', vars: { menu_item_id: item } },
      });
  });

  test('is not changed without the permission items.snooze (403)', async () => {
    expect(await setItem({ available: false }, { who: waiter })).toMatchObject({
      ...{ status: 403, vars: { permission: 'items.snooze' } },
    });
  });

  test('set by concurrent requests has one audit entry and one logged change for each change', async () => {
    const item = thingId('item', 'counted');
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => setItem({ available: n % 2 === 0 }, { item })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    const entries = await actions(item);
    const [snoozed, available] = ['item.snoozed', 'item.available'].map(
      (action) => entries.filter((one) => one === action).length,
    );
    const isSnoozed = (await storedAvailability(world, branchId(), item))?.soldOutUntil !== null;
    expect(snoozed).toBe((available ?? 0) + (isSnoozed ? 1 : 0));
    expect(await changesOf(world, 'availability', item)).toHaveLength(entries.length);
  });
});
