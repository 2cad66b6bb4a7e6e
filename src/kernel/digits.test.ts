import { expect, test } from 'vitest';
import { westernDigits } from './digits.ts';

test('Arabic and Persian digits are read as 0 to 9, whatever stands between them', () => {
  expect(westernDigits('٠١٢٣٤٥٦٧٨٩')).toBe('0123456789');
  expect(westernDigits('۰۱۲۳۴۵۶۷۸۹')).toBe('0123456789');
  expect(westernDigits('٢٠٢٦-١٢-۰٤')).toBe('2026-12-04');
});

test('what is no digit stays as it is', () => {
  expect(westernDigits('قهوة 1½ ²')).toBe('قهوة 1½ ²');
});
