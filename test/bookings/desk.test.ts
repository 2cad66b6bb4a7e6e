/** The staff's side of bookings: the day, guests who call or come, and what becomes of each. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BOOKING_STATUSES, type BookingStatus } from '../../src/bookings/domain/booking.ts';
import { auditOf } from '../support/database/stored-rows.ts';
import { aBooking, booked, manageAddress } from '../support/people/bookings.ts';
import { signInAs } from '../support/people/staff.ts';
import {
  afterStep,
  aStaffBooking,
  begun,
  bookedByStaff,
  changeBy,
  dayOf,
  freeStarts,
  labelsOf,
  openDesk,
  stepBy,
  walkIn,
  type StaffBooking,
} from '../support/people/staff-bookings.ts';
import { ticketsBy } from '../support/people/tickets.ts';
import { aTable, branchId, openShops, SLUG, tableId } from '../support/shops/cafe.ts';
import { openBoard } from '../support/server/board-client.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const MINUTE = 60_000;
const EVENING = '2026-11-21T17:00:00Z';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(async () => {
  // Friday, 20:00 in Cairo.
  world.now = Date.parse('2026-11-20T18:00:00Z');
  await world.db.kysely.deleteFrom('booking').execute();
  await openDesk(world, [aTable('t1', 2), aTable('t2', 4), aTable('bar', 2, { bookable: false })]);
});
afterAll(() => world.close());

/** Two guests who called, for Saturday at 19:00. */
const called = (overrides: Parameters<typeof aStaffBooking>[2] = {}): Promise<StaffBooking> =>
  bookedByStaff(world, aStaffBooking(world, SLUG, { starts_at: EVENING, ...overrides }));

const postAsOwner = async (body: object, headers: Record<string, string> = {}) =>
  post(world, '/staff/bookings', body, { ...(await signInAs(world, 'owner')), ...headers });

describe('the day', () => {
  test('lists what guests and staff have booked, with tables, and what can be done', async () => {
    const guest = await booked(world, { notes: 'جنب الشباك' });
    await called({ guest_name: 'كريم', phone: '0100 765 4321', starts_at: '2026-11-21T16:40:00Z' });
    const { bookings, tables, timezone } = await dayOf(world, '2026-11-21');
    expect(timezone).toBe('Africa/Cairo');
    expect(tables.map(({ label, bookable }) => [label, bookable])).toEqual([
      ['BAR', false],
      ['T1', true],
      ['T2', true],
    ]);
    expect(bookings).toMatchObject([
      {
        ...{ guest_name: 'كريم', guest_phone: '201007654321', phone_proven: false, source: 'phone' },
        ...{ starts_at: '2026-11-21T16:40:00.000Z', service_date: '2026-11-21' },
      },
      {
        ...{ id: guest.id, guest_name: 'منى السيد', source: 'guest', notes: 'جنب الشباك' },
        ...{ status: 'confirmed', revision: 1, tables_chosen: false },
        actions: ['move', 'change', 'cancel'],
      },
    ]);
    expect(JSON.stringify(bookings)).not.toContain(guest.manage_token);
    expect(bookings.flatMap(labelsOf).toSorted()).toEqual(['T1', 'T2']);
    expect((await dayOf(world, '2026-11-20')).bookings).toEqual([]);
  });

  test('after midnight is still that of the service', async () => {
    await openDesk(world, [aTable('t1', 2)], { hours: [{ open: '18:00', close: '02:00' }] });
    const late = await called({ starts_at: '2026-11-21T22:30:00Z' });
    expect(late.service_date).toBe('2026-11-21');
    expect((await dayOf(world, '2026-11-21')).bookings).toEqual([late]);
  });
});

describe('guests who call', () => {
  test('get a table at any minute, within the lead time, outside the hours, in any number', async () => {
    const starts_at = '2026-11-20T18:07:00.000Z';
    const booking = await called({ starts_at, party_size: 4, duration_minutes: 45 });
    expect(booking).toMatchObject({ starts_at, ends_at: '2026-11-20T18:52:00.000Z', status: 'confirmed' });
    expect(labelsOf(booking)).toEqual(['T2']);
    expect(labelsOf(await called({ party_size: 9, table_ids: [tableId('t1')] }))).toEqual(['T1']);
  });

  test('get no table that is kept for guests without a booking, unless the staff choose it', async () => {
    await called();
    await called();
    expect(refusalOf(await postAsOwner(aStaffBooking(world, SLUG, { starts_at: EVENING })))).toMatchObject({
      ...{ status: 409, code: 'SLOT_TAKEN' },
    });
    expect(labelsOf(await called({ table_ids: [tableId('bar')] }))).toEqual(['BAR']);
  });

  test('have whole minutes, so that no later start is lost', async () => {
    const booking = await called({ starts_at: '2026-11-21T16:00:59.900Z', table_ids: [tableId('t1')] });
    expect([booking.starts_at, booking.ends_at]).toEqual([
      '2026-11-21T16:00:00.000Z',
      '2026-11-21T17:30:00.000Z',
    ]);
  });

  test('have one booking under one key', async () => {
    const body = aStaffBooking(world);
    const [first, second] = [
      await postAsOwner(body, { 'idempotency-key': 'k1' }),
      await postAsOwner(body, { 'idempotency-key': 'k1' }),
    ];
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
    const other = await postAsOwner({ ...body, party_size: 3 }, { 'idempotency-key': 'k1' });
    expect(refusalOf(other).code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  test.each([
    ['starts_at', { starts_at: '2026-11-20T16:00:00Z' }],
    ['starts_at', { starts_at: '2027-11-30T16:00:00Z' }],
    ['starts_at', { starts_at: '2026-11-20T17:44:00Z', duration_minutes: 60 }],
    ['starts_at', { starts_at: 'tomorrow' }],
    ['starts_at', { starts_at: undefined }],
    ['guest_name', { guest_name: ' \n ' }],
    ['phone', { phone: '12' }],
    ['table_ids[1]', { table_ids: [tableId('t1'), tableId('t1', 'maadi')] }],
    ['party_size', { party_size: 201 }],
    ['duration_minutes', { duration_minutes: 14 }],
  ])('with a fault in %s are refused, and nothing is booked', async (path, fault) => {
    const refused = refusalOf(await postAsOwner({ ...aStaffBooking(world), ...fault }));
    expect([refused.status, refused.fields?.map((each) => each.path)]).toEqual([400, [path]]);
    expect((await dayOf(world, '2026-11-21')).bookings).toEqual([]);
  });
});

describe('guests who come', () => {
  test('are seated now, first at a table that cannot be booked', async () => {
    const first = await bookedByStaff(world, walkIn(world));
    expect(first).toMatchObject({
      status: 'seated',
      source: 'walk_in',
      starts_at: '2026-11-20T18:00:00.000Z',
    });
    expect(first.seated_at).toBe(first.starts_at);
    const seated = [
      first,
      await bookedByStaff(world, walkIn(world)),
      await bookedByStaff(world, walkIn(world)),
    ];
    expect(seated.map(labelsOf)).toEqual([['BAR'], ['T1'], ['T2']]);
    expect(refusalOf(await postAsOwner(walkIn(world))).code).toBe('SLOT_TAKEN');
  });

  test('get no table with an open bill, for which confirmed guests would have to move', async () => {
    await openDesk(world, [aTable('t1', 8), aTable('t2', 2), aTable('t3', 2)]);
    const seated = [await bookedByStaff(world, walkIn(world)), await bookedByStaff(world, walkIn(world))];
    expect(labelsOf(await bookedByStaff(world, begun(world)))).toEqual(['T1']);
    const floor = ticketsBy(world, await signInAs(world, 'owner'));
    const bill = await floor.open({ table_id: tableId('t1') });
    for (const booking of seated) await afterStep(world, booking, 'complete');
    const six = { ...walkIn(world), party_size: 6 };
    expect(refusalOf(await postAsOwner(six)).code).toBe('SLOT_TAKEN');
    await floor.void(bill);
    expect(labelsOf(await bookedByStaff(world, six))).toEqual(['T1']);
  });

  test('get no table at which guests stay longer than they booked', async () => {
    await openDesk(world, [aTable('t1', 2)]);
    const first = await bookedByStaff(world, walkIn(world));
    world.now += 100 * MINUTE;
    expect(refusalOf(await postAsOwner(walkIn(world))).code).toBe('SLOT_TAKEN');
    await afterStep(world, first, 'complete');
    expect(labelsOf(await bookedByStaff(world, walkIn(world)))).toEqual(['T1']);
  });
});

describe('guests of a booking', () => {
  test('are seated, stay, and leave: their table is free for others at once', async () => {
    const guest = await called();
    world.now = Date.parse(EVENING) + 4 * MINUTE;
    const seated = await afterStep(world, guest, 'seat');
    expect(seated).toMatchObject({ status: 'seated', seated_at: '2026-11-21T17:04:00.000Z', revision: 2 });
    expect(seated.actions).toEqual(['move', 'change', 'complete', 'cancel']);
    const left = await afterStep(world, seated, 'complete');
    expect(left).toMatchObject({ status: 'completed', tables: [], actions: [] });
    expect((await auditOf(world, guest.id)).map(({ action }) => action).toSorted()).toEqual([
      ...['booking.completed', 'booking.created', 'booking.seated'],
    ]);
  });

  test('who come early are seated from now on, elsewhere where their table is still taken', async () => {
    await openDesk(world, [aTable('t1', 2), aTable('t2', 2)]);
    const early = await called({ starts_at: '2026-11-21T18:00:00Z', table_ids: [tableId('t1')] });
    const before = await called({ starts_at: '2026-11-21T16:20:00Z', duration_minutes: 90 });
    await afterStep(world, before, 'tables', { table_ids: [tableId('t1')] });
    world.now = Date.parse('2026-11-21T17:30:00Z');
    const seated = await afterStep(world, early, 'seat');
    expect([labelsOf(seated), seated.starts_at]).toEqual([['T2'], '2026-11-21T18:00:00.000Z']);
    const [first] = (await dayOf(world, '2026-11-21')).bookings;
    expect(first === undefined ? [] : labelsOf(first)).toEqual(['T1']);
    expect(refusalOf(await postAsOwner(walkIn(world))).code).toBe('SLOT_TAKEN');
  });

  test('who come when their time is over are seated for as long as they booked', async () => {
    const guest = await called({ duration_minutes: 60 });
    world.now = Date.parse(EVENING) + 61 * MINUTE;
    const seated = await afterStep(world, guest, 'seat');
    expect(seated.ends_at).toBe('2026-11-21T19:01:00.000Z');
  });

  test('who come late take their table from now on, whoever had another one before', async () => {
    await openDesk(world, [aTable('t1', 2), aTable('t2', 2)], { auto_no_show_minutes: null });
    const late = await called({ table_ids: [tableId('t1')] });
    const missing = await called({ table_ids: [tableId('t2')] });
    world.now = Date.parse(late.ends_at) + 10 * MINUTE;
    await bookedByStaff(world, { ...walkIn(world), table_ids: [tableId('t1')] });
    const seated = await afterStep(world, late, 'seat');
    expect([labelsOf(seated), missing.status]).toEqual([['T2'], 'confirmed']);
  });

  test('who were moved stay longer at their new table alone', async () => {
    await openDesk(world, [aTable('t1', 2), aTable('t2', 2)]);
    const [guest, before] = [await called(), await called({ duration_minutes: 30 })];
    world.now = Date.parse(EVENING);
    const seated = await afterStep(world, guest, 'seat', { table_ids: [tableId('t1')] });
    world.now += 31 * MINUTE;
    const moved = await afterStep(world, seated, 'tables', { table_ids: [tableId('t2')] });
    const longer = done('changeStaffBooking', await changeBy(world, moved, { duration_minutes: 150 }));
    expect([labelsOf(longer), longer.ends_at]).toEqual([['T2'], '2026-11-21T19:30:00.000Z']);
    const day = (await dayOf(world, '2026-11-21')).bookings;
    expect(day.filter(({ id }) => id === before.id).map(labelsOf)).toEqual([['T2']]);
  });

  test('whose table was removed stay there and longer; guests who come now are seated elsewhere', async () => {
    const seated = await bookedByStaff(world, { ...walkIn(world), table_ids: [tableId('t1')] });
    const next = await called({ starts_at: '2026-11-20T18:10:00Z', table_ids: [tableId('t2')] });
    await openDesk(world, [aTable('t3', 4)]);
    const longer = done('changeStaffBooking', await changeBy(world, seated, { duration_minutes: 200 }));
    expect(labelsOf(longer)).toEqual(['T1']);
    expect(labelsOf(await afterStep(world, next, 'seat'))).toEqual(['T3']);
  });

  test('are not seated days before', async () => {
    const refused = refusalOf(await stepBy(world, await called(), 'seat'));
    expect(refused).toMatchObject({ status: 409, code: 'TOO_EARLY_TO_SEAT', vars: { minutes: 180 } });
  });

  test('get the tables that the staff choose: confirmed guests there move, chosen and seated ones stay', async () => {
    const [two, four] = [await called(), await called({ party_size: 3 })];
    expect([labelsOf(two), labelsOf(four)]).toEqual([['T1'], ['T2']]);
    const refused = refusalOf(await stepBy(world, two, 'tables', { table_ids: [tableId('t2')] }));
    expect(refused.code).toBe('SLOT_TAKEN');
    await afterStep(world, four, 'cancel');
    const guest = await booked(world);
    const moved = await afterStep(world, two, 'tables', { table_ids: [tableId('t2')] });
    expect([labelsOf(moved), moved.tables_chosen]).toEqual([['T2'], true]);
    const day = (await dayOf(world, '2026-11-21')).bookings;
    expect(day.filter(({ id }) => id === guest.id).map(labelsOf)).toEqual([['T1']]);
    // Three guests need T2, which the chosen booking keeps.
    expect(await freeStarts(world, 3)).toEqual(['20:30']);
    await afterStep(world, moved, 'tables', { table_ids: [] });
    expect(refusalOf(await stepBy(world, moved, 'tables', { table_ids: [] })).code).toBe('BOOKING_MOVED');
  });

  test('get another time, party and name; their chosen table is kept where it is free', async () => {
    const guest = await called({ table_ids: [tableId('t2')], phone: '0100 765 4321' });
    const body = { starts_at: '2026-11-21T18:10:00Z', party_size: 3, guest_name: 'هدى', notes: 'عيد ميلاد' };
    const changed = done('changeStaffBooking', await changeBy(world, guest, body));
    expect(changed).toMatchObject({
      ...{ starts_at: '2026-11-21T18:10:00.000Z', ends_at: '2026-11-21T19:40:00.000Z', party_size: 3 },
      ...{ guest_name: 'هدى', notes: 'عيد ميلاد', guest_phone: '201007654321', tables_chosen: true },
    });
    expect(labelsOf(changed)).toEqual(['T2']);
    const other = await called({ starts_at: '2026-11-22T17:00:00Z', table_ids: [tableId('t2')] });
    const elsewhere = { starts_at: other.starts_at, party_size: 2, phone: null };
    const moved = done('changeStaffBooking', await changeBy(world, changed, elsewhere));
    expect([labelsOf(moved), moved.tables_chosen, moved.guest_phone]).toEqual([['T1'], false, null]);
    expect(moved.service_date).toBe('2026-11-22');
    const full = refusalOf(await changeBy(world, moved, { party_size: 4 }));
    expect(full.code).toBe('SLOT_TAKEN');
    expect((await dayOf(world, '2026-11-22')).bookings).toContainEqual(moved);
  });

  test('who are seated stay longer if nobody has their table, and keep it; their start stays', async () => {
    const seated = await bookedByStaff(world, { ...walkIn(world), table_ids: [tableId('t1')] });
    const longer = done('changeStaffBooking', await changeBy(world, seated, { duration_minutes: 120 }));
    expect(longer.ends_at).toBe('2026-11-20T20:00:00.000Z');
    const next = await called({ starts_at: '2026-11-20T20:00:00Z', table_ids: [tableId('t1')] });
    expect(refusalOf(await changeBy(world, longer, { duration_minutes: 130 })).code).toBe('SLOT_TAKEN');
    await afterStep(world, next, 'cancel');
    const refused = refusalOf(await changeBy(world, longer, { starts_at: '2026-11-20T18:30:00Z' }));
    expect(refused.fields?.map(({ path }) => path)).toEqual(['starts_at']);
  });

  test('read of a cancellation by their link', async () => {
    const guest = await booked(world);
    const [seen] = (await dayOf(world, '2026-11-21')).bookings;
    if (seen === undefined) throw new Error('a booking was made');
    const cancelled = await afterStep(world, seen, 'cancel', { note: 'الفرع مغلق' });
    expect(cancelled).toMatchObject({ status: 'cancelled', cancelled_by: 'staff', tables: [] });
    expect(await world.read('getBooking', manageAddress(guest))).toMatchObject({ status: 'cancelled' });
    expect(await freeStarts(world)).toContain('19:00');
    expect((await auditOf(world, guest.id)).map(({ detail }) => detail)).toContainEqual(
      expect.objectContaining({ note: 'الفرع مغلق', from: 'confirmed' }),
    );
  });
});

test('guests who are still to come are no no-show', async () => {
  const guest = await called();
  expect(refusalOf(await stepBy(world, guest, 'no-show')).code).toBe('BOOKING_NOT_BEGUN');
  world.now = Date.parse(EVENING);
  expect(await afterStep(world, guest, 'no-show')).toMatchObject({ status: 'no_show' });
});

test('a change that changes nothing leaves revision and audit log as they are', async () => {
  const guest = await called({ notes: 'نافذة' });
  const { starts_at, party_size, guest_name, notes } = guest;
  const same = { starts_at, party_size, guest_name, notes };
  expect(done('changeStaffBooking', await changeBy(world, guest, same))).toEqual(guest);
  expect((await auditOf(world, guest.id)).map(({ action }) => action)).toEqual(['booking.created']);
});

test('no party takes the last table of guests whose own was removed from the shop', async () => {
  const guest = await called({ party_size: 2 });
  await openDesk(world, [aTable('t2', 4)]);
  expect(await freeStarts(world, 2)).toEqual(['20:30']);
  expect(refusalOf(await post(world, '/public/bookings', aBooking())).code).toBe('SLOT_TAKEN');
  world.now = Date.parse(EVENING);
  expect(labelsOf(await afterStep(world, guest, 'seat'))).toEqual(['T2']);
});

test('a date far from today is refused', async () => {
  const lines = { ...(await signInAs(world, 'owner')) };
  for (const date of ['0001-01-01', '2046-11-21', '9999-12-31']) {
    const reply = await world.get(`/staff/bookings?branch_id=${branchId()}&date=${date}`, lines);
    expect(refusalOf(reply).fields?.map(({ path }) => path)).toEqual(['date']);
  }
});

describe('a step', () => {
  /** Status, then step: what answers (Decisions 4, Booking). */
  const ANSWERS: Readonly<Record<BookingStatus, Readonly<Record<Parameters<typeof stepBy>[2], string>>>> = {
    confirmed: {
      ...{ seat: 'seated', tables: 'confirmed', complete: 'BOOKING_MOVED', 'no-show': 'no_show' },
      cancel: 'cancelled',
    },
    seated: {
      ...{ seat: 'seated', tables: 'seated', complete: 'completed', 'no-show': 'BOOKING_MOVED' },
      cancel: 'cancelled',
    },
    completed: {
      ...{ seat: 'BOOKING_ENDED', tables: 'BOOKING_ENDED', complete: 'completed' },
      ...{ 'no-show': 'BOOKING_ENDED', cancel: 'BOOKING_ENDED' },
    },
    no_show: {
      ...{ seat: 'BOOKING_ENDED', tables: 'BOOKING_ENDED', complete: 'BOOKING_ENDED' },
      ...{ 'no-show': 'no_show', cancel: 'BOOKING_ENDED' },
    },
    cancelled: {
      ...{ seat: 'BOOKING_ENDED', tables: 'BOOKING_ENDED', complete: 'BOOKING_ENDED' },
      ...{ 'no-show': 'BOOKING_ENDED', cancel: 'cancelled' },
    },
  };
  /** Steps that lead to each status. */
  const TO: Readonly<Record<BookingStatus, readonly Parameters<typeof stepBy>[2][]>> = {
    ...{ confirmed: [], seated: ['seat'], completed: ['seat', 'complete'] },
    ...{ no_show: ['no-show'], cancelled: ['cancel'] },
  };

  test.each(BOOKING_STATUSES.flatMap((from) => Object.entries(ANSWERS[from]).map((each) => [from, ...each])))(
    'on a booking that is %s: %s gives %s',
    async (from, step, expected) => {
      world.now = Date.parse(EVENING);
      let booking = await called();
      for (const each of TO[from as BookingStatus]) booking = await afterStep(world, booking, each);
      const body = step === 'tables' ? { table_ids: [] } : {};
      const reply = await stepBy(world, booking, step as Parameters<typeof stepBy>[2], body);
      const { code, status } = reply.body as { code?: string; status?: string };
      expect(code ?? status).toBe(expected);
    },
  );

  test('that was decided on an older revision changes nothing, and names the one now', async () => {
    const guest = await called();
    done('changeStaffBooking', await changeBy(world, guest, { notes: 'نافذة' }));
    const refused = refusalOf(await stepBy(world, guest, 'cancel'));
    expect(refused).toMatchObject({ code: 'BOOKING_MOVED', vars: { status: 'confirmed', revision: 2 } });
  });

  test('of ten people at once counts once', async () => {
    const guest = await called();
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => changeBy(world, guest, { party_size: 1 })),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(409)]);
  });

  test('is told to the boards of the branch alone', async () => {
    const lines = { ...(await signInAs(world, 'manager')) };
    const boards = [
      await openBoard(world.port, `/staff/events?branch_id=${branchId()}`, lines),
      await openBoard(world.port, `/staff/events?branch_id=${branchId('maadi')}`, {
        ...(await signInAs(world, 'ramy')),
      }),
    ];
    const guest = await called();
    const heard = await boards[0]?.next();
    expect(heard).toMatchObject({ event: 'booking', data: { type: 'booking', id: guest.id } });
    await openShops(world);
    for (const board of boards) board.close();
    expect((await boards[1]?.ended)?.map(({ event }) => event)).not.toContain('booking');
  });
});

test('of ten guests and ten calls for the last table one gets it', async () => {
  await openDesk(world, [aTable('t1', 2)]);
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, client) =>
      client % 2 === 0
        ? post(world, '/public/bookings', aBooking())
        : postAsOwner(aStaffBooking(world, SLUG, { starts_at: EVENING })),
    ),
  );
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(19).fill(409)]);
});
