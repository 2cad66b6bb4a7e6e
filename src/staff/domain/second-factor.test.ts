import { describe, expect, test } from 'vitest';
import {
  countedFactorFailures,
  factorWaitSeconds,
  groupedCode,
  newRecoveryCode,
  RECOVERY_LENGTH,
  recoveryCodeIn,
  totpCodeIn,
  withoutFailure,
} from './second-factor.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('typed second factors', () => {
  test('six digits are a code, also in Arabic and Persian digits and in groups', () => {
    expect(['287082', '287 082', ' 287082\n', '٢٨٧٠٨٢', '۲۸۷۰۸۲'].map(totpCodeIn)).toEqual(
      Array(5).fill('287082'),
    );
    expect(['28708', '2870822', '28708a', '', '-287082', '２８７０８２'].map(totpCodeIn)).toEqual(
      Array(6).fill(null),
    );
  });

  test('a recovery code is 25 letters and digits in groups, in any letter case', () => {
    let next = 0;
    const code = newRecoveryCode((limit) => (next += 1) % limit);
    expect(code).toHaveLength(RECOVERY_LENGTH);
    expect(groupedCode(code)).toMatch(/^(?:[34679ACDEFGHJKMNPQRTWXY]{5}-){4}[34679ACDEFGHJKMNPQRTWXY]{5}$/);
    for (const typed of [groupedCode(code), groupedCode(code).toLowerCase(), code.replace(/(.....)/g, '$1 ')])
      expect(recoveryCodeIn(typed)).toBe(code);
    for (const typed of ['', code.slice(1), `${code}A`, code.replace(/.$/, 'O')])
      expect(recoveryCodeIn(typed)).toBeNull();
  });
});

describe('wrong second factors', () => {
  const NOW = Date.parse('2026-11-20T18:00:00Z');
  const ago = (...minutes: readonly number[]): number[] => minutes.map((each) => NOW - each * MINUTE);

  test('five wrong codes in 15 minutes cause a wait until the first is 15 minutes old', () => {
    expect(factorWaitSeconds(ago(1, 2, 3, 4), NOW)).toBe(0);
    expect(factorWaitSeconds(ago(1, 2, 3, 4, 5), NOW)).toBe(10 * 60);
    expect(factorWaitSeconds(ago(0, 0, 0, 0, 14.99), NOW)).toBe(1);
    expect(factorWaitSeconds(ago(0, 0, 0, 0, 15), NOW)).toBe(0);
  });

  test('twenty wrong codes in a day cause a wait until the first is a day old', () => {
    const spread = Array.from({ length: 19 }, (_, at) => NOW - (at + 1) * HOUR);
    expect(factorWaitSeconds(spread, NOW)).toBe(0);
    expect(factorWaitSeconds([...spread, NOW - 20 * HOUR], NOW)).toBe(4 * 60 * 60);
    expect(factorWaitSeconds([...spread, NOW - 24 * HOUR], NOW)).toBe(0);
  });

  test('failures a day old and right tries are not counted', () => {
    expect(countedFactorFailures([NOW, NOW - 24 * HOUR, NOW - 1], NOW)).toEqual([NOW - 1, NOW]);
    expect(withoutFailure([NOW - 1, NOW, NOW], NOW)).toEqual([NOW - 1, NOW]);
    expect(withoutFailure([NOW - 1], NOW)).toEqual([NOW - 1]);
  });
});
