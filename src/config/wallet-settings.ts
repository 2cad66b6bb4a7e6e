/**
 * Settings of the two wallets. Their form is checked where they are used: a mistake switches a wallet off, and the
 * server starts all the same (Decisions 11).
 */
import { resolve } from 'node:path';
import { setting } from './setting.ts';
import { baseUrl, secretText, shortText } from './values.ts';

const file = (what: string, doc: string) =>
  setting<string | null>({
    parse: (text) => (text.includes('\0') ? undefined : resolve(text)),
    defaultValue: null,
    defaultText: 'none',
    allowed: `the path of ${what}`,
    doc,
  });

const text = (allowed: string, doc: string) =>
  setting<string | null>({ parse: shortText, defaultValue: null, defaultText: 'none', allowed, doc });

const address = (standard: string, doc: string) =>
  setting({
    parse: baseUrl,
    defaultValue: standard,
    defaultText: standard,
    allowed: 'an http:// or https:// address without a query',
    doc,
  });

export const WALLET_SETTINGS = {
  WALLET_ONE_CERTIFICATE: file(
    'a PEM file',
    'Certificate of the pass type, with which passes of Apple Wallet are signed (docs/operations.md, Wallets). Apple Wallet needs this setting, the key, the intermediate, the pass type and the team; with none of them it is off.',
  ),
  WALLET_ONE_KEY: file('a PEM file', 'Private key of WALLET_ONE_CERTIFICATE.'),
  WALLET_ONE_KEY_PASSPHRASE: setting<string | null>({
    parse: secretText,
    defaultValue: null,
    defaultText: 'none: the key is not encrypted',
    allowed: 'printable characters without spaces',
    doc: 'Passphrase of WALLET_ONE_KEY.',
    secret: true,
  }),
  WALLET_ONE_INTERMEDIATE: file(
    'a PEM file',
    "Apple's intermediate certificate that issued WALLET_ONE_CERTIFICATE: WWDR G4.",
  ),
  WALLET_ONE_PASS_TYPE: text(
    'the pass type identifier, such as pass.example.cafe',
    'Pass type identifier, as in the certificate.',
  ),
  WALLET_ONE_TEAM: text('the ten characters of the team', 'Team identifier, as in the certificate.'),
  WALLET_ONE_PUSH: address('https://api.push.apple.com', 'Push server that tells phones of changed passes.'),
  WALLET_TWO_ISSUER: text(
    'the digits of the issuer account',
    'Issuer id of Google Wallet. Google Wallet needs this setting and the service account; with none of them it is off.',
  ),
  WALLET_TWO_SERVICE_ACCOUNT: file(
    'a JSON file',
    'Key of the service account that may write to the issuer account of Google Wallet.',
  ),
  WALLET_TWO_API: address('https://walletobjects.googleapis.com', 'Where the API of Google Wallet is.'),
};
