import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CODE_BYTES, codeInId, ID_BYTES, idOfShop, shopCodeOf } from './shop-code.ts';
import { parseUuid } from './ids.ts';

const bytes = (count: number) => fc.uint8Array({ minLength: count, maxLength: count });
const bitsOf = (id: string): bigint => BigInt(`0x${id.replaceAll('-', '')}`);

test('an id is a UUID of version 8 that leads to the code of its shop', () => {
  fc.assert(
    fc.property(bytes(CODE_BYTES), bytes(ID_BYTES), (shop, random) => {
      const id = idOfShop(shopCodeOf(shop), random);
      expect(parseUuid(id)).toBe(id);
      expect(id).toMatch(/^.{14}8.{4}[89ab]/);
      expect(codeInId(id)).toBe(Buffer.from(shop).toString('hex'));
    }),
  );
});

test('each of 82 random bits changes the id, and none of them the code', () => {
  const code = 'fedcba9876';
  const plain = bitsOf(idOfShop(code, new Uint8Array(ID_BYTES)));
  const changes = Array.from({ length: 8 * ID_BYTES }, (_, bit) => {
    const random = new Uint8Array(ID_BYTES);
    random[bit >> 3] = 1 << (bit & 7);
    const id = idOfShop(code, random);
    expect(codeInId(id)).toBe(code);
    return bitsOf(id) ^ plain;
  });
  const changed = changes.filter((bits) => bits !== 0n);
  expect(new Set(changed).size).toBe(82);
  expect(changed.every((bits) => (bits & (bits - 1n)) === 0n)).toBe(true);
});

test('two shops never have an id in common', () => {
  fc.assert(
    fc.property(bytes(CODE_BYTES), bytes(CODE_BYTES), bytes(ID_BYTES), (one, other, random) => {
      fc.pre(shopCodeOf(one) !== shopCodeOf(other));
      expect(idOfShop(shopCodeOf(one), random)).not.toBe(idOfShop(shopCodeOf(other), random));
    }),
  );
});

test('an id of another version carries no code', () => {
  fc.assert(
    fc.property(fc.uuid({ version: [1, 2, 3, 4, 5, 6, 7] }), (id) => {
      expect(codeInId(id)).toBeNull();
    }),
  );
});
