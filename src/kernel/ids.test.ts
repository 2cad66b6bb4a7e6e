import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseId, parseUuid, shortId } from './ids.ts';

test('an id has one short form of 22 characters, and both forms are read', () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      expect(shortId(id)).toMatch(/^[\w-]{22}$/);
      expect(parseId(shortId(id))).toBe(id);
      expect(parseId(id.toUpperCase())).toBe(id);
    }),
  );
});

test('a text that is no id is none, nor is a second spelling of a short form', () => {
  expect(parseId('latte')).toBeNull();
  expect(parseId('')).toBeNull();
  const short = shortId('9ce60687-50a1-56b2-badc-20570129220c');
  expect(short.endsWith('A')).toBe(true);
  expect(parseId(`${short.slice(0, -1)}B`)).toBeNull();
  expect(parseUuid(short)).toBeNull();
});
