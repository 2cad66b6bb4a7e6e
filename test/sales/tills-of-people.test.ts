/** Tills of several people, at night, and beside open bills (Decisions 1, 4, 12). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  aStaffedShop,
  pairedTill,
  setCredentials,
  signInAs,
  type SignedIn,
} from '../support/people/staff.ts';
import { ticketsBy } from '../support/people/tickets.ts';
import { aCounterSale, anOpenTill, withoutTills } from '../support/people/tills.ts';
import type { Reply } from '../support/server/http-client.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops } from '../support/shops/cafe.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  await openShops(world, aStaffedShop(), aStaffedShop('kashk'));
  for (const slug of [undefined, 'kashk']) await setCredentials(world, slug);
});
afterAll(() => world.close());

const opened = async (who: SignedIn) =>
  done('openTill', await post(world, '/staff/tills', { branch_id: branchId(), opening_float: 0 }, who));
const closed = async (id: string, who: SignedIn) =>
  done('closeTill', await post(world, `/staff/tills/${id}/close`, { counted: { cash: 0 } }, who));
const reportOf = async (id: string, who: SignedIn) =>
  done('getTillReport', await world.get(`/staff/tills/${id}/report`, who));
const sold = async (who: SignedIn) =>
  done('sellOverCounter', await post(world, '/staff/sales', aCounterSale(), who));

test('two people who open and close at one device at once draw each Z number once, without a gap', async () => {
  const device = await pairedTill(world);
  const people = await Promise.all((['teller', 'manager'] as const).map((person) => device.signIn(person)));
  const numbers: (number | null)[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const tills = await Promise.all(people.map(async (who) => ({ ...(await opened(who)), who })));
    const reports = await Promise.all(tills.map(({ id, who }) => closed(id, who)));
    numbers.push(...reports.map(({ z_number: number }) => number).toSorted((a, b) => Number(a) - Number(b)));
  }
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6]);
});

test('a till that is opened at one in the morning is of the business day before, in X, Z and reports', async () => {
  // 01:00 on the eleventh in Cairo, where the day begins at 05:00.
  world.now = Date.parse('2027-01-10T23:00:00Z');
  await withoutTills(world, 'owner');
  const night = await signInAs(world, 'owner');
  const till = await opened(night);
  await sold(night);
  expect(await reportOf(till.id, night)).toMatchObject({ kind: 'X', business_date: '2027-01-10' });
  world.now = Date.parse('2027-01-11T03:30:00Z');
  const morning = await signInAs(world, 'owner');
  await sold(morning);
  expect(await closed(till.id, morning)).toMatchObject({ kind: 'Z', business_date: '2027-01-10' });
  const read = (report: string, date: string): Promise<Reply> =>
    world.get(`/staff/reports/${report}?branch_id=${branchId()}&from=${date}&to=${date}`, morning);
  for (const date of ['2027-01-10', '2027-01-11']) {
    expect(done('reportDays', await read('day', date)).days).toMatchObject([
      { date, sales_count: 1, total: 4_500 },
    ]);
    expect(done('reportTills', await read('tills', date))).toMatchObject([
      { till_id: till.id, sales_count: 1, total: 4_500 },
    ]);
  }
});

describe('the till of another person', () => {
  const ASKS = {
    report: (id: string, who: SignedIn) => world.get(`/staff/tills/${id}/report`, who),
    cash: (id: string, who: SignedIn) =>
      post(world, `/staff/tills/${id}/cash`, { kind: 'pay_in', amount: 100, reason: 'فكة' }, who),
    close: (id: string, who: SignedIn) =>
      post(world, `/staff/tills/${id}/close`, { counted: { cash: 100 } }, who),
    'force-close': (id: string, who: SignedIn) =>
      post(world, `/staff/tills/${id}/force-close`, { note: 'مشى' }, who),
  };
  const outcomes = async (id: string, who: SignedIn): Promise<readonly unknown[]> => {
    const replies = await Promise.all(Object.values(ASKS).map((ask) => ask(id, who)));
    return replies.map((reply) => [reply.status, refusalOf(reply).vars?.['permission']]);
  };
  const forbidden = (permission: string) => [403, permission];

  test('is closed to who has no `tills.manage`, and not there at another branch or shop', async () => {
    const id = await anOpenTill(world, 'manager');
    expect(await outcomes(id, await signInAs(world, 'teller'))).toEqual(
      Array.from({ length: 4 }, () => forbidden('tills.manage')),
    );
    for (const person of ['waiter', 'kitchen'] as const)
      expect(await outcomes(id, await signInAs(world, person))).toEqual([
        ...[forbidden('tills.read'), forbidden('tills.use'), forbidden('tills.use')],
        forbidden('tills.manage'),
      ]);
    const missing = [404, undefined];
    expect(await outcomes(id, await signInAs(world, 'ramy'))).toEqual([
      ...[missing, missing, missing, forbidden('tills.manage')],
    ]);
    expect(await outcomes(id, await signInAs(world, 'owner', 'kashk'))).toEqual(
      Array.from({ length: 4 }, () => missing),
    );
    expect(await reportOf(id, await signInAs(world, 'manager'))).toMatchObject({
      ...{ status: 'open', cash_movements: [] },
    });
  });

  test.each([
    ['manager', 'close', 'closed'],
    ['owner', 'force-close', 'force_closed'],
  ] as const)('is read, given cash and ended by the %s with %s', async (person, end, status) => {
    const id = await anOpenTill(world, 'teller');
    const who = await signInAs(world, person);
    expect((await reportOf(id, who)).figures).not.toBeNull();
    done('moveCash', await ASKS.cash(id, who));
    const report = done('closeTill', await ASKS[end](id, who));
    expect(report).toMatchObject({ status, kind: 'Z', cash_movements: [{ amount: 100 }] });
    // Its person reads what was counted.
    expect((await reportOf(id, await signInAs(world, 'teller'))).figures).toEqual(report.figures);
  });
});

test('a bill that is open stays open when tills are closed, and is paid into the next one', async () => {
  const teller = await signInAs(world, 'teller');
  const floor = ticketsBy(world, teller);
  await withoutTills(world, 'teller');
  const first = await opened(teller);
  const ticket = await floor.open();
  await closed(first.id, teller);
  const listed = await world.get(`/staff/tickets?branch_id=${branchId()}&status=open`, teller);
  expect(done('listTickets', listed)).toContainEqual(ticket);
  const next = await opened(teller);
  const manager = await signInAs(world, 'manager');
  done('forceCloseTill', await post(world, `/staff/tills/${next.id}/force-close`, { note: 'مشى' }, manager));
  expect(await floor.get(ticket.id)).toEqual(ticket);
  const last = await opened(teller);
  await floor.settle(ticket);
  await closed(last.id, teller);
  const reports = await Promise.all([first, next, last].map(({ id }) => reportOf(id, teller)));
  expect(reports.map(({ figures }) => figures?.total)).toEqual([0, 0, ticket.due]);
});
