/** A device keeps a copy of its branch by pulling (Decisions 13). */
import { createHmac, scryptSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aGuest, anOrder, MONA, placed } from '../support/people/guests.ts';
import { aMemberWith } from '../support/people/identity.ts';
import { aProgramme } from '../support/people/reward-members.ts';
import { elevateAll } from '../support/people/second-factors.ts';
import {
  aStaffedShop,
  pairedTill,
  PIN,
  setCredentials,
  signInAs,
  type SignedIn,
} from '../support/people/staff.ts';
import { aFreeTable } from '../support/people/table-guests.ts';
import { coffees, ticketsBy } from '../support/people/tickets.ts';
import { aCounterSale, anOpenTill } from '../support/people/tills.ts';
import { done, post, postOk, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops } from '../support/shops/cafe.ts';
import { freshReplica, pull, type HowToPull } from '../support/sync/replica.ts';

let world: World;
let owner: SignedIn;
let device: Readonly<Record<string, string>>;
let how: HowToPull;
beforeAll(async () => {
  world = await makeWorld({ limitScale: 100_000 });
  await openShops(world, aStaffedShop(undefined, { loyalty: aProgramme() }));
  await setCredentials(world);
  owner = await signInAs(world, 'owner');
  await anOpenTill(world, 'owner');
  ({ device } = await pairedTill(world));
  how = { branchId: branchId(), device };
});
afterAll(() => world.close());

describe('the whole state', () => {
  test('has the settings, people, menu and tables of the branch', async () => {
    const replica = await freshReplica(world, how);
    expect(replica.of('branch_settings')).toHaveLength(1);
    for (const type of ['staff', 'category', 'menu_item', 'table', 'till'] as const)
      expect(replica.of(type).length, type).toBeGreaterThan(0);
  });

  test('is the same in pages of every size', async () => {
    const { rows } = await freshReplica(world, how);
    for (const limit of [1, 2, 3, 7, 2_000]) {
      const paged = await freshReplica(world, { ...how, limit });
      expect(paged.rows, `pages of ${limit}`).toEqual(rows);
    }
  });
});

describe('changes', () => {
  test('of a ticket come, and the settled one leaves', async () => {
    const replica = await freshReplica(world, how);
    const floor = ticketsBy(world, owner);
    const ticket = await floor.open({ table_id: await aFreeTable(world), items: coffees(2) });
    await replica.catchUp();
    expect(replica.of('open_ticket')).toMatchObject([{ id: ticket.id, status: 'open' }]);
    expect(replica.rows).toEqual((await freshReplica(world, how)).rows);
  });
});

describe('of guests', () => {
  test('devices see a name, the last digits of the phone and the card, and no phone anywhere', async () => {
    const { phone } = MONA;
    const member = await aMemberWith(world, { points: 120 });
    await placed(world, anOrder());
    await post(world, '/staff/sales', { ...aCounterSale(), member_id: member.cardId }, owner);
    const replica = await freshReplica(world, how);
    expect(replica.of('customer')).toContainEqual(
      expect.objectContaining({ id: member.customerId, member_id: member.cardId, points: 165 }),
    );
    const text = JSON.stringify(replica.rows);
    for (const digits of [phone, member.phone]) expect(text).not.toContain(digits);
  });

  test('one who is combined with another, and one who is erased, leave', async () => {
    const [kept, lost] = [await aMemberWith(world, { points: 50 }), await aMemberWith(world, { points: 70 })];
    for (const { cardId } of [kept, lost])
      done(
        'sellOverCounter',
        await post(world, '/staff/sales', { ...aCounterSale(), member_id: cardId }, owner),
      );
    const replica = await freshReplica(world, how);
    const merge = `/staff/customers/${kept.customerId}/merge`;
    await postOk(world, owner, merge, { customer_id: lost.customerId });
    await replica.catchUp();
    const ids = () => replica.of('customer').map(({ id }) => id);
    expect(ids()).toContain(kept.customerId);
    expect(ids()).not.toContain(lost.customerId);
    expect(replica.rows).toEqual((await freshReplica(world, how)).rows);
    await elevateAll(world);
    await postOk(world, owner, '/staff/people/erase', { phone: kept.typed });
    await replica.catchUp();
    expect(ids()).not.toContain(kept.customerId);
    expect(replica.rows).toEqual((await freshReplica(world, how)).rows);
  });
});

describe('a device sees its own branch alone', () => {
  test('another branch, also of its shop, is unknown to it', async () => {
    const asked = { branch_id: branchId('maadi') };
    expect(refusalOf(await post(world, '/sync/pull', asked, device))).toMatchObject({
      ...{ status: 404, code: 'DEVICE_OF_OTHER_BRANCH' },
    });
  });

  test('nothing that happens at another branch is told, not even an id', async () => {
    const replica = await freshReplica(world, how);
    const { device: other } = await pairedTill(world, 'maadi');
    const there = await freshReplica(world, { branchId: branchId('maadi'), device: other });
    const order = await placed(
      world,
      anOrder({ branch_id: branchId('maadi'), customer_phone: aGuest().typed }),
    );
    const { changes, next } = await replica.step();
    expect(changes).toEqual([]);
    expect(next).toBeGreaterThan(0);
    await there.catchUp();
    expect(there.of('delivery')).toMatchObject([{ id: order.id }]);
  });

  test('a person who works elsewhere is no row of it', async () => {
    const replica = await freshReplica(world, how);
    const names = replica.of('staff').map(({ name }) => name);
    expect(names).toContain('waiter');
    expect(names).not.toContain('ramy');
  });
});

test('a PIN is verified offline with what a device has, and with nothing else', async () => {
  const replica = await freshReplica(world, how);
  const person = replica.of('staff').find(({ name }) => name === 'waiter');
  const { N, r, p, salt, key, hash } = person?.['pin'] as Record<'N' | 'r' | 'p', number> &
    Record<'salt' | 'key' | 'hash', string>;
  const check = (pin: string): string =>
    createHmac('sha256', Buffer.from(key, 'base64url'))
      .update(scryptSync(pin, Buffer.from(salt, 'base64url'), 32, { N, r, p }))
      .digest('base64url');
  expect(check(PIN)).toBe(hash);
  expect(check('1234')).not.toBe(hash);
  expect(Object.keys(person ?? {}).sort()).toEqual(['id', 'name', 'permissions', 'pin', 'role']);
});

describe('bad input', () => {
  const CASES: readonly (readonly [string, object, string])[] = [
    ['an unknown type', { types: ['recipe'] }, 'types[0]'],
    ['no type', { types: [] }, 'types'],
    ['a type twice', { types: ['sale', 'sale'] }, 'types'],
    ['no row', { limit: 0 }, 'limit'],
    ['too many rows', { limit: 2_001 }, 'limit'],
    ['half a row', { limit: 1.5 }, 'limit'],
    ['a negative number', { since: -1 }, 'since'],
    ['a number beyond what is exact', { since: 2 ** 53 }, 'since'],
    ['text for a number', { since: '4' }, 'since'],
    ['a cursor of nobody', { cursor: 'eyJhIjoxfQ' }, 'cursor'],
    ['a cursor of another type', { types: ['sale'], cursor: '4:till:' }, 'cursor'],
    ['a cursor beside a number', { since: 4, cursor: '4:till:' }, 'cursor'],
    ['an unknown field', { page: 2 }, 'page'],
  ];

  test.each(CASES)('%s names its field', async (_, fields, path) => {
    const refused = refusalOf(await post(world, '/sync/pull', { branch_id: branchId(), ...fields }, device));
    expect(refused).toMatchObject({ status: 400, fields: [{ path }] });
  });

  test('a number that the log has not reached asks for the whole state', async () => {
    const { next } = await pull(world, how);
    const ahead = await pull(world, how, { since: next + 1 });
    expect(ahead).toMatchObject({ full: false, resync_required: true, has_more: false, changes: [] });
    const cursor = `${next + 1}:staff:`;
    expect(await pull(world, how, { cursor })).toMatchObject({ resync_required: true });
  });

  test('neither a person nor a device that was revoked can pull', async () => {
    const asked = { branch_id: branchId() };
    expect(refusalOf(await post(world, '/sync/pull', asked, owner)).status).toBe(401);
    const lost = await pairedTill(world);
    await elevateAll(world);
    await postOk(world, owner, `/staff/devices/${lost.id}/revoke`, {});
    expect(refusalOf(await post(world, '/sync/pull', asked, lost.device)).status).toBe(401);
  });
});
