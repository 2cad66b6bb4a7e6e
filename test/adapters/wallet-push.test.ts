/** Pushes against a stand-in of the vendor's push server. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createWalletOne } from '../../src/adapters/wallets/wallet-one.ts';
import type { WalletOne } from '../../src/ports.ts';
import { openPushServer, type PushServer } from '../support/stand-ins/push-server.ts';
import {
  fileWith,
  issue,
  keyText,
  passSubject,
  walletOneSettings,
} from '../support/stand-ins/wallet-certificates.ts';

const PHONE = 'ab'.repeat(32);

let server: PushServer;
let wallet: WalletOne;
beforeAll(async () => {
  server = await openPushServer();
  wallet = createWalletOne({ ...walletOneSettings(server.url), ca: server.ca, timeLimitMs: 5_000 });
});
afterEach(() => {
  server.instead = null;
  server.pushed.length = 0;
});
afterAll(async () => {
  wallet.close();
  await server.stop();
});

test('a push goes out with the certificate of the pass type, over one connection', async () => {
  expect(await wallet.push(PHONE)).toEqual({ sent: true, providerId: null });
  expect(await wallet.push(PHONE)).toEqual({ sent: true, providerId: null });
  expect(server.pushed).toEqual([PHONE, PHONE]);
  expect(server.connections).toBe(1);
});

describe('a phone', () => {
  test('that has removed the pass is gone', async () => {
    server.unregistered.add('cd'.repeat(32));
    expect(await wallet.push('cd'.repeat(32))).toMatchObject({ sent: false, again: 'gone' });
  });

  test('whose token the vendor does not know is gone', async () => {
    expect(await wallet.push('not-a-token')).toEqual({
      ...{ sent: false, again: 'gone', reason: 'the push server answered 400 BadDeviceToken' },
    });
  });
});

describe('an answer', () => {
  test.each([
    ['403 of a refused certificate', 'later', { status: 403, reason: 'BadCertificate' }],
    ['404', 'never', { status: 404, reason: 'BadPath' }],
    ['400 of a wrong topic', 'never', { status: 400, reason: 'TopicDisallowed' }],
    ['410', 'gone', { status: 410, reason: 'Unregistered' }],
    ['500', 'later', { status: 500, reason: 'InternalServerError' }],
    ['503', 'later', { status: 503, reason: 'Shutdown' }],
    ['nonsense with 500', 'later', { status: 500, text: '<html>' }],
    ['302', 'later', { status: 302, headers: { location: 'https://elsewhere.example' } }],
  ] as const)('of %s is told as %s', async (_, again, instead) => {
    server.instead = instead;
    expect(await wallet.push(PHONE)).toMatchObject({ sent: false, again });
  });

  test('of 429 asks for the wait that the vendor names', async () => {
    server.instead = { status: 429, reason: 'TooManyRequests', headers: { 'retry-after': '30' } };
    expect(await wallet.push(PHONE)).toMatchObject({ again: 'later', waitMs: 30_000 });
  });

  test('whose reason is no word is told without it', async () => {
    server.instead = { status: 500, reason: 'a reason\nwith a token abc' };
    expect(await wallet.push(PHONE)).toMatchObject({ reason: 'the push server answered 500' });
  });
});

test('a server that says nothing is given up after the time limit, and the next push connects anew', async () => {
  const hasty = createWalletOne({ ...walletOneSettings(server.url), ca: server.ca, timeLimitMs: 200 });
  server.instead = 'silence';
  expect(await hasty.push(PHONE)).toMatchObject({
    again: 'later',
    reason: 'no answer of the push server within 0.2 s',
  });
  server.instead = null;
  expect(await hasty.push(PHONE)).toMatchObject({ sent: true });
  hasty.close();
});

test('a push without an answer leaves the others of its connection alone', async () => {
  const silent = 'ef'.repeat(32);
  server.silentTo.add(silent);
  const hasty = createWalletOne({ ...walletOneSettings(server.url), ca: server.ca, timeLimitMs: 1_000 });
  const others = Array.from({ length: 7 }, () => hasty.push(PHONE));
  const outcomes = await Promise.all([hasty.push(silent), ...others]);
  expect(outcomes.map(({ sent }) => sent)).toEqual([false, ...others.map(() => true)]);
  expect(await hasty.push(PHONE)).toMatchObject({ sent: true });
  hasty.close();
});

test('a server that is not there delays', async () => {
  const other = await openPushServer();
  const lost = createWalletOne({ ...walletOneSettings(other.url), ca: other.ca, timeLimitMs: 5_000 });
  await other.stop();
  expect(await lost.push(PHONE)).toMatchObject({
    again: 'later',
    reason: 'no connection to the push server (ECONNREFUSED)',
  });
  lost.close();
});

test('a certificate of another authority is refused by the server, which delays', async () => {
  const root = issue({ subject: { CN: 'Another root' }, isAuthority: true });
  const pass = issue({ subject: passSubject(), by: root });
  const files = {
    certificate: fileWith(pass.certificate),
    key: fileWith(keyText(pass)),
    intermediate: fileWith(root.certificate),
  };
  const other = createWalletOne({ ...walletOneSettings(server.url, files), ca: server.ca });
  expect(await other.push(PHONE)).toMatchObject({ again: 'later' });
  other.close();
});
