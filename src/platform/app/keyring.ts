/** Stored values name the id of their key, so rotation can find them (Decisions 10). */
import { createHmac } from 'node:crypto';

export interface Keyring {
  /** Id of the first key, which protects all new values. */
  readonly first: string;
  /** First key first. */
  readonly ids: readonly string[];
  /** 32 bytes. */
  current(purpose: string): Buffer;
  /** Null when the key is no longer configured. */
  under(id: string, purpose: string): Buffer | null;
}

/** 48 bits distinguish the few keys of an operator. */
const ID_BYTES = 6;

const hmac = (key: string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const derived = (key: string, purpose: string): Buffer => hmac(key, `derived\n${purpose}`);

/** Twelve hexadecimal digits that reveal nothing about the key. */
const idOf = (key: string): string => derived(key, 'key id').subarray(0, ID_BYTES).toString('hex');

/** `keys`: at least one. Throws RangeError when empty. */
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
