/** What devices did without the server, told afterwards (Decisions 13): each event once, whatever the order. */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { asOwner } from '../support/database/test-database.ts';
import { newId } from '../support/database/ids.ts';
import { aStaffedWorld, pairedTill, personId, signInAs, type SignedIn } from '../support/people/staff.ts';
import { elevateAll } from '../support/people/second-factors.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import type { World } from '../support/server/world.ts';
import { branchId } from '../support/shops/cafe.ts';
import {
  eventsOf,
  outcomesOf,
  paid,
  recordedCoffees,
  recordedLine,
  replayed,
  type DeviceEvent,
} from '../support/sync/device-events.ts';
import { aShift, booksOf, BOOKS } from '../support/sync/shift.ts';

const HOUR = 60 * 60_000;

let world: World;
let owner: SignedIn;
let device: Readonly<Record<string, string>>;
beforeAll(async () => {
  world = await aStaffedWorld({ limitScale: 100_000 });
  owner = await signInAs(world, 'owner');
});
afterAll(() => world.close());
beforeEach(async () => {
  ({ device } = await pairedTill(world));
});

const sent = async (...events: readonly unknown[]) => outcomesOf(await replayed(world, device, events));
const saleOf = async (id: string) => done('getSale', await world.get(`/staff/sales/${id}`, owner));

describe('a shift', () => {
  test('is in the books as it happened', async () => {
    const shift = aShift(world);
    expect(await sent(...shift.events)).toEqual(shift.events.map(() => 'applied'));
    expect(await booksOf(world, owner, shift)).toEqual(BOOKS);
  });

  test('counts once, however often it is sent', async () => {
    const shift = aShift(world);
    await sent(...shift.events);
    const results = await replayed(world, device, [...shift.events, ...shift.events]);
    expect(outcomesOf(results)).toEqual([...shift.events, ...shift.events].map(() => 'already'));
    expect(results[0]).toMatchObject({ vars: { outcome: 'applied' } });
    expect(await booksOf(world, owner, shift)).toEqual(BOOKS);
  });

  test('counts once when two devices send it at the same time', async () => {
    const shift = aShift(world);
    const other = await pairedTill(world);
    const both = await Promise.all(
      [device, other.device, device, other.device].map((by) => replayed(world, by, shift.events)),
    );
    expect(both.flat().filter(({ outcome }) => outcome === 'applied')).toHaveLength(shift.events.length);
    expect(await booksOf(world, owner, shift)).toEqual(BOOKS);
  });

  test('comes to the same in any order within a request', async () => {
    const shift = aShift(world);
    expect(await sent(...shift.events.toReversed())).toEqual(shift.events.map(() => 'applied'));
    expect(await booksOf(world, owner, shift)).toEqual(BOOKS);
  });

  test('comes to the same event by event, the last one first, but for the till that is closed without its sales', async () => {
    const shift = aShift(world);
    const close = shift.events.at(-1);
    const outcomes: string[] = [];
    for (const event of shift.events.slice(0, -1).toReversed()) outcomes.push(...(await sent(event)));
    expect(outcomes.filter((outcome) => outcome === 'waiting').length).toBeGreaterThan(3);
    await sent(close);
    expect(await booksOf(world, owner, shift)).toEqual(BOOKS);
    expect(done('listReviews', await world.get(`/staff/reviews?branch_id=${branchId()}`, owner))).toEqual([]);
  });
});

describe('a child whose parent has not come', () => {
  test('waits, is listed, and is recorded when the parent comes', async () => {
    const event = eventsOf(world, 'manager', world.now - HOUR);
    const [till, sale] = [newId(), newId()];
    const open = event('till_open', { till_id: till, opening_float: 0 });
    const sold = event('sale', {
      ...{ sale_id: sale, items: recordedCoffees(1), total: 4_500, payments: paid(4_500), till_id: till },
    });
    expect(await replayed(world, device, [sold])).toMatchObject([
      { outcome: 'waiting', vars: { waits_for: till } },
    ]);
    expect(refusalOf(await world.get(`/staff/sales/${sale}`, owner)).status).toBe(404);
    const [listed] = done('listReviews', await world.get(`/staff/reviews?branch_id=${branchId()}`, owner));
    expect(listed).toMatchObject({ id: sold.id, outcome: 'waiting', reasons: [{ code: 'parent_missing' }] });
    expect(await sent(sold)).toEqual(['already']);
    expect(await sent(open)).toEqual(['applied']);
    expect(await saleOf(sale)).toMatchObject({ total: 4_500, till_id: till });
    expect(done('listReviews', await world.get(`/staff/reviews?branch_id=${branchId()}`, owner))).toEqual([]);
  });
});

describe('an event is refused', () => {
  const aSale = (more: Partial<DeviceEvent> = {}) => {
    const data = { sale_id: newId(), items: recordedCoffees(1), total: 4_500, payments: paid(4_500, 'card') };
    return { ...eventsOf(world, 'teller', world.now - HOUR)('sale', data), ...more };
  };

  test('where it is malformed, with the fields that are wrong, and holds up no other', async () => {
    const good = aSale();
    const results = await replayed(world, device, [
      aSale({ kind: 'dance' }),
      aSale({ at: 'yesterday' }),
      aSale({ data: { total: 4_500 } }),
      aSale({ data: { ...good.data, sale_id: newId(), price: 3 } }),
      good,
    ]);
    expect(outcomesOf(results)).toEqual([...Array<string>(4).fill('refused: INVALID_INPUT'), 'applied']);
    expect(
      results.map(({ vars }) =>
        (vars as { fields?: { path: string }[] } | undefined)?.fields?.map(({ path }) => path),
      ),
    ).toEqual([['kind'], ['at'], ['data.sale_id', 'data.items', 'data.payments'], ['data.price'], undefined]);
  });

  test('of a person of another shop, or of nobody', async () => {
    expect(await sent(aSale({ by: personId('owner', 'kashk') }), aSale({ by: newId() }))).toEqual(
      Array<string>(2).fill('refused: PERSON_UNKNOWN'),
    );
  });

  test('with an id that came with another content', async () => {
    const one = aSale();
    await sent(one);
    expect(await sent(aSale({ id: one.id }))).toEqual(['refused: EVENT_ID_REUSED']);
  });
});

describe('a request is refused as a whole', () => {
  test.each<[string, object, number, string]>([
    ['of the device of another branch', { branch_id: branchId('maadi') }, 404, 'DEVICE_OF_OTHER_BRANCH'],
    ['without the clock of the device', { device_time: undefined }, 400, 'device_time'],
    ['with 201 events', { events: Array.from({ length: 201 }, () => ({ id: newId() })) }, 400, 'events'],
    ['with an event without id', { events: [{ kind: 'sale' }] }, 400, 'events[0].id'],
  ])('%s', async (_, more, status, named) => {
    const body = { branch_id: branchId(), device_time: '2026-11-20T10:00:00Z', events: [], ...more };
    const refused = refusalOf(await post(world, '/sync/replay', body, device));
    expect([refused.status, refused.code ?? refused.fields?.[0]?.path]).toEqual([status, named]);
  });

  test('of more than a megabyte', async () => {
    const event = { id: newId(), kind: 'sale', data: { text: 'x'.repeat(1_000_000) } };
    const body = { branch_id: branchId(), device_time: '2026-11-20T10:00:00Z', events: [event] };
    expect(refusalOf(await post(world, '/sync/replay', body, device)).status).toBe(413);
  });
});

describe('a device that was revoked while it was offline', () => {
  test('is heard: what it sold is in the books, in review', async () => {
    const till = await pairedTill(world);
    await elevateAll(world);
    await post(world, `/staff/devices/${till.id}/revoke`, {}, owner);
    expect((await post(world, '/sync/pull', { branch_id: branchId() }, till.device)).status).toBe(401);
    const id = newId();
    const sale = { sale_id: id, items: recordedCoffees(1), total: 4_500, payments: paid(4_500, 'card') };
    const results = await replayed(world, till.device, [
      eventsOf(world, 'manager', world.now - HOUR)('sale', sale),
    ]);
    expect(outcomesOf(results)).toEqual(['review: device_ended']);
    expect(await saleOf(id)).toMatchObject({ total: 4_500, source: 'replay' });
  });
});

test('an event that nothing can be made of by itself is kept with its data for a person', async () => {
  await asOwner(
    world.database,
    'alter table ticket_round add constraint no_more check (number < 1) not valid',
  );
  onTestFinished(() => asOwner(world.database, 'alter table ticket_round drop constraint no_more'));
  const event = eventsOf(world, 'manager', world.now - HOUR);
  const ticket = newId();
  await sent(event('ticket_open', { ticket_id: ticket }));
  const round = event('round', { ticket_id: ticket, round_id: newId(), items: [recordedLine(1)] });
  expect(await sent(round)).toEqual(['review: not_applied']);
  const [listed] = done('listReviews', await world.get(`/staff/reviews?branch_id=${branchId()}`, owner));
  expect(listed).toMatchObject({ id: round.id, data: { ticket_id: ticket } });
  const words = {
    en: 'It could not be recorded by itself: a fault of the server',
    ar: 'تعذّر تسجيله تلقائياً: خطأ في الخادم',
  };
  expect(listed?.reasons).toMatchObject([words]);
  expect(await sent(round)).toEqual(['already']);
});
