/** A shop that is closed for a move: nothing of it changes or leaves, and all of it goes on when it is opened. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { closeShop, isClosed, openShop, watchLastMessages } from '../../src/shopfile/app/move-shop.ts';
import { sendingProcess, TAKEN } from '../support/background/outbox-worker.ts';
import { deferred } from '../support/background/manual-timers.ts';
import { sweepTogether } from '../support/background/sweeper.ts';
import { backupOf, restored } from '../support/database/backups.ts';
import { newId } from '../support/database/ids.ts';
import { lockWait } from '../support/database/lock-wait.ts';
import { auditOf } from '../support/database/stored-rows.ts';
import { asOwner, freshDatabase, withAdmin } from '../support/database/test-database.ts';
import { anOrder, placed, proveOn, refusedAndNothing } from '../support/people/guests.ts';
import { aJoin, aProgramme, join, joined } from '../support/people/members.ts';
import {
  aStaffedShop,
  aStaffedWorld,
  change,
  pairedTill,
  personId,
  PIN,
  signInAs,
} from '../support/people/staff.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops, shopId, SLUG, thingId } from '../support/shops/cafe.ts';
import { eventsOf } from '../support/sync/device-events.ts';
import { pull } from '../support/sync/replica.ts';

let world: World;
beforeEach(async () => {
  world = await aStaffedWorld({ limitScale: 0 });
});
afterEach(() => world.close());

const statusOf = async (id: string): Promise<string[]> => {
  const rows = await world.db.kysely
    .selectFrom('delivery_order')
    .select('status')
    .where('org_id', 'in', [shopId(), shopId(OTHER)])
    .where('id', '=', id)
    .execute();
  return rows.map(({ status }) => status);
};

const OTHER = 'zawya';
const SHOP = { orgId: shopId(), slug: SLUG };
const MOVING = { status: 503, code: 'SHOP_MOVING' };

describe('a closed shop', () => {
  test('is one until it is opened', async () => {
    expect(await isClosed(world.app, SHOP)).toBe(false);
    await closeShop(world.app, SHOP);
    expect(await isClosed(world.app, SHOP)).toBe(true);
    await openShop(world.app, SHOP);
    expect(await isClosed(world.app, SHOP)).toBe(false);
  });

  test('takes no order, leaves nothing of it and says when to try again', async () => {
    await closeShop(world.app, SHOP);
    expect(await refusedAndNothing(world, anOrder())).toMatchObject(MOVING);
    const { headers } = await post(world, '/public/delivery-orders', anOrder());
    expect(headers['retry-after']).toBe('30');
  });

  test('is shown as before, and its staff read', async () => {
    const owner = await signInAs(world, 'owner');
    const order = await placed(world);
    await closeShop(world.app, SHOP);
    const menu = `/public/branches/${branchId()}/menu?channel=pickup&preview=true`;
    expect((await world.get(menu)).status).toBe(200);
    expect((await world.get(`/staff/orders/${order.id}`, { ...owner })).status).toBe(200);
    expect((await signInAs(world, 'owner')).authorization).toMatch(/^Bearer stf_/);
  });

  test('refuses changes of its staff, also those that no device hears of', async () => {
    const owner = await signInAs(world, 'owner');
    const { id, revision } = await placed(world);
    await closeShop(world.app, SHOP);
    const replies = [
      await change(world, owner, id, 'move', { to: 'confirmed', revision }),
      await post(world, '/staff/devices', { branch_id: branchId(), label: 'A till' }, { ...owner }),
    ];
    for (const reply of replies) expect(refusalOf(reply)).toMatchObject(MOVING);
  });

  test('lets nobody of its staff sign out: the session goes on where the shop has moved to', async () => {
    const owner = await signInAs(world, 'owner');
    await closeShop(world.app, SHOP);
    expect(refusalOf(await world.send('POST', '/staff/sign-out', { ...owner }))).toMatchObject(MOVING);
    await openShop(world.app, SHOP);
    done('staffSignOut', await world.send('POST', '/staff/sign-out', { ...owner }));
  });

  test('lets its staff sign in by a PIN, also where the hash is under another key', async () => {
    const till = await pairedTill(world);
    await closeShop(world.app, SHOP);
    const there = await makeWorld({
      ...{ database: world.database, secretKeys: ['a new key', 'a key of the tests'] },
      now: new Date(world.now).toISOString(),
    });
    onTestFinished(() => there.close());
    const given = { staff_id: personId('manager'), pin: PIN };
    for (let times = 0; times < 2; times += 1)
      done('pinSignIn', await post(there, '/staff/pin', given, till.device));
  });

  test('changes nothing of a member who joins again', async () => {
    await openShops(world, aStaffedShop(SLUG, { loyalty: aProgramme() }));
    const device_token = await proveOn(world);
    await joined(world, { device_token });
    await closeShop(world.app, SHOP);
    expect(refusalOf(await join(world, aJoin({ name: 'منى', device_token })))).toMatchObject(MOVING);
  });

  test('records no event of a device, not even one that would wait', async () => {
    const { device } = await pairedTill(world);
    await closeShop(world.app, SHOP);
    const event = eventsOf(world, 'manager', world.now - 60_000);
    for (const told of [
      event('ticket_open', { ticket_id: newId() }),
      event('till_close', { till_id: newId(), counted: { cash: 0 } }),
    ]) {
      const body = { branch_id: branchId(), device_time: new Date(world.now).toISOString(), events: [told] };
      expect(refusalOf(await post(world, '/sync/replay', body, { ...device }))).toMatchObject(MOVING);
    }
  });

  test('sends nothing; what waits is sent when it is opened again', async () => {
    await placed(world);
    await closeShop(world.app, SHOP);
    const sent: string[] = [];
    const sending = sendingProcess(
      (row) => {
        sent.push(row.subjectId);
        return TAKEN;
      },
      world.app.clock,
      world.database.connection,
    );
    onTestFinished(() => sending.close());
    await sending.worker.drain();
    expect(sent).toEqual([]);
    expect(await openShop(world.app, SHOP)).toEqual({ was: 'move', parked: 0 });
    await sending.worker.drain();
    expect(sent.length).toBe(1);
  });

  test('is swept no more, and holds up no other shop', async () => {
    await openShops(world, aStaffedShop(OTHER));
    const ours = await placed(world);
    const theirs = await placed(
      world,
      anOrder({
        branch_id: branchId('zamalek', OTHER),
        items: [{ menu_item_id: thingId('item', 'turkish', OTHER), quantity: 1 }],
      }),
    );
    await asOwner(world.database, 'update branch set auto_reject_minutes = 60');
    await closeShop(world.app, SHOP);
    world.now += 24 * 60 * 60_000;
    await sweepTogether(world);
    expect((await statusOf(ours.id)).concat(await statusOf(theirs.id))).toEqual(['received', 'rejected']);
  });
});

test('closing waits for changes that are being written, and for messages that are being sent', async () => {
  await placed(world);
  const answer = deferred();
  const begun = deferred();
  const sending = sendingProcess(
    async () => {
      begun.resolve();
      await answer.promise;
      return TAKEN;
    },
    world.app.clock,
    world.database.connection,
  );
  onTestFinished(() => sending.close());
  const drained = sending.worker.drain();
  await begun.promise;
  await withAdmin({ connection: world.database.owner }, async (client) => {
    await client.query('begin');
    await client.query('update change_counter set seq = seq + 1 where org_id = $1', [SHOP.orgId]);
    const closing = closeShop(world.app, SHOP);
    await lockWait(world);
    await client.query('commit');
    await closing;
  });
  const isSending = await watchLastMessages(world.app, SHOP);
  expect(await isSending()).toBe(true);
  answer.resolve();
  await drained;
  expect(await isSending()).toBe(false);
});

test('a shop that is opened again takes orders; its devices begin anew', async () => {
  const { device } = await pairedTill(world);
  const how = { branchId: branchId(), device };
  const { next } = await pull(world, how);
  await closeShop(world.app, SHOP);
  await closeShop(world.app, SHOP);
  expect(await openShop(world.app, SHOP)).toMatchObject({ was: 'move' });
  expect(await openShop(world.app, SHOP)).toEqual({ was: null, parked: 0 });
  await placed(world);
  expect((await pull(world, how, { since: next })).resync_required).toBe(true);
  expect((await auditOf(world, SHOP.orgId)).map(({ action }) => action)).toEqual(
    expect.arrayContaining(['shop.closed', 'shop.opened']),
  );
});

test.each([
  ['was closed before its backup sends what waits', true, { was: 'move', parked: 0 }],
  ['was not closed parks it: the other installation has sent it', false, { was: 'restore', parked: 1 }],
])('a restored shop that %s', async (_, isClosed, opened) => {
  await placed(world);
  if (isClosed) await closeShop(world.app, SHOP);
  const backup = await backupOf(world.database.owner, undefined, undefined, SHOP);
  const database = await freshDatabase();
  onTestFinished(() => database.release());
  await restored(database.owner, backup);
  const there = await makeWorld({ database, limitScale: 0, now: new Date(world.now).toISOString() });
  onTestFinished(() => there.close());
  expect(await refusedAndNothing(there, anOrder())).toMatchObject(MOVING);
  expect(await openShop(there.app, SHOP)).toEqual(opened);
  await placed(there);
});
