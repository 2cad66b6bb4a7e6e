import { expect, test } from 'vitest';
import { normalizedDigits } from './digit-input.ts';

test('pasted digits lose invisible marks and unusual spaces, and keep visible characters', () => {
  expect(normalizedDigits('\u200F\u202B١٢٣\u00A0\u200B۴۵۶\u202C\uFEFF')).toBe('123 456');
  expect(normalizedDigits(' １２\t３\n')).toBe('12 3');
  expect(normalizedDigits('a-1')).toBe('a-1');
});
