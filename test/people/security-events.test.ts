/** Exports and erasures are security events without personal data. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aCard } from '../support/people/guests.ts';
import { openPersonalDataFixture, type PersonalDataFixture } from '../support/people/personal-data.ts';
import { eventsIn } from '../support/server/security-events.ts';

let house: PersonalDataFixture;
beforeAll(async () => {
  house = await openPersonalDataFixture();
});
afterAll(() => house.close());

const ids = { org_id: expect.any(String) as string, staff_id: expect.any(String) as string };

test('an export and an erasure are one line and one count each, without name, phone, address or token', async () => {
  const { world } = house;
  const guest = await house.newGuest();
  const memberToken = await aCard(world, guest, 'كناري');
  const order = await house.delivered(house.orderDelivery(guest, { customer_name: 'كناري' }));
  await house.exportOf(guest);
  await house.erase(guest);
  expect(eventsIn(world.logged, 'person_exported')).toEqual([
    { ...ids, device_id: null, orders: 1, addresses: 1 },
  ]);
  expect(eventsIn(world.logged, 'person_erased')).toEqual([
    { ...ids, device_id: null, erased: true, orders: 1, open_orders: 0 },
  ]);
  expect(world.app.security.counts).toMatchObject({ person_exported: 1, person_erased: 1 });
  const bearer = house.owner.authorization.replace('Bearer ', '');
  const secrets = ['كناري', guest.phone, guest.typed, guest.token, memberToken, bearer, 'شارع البرازيل'];
  for (const canary of [...secrets, order.id]) expect(world.logged.join('\n')).not.toContain(canary);
});

test('what was refused is no event', async () => {
  const before = { ...house.world.app.security.counts };
  await expect(house.exportOf({ typed: 'no phone', phone: '' })).rejects.toThrow('400');
  await expect(house.erase({ typed: 'no phone', phone: '' })).rejects.toThrow('400');
  expect(house.world.app.security.counts).toEqual(before);
});
