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
const reauthenticate = (who: SignedIn, email: string, password = PASSWORD): Promise<Reply> =>
  post(world, '/staff/re-authenticate', { email, password }, who);

const expectReauthentication = (reply: Reply, permission: string): void =>
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

describe('a PIN session', () => {
  test.each(['owner', 'manager', 'teller', 'waiter', 'kitchen'] as const)(
    'a PIN session of a %s has no permission that requires the password',
    async (person) => {
      const session = await byPin(person);
      expect(session.elevated_until).toBeNull();
      expect(session.permissions).toEqual(
        permissionsOf(person).filter((permission) => !needsPassword(permission)),
      );
      expect(session.permissions.filter((permission) => /^(people|devices)\./.test(permission))).toEqual([]);
    },
  );

  test('a PIN session of an owner gets REAUTHENTICATION_REQUIRED for people and devices, in both languages', async () => {
    const till = await pairedTill(world);
    const owner = await till.signIn('owner');
    const pairing = { branch_id: branchId(), label: 'الكاشير' };
    expectReauthentication(await exported(owner), 'people.export');
    expectReauthentication(
      await post(world, '/staff/people/erase', { phone: '0155 000 0000' }, owner),
      'people.erase',
    );
    expectReauthentication(await post(world, '/staff/devices', pairing, owner), 'devices.pair');
    expectReauthentication(await devicesOf(owner), 'devices.pair');
    expectReauthentication(
      await world.send('POST', `/staff/devices/${till.id}/revoke`, { ...owner }),
      'devices.pair',
    );
    const arabic = await world.get('/staff/devices', { ...owner, 'accept-language': 'ar' });
    expect(refusalOf(arabic).error).toBe('أكد بريدك الإلكتروني وكلمة المرور أولًا.');
    expect((await world.get('/staff/audit', { ...owner })).status).toBe(200);
  });

  test('a role without the permission gets NOT_PERMITTED, elevated or not', async () => {
    const till = await pairedTill(world);
    const teller = await till.signIn('teller');
    const refused = { status: 403, code: 'NOT_PERMITTED' };
    expect(refusalOf(await devicesOf(teller))).toMatchObject(refused);
    await elevate(world, teller, 'teller');
    expect(refusalOf(await devicesOf(teller))).toMatchObject(refused);
  });

  test('the password elevates a PIN session for exactly ten minutes', async () => {
    const till = await pairedTill(world);
    const owner = await till.signIn('owner');
    const reply = done('reauthenticate', await reauthenticate(owner, emailOf('owner')));
    expect(reply.permissions).toEqual(permissionsOf('owner'));
    expect(reply.elevated_until).toBe(new Date(world.now + 10 * MINUTE).toISOString());
    expect((await exported(owner)).status).toBe(200);
    world.now += 10 * MINUTE - 1;
    expect((await devicesOf(owner)).status).toBe(200);
    world.now += 1;
    expectReauthentication(await devicesOf(owner), 'devices.pair');
    expectReauthentication(await exported(owner), 'people.export');
    expect((await reauthenticate(owner, emailOf('owner'))).status).toBe(200);
    expect((await exported(owner)).status).toBe(200);
  });
});

describe('an e-mail session', () => {
  test('an e-mail session is elevated for its first ten minutes only', async () => {
    const given = { email: emailOf('owner'), password: PASSWORD };
    const session = done('staffSignIn', await post(world, '/staff/sign-in', given));
    expect(session.elevated_until).toBe(new Date(world.now + 10 * MINUTE).toISOString());
    expect(session.permissions).toEqual(permissionsOf('owner'));
    const owner = { authorization: `Bearer ${session.token}` };
    expect((await exported(owner)).status).toBe(200);
    world.now += 10 * MINUTE;
    expectReauthentication(await exported(owner), 'people.export');
    expect((await world.get(`/staff/orders?branch_id=${branchId()}`, owner)).status).toBe(200);
    await elevate(world, owner, 'owner');
    expect((await exported(owner)).status).toBe(200);
  });
});

describe('re-authentication', () => {
  test('re-authentication with the account of a colleague or another shop is refused', async () => {
    const till = await pairedTill(world);
    const owner = await till.signIn('owner');
    for (const email of [emailOf('manager'), emailOf('owner', 'kashk'), 'nobody@example.com', 'no address'])
      expect(refusalOf(await reauthenticate(owner, email))).toMatchObject({
        status: 403,
        code: 'CREDENTIALS_WRONG',
      });
    expectReauthentication(await exported(owner), 'people.export');
  });

  test('re-authentication elevates this session only', async () => {
    const till = await pairedTill(world);
    const [one, two] = [await till.signIn('owner'), await till.signIn('owner')];
    await elevate(world, one, 'owner');
    expect((await devicesOf(one)).status).toBe(200);
    expectReauthentication(await devicesOf(two), 'devices.pair');
  });

  test('a wrong password leaves the session open and counts with the other wrong ones', async () => {
    const manager = await signInAs(world, 'manager');
    for (let tried = 0; tried < 3; tried += 1)
      expect((await reauthenticate(manager, emailOf('manager'), `wrong password ${tried}`)).status).toBe(403);
    const signIn = (password: string) =>
      post(world, '/staff/sign-in', { email: emailOf('manager'), password });
    expect((await signIn('wrong password 3')).status).toBe(401);
    expect((await signIn('wrong password 4')).status).toBe(401);
    expect(refusalOf(await reauthenticate(manager, emailOf('manager')))).toMatchObject({
      status: 429,
      code: 'RATE_LIMITED',
    });
    expect((await world.get(`/staff/orders?branch_id=${branchId()}`, { ...manager })).status).toBe(200);
  });

  test('of 20 concurrent re-authentications with wrong passwords five are verified', async () => {
    const till = await pairedTill(world);
    const owner = await till.signIn('owner');
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) => reauthenticate(owner, emailOf('owner'), `wrong password ${at}`)),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 403)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
  });

  test('re-authentication requires a staff session', async () => {
    expect(
      (await post(world, '/staff/re-authenticate', { email: emailOf('owner'), password: PASSWORD })).status,
    ).toBe(401);
    const till = await pairedTill(world);
    expect((await reauthenticate(till.device, emailOf('owner'))).status).toBe(401);
  });
});
