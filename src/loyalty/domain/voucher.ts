/**
 * A signed balance voucher (Decisions 11, 13): what a till without the server may give rewards against. A compact JWS, read
 * by the server and by tills alike.
 */
import { parseUuid, type Uuid } from '../../kernel/ids.ts';
import { MINUTE, type Instant } from '../../kernel/time.ts';
import { MODES, type Mode } from './programme.ts';

/** A guest shows it at once: long enough for a queue, and too short to be handed around. */
export const VOUCHER_MINUTES = 30;

/** More than any voucher has; a QR code of it is still read from a small screen. */
export const VOUCHER_LENGTH = 1_024;

export interface Voucher {
  readonly id: Uuid;
  readonly orgId: Uuid;
  readonly cardId: Uuid;
  readonly mode: Mode;
  /** Points or visits that it is good for. */
  readonly limit: number;
  /** Whole seconds. */
  readonly issuedAt: Instant;
  /** Until then, exclusively. */
  readonly expiresAt: Instant;
}

/** As they are signed, by their registered names (RFC 7519); instants in seconds. */
export interface VoucherClaims {
  readonly jti: Uuid;
  /** The shop. */
  readonly iss: Uuid;
  /** The card. */
  readonly sub: Uuid;
  readonly mode: Mode;
  readonly limit: number;
  readonly iat: number;
  readonly exp: number;
}

/** A public key that verifies vouchers (JWK, RFC 7517). */
export interface VoucherKey {
  readonly kid: string;
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
}

const SECOND = 1_000;

/** From now on; its instants are whole seconds. */
export const voucherFrom = (
  now: Instant,
  about: Omit<Voucher, 'issuedAt' | 'expiresAt'>,
): Voucher & { readonly claims: VoucherClaims } => {
  const iat = Math.floor(now / SECOND);
  const exp = iat + (VOUCHER_MINUTES * MINUTE) / SECOND;
  const { id: jti, orgId: iss, cardId: sub, mode, limit } = about;
  return {
    ...{ ...about, issuedAt: iat * SECOND, expiresAt: exp * SECOND },
    claims: { jti, iss, sub, mode, limit, iat, exp },
  };
};

/**
 * Vouchers of one card within half an hour have one number, and so one id: a till adds up what was spent on them, however
 * often the guest asks for another.
 */
export const voucherPeriod = (now: Instant): number => Math.floor(now / (VOUCHER_MINUTES * MINUTE));

const idIn = (value: unknown): Uuid | null => (typeof value === 'string' ? parseUuid(value) : null);

const countIn = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;

/** Null: they are no claims of a voucher. Whoever calls has verified their signature. */
export const voucherOf = (claims: unknown): Voucher | null => {
  if (typeof claims !== 'object' || claims === null) return null;
  const { jti, iss, sub, mode, limit, iat, exp } = claims as Partial<Record<keyof VoucherClaims, unknown>>;
  const [id, orgId, cardId] = [idIn(jti), idIn(iss), idIn(sub)];
  const counted = MODES.find((one) => one === mode);
  const [most, from, to] = [countIn(limit), countIn(iat), countIn(exp)];
  if (id === null || orgId === null || cardId === null || counted === undefined) return null;
  if (most === null || from === null || to === null) return null;
  return {
    ...{ id, orgId, cardId, mode: counted, limit: most },
    ...{ issuedAt: from * SECOND, expiresAt: to * SECOND },
  };
};

/** A compact JWS, taken apart and not verified. */
export interface SignedText {
  readonly keyId: string;
  /** Base64url, as signed. */
  readonly signed: string;
  readonly claims: unknown;
  readonly signature: Uint8Array<ArrayBuffer>;
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));

/** All that we sign is ASCII. Throws SyntaxError. */
const jsonIn = (base64url: string): unknown => JSON.parse(String.fromCharCode(...bytesOf(base64url)));

const ALGORITHM = 'ES256';

/** Null: it is no text of ours. A scanner may end the text with a new line. */
export const signedText = (scanned: string): SignedText | null => {
  const text = scanned.trim();
  const [, header, claims, signature] = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(text) ?? [];
  if (header === undefined || claims === undefined || signature === undefined) return null;
  if (text.length > VOUCHER_LENGTH) return null;
  try {
    const { alg, kid } = Object(jsonIn(header)) as { readonly alg?: unknown; readonly kid?: unknown };
    if (alg !== ALGORITHM || typeof kid !== 'string') return null;
    const parts = { signed: `${header}.${claims}`, signature: bytesOf(signature) };
    return { ...parts, keyId: kid, claims: jsonIn(claims) };
  } catch {
    return null;
  }
};

/** The id that a text claims to have, verified or not; null: none. */
export const voucherIdIn = (text: unknown): Uuid | null => {
  const claims = typeof text === 'string' ? signedText(text)?.claims : null;
  return voucherOf(claims)?.id ?? null;
};
