/** A balance voucher that a guest shows to a till without the server (Decisions 13): verified with WebCrypto. */
import type { Instant } from '../../kernel/time.ts';
import {
  signedText,
  voucherOf,
  type SignedText,
  type Voucher,
  type VoucherKey,
} from '../../loyalty/domain/voucher.ts';

export type { Voucher } from '../../loyalty/domain/voucher.ts';

/** `unknown_key`: the device has not pulled the key yet, or it is none of the server's. */
export type VoucherProblem = 'malformed' | 'unknown_key' | 'bad_signature' | 'other_shop' | 'expired';

export interface VoucherReader {
  /** The shop: `org_id` of `branch_settings`. */
  readonly orgId: string;
  /** `loyalty.voucher_keys` of `branch_settings`. */
  readonly keys: readonly VoucherKey[];
  /** By the server's clock: the device's own with the difference to `server_time` of its last pull. */
  readonly now: Instant;
  /** `crypto.subtle`, which a page has over https alone. */
  readonly subtle: Pick<SubtleCrypto, 'importKey' | 'verify'>;
}

const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const ES256 = { name: 'ECDSA', hash: 'SHA-256' } as const;

const isSigned = async (
  subtle: VoucherReader['subtle'],
  { kty, crv, x, y }: VoucherKey,
  { signed, signature }: SignedText,
): Promise<boolean> => {
  const key = await subtle.importKey('jwk', { kty, crv, x, y }, CURVE, false, ['verify']);
  return subtle.verify(ES256, key, signature, new TextEncoder().encode(signed));
};

/** What the text of a QR code is good for, or why it is good for nothing. */
export const readVoucher = async (
  text: string,
  { orgId, keys, now, subtle }: VoucherReader,
): Promise<{ readonly voucher: Voucher } | { readonly problem: VoucherProblem }> => {
  const parts = signedText(text);
  const voucher = voucherOf(parts?.claims);
  if (parts === null || voucher === null) return { problem: 'malformed' };
  const key = keys.find(({ kid }) => kid === parts.keyId);
  if (key === undefined) return { problem: 'unknown_key' };
  if (!(await isSigned(subtle, key, parts))) return { problem: 'bad_signature' };
  if (voucher.orgId !== orgId) return { problem: 'other_shop' };
  return now < voucher.expiresAt ? { voucher } : { problem: 'expired' };
};
