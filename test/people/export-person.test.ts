/** POST /staff/people/export. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setPasswordAndSignIn } from '../support/people/staff.ts';
import { branchId } from '../support/shops/cafe.ts';
import { aCard, MONA } from '../support/people/guests.ts';
import { post, refusalOf } from '../support/server/requests.ts';
import { openPersonalDataFixture, type PersonalDataFixture } from '../support/people/personal-data.ts';

let house: PersonalDataFixture;
beforeAll(async () => {
  house = await openPersonalDataFixture();
});
afterAll(() => house.close());

describe('an export', () => {
  test('of nobody we know is empty', async () => {
    const guest = await house.newGuest();
    expect(await house.exportOf(guest)).toEqual({
      exported_at: new Date(house.world.now).toISOString(),
      phone: guest.phone,
      ...{ customer: null, cards: [], addresses: [], orders: [], messages: [] },
    });
  });

  test('is the person, their card and addresses, every order and what they were told', async () => {
    const guest = await house.newGuest();
    await aCard(house.world, guest);
    const first = await house.delivered(house.orderDelivery(guest));
    house.world.now += 60_000;
    const second = await house.order({ customer_phone: guest.typed });
    const found = await house.exportOf(guest);
    expect(found).toMatchObject({
      phone: guest.phone,
      customer: { name: 'منى السيد', language: 'ar', phone_proven_at: first.created_at },
      cards: [{ created_at: first.created_at }],
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
      orders: [await house.staffView(first.id), await house.staffView(second.id)],
    });
    expect(found.messages.map(({ order_id, template }) => [order_id, template])).toEqual([
      [first.id, 'order_received'],
      [second.id, 'order_received'],
    ]);
  });

  test('holds what a card ordered for somebody else, for both', async () => {
    const [guest, other] = [await house.newGuest(), await house.newGuest()];
    const gift = await house.order({
      ...{ customer_phone: other.typed, identity_change: 'one_time' },
      ...{ member_token: await aCard(house.world, guest, 'كريم'), device_token: guest.token },
    });
    for (const person of [guest, other])
      expect((await house.exportOf(person)).orders.map(({ id }) => id)).toEqual([gift.id]);
  });

  test('of a shop has nothing of another’s', async () => {
    const guest = await house.newGuest();
    await house.orderDelivery(guest);
    expect(await house.exportOf(guest, house.otherOwner)).toMatchObject({
      ...{ customer: null, orders: [] },
    });
  });

  test('does not say where the phone is proven, which is so at every shop alike', async () => {
    const guest = await house.newGuest();
    const before = await house.exportOf(guest);
    await house.order({ customer_phone: guest.typed });
    const after = await house.exportOf(guest);
    expect(after.orders).toHaveLength(1);
    for (const found of [before, after]) {
      expect(found).not.toHaveProperty('devices');
      expect(found.customer?.phone_proven_at ?? null).toBeNull();
    }
  });

  test('is written down with who asked and how much it was, never with the phone', async () => {
    const guest = await house.newGuest();
    await house.orderDelivery(guest);
    const { customer } = await house.exportOf(guest);
    const [latest] = (await house.auditOf('person.exported')).slice(-1);
    expect(latest).toEqual({
      staff_id: expect.any(String) as string,
      subject: 'person',
      subject_id: customer?.id,
      detail: { orders: 1, addresses: 1 },
    });
  });
});

describe('who may have a person exported or erased', () => {
  const ADDRESSES = ['/staff/people/export', '/staff/people/erase'];

  test('an owner alone: not a manager, and nobody who is not signed in', async () => {
    const manager = await setPasswordAndSignIn(house.world, 'manager');
    for (const address of ADDRESSES) {
      const ask = async (headers: Record<string, string>) =>
        refusalOf(await post(house.world, address, { phone: MONA.typed }, headers));
      expect(await ask(manager)).toMatchObject({ status: 403, code: 'NOT_PERMITTED' });
      expect(await ask({})).toMatchObject({ status: 401, code: 'SIGN_IN_REQUIRED' });
    }
  });

  test('with a phone that is one', async () => {
    for (const address of ADDRESSES)
      expect(refusalOf(await post(house.world, address, { phone: '12' }, house.owner))).toMatchObject({
        status: 400,
        fields: [{ path: 'phone' }],
      });
  });
});
