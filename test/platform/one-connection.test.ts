/** A transaction that waited for a second connection would wait for itself once all connections have one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { PATIENT } from '../support/database/patient-options.ts';
import { SAYS_SPREAD } from '../support/database/says-spread.ts';
import { asOwner, freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { aBooking } from '../support/people/bookings.ts';
import { aGuest, anOrder, placed } from '../support/people/guests.ts';
import { changed, signInAs, type SignedIn } from '../support/people/staff.ts';
import { aStaffBooking, bookedByStaff, changeBy, openDesk } from '../support/people/staff-bookings.ts';
import { done, post } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { aTable, SLUG } from '../support/shops/cafe.ts';

describe.each([
  ['one server', false],
  ['a spread database', true],
])('with one connection to %s', (_, isSpread) => {
  let database: TestDatabase;
  let world: World;
  let owner: SignedIn;
  beforeAll(async () => {
    database = await freshDatabase();
    if (isSpread) await asOwner(database, SAYS_SPREAD);
    const throughOne = () => connect<Database>(database.connection, { ...PATIENT, size: 1 });
    world = await makeWorld({ limitScale: 1_000, database, throughDb: throughOne });
    await openDesk(world, [aTable('t1', 2), aTable('t2', 4)]);
    owner = await signInAs(world, 'owner');
  });
  afterAll(async () => {
    await world.close();
    await database.release();
  });

  test('a guest books a table', async () => {
    done('bookTable', await post(world, '/public/bookings', aBooking({ phone: aGuest().typed })));
  });

  test('the staff book for a guest, whose phone changes', async () => {
    const called = await bookedByStaff(world, aStaffBooking(world, SLUG, { phone: aGuest().typed }));
    const other = { phone: aGuest().typed };
    done('changeStaffBooking', await changeBy(world, called, other));
  });

  test('an order is placed and delivered', async () => {
    const { id } = await placed(world, anOrder({ customer_phone: aGuest().typed }));
    await changed(world, owner, id, 'move', { to: 'ready', from: 'received' });
    const delivered = await changed(world, owner, id, 'finalize', { payment_method: 'cash', from: 'ready' });
    expect(delivered.status).toBe('delivered');
  });
});
