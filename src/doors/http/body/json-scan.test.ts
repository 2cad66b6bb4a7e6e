import { describe, expect, test } from 'vitest';
import { BODY_JSON_LIMITS, MESSAGE_JSON_LIMITS, scanProblem } from './json-scan.ts';

const problemOf = (text: string): string | null =>
  scanProblem(Buffer.from(text), BODY_JSON_LIMITS)?.problem ?? null;
const list = (count: number, entry: string): string =>
  `[${Array.from({ length: count }, () => entry).join()}]`;
/** Longer than a text that is always parsed. */
const PADDING = `"${'x'.repeat(20_000)}"`;

const TOO_MANY_SHAPES = 'has objects of more than 512 different shapes';
/** Objects of so many fields, with the same names in another order each. */
const orders = (fields: number, count: number): string[] =>
  Array.from({ length: count }, (_, turn) => {
    const names = Array.from({ length: fields }, (__, place) => `field ${place}`);
    for (let place = 0, rest = turn; place < fields; place += 1) {
      const other = place + (rest % (fields - place));
      rest = Math.floor(rest / (fields - place));
      [names[place], names[other]] = [names[other] ?? '', names[place] ?? ''];
    }
    return `{${names.map((name) => `"${name}":0`).join()}}`;
  });

/** An object for each subset of so many fields, in one order. */
const leavingOut = (fields: number): string[] =>
  Array.from({ length: 2 ** fields }, (_, choice) => {
    const names = Array.from({ length: fields }, (__, place) => place).filter(
      (place) => choice & (1 << place),
    );
    return `{${names.map((place) => `"field ${place}":0`).join()}}`;
  });

describe('JSON text that is accepted for parsing', () => {
  test.each([
    ['a short one, whatever it holds', '['.repeat(5_000)],
    ['a long string', PADDING],
    ['brackets, commas and colons inside strings', `["${'[{,:'.repeat(50_000)}"]`],
    ['quotes that are escaped', `["${'\\"[,'.repeat(50_000)}", "\\\\"]`],
    ['39,999 values', list(39_998, '0')],
    ['the same field names again and again', list(10_000, '{"quantity":1}')],
    ['objects that leave out this and that of nine fields', `[${PADDING},${leavingOut(9).join()}]`],
    ['objects of 100 fields', `[${PADDING},${orders(100, 2).join()}]`],
    ['what is not JSON at all', ']'.repeat(20_000)],
    ['a string that never ends', `["${'x'.repeat(20_000)}`],
    ['one that ends in an escape', `["${'x'.repeat(20_000)}\\`],
  ])('%s', (_, text) => expect(problemOf(text)).toBeNull());
});

describe('JSON text that is refused before parsing', () => {
  test.each([
    ['257 levels', `[${PADDING},${'['.repeat(256)}`, 'is nested too deeply'],
    ['more than 40,000 values', list(40_001, '0'), 'has more than 40000 values'],
    ['more than 40,000 empty lists', list(20_001, '[]'), 'has more than 40000 values'],
    [
      'a thousand different field names',
      `[${Array.from({ length: 2_000 }, (_, index) => `{"field ${index}":0}`).join()}]`,
      TOO_MANY_SHAPES,
    ],
    ['a few names in ever other orders', `[${orders(8, 2_000).join()}]`, TOO_MANY_SHAPES],
    [
      'an object of 101 fields',
      `[${PADDING},${orders(101, 1).join()}]`,
      'has an object of more than 100 fields',
    ],
  ])('%s', (_, text, problem) => expect(problemOf(text)).toBe(problem));
});

test('a tool message is limited only in its number of object shapes', () => {
  const scan = (text: string): string | null =>
    scanProblem(Buffer.from(text), MESSAGE_JSON_LIMITS)?.problem ?? null;
  expect(scan('['.repeat(60_000))).toBeNull();
  const names = Array.from({ length: 4_000 }, (_, index) => `{"field ${index}":0}`).join();
  expect(scan(`[${names}]`)).toBe(TOO_MANY_SHAPES);
  expect(scan(`[${PADDING},${orders(500, 1).join()}]`)).toBeNull();
});
