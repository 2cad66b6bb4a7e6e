/**
 * The secret keys by their ids, and what is derived from them for one purpose each. What is stored under a key names it
 * by its id, so that it is known which key it waits for when keys are rotated (Decisions 10).
 */
import { createHmac } from 'node:crypto';

export interface Keyring {
  /** The id of the first key, under which everything new is stored. */
  readonly first: string;
  /** The ids of all keys, the first one first. */
  readonly ids: readonly string[];
  /** 32 bytes for a purpose under the first key. */
  current(purpose: string): Buffer;
  /** The same under the key with that id; null where no such key is given any more. */
  under(id: string, purpose: string): Buffer | null;
}

/** 48 bits: enough to tell an operator's few keys apart. */
const ID_BYTES = 6;

const hmac = (key: string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const derived = (key: string, purpose: string): Buffer => hmac(key, `derived\n${purpose}`);

/** Twelve hexadecimal digits that are the same for a key everywhere, and say nothing of it. */
const idOf = (key: string): string => derived(key, 'key id').subarray(0, ID_BYTES).toString('hex');

/** `keys`: at least one; the first is used for what is new. */
export const createKeyring = (keys: readonly string[]): Keyring => {
  const [firstKey] = keys;
  if (firstKey === undefined) throw new RangeError('No secret key.');
  const byId = new Map(keys.map((key) => [idOf(key), key]));
  return {
    first: idOf(firstKey),
    ids: [...byId.keys()],
    current: (purpose) => derived(firstKey, purpose),
    under: (id, purpose) => {
      const key = byId.get(id);
      return key === undefined ? null : derived(key, purpose);
    },
  };
};
