import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fieldPath, parseJson } from './json.ts';

const valueOf = (text: string): unknown => {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(parsed.faults.map(({ problem }) => problem).join());
  return parsed.value;
};

describe('parseJson', () => {
  test('accepts the texts that JSON.parse accepts, with equal values', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 2, '\t'), (json, indent) => {
        const value: unknown = JSON.parse(json);
        const text = JSON.stringify(value, null, indent);
        expect(valueOf(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test('rejects the texts that JSON.parse rejects, and always returns a value or faults', () => {
    const signs = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '1',
      '-',
      '0',
      '.',
      'e',
      'null',
      'true',
      ' ',
      '\n',
      '\\',
      'u00',
      '"a"',
    );
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        const parsed = parseJson(text);
        try {
          const value: unknown = JSON.parse(text);
          if (parsed.ok) expect(parsed.value).toEqual(Object.is(value, -0) ? 0 : value);
          else expect(parsed.faults[0]?.problem).toMatch(/twice|too large/);
        } catch (fault) {
          expect(fault).toBeInstanceOf(SyntaxError);
          expect(parsed.ok).toBe(false);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('returns the position of every value', () => {
    const parsed = parseJson('{\r\n  "قهوة": [1,\r\n    {"a b": null}]\r\n}');
    if (!parsed.ok) throw new Error('unreadable');
    expect(parsed.positionOf('')).toEqual({ line: 1, column: 1 });
    expect(parsed.positionOf('قهوة')).toEqual({ line: 2, column: 11 });
    expect(parsed.positionOf('قهوة[1]["a b"]')).toEqual({ line: 3, column: 13 });
    expect(parsed.positionOf('nothing')).toBeNull();
  });

  test('counts columns in characters, on long lines too', () => {
    const parsed = parseJson(`["☕","👨‍🍳👨‍🍳",${'1,'.repeat(1000)}2]`);
    if (!parsed.ok) throw new Error('unreadable');
    expect(parsed.positionOf('[2]')).toEqual({ line: 1, column: 15 });
    expect(parsed.positionOf('[1002]')).toEqual({ line: 1, column: 15 + 2000 });
  });

  test('reads a field named __proto__ as an ordinary field', () => {
    const value = valueOf('{"__proto__": {"x": 1}}');
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });

  test('finds fields whose names are numbers, brackets or quotation marks', () => {
    const parsed = parseJson('{"b":1, "10":2, "2":{"a[1].b":3, "say \\"x\\"":4}}');
    if (!parsed.ok) throw new Error('unreadable');
    const places = ['b', '["10"]', '["2"]["a[1].b"]', fieldPath('["2"]', 'say "x"'), 'b.c', '[0]', '..'];
    expect(places.map((path) => parsed.positionOf(path)?.column ?? null)).toEqual([
      6,
      14,
      31,
      46,
      null,
      null,
      null,
    ]);
  });

  test('explains a digit after a comma as a decimal comma', () => {
    const parsed = parseJson('{"price": 12,50}');
    expect(parsed.ok ? [] : parsed.faults.map(({ problem }) => problem)).toEqual([
      'a field name in quotation marks is expected here, not ‘5’: if that is an amount, write it in piastres, without a comma',
    ]);
  });

  test('parses a list of 100,000 objects', () => {
    const text = JSON.stringify(Array.from({ length: 100_000 }, (_, at) => ({ at })));
    expect(valueOf(text)).toHaveLength(100_000);
  });
});

test('paths quote names that are not plain words', () => {
  expect(fieldPath('', 'menu')).toBe('menu');
  expect(fieldPath('name', 'zh-Hant')).toBe('name.zh-Hant');
  expect(fieldPath('a', 'b.c')).toBe('a["b.c"]');
});
