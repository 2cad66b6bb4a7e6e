import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passwordFault, pinFault } from './secrets.ts';

const COMMON = new Set(['password', 'iloveyou', '12345678']);
const isCommon = (password: string): boolean => COMMON.has(password.toLowerCase());
const KNOWN = ['نادية فؤاد', 'nadia.fouad@beit.example', 'beit-el-bunn', 'بيت البن', 'Beit El Bunn'];
const faultOf = (password: string): string | undefined => passwordFault(password, KNOWN, isCommon)?.problem;

describe('a new password', () => {
  test('may be any 8 to 128 characters that are not easily guessed', () => {
    for (const password of ['correct horse', 'ثلاث ملاعق سكر', '☕'.repeat(8), 'x7!mQ2#z', ' a b c d '])
      expect(faultOf(password), password).toBeUndefined();
  });

  test.each([
    ['seven77', /8 to 128/],
    ['x'.repeat(129), /8 to 128/],
    [' '.repeat(8), /blank/],
    ['\t\u00a0\u3000\u200b\u200f\u2060  ', /blank/],
    ['password', /most people/],
    ['PassWord', /most people/],
    ['ｐａｓｓｗｏｒｄ', /most people/],
    ['nadia.fouad@beit.example', /e-mail address/],
    ['NADIA.FOUAD', /e-mail address/],
    ['nadiafouad', /e-mail address/],
    ['Beit El Bunn', /name/],
    ['beit.el.bunn!', /name/],
    ['بيت البن.', /name/],
    ['نادية فؤاد', /name/],
  ])('a new password is refused: ‘%s’', (password, why) => {
    expect(faultOf(password)).toMatch(why);
  });

  test('may contain a name', () => {
    expect(faultOf('beit-el-bunn opens at nine')).toBeUndefined();
  });

  test('every refusal has a reason in Arabic', () => {
    for (const password of ['short', ' '.repeat(9), 'password', 'beit-el-bunn'])
      expect(passwordFault(password, KNOWN, isCommon)?.arabic).toMatch(/[\u0600-\u06ff]/);
  });

  test('is checked without names if none are known', () => {
    expect(passwordFault('--------', [null, ''], isCommon)).toBeNull();
  });
});

describe('a new PIN', () => {
  test.each(['7294', '3805', '1358', '٣٨٠٥', '90417', '27182818'])('may be %s', (pin) => {
    expect(pinFault(pin)).toBeNull();
  });

  test.each([
    ...['0000', '1234', '4321', '2468', '8642', '1357', '7890', '0987', '12345678', '٢٤٦٨'],
    ...['1212', '6969', '123123', '1122', '12341234', '1950', '1990', '2026', '2049'],
  ])('a PIN is refused as easily guessed: %s', (pin) => {
    expect(pinFault(pin)?.problem).toMatch(/row, a repetition or a year/);
  });

  test.each(['123', '123456789', 'abcd', '', '12 34'])('a PIN is refused as invalid: ‘%s’', (pin) => {
    expect(pinFault(pin)?.problem).toMatch(/4 to 8 digits/);
  });

  test('a PIN of four digits has 9,672 allowed values', () => {
    const allowed = Array.from({ length: 10_000 }, (_, n) => String(n).padStart(4, '0')).filter(
      (pin) => pinFault(pin) === null,
    );
    expect(allowed.length).toBe(9_672);
  });

  test('is checked alike in Arabic digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999 }), fc.integer({ min: 4, max: 8 }), (n, length) => {
        const pin = String(n).padStart(8, '0').slice(0, length);
        const arabic = Array.from(pin, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? '').join('');
        expect(pinFault(arabic)).toEqual(pinFault(pin));
      }),
    );
  });
});
