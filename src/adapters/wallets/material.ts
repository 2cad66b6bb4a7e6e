/** Certificate, key and intermediate with which passes of wallet one are signed. */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Instant } from '../../kernel/time.ts';

export interface WalletOneSettings {
  /** Paths of PEM files. */
  readonly certificate: string | null;
  readonly key: string | null;
  readonly intermediate: string | null;
  readonly passphrase: string | null;
  readonly passType: string | null;
  readonly team: string | null;
  /** Address of the push server. */
  readonly push: string;
}

export interface SigningMaterial {
  readonly passType: string;
  readonly team: string;
  readonly certificate: X509Certificate;
  readonly intermediate: X509Certificate;
  /** PEM; the key is not encrypted. */
  readonly key: string;
}

/** The message is a sentence for the operator. */
class MaterialFault extends Error {}

const OFF = 'Apple Wallet is off:';
const SEE = '(docs/operations.md, Wallets)';

const fail = (what: string): never => {
  throw new MaterialFault(`${OFF} ${what} ${SEE}.`);
};

const REQUIRED = {
  certificate: 'WALLET_ONE_CERTIFICATE',
  key: 'WALLET_ONE_KEY',
  intermediate: 'WALLET_ONE_INTERMEDIATE',
  passType: 'WALLET_ONE_PASS_TYPE',
  team: 'WALLET_ONE_TEAM',
} as const satisfies Partial<Record<keyof WalletOneSettings, string>>;

type Complete = WalletOneSettings & { readonly [K in keyof typeof REQUIRED]: string };

const isComplete = (settings: WalletOneSettings): settings is Complete =>
  Object.keys(REQUIRED).every((name) => settings[name as keyof typeof REQUIRED] !== null);

const missingIn = (settings: WalletOneSettings): string =>
  Object.entries(REQUIRED)
    .filter(([name]) => settings[name as keyof typeof REQUIRED] === null)
    .map(([, variable]) => variable)
    .join(', ');

const fileAt = (variable: string, path: string): Buffer => {
  try {
    return readFileSync(path);
  } catch (fault) {
    const code = fault instanceof Error && 'code' in fault ? String(fault.code) : 'unknown';
    return fail(`the file of ${variable} cannot be read (${code}); correct the path or the rights`);
  }
};

const certificateAt = (variable: string, path: string): X509Certificate => {
  try {
    return new X509Certificate(fileAt(variable, path));
  } catch (fault) {
    if (fault instanceof MaterialFault) throw fault;
    return fail(`the file of ${variable} is no certificate; give it in PEM`);
  }
};

const keyAt = ({ key: path, passphrase }: Complete): KeyObject => {
  const pem = fileAt(REQUIRED.key, path);
  try {
    return createPrivateKey({ key: pem, ...(passphrase === null ? {} : { passphrase }) });
  } catch {
    return fail(
      'the key of WALLET_ONE_KEY cannot be opened; it must be a PEM, and its passphrase in WALLET_ONE_KEY_PASSPHRASE',
    );
  }
};

/** Parts of the subject by their short names, such as `UID` and `OU`. */
const subjectOf = (certificate: X509Certificate): Readonly<Record<string, unknown>> => ({
  ...certificate.toLegacyObject().subject,
});

const partOf = (certificate: X509Certificate, name: string): readonly string[] => {
  const value = subjectOf(certificate)[name];
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
};

/** The generation of the vendor's intermediate certificates: `G4`. */
export const generationOf = (intermediate: X509Certificate): string =>
  partOf(intermediate, 'OU')[0] ?? partOf(intermediate, 'CN')[0] ?? 'unnamed';

const isIssuedBy = (certificate: X509Certificate, intermediate: X509Certificate): boolean =>
  certificate.checkIssued(intermediate) && certificate.verify(intermediate.publicKey);

const checked = (settings: Complete): SigningMaterial => {
  const certificate = certificateAt(REQUIRED.certificate, settings.certificate);
  const key = keyAt(settings);
  const intermediate = certificateAt(REQUIRED.intermediate, settings.intermediate);
  const { passType, team } = settings;
  if (key.asymmetricKeyType !== 'rsa')
    fail('the key of WALLET_ONE_KEY is no RSA key; Apple signs pass certificates for RSA keys alone');
  if (!certificate.checkPrivateKey(key))
    fail('WALLET_ONE_KEY is not the key of WALLET_ONE_CERTIFICATE; give the key of its certificate request');
  if (!isIssuedBy(certificate, intermediate))
    fail(
      `WALLET_ONE_INTERMEDIATE (${generationOf(intermediate)}) has not issued the certificate; give Apple's WWDR G4`,
    );
  if (!partOf(certificate, 'UID').includes(passType))
    fail(
      `WALLET_ONE_PASS_TYPE is ${passType}, but the certificate is of ${partOf(certificate, 'UID').join(', ')}`,
    );
  if (!partOf(certificate, 'OU').includes(team))
    fail(`WALLET_ONE_TEAM is ${team}, but the certificate is of ${partOf(certificate, 'OU').join(', ')}`);
  return {
    ...{ passType, team, certificate, intermediate },
    key: key.export({ type: 'pkcs1', format: 'pem' }).toString(),
  };
};

/** The material, or why there is none: a sentence for the operator. */
export const readMaterial = (settings: WalletOneSettings): SigningMaterial | string => {
  try {
    if (!isComplete(settings))
      return fail(`${missingIn(settings)} must be set too, or none of the WALLET_ONE settings`);
    return checked(settings);
  } catch (fault) {
    if (fault instanceof MaterialFault) return fault.message;
    throw fault;
  }
};

const DAY_MS = 24 * 60 * 60_000;

export const endOf = ({ validTo }: X509Certificate): Instant => Date.parse(validTo);

/** Whole days until the earlier end of the two certificates. */
export const daysLeft = ({ certificate, intermediate }: SigningMaterial, now: Instant): number =>
  Math.floor((Math.min(endOf(certificate), endOf(intermediate)) - now) / DAY_MS);

/** A certificate can expire while the server runs. */
export const timeFault = ({ certificate, intermediate }: SigningMaterial, now: Instant): string | null => {
  const both = { WALLET_ONE_CERTIFICATE: certificate, WALLET_ONE_INTERMEDIATE: intermediate };
  for (const [variable, each] of Object.entries(both)) {
    if (now >= endOf(each))
      return `${OFF} ${variable} expired on ${each.validTo}; make a new one and start again ${SEE}.`;
    if (now < Date.parse(each.validFrom))
      return `${OFF} ${variable} is valid from ${each.validFrom} on; check the clock of this machine ${SEE}.`;
  }
  return null;
};
