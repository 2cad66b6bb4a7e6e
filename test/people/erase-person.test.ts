/** POST /staff/people/erase. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BodyOf } from '../../src/platform/contract/endpoint.ts';
import type { EndpointOf } from '../../src/service/contract/endpoints.ts';
import { newId } from '../support/database/ids.ts';
import { branchId, thingId } from '../support/shops/cafe.ts';
import { aCard, anOrder, place } from '../support/people/guests.ts';
import { postOk, refusalOf } from '../support/server/requests.ts';
import {
  mentions,
  openPersonalDataFixture,
  type PersonalDataFixture,
} from '../support/people/personal-data.ts';
import { line, meal, pick } from '../support/shops/quoting-shop.ts';

let house: PersonalDataFixture;
beforeAll(async () => {
  house = await openPersonalDataFixture();
});
afterAll(() => house.close());

/** Tables about a phone across all shops, which no shop may erase. */
const OF_THE_PHONE = ['device_token', 'guest_phone', 'otp_phone'];

describe('an erasure', () => {
  test('takes the person out of an order; what was sold and for how much stays', async () => {
    const guest = await house.newGuest();
    const taken = await house.delivered(
      house.orderDelivery(guest, {
        delivery_notes: 'الكلب نايم',
        items: [
          line('turkish', { quantity: 2, notes: 'سكر زيادة' }),
          meal([pick('drink', 'latte', { notes: 'من غير رغوة' }), pick('sweet', 'cake')], {
            notes: 'مع بعض',
          }),
        ],
      }),
    );
    const before = await house.staffView(taken.id);
    house.world.now += 60_000;
    expect(await house.erase(guest)).toEqual({ erased: true, orders: 1, open_orders: 0 });
    expect(await house.staffView(taken.id)).toEqual({
      ...before,
      ...{ customer_name: '', customer_phone: '', address_id: null, address_line: null, floor: null },
      ...{ landmark: null, delivery_notes: null, customer_lat: null, customer_lng: null },
      ...{ road_distance_meters: null, distance_source: null },
      updated_at: new Date(house.world.now).toISOString(),
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
      expect(await mentions(house.world, words)).toEqual([]);
    expect(await mentions(house.world, guest.phone)).toEqual(OF_THE_PHONE);
  });

  test('is felt at once on the tracking page and in the guest’s own history', async () => {
    const guest = await house.newGuest();
    const taken = await house.delivered(house.orderDelivery(guest));
    const track = () => house.world.read('trackOrder', `/public/delivery-orders/${taken.id}/track`);
    expect(await track()).toMatchObject({ customer_name: 'منى السيد', address_line: '١٢ شارع البرازيل' });
    expect(await house.placesOf(guest.token)).toHaveLength(1);
    await house.erase(guest);
    expect(await track()).toMatchObject({ customer_name: '', address_line: null, total: taken.total });
    expect(await house.historyOf(guest.token)).toEqual([]);
    expect(await house.placesOf(guest.token)).toEqual([]);
    const nothing = { customer: null, orders: [], messages: [] };
    expect(await house.exportOf(guest)).toMatchObject(nothing);
  });

  test('lets no message go out that waits, nor a parked one, and keeps nothing of what the provider said', async () => {
    const guest = await house.newGuest();
    const taken = await house.delivered(house.orderDelivery(guest));
    const { kysely } = house.world.db;
    await sql`
      insert into outbox (org_id, id, kind, lane, subject_id, payload, status, created_at, waiting_since, next_at,
                          done_at, provider_id, last_error)
      select org_id, other.id::uuid, kind, lane, subject_id, payload, other.status, created_at, waiting_since, next_at,
             created_at, other.said, other.said
      from outbox, (values (${newId()}, 'parked', ${`no such number: ${guest.phone}`}), (${newId()}, 'sent', ${`wamid.${guest.phone}`}))
        as other (id, status, said)
      where subject_id = ${taken.id} and kind = 'message'
    `.execute(kysely);
    await house.erase(guest);
    const rows = await kysely
      .selectFrom('outbox')
      .select(['status', 'provider_id', 'last_error', 'done_at'])
      .where('subject_id', '=', taken.id)
      .orderBy('status')
      .execute();
    const silent = { provider_id: null, last_error: null, done_at: expect.any(Number) as number };
    expect(rows).toEqual(['dropped', 'dropped', 'sent'].map((status) => ({ status, ...silent })));
    expect(house.world.phones.messages).toEqual([]);
  });

  test('takes what the staff wrote about the guest out of the order and of the audit log', async () => {
    const guest = await house.newGuest();
    const taken = await house.order({ customer_phone: guest.typed });
    const note = 'قالت جوزها مسافر';
    const cancel: BodyOf<EndpointOf<'cancelOrder'>> = { reason: 'no_answer', note, revision: 1 };
    await postOk(house.world, house.owner, `/staff/orders/${taken.id}/cancel`, cancel);
    expect(await house.exportOf(guest)).toMatchObject({ orders: [{ cancel_note: note }] });
    await house.erase(guest);
    expect(await mentions(house.world, 'جوزها')).toEqual([]);
    const cancelled = { status: 'rejected', cancel_reason: 'no_answer' };
    expect(await house.staffView(taken.id)).toMatchObject(cancelled);
    expect(await house.auditOf('order.cancelled')).toMatchObject([
      { subject_id: taken.id, detail: { reason: 'no_answer', to: 'rejected' } },
    ]);
  });

  test('ends the card: nobody orders with its token any more, and a new one may be made', async () => {
    const guest = await house.newGuest();
    const member = await aCard(house.world, guest, 'ليلى');
    expect(await house.erase(guest)).toEqual({ erased: true, orders: 0, open_orders: 0 });
    const again = await place(house.world, anOrder({ customer_phone: guest.typed, member_token: member }));
    expect(refusalOf(again)).toMatchObject({ status: 404 });
    expect(await mentions(house.world, 'ليلى')).toEqual([]);
    expect(await aCard(house.world, guest, 'ليلى')).not.toBe(member);
  });

  test('takes what others typed under the phone too', async () => {
    const guest = await house.newGuest();
    const typed = { customer_phone: guest.typed, customer_name: 'مازن' };
    await house.delivered(house.order(typed));
    expect(await house.erase(guest)).toMatchObject({ orders: 1 });
    expect(await mentions(house.world, 'مازن')).toEqual([]);
  });

  test('of the one who was ordered for leaves the customer whose card it was', async () => {
    const [guest, other] = [await house.newGuest(), await house.newGuest()];
    const gift = await house.delivered(
      house.order({
        ...{ customer_name: 'شريف', customer_phone: other.typed, identity_change: 'one_time' },
        ...{ member_token: await aCard(house.world, guest, 'هالة'), device_token: guest.token },
      }),
    );
    expect(await house.erase(other)).toEqual({ erased: true, orders: 1, open_orders: 0 });
    expect(await mentions(house.world, 'شريف')).toEqual([]);
    const { customer, orders } = await house.exportOf(guest);
    expect(customer?.name).toBe('هالة');
    expect(orders).toMatchObject([{ id: gift.id, customer_id: customer?.id, customer_name: '' }]);
  });

  test('of nobody, or of somebody who is erased already, does nothing and is not written down', async () => {
    const nothing = { erased: false, orders: 0, open_orders: 0 };
    const entries = (await house.auditOf('person.erased')).length;
    const guest = await house.newGuest();
    expect(await house.erase(guest)).toEqual(nothing);
    await house.delivered(house.order({ customer_phone: guest.typed }));
    expect(await house.erase(guest)).toEqual({ erased: true, orders: 1, open_orders: 0 });
    expect(await house.erase(guest)).toEqual(nothing);
    expect(await house.auditOf('person.erased')).toHaveLength(entries + 1);
  });

  test('is written down with who asked and how much it was, never with the phone', async () => {
    const guest = await house.newGuest();
    const { customer_id } = await house.delivered(house.orderDelivery(guest));
    house.world.now += 60_000;
    await house.erase(guest);
    const [latest] = (await house.auditOf('person.erased')).slice(-1);
    expect(latest).toEqual({
      staff_id: expect.any(String) as string,
      subject: 'person',
      subject_id: customer_id,
      detail: { orders: 1, open_orders: 0, addresses: 1 },
    });
  });

  test('lets a later order of the same phone begin anew, as a new customer', async () => {
    const guest = await house.newGuest();
    const first = await house.delivered(house.orderDelivery(guest));
    await house.erase(guest);
    const later = await house.orderDelivery(guest);
    expect(later.customer_id).not.toBe(first.customer_id);
    expect((await house.historyOf(guest.token)).map(({ id }) => id)).toEqual([later.id]);
    expect((await house.exportOf(guest)).addresses).toMatchObject([{ use_count: 1 }]);
  });

  test('at one shop takes nothing from another', async () => {
    const guest = await house.newGuest();
    const here = await house.delivered(house.orderDelivery(guest));
    const there = await house.orderDelivery(guest, {
      branch_id: branchId('zamalek', 'other'),
      items: [{ menu_item_id: thingId('item', 'turkish', 'other'), quantity: 1 }],
    });
    await house.deliver(there.id, house.otherOwner);
    const before = await house.exportOf(guest, house.otherOwner);
    await house.erase(guest);
    expect(await house.exportOf(guest, house.otherOwner)).toEqual(before);
    expect(before.orders).toMatchObject([{ id: there.id, customer_name: 'منى السيد' }]);
    expect(await house.staffView(here.id)).toMatchObject({ customer_name: '' });
  });
});

describe('an order under way', () => {
  test('stays with whom it is brought to, and goes when asked again after its end', async () => {
    const guest = await house.newGuest();
    const ended = await house.delivered(house.orderDelivery(guest));
    const open = await house.orderDelivery(guest, { save_address: false });
    expect(await house.erase(guest)).toEqual({ erased: true, orders: 1, open_orders: 1 });
    expect(await house.staffView(ended.id)).toMatchObject({ customer_name: '', customer_phone: '' });
    expect(await house.staffView(open.id)).toMatchObject({
      customer_name: 'منى السيد',
      customer_phone: guest.phone,
      address_line: '١٢ شارع البرازيل',
    });
    expect(await house.placesOf(guest.token)).toEqual([]);
    expect(await house.erase(guest)).toEqual({ erased: false, orders: 0, open_orders: 1 });
    await house.deliver(open.id);
    expect(await house.erase(guest)).toEqual({ erased: true, orders: 1, open_orders: 0 });
    expect(await mentions(house.world, guest.phone)).toEqual(OF_THE_PHONE);
  });

  test('is found again also where a card ordered for somebody else', async () => {
    const [guest, other] = [await house.newGuest(), await house.newGuest()];
    const gift = await house.order({
      ...{ customer_name: 'طارق', customer_phone: other.typed, identity_change: 'one_time' },
      ...{ member_token: await aCard(house.world, guest, 'نادية'), device_token: guest.token },
    });
    expect(await house.erase(guest)).toEqual({ erased: false, orders: 0, open_orders: 1 });
    await house.deliver(gift.id);
    expect(await house.erase(guest)).toEqual({ erased: true, orders: 1, open_orders: 0 });
    for (const words of ['طارق', 'نادية']) expect(await mentions(house.world, words)).toEqual([]);
    expect(await mentions(house.world, other.phone)).toEqual(OF_THE_PHONE);
  });
});

describe('at once', () => {
  test('an erasure that is asked for four times is done once', async () => {
    const guest = await house.newGuest();
    for (let n = 0; n < 3; n += 1) await house.delivered(house.orderDelivery(guest));
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => house.erase(guest)));
    expect(outcomes.filter(({ erased }) => erased)).toEqual([{ erased: true, orders: 3, open_orders: 0 }]);
  });

  test('beside tills that deliver the orders none is lost: each is erased, or is still to be', async () => {
    const guest = await house.newGuest();
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) ids.push((await house.order({ customer_phone: guest.typed })).id);
    const erasures = Promise.all(Array.from({ length: 3 }, () => house.erase(guest)));
    await Promise.all(ids.map((id) => house.deliver(id)));
    const outcomes = [...(await erasures), await house.erase(guest)];
    expect(outcomes.reduce((sum, { orders }) => sum + orders, 0)).toBe(6);
    expect(await mentions(house.world, guest.phone)).toEqual(OF_THE_PHONE);
  });

  test('an order placed meanwhile is erased, or is still to be, and gives nobody who was erased a name again', async () => {
    const guest = await house.newGuest();
    await house.delivered(house.orderDelivery(guest));
    const placing = Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        house.orderDelivery(guest, { customer_name: 'سهير', address_line: `${n} شارع جديد` }),
      ),
    );
    const erasures = Promise.all(Array.from({ length: 3 }, () => house.erase(guest)));
    const placed = await placing;
    await erasures;
    for (const { id } of placed) await house.deliver(id);
    expect(await house.erase(guest)).toEqual({ erased: true, orders: 8, open_orders: 0 });
    expect(await mentions(house.world, 'سهير')).toEqual([]);
    expect(await mentions(house.world, 'شارع جديد')).toEqual([]);
  });
});
