/** `ahwa wallet check` against stand-ins of both vendors. */
import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createPictureRenderer } from '../../adapters/picture-renderer.ts';
import {
  addressFinding,
  checkWalletOne,
  checkWalletTwo,
  type Finding,
} from '../../adapters/wallets/check.ts';
import type { WalletOneSettings } from '../../adapters/wallets/material.ts';
import { walletCommands, type WalletFindings } from './wallet.ts';
import { openPushServer, type PushServer } from '../../../test/support/stand-ins/push-server.ts';
import {
  fileWith,
  intermediateOf,
  issue,
  keyText,
  passSubject,
  walletChain,
  walletOneSettings,
} from '../../../test/support/stand-ins/wallet-certificates.ts';
import {
  openWalletTwo,
  walletTwoError,
  type WalletTwoServer,
} from '../../../test/support/stand-ins/wallet-two.ts';

const NOW = Date.parse('2026-11-20T18:00:00Z');
const clock = { now: () => NOW };

let push: PushServer;
let api: WalletTwoServer;
beforeAll(async () => {
  push = await openPushServer();
  api = await openWalletTwo();
});
afterEach(() => {
  push.instead = null;
  api.instead = api.insteadOfTokens = null;
});
afterAll(async () => {
  await push.stop();
  await api.stop();
});

const one = (own: Partial<WalletOneSettings> = {}): Promise<readonly Finding[]> =>
  checkWalletOne({ ...walletOneSettings(push.url, own), ca: push.ca }, createPictureRenderer(), clock);
const two = (own: object = {}): Promise<readonly Finding[]> =>
  checkWalletTwo({ ...api.settings, clock, origin: 'https://ahwa.example', ...own });
const faultsIn = (findings: readonly Finding[]): string[] =>
  findings.filter(({ isFault }) => isFault).map(({ sentence }) => sentence);

const printed = async (findings: WalletFindings): Promise<{ text: string; fault: unknown }> => {
  const lines: string[] = [];
  const program = new Command('ahwa');
  walletCommands(
    program,
    () => Promise.resolve(findings),
    (text) => lines.push(text),
  );
  const fault: unknown = await program.parseAsync(['wallet', 'check'], { from: 'user' }).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return { text: lines.join('\n'), fault };
};

test('a whole set-up is told line by line', async () => {
  const { text, fault } = await printed({ 'Apple Wallet': await one(), 'Google Wallet': await two() });
  expect(fault).toBeNull();
  expect(text.replace(/\d+ bytes/, 'N bytes').replaceAll(/:\d{4,5}/g, '')).toBe(
    [
      'Apple Wallet:',
      '  ✓ The certificate of pass.example.ahwa is valid for 8077 days, until 2049-01-01.',
      '  ✓ The intermediate certificate is G4, and has issued it.',
      '  ✓ The push server https://localhost answers, and takes the certificate.',
      '  ✓ A test pass of N bytes was made, and its signature and hashes are right.',
      'Google Wallet:',
      '  ✓ The API of Google Wallet answers for issuer 3388000000012345678.',
      '  ✓ A test save link was signed, and its signature is right.',
    ].join('\n'),
  );
});

test('a wallet that is off is no fault', async () => {
  const { text, fault } = await printed({ 'Apple Wallet': null, 'Google Wallet': null });
  expect(fault).toBeNull();
  expect(text).toContain('It is off: none of its settings is set');
});

describe('a fault ends the command with an error and says what to do:', () => {
  test('settings that are missing', async () => {
    const { text, fault } = await printed({ 'Apple Wallet': await one({ key: null }) });
    expect(text).toContain('✗ Apple Wallet is off: WALLET_ONE_KEY must be set too');
    expect(String(fault)).toContain('1 of these is to be corrected');
  });

  test('a certificate that ends soon, and one that has expired', async () => {
    const { intermediate } = walletChain();
    const until = async (date: string) => {
      const made = issue({ subject: passSubject(), by: intermediate, until: date });
      return one({ certificate: fileWith(made.certificate), key: fileWith(keyText(made)) });
    };
    expect((await until('261201180000Z'))[0]).toMatchObject({
      isFault: true,
      sentence:
        'The certificate of pass.example.ahwa is valid for 11 days, until 2026-12-01; renew it now: passes answer 503 from then on.',
    });
    expect(faultsIn(await until('261101180000Z'))).toEqual([
      expect.stringMatching('WALLET_ONE_CERTIFICATE expired on Nov  1 18:00:00 2026 GMT; make a new one'),
    ]);
  });

  test('a public address without https', () => {
    expect(faultsIn([addressFinding('http://localhost:8080')])).toEqual([
      expect.stringMatching('set it to the public https address'),
    ]);
    expect(faultsIn([addressFinding('https://ahwa.example')])).toEqual([]);
  });

  test('an intermediate of another generation', async () => {
    const older = intermediateOf(walletChain().root, 'G1');
    const made = issue({ subject: passSubject(), by: older });
    const own = { certificate: fileWith(made.certificate), key: fileWith(keyText(made)) };
    expect(faultsIn(await one({ ...own, intermediate: fileWith(older.certificate) }))).toContainEqual(
      expect.stringMatching(/is G1, and phones trust passes by G4 alone; make a new certificate/),
    );
  });

  test('a push server that refuses the certificate', async () => {
    push.instead = { status: 403, reason: 'BadCertificate' };
    expect(faultsIn(await one())).toEqual([
      expect.stringMatching(
        /cannot be used \(the push server answered 403 BadCertificate\); let this machine/,
      ),
    ]);
  });

  test('an issuer account that does not know the service account', async () => {
    api.instead = walletTwoError(403);
    expect(faultsIn(await two())).toEqual([
      expect.stringMatching(/403\); add wallet@.* as a user of the issuer/),
    ]);
  });

  test('a key that the vendor refuses, and an API that is away', async () => {
    api.insteadOfTokens = (response) => response.writeHead(400).end('{"error":"invalid_grant"}');
    expect(faultsIn(await two())).toEqual([expect.stringMatching('make a new JSON key')]);
    api.insteadOfTokens = (response) => response.destroy();
    expect(faultsIn(await two())).toEqual([expect.stringMatching('let this machine connect to')]);
  });
});
