/** A till without the server reads vouchers, and gives rewards against them alone (Decisions 13). */
import { webcrypto } from 'node:crypto';
import { join } from 'node:path';
import fc from 'fast-check';
import { build } from 'vite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createVoucherKeys } from '../../src/adapters/voucher-keys.ts';
import { TillQuotes, type TillRows } from '../../src/client/till/quote.ts';
import { VoucherUses } from '../../src/client/till/voucher-uses.ts';
import { readVoucher, type VoucherReader } from '../../src/client/till/voucher.ts';
import { voucherIdIn, voucherOf, type Voucher, type VoucherKey } from '../../src/loyalty/domain/voucher.ts';
import { createKeyring } from '../../src/platform/app/keyring.ts';
import { sweepTogether } from '../support/background/sweeper.ts';
import { launchBrowser } from '../support/browser/launch.ts';
import { newId } from '../support/database/ids.ts';
import { aMember, aProgramme } from '../support/people/reward-members.ts';
import { aStaffedShop, pairedTill, setCredentials, type SignedIn } from '../support/people/staff.ts';
import { altered, claimsOf, signedVoucher, voucherOfCard } from '../support/people/vouchers.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops, shopId, thingId } from '../support/shops/cafe.ts';
import { freshReplica, type Replica } from '../support/sync/replica.ts';

const MINUTE = 60_000;
const ROOT = join(import.meta.dirname, '../..');

let world: World;
let device: SignedIn;
let replica: Replica;
beforeAll(async () => {
  world = await makeWorld({ limitScale: 100_000, secretKeys: ['the key of today'] });
  await openShops(world, aStaffedShop(undefined, { loyalty: aProgramme({ offline_limit: 30 }) }));
  await setCredentials(world);
  ({ device } = await pairedTill(world));
});
afterAll(() => world.close());
beforeEach(async () => {
  replica = await freshReplica(world, { branchId: branchId(), device });
});

const rowsOf = ({ copy }: Replica): TillRows => {
  const rows = copy.tillRows();
  if (rows === null) throw new Error('the device has no state');
  return rows;
};
const loyaltyOf = (of = replica) => {
  const { loyalty } = rowsOf(of).branch_settings;
  if (loyalty === null) throw new Error('the shop has no programme');
  return loyalty;
};
const reader = (more: Partial<VoucherReader> = {}): VoucherReader => ({
  ...{ orgId: shopId(), keys: loyaltyOf().voucher_keys, now: world.now, subtle: webcrypto.subtle },
  ...more,
});
const aVoucher = async (balance = 100): Promise<string> =>
  (await voucherOfCard(world, await aMember(world, balance))).voucher;

describe('a device', () => {
  test('reads the voucher of a guest with the keys that it has pulled', async () => {
    expect(loyaltyOf()).toMatchObject({ offline_limit: 30, voucher_keys: [{ kty: 'EC', crv: 'P-256' }] });
    const text = await aVoucher();
    expect(await readVoucher(` ${text}\n`, reader())).toEqual({ voucher: claimsOf(text) });
    expect(claimsOf(text)).toMatchObject({ limit: 30, mode: 'points' });
  });

  test.each<[string, string, (text: string) => string, Partial<VoucherReader>]>([
    ['is cut off', 'malformed', (text) => text.slice(0, 80), {}],
    ['is the code of a card', 'malformed', () => '7K3Q9Z0B5X8M2C4V', {}],
    ['is longer than any of ours', 'malformed', (text) => text + 'A'.repeat(1_024), {}],
    ['is of another shop', 'other_shop', (text) => text, { orgId: newId() }],
    ['was changed', 'bad_signature', altered, {}],
    ['has another signature', 'bad_signature', (text) => `${text.slice(0, -86)}${'A'.repeat(86)}`, {}],
    ['is signed by a key that it has not', 'unknown_key', (text) => text, { keys: [] }],
  ])('says what is wrong with a text that %s', async (_, problem, made, more) => {
    expect(await readVoucher(made(await aVoucher()), reader(more))).toEqual({ problem });
  });

  test('takes a voucher until its half hour is over, by the clock of the server', async () => {
    const text = await aVoucher();
    const { expiresAt } = claimsOf(text);
    expect(await readVoucher(text, reader({ now: expiresAt - 1 }))).toHaveProperty('voucher');
    expect(await readVoucher(text, reader({ now: expiresAt }))).toEqual({ problem: 'expired' });
  });

  test('has no keys where the shop gives no vouchers', async () => {
    await openShops(world, aStaffedShop(undefined, { loyalty: aProgramme() }));
    await replica.catchUp();
    expect(loyaltyOf()).toMatchObject({ offline_limit: null, voucher_keys: [] });
    await openShops(world, aStaffedShop(undefined, { loyalty: aProgramme({ offline_limit: 30 }) }));
    await replica.catchUp();
    expect(loyaltyOf().voucher_keys).toHaveLength(1);
  });

  test('hears of a new key of SECRET_KEY, and reads the vouchers of both', async () => {
    const before = await aVoucher();
    const rotated = await makeWorld({
      ...{ limitScale: 100_000, database: world.database },
      secretKeys: ['the key of tomorrow', 'the key of today'],
    });
    rotated.now = world.now;
    await sweepTogether(world);
    const follower = await freshReplica(rotated, { branchId: branchId(), device });
    const early = await freshReplica(world, { branchId: branchId(), device });
    const after = await signedVoucher(rotated, newId());
    expect(await readVoucher(after, reader({ keys: loyaltyOf(early).voucher_keys }))).toEqual({
      problem: 'unknown_key',
    });
    const since = follower.since;
    await sweepTogether(rotated);
    await follower.catchUp();
    expect(follower.since).toBeGreaterThan(since ?? 0);
    const keys = loyaltyOf(follower).voucher_keys;
    expect(keys).toHaveLength(2);
    for (const text of [before, after])
      expect(await readVoucher(text, reader({ keys }))).toHaveProperty('voucher');
    const told = follower.since;
    await sweepTogether(rotated);
    await follower.catchUp();
    expect(follower.since).toBe(told);
    await rotated.close();
  });
});

const KEYS = createVoucherKeys(createKeyring(['a key of the tests']));

const anyClaims = fc.record({
  ...{
    jti: fc.uuid(),
    iss: fc.uuid(),
    sub: fc.uuid(),
    mode: fc.constantFrom('points' as const, 'visits' as const),
  },
  ...{ limit: fc.integer({ min: 1, max: 1_000_000 }), iat: fc.integer({ min: 1, max: 4e9 }) },
  exp: fc.integer({ min: 1, max: 4e9 }),
});

const WHITE_SPACE = fc.constantFrom('', ' ', '\n', '\r\n', '\t');

describe('any voucher', () => {
  const read = (text: string, orgId: string, keys: readonly VoucherKey[], now = 0) =>
    readVoucher(text, { orgId, keys, now, subtle: webcrypto.subtle });

  test('is read as it was signed, by the device as by the server', () =>
    fc.assert(
      fc.asyncProperty(anyClaims, async (claims) => {
        const text = await KEYS.sign(claims);
        const voucher = voucherOf(claims);
        expect(await read(text, claims.iss, KEYS.published)).toEqual({ voucher });
        expect(voucherOf(await KEYS.verify(text))).toEqual(voucher);
        expect(voucherIdIn(text)).toBe(claims.jti);
      }),
      { numRuns: 50 },
    ));

  test('with white space around it, as scanners send it, is read by the device as by the server', () =>
    fc.assert(
      fc.asyncProperty(anyClaims, WHITE_SPACE, WHITE_SPACE, async (claims, before, after) => {
        const text = `${before}${await KEYS.sign(claims)}${after}`;
        const voucher = voucherOf(claims);
        expect(await read(text, claims.iss, KEYS.published)).toEqual({ voucher });
        expect(voucherOf(await KEYS.verify(text))).toEqual(voucher);
        expect(voucherIdIn(text)).toBe(claims.jti);
      }),
      { numRuns: 50 },
    ));

  test('with one character changed is none, to the device as to the server', () =>
    fc.assert(
      fc.asyncProperty(
        anyClaims,
        fc.nat(),
        fc.constantFrom('A', 'z', '-', '.', 'é'),
        async (claims, at, other) => {
          const text = await KEYS.sign(claims);
          const place = at % text.length;
          const changed = `${text.slice(0, place)}${other}${text.slice(place + 1)}`;
          // The last character of a signature has two bits that nobody reads.
          if (changed === text || place === text.length - 1) return;
          expect(await read(changed, claims.iss, KEYS.published)).toHaveProperty('problem');
          expect(await KEYS.verify(changed)).toBeNull();
        },
      ),
      { numRuns: 100 },
    ));
});

describe('what is left of a voucher on a device', () => {
  const COSTS = [
    { id: 'coffee', cost: 10 },
    { id: 'any', cost: 50 },
  ];
  const eventOf = (voucher: string, units: number, sale_id = newId(), reward = 'coffee') => ({
    data: { voucher, sale_id, rewards: [{ reward_id: reward, line_index: 0, units }] },
  });

  test('is its limit less what its sales spent, each once, and after a restart too', async () => {
    const text = await aVoucher();
    const voucher = claimsOf(text);
    const uses = new VoucherUses();
    expect(uses.left(voucher)).toBe(30);
    const event = eventOf(text, 1);
    uses.add(event, COSTS);
    uses.add(event, COSTS);
    expect(uses.left(voucher)).toBe(20);
    const again = new VoucherUses(uses.saved(world.now));
    again.add(eventOf(text, 1), COSTS);
    expect(again.left(voucher)).toBe(10);
    again.add(eventOf(text, 1, newId(), 'any'), COSTS);
    expect(again.left(voucher)).toBe(0);
    expect(again.left(claimsOf(await aVoucher()))).toBe(30);
  });

  test('counts a voucher that the scanner ended with a new line', async () => {
    const text = await aVoucher();
    const uses = new VoucherUses();
    uses.add(eventOf(`${text}\n`, 1), COSTS);
    expect(uses.left(claimsOf(text))).toBe(20);
  });

  test('counts no event without a voucher, and forgets what has expired', async () => {
    const text = await aVoucher();
    const uses = new VoucherUses();
    uses.add({ data: { sale_id: newId(), rewards: eventOf(text, 1).data.rewards } }, COSTS);
    uses.add(eventOf('x', 1), COSTS);
    expect(uses.saved(world.now)).toBe('[]');
    uses.add(eventOf(text, 1), COSTS);
    expect(new VoucherUses(uses.saved(world.now + 29 * MINUTE)).left(claimsOf(text))).toBe(20);
    expect(uses.saved(world.now + 30 * MINUTE)).toBe('[]');
  });

  test.each(['', '{}', '[1, null, {"saleId": 1}]'])('begins anew from a stored text %j', async (text) => {
    expect(new VoucherUses(text).left(claimsOf(await aVoucher()))).toBe(30);
  });
});

describe('a quote on the device', () => {
  const quoted = (voucher: Voucher, left: number, units = 1, now = world.now) => {
    const items = [{ menu_item_id: thingId('item', 'turkish'), quantity: 3 }];
    const claims = [{ rewardId: thingId('reward', 'coffee'), lineIndex: 0, units }];
    return new TillQuotes(rowsOf(replica)).quote(items, now, { claims, voucher, left });
  };
  const faultsOf = (result: ReturnType<typeof quoted>) => ('faults' in result ? result.faults : []);

  test('gives a reward for which the voucher is good', async () => {
    expect(quoted(claimsOf(await aVoucher()), 30, 2)).toMatchObject({
      quote: { rewardCost: 20, bill: { total: 4_500 }, lines: [{ rewardUnits: 2, rewardDiscount: 9_000 }] },
    });
  });

  test('gives none beyond what is left of it, beyond its limit, after its end or in another mode', async () => {
    const voucher = claimsOf(await aVoucher());
    const refusal = (balance: number, cost: number) => [
      { path: 'rewards', refusal: 'REWARD_UNAVAILABLE', figures: { balance, cost } },
    ];
    expect(faultsOf(quoted(voucher, 15, 2))).toMatchObject(refusal(15, 20));
    expect(faultsOf(quoted({ ...voucher, limit: 10 }, 30, 2))).toMatchObject(refusal(10, 20));
    expect(faultsOf(quoted(voucher, 30, 1, voucher.expiresAt))).toMatchObject(refusal(0, 10));
    expect(faultsOf(quoted({ ...voucher, mode: 'visits' }, 30))).toMatchObject(refusal(0, 10));
  });
});

test('a browser reads a voucher as Node does', async () => {
  const built = await build({
    ...{ configFile: false, logLevel: 'silent', root: ROOT },
    build: {
      ...{ write: false, minify: true },
      lib: { entry: join(ROOT, 'src/client/till/voucher.ts'), formats: ['iife'], name: 'Vouchers' },
    },
  });
  if (!Array.isArray(built)) throw new Error('A library is built once for each of its formats.');
  const code = built
    .flatMap(({ output }) => output.flatMap((part) => ('code' in part ? [part.code] : [])))
    .join('');
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ bypassCSP: true });
    // A browser verifies on a secure page alone.
    await page.goto(`${world.baseUrl}/robots.txt`);
    await page.addScriptTag({ content: code });
    const text = await aVoucher();
    const { orgId, keys, now } = reader();
    const read = (read: string) =>
      page.evaluate(
        (given) => {
          const { Vouchers } = globalThis as unknown as { Vouchers: { readVoucher: typeof readVoucher } };
          return Vouchers.readVoucher(given.text, { ...given, subtle: crypto.subtle });
        },
        { text: read, orgId, keys, now },
      );
    expect(await read(text)).toEqual({ voucher: claimsOf(text) });
    expect(await read(altered(text))).toEqual({ problem: 'bad_signature' });
  } finally {
    await browser.close();
  }
});
