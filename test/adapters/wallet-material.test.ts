/** Signing material that is missing, wrong or too old: one sentence for the operator. */
import { describe, expect, test } from 'vitest';
import { createWalletOne } from '../../src/adapters/wallets/wallet-one.ts';
import type { WalletOneSettings } from '../../src/adapters/wallets/material.ts';
import {
  fileWith,
  intermediateOf,
  issue,
  keyText,
  passSubject,
  walletChain,
  walletOneSettings,
} from '../support/stand-ins/wallet-certificates.ts';

const NOW = Date.parse('2026-11-20T18:00:00Z');

const faultOf = (own: Partial<WalletOneSettings>, now = NOW): string | null =>
  createWalletOne(walletOneSettings('https://push.example', own)).fault(now);

test('a whole chain has no fault', () => {
  expect(faultOf({})).toBeNull();
});

test('an encrypted key is opened with its passphrase', () => {
  const key = fileWith(keyText(walletChain().pass, 'open sesame'));
  expect(faultOf({ key, passphrase: 'open sesame' })).toBeNull();
  expect(faultOf({ key, passphrase: 'wrong' })).toMatch('WALLET_ONE_KEY cannot be opened');
  expect(faultOf({ key })).toMatch('WALLET_ONE_KEY_PASSPHRASE');
});

describe('a fault is one sentence that names the setting:', () => {
  const { root, intermediate } = walletChain();
  const certificateOf = (made: ReturnType<typeof issue>) => ({
    certificate: fileWith(made.certificate),
    key: fileWith(keyText(made)),
  });
  const cases: readonly (readonly [string, () => Partial<WalletOneSettings>, RegExp])[] = [
    [
      'settings missing',
      () => ({ key: null, team: null }),
      /WALLET_ONE_KEY, WALLET_ONE_TEAM must be set too/,
    ],
    [
      'a file missing',
      () => ({ certificate: '/nowhere' }),
      /WALLET_ONE_CERTIFICATE cannot be read \(ENOENT\)/,
    ],
    ['no certificate', () => ({ intermediate: fileWith('x') }), /WALLET_ONE_INTERMEDIATE is no certificate/],
    ['no key', () => ({ key: fileWith('x') }), /WALLET_ONE_KEY cannot be opened/],
    [
      'another key',
      () => ({ key: fileWith(keyText(root)) }),
      /WALLET_ONE_KEY is not the key of WALLET_ONE_CERTIFICATE/,
    ],
    [
      'a key of another kind',
      () => certificateOf(issue({ subject: passSubject(), by: intermediate, kind: 'ec' })),
      /WALLET_ONE_KEY is no RSA key/,
    ],
    [
      'an intermediate of another generation',
      () => ({ intermediate: fileWith(intermediateOf(root, 'G1').certificate) }),
      /WALLET_ONE_INTERMEDIATE \(G1\) has not issued the certificate; give Apple's WWDR G4/,
    ],
    [
      'an intermediate with the right name and another key',
      () => ({ intermediate: fileWith(intermediateOf(root, 'G4').certificate) }),
      /WALLET_ONE_INTERMEDIATE \(G4\) has not issued/,
    ],
    [
      'another pass type',
      () => ({ passType: 'pass.other' }),
      /is pass\.other, but .* of pass\.example\.ahwa/,
    ],
    ['another team', () => ({ team: 'Z9Z9Z9Z9Z9' }), /is Z9Z9Z9Z9Z9, but .* of A1B2C3D4E5/],
    [
      'an expired certificate',
      () => certificateOf(issue({ subject: passSubject(), by: intermediate, until: '251120180000Z' })),
      /WALLET_ONE_CERTIFICATE expired on Nov 20 18:00:00 2025 GMT/,
    ],
    [
      'a certificate of the future',
      () => certificateOf(issue({ subject: passSubject(), by: intermediate, from: '270101000000Z' })),
      /WALLET_ONE_CERTIFICATE is valid from Jan {2}1 00:00:00 2027 GMT on/,
    ],
  ];
  test.each(cases)('%s', (_, own, sentence) => {
    const fault = faultOf(own());
    expect(fault).toMatch(sentence);
    expect(fault).toMatch(/^Apple Wallet is off: [^\n]+ \(docs\/operations\.md, Wallets\)\.$/);
  });
});

test('a certificate that expires while the server runs is found at its next use', () => {
  const { intermediate } = walletChain();
  const made = issue({ subject: passSubject(), by: intermediate, until: '261201000000Z' });
  const own = { certificate: fileWith(made.certificate), key: fileWith(keyText(made)) };
  const wallet = createWalletOne(walletOneSettings('https://push.example', own));
  expect(wallet.fault(Date.parse('2026-11-30T23:59:59Z'))).toBeNull();
  expect(wallet.fault(Date.parse('2026-12-01T00:00:00Z'))).toMatch('expired');
});

test('without material a push waits for it', async () => {
  const wallet = createWalletOne(walletOneSettings('https://push.example', { key: null }));
  expect(await wallet.push('ab'.repeat(32))).toMatchObject({ again: 'later' });
});
