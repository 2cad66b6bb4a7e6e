import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createKeyring } from './keyring.ts';
import { seal, unseal, type Sealed } from './sealing.ts';

const random = { bytes: randomBytes, uuid: randomUUID, below: randomInt };
const secret = Buffer.from('12345678901234567890');
const under = (...keys: string[]) => ({ keyring: createKeyring(keys), random });

describe('a sealed secret', () => {
  test('a sealed secret is opened for its own row, and differs each time', () => {
    const parts = under('key');
    const [one, two] = [seal(parts, 'row', secret), seal(parts, 'row', secret)];
    expect(unseal(parts.keyring, 'row', one)).toEqual(secret);
    expect(one.bytes).not.toEqual(two.bytes);
    expect(one.bytes.includes(secret)).toBe(false);
    expect(one.keyId).toBe(parts.keyring.first);
  });

  test('a sealed secret is opened with a former key until that key is removed', () => {
    const sealed = seal(under('old'), 'row', secret);
    expect(unseal(under('new', 'old').keyring, 'row', sealed)).toEqual(secret);
    expect(unseal(under('new').keyring, 'row', sealed)).toBeNull();
  });

  test('a sealed secret is not opened for another row, another key id or changed bytes', () => {
    const { keyring } = under('key', 'other');
    const sealed = seal({ keyring, random }, 'row', secret);
    const spoilt = (at: number): Sealed => {
      const bytes = Buffer.from(sealed.bytes);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      return { ...sealed, bytes };
    };
    expect(unseal(keyring, 'another row', sealed)).toBeNull();
    expect(unseal(keyring, 'row', { ...sealed, keyId: keyring.ids[1] ?? '' })).toBeNull();
    for (let at = 0; at < sealed.bytes.length; at += 1) expect(unseal(keyring, 'row', spoilt(at))).toBeNull();
    for (const length of [0, 11, 27, 28])
      expect(unseal(keyring, 'row', { ...sealed, bytes: sealed.bytes.subarray(0, length) })).toBeNull();
  });
});
