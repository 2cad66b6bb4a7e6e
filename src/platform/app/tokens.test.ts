import { describe, expect, test } from 'vitest';
import { systemRandom } from '../../adapters/system.ts';
import { createTokens, hasFormOf, shopCodeInToken } from './tokens.ts';

const BOOKING = '8f14e45f-ceea-467f-ab5d-24c1c0b8f3a7';

/** By `printf %s ID | openssl dgst -sha256 -hmac KEY`, and of its first 32 digits `openssl dgst -sha256`. */
const VECTORS = [
  {
    ...{ key: 'a key of the tests', id: BOOKING, token: '55ea4b6bb1c2f1f04afa95e73d493669' },
    hash: '58ea92dfd9baee230ed5ba730ae8cc821f1f663f3b1a6f8a483fcd86af3e1c83',
  },
  {
    ...{ key: 'a key of the tests', id: '00000000-0000-4000-8000-000000000000' },
    token: 'bdc5fbfccc821ea7b1abf4d414d2c0c8',
    hash: 'cb17d76b05bd2c36d718642de8748d976475c4cb328f4af25d5c4b9beff764b0',
  },
  {
    ...{ key: 'مفتاح ☕', id: BOOKING, token: '9b16a0332805fbe68bb4419da8969f44' },
    hash: 'c220253b520e4557349f68321989c12d531a35917efb66ae01b9819742e13944',
  },
];

describe('a manage token', () => {
  test.each(VECTORS)('is the first 128 bits of HMAC-SHA-256(key, id): $token', ({ key, id, token, hash }) => {
    const tokens = createTokens([key, 'a former key'], systemRandom);
    expect(tokens.manageToken(id)).toBe(token);
    expect(tokens.hashOf(token).toString('hex')).toBe(hash);
  });

  test.each(VECTORS)('is derived again from its hash under every key: $token', ({ key, id, token, hash }) => {
    const stored = Buffer.from(hash, 'hex');
    for (const keys of [[key], [key, 'later'], ['earlier', key]])
      expect(createTokens(keys, systemRandom).manageTokenOf(id, stored)).toBe(token);
    expect(createTokens(['another key'], systemRandom).manageTokenOf(id, stored)).toBeNull();
  });
});

test('a token of a shop carries its code, and has the form of its kind like one without', () => {
  const tokens = createTokens(['a key of the tests'], systemRandom);
  for (const kind of ['staff', 'till', 'stream'] as const) {
    const [own, plain] = [tokens.make(kind, '00ff12ab9c'), tokens.make(kind)];
    expect([shopCodeInToken(own), shopCodeInToken(plain)]).toEqual(['00ff12ab9c', null]);
    expect([hasFormOf(kind, own), hasFormOf(kind, plain)]).toEqual([true, true]);
    expect(hasFormOf('known', own)).toBe(false);
    expect(own).not.toBe(tokens.make(kind, '00ff12ab9c'));
  }
});

test.each(['stf_00ff12ab9c', `stf_00FF12AB9C_${'a'.repeat(43)}`, `stf_00ff12ab9c_${'a'.repeat(42)}`])(
  '%s has not the form of a token and carries no code',
  (text) => {
    expect([hasFormOf('staff', text), shopCodeInToken(text)]).toEqual([false, null]);
  },
);

test('a token without a code may look as if it began with one', () => {
  const text = `stf_00ff12ab9c_${'a'.repeat(32)}`;
  expect([hasFormOf('staff', text), shopCodeInToken(text)]).toEqual([true, null]);
});
