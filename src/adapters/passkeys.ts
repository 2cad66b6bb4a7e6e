/**
 * Passkeys (WebAuthn), by the library `@simplewebauthn/server`. It is loaded when the first passkey is asked for: loading it
 * at the start would take 65 ms and 12 MB of every process.
 */
import type { PasskeyCreated, PasskeyShown } from '../staff/domain/second-factor.ts';
import type { Passkeys } from '../ports.ts';

const library = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

interface PasskeyOptions {
  /** What the service calls itself. */
  readonly name: string;
  /** Its public address: passkeys are made for its host, and used from its pages. */
  readonly baseUrl: string;
}

const TIMEOUT_MS = 60_000;

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
const knownTransports = (given: readonly string[] = []) =>
  TRANSPORTS.filter((transport) => given.includes(transport));

/** The challenge that a browser says was signed; null where it says none. */
const challengeIn = ({ response }: PasskeyCreated | PasskeyShown): string | null => {
  try {
    const said: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'));
    if (typeof said !== 'object' || said === null || !('challenge' in said)) return null;
    return typeof said.challenge === 'string' ? said.challenge : null;
  } catch {
    return null;
  }
};

/**
 * Whether an authenticator vouches for its make with certificates. That is not asked for, and browsers leave it out; the
 * library would follow addresses in them.
 */
const hasCertificates = async ({ response }: PasskeyCreated): Promise<boolean> => {
  const { decodeAttestationObject, isoBase64URL } = await helpers();
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = attestation.get('fmt');
  if (format === 'none') return false;
  return format !== 'packed' || attestation.get('attStmt').get('x5c') !== undefined;
};

/** What the library makes of a response; null where it throws, as it does for whatever is wrong with one. */
const judged = async <T>(work: () => Promise<T | null>): Promise<T | null> => {
  try {
    return await work();
  } catch {
    return null;
  }
};

export const createPasskeys = ({ name, baseUrl }: PasskeyOptions): Passkeys => {
  const { origin, hostname: host } = new URL(baseUrl);
  const site = { expectedOrigin: origin, expectedRPID: host, requireUserVerification: false } as const;
  return {
    creationOptions: async ({ id, account, displayName }, known, challenge) => {
      const { generateRegistrationOptions } = await library();
      const options = await generateRegistrationOptions({
        ...{ rpName: name, rpID: host, userName: account, userDisplayName: displayName },
        userID: new TextEncoder().encode(id),
        challenge: new Uint8Array(challenge),
        timeout: TIMEOUT_MS,
        attestationType: 'none',
        excludeCredentials: known.map(({ credentialId, transports }) => ({
          ...{ id: base64url(credentialId), transports: knownTransports(transports) },
        })),
        authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
      });
      return { ...options };
    },
    requestOptions: async (known, challenge) => {
      const { generateAuthenticationOptions } = await library();
      const options = await generateAuthenticationOptions({
        ...{ rpID: host, challenge: new Uint8Array(challenge), timeout: TIMEOUT_MS },
        allowCredentials: known.map(({ credentialId, transports }) => ({
          ...{ id: base64url(credentialId), transports: knownTransports(transports) },
        })),
        userVerification: 'preferred',
      });
      return { ...options };
    },
    challengeIn,
    created: (made, expectedChallenge) =>
      judged(async () => {
        const { verifyRegistrationResponse } = await library();
        if (await hasCertificates(made)) return null;
        const { verified, registrationInfo } = await verifyRegistrationResponse({
          ...{ ...site, expectedChallenge },
          response: {
            ...{ id: made.id, rawId: made.rawId, type: 'public-key', clientExtensionResults: {} },
            response: { ...made.response, transports: [...knownTransports(made.response.transports)] },
          },
        });
        if (!verified || made.type !== 'public-key') return null;
        const { id, publicKey, counter } = registrationInfo.credential;
        return {
          credentialId: Buffer.from(id, 'base64url'),
          publicKey: Buffer.from(publicKey),
          signCount: counter,
          transports: knownTransports(made.response.transports),
        };
      }),
    shown: ({ id, rawId, type, response }, expectedChallenge, { credentialId, publicKey, signCount }) =>
      judged(async () => {
        const { verifyAuthenticationResponse } = await library();
        const { clientDataJSON, authenticatorData, signature } = response;
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          ...{ ...site, expectedChallenge },
          response: {
            ...{ id, rawId, type: 'public-key', clientExtensionResults: {} },
            response: { clientDataJSON, authenticatorData, signature },
          },
          credential: {
            ...{ id: base64url(credentialId), counter: signCount, publicKey: new Uint8Array(publicKey) },
          },
        });
        return verified && type === 'public-key' ? authenticationInfo.newCounter : null;
      }),
  };
};
