import { describe, expect, test } from 'vitest';
import { decimalScalar } from './scalars.ts';

describe('a decimal number in a query', () => {
  const { read } = decimalScalar(-180, 180, 31.2197);

  test('is read with all its decimals', () => {
    expect(['31.2197', '31.219700', '-0.5', '180', '-180.000', '0'].map(read)).toEqual([
      31.2197, 31.2197, -0.5, 180, -180, 0,
    ]);
  });

  test('zero is read without a sign', () => {
    expect(['-0', '-0.000000', `-0.${'0'.repeat(400)}1`].map(read)).toEqual([0, 0, 0]);
  });

  test('is refused out of bounds and in any other notation', () => {
    const wrong = ['180.0000001', '-181', '', ' 31', '31 ', '+31', '031', '.5', '31.', '3e1', '1e-7', '0x1f'];
    expect(
      [...wrong, '31,2', '٣١', 'NaN', 'Infinity', '--3', '-', '1_0'].map(read).filter((n) => n !== null),
    ).toEqual([]);
  });
});
