/**
 * Passwords and PINs as they are stored: scrypt of node:crypto, a few at a time, and then an HMAC under a pepper, which
 * comes from the secret key and is not in the database. Each hash says its cost and its key, so that either can change
 * and old hashes still be checked. Nothing here tells an unknown account from a wrong password.
 */
import { createHmac, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import type { Random } from '../../ports.ts';
import type { Keyring } from '../../platform/app/keyring.ts';
import { SignInQueue, type Comer } from './sign-in-queue.ts';

/** What one hashing costs: about `128 · N · r` bytes of memory, and time in proportion to `N · r · p`. */
export interface HashCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** 32 MiB; among the costs that OWASP recommends for scrypt. A fifth of a second on one small core. */
export const USUAL_COST: HashCost = { N: 2 ** 15, r: 8, p: 3 };

/** PINs are typed on paired devices of a branch, passwords by whoever finds the address: no rush of one kind keeps the other out. */
export type SecretKind = 'password' | 'pin';

/** A `kind` that is not said is a password's. */
export interface Passwords {
  /** The text to store: `scrypt$N$r$p$salt$hash$key`, the key by its id. */
  hash(secret: string, kind?: SecretKind): Promise<string>;
  /** Whether `stored` is the hash of `secret`. Null, for nobody's, is false and takes as long. */
  verify(stored: string | null, secret: string, kind?: SecretKind): Promise<boolean>;
  /** A hash from before there was a pepper, under today's; null for any other. */
  peppered(stored: string): string | null;
  /** Whether a hash was made at another cost or under another key than today's: made anew while the secret is at hand. */
  isDated(stored: string): boolean;
  /**
   * Runs a sign-in when it is its turn among those of its kind (`SignInQueue`), so that a try is counted only when it will
   * be judged. Throws UNAVAILABLE where too many wait.
   */
  admit<T>(kind: SecretKind, comer: Comer, signIn: () => Promise<T>): Promise<T>;
}

interface PasswordsOptions {
  readonly random: Random;
  readonly keyring: Keyring;
  readonly cost?: HashCost;
  /** Hashings at once. */
  readonly atOnce?: number;
  /** Sign-ins of a kind that wait for their turn. */
  readonly mostWaiting?: number;
}

const SALT_BYTES = 16;
const HASH_BYTES = 32;
const AT_ONCE = 2;
/** What the keys are asked for. */
const PEPPER = 'pepper of passwords and PINs';
/** Twice the hashings at once: the database is asked for the next two while two are hashed. */
const SIGN_INS_AT_ONCE = 4;
/** At two hashings of 0.2 s at a time the last of them waits 13 s. */
const MOST_WAITING = 128;

interface Parsed {
  readonly cost: HashCost;
  readonly salt: Buffer;
  readonly hash: Buffer;
  /** Undefined: from before there was a pepper. */
  readonly keyId: string | undefined;
}

const HASH_TEXT = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]+)(?:\$([0-9a-f]+))?$/;

const parsed = (stored: string): Parsed | null => {
  const [, N, r, p, salt = '', hash = '', keyId] = HASH_TEXT.exec(stored) ?? [];
  if (N === undefined) return null;
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
    keyId,
  };
};

const written = ({ N, r, p }: HashCost, salt: Uint8Array, hash: Uint8Array, keyId: string): string =>
  [
    ...['scrypt', N, r, p, Buffer.from(salt).toString('base64url')],
    ...[Buffer.from(hash).toString('base64url'), keyId],
  ].join('$');

/**
 * What scrypt gave, under the pepper. It comes after scrypt, so that however many keys are given a try costs one
 * scrypt. Each salt has a pepper of its own: a device that one day checks a PIN without the server needs that one alone.
 */
const peppered = (pepper: Buffer, salt: Uint8Array, hash: Uint8Array): Buffer => {
  const own = createHmac('sha256', pepper).update(salt).digest();
  return createHmac('sha256', own).update(hash).digest();
};

const scrypted = (secret: string, salt: Uint8Array, cost: HashCost): Promise<Buffer> => {
  // Node refuses what needs more than 32 MiB unless told otherwise; a little more than 128 · N · r is used.
  const options: ScryptOptions = { ...cost, maxmem: 128 * cost.r * (cost.N + cost.p + 2) + 2 ** 20 };
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, HASH_BYTES, options, (fault, hash) => {
      if (fault === null) resolve(hash);
      else reject(fault);
    });
  });
};

/**
 * At most `atOnce` of the given tasks run at a time, in the order in which they came; where both kinds wait, each has
 * every second turn, so that a rush of neither keeps the other waiting.
 */
const inTurn = (atOnce: number): (<T>(kind: SecretKind, task: () => Promise<T>) => Promise<T>) => {
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
      // The place goes to the next in line, or becomes free.
      const go = next();
      if (go === undefined) running -= 1;
      else go();
    }
  };
};

export const createPasswords = ({
  random,
  keyring,
  cost = USUAL_COST,
  atOnce = AT_ONCE,
  mostWaiting = MOST_WAITING,
}: PasswordsOptions): Passwords => {
  const turn = inTurn(atOnce);
  const queue = (): SignInQueue => new SignInQueue({ atOnce: SIGN_INS_AT_ONCE, mostWaiting });
  const queues: Record<SecretKind, SignInQueue> = { pin: queue(), password: queue() };
  /** Compared where there is nobody; no secret is known that has this hash. */
  const nobody: Parsed = {
    ...{ cost, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES), keyId: keyring.first },
  };
  return {
    hash: async (secret, kind = 'password') => {
      const salt = random.bytes(SALT_BYTES);
      const found = await turn(kind, () => scrypted(secret, salt, cost));
      return written(cost, salt, peppered(keyring.current(PEPPER), salt, found), keyring.first);
    },
    verify: async (stored, secret, kind = 'password') => {
      const known = stored === null ? null : parsed(stored);
      const { cost: own, salt, hash, keyId } = known ?? nobody;
      const found = await turn(kind, () => scrypted(secret, salt, own));
      const pepper = keyId === undefined ? null : keyring.under(keyId, PEPPER);
      const isKeyGone = keyId !== undefined && pepper === null;
      const made = pepper === null ? found : peppered(pepper, salt, found);
      const isSame = hash.length === made.length && timingSafeEqual(hash, made);
      return isSame && known !== null && !isKeyGone;
    },
    isDated: (stored) => {
      const known = parsed(stored);
      const own = known?.cost;
      return own?.N !== cost.N || own.r !== cost.r || own.p !== cost.p || known?.keyId !== keyring.first;
    },
    peppered: (stored) => {
      const known = parsed(stored);
      if (known?.keyId !== undefined || known === null) return null;
      const { cost: own, salt, hash } = known;
      return written(own, salt, peppered(keyring.current(PEPPER), salt, hash), keyring.first);
    },
    admit: (kind, comer, signIn) => queues[kind].enter(comer, signIn),
  };
};
