/** Google Wallet against a stand-in that refuses what the real API refuses. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createWalletTwo } from '../../src/adapters/wallets/wallet-two.ts';
import { aFace } from '../../src/loyalty/domain/card-face.test-support.ts';
import { loyaltyClass, loyaltyObject } from '../../src/loyalty/domain/loyalty-object.ts';
import { savePayloads } from '../../src/loyalty/domain/save-payload.ts';
import type { WalletTwo } from '../../src/ports.ts';
import { fileWith } from '../support/stand-ins/wallet-certificates.ts';
import { openWalletTwo, walletTwoError, type WalletTwoServer } from '../support/stand-ins/wallet-two.ts';

const START = Date.parse('2026-11-20T18:00:00Z');
const SENT = { sent: true, providerId: null };

/** Of work without a limit of its own. */
const { signal } = new AbortController();

let server: WalletTwoServer;
let wallet: WalletTwo;
let now = START;
const clock = { now: () => now };
const place = () => ({ issuer: server.issuer, logoUrl: 'https://ahwa.example/wallet/logo/x.png' });
const aClass = () => loyaltyClass(aFace(), place());
const anObject = (balance = 42) => loyaltyObject(aFace({ balance }), server.issuer);
const open = () =>
  createWalletTwo({ ...server.settings, clock, origin: 'https://ahwa.example', timeLimitMs: 2_000 });

beforeAll(async () => {
  server = await openWalletTwo();
  wallet = open();
});
afterEach(() => {
  for (const kept of [server.classes, server.objects]) kept.clear();
  server.calls.length = 0;
  server.instead = server.insteadOfTokens = null;
  now = START;
});
afterAll(() => server.stop());

describe('a class', () => {
  test('is inserted, and patched where it is known', async () => {
    expect(await wallet.saveClass(aClass(), false, signal)).toEqual(SENT);
    const black = { ...aClass(), hexBackgroundColor: '#000000' };
    expect(await wallet.saveClass(black, true, signal)).toEqual(SENT);
    expect(server.classes.get(aClass().id)).toMatchObject({ hexBackgroundColor: '#000000' });
    expect(server.calls).toEqual(['POST loyaltyClass', 'PATCH loyaltyClass']);
  });

  test('is patched where the vendor has it unknown to us, and inserted where it has it no more', async () => {
    expect(await wallet.saveClass(aClass(), true, signal)).toEqual(SENT);
    expect(await wallet.saveClass(aClass(), false, signal)).toEqual(SENT);
    expect(server.calls).toEqual([
      ...['PATCH loyaltyClass', 'POST loyaltyClass', 'POST loyaltyClass', 'PATCH loyaltyClass'],
    ]);
  });

  test('without a required field is refused once and for all', async () => {
    const nameless = { ...aClass(), programName: '' };
    expect(await wallet.saveClass(nameless, false, signal)).toMatchObject({ again: 'never' });
  });
});

describe('an object', () => {
  test('is found and patched once its holder has saved it', async () => {
    expect(await wallet.hasObject(anObject().id, signal)).toBe(false);
    const known = { hasClass: false, hasObject: false };
    await server.save(await wallet.saveLink(savePayloads(aFace(), place(), known)[0] ?? {}));
    expect(await wallet.hasObject(anObject().id, signal)).toBe(true);
    expect(await wallet.patchObject(anObject(55), signal)).toEqual(SENT);
    expect(server.objects.get(anObject().id)).toMatchObject({
      ...{ loyaltyPoints: { balance: { int: 55 } }, secondaryLoyaltyPoints: { balance: { int: 8 } } },
    });
  });

  test('that nobody has saved is gone', async () => {
    expect(await wallet.patchObject(anObject(), signal)).toMatchObject({ sent: false, again: 'gone' });
  });
});

describe('the access token', () => {
  test('is asked for once, and again when it has expired', async () => {
    const fresh = open();
    const before = server.tokens;
    await fresh.saveClass(aClass(), false, signal);
    await fresh.saveClass(aClass(), true, signal);
    expect(server.tokens).toBe(before + 1);
    now += 3_600_000;
    server.now = () => now;
    await fresh.saveClass(aClass(), true, signal);
    expect(server.tokens).toBe(before + 2);
    server.now = () => START;
  });

  test('that the API refuses is asked for anew at the next call', async () => {
    const fresh = open();
    await fresh.saveClass(aClass(), false, signal);
    server.revoke();
    expect(await fresh.saveClass(aClass(), true, signal)).toMatchObject({ again: 'later' });
    expect(await fresh.saveClass(aClass(), true, signal)).toEqual(SENT);
  });

  test('that is not given delays, without a secret in the reason', async () => {
    const file = { ...server.settings, serviceAccount: fileWith('{}') };
    expect(createWalletTwo({ ...file, clock, origin: '' }).fault).toMatch('no key of a service account');
    server.now = () => START + 90_000_000;
    expect(await open().saveClass(aClass(), false, signal)).toEqual({
      ...{ sent: false, again: 'later', waitMs: null },
      reason: 'the token server answered 400 invalid_grant',
    });
    server.now = () => START;
  });
});

describe('an answer', () => {
  test.each<[string, 'later' | 'never', NonNullable<WalletTwoServer['instead']>]>([
    ['401', 'later', walletTwoError(401)],
    ['403', 'later', walletTwoError(403)],
    ['410', 'later', walletTwoError(410)],
    ['429', 'later', walletTwoError(429)],
    ['500', 'later', walletTwoError(500)],
    ['503', 'later', walletTwoError(503)],
    ['400', 'never', walletTwoError(400)],
    ['nonsense', 'later', (response) => response.end('<html>')],
    ['a redirect', 'later', (response) => response.writeHead(302, { location: 'http://127.0.0.1:9' }).end()],
    ['a broken connection', 'later', (response) => response.destroy()],
  ])('of %s is told as %s', async (_, again, instead) => {
    server.instead = instead;
    expect(await open().patchObject(anObject(), signal)).toMatchObject({ sent: false, again });
    expect(await open().hasObject(anObject().id, signal)).toMatchObject({ sent: false, again });
    expect(await open().saveClass(aClass(), false, signal)).toMatchObject({ sent: false, again });
  });

  test('of 429 asks for the wait that the vendor names', async () => {
    server.instead = walletTwoError(429, { 'retry-after': '7' });
    expect(await open().patchObject(anObject(), signal)).toMatchObject({ waitMs: 7_000 });
  });

  test('that does not come is given up after the time limit', async () => {
    server.instead = () => undefined;
    const hasty = createWalletTwo({ ...server.settings, clock, origin: '', timeLimitMs: 100 });
    expect(await hasty.patchObject(anObject(), signal)).toMatchObject({ reason: 'no answer in time' });
    server.instead = null;
    server.insteadOfTokens = () => undefined;
    const other = createWalletTwo({ ...server.settings, clock, origin: '', timeLimitMs: 100 });
    expect(await other.patchObject(anObject(), signal)).toMatchObject({ reason: 'no answer in time' });
  });
});

test('work that has been given up asks for a later try, and writes nothing', async () => {
  const ended = AbortSignal.abort(new DOMException('', 'TimeoutError'));
  const late = { sent: false, again: 'later', reason: 'no answer in time' };
  expect(await open().saveClass(aClass(), false, ended)).toMatchObject(late);
  expect(await open().hasObject(anObject().id, ended)).toMatchObject(late);
  expect(await open().patchObject(anObject(), ended)).toMatchObject(late);
  expect(server.calls).toEqual([]);
});

describe('a save link', () => {
  const lengthOf = (link: string): number => link.length - link.lastIndexOf('/') - 1;

  test('has a signature of the service account, and names a known object by its ids', async () => {
    const [payload = {}] = savePayloads(aFace(), place(), { hasClass: true, hasObject: true });
    const link = await open().saveLink(payload);
    expect(link).toMatch(/^https:\/\/pay\.google\.com\/gp\/v\/save\/eyJ[\w-]+\.[\w-]+\.[\w-]+$/);
    const { cardId, orgId } = aFace();
    expect(await server.claimsOf(link)).toEqual({
      ...{ iss: server.email, aud: 'google', typ: 'savetowallet', iat: START / 1_000 },
      origins: ['https://ahwa.example'],
      payload: {
        loyaltyObjects: [{ id: `${server.issuer}.${cardId}-1`, classId: `${server.issuer}.${orgId}` }],
      },
    });
    const forged = `${link.slice(0, -4)}AAAA`;
    await expect(server.claimsOf(forged)).rejects.toThrow();
  });

  test('carries what the vendor does not have yet, within the length that it allows', async () => {
    const long = { ar: 'أ'.repeat(40), en: 'A name of forty characters, which is lon' };
    const face = aFace({ shopName: long, programName: long, firstName: 'عبدالرحمن' });
    const [payload = {}] = savePayloads(face, place(), { hasClass: false, hasObject: false });
    const link = await open().saveLink(payload);
    expect(lengthOf(link)).toBeLessThanOrEqual(1_800);
    const { payload: carried } = await server.claimsOf(link);
    expect(carried['loyaltyClasses']?.[0]).toMatchObject({ id: aClass().id, issuerName: long.en });
    expect(carried['loyaltyObjects']?.[0]).toMatchObject({
      ...{ state: 'ACTIVE', loyaltyPoints: { balance: { int: 42 } } },
    });
  });
});

describe('settings that cannot be used are one sentence:', () => {
  test.each([
    ['the issuer missing', { issuer: null }, /WALLET_TWO_ISSUER must be set too/],
    ['the account missing', { serviceAccount: null }, /WALLET_TWO_SERVICE_ACCOUNT must be set too/],
    ['an issuer that is no number', { issuer: 'ahwa' }, /WALLET_TWO_ISSUER must be the digits/],
    ['a file that is not there', { serviceAccount: '/nowhere' }, /WALLET_TWO_SERVICE_ACCOUNT cannot be read/],
  ])('%s', (_, own, sentence) => {
    const { fault } = createWalletTwo({ ...server.settings, ...own, clock, origin: '' });
    expect(fault).toMatch(sentence);
    expect(fault).toMatch(/^Google Wallet is off: [^\n]+ \(docs\/operations\.md, Wallets\)\.$/);
  });
});
