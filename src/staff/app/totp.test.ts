/** TOTP codes against an independent RFC 6238 implementation. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromBase32, totpAt } from '../../../test/support/people/authenticators.ts';
import { totpSetup, totpStepOf } from './totp.ts';

const SECRET = Buffer.from('12345678901234567890');

/** RFC 6238, appendix B, SHA-1: seconds and eight digits, of which apps show the last six. */
const VECTORS = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
] as const;

test.each(VECTORS)('at %i s the code of RFC 6238 is right in both implementations', (seconds, code) => {
  expect(totpAt(SECRET, seconds * 1_000, 8)).toBe(code);
  expect(totpStepOf(SECRET, code.slice(2), seconds * 1_000)).toBe(Math.floor(seconds / 30));
});

describe('a TOTP code', () => {
  const NOW = 1_234_567_890_000;

  test('a TOTP code is valid in its own 30 seconds, the 30 before and the 30 after', () => {
    const step = Math.floor(NOW / 30_000);
    expect([-2, -1, 0, 1, 2].map((by) => totpStepOf(SECRET, totpAt(SECRET, NOW + by * 30_000), NOW))).toEqual(
      [null, step - 1, step, step + 1, null],
    );
  });

  test('equals the independent implementation for any secret and time', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 20, maxLength: 20 }),
        fc.integer({ min: 60_000, max: 4e12 }),
        (secret, now) => {
          const steps = [-1, 0, 1].map((by) => totpAt(secret, now + by * 30_000));
          const found = totpStepOf(secret, totpAt(secret, now), now);
          // Two neighbours may share a code by chance; either is right.
          expect(found === null ? null : steps[found - Math.floor(now / 30_000) + 1]).toBe(
            totpAt(secret, now),
          );
        },
      ),
    );
  });

  test.each(['', '12345', '1234567', 'abcdef', '00000a'])('%j is invalid', (typed) => {
    expect(totpStepOf(SECRET, typed, NOW)).toBeNull();
  });
});

test('the setup returns the secret and an otpauth URI for the app', () => {
  const { secret, uri } = totpSetup(SECRET, { issuer: 'قهوة', label: 'owner@beans.example' });
  expect(fromBase32(secret)).toEqual(SECRET);
  const read = new URL(uri);
  expect(`${read.protocol}//${read.host}`).toBe('otpauth://totp');
  expect(Object.fromEntries(read.searchParams)).toEqual({
    ...{ issuer: 'قهوة', secret, algorithm: 'SHA1', digits: '6', period: '30' },
  });
  expect(decodeURIComponent(read.pathname)).toContain('owner@beans.example');
});
