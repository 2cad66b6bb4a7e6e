/** Tills over HTTP: opened, counted and closed (Decisions 4, 12). */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../support/database/ids.ts';
import { lockWait } from '../support/database/lock-wait.ts';
import { auditOf } from '../support/database/stored-rows.ts';
import { anOrder, placed, type OrderInput } from '../support/people/guests.ts';
import {
  aStaffedShop,
  aStaffedWorld,
  changed,
  pairedTill,
  personId,
  setCredentials,
  signInAs,
  type SignedIn,
  type Till,
} from '../support/people/staff.ts';
import { ticketsBy } from '../support/people/tickets.ts';
import { withoutTills } from '../support/people/tills.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import type { World } from '../support/server/world.ts';
import { branchId, openShops, thingId, shopId } from '../support/shops/cafe.ts';

let world: World;
let device: Till;
let teller: SignedIn;
let manager: SignedIn;
beforeAll(async () => {
  world = await aStaffedWorld({ limitScale: 0 });
  device = await pairedTill(world);
  teller = await device.signIn('teller');
  manager = await signInAs(world, 'manager');
});
afterAll(() => world.close());

const opening = (who: SignedIn, body: object = {}, headers: object = {}) =>
  post(
    world,
    '/staff/tills',
    { branch_id: branchId(), opening_float: 50_000, ...body },
    { ...who, ...headers },
  );
/** The one open till of a teller. */
const opened = async (who = teller, body: object = {}) => {
  await withoutTills(world, 'teller');
  return done('openTill', await opening(who, body));
};
const reportOf = async (id: string, who = teller) =>
  done('getTillReport', await world.get(`/staff/tills/${id}/report`, { ...who }));
const moving = (id: string, body: object, headers: object = {}, who = teller) =>
  post(
    world,
    `/staff/tills/${id}/cash`,
    { kind: 'drop', amount: 1_000, reason: 'إلى الخزنة', ...body },
    { ...who, ...headers },
  );
const closing = (id: string, counted: object, who = teller) =>
  post(world, `/staff/tills/${id}/close`, { counted }, { ...who });
const closed = async (id: string, counted: object, who = teller) =>
  done('closeTill', await closing(id, counted, who));
const forcing = (id: string, who = manager) =>
  post(world, `/staff/tills/${id}/force-close`, { note: 'نسي إغلاقها' }, { ...who });

/** An order that the person delivers; returns its total. */
const sold = async (who: SignedIn, method: string, order: Partial<OrderInput> = {}): Promise<number> => {
  const { id } = await placed(world, anOrder(order));
  return (await changed(world, who, id, 'finalize', { payment_method: method, from: 'received' })).total;
};

describe('a person', () => {
  test('has one open till: on the same device it is gone on with', async () => {
    const till = await opened();
    expect(till).toMatchObject({
      ...{ status: 'open', teller_id: personId('teller'), device_id: device.id, device_label: 'الكاشير' },
      ...{ opening_float: 50_000, z_number: null, closed_at: null },
    });
    const again = await opening(teller, { opening_float: 1 });
    expect([again.status, again.body]).toEqual([200, till]);
    expect(await auditOf(world, till.id)).toMatchObject([{ action: 'till.opened' }]);
  });

  test('is answered under a key as the till is then, also once it is closed', async () => {
    await withoutTills(world, 'teller');
    const key = { 'idempotency-key': newId() };
    const body = { branch_id: branchId(), opening_float: 0 };
    const asking = (more: object = {}) =>
      post(world, '/staff/tills', { ...body, ...more }, { ...teller, ...key });
    const first = await asking();
    expect(first.status).toBe(201);
    await closed(done('openTill', first).id, { cash: 0 });
    const again = await asking();
    expect([again.status, done('openTill', again).status]).toEqual([200, 'closed']);
    const [other, resuming] = [await opened(), { 'idempotency-key': newId() }];
    const resume = () => opening(teller, {}, resuming);
    expect([(await resume()).status, done('openTill', await resume()).id]).toEqual([200, other.id]);
    await closed(other.id, { cash: 0 });
    expect(done('openTill', await resume())).toMatchObject({ id: other.id, status: 'closed' });
    expect(refusalOf(await asking({ opening_float: 1 })).code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  test('is told of the till that is open on another device, or at another branch', async () => {
    const till = await opened();
    const elsewhere = await (await pairedTill(world)).signIn('teller');
    expect(refusalOf(await opening(elsewhere))).toMatchObject({
      ...{ status: 409, code: 'TILL_OPEN_ELSEWHERE' },
      till: { id: till.id, teller_id: personId('teller'), device_id: device.id, status: 'open' },
    });
    await withoutTills(world, 'owner');
    const owner = await signInAs(world, 'owner');
    const { id } = done('openTill', await opening(owner));
    const other = await opening(owner, { branch_id: branchId('maadi') });
    expect(refusalOf(other)).toMatchObject({ code: 'TILL_OPEN_AT_OTHER_BRANCH', till: { id } });
  });

  test('who opens a till twenty times at once has one', async () => {
    await withoutTills(world, 'teller');
    const replies = await Promise.all(Array.from({ length: 20 }, () => opening(teller)));
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 201]);
    expect(new Set(replies.map((reply) => done('openTill', reply).id)).size).toBe(1);
  });

  test('is refused a branch of another person’s, and a float that is no sum of money', async () => {
    await withoutTills(world, 'teller');
    expect((await opening(teller, { branch_id: branchId('maadi') })).status).toBe(404);
    for (const opening_float of [-1, 0.5, '500', null, 100_000_001])
      expect(refusalOf(await opening(teller, { opening_float }))).toMatchObject({
        ...{ status: 400, fields: [{ path: 'opening_float' }] },
      });
  });
});

describe('what a till took', () => {
  test('is by method what was sold and paid, with the cash that was moved', async () => {
    const { id } = await opened();
    const cash = (await sold(teller, 'cash')) + (await sold(teller, 'cash'));
    const card = await sold(teller, 'card');
    await sold(manager, 'cash');
    expect((await moving(id, { kind: 'pay_in', amount: 700 })).status).toBe(201);
    await moving(id, { kind: 'pay_out', amount: 200 });
    await moving(id, { kind: 'drop', amount: 5_000 });
    const { figures, kind } = await reportOf(id, manager);
    expect(kind).toBe('X');
    expect(figures).toMatchObject({
      ...{ sales_count: 3, total: cash + card },
      methods: [
        { method: 'cash', sales: cash, expected: 50_000 + cash + 700 - 200 - 5_000, counted: null },
        { method: 'card', sales: card, expected: card, difference: null },
      ],
    });
    const byRate = figures?.taxes.reduce((sum, { total }) => sum + total, 0);
    expect(byRate).toBe(cash + card);
  });

  test('is hidden from the teller until the till is closed', async () => {
    const { id } = await opened();
    await sold(teller, 'cash');
    await moving(id, {});
    expect(await reportOf(id)).toMatchObject({ figures: null, cash_movements: [{ amount: 1_000 }] });
    const { figures } = await closed(id, { cash: 50_000 });
    expect(figures?.methods[0]).toMatchObject({ method: 'cash', counted: 50_000 });
  });

  test('is joined by the sales of its person alone', async () => {
    const { id } = await opened();
    await sold(manager, 'cash');
    expect((await reportOf(id, manager)).figures).toMatchObject({ sales_count: 0, total: 0 });
  });
});

describe('cash that is moved', () => {
  test('is recorded once under a key, and said to have been', async () => {
    const { id } = await opened();
    const key = { 'idempotency-key': newId() };
    const [first, again] = [await moving(id, {}, key), await moving(id, {}, key)];
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    expect(refusalOf(await moving(id, { amount: 2 }, key)).code).toBe('IDEMPOTENCY_KEY_REUSED');
    // The menu of the branch depends on whether the till is open, not on what is in it.
    const { rows } = await sql<{ scope: string }>`
      select scope from change where type = 'till' and id = ${id} order by seq`.execute(world.db.kysely);
    expect(rows.map(({ scope }) => scope)).toEqual([`branch:${branchId()}`, `till:${id}`]);
    expect((await reportOf(id)).cash_movements).toHaveLength(1);
  });

  test('at once under one key is recorded once', async () => {
    const { id } = await opened();
    const key = { 'idempotency-key': newId() };
    const replies = await Promise.all(Array.from({ length: 20 }, () => moving(id, {}, key)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await reportOf(id)).cash_movements).toHaveLength(1);
  });

  test.each([
    [{ amount: 0 }, 'amount'],
    [{ amount: 1.5 }, 'amount'],
    [{ kind: 'gift' }, 'kind'],
    [{ reason: ' ‏ ' }, 'reason'],
  ])('is refused as %j, by the name of the field', async (body, path) => {
    const { id } = await opened();
    expect(refusalOf(await moving(id, body))).toMatchObject({ status: 400, fields: [{ path }] });
    expect((await reportOf(id)).cash_movements).toEqual([]);
  });

  test('is refused in a closed till, in that of another person, and in none', async () => {
    const { id } = await opened();
    const kitchen = await signInAs(world, 'ramy');
    expect((await moving(id, {}, {}, kitchen)).status).toBe(404);
    expect((await moving(newId(), {})).status).toBe(404);
    await withoutTills(world, 'manager');
    const others = done('openTill', await opening(manager)).id;
    expect(refusalOf(await moving(others, {}))).toMatchObject({
      ...{ status: 403, code: 'NOT_PERMITTED', vars: { permission: 'tills.manage' } },
    });
    const key = { 'idempotency-key': newId() };
    expect((await moving(id, {}, key, manager)).status).toBe(201);
    expect(refusalOf(await moving(id, {}, key)).code).toBe('IDEMPOTENCY_KEY_REUSED');
    await closed(id, { cash: 0 });
    expect(refusalOf(await moving(id, {})).code).toBe('TILL_CLOSED');
  });
});

describe('a till is closed', () => {
  test('with its notes and coins counted, and the difference said', async () => {
    const { id } = await opened();
    const cash = await sold(teller, 'cash');
    const report = await closed(id, { cash: { 20_000: 2, 5_000: 1, 25: 2 }, card: 100 });
    expect(report).toMatchObject({ status: 'closed', kind: 'Z' });
    expect(report.figures?.methods).toMatchObject([
      { method: 'cash', expected: 50_000 + cash, counted: 45_050, difference: 45_050 - 50_000 - cash },
      { method: 'card', expected: 0, counted: 100, difference: 100 },
    ]);
  });

  test('once: its report never changes, and is the same text again', async () => {
    const { id } = await opened();
    await sold(teller, 'card');
    const first = await closing(id, { cash: 50_000 });
    const again = await closing(id, { cash: 1 });
    expect([again.status, again.text]).toEqual([200, first.text]);
    await openShops(world, aStaffedShop(undefined, { payment_methods: ['cash'] }));
    await sold(manager, 'cash');
    expect((await world.get(`/staff/tills/${id}/report`, { ...teller })).text).toBe(first.text);
    await openShops(world, aStaffedShop());
    expect(await auditOf(world, id)).toMatchObject([{ action: 'till.opened' }, { action: 'till.closed' }]);
  });

  test('twenty times at once with one result', async () => {
    const { id } = await opened();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? closing(id, { cash: n }) : forcing(id))),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  });

  test('after the deliveries that have begun, which are in it', async () => {
    const { id } = await opened();
    const order = await placed(world, anOrder());
    const { report } = await world.db.tx(async (tx) => {
      await sql`select from till where org_id = ${shopId()} and id = ${id} for share`.execute(tx);
      const closing = closed(id, { cash: 0 });
      await lockWait(world);
      return { report: closing };
    });
    expect((await report).figures?.sales_count).toBe(0);
    const next = await opened();
    const { delivery } = await world.db.tx(async (tx) => {
      await sql`update till set status = 'closed', closed_at = opened_at where id = ${next.id}`.execute(tx);
      const delivering = changed(world, teller, order.id, 'finalize', {
        payment_method: 'cash',
        from: 'received',
      });
      await lockWait(world);
      return { delivery: delivering };
    });
    await delivery;
    const sale = done('getSale', await world.get(`/staff/sales/${order.id}`, { ...teller }));
    expect(sale.till_id).toBeNull();
  });

  test('with what its person voided; a void that comes while it closes waits, and is in no report', async () => {
    const { id } = await opened();
    const floor = ticketsBy(world, teller);
    await floor.void(await floor.open());
    expect((await reportOf(id, manager)).figures?.voids).toEqual({ units: 2, total: 9_000 });
    const late = await floor.open();
    const { voiding } = await world.db.tx(async (tx) => {
      await sql`update till set status = 'closed', closed_at = opened_at where id = ${id}`.execute(tx);
      const reply = floor.void(late);
      await lockWait(world);
      return { voiding: reply };
    });
    expect((await voiding).status).toBe('voided');
    const { rows } = await sql`select from ticket_item where void_till_id = ${id}`.execute(world.db.kysely);
    expect(rows).toHaveLength(1);
    const next = await opened();
    expect((await reportOf(next.id, manager)).figures?.voids).toEqual({ units: 0, total: 0 });
  });

  test('also by its person who has moved to another branch', async () => {
    const { id } = await opened();
    const moved = sql`update staff set branch_ids = ${[branchId('maadi')]}::uuid[] where id = ${personId('teller')}`;
    const back = sql`update staff set branch_ids = ${[branchId()]}::uuid[] where id = ${personId('teller')}`;
    await moved.execute(world.db.kysely);
    const elsewhere = await (await pairedTill(world, 'maadi')).signIn('teller');
    expect((await closing(id, { cash: 0 }, elsewhere)).status).toBe(200);
    await back.execute(world.db.kysely);
  });

  test('while orders are delivered: each is in the till, or in none', async () => {
    const { id } = await opened();
    const orders = await Promise.all(Array.from({ length: 8 }, () => placed(world, anOrder())));
    const delivering = orders.map((order) =>
      changed(world, teller, order.id, 'finalize', { payment_method: 'cash', from: 'received' }),
    );
    const [{ figures }] = await Promise.all([closed(id, { cash: 0 }), ...delivering]);
    const sales = await Promise.all(
      orders.map(async (order) =>
        done('getSale', await world.get(`/staff/sales/${order.id}`, { ...teller })),
      ),
    );
    const joined = sales.filter(({ till_id }) => till_id === id);
    expect(sales.filter(({ till_id }) => till_id !== id && till_id !== null)).toEqual([]);
    expect(figures).toMatchObject({
      ...{ sales_count: joined.length, total: joined.reduce((sum, { total }) => sum + total, 0) },
    });
  });

  test('by a manager without counting, when its person has gone', async () => {
    const { id } = await opened();
    expect(refusalOf(await forcing(id, teller))).toMatchObject({ status: 403, code: 'NOT_PERMITTED' });
    const report = done('forceCloseTill', await forcing(id));
    expect(report).toMatchObject({ status: 'force_closed', kind: 'Z', note: 'نسي إغلاقها' });
    expect(report.figures?.methods[0]).toMatchObject({ method: 'cash', counted: null, difference: null });
    expect((await opening(teller)).status).toBe(201);
  });

  test('and numbered without gaps by its device', async () => {
    const own = await pairedTill(world);
    const who = await own.signIn('teller');
    const numbers: (number | null)[] = [];
    for (let day = 0; day < 3; day += 1) {
      const { id } = await opened(who);
      // A refused close draws no number.
      expect((await closing(id, {}, who)).status).toBe(400);
      numbers.push((await closed(id, { cash: 0 }, who)).z_number);
    }
    expect(numbers).toEqual([1, 2, 3]);
  });

  test('with a payment method counted that the shop gave up while it was open', async () => {
    const { id } = await opened();
    const card = await sold(teller, 'card');
    await openShops(world, { ...aStaffedShop(), payment_methods: ['cash'] });
    const report = await closed(id, { cash: 50_000, card });
    await openShops(world, aStaffedShop());
    expect(report.figures?.methods).toMatchObject([
      { method: 'cash' },
      { method: 'card', counted: card, difference: 0 },
    ]);
  });

  test.each([
    [{}, 'counted.cash'],
    [{ cash: -1 }, 'counted.cash'],
    [{ cash: 10.5 }, 'counted.cash'],
    [{ cash: { 300: 1 } }, 'counted.cash.300'],
    [{ cash: {} }, 'counted.cash'],
    [{ cash: { 500: -1, 100: 1 } }, 'counted.cash.500'],
    [{ cash: 0, cheque: 5 }, 'counted.cheque'],
    [{ cash: 0, 'a\nb': null }, 'counted."a\\nb"'],
    [{ cash: null }, 'counted.cash'],
    [[], 'counted'],
    [{ cash: { 20_000: 100_000, 10_000: 100_000 } }, 'counted.cash'],
  ])('not with %j counted: the field is named, and nothing changes', async (counted, path) => {
    const { id } = await opened();
    const { status, fields = [] } = refusalOf(await closing(id, counted));
    expect(status).toBe(400);
    expect(fields).toMatchObject([{ path }]);
    expect((await reportOf(id)).status).toBe('open');
  });
});

test('the tills of a branch are listed page by page, the last one first', async () => {
  await withoutTills(world, 'teller');
  const ids: string[] = [];
  for (let day = 0; day < 3; day += 1) {
    world.now += 60_000;
    const { id } = done('openTill', await opening(teller));
    await closed(id, { cash: 0 });
    ids.unshift(id);
  }
  const list = async (query: string) =>
    done('listTills', await world.get(`/staff/tills?branch_id=${branchId()}${query}`, { ...teller }));
  expect((await list('&limit=3')).map(({ id }) => id)).toEqual(ids);
  expect((await list(`&limit=2&after=${ids[0]}`)).map(({ id }) => id)).toEqual(ids.slice(1));
  const unknown = await world.get(`/staff/tills?branch_id=${branchId()}&after=${newId()}`, { ...teller });
  expect(refusalOf(unknown)).toMatchObject({ status: 400, fields: [{ path: 'after' }] });
});

test('an open till opens a branch that takes online orders with one alone', async () => {
  const shop = aStaffedShop('till-cafe');
  const branches = shop.branches.map((branch) => ({ ...branch, online_needs_open_till: true }));
  await openShops(world, { ...shop, branches });
  await setCredentials(world, 'till-cafe');
  const owner = await signInAs(world, 'owner', 'till-cafe');
  const branch_id = branchId('zamalek', 'till-cafe');
  const order = anOrder({
    branch_id,
    items: [{ menu_item_id: thingId('item', 'turkish', 'till-cafe'), quantity: 1 }],
  });
  const placing = () => post(world, '/public/delivery-orders', order);
  expect(refusalOf(await placing()).code).toBe('CHANNEL_CLOSED');
  const { id } = done('openTill', await opening(owner, { branch_id }));
  expect((await placing()).status).toBe(201);
  await closed(id, { cash: 0 }, owner);
  expect(refusalOf(await placing()).code).toBe('CHANNEL_CLOSED');
});
