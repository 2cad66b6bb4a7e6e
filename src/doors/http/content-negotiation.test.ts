import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LONGEST_READ, preferencesOf } from './content-negotiation.ts';

const weightOf = (parameters: string): number | undefined => preferencesOf(`br${parameters}`)[0]?.weight;

describe('the preferences in an Accept header', () => {
  test('keep their order, in lower case, with a mark for other parameters', () => {
    expect(preferencesOf('text/HTML;level=1;q=0.4, */*;Q=0.1 ,ar-EG')).toEqual([
      { name: 'text/html', weight: 0.4, isPart: true },
      { name: '*/*', weight: 0.1, isPart: false },
      { name: 'ar-eg', weight: 1, isPart: false },
    ]);
  });

  test.each(['', ' ', ',', ' ,\t, ', ';;;,,,', ';q=1'])('are empty in %j', (header) => {
    expect(preferencesOf(header)).toEqual([]);
  });

  test('are cut to the first whole entries of a very long header', () => {
    const full = 'br;q=0.5,'.repeat(LONGEST_READ / 8);
    expect(preferencesOf(full)).toEqual(
      Array.from({ length: Math.floor((LONGEST_READ + 1) / 9) }, () => ({
        name: 'br',
        weight: 0.5,
        isPart: false,
      })),
    );
    expect(preferencesOf(`${'a'.repeat(LONGEST_READ - 2)},br`).map(({ name }) => name.at(-1))).toEqual(['a']);
    expect(preferencesOf(`${'a'.repeat(LONGEST_READ)},br`)).toHaveLength(1);
    expect(preferencesOf('a'.repeat(LONGEST_READ + 1))).toEqual([]);
  });
});

describe('a quality weight', () => {
  test.each([
    ['', 1],
    [';level=0', 1],
    [';quality=0', 1],
    [';q=1', 1],
    [';q=1.', 1],
    [';q=1.000', 1],
    [';q=0.5', 0.5],
    [';q=0.', 0],
    [';q=0.0', 0],
    [';q=0.000', 0],
    [';q=0.0000', 0],
    [';q=.0', 0],
    [';q=00', 0],
    [';q=0.001', 0.001],
    [';Q=0.25', 0.25],
    [' ;\tq=0.3 ', 0.3],
    [';level=1 ; q=0.2;ext=1', 0.2],
    [';q=0.2;q=0.7', 0.2],
    [';q = 0', 0],
    [';q =\t0.5', 0.5],
    [';q=.5', 0.5],
    ['; q=.2', 0.2],
    [';q=0.1234', 0.1234],
    [';q=2', 1],
    [';q=1.5', 1],
    [';q=1.001', 1],
  ])('br%s weighs %d', (parameters, weight) => {
    expect(weightOf(parameters)).toBe(weight);
  });

  test.each(['q', 'q=', 'q=.', 'q=banana', 'q=-1', 'q=1e0', 'q="1"', 'q=٠'])(
    'an invalid weight counts as 1: %s',
    (parameter) => expect(weightOf(`;${parameter}`)).toBe(1),
  );
});

test('every weight that the grammar allows is read exactly', () => {
  const blank = fc.constantFrom('', ' ', '\t', ' \t ');
  const preference = fc.record({
    name: fc.constantFrom('br', 'gzip', '*', 'ar-eg', 'application/*'),
    weight: fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000),
    sign: fc.constantFrom(';q=', ';Q=', '; q=', '\t;\tq='),
    isShort: fc.boolean(),
    before: blank,
    after: blank,
  });
  fc.assert(
    fc.property(fc.array(preference), (preferences) => {
      const header = preferences.map(({ name, weight, sign, isShort, before, after }) =>
        [before, name, sign, isShort ? String(weight) : weight.toFixed(3), after].join(''),
      );
      expect(preferencesOf(header.join(','))).toEqual(
        preferences.map(({ name, weight }) => ({ name, weight, isPart: false })),
      );
    }),
  );
});

test('any header gives weights between 0 and 1', () => {
  const noise = fc.string({
    unit: fc.constantFrom(',', ';', 'q', 'Q', '=', ' ', '0', '1', '.', 'b', '*', 'ا'),
  });
  fc.assert(
    fc.property(noise, (header) => {
      for (const { name, weight } of preferencesOf(header)) {
        expect(name).toBe(name.trim());
        expect(weight >= 0 && weight <= 1).toBe(true);
      }
    }),
  );
});
