/** Tills that devices opened and closed without the server (Decisions 13). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tillAt, tillNamed } from '../../src/sales/store/till.ts';
import { newId } from '../support/database/ids.ts';
import { lockWait } from '../support/database/lock-wait.ts';
import { auditOf, changesOf } from '../support/database/stored-rows.ts';
import { bookedCoffee, tillEventsOn } from '../support/people/device-tills.ts';
import {
  aStaffedWorld,
  pairedTill,
  personId,
  signInAs,
  type SignedIn,
  type Till,
} from '../support/people/staff.ts';
import { ticketsBy } from '../support/people/tickets.ts';
import { aCounterSale, withoutTills } from '../support/people/tills.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import type { World } from '../support/server/world.ts';
import { branchId, shopId } from '../support/shops/cafe.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let world: World;
let device: Till;
let other: Till;
/** The teller on each device. */
let teller: SignedIn;
let elsewhere: SignedIn;
let manager: SignedIn;
let events: ReturnType<typeof tillEventsOn>;

beforeAll(async () => {
  world = await aStaffedWorld({ limitScale: 0 });
  [device, other] = [await pairedTill(world), await pairedTill(world)];
});
afterAll(() => world.close());
beforeEach(async () => {
  await withoutTills(world, 'teller');
  [teller, elsewhere] = [await device.signIn('teller'), await other.signIn('teller')];
  manager = await signInAs(world, 'manager');
  events = tillEventsOn(world, { deviceId: device.id });
});

const reportOf = async (id: string) =>
  done('getTillReport', await world.get(`/staff/tills/${id}/report`, { ...manager }));
const opening = (who: SignedIn, branch = 'zamalek') =>
  post(world, '/staff/tills', { branch_id: branchId(branch), opening_float: 0 }, { ...who });
const opened = async (who: SignedIn) => done('openTill', await opening(who)).id;
const closing = async (id: string, who: SignedIn) =>
  done('closeTill', await post(world, `/staff/tills/${id}/close`, { counted: { cash: 0 } }, { ...who }));
const soldBy = async (who: SignedIn) =>
  done('sellOverCounter', await post(world, '/staff/sales', aCounterSale(), { ...who })).till_id;
const RECORDED = { reasons: [] };
const reasonsOf = (applied: unknown): unknown =>
  (applied as { reasons?: readonly { code: string }[] }).reasons?.map(({ code }) => code);

/** A till that the device opened an hour ago. */
const aTill = async (): Promise<string> => {
  const id = newId();
  await events.open(id, world.now - HOUR);
  return id;
};

describe('a till that a device opened', () => {
  test('has the id and the moment of the device, and is audited and logged like any other', async () => {
    const id = newId();
    // Before the business day begins in Cairo.
    const at = Date.parse('2026-11-19T23:00:00Z');
    expect(await events.open(id, at)).toEqual(RECORDED);
    expect(await reportOf(id)).toMatchObject({
      ...{ id, status: 'open', opened_at: '2026-11-19T23:00:00.000Z', business_date: '2026-11-19' },
      ...{ teller_id: personId('teller'), device_id: device.id, opening_float: 50_000 },
    });
    expect(await auditOf(world, id)).toMatchObject([
      { action: 'till.opened', staff_id: personId('teller'), device_id: device.id },
    ]);
    expect(await changesOf(world, 'till', id)).toEqual([`branch:${branchId()}`]);
  });

  test('that has come before is not opened again', async () => {
    const id = await aTill();
    expect(await events.open(id)).toBe('known');
    expect(await events.open(id, world.now, 1)).toBe('known');
    expect(await reportOf(id)).toMatchObject({ opening_float: 50_000 });
    expect(await auditOf(world, id)).toHaveLength(1);
  });

  test('under the id of another person’s till, or of another branch’s, is in no books', async () => {
    const id = await aTill();
    const others = tillEventsOn(world, { deviceId: other.id, person: 'manager' });
    expect(await others.open(id)).toBe('known');
    const away = tillEventsOn(world, { deviceId: other.id, branch: 'maadi' });
    expect(await away.open(id)).toBe('known');
    expect(reasonsOf(await away.moveCash(id))).toEqual(['till_unknown']);
    expect(reasonsOf(await away.close(id))).toEqual(['till_unknown']);
    expect(await reportOf(id)).toMatchObject({ status: 'open', cash_movements: [] });
  });

  test('beside an open one of its person stays, and is to be looked at', async () => {
    const first = await opened(elsewhere);
    const id = newId();
    const applied = await events.open(id);
    expect(applied).toEqual({
      reasons: [{ code: 'till_open_elsewhere', figures: { till_id: first } }],
    });
    expect((await reportOf(id)).status).toBe('open');
    expect((await reportOf(first)).status).toBe('open');
  });

  test('while its person opens one elsewhere leaves one till that was opened with the server', async () => {
    const id = newId();
    const { asked } = await world.db.tx(async (tx) => {
      const theirs = tx
        .selectFrom('staff')
        .where('org_id', '=', shopId())
        .where('id', '=', personId('teller'));
      await theirs.select('id').forUpdate().execute();
      const replies = [opening(elsewhere), events.open(id)] as const;
      await lockWait(world);
      return { asked: replies };
    });
    const [live, applied] = [await asked[0], await asked[1]];
    const isFirst = live.status === 201;
    expect(isFirst ? reasonsOf(applied) : refusalOf(live).code).toEqual(
      isFirst ? ['till_open_elsewhere'] : 'TILL_OPEN_ELSEWHERE',
    );
  });
});

describe('a person with two open tills', () => {
  test('goes on with that of the device, and else hears of the one that was opened with the server', async () => {
    const first = await opened(elsewhere);
    const second = newId();
    await events.open(second, world.now - HOUR);
    expect(await opened(teller)).toBe(second);
    expect(await opened(elsewhere)).toBe(first);
    const third = await (await pairedTill(world)).signIn('teller');
    expect(refusalOf(await opening(third))).toMatchObject({
      ...{ code: 'TILL_OPEN_ELSEWHERE', till: { id: first } },
    });
    await closing(first, elsewhere);
    // What a device opened stands in the way of another, too.
    expect(refusalOf(await opening(elsewhere))).toMatchObject({
      ...{ code: 'TILL_OPEN_ELSEWHERE', till: { id: second } },
    });
    await closing(second, teller);
    expect((await opening(elsewhere)).status).toBe(201);
  });

  test('sells into that of the device, and else into the first', async () => {
    const first = await opened(elsewhere);
    const second = newId();
    await events.open(second, world.now - HOUR);
    expect([await soldBy(teller), await soldBy(elsewhere)]).toEqual([second, first]);
    const third = await (await pairedTill(world)).signIn('teller');
    expect(await soldBy(third)).toBe(first);
    await closing(first, elsewhere);
    expect(await soldBy(third)).toBe(second);
  });

  test('has each void in the report of the till of the device', async () => {
    const first = await opened(elsewhere);
    const second = newId();
    await events.open(second);
    const floor = ticketsBy(world, teller);
    await floor.void(await floor.open());
    expect((await reportOf(first)).figures?.voids.units).toBe(0);
    expect((await reportOf(second)).figures?.voids.units).toBe(2);
  });
});

describe('cash that a device moved', () => {
  test('waits for its till', async () => {
    const id = newId();
    expect(await events.moveCash(id)).toEqual({ waitsFor: id });
  });

  test('is in the open till at its moment', async () => {
    const id = await aTill();
    expect(await events.moveCash(id, world.now - MINUTE)).toEqual(RECORDED);
    const report = await reportOf(id);
    expect(report).toMatchObject({
      cash_movements: [{ at: new Date(world.now - MINUTE).toISOString(), kind: 'drop', amount: 1_000 }],
    });
    expect(report.figures?.methods[0]).toMatchObject({ method: 'cash', expected: 49_000 });
    expect((await auditOf(world, id)).map(({ action }) => action)).toEqual(['till.opened', 'till.cash']);
  });

  test('without a visible reason is malformed', async () => {
    const id = await aTill();
    await expect(events.moveCash(id, world.now, { reason: ' ‏ ' })).rejects.toMatchObject({
      refusal: 'INVALID_INPUT',
    });
  });
});

describe('a till that a device closed', () => {
  test('waits to be opened', async () => {
    const id = newId();
    expect(await events.close(id)).toEqual({ waitsFor: id });
  });

  test('has the figures of what has come, what was counted, and the next Z number of the device', async () => {
    const id = await aTill();
    await bookedCoffee(world, id, { recordedDifference: 500, total: 5_000 });
    const at = world.now - MINUTE;
    expect(await events.close(id, { cash: { 20_000: 2, 500: 1 }, card: 0 }, at)).toEqual(RECORDED);
    const first = await reportOf(id);
    expect(first).toMatchObject({
      ...{ kind: 'Z', status: 'closed', closed_at: new Date(at).toISOString(), note: null },
      figures: {
        ...{ sales_count: 1, subtotal: 4_500, recorded_difference: 500, total: 5_000, beyond: 0 },
        methods: [
          { method: 'cash', expected: 55_000, counted: 40_500, difference: -14_500 },
          { method: 'card', counted: 0 },
        ],
      },
    });
    const next = newId();
    await events.open(next);
    await events.close(next);
    expect((await reportOf(next)).z_number).toBe((first.z_number ?? 0) + 1);
    expect((await auditOf(world, id)).map(({ action }) => action)).toEqual(['till.opened', 'till.closed']);
  });

  test('is closed when it was opened at the earliest, whatever the clock of the device said', async () => {
    const id = newId();
    await events.open(id, world.now - MINUTE);
    await events.close(id, { cash: 0 }, world.now - HOUR);
    const { opened_at: from, closed_at: until } = await reportOf(id);
    expect(until).toBe(from);
  });

  test('without cash counted has none counted, and a method that the shop does not take is kept', async () => {
    const id = await aTill();
    expect(await events.close(id, { cheque: 700 })).toEqual({
      reasons: [{ code: 'method_unknown', figures: { method: 'cheque' } }],
    });
    expect((await reportOf(id)).figures?.methods).toMatchObject([
      { method: 'cash', counted: null, difference: null },
      { method: 'card', counted: null },
      { method: 'cheque', expected: 0, counted: 700, difference: 700 },
    ]);
  });

  test('with more counted than a till can hold is malformed', async () => {
    const id = await aTill();
    const counted = { cash: { 20_000: 100_000, 10_000: 100_000 } };
    await expect(events.close(id, counted)).rejects.toMatchObject({ refusal: 'INVALID_INPUT' });
    expect((await reportOf(id)).status).toBe('open');
  });

  test('that was closed before stays as it was', async () => {
    const id = await aTill();
    await closing(id, teller);
    const before = await reportOf(id);
    expect(reasonsOf(await events.close(id, { cash: 1 }))).toEqual(['till_closed']);
    expect(await reportOf(id)).toEqual(before);
  });

  test('takes sales of more than two days ago off the devices', async () => {
    const id = newId();
    await events.open(id, world.now - 80 * HOUR);
    const old = await bookedCoffee(world, id, { at: world.now - 70 * HOUR });
    const recent = await bookedCoffee(world, id, { at: world.now - 20 * HOUR });
    await events.close(id, { cash: 0 }, world.now - 10 * HOUR);
    // Booked, and gone.
    expect(await changesOf(world, 'sale', old.id)).toHaveLength(2);
    expect(await changesOf(world, 'sale', recent.id)).toHaveLength(1);
  });
});

describe('the figures of a till', () => {
  test('add up with what devices recorded: differences in the total, money beyond it in the payments', async () => {
    const id = await aTill();
    const paid = { method: 'cash', tip: 0, tendered: null, change: null, tillId: id };
    await bookedCoffee(world, id, {
      ...{ recordedDifference: -300, total: 4_200 },
      payments: [
        { ...paid, amount: 4_200 },
        { ...paid, amount: 4_200, beyond: 4_200 },
      ],
    });
    await bookedCoffee(world, id, { payments: [{ ...paid, amount: 4_000, beyond: -500 }] });
    const { figures } = await reportOf(id);
    expect(figures).toMatchObject({
      ...{ subtotal: 9_000, recorded_difference: -300, total: 8_700, beyond: 3_700 },
      methods: [{ method: 'cash', sales: 8_700 + 3_700 }, { method: 'card' }],
    });
  });
});

describe('the till of a moment', () => {
  const at = (moment: number, deviceId = device.id) =>
    world.db.tx((tx) =>
      tillAt(
        tx,
        { ...{ orgId: shopId(), branchId: branchId() }, staffId: personId('teller'), deviceId },
        moment,
      ),
    );

  test('is the one that its person had open then, that of the device first', async () => {
    const [early, first, second] = [newId(), newId(), newId()];
    const others = tillEventsOn(world, { deviceId: other.id });
    const { now } = world;
    await events.open(early, now - 5 * HOUR);
    await events.close(early, { cash: 0 }, now - 4 * HOUR);
    await others.open(first, now - 3 * HOUR);
    await events.open(second, now - 2 * HOUR);
    expect(await at(now - 6 * HOUR)).toBeNull();
    expect(await at(now - 5 * HOUR)).toEqual({ id: early, isClosed: true });
    expect(await at(now - 4 * HOUR)).toBeNull();
    expect(await at(now - 2.5 * HOUR)).toEqual({ id: first, isClosed: false });
    expect(await at(now)).toEqual({ id: second, isClosed: false });
    expect(await at(now, other.id)).toEqual({ id: first, isClosed: false });
    expect(await at(now, newId())).toEqual({ id: first, isClosed: false });
  });

  test('or the one that is named is not closed meanwhile', async () => {
    const id = await aTill();
    const named = (branch = 'zamalek', one = id) =>
      world.db.tx((tx) => tillNamed(tx, shopId(), branchId(branch), one));
    expect(await named()).toEqual({ id, isClosed: false });
    expect([await named('maadi'), await named('zamalek', newId())]).toEqual([null, null]);
    const { closed } = await world.db.tx(async (tx) => {
      expect(await tillNamed(tx, shopId(), branchId(), id)).toEqual({ id, isClosed: false });
      const reply = closing(id, teller);
      await lockWait(world);
      return { closed: reply };
    });
    await closed;
    expect(await named()).toEqual({ id, isClosed: true });
  });
});
