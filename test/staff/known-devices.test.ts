/** Many wrong passwords of an account: unknown devices wait, known devices do not. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setPassword } from '../../src/staff/app/staff.ts';
import { openShops, SLUG } from '../support/shops/cafe.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { aStaffedShop, emailOf, pairedTill, PASSWORD, setCredentials } from '../support/people/staff.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const NEW_PASSWORD = 'another password of the tests';

let world: World;
beforeAll(async () => {
  world = await makeWorld({ trustedProxies: ['127.0.0.1'] });
  await openShops(world, aStaffedShop(), aStaffedShop('kashk'));
  await setCredentials(world);
  await setCredentials(world, 'kashk');
});
afterAll(() => world.close());

interface Where {
  readonly from?: string;
  readonly known?: string | undefined;
}

const signIn = (
  email: string,
  password: string,
  { from = '203.0.113.7', known }: Where = {},
): Promise<Reply> =>
  post(
    world,
    '/staff/sign-in',
    { email, password },
    { 'x-forwarded-for': from, ...(known !== undefined && { 'x-known-device': known }) },
  );

const givenAt = async (email: string, known?: string): Promise<string | null> =>
  done('staffSignIn', await signIn(email, PASSWORD, { from: '192.0.2.77', known })).known_device;

const deviceOf = async (email: string): Promise<string> => (await givenAt(email)) ?? '';

/** Wrong passwords, each from a different address; returns the statuses. */
let addresses = 0;
const guesses = async (email: string, count: number): Promise<number[]> => {
  const statuses: number[] = [];
  for (let at = 0; at < count; at += 1) {
    addresses += 1;
    const from = `198.51.${100 + Math.floor(addresses / 200)}.${1 + (addresses % 200)}`;
    statuses.push((await signIn(email, `wrong password ${at}`, { from })).status);
  }
  return statuses;
};

const waitOf = async (email: string): Promise<number> => {
  const refusal = refusalOf(await signIn(email, PASSWORD, { from: '203.0.113.99' }));
  expect(refusal).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  return refusal.retry_after_seconds ?? 0;
};

const aDayLater = (): void => {
  world.now += DAY;
};

describe('wrong passwords of an account from many addresses', () => {
  test('unknown devices wait longer each time, a known device never waits', async () => {
    aDayLater();
    const email = emailOf('owner');
    const known = await deviceOf(email);
    expect(await guesses(email, 11)).toEqual(Array(11).fill(401));
    for (const wait of [5, 15, 60, 300, 900, 900]) {
      expect(await waitOf(email)).toBe(wait);
      expect((await signIn(email, PASSWORD, { known })).status).toBe(200);
      world.now += wait * SECOND;
      expect(await guesses(email, 1)).toEqual([401]);
    }
    world.now += 15 * MINUTE;
    expect((await signIn(email, PASSWORD, { from: '203.0.113.99' })).status).toBe(200);
  });

  test('of 50 concurrent wrong passwords 11 are verified', async () => {
    aDayLater();
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        signIn(emailOf('manager'), `wrong password ${at}`, { from: `198.51.90.${1 + at}` }),
      ),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(11);
    expect(statuses.filter((status) => status === 429)).toHaveLength(39);
  });

  test('an unknown account is delayed like a known one', async () => {
    aDayLater();
    expect(await guesses('nobody@example.com', 11)).toEqual(Array(11).fill(401));
    expect(await waitOf('nobody@example.com')).toBe(5);
  });
});

describe('a known-device token', () => {
  test('a known-device token is issued at sign-in and lasts 90 days after its last use', async () => {
    aDayLater();
    const email = emailOf('owner');
    const known = await deviceOf(email);
    expect(known).toMatch(/^kdv_[\w-]{43}$/);
    world.now += 89 * DAY;
    expect(await givenAt(email, known)).toBeNull();
    world.now += 90 * DAY - 1;
    expect(await givenAt(email, known)).toBeNull();
    world.now += 90 * DAY;
    expect(await givenAt(email, known)).toMatch(/^kdv_/);
  });

  test('a known-device token is stored as a hash and is no bearer token', async () => {
    const known = await deviceOf(emailOf('owner'));
    const rows = await world.db.kysely.selectFrom('known_device').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(known.slice(4));
    expect((await world.get('/staff/orders', { authorization: `Bearer ${known}` })).status).toBe(401);
  });

  test('a token of a colleague or of a till of another shop counts as an unknown device', async () => {
    aDayLater();
    const email = emailOf('owner');
    const [own, colleagues] = [await deviceOf(email), await deviceOf(emailOf('manager'))];
    const [till, other] = [await pairedTill(world), await pairedTill(world, 'zamalek', 'kashk')];
    const tokenOf = ({ device }: typeof till): string => device.authorization.slice('Bearer '.length);
    expect(await guesses(email, 11)).toEqual(Array(11).fill(401));
    const statusWith = async (known: string): Promise<number> =>
      (await signIn(email, PASSWORD, { known })).status;
    expect(await statusWith(own)).toBe(200);
    expect(await statusWith(tokenOf(till))).toBe(200);
    expect(await statusWith(colleagues)).toBe(429);
    expect(await statusWith(tokenOf(other))).toBe(429);
    expect(await statusWith(`kdv_${'x'.repeat(43)}`)).toBe(429);
  });

  test('a known device lets its person sign in after wrong guesses from the same address', async () => {
    aDayLater();
    const email = emailOf('manager');
    const known = await deviceOf(email);
    for (let wrong = 0; wrong < 5; wrong += 1) await signIn(email, `wrong password ${wrong}`);
    expect((await signIn(email, PASSWORD)).status).toBe(429);
    expect((await signIn(email, PASSWORD, { known })).status).toBe(200);
  });

  test('a known device has its own limit of five wrong passwords in 15 minutes', async () => {
    aDayLater();
    const email = emailOf('manager');
    const known = await deviceOf(email);
    for (let wrong = 0; wrong < 5; wrong += 1)
      expect(
        (await signIn(email, `wrong ${wrong} password`, { known, from: `198.51.80.${1 + wrong}` })).status,
      ).toBe(401);
    expect((await signIn(email, PASSWORD, { known, from: '198.51.80.50' })).status).toBe(429);
    expect((await signIn(email, PASSWORD, { from: '198.51.80.50' })).status).toBe(200);
  });

  test('a password change keeps or issues the token of this device only', async () => {
    aDayLater();
    const email = emailOf('teller');
    const [own, other] = [await deviceOf(email), await deviceOf(email)];
    const session = done('staffSignIn', await signIn(email, PASSWORD, { known: own }));
    const change = async (from: string, to: string, known?: string) => {
      const lines = {
        authorization: `Bearer ${session.token}`,
        ...(known !== undefined && { 'x-known-device': known }),
      };
      const body = { current_password: from, new_password: to };
      return done('changePassword', await post(world, '/staff/me/password', body, lines)).known_device;
    };
    expect(await change(PASSWORD, NEW_PASSWORD, own)).toBeNull();
    const given = await change(NEW_PASSWORD, PASSWORD);
    expect(given).toMatch(/^kdv_/);
    const last = await change(PASSWORD, NEW_PASSWORD, given ?? '');
    expect(last).toBeNull();
    expect(await guesses(email, 11)).toEqual(Array(11).fill(401));
    const statusOn = async (known: string) => (await signIn(email, NEW_PASSWORD, { known })).status;
    expect([await statusOn(given ?? ''), await statusOn(own), await statusOn(other)]).toEqual([
      200, 429, 429,
    ]);
  });

  test('a password set by the operator clears the wrong tries of unknown devices', async () => {
    aDayLater();
    const email = emailOf('kitchen');
    expect(await guesses(email, 11)).toEqual(Array(11).fill(401));
    expect((await signIn(email, PASSWORD)).status).toBe(429);
    await setPassword(world.app, SLUG, email, NEW_PASSWORD);
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200);
  });

  test('a known device counts as unknown after the operator sets another password', async () => {
    aDayLater();
    const email = emailOf('owner', 'kashk');
    const known = await deviceOf(email);
    await setPassword(world.app, 'kashk', email, NEW_PASSWORD);
    expect(await guesses(email, 11)).toEqual(Array(11).fill(401));
    expect((await signIn(email, NEW_PASSWORD, { known })).status).toBe(429);
  });
});
