/** POST /staff/people/export. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setPasswordAndSignIn } from '../support/people/staff.ts';
import { branchId } from '../support/shops/cafe.ts';
import { aBookingWithMessage } from '../support/people/bookings.ts';
import { aCard, MONA } from '../support/people/guests.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { aFreeTable, orderedAt } from '../support/people/table-guests.ts';
import { ticketsBy } from '../support/people/tickets.ts';
import { aCounterSale } from '../support/people/tills.ts';
import { openPersonalDataFixture, type PersonalDataFixture } from '../support/people/personal-data.ts';

let fixture: PersonalDataFixture;
beforeAll(async () => {
  fixture = await openPersonalDataFixture();
});
afterAll(() => fixture.close());

describe('an export', () => {
  test('of an unknown phone is empty', async () => {
    const guest = await fixture.newGuest();
    expect(await fixture.exportOf(guest)).toEqual({
      exported_at: new Date(fixture.world.now).toISOString(),
      phone: guest.phone,
      ...{
        customer: null,
        cards: [],
        loyalty_entries: [],
        addresses: [],
        orders: [],
        bookings: [],
        ...{ tickets: [], sales: [] },
        messages: [],
      },
    });
  });

  test('has customer, card, addresses, all orders and the messages about them', async () => {
    const guest = await fixture.newGuest();
    await aCard(fixture.world, guest);
    const first = await fixture.delivered(fixture.orderDelivery(guest));
    fixture.world.now += 60_000;
    const second = await fixture.order({ customer_phone: guest.typed });
    const found = await fixture.exportOf(guest);
    expect(found).toMatchObject({
      phone: guest.phone,
      customer: { name: 'منى السيد', language: 'ar', phone_proven_at: first.created_at },
      cards: [{ created_at: first.created_at, points: 0, visits: 0 }],
      addresses: [
        {
          id: first.address_id,
          customer_id: found.customer?.id,
          channel: 'outside',
          branch_id: branchId(),
          address_line: '١٢ شارع البرازيل',
          landmark: 'جنب الصيدلية',
          floor: '٣',
          delivery_notes: 'الجرس بايظ',
          lat: 30.061,
          lng: 31.221,
          use_count: 1,
        },
      ],
      orders: [await fixture.staffView(first.id), await fixture.staffView(second.id)],
    });
    expect(found.messages.map(({ order_id, template }) => [order_id, template])).toEqual([
      [first.id, 'order_received'],
      [second.id, 'order_received'],
    ]);
  });

  test('has the tickets of the phone and the card with what was said, and the sales of the card', async () => {
    const { world, owner } = fixture;
    const guest = await fixture.newGuest();
    await aCard(world, guest);
    const [card] = (await fixture.exportOf(guest)).cards;
    const member = { member_id: card?.id ?? '' };
    const floor = ticketsBy(world, owner);
    const ticket = await floor.change(await floor.open({ notes: 'حساسية لبن' }), member);
    const code = { customer_phone: guest.typed, customer_name: 'منى', notes: 'شباك' };
    const atTable = await orderedAt(world, await aFreeTable(world), code);
    const sold = await post(world, '/staff/sales', { ...aCounterSale(), ...member }, owner);
    const sale = done('sellOverCounter', sold);
    const { tickets, sales } = await fixture.exportOf(guest);
    expect(tickets).toHaveLength(2);
    expect(tickets).toContainEqual(
      expect.objectContaining({ id: ticket.id, member_id: card?.id, notes: 'حساسية لبن', status: 'open' }),
    );
    expect(tickets).toContainEqual(
      expect.objectContaining({
        ...{ id: atTable.id, customer_name: 'منى', customer_phone: guest.phone },
        lines: [expect.objectContaining({ round_number: 1, round_notes: 'شباك' })],
      }),
    );
    expect(sales).toMatchObject([{ id: sale.id, sale_ref: sale.sale_ref, total: sale.total, refunded: 0 }]);
  });

  test('has the messages about bookings', async () => {
    const guest = await fixture.newGuest();
    const id = await aBookingWithMessage(fixture.world, guest, 'cancelled');
    expect((await fixture.exportOf(guest)).messages).toMatchObject([
      { order_id: null, booking_id: id, template: 'booking_cancelled', status: 'waiting' },
    ]);
  });

  test('has an order of a card for another phone, for both phones', async () => {
    const [guest, other] = [await fixture.newGuest(), await fixture.newGuest()];
    const gift = await fixture.order({
      ...{ customer_phone: other.typed, identity_change: 'one_time' },
      ...{ member_token: await aCard(fixture.world, guest, 'كريم'), device_token: guest.token },
    });
    for (const person of [guest, other])
      expect((await fixture.exportOf(person)).orders.map(({ id }) => id)).toEqual([gift.id]);
  });

  test('has no data of another shop', async () => {
    const guest = await fixture.newGuest();
    await fixture.orderDelivery(guest);
    expect(await fixture.exportOf(guest, fixture.otherOwner)).toMatchObject({
      ...{ customer: null, orders: [] },
    });
  });

  test('does not show that the phone was proven elsewhere', async () => {
    const guest = await fixture.newGuest();
    const before = await fixture.exportOf(guest);
    await fixture.order({ customer_phone: guest.typed });
    const after = await fixture.exportOf(guest);
    expect(after.orders).toHaveLength(1);
    for (const found of [before, after]) {
      expect(found).not.toHaveProperty('devices');
      expect(found.customer?.phone_proven_at ?? null).toBeNull();
    }
  });

  test('adds an audit entry with staff member and counts, without the phone', async () => {
    const guest = await fixture.newGuest();
    await fixture.orderDelivery(guest);
    const { customer } = await fixture.exportOf(guest);
    const exports = await fixture.auditOf('person.exported');
    expect(exports.filter(({ subject_id }) => subject_id === customer?.id)).toEqual([
      {
        staff_id: expect.any(String) as string,
        subject: 'person',
        subject_id: customer?.id,
        detail: { orders: 1, addresses: 1, bookings: 0, tickets: 0, sales: 0 },
      },
    ]);
  });
});

describe('access to export and erasure', () => {
  const ADDRESSES = ['/staff/people/export', '/staff/people/erase'];

  test('a manager gets 403, and a caller who is not signed in gets 401', async () => {
    const manager = await setPasswordAndSignIn(fixture.world, 'manager');
    for (const address of ADDRESSES) {
      const ask = async (headers: Record<string, string>) =>
        refusalOf(await post(fixture.world, address, { phone: MONA.typed }, headers));
      expect(await ask(manager)).toMatchObject({ status: 403, code: 'NOT_PERMITTED' });
      expect(await ask({})).toMatchObject({ status: 401, code: 'SIGN_IN_REQUIRED' });
    }
  });

  test('an invalid phone is refused with 400', async () => {
    for (const address of ADDRESSES)
      expect(refusalOf(await post(fixture.world, address, { phone: '12' }, fixture.owner))).toMatchObject({
        status: 400,
        fields: [{ path: 'phone' }],
      });
  });
});
