/**
 * Tokens and codes: made, hashed and compared here alone (Decisions 10). Whoever holds a token is whom it names, so it
 * is stored as a hash, or not at all where it can be made again from the key; comparisons take constant time.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Random } from '../../ports.ts';

/** Begins every token of its kind, so that a leaked one says what it is. */
const PREFIXES = {
  /** A device on which a phone was proven. */
  device: 'dev_',
  /** A loyalty member's card. */
  member: 'mem_',
  /** A member of the staff who signed in. */
  staff: 'stf_',
  /** A paired device of a branch. */
  till: 'till_',
  /** A device from which someone of the staff signed in with their password. */
  known: 'kdv_',
} as const;
export type TokenKind = keyof typeof PREFIXES;

const TOKEN_BYTES = 32;

export interface Tokens {
  /** A new token of 256 random bits. */
  make(kind: TokenKind): string;
  /** SHA-256: what is stored of a token, and looked for. */
  hashOf(token: string): Buffer;
  /** A hash under the first key, for codes that are short enough to be guessed from a plain hash. */
  keyedHash(purpose: string, text: string): Buffer;
  /** Whether `hash` is the keyed hash of `text` under any of the keys. */
  isKeyedHash(hash: Uint8Array, purpose: string, text: string): boolean;
  /** 32 bytes that are the same each time, made from the first key: a secret that need not be stored. */
  derived(purpose: string, text: string): Buffer;
  /** The same bytes again under whichever key made them; null when none of today's did. `hash` is their SHA-256. */
  rederived(purpose: string, text: string, hash: Uint8Array): Buffer | null;
  /** A derived secret written as a token. */
  written(kind: TokenKind, secret: Uint8Array): string;
}

const sha256 = (value: string | Uint8Array): Buffer => createHash('sha256').update(value).digest();

const same = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);

/** `keys`: at least one; the first signs, all verify. */
export const createTokens = (keys: readonly string[], random: Random): Tokens => {
  const [first] = keys;
  if (first === undefined) throw new RangeError('No secret key.');
  const under = (key: string, purpose: string, text: string): Buffer =>
    createHmac('sha256', key).update(`${purpose}\n${text}`).digest();
  return {
    make: (kind) => `${PREFIXES[kind]}${Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url')}`,
    hashOf: (token) => sha256(token),
    keyedHash: (purpose, text) => under(first, purpose, text),
    isKeyedHash: (hash, purpose, text) =>
      // Every key is tried, whichever fits: how long it takes says nothing.
      keys.map((key) => same(hash, under(key, purpose, text))).includes(true),
    derived: (purpose, text) => under(first, purpose, text),
    rederived: (purpose, text, hash) =>
      keys.map((key) => under(key, purpose, text)).find((secret) => same(sha256(secret), hash)) ?? null,
    written: (kind, secret) => `${PREFIXES[kind]}${Buffer.from(secret).toString('base64url')}`,
  };
};
