/** AES-256-GCM. The row is authenticated data, so a value copied to another row cannot be decrypted. */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '../../ports.ts';
import type { Keyring } from './keyring.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = 'sealing';

/** `bytes`: nonce, tag, ciphertext. */
export interface Sealed {
  readonly bytes: Buffer;
  readonly keyId: string;
}

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

/** Null when the key is no longer configured, or the bytes were not sealed for this row. */
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
