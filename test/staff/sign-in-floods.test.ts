/** Sign-ins under attack, with limits on: known devices and other addresses get in. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openShops } from '../support/shops/cafe.ts';
import { done, post } from '../support/server/requests.ts';
import {
  aStaffedShop,
  emailOf,
  pairedTill,
  PASSWORD,
  type Person,
  setCredentials,
  type StaffReply,
  type Till,
} from '../support/people/staff.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

const HOUR = 60 * 60_000;

let world: World;
beforeAll(async () => {
  // Costlier hashes than in other tests, so that sign-ins wait for each other.
  world = await makeWorld({
    limitScale: 1,
    trustedProxies: ['127.0.0.1'],
    hashCost: { N: 2 ** 11, r: 8, p: 1 },
  });
  await openShops(world, aStaffedShop());
  await setCredentials(world);
});
afterAll(() => world.close());

const signIn = (email: string, password: string, from: string, knownDevice?: string): Promise<Reply> =>
  post(
    world,
    '/staff/sign-in',
    { email, password },
    { 'x-forwarded-for': from, ...(knownDevice !== undefined && { 'x-known-device': knownDevice }) },
  );

const aKnownDevice = async (): Promise<string> => {
  const reply: StaffReply<'staffSignIn'> = done(
    'staffSignIn',
    await signIn(emailOf('owner'), PASSWORD, '192.0.2.250'),
  );
  return reply.known_device ?? '';
};

/**
 * Concurrent tries of unknown clients, and among them the owner, from another address and on a known device.
 */
const underFlood = async (
  known: string,
  count: number,
  aTry: (at: number) => Promise<Reply>,
  unknownDevice: { readonly email: string; readonly from: string },
) => {
  const flood = Array.from({ length: count }, (_, at) => aTry(at));
  const own = [
    signIn(unknownDevice.email, PASSWORD, unknownDevice.from),
    signIn(emailOf('owner'), PASSWORD, '203.0.113.251', known),
  ];
  const [elsewhere, onKnown] = await Promise.all(own);
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  const countOf = (status: number): number => statuses.filter((each) => each === status).length;
  return { elsewhere: elsewhere?.status, onKnown: onKnown?.status, countOf };
};

const nextDay = (): void => {
  world.now += 24 * HOUR;
  world.elapsed += 24 * HOUR;
};

describe('120 concurrent sign-ins from two addresses', () => {
  test('at one account: ten are verified; the owner gets in elsewhere and on a known device', async () => {
    const known = await aKnownDevice();
    const { elsewhere, onKnown, countOf } = await underFlood(
      known,
      120,
      (at) => signIn(emailOf('owner'), `wrong password ${at}`, `198.51.100.${1 + (at % 2)}`),
      { email: emailOf('owner'), from: '203.0.113.7' },
    );
    expect([elsewhere, onKnown]).toEqual([200, 200]);
    expect([countOf(401), countOf(429)]).toEqual([10, 110]);
  });

  test('at 120 accounts: all are verified; the owner gets in elsewhere and on a known device', async () => {
    nextDay();
    const known = await aKnownDevice();
    const { elsewhere, onKnown, countOf } = await underFlood(
      known,
      120,
      (at) => signIn(`nobody-${at}@example.com`, 'wrong password', `198.51.100.${1 + (at % 2)}`),
      { email: emailOf('owner'), from: '203.0.113.7' },
    );
    expect([elsewhere, onKnown]).toEqual([200, 200]);
    expect(countOf(401)).toBe(120);
  });
});

test('constant PIN sign-ins at four tills do not delay a password sign-in', async () => {
  // So costly that two hashings at a time are always busy with PINs.
  const busy = await makeWorld({ hashCost: { N: 2 ** 14, r: 8, p: 1 } });
  try {
    await openShops(busy, aStaffedShop());
    await setCredentials(busy);
    const tills = await Promise.all(Array.from({ length: 4 }, () => pairedTill(busy)));
    let pinsVerified = 0;
    const again = async (till: Till, person: Person): Promise<void> => {
      for (let time = 0; time < 6; time += 1, pinsVerified += 1) await till.signIn(person);
    };
    const people = ['teller', 'waiter', 'kitchen'] as const;
    const flood = Promise.all(tills.flatMap((till) => people.map((person) => again(till, person))));
    const given = { email: emailOf('owner'), password: PASSWORD };
    expect((await post(busy, '/staff/sign-in', given)).status).toBe(200);
    const before = pinsVerified;
    await flood;
    expect([before < 36, pinsVerified]).toEqual([true, 72]);
  } finally {
    await busy.close();
  }
});

test('400 concurrent sign-ins from ten addresses block neither another address nor a known device', async () => {
  nextDay();
  const known = await aKnownDevice();
  const { elsewhere, onKnown, countOf } = await underFlood(
    known,
    400,
    (at) => signIn(`nobody-${at}@example.com`, 'wrong password', `198.51.100.${1 + (at % 10)}`),
    { email: emailOf('manager'), from: '203.0.113.7' },
  );
  expect([elsewhere, onKnown]).toEqual([200, 200]);
  expect(countOf(401) + countOf(503)).toBe(400);
});
