/** Exports and erasures are security events without personal data. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aCard } from '../support/people/guests.ts';
import { openPersonalDataFixture, type PersonalDataFixture } from '../support/people/personal-data.ts';
import { eventsIn } from '../support/server/security-events.ts';

let fixture: PersonalDataFixture;
beforeAll(async () => {
  fixture = await openPersonalDataFixture();
});
afterAll(() => fixture.close());

const ids = { org_id: expect.any(String) as string, staff_id: expect.any(String) as string };

test('an export and an erasure log one security event each, without personal data', async () => {
  const { world } = fixture;
  const guest = await fixture.newGuest();
  const memberToken = await aCard(world, guest, 'كناري');
  const order = await fixture.delivered(fixture.orderDelivery(guest, { customer_name: 'كناري' }));
  await fixture.exportOf(guest);
  await fixture.erase(guest);
  expect(eventsIn(world.logged, 'person_exported')).toEqual([
    { ...ids, device_id: null, orders: 1, addresses: 1, bookings: 0, tickets: 0, sales: 0 },
  ]);
  expect(eventsIn(world.logged, 'person_erased')).toEqual([
    {
      ...ids,
      device_id: null,
      erased: true,
      orders: 1,
      open_orders: 0,
      bookings: 0,
      open_bookings: 0,
      open_tickets: 0,
    },
  ]);
  expect(world.app.security.counts).toMatchObject({ person_exported: 1, person_erased: 1 });
  const bearer = fixture.owner.authorization.replace('Bearer ', '');
  const secrets = ['كناري', guest.phone, guest.typed, guest.token, memberToken, bearer, 'شارع البرازيل'];
  for (const canary of [...secrets, order.id]) expect(world.logged.join('\n')).not.toContain(canary);
});

test('a refused export or erasure is no security event', async () => {
  const before = { ...fixture.world.app.security.counts };
  await expect(fixture.exportOf({ typed: 'no phone', phone: '' })).rejects.toThrow('400');
  await expect(fixture.erase({ typed: 'no phone', phone: '' })).rejects.toThrow('400');
  expect(fixture.world.app.security.counts).toEqual(before);
});
