/**
 * Stored passwords and PINs: scrypt, then an HMAC under a pepper derived from the secret key, which is not in
 * the database. Each hash names its cost and key, so that either can change and old hashes still verify.
 */
import { createHmac, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import type { Random } from '../../ports.ts';
import type { Keyring } from '../../platform/app/keyring.ts';
import { SignInQueue, type WaitingSignIn } from './sign-in-queue.ts';

/** Takes about `128 · N · r` bytes of memory, and time proportional to `N · r · p`. */
export interface HashCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** 32 MiB; one of OWASP's recommended costs. 0.2 s on one small core. */
export const DEFAULT_COST: HashCost = { N: 2 ** 15, r: 8, p: 3 };

/**
 * Separate queues: PINs come from paired devices, passwords from the public, and neither may block the other.
 */
export type SecretKind = 'password' | 'pin';

export interface Passwords {
  /** The text to store: `scrypt$N$r$p$salt$hash$keyId`. */
  hash(secret: string, kind?: SecretKind): Promise<string>;
  /** Null (no such account) is false, and takes as long. */
  verify(stored: string | null, secret: string, kind?: SecretKind): Promise<boolean>;
  /** Adds the pepper to a hash without one; null for any other. */
  peppered(stored: string): string | null;
  /** What a device needs to verify the secret offline; null: its key is gone. */
  verifierOf(stored: string): OfflineVerifier | null;
  /** Of another cost or key than the current one; renew it while the secret is known. */
  isOutdated(stored: string): boolean;
  /**
   * Runs a sign-in when `SignInQueue` admits it, so that only tries that will be verified are counted. Throws
   * UNAVAILABLE if too many wait.
   */
  admit<T>(kind: SecretKind, signIn: WaitingSignIn, run: () => Promise<T>): Promise<T>;
}

/** `hash` = HMAC-SHA-256 under `key` of scrypt of the secret, each in base64url. The key is of this salt alone. */
export interface OfflineVerifier extends HashCost {
  readonly salt: string;
  readonly key: string;
  readonly hash: string;
}

interface PasswordsOptions {
  readonly random: Random;
  readonly keyring: Keyring;
  readonly cost?: HashCost;
  readonly atOnce?: number;
  readonly maxWaiting?: number;
}

const SALT_BYTES = 16;
const HASH_BYTES = 32;
const AT_ONCE = 2;
const PEPPER = 'pepper of passwords and PINs';
/** Twice the hashings: the database serves the next two while two are hashed. */
const SIGN_INS_AT_ONCE = 4;
/** At two hashings of 0.2 s at a time the last of them waits 13 s. */
const MAX_WAITING = 128;

interface Parsed {
  readonly cost: HashCost;
  readonly salt: Buffer;
  readonly hash: Buffer;
  /** Undefined: from before the pepper. */
  readonly keyId: string | undefined;
}

const HASH_TEXT = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]+)(?:\$([0-9a-f]+))?$/;

const parseHash = (stored: string): Parsed | null => {
  const [, N, r, p, salt = '', hash = '', keyId] = HASH_TEXT.exec(stored) ?? [];
  if (N === undefined) return null;
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
    keyId,
  };
};

const formatHash = ({ N, r, p }: HashCost, salt: Uint8Array, hash: Uint8Array, keyId: string): string =>
  [
    ...['scrypt', N, r, p, Buffer.from(salt).toString('base64url')],
    ...[Buffer.from(hash).toString('base64url'), keyId],
  ].join('$');

/**
 * The pepper is applied after scrypt, so that a try costs one scrypt for any number of keys. Each salt
 * has its own derived pepper: a device that verifies a PIN offline has only that one.
 */
const keyOfSalt = (pepper: Buffer, salt: Uint8Array): Buffer =>
  createHmac('sha256', pepper).update(salt).digest();

const peppered = (pepper: Buffer, salt: Uint8Array, hash: Uint8Array): Buffer =>
  createHmac('sha256', keyOfSalt(pepper, salt)).update(hash).digest();

const scrypted = (secret: string, salt: Uint8Array, cost: HashCost): Promise<Buffer> => {
  // Node's default limit is 32 MiB; scrypt uses a little more than 128 · N · r.
  const options: ScryptOptions = { ...cost, maxmem: 128 * cost.r * (cost.N + cost.p + 2) + 2 ** 20 };
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, HASH_BYTES, options, (fault, hash) => {
      if (fault === null) resolve(hash);
      else reject(fault);
    });
  });
};

/** Runs at most `atOnce` tasks at a time, in order; while both kinds wait they alternate. */
const alternating = (atOnce: number): (<T>(kind: SecretKind, task: () => Promise<T>) => Promise<T>) => {
  const waiting: Record<SecretKind, (() => void)[]> = { pin: [], password: [] };
  let running = 0;
  let last: SecretKind = 'password';
  const next = (): (() => void) | undefined => {
    const other = last === 'pin' ? 'password' : 'pin';
    if (waiting[other].length > 0) last = other;
    return waiting[last].shift();
  };
  return async (kind, task) => {
    if (running < atOnce) {
      running += 1;
      last = kind;
    } else await new Promise<void>((go) => waiting[kind].push(go));
    try {
      return await task();
    } finally {
      const go = next();
      if (go === undefined) running -= 1;
      else go();
    }
  };
};

export const createPasswords = ({
  random,
  keyring,
  cost = DEFAULT_COST,
  atOnce = AT_ONCE,
  maxWaiting = MAX_WAITING,
}: PasswordsOptions): Passwords => {
  const limited = alternating(atOnce);
  const queue = (): SignInQueue => new SignInQueue({ atOnce: SIGN_INS_AT_ONCE, maxWaiting });
  const queues: Record<SecretKind, SignInQueue> = { pin: queue(), password: queue() };
  /** Compared for an unknown account; no known secret has this hash. */
  const dummy: Parsed = {
    ...{ cost, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES), keyId: keyring.first },
  };
  return {
    hash: async (secret, kind = 'password') => {
      const salt = random.bytes(SALT_BYTES);
      const found = await limited(kind, () => scrypted(secret, salt, cost));
      return formatHash(cost, salt, peppered(keyring.current(PEPPER), salt, found), keyring.first);
    },
    verify: async (stored, secret, kind = 'password') => {
      const known = stored === null ? null : parseHash(stored);
      const { cost: own, salt, hash, keyId } = known ?? dummy;
      const found = await limited(kind, () => scrypted(secret, salt, own));
      const pepper = keyId === undefined ? null : keyring.under(keyId, PEPPER);
      const isKeyGone = keyId !== undefined && pepper === null;
      const made = pepper === null ? found : peppered(pepper, salt, found);
      const isSame = hash.length === made.length && timingSafeEqual(hash, made);
      return isSame && known !== null && !isKeyGone;
    },
    isOutdated: (stored) => {
      const known = parseHash(stored);
      const own = known?.cost;
      return own?.N !== cost.N || own.r !== cost.r || own.p !== cost.p || known?.keyId !== keyring.first;
    },
    verifierOf: (stored) => {
      const known = parseHash(stored);
      const pepper = known?.keyId === undefined ? null : keyring.under(known.keyId, PEPPER);
      if (known === null || pepper === null) return null;
      const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
      const { cost: own, salt, hash } = known;
      return { ...own, salt: text(salt), key: text(keyOfSalt(pepper, salt)), hash: text(hash) };
    },
    peppered: (stored) => {
      const known = parseHash(stored);
      if (known?.keyId !== undefined || known === null) return null;
      const { cost: own, salt, hash } = known;
      return formatHash(own, salt, peppered(keyring.current(PEPPER), salt, hash), keyring.first);
    },
    admit: (kind, signIn, run) => queues[kind].enter(signIn, run),
  };
};

declare module '../../platform/app/app.ts' {
  interface App {
    readonly passwords: Passwords;
  }
}
