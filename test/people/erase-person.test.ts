/** POST /staff/people/erase. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BodyOf } from '../../src/platform/contract/endpoint.ts';
import type { EndpointOf } from '../../src/service/contract/endpoints.ts';
import { aBookingWithMessage } from '../support/people/bookings.ts';
import { newId } from '../support/database/ids.ts';
import { afterStep, aStaffBooking, bookedByStaff } from '../support/people/staff-bookings.ts';
import { branchId, SLUG, thingId } from '../support/shops/cafe.ts';
import { aCard, anOrder, place } from '../support/people/guests.ts';
import { postOk, refusalOf } from '../support/server/requests.ts';
import {
  mentions,
  openPersonalDataFixture,
  type PersonalDataFixture,
} from '../support/people/personal-data.ts';
import { line, meal, pick } from '../support/shops/quoting-shop.ts';

let fixture: PersonalDataFixture;
beforeAll(async () => {
  fixture = await openPersonalDataFixture();
});
afterAll(() => fixture.close());

/** Tables about a phone across all shops, which no shop may erase. */
const OF_THE_PHONE = ['device_token', 'guest_phone', 'otp_phone'];

describe('an erasure', () => {
  test('removes the person from an order and keeps its items and amounts', async () => {
    const guest = await fixture.newGuest();
    const order = await fixture.delivered(
      fixture.orderDelivery(guest, {
        delivery_notes: 'الكلب نايم',
        items: [
          line('turkish', { quantity: 2, notes: 'سكر زيادة' }),
          meal([pick('drink', 'latte', { notes: 'من غير رغوة' }), pick('sweet', 'cake')], {
            notes: 'مع بعض',
          }),
        ],
      }),
    );
    const before = await fixture.staffView(order.id);
    fixture.world.now += 60_000;
    expect(await fixture.erase(guest)).toEqual({
      erased: true,
      orders: 1,
      open_orders: 0,
      bookings: 0,
      open_bookings: 0,
      open_tickets: 0,
    });
    expect(await fixture.staffView(order.id)).toEqual({
      ...before,
      ...{ customer_name: '', customer_phone: '', address_id: null, address_line: null, floor: null },
      ...{ landmark: null, delivery_notes: null, customer_lat: null, customer_lng: null },
      ...{ road_distance_meters: null, distance_source: null },
      updated_at: new Date(fixture.world.now).toISOString(),
      cart: {
        ...before.cart,
        lines: before.cart.lines.map(({ combo, ...sold }) => ({
          ...sold,
          notes: null,
          combo: combo && { ...combo, parts: combo.parts.map((part) => ({ ...part, notes: null })) },
        })),
      },
    });
    expect(before.cart.lines.map(({ notes }) => notes)).toEqual(['سكر زيادة', 'مع بعض']);
    for (const words of ['سكر زيادة', 'رغوة', 'مع بعض', 'الكلب'])
      expect(await mentions(fixture.world, words)).toEqual([]);
    expect(await mentions(fixture.world, guest.phone)).toEqual(OF_THE_PHONE);
  });

  test('takes effect at once in tracking, history, past locations and export', async () => {
    const guest = await fixture.newGuest();
    const order = await fixture.delivered(fixture.orderDelivery(guest));
    const track = () => fixture.world.read('trackOrder', `/public/delivery-orders/${order.id}/track`);
    expect(await track()).toMatchObject({ customer_name: 'منى السيد', address_line: '١٢ شارع البرازيل' });
    expect(await fixture.placesOf(guest.token)).toHaveLength(1);
    await fixture.erase(guest);
    expect(await track()).toMatchObject({ customer_name: '', address_line: null, total: order.total });
    expect(await fixture.historyOf(guest.token)).toEqual([]);
    expect(await fixture.placesOf(guest.token)).toEqual([]);
    const nothing = { customer: null, orders: [], messages: [] };
    expect(await fixture.exportOf(guest)).toMatchObject(nothing);
  });

  test('drops waiting and parked messages and deletes the provider’s ids and errors', async () => {
    const guest = await fixture.newGuest();
    const order = await fixture.delivered(fixture.orderDelivery(guest));
    const { kysely } = fixture.world.db;
    await sql`
      insert into outbox (org_id, id, kind, lane, subject_id, payload, status, created_at, waiting_since, next_at,
                          done_at, provider_id, last_error)
      select org_id, other.id::uuid, kind, lane, subject_id, payload, other.status, created_at, waiting_since, next_at,
             created_at, other.said, other.said
      from outbox, (values (${newId()}, 'parked', ${`no such number: ${guest.phone}`}), (${newId()}, 'sent', ${`wamid.${guest.phone}`}))
        as other (id, status, said)
      where subject_id = ${order.id} and kind = 'message'
    `.execute(kysely);
    await fixture.erase(guest);
    const rows = await kysely
      .selectFrom('outbox')
      .select(['status', 'provider_id', 'last_error', 'done_at'])
      .where('subject_id', '=', order.id)
      .orderBy('status')
      .execute();
    const silent = { provider_id: null, last_error: null, done_at: expect.any(Number) as number };
    expect(rows).toEqual(['dropped', 'dropped', 'sent'].map((status) => ({ status, ...silent })));
    expect(fixture.world.phones.messages).toEqual([]);
  });

  test('drops the waiting message about a booking that has ended', async () => {
    const guest = await fixture.newGuest();
    const id = await aBookingWithMessage(fixture.world, guest, 'cancelled');
    await fixture.erase(guest);
    const rows = await fixture.world.db.kysely
      .selectFrom('outbox')
      .select('status')
      .where('subject_id', '=', id)
      .execute();
    expect(rows).toEqual([{ status: 'dropped' }]);
  });

  test('removes guest and notes of a booking that has ended, and the staff’s note from the audit log', async () => {
    const { world } = fixture;
    const guest = await fixture.newGuest();
    const about = { guest_name: 'هدى الرفاعي', phone: guest.typed, notes: 'ذكرى جوازهم' };
    const booking = await bookedByStaff(world, aStaffBooking(world, SLUG, about));
    await afterStep(world, booking, 'cancel', { note: 'هدى اعتذرت' });
    expect(await fixture.erase(guest)).toMatchObject({ erased: true, bookings: 1, open_bookings: 0 });
    for (const words of ['الرفاعي', 'جوازهم', 'اعتذرت']) expect(await mentions(world, words)).toEqual([]);
  });

  test('removes the staff’s note from the order and the audit log', async () => {
    const guest = await fixture.newGuest();
    const order = await fixture.order({ customer_phone: guest.typed });
    const note = 'قالت جوزها مسافر';
    const cancel: BodyOf<EndpointOf<'cancelOrder'>> = { reason: 'no_answer', note, revision: 1 };
    await postOk(fixture.world, fixture.owner, `/staff/orders/${order.id}/cancel`, cancel);
    expect(await fixture.exportOf(guest)).toMatchObject({ orders: [{ cancel_note: note }] });
    await fixture.erase(guest);
    expect(await mentions(fixture.world, 'جوزها')).toEqual([]);
    const cancelled = { status: 'rejected', cancel_reason: 'no_answer' };
    expect(await fixture.staffView(order.id)).toMatchObject(cancelled);
    expect(await fixture.auditOf('order.cancelled')).toMatchObject([
      { subject_id: order.id, detail: { reason: 'no_answer', to: 'rejected' } },
    ]);
  });

  test('ends the member token of the card, and a new card can be made', async () => {
    const guest = await fixture.newGuest();
    const member = await aCard(fixture.world, guest, 'ليلى');
    expect(await fixture.erase(guest)).toEqual({
      erased: true,
      orders: 0,
      open_orders: 0,
      bookings: 0,
      open_bookings: 0,
      open_tickets: 0,
    });
    const again = await place(fixture.world, anOrder({ customer_phone: guest.typed, member_token: member }));
    expect(refusalOf(again)).toMatchObject({ status: 404 });
    expect(await mentions(fixture.world, 'ليلى')).toEqual([]);
    expect(await aCard(fixture.world, guest, 'ليلى')).not.toBe(member);
  });

  test('removes names that others typed with the phone', async () => {
    const guest = await fixture.newGuest();
    const typed = { customer_phone: guest.typed, customer_name: 'مازن' };
    await fixture.delivered(fixture.order(typed));
    expect(await fixture.erase(guest)).toMatchObject({ orders: 1 });
    expect(await mentions(fixture.world, 'مازن')).toEqual([]);
  });

  test('of an order’s contact keeps the customer whose card placed the order', async () => {
    const [guest, other] = [await fixture.newGuest(), await fixture.newGuest()];
    const gift = await fixture.delivered(
      fixture.order({
        ...{ customer_name: 'شريف', customer_phone: other.typed, identity_change: 'one_time' },
        ...{ member_token: await aCard(fixture.world, guest, 'هالة'), device_token: guest.token },
      }),
    );
    expect(await fixture.erase(other)).toEqual({
      erased: true,
      orders: 1,
      open_orders: 0,
      bookings: 0,
      open_bookings: 0,
      open_tickets: 0,
    });
    expect(await mentions(fixture.world, 'شريف')).toEqual([]);
    const { customer, orders } = await fixture.exportOf(guest);
    expect(customer?.name).toBe('هالة');
    expect(orders).toMatchObject([{ id: gift.id, customer_id: customer?.id, customer_name: '' }]);
  });

  test('of an unknown or erased phone changes nothing and adds no audit entry', async () => {
    const nothing = {
      erased: false,
      orders: 0,
      open_orders: 0,
      bookings: 0,
      open_bookings: 0,
      open_tickets: 0,
    };
    const entries = (await fixture.auditOf('person.erased')).length;
    const guest = await fixture.newGuest();
    expect(await fixture.erase(guest)).toEqual(nothing);
    await fixture.delivered(fixture.order({ customer_phone: guest.typed }));
    expect(await fixture.erase(guest)).toEqual({
      erased: true,
      orders: 1,
      open_orders: 0,
      bookings: 0,
      open_bookings: 0,
      open_tickets: 0,
    });
    expect(await fixture.erase(guest)).toEqual(nothing);
    expect(await fixture.auditOf('person.erased')).toHaveLength(entries + 1);
  });

  test('adds an audit entry with staff member and counts, without the phone', async () => {
    const guest = await fixture.newGuest();
    const { customer_id } = await fixture.delivered(fixture.orderDelivery(guest));
    fixture.world.now += 60_000;
    await fixture.erase(guest);
    const [latest] = (await fixture.auditOf('person.erased')).slice(-1);
    expect(latest).toEqual({
      staff_id: expect.any(String) as string,
      subject: 'person',
      subject_id: customer_id,
      detail: { orders: 1, open_orders: 0, bookings: 0, open_bookings: 0, open_tickets: 0, addresses: 1 },
    });
  });

  test('lets a later order of the phone create a new customer', async () => {
    const guest = await fixture.newGuest();
    const first = await fixture.delivered(fixture.orderDelivery(guest));
    await fixture.erase(guest);
    const later = await fixture.orderDelivery(guest);
    expect(later.customer_id).not.toBe(first.customer_id);
    expect((await fixture.historyOf(guest.token)).map(({ id }) => id)).toEqual([later.id]);
    expect((await fixture.exportOf(guest)).addresses).toMatchObject([{ use_count: 1 }]);
  });

  test('at one shop leaves the data of another shop', async () => {
    const guest = await fixture.newGuest();
    const here = await fixture.delivered(fixture.orderDelivery(guest));
    const there = await fixture.orderDelivery(guest, {
      branch_id: branchId('zamalek', 'other'),
      items: [{ menu_item_id: thingId('item', 'turkish', 'other'), quantity: 1 }],
    });
    await fixture.deliver(there.id, fixture.otherOwner);
    const before = await fixture.exportOf(guest, fixture.otherOwner);
    await fixture.erase(guest);
    expect(await fixture.exportOf(guest, fixture.otherOwner)).toEqual(before);
    expect(before.orders).toMatchObject([{ id: there.id, customer_name: 'منى السيد' }]);
    expect(await fixture.staffView(here.id)).toMatchObject({ customer_name: '' });
  });
});

describe('an erasure of a person with an open order', () => {
  test('keeps the open order’s contact and address until an erasure after its end', async () => {
    const guest = await fixture.newGuest();
    const ended = await fixture.delivered(fixture.orderDelivery(guest));
    const open = await fixture.orderDelivery(guest, { save_address: false });
    expect(await fixture.erase(guest)).toEqual({
      erased: true,
      orders: 1,
      open_orders: 1,
      bookings: 0,
      open_bookings: 0,
      open_tickets: 0,
    });
    expect(await fixture.staffView(ended.id)).toMatchObject({ customer_name: '', customer_phone: '' });
    expect(await fixture.staffView(open.id)).toMatchObject({
      customer_name: 'منى السيد',
      customer_phone: guest.phone,
      address_line: '١٢ شارع البرازيل',
    });
    expect(await fixture.placesOf(guest.token)).toEqual([]);
    expect(await fixture.erase(guest)).toEqual({
      erased: false,
      orders: 0,
      open_orders: 1,
      bookings: 0,
      open_bookings: 0,
      open_tickets: 0,
    });
    await fixture.deliver(open.id);
    expect(await fixture.erase(guest)).toEqual({
      erased: true,
      orders: 1,
      open_orders: 0,
      bookings: 0,
      open_bookings: 0,
      open_tickets: 0,
    });
    expect(await mentions(fixture.world, guest.phone)).toEqual(OF_THE_PHONE);
  });

  test('finds an order of a card for another phone again after its end', async () => {
    const [guest, other] = [await fixture.newGuest(), await fixture.newGuest()];
    const gift = await fixture.order({
      ...{ customer_name: 'طارق', customer_phone: other.typed, identity_change: 'one_time' },
      ...{ member_token: await aCard(fixture.world, guest, 'نادية'), device_token: guest.token },
    });
    expect(await fixture.erase(guest)).toEqual({
      erased: false,
      orders: 0,
      open_orders: 1,
      bookings: 0,
      open_bookings: 0,
      open_tickets: 0,
    });
    await fixture.deliver(gift.id);
    expect(await fixture.erase(guest)).toEqual({
      erased: true,
      orders: 1,
      open_orders: 0,
      bookings: 0,
      open_bookings: 0,
      open_tickets: 0,
    });
    for (const words of ['طارق', 'نادية']) expect(await mentions(fixture.world, words)).toEqual([]);
    expect(await mentions(fixture.world, other.phone)).toEqual(OF_THE_PHONE);
  });
});

describe('concurrent requests', () => {
  test('four erasures of one person erase once', async () => {
    const guest = await fixture.newGuest();
    for (let n = 0; n < 3; n += 1) await fixture.delivered(fixture.orderDelivery(guest));
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => fixture.erase(guest)));
    expect(outcomes.filter(({ erased }) => erased)).toEqual([
      { erased: true, orders: 3, open_orders: 0, bookings: 0, open_bookings: 0, open_tickets: 0 },
    ]);
  });

  test('an order delivered during erasures is erased by one of them or by the next one', async () => {
    const guest = await fixture.newGuest();
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) ids.push((await fixture.order({ customer_phone: guest.typed })).id);
    const erasures = Promise.all(Array.from({ length: 3 }, () => fixture.erase(guest)));
    await Promise.all(ids.map((id) => fixture.deliver(id)));
    const outcomes = [...(await erasures), await fixture.erase(guest)];
    expect(outcomes.reduce((sum, { orders }) => sum + orders, 0)).toBe(6);
    expect(await mentions(fixture.world, guest.phone)).toEqual(OF_THE_PHONE);
  });

  test('an order placed during erasures is erased by an erasure after its delivery', async () => {
    const guest = await fixture.newGuest();
    await fixture.delivered(fixture.orderDelivery(guest));
    const placing = Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        fixture.orderDelivery(guest, { customer_name: 'سهير', address_line: `${n} شارع جديد` }),
      ),
    );
    const erasures = Promise.all(Array.from({ length: 3 }, () => fixture.erase(guest)));
    const placed = await placing;
    await erasures;
    for (const { id } of placed) await fixture.deliver(id);
    expect(await fixture.erase(guest)).toEqual({
      erased: true,
      orders: 8,
      open_orders: 0,
      bookings: 0,
      open_bookings: 0,
      open_tickets: 0,
    });
    expect(await mentions(fixture.world, 'سهير')).toEqual([]);
    expect(await mentions(fixture.world, 'شارع جديد')).toEqual([]);
  });
});
