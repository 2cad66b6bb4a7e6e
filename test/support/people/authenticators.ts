/**
 * An authenticator app (RFC 6238) and a passkey (WebAuthn) written from the standards, with real CBOR, COSE and ECDSA.
 */
import { createHash, createHmac, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

// ── Authenticator apps ──────────────────────────────────────────────────────────────────────────

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648, 6. */
export const fromBase32 = (text: string): Buffer => {
  const bits = Array.from(text.replace(/=+$/, ''), (letter) =>
    BASE32.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
};

/** The code at an instant in milliseconds (RFC 6238, 4; RFC 4226, 5.3). */
export const totpAt = (secret: Uint8Array, instant: number, digits = 6): string => {
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(instant / 30_000)));
  const mac = createHmac('sha1', secret).update(step).digest();
  const offset = (mac[19] ?? 0) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
};

// ── Passkeys ────────────────────────────────────────────────────────────────────────────────────

type Cbor = number | string | Uint8Array | Map<number | string, Cbor>;

const head = (major: number, count: number): Buffer => {
  const type = major << 5;
  if (count < 24) return Buffer.from([type | count]);
  if (count < 256) return Buffer.from([type | 24, count]);
  return Buffer.from([type | 25, count >> 8, count & 0xff]);
};

/** The part of RFC 8949 that authenticators use. */
export const cbor = (value: Cbor): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') {
    const bytes = Buffer.from(value, 'utf8');
    return Buffer.concat([head(3, bytes.length), bytes]);
  }
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].map(([key, one]) => Buffer.concat([cbor(key), cbor(one)]));
  return Buffer.concat([head(5, value.size), ...entries]);
};

const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest();
const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** A COSE public key (RFC 9053): EC2 on P-256 for ES256. */
const coseOf = (key: KeyObject): Buffer => {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return cbor(
    new Map<number, Cbor>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const),
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
};

/** User present, user verified, credential included. */
const [UP, UV, AT] = [0x01, 0x04, 0x40];

/** Deviations from a valid credential. */
export interface CredentialFault {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly flags?: number;
  readonly signCount?: number;
  /** Signs with another key. */
  readonly isForged?: boolean;
  readonly attestation?: { readonly fmt: string; readonly attStmt: Map<string, Cbor> };
}

interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id?: string };
}
interface RequestOptions {
  readonly challenge: string;
  readonly rpId?: string;
}

export interface CreatedCredential {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports: string[];
  };
  readonly clientExtensionResults: object;
}

export interface AssertedCredential {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle: null;
  };
  readonly authenticatorAttachment: string;
  readonly clientExtensionResults: object;
}

export interface SoftPasskey {
  readonly id: string;
  /** The result of `navigator.credentials.create` on a page of `origin`. */
  create(options: CreationOptions, odd?: CredentialFault): CreatedCredential;
  /** The result of `navigator.credentials.get`. */
  get(options: RequestOptions, odd?: CredentialFault): AssertedCredential;
}

/** A passkey; `counts`: it increments its sign count, as security keys do and phones do not. */
export const softPasskey = (origin: string, counts = true): SoftPasskey => {
  const rawId = randomBytes(32);
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const others = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let used = 0;
  const clientData = (type: string, challenge: string, odd: CredentialFault): Buffer =>
    Buffer.from(
      JSON.stringify({
        ...{ type: odd.type ?? type, challenge: odd.challenge ?? challenge },
        ...{ origin: odd.origin ?? origin, crossOrigin: false },
      }),
    );
  const authenticatorData = (rpId: string | undefined, flags: number, odd: CredentialFault): Buffer => {
    if (counts) used += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(odd.signCount ?? used);
    const site = sha256(odd.rpId ?? rpId ?? new URL(origin).hostname);
    return Buffer.concat([site, Buffer.from([odd.flags ?? flags]), count]);
  };
  const named = { id: base64url(rawId), rawId: base64url(rawId), type: 'public-key' } as const;
  return {
    id: named.id,
    create: ({ challenge, rp }, odd = {}) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(rawId.length);
      const authData = Buffer.concat([
        ...[authenticatorData(rp.id, UP | UV | AT, odd), Buffer.alloc(16), length, rawId],
        coseOf(keys.publicKey),
      ]);
      const { fmt, attStmt } = odd.attestation ?? { fmt: 'none', attStmt: new Map<string, Cbor>() };
      const attestation = new Map<string, Cbor>([
        ...([['fmt', fmt]] as const),
        ['attStmt', attStmt],
        ['authData', authData],
      ]);
      return {
        ...named,
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', challenge, odd)),
          attestationObject: base64url(cbor(attestation)),
          transports: ['internal', 'hybrid'],
        },
        clientExtensionResults: {},
      };
    },
    get: ({ challenge, rpId }, odd = {}) => {
      const said = clientData('webauthn.get', challenge, odd);
      const data = authenticatorData(rpId, UP | UV, odd);
      const signed = Buffer.concat([data, sha256(said)]);
      const signature = sign('sha256', signed, odd.isForged === true ? others.privateKey : keys.privateKey);
      return {
        ...named,
        response: {
          ...{ clientDataJSON: base64url(said), authenticatorData: base64url(data) },
          ...{ signature: base64url(signature), userHandle: null },
        },
        ...{ authenticatorAttachment: 'platform', clientExtensionResults: {} },
      };
    },
  };
};
