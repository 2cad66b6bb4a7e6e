import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellRoundTrip, parsePounds, escapeCell, splitAmount } from './cells.ts';

describe('a text in a cell', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['@home', "'@home"],
    ["'=1", "''=1"],
    ['-50 %', "'-50 %"],
    ['a;=b', "a;'=b"],
    ['one\n- two', "one\n'- two"],
    ['\u200f=1', "'\u200f=1"],
    ['\t=1', "'\t'=1"],
    ["it's 1+1 = 2", "it's 1+1 = 2"],
    ["'quoted'", "'quoted'"],
  ])('%j is written as %j', (text, cell) => {
    expect(escapeCell(text)).toBe(cell);
  });

  test('is read back unchanged', () => {
    const signs = fc.constantFrom(...Array.from('=+-@\'",;\t\n\r\u200f＝ قa'));
    fc.assert(
      fc.property(fc.string({ unit: signs, maxLength: 10 }), (text) => {
        const core = text.replaceAll(/^[\s\u200f]+|[\s\u200f]+$/g, '');
        expect(cellRoundTrip(core)).toBe(core);
        expect(escapeCell(text)).not.toMatch(/(^|[,;\t\n])[\u200f"]*[=+@\-\t\r＝]/);
      }),
      { numRuns: 5000 },
    );
  });
});

test('a group of thousands does not begin with zero: such amounts are ambiguous', () => {
  expect(['0,250', '00,250', '1,250'].map(parsePounds)).toEqual([null, null, 125_000]);
});

test('an amount that was split at its decimal comma is joined', () => {
  expect([
    splitAmount('12', '50'),
    splitAmount('١٢', '٥'),
    splitAmount('12', ''),
    splitAmount('a', '5'),
  ]).toEqual(['12.50', '12.50', null, null]);
});
