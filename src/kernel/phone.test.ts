import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countryPrefix, maskPhone, parsePhone, type Phone } from './phone.ts';

const GULF = ['SA', 'AE', 'KW'];

const inDigits = (zero: number) => (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)));
const digits = fc.constantFrom(inDigits(0x30), inDigits(0x660), inDigits(0x6f0), inDigits(0xff10));

/** Separators, and invisible characters of pasted text. */
const gap = fc.constantFrom(
  '',
  '',
  '',
  ' ',
  '-',
  '\u00A0',
  '\u200F',
  '\u200E',
  '\u202A',
  '\u202C',
  '\u061C',
  '.',
);

const EGYPTIAN_STARTS = ['+20', '0020', '20', '0', '', '+20 0', '00 20 ', '+2 0', '002 0'];

/** The last ten digits of an Egyptian mobile. */
const egyptian = fc
  .tuple(fc.constantFrom('10', '11', '12', '15'), fc.integer({ min: 0, max: 99_999_999 }))
  .map(([network, rest]) => `${network}${String(rest).padStart(8, '0')}`);

/** Possible spellings within 32 characters. */
const written = (start: string, number: string) =>
  fc
    .tuple(digits, fc.array(gap, { minLength: number.length, maxLength: number.length }))
    .map(
      ([inTheirs, gaps]) =>
        start +
        Array.from(inTheirs(number))
          .map((digit, i) => `${gaps[i] ?? ''}${digit}`)
          .join(''),
    )
    .filter((text) => text.length <= 32);

describe('an Egyptian mobile', () => {
  test('has one canonical form, whatever its digits, prefix and separators', () => {
    fc.assert(
      fc.property(
        egyptian.chain((number) =>
          fc.tuple(
            fc.constant(number),
            fc.constantFrom(...EGYPTIAN_STARTS).chain((start) => written(start, number)),
          ),
        ),
        ([number, text]) => {
          expect(parsePhone(text, [])).toBe(`20${number}`);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test.each([
    '01001234567',
    '0100 123 4567',
    '(0100) 123-4567',
    '+20 (0)100 123 4567',
    '(+20) 100 123 4567',
    '(+20)1001234567',
    'tel:+20-100-123-4567',
    'TEL:01001234567',
    '00 20 100 123 4567',
    '1001234567',
    '٠١٠٠١٢٣٤٥٦٧',
    '+۲۰۱۰۰۱۲۳۴۵۶۷',
    '\u200F01001234567',
    '\u202A+20 100 123 4567\u202C',
    '０１００１２３４５６７',
    '0100–123–4567',
    '+2 01001234567',
    '002 0100 1234567',
  ])('%j is 201001234567', (text) => {
    expect(parsePhone(text, [])).toBe('201001234567');
  });
});

describe('a rejected phone number', () => {
  test.each([
    ['nothing', ''],
    ['words', 'call me'],
    ['a number within words', 'call 01001234567'],
    ['two numbers', '01001234567 / 01112223333'],
    ['an extension', '01001234567 ext 5'],
    ['an extension by a sign', '01001234567#5'],
    ['a digit too few', '0100123456'],
    ['a digit too many', '010012345678'],
    ['a range that no network has', '01301234567'],
    ['a landline', '0227354000'],
    ['a short number', '19123'],
    ['two plus signs', '++201001234567'],
    ['a phone of a satellite, which is of no country', '+870773111632'],
    ['marks alone', '\u200F\u200F'],
  ])('is rejected: %s', (_, text) => {
    expect(parsePhone(text, GULF)).toBeNull();
  });

  test('is longer than 32 characters, invisible ones included', () => {
    const marks = '\u200F'.repeat(32 - 11);
    expect(parsePhone(`${marks}01001234567`, [])).toBe('201001234567');
    expect(parsePhone(`${marks}\u200F01001234567`, [])).toBeNull();
  });

  test('is null for any other text, without an exception or another form', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.stringMatching(/^[+\d ().x;#/-]{0,34}$/)),
        (text) => {
          const phone = parsePhone(text, GULF);
          if (phone !== null) expect(phone).toMatch(/^(20|966|971|965)\d{8,10}$/);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('a foreign mobile', () => {
  test('is accepted from the listed countries only', () => {
    expect(parsePhone('+966 50 123 4567', GULF)).toBe('966501234567');
    expect(parsePhone('00971501234567', GULF)).toBe('971501234567');
    expect(parsePhone('+44 7400 123456', GULF)).toBeNull();
    expect(parsePhone('+44 7400 123456', ['GB'])).toBe('447400123456');
    expect(parsePhone('+966 50 123 4567', [])).toBeNull();
  });

  test('is not a landline', () => {
    expect(parsePhone('+966 11 234 5678', GULF)).toBeNull();
    expect(parsePhone('+39 06 1234 567', ['IT'])).toBeNull();
  });

  test('is accepted from one country only among those that share a country code', () => {
    expect(parsePhone('+1 213 373 4253', ['US'])).toBe('12133734253');
    expect(parsePhone('+1 242 359 1234', ['US'])).toBeNull();
    expect(parsePhone('+1 800 555 1234', ['US'])).toBeNull();
  });

  test('needs its country code', () => {
    expect(parsePhone('0501234567', GULF)).toBeNull();
  });
});

test('the canonical form parses to itself', () => {
  const phones: Phone[] = ['201001234567', '966501234567', '971501234567', '12133734253'];
  for (const phone of phones) expect(parsePhone(phone, ['US', ...GULF])).toBe(phone);
  fc.assert(
    fc.property(egyptian, (number) => {
      expect(parsePhone(`20${number}`, ['US', ...GULF])).toBe(`20${number}`);
    }),
  );
});

test('only the last four digits of a phone are shown', () => {
  expect(maskPhone('201001234567')).toBe('•••• 4567');
});

test('countryPrefix accepts two capital letters of a known country only', () => {
  expect(['EG', 'SA', 'GB'].map(countryPrefix)).toEqual(['+20', '+966', '+44']);
  expect(['sa', 'XX', '', 'SAU', 'toString'].some((code) => countryPrefix(code) !== null)).toBe(false);
});
