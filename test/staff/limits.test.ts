/**
 * Identity of rate limits on the staff side (Decisions 15): the signed-in person or device, else the address.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BUCKETS } from '../../src/doors/http/limits/limits.ts';
import { branchId, shopId } from '../support/shops/cafe.ts';
import {
  aStaffedWorld,
  emailOf,
  pairedTill,
  PASSWORD,
  personId,
  PIN,
  type SignedIn,
  signInAs,
  type Till,
} from '../support/people/staff.ts';
import { post, refusalOf } from '../support/server/requests.ts';
import type { World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

const SCALE = 0.05;
const MOST = BUCKETS.staff.burst * SCALE;
const MAX_WRITES = BUCKETS.writes.burst * SCALE;

let world: World;
let till: Till;
let teller: SignedIn;
let waiter: SignedIn;
let owner: SignedIn;

let made = 0;
const anAddress = (): string => `198.51.${Math.floor((made += 1) / 200)}.${(made % 200) + 1}`;

const refill = (): void => void (world.elapsed += 10 * 60_000);

const from = (address: string, lines: object = {}): Record<string, string> => ({
  ...lines,
  'x-forwarded-for': address,
});

beforeAll(async () => {
  world = await aStaffedWorld({ limitScale: SCALE, trustedProxies: ['127.0.0.1'] });
  till = await pairedTill(world);
  refill();
  [teller, waiter] = [await till.signIn('teller'), await till.signIn('waiter')];
  refill();
  owner = await signInAs(world, 'owner');
});
beforeEach(async () => {
  refill();
  // A first sign-in makes a device known.
  for (const who of [teller, waiter, owner]) expect((await orders(anAddress(), who)).status).toBe(200);
  refill();
});
afterAll(() => world.close());

const orders = (address: string, who: object = {}): Promise<Reply> =>
  world.get(`/staff/orders?branch_id=${branchId()}`, from(address, who));

const until429 = async (ask: () => Promise<Reply>): Promise<number> => {
  for (let count = 0; count <= 1_000; count += 1) {
    const reply = await ask();
    if (reply.status !== 429) continue;
    expect(refusalOf(reply).code).toBe('RATE_LIMITED');
    expect(reply.headers['retry-after']).toBe(String(refusalOf(reply).retry_after_seconds));
    return count;
  }
  throw new Error('never refused');
};

describe('rate limits of the staff side', () => {
  test('requests of one signed-in person share a limit across addresses, apart from other people', async () => {
    expect(await until429(() => orders(anAddress(), owner))).toBe(MOST);
    const reply = await orders(anAddress(), teller);
    expect(reply.status).toBe(200);
    expect(reply.headers['ratelimit-policy']).toContain(`"staff";q=${MOST};w=60`);
    expect(reply.headers['ratelimit']).toContain(`"staff";r=${MOST - 1}`);
  });

  test('all people signed in on one device share its limit', async () => {
    let turn = 0;
    expect(await until429(() => orders(anAddress(), (turn += 1) % 2 === 0 ? teller : waiter))).toBe(MOST);
    expect((await orders(anAddress(), owner)).status).toBe(200);
    expect((await world.get('/staff/pin', from(anAddress(), till.device))).status).toBe(429);
  });

  test('requests without a valid token count by address and never block signed-in staff', async () => {
    const [shared, elsewhere] = [anAddress(), anAddress()];
    let guess = 0;
    const guessed = () => orders(shared, { authorization: `Bearer stf_guess${(guess += 1)}` });
    expect(await until429(guessed)).toBe(MOST);
    expect((await orders(shared)).status).toBe(429);
    expect((await orders(shared, teller)).status).toBe(200);
    expect((await orders(elsewhere)).status).toBe(401);
  });

  test('requests with an ended token count by address', async () => {
    const gone = await signInAs(world, 'kitchen');
    expect((await orders(anAddress(), gone)).status).toBe(200);
    expect((await world.send('POST', '/staff/sign-out', from(anAddress(), gone))).status).toBe(200);
    expect((await orders(anAddress(), gone)).status).toBe(401);
    const shared = anAddress();
    expect(await until429(() => orders(shared, gone))).toBe(MOST);
    expect((await orders(anAddress(), gone)).status).toBe(401);
  });

  test('requests with a cookie share the limit of their person', async () => {
    const given = { email: emailOf('manager'), password: PASSWORD, session: 'cookie' };
    const reply = await post(world, '/staff/sign-in', given, from(anAddress()));
    const cookie = reply.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const page = { cookie, origin: new URL(world.app.baseUrl).origin };
    expect((await orders(anAddress(), page)).status).toBe(200);
    refill();
    expect(await until429(() => orders(anAddress(), page))).toBe(MOST);
    expect((await orders(anAddress(), owner)).status).toBe(200);
  });
});

test('PIN sign-ins of a till have their own, lower limit', async () => {
  expect((await world.get('/staff/pin', from(anAddress(), till.device))).status).toBe(200);
  const pin = { staff_id: personId('kitchen'), pin: PIN };
  const signIn = () => post(world, '/staff/pin', pin, from(anAddress(), till.device));
  expect(await until429(signIn)).toBe(MAX_WRITES);
  expect((await world.get('/staff/pin', from(anAddress(), till.device))).status).toBe(200);
});

describe('POST /staff/sign-in', () => {
  const signIn = (address: string, lines: object = {}): Promise<Reply> =>
    post(world, '/staff/sign-in', { email: emailOf('manager'), password: PASSWORD }, from(address, lines));

  test('sign-ins count by address, whatever token is sent', async () => {
    const shared = anAddress();
    const tokens = [owner, teller, waiter, {}];
    let turn = 0;
    expect(await until429(() => signIn(shared, tokens[(turn += 1) % 4]))).toBe(MAX_WRITES);
    expect((await signIn(anAddress(), owner)).status).toBe(200);
    const code = { pairing_code: 'AAAA AAAA' };
    expect((await post(world, '/staff/devices/pair', code, from(shared, owner))).status).toBe(429);
  });
});

test('public requests count by address, whatever token is sent', async () => {
  const shared = anAddress();
  const tokens = [owner, teller, {}];
  let turn = 0;
  const branches = (address: string) =>
    world.get(`/public/branches?org_id=${shopId()}`, from(address, tokens[(turn += 1) % 3]));
  expect(await until429(() => branches(shared))).toBe(BUCKETS.ordering_reads.burst * SCALE);
  expect((await branches(anAddress())).status).toBe(200);
});
