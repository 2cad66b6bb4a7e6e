/**
 * Secrets that must be read again, encrypted for the database: AES-256-GCM under a key derived from the secret key. What
 * is sealed is bound to its row: elsewhere it cannot be opened.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '../../ports.ts';
import type { Keyring } from './keyring.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = 'sealing';

/** What is stored: nonce, tag and ciphertext, and the id of the key. */
export interface Sealed {
  readonly bytes: Buffer;
  readonly keyId: string;
}

/** `row`: what names the row it is stored in. */
export const seal = (
  { keyring, random }: { readonly keyring: Keyring; readonly random: Random },
  row: string,
  secret: Uint8Array,
): Sealed => {
  const nonce = random.bytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyring.current(PURPOSE), nonce).setAAD(Buffer.from(row));
  const text = Buffer.concat([cipher.update(secret), cipher.final()]);
  return { bytes: Buffer.concat([nonce, cipher.getAuthTag(), text]), keyId: keyring.first };
};

/** The secret; null where its key is not given any more, or the bytes are not those that were sealed for this row. */
export const unseal = (keyring: Keyring, row: string, { bytes, keyId }: Sealed): Buffer | null => {
  const key = keyring.under(keyId, PURPOSE);
  if (key === null || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const text = bytes.subarray(NONCE_BYTES + TAG_BYTES);
  const opening = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(row))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([opening.update(text), opening.final()]);
  } catch {
    return null;
  }
};
