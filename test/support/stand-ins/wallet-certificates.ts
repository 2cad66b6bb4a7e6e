/** Certificates as Apple issues them for passes: a root, an intermediate of a generation, the certificate of a pass type. */
import { generateKeyPairSync, randomInt, sign, type KeyObject } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WalletOneSettings } from '../../../src/adapters/wallets/material.ts';
import {
  BASIC_CONSTRAINTS,
  bits,
  COMMON_NAME,
  der,
  IS_AUTHORITY,
  oid,
  pem,
  sequence,
  utcTime,
} from './certificate.ts';

const PARTS = {
  UID: oid('0992268993f22c640101'),
  CN: COMMON_NAME,
  OU: oid('55040b'),
  O: oid('55040a'),
  C: oid('550406'),
} as const;

export type Subject = Readonly<Partial<Record<keyof typeof PARTS, string>>>;

const RSA_WITH_SHA256 = sequence(oid('2a864886f70d01010b'), der(0x05));

const nameOf = (subject: Subject): Buffer =>
  sequence(
    ...Object.entries(subject).map(([part, text]) =>
      der(
        0x31,
        sequence(
          PARTS[part as keyof typeof PARTS],
          der(part === 'C' ? 0x13 : 0x0c, Buffer.from(text, 'utf8')),
        ),
      ),
    ),
  );

export interface Issued {
  readonly subject: Subject;
  readonly certificate: string;
  readonly key: KeyObject;
}

export interface Issuing {
  readonly subject: Subject;
  /** Default: the certificate itself. */
  readonly by?: Issued;
  readonly isAuthority?: boolean;
  /** `YYMMDDHHMMSSZ`. */
  readonly from?: string;
  readonly until?: string;
  readonly kind?: 'rsa' | 'ec';
}

/** Two dates, as X.509 writes them. */
const FROM = '240101000000Z';
const UNTIL = '490101000000Z';

const newKeys = (kind: 'rsa' | 'ec') =>
  kind === 'rsa'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ec', { namedCurve: 'P-256' });

export const issue = (made: Issuing): Issued => {
  const { privateKey, publicKey } = newKeys(made.kind ?? 'rsa');
  const serial = Buffer.alloc(5, 1);
  serial.writeUInt32BE(randomInt(2 ** 32), 1);
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    RSA_WITH_SHA256,
    nameOf(made.by?.subject ?? made.subject),
    sequence(utcTime(made.from ?? FROM), utcTime(made.until ?? UNTIL)),
    nameOf(made.subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(made.isAuthority === true
      ? [der(0xa3, sequence(sequence(BASIC_CONSTRAINTS, der(0x04, IS_AUTHORITY))))]
      : []),
  );
  const signature = sign('sha256', body, made.by?.key ?? privateKey);
  const certificate = pem('CERTIFICATE', sequence(body, RSA_WITH_SHA256, bits(signature)));
  return { subject: made.subject, certificate, key: privateKey };
};

export const PASS_TYPE = 'pass.example.ahwa';
export const TEAM = 'A1B2C3D4E5';

const APPLE = { O: 'Apple Inc.', C: 'US' } as const;

export const intermediateOf = (root: Issued, generation: string): Issued =>
  issue({
    subject: {
      CN: 'Apple Worldwide Developer Relations Certification Authority',
      OU: generation,
      ...APPLE,
    },
    ...{ by: root, isAuthority: true },
  });

export const passSubject = (passType = PASS_TYPE, team = TEAM): Subject => ({
  UID: passType,
  CN: `Pass Type ID: ${passType}`,
  OU: team,
  O: 'Ahwa Example',
  C: 'US',
});

export interface WalletChain {
  readonly root: Issued;
  readonly intermediate: Issued;
  readonly pass: Issued;
}

let chain: WalletChain | null = null;

/** Made once per worker: three RSA keys take a second. */
export const walletChain = (): WalletChain => {
  if (chain !== null) return chain;
  const root = issue({ subject: { CN: 'Apple Root CA', ...APPLE }, isAuthority: true });
  const intermediate = intermediateOf(root, 'G4');
  return (chain = { root, intermediate, pass: issue({ subject: passSubject(), by: intermediate }) });
};

export const keyText = ({ key }: Issued, passphrase?: string): string =>
  key
    .export({
      ...{ type: 'pkcs8', format: 'pem' },
      ...(passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase }),
    } as const)
    .toString();

/** The path of a new file in the system's temporary folder. */
export const fileWith = (text: string): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'ahwa-wallet-')), 'file');
  writeFileSync(path, text, { mode: 0o600 });
  return path;
};

/** Settings with files of the chain. */
export const walletOneSettings = (push: string, own: Partial<WalletOneSettings> = {}): WalletOneSettings => {
  const { pass, intermediate } = walletChain();
  return {
    certificate: fileWith(pass.certificate),
    key: fileWith(keyText(pass)),
    intermediate: fileWith(intermediate.certificate),
    passphrase: null,
    ...{ passType: PASS_TYPE, team: TEAM, push },
    ...own,
  };
};
