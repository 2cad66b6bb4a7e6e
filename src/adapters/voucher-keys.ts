/** The keys of vouchers: one for each key of SECRET_KEY, derived from it (Decisions 10, 11). */
import { createECDH, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import { CompactSign, compactVerify, errors } from 'jose';
import type { VoucherKey } from '../loyalty/domain/voucher.ts';
import type { VoucherKeys } from '../ports.ts';

/** What keys of SECRET_KEY derive, by their ids, the first key first. */
interface Secrets {
  readonly ids: readonly string[];
  readonly under: (id: string, purpose: string) => Uint8Array | null;
}

const PURPOSE = 'loyalty vouchers';

/** Order of the group P-256 (FIPS 186-5). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
/** 128 bits more than the order has: no private key is more likely than another (FIPS 186-5, A.2.1). */
const SEED_BYTES = 48;
const KEY_BYTES = 32;

const privateScalar = (secret: Uint8Array): Buffer => {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'ahwa voucher ES256', SEED_BYTES));
  const scalar = (BigInt(`0x${seed.toString('hex')}`) % (ORDER - 1n)) + 1n;
  return Buffer.from(scalar.toString(16).padStart(2 * KEY_BYTES, '0'), 'hex');
};

interface KeyPair {
  readonly published: VoucherKey;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const keyPair = (kid: string, secret: Uint8Array): KeyPair => {
  const scalar = privateScalar(secret);
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(scalar);
  // One byte that says "uncompressed", then x and y.
  const point = curve.getPublicKey();
  const x = point.subarray(1, 1 + KEY_BYTES).toString('base64url');
  const y = point.subarray(1 + KEY_BYTES).toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x, y } as const;
  return {
    published: { kid, ...jwk },
    privateKey: createPrivateKey({ key: { ...jwk, d: scalar.toString('base64url') }, format: 'jwk' }),
    publicKey: createPublicKey({ key: jwk, format: 'jwk' }),
  };
};

/** Throws RangeError where there is no key. */
export const createVoucherKeys = ({ ids, under }: Secrets): VoucherKeys => {
  const pairs = ids.flatMap((id) => {
    const secret = under(id, PURPOSE);
    return secret === null ? [] : [keyPair(id, secret)];
  });
  const [first] = pairs;
  if (first === undefined) throw new RangeError('No secret key.');
  const { kid } = first.published;
  return {
    published: pairs.map(({ published }) => published),
    sign: (claims) =>
      new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
        .setProtectedHeader({ alg: 'ES256', kid })
        .sign(first.privateKey),
    verify: async (text) => {
      const keyOf = (id: string | undefined): KeyObject => {
        const pair = pairs.find(({ published }) => published.kid === id);
        if (pair === undefined) throw new errors.JWKSNoMatchingKey();
        return pair.publicKey;
      };
      try {
        const { payload } = await compactVerify(text.trim(), (header) => keyOf(header.kid), {
          algorithms: ['ES256'],
        });
        return JSON.parse(new TextDecoder().decode(payload)) as unknown;
      } catch (fault) {
        if (fault instanceof errors.JOSEError) return null;
        throw fault;
      }
    },
  };
};
