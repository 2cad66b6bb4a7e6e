/**
 * `@simplewebauthn/server` is loaded on first use: loading at start would cost every process 65 ms and 12 MB.
 */
import type { PasskeyRegistration, PasskeyAssertion } from '../staff/domain/second-factor.ts';
import type { Passkeys } from '../ports.ts';

const library = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

interface PasskeyOptions {
  readonly name: string;
  /** Passkeys are bound to its host and origin. */
  readonly baseUrl: string;
}

const TIMEOUT_MS = 60_000;

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
const knownTransports = (given: readonly string[] = []) =>
  TRANSPORTS.filter((transport) => given.includes(transport));

/** Null when missing. */
const challengeIn = ({ response }: PasskeyRegistration | PasskeyAssertion): string | null => {
  try {
    const clientData: unknown = JSON.parse(
      Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'),
    );
    if (typeof clientData !== 'object' || clientData === null || !('challenge' in clientData)) return null;
    return typeof clientData.challenge === 'string' ? clientData.challenge : null;
  } catch {
    return null;
  }
};

/** Certificates were not requested and browsers omit them; the library would fetch URLs in them. */
const hasCertificates = async ({ response }: PasskeyRegistration): Promise<boolean> => {
  const { decodeAttestationObject, isoBase64URL } = await helpers();
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = attestation.get('fmt');
  if (format === 'none') return false;
  return format !== 'packed' || attestation.get('attStmt').get('x5c') !== undefined;
};

/** The library throws for every invalid response. */
const nullOnError = async <T>(work: () => Promise<T | null>): Promise<T | null> => {
  try {
    return await work();
  } catch {
    return null;
  }
};

const descriptorsOf = (known: Parameters<Passkeys['requestOptions']>[0]) =>
  known.map(({ credentialId, transports }) => ({
    ...{ id: base64url(credentialId), transports: knownTransports(transports) },
  }));

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
        excludeCredentials: descriptorsOf(known),
        authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
      });
      return { ...options };
    },
    requestOptions: async (known, challenge) => {
      const { generateAuthenticationOptions } = await library();
      const options = await generateAuthenticationOptions({
        ...{ rpID: host, challenge: new Uint8Array(challenge), timeout: TIMEOUT_MS },
        allowCredentials: descriptorsOf(known),
        userVerification: 'preferred',
      });
      return { ...options };
    },
    challengeIn,
    verifyRegistration: (made, expectedChallenge) =>
      nullOnError(async () => {
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
    verifyAuthentication: (
      { id, rawId, type, response },
      expectedChallenge,
      { credentialId, publicKey, signCount },
    ) =>
      nullOnError(async () => {
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
