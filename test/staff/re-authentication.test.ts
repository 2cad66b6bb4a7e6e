/** Permissions that a PIN session lacks: they need the password within the last ten minutes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needsPassword, permissionsOf } from '../../src/kernel/permission.ts';
import { branchId, openShops } from '../support/shops/cafe.ts';
import {
  aStaffedShop,
  elevate,
  emailOf,
  pairedTill,
  PASSWORD,
  type Person,
  personId,
  PIN,
  setCredentials,
  type SignedIn,
  signInAs,
} from '../support/people/staff.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

const MINUTE = 60_000;

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, aStaffedShop(), aStaffedShop('kashk'));
  await setCredentials(world);
  await setCredentials(world, 'kashk');
});
afterAll(() => world.close());

const exported = (who: SignedIn): Promise<Reply> =>
  post(world, '/staff/people/export', { phone: '0155 000 0000' }, who);
const devicesOf = (who: SignedIn): Promise<Reply> => world.get('/staff/devices', { ...who });
const again = (who: SignedIn, email: string, password = PASSWORD): Promise<Reply> =>
  post(world, '/staff/re-authenticate', { email, password }, who);

const wanted = (reply: Reply, permission: string): void =>
  expect(refusalOf(reply)).toMatchObject({
    status: 403,
    code: 'REAUTHENTICATION_REQUIRED',
    vars: { permission },
  });

const byPin = async (person: Person) => {
  const till = await pairedTill(world);
  const given = { staff_id: personId(person), pin: PIN };
  return done('pinSignIn', await post(world, '/staff/pin', given, till.device));
};

describe('a sign-in with a PIN', () => {
  test.each(['owner', 'manager', 'teller', 'waiter', 'kitchen'] as const)(
    'of a %s carries nothing that asks for the password, and says so',
    async (person) => {
      const session = await byPin(person);
      expect(session.elevated_until).toBeNull();
      expect(session.permissions).toEqual(
        permissionsOf(person).filter((permission) => !needsPassword(permission)),
      );
      expect(session.permissions.filter((permission) => /^(people|devices)\./.test(permission))).toEqual([]);
    },
  );

  test('of an owner hands out, erases and pairs nothing, and is told what it wants in both languages', async () => {
    const till = await pairedTill(world);
    const owner = await till.signIn('owner');
    const pairing = { branch_id: branchId(), label: 'الكاشير' };
    wanted(await exported(owner), 'people.export');
    wanted(await post(world, '/staff/people/erase', { phone: '0155 000 0000' }, owner), 'people.erase');
    wanted(await post(world, '/staff/devices', pairing, owner), 'devices.pair');
    wanted(await devicesOf(owner), 'devices.pair');
    wanted(await world.send('POST', `/staff/devices/${till.id}/revoke`, { ...owner }), 'devices.pair');
    const arabic = await world.get('/staff/devices', { ...owner, 'accept-language': 'ar' });
    expect(refusalOf(arabic).error).toBe('أكد بريدك الإلكتروني وكلمة المرور أولًا.');
    expect((await world.get('/staff/audit', { ...owner })).status).toBe(200);
  });

  test('of someone whose role may not at all is told that, and the password changes nothing of it', async () => {
    const till = await pairedTill(world);
    const teller = await till.signIn('teller');
    const refused = { status: 403, code: 'NOT_PERMITTED' };
    expect(refusalOf(await devicesOf(teller))).toMatchObject(refused);
    await elevate(world, teller, 'teller');
    expect(refusalOf(await devicesOf(teller))).toMatchObject(refused);
  });

  test('is elevated by the password for ten minutes, and not a millisecond more', async () => {
    const till = await pairedTill(world);
    const owner = await till.signIn('owner');
    const reply = done('reauthenticate', await again(owner, emailOf('owner')));
    expect(reply.permissions).toEqual(permissionsOf('owner'));
    expect(reply.elevated_until).toBe(new Date(world.now + 10 * MINUTE).toISOString());
    expect((await exported(owner)).status).toBe(200);
    world.now += 10 * MINUTE - 1;
    expect((await devicesOf(owner)).status).toBe(200);
    world.now += 1;
    wanted(await devicesOf(owner), 'devices.pair');
    wanted(await exported(owner), 'people.export');
    expect((await again(owner, emailOf('owner'))).status).toBe(200);
    expect((await exported(owner)).status).toBe(200);
  });
});

describe('a sign-in by e-mail', () => {
  test('is elevated for its first ten minutes, and from then on like any other', async () => {
    const given = { email: emailOf('owner'), password: PASSWORD };
    const session = done('staffSignIn', await post(world, '/staff/sign-in', given));
    expect(session.elevated_until).toBe(new Date(world.now + 10 * MINUTE).toISOString());
    expect(session.permissions).toEqual(permissionsOf('owner'));
    const owner = { authorization: `Bearer ${session.token}` };
    expect((await exported(owner)).status).toBe(200);
    world.now += 10 * MINUTE;
    wanted(await exported(owner), 'people.export');
    expect((await world.get(`/staff/orders?branch_id=${branchId()}`, owner)).status).toBe(200);
    await elevate(world, owner, 'owner');
    expect((await exported(owner)).status).toBe(200);
  });
});

describe('the password once more', () => {
  test('is that of the session’s own person: a colleague’s opens nothing, and another shop’s neither', async () => {
    const till = await pairedTill(world);
    const owner = await till.signIn('owner');
    for (const email of [emailOf('manager'), emailOf('owner', 'kashk'), 'nobody@example.com', 'no address'])
      expect(refusalOf(await again(owner, email))).toMatchObject({ status: 403, code: 'CREDENTIALS_WRONG' });
    wanted(await exported(owner), 'people.export');
  });

  test('elevates this session alone', async () => {
    const till = await pairedTill(world);
    const [one, two] = [await till.signIn('owner'), await till.signIn('owner')];
    await elevate(world, one, 'owner');
    expect((await devicesOf(one)).status).toBe(200);
    wanted(await devicesOf(two), 'devices.pair');
  });

  test('leaves the session as it was where it is wrong, and counts with the other wrong ones', async () => {
    const manager = await signInAs(world, 'manager');
    for (let tried = 0; tried < 3; tried += 1)
      expect((await again(manager, emailOf('manager'), `wrong password ${tried}`)).status).toBe(403);
    const signIn = (password: string) =>
      post(world, '/staff/sign-in', { email: emailOf('manager'), password });
    expect((await signIn('wrong password 3')).status).toBe(401);
    expect((await signIn('wrong password 4')).status).toBe(401);
    expect(refusalOf(await again(manager, emailOf('manager')))).toMatchObject({
      status: 429,
      code: 'RATE_LIMITED',
    });
    expect((await world.get(`/staff/orders?branch_id=${branchId()}`, { ...manager })).status).toBe(200);
  });

  test('of twenty guesses at once five are judged', async () => {
    const till = await pairedTill(world);
    const owner = await till.signIn('owner');
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) => again(owner, emailOf('owner'), `wrong password ${at}`)),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 403)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
  });

  test('needs a session', async () => {
    expect(
      (await post(world, '/staff/re-authenticate', { email: emailOf('owner'), password: PASSWORD })).status,
    ).toBe(401);
    const till = await pairedTill(world);
    expect((await again(till.device, emailOf('owner'))).status).toBe(401);
  });
});
