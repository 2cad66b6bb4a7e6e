import { expect, test } from 'vitest';
import { westernDigits } from './digits.ts';

test('Arabic and Persian digits become 0 to 9, also between other characters', () => {
  expect(westernDigits('٠١٢٣٤٥٦٧٨٩')).toBe('0123456789');
  expect(westernDigits('۰۱۲۳۴۵۶۷۸۹')).toBe('0123456789');
  expect(westernDigits('٢٠٢٦-١٢-۰٤')).toBe('2026-12-04');
});

test('other characters stay unchanged', () => {
  expect(westernDigits('قهوة 1½ ²')).toBe('قهوة 1½ ²');
});
