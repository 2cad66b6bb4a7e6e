/**
 * Tokens and codes are made, hashed and compared only here (Decisions 10). A token authenticates its bearer,
 * so only its hash is stored; a token that the key can derive is not stored. Comparisons take constant time.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Uuid } from '../../kernel/ids.ts';
import type { ShopCode } from '../../kernel/shop-code.ts';
import type { Random } from '../../ports.ts';

/** Prefixes identify the kind of a leaked token. */
const PREFIXES = {
  /** Proves a phone. */
  device: 'dev_',
  /** Staff session. */
  staff: 'stf_',
  /** Paired device of a branch. */
  till: 'till_',
  /** Device from which a member of the staff has signed in with a password. */
  known: 'kdv_',
  /** A start held for a guest. */
  hold: 'hld_',
  /** Opens one stream of events. */
  stream: 'evt_',
} as const;
export type TokenKind = keyof typeof PREFIXES;

const TOKEN_BYTES = 32;

/** A token of a shop has the shop's code before its random part; those of older builds have none. */
const FORM = /^([a-z]+_)(?:([0-9a-f]{10})_)?[\w-]{43}$/;

/** Whether `text` could be a token of this kind, which says nothing of whether it ever was one. */
export const hasFormOf = (kind: TokenKind, text: string): boolean => FORM.exec(text)?.[1] === PREFIXES[kind];

/** Null: it carries none. */
export const shopCodeInToken = (token: string): ShopCode | null => FORM.exec(token)?.[2] ?? null;

export interface CardKey {
  readonly id: Uuid;
  readonly generation: number;
}

export interface Tokens {
  /** 256 random bits, after the code of the shop that it is of, if any. */
  make(kind: TokenKind, shop?: ShopCode): string;
  /** SHA-256 of the whole token, as stored. */
  hashOf(token: string): Buffer;
  /** HMAC under the first key, for codes short enough to be guessed from a plain hash. */
  keyedHash(purpose: string, text: string): Buffer;
  /** Checks `hash` under every key. */
  isKeyedHash(hash: Uint8Array, purpose: string, text: string): boolean;
  /** 32 bytes, derived from the first key: a secret that need not be stored. */
  derived(purpose: string, text: string): Buffer;
  /** The derived secret whose SHA-256 is `hash`, under any key; null when no key matches. */
  rederived(purpose: string, text: string, hash: Uint8Array): Buffer | null;
  format(kind: TokenKind, secret: Uint8Array): string;
  /** Of a booking: 32 hexadecimal digits, the first 128 bits of its HMAC under the first key (Decisions 9). */
  manageToken(bookingId: Uuid): string;
  /** The manage token whose SHA-256 is `hash`, under any key; null when no key matches. */
  manageTokenOf(bookingId: Uuid, hash: Uint8Array): string | null;
  /** Of a loyalty card: `M` and 22 base64url characters (Decisions 11). A later generation ends the tokens before it. */
  memberToken(card: CardKey): string;
  /** The member token whose SHA-256 is `hash`, under any key; null when no key matches. */
  memberTokenOf(card: CardKey, hash: Uint8Array): string | null;
  /** What a till scans instead of the member token: 16 capital letters and digits. */
  memberCode(card: CardKey): string;
  memberCodeOf(card: CardKey, hash: Uint8Array): string | null;
}

const sha256 = (value: string | Uint8Array): Buffer => createHash('sha256').update(value).digest();

const same = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);

const MANAGE_TOKEN_BYTES = 16;

const manageTokenUnder = (key: string, bookingId: Uuid): string =>
  createHmac('sha256', key).update(bookingId).digest().subarray(0, MANAGE_TOKEN_BYTES).toString('hex');

const MEMBER_TOKEN_BYTES = 16;

const cardSecret = (key: string, purpose: 'member' | 'member code', { id, generation }: CardKey): Buffer =>
  createHmac('sha256', key).update(`${purpose}\n${id}\n${generation}`).digest();

const memberTokenUnder = (key: string, card: CardKey): string =>
  `M${cardSecret(key, 'member', card).subarray(0, MEMBER_TOKEN_BYTES).toString('base64url')}`;

/** Without I, L, O and U, which a person mistakes; 32 characters, so that each byte chooses evenly. */
const CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 16;

const memberCodeUnder = (key: string, card: CardKey): string =>
  Array.from(
    cardSecret(key, 'member code', card).subarray(0, CODE_LENGTH),
    (byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length] ?? '',
  ).join('');

/** `keys`: at least one; the first signs, all verify. Throws RangeError when empty. */
export const createTokens = (keys: readonly string[], random: Random): Tokens => {
  const [first] = keys;
  if (first === undefined) throw new RangeError('No secret key.');
  const under = (key: string, purpose: string, text: string): Buffer =>
    createHmac('sha256', key).update(`${purpose}\n${text}`).digest();
  /** The text whose SHA-256 is `hash`, made under one of the keys. */
  const underAny = (make: (key: string) => string, hash: Uint8Array): string | null =>
    keys.map(make).find((text) => same(sha256(text), hash)) ?? null;
  return {
    make: (kind, shop) =>
      `${PREFIXES[kind]}${shop === undefined ? '' : `${shop}_`}${Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url')}`,
    hashOf: (token) => sha256(token),
    keyedHash: (purpose, text) => under(first, purpose, text),
    isKeyedHash: (hash, purpose, text) =>
      // Tries every key, so that the time does not depend on the key.
      keys.map((key) => same(hash, under(key, purpose, text))).includes(true),
    derived: (purpose, text) => under(first, purpose, text),
    rederived: (purpose, text, hash) =>
      keys.map((key) => under(key, purpose, text)).find((secret) => same(sha256(secret), hash)) ?? null,
    format: (kind, secret) => `${PREFIXES[kind]}${Buffer.from(secret).toString('base64url')}`,
    manageToken: (bookingId) => manageTokenUnder(first, bookingId),
    manageTokenOf: (bookingId, hash) => underAny((key) => manageTokenUnder(key, bookingId), hash),
    memberToken: (card) => memberTokenUnder(first, card),
    memberTokenOf: (card, hash) => underAny((key) => memberTokenUnder(key, card), hash),
    memberCode: (card) => memberCodeUnder(first, card),
    memberCodeOf: (card, hash) => underAny((key) => memberCodeUnder(key, card), hash),
  };
};
