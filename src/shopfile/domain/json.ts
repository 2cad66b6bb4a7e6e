/**
 * JSON parser with the line and column of every value. Stricter than `JSON.parse`: duplicate fields are faults, and
 * depth, fields per object and number of values are limited.
 */
import { offsetOf, pathOf, positionIn, type Offsets, type Position, type Step } from './positions.ts';

export { entryPath, fieldPath, type Position } from './positions.ts';

interface JsonFault extends Position {
  /** Such as `menu.items[3].price`; '' is the whole text. */
  readonly path: string;
  readonly problem: string;
}

type ParsedJson =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** Number of values, nested ones included. */
      readonly values: number;
      readonly positionOf: (path: string) => Position | null;
    }
  | { readonly ok: false; readonly faults: readonly JsonFault[] };

const MAX_DEPTH = 64;
/** Per object; shop files have less than a tenth. */
const MAX_FIELDS = 1000;
/** 20,000 items with 100 values each. */
const MAX_VALUES = 2_000_000;

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const SPACE = /[ \t\r\n]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Caught by `parseJson`. */
class Unreadable extends Error {
  readonly at: number;

  constructor(problem: string, at: number) {
    super(problem);
    this.at = at;
  }
}

interface Reader {
  readonly text: string;
  at: number;
  /** Path of the current value; after a fault, of the fault. */
  readonly steps: Step[];
  readonly offsets: Offsets;
  readonly duplicates: { readonly path: string; readonly at: number }[];
  values: number;
}

const take = (reader: Reader, pattern: RegExp): string => {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0] ?? '';
  reader.at += found.length;
  return found;
};

const foundAt = (reader: Reader): string => {
  const character = reader.text.slice(reader.at, reader.at + 2).match(/^./su)?.[0];
  if (character === undefined) return 'the end of the file';
  return character === '\n' || character === '\r' ? 'the end of the line' : `‘${character}’`;
};

const unexpected = (reader: Reader, wanted: string, hint = ''): Unreadable =>
  new Unreadable(`${wanted} is expected here, not ${foundAt(reader)}${hint}`, reader.at);

const escapeFault = (text: string, at: number): Unreadable => {
  const letter = text.charAt(at + 1);
  return new Unreadable(
    letter === 'u' ? '\\u needs four hexadecimal digits' : `\\${letter} means nothing in JSON`,
    at,
  );
};

const [QUOTE, BACKSLASH, FIRST_PLAIN] = [0x22, 0x5c, 0x20];

const readString = (reader: Reader): string => {
  const { text, at: start } = reader;
  let hasEscapes = false;
  let at = start + 1;
  for (; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) break;
    if (code === BACKSLASH) {
      ESCAPE.lastIndex = at;
      if (!ESCAPE.test(text)) throw escapeFault(text, at);
      at = ESCAPE.lastIndex - 1;
      hasEscapes = true;
    } else if (Number.isNaN(code)) throw new Unreadable('this text has no closing quotation mark', start);
    else if (code < FIRST_PLAIN)
      throw new Unreadable('a line break or control character stands inside a text', at);
  }
  reader.at = at + 1;
  return hasEscapes ? String(JSON.parse(text.slice(start, at + 1))) : text.slice(start + 1, at);
};

const readNumber = (reader: Reader): number => {
  const start = reader.at;
  const value = Number(take(reader, NUMBER));
  if (!Number.isFinite(value)) throw new Unreadable('this number is too large', start);
  return value === 0 ? 0 : value;
};

const readList = (reader: Reader, depth: number): unknown[] => {
  const list: unknown[] = [];
  const offsets: number[] = [];
  reader.offsets.set(list, offsets);
  reader.at += 1;
  take(reader, SPACE);
  if (reader.text.charAt(reader.at) === ']') {
    reader.at += 1;
    return list;
  }
  for (;;) {
    reader.steps.push(list.length);
    take(reader, SPACE);
    offsets.push(reader.at);
    list.push(readValue(reader, depth + 1));
    reader.steps.pop();
    take(reader, SPACE);
    const next = reader.text.charAt(reader.at);
    if (next !== ',' && next !== ']') throw unexpected(reader, '‘,’ or ‘]’');
    reader.at += 1;
    if (next === ']') return list;
  }
};

/** A digit where a field name should start is probably an amount with a decimal comma. */
const commaHint = ({ text, at }: Reader): string =>
  /[0-9]/.test(text.charAt(at)) ? ': if that is an amount, write it in piastres, without a comma' : '';

const readField = (
  reader: Reader,
  fields: Map<string, unknown>,
  offsets: Map<string, number>,
  depth: number,
) => {
  take(reader, SPACE);
  if (reader.text.charAt(reader.at) !== '"')
    throw unexpected(reader, 'a field name in quotation marks', commaHint(reader));
  const start = reader.at;
  const name = readString(reader);
  reader.steps.push(name);
  if (fields.has(name)) reader.duplicates.push({ path: pathOf(reader.steps), at: start });
  if (fields.size === MAX_FIELDS)
    throw new Unreadable(`this object has more than ${MAX_FIELDS} fields`, start);
  take(reader, SPACE);
  if (reader.text.charAt(reader.at) !== ':') throw unexpected(reader, '‘:’');
  reader.at += 1;
  take(reader, SPACE);
  offsets.set(name, reader.at);
  fields.set(name, readValue(reader, depth + 1));
  reader.steps.pop();
};

const readObject = (reader: Reader, depth: number): unknown => {
  const fields = new Map<string, unknown>();
  const offsets = new Map<string, number>();
  reader.at += 1;
  take(reader, SPACE);
  if (reader.text.charAt(reader.at) === '}') {
    reader.at += 1;
    return {};
  }
  for (;;) {
    readField(reader, fields, offsets, depth);
    take(reader, SPACE);
    const next = reader.text.charAt(reader.at);
    if (next !== ',' && next !== '}') throw unexpected(reader, '‘,’ or ‘}’');
    reader.at += 1;
    if (next === ',') continue;
    // fromEntries, because assigning to a field named __proto__ would set the prototype.
    const object: object = Object.fromEntries(fields);
    reader.offsets.set(
      object,
      Object.keys(object).map((name) => offsets.get(name) ?? 0),
    );
    return object;
  }
};

const readValue = (reader: Reader, depth: number): unknown => {
  if (depth > MAX_DEPTH) throw new Unreadable('this is nested too deeply', reader.at);
  reader.values += 1;
  if (reader.values > MAX_VALUES)
    throw new Unreadable(
      `the file holds more than ${MAX_VALUES.toLocaleString('en')} values, which no shop has`,
      reader.at,
    );
  const next = reader.text.charAt(reader.at);
  if (next === '{') return readObject(reader, depth);
  if (next === '[') return readList(reader, depth);
  if (next === '"') return readString(reader);
  NUMBER.lastIndex = reader.at;
  if (NUMBER.test(reader.text)) return readNumber(reader);
  for (const [word, value] of WORDS) {
    if (!reader.text.startsWith(word, reader.at)) continue;
    reader.at += word.length;
    return value;
  }
  throw unexpected(reader, 'a value');
};

/** Skips a byte order mark. */
export const parseJson = (source: string): ParsedJson => {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  const reader: Reader = { text, at: 0, steps: [], offsets: new WeakMap(), duplicates: [], values: 0 };
  let positionOfOffset: ((offset: number) => Position) | null = null;
  const positionAt = (offset: number): Position => (positionOfOffset ??= positionIn(text))(offset);
  try {
    take(reader, SPACE);
    const start = reader.at;
    const value = readValue(reader, 0);
    take(reader, SPACE);
    if (reader.at < text.length) throw unexpected(reader, 'the end of the file');
    if (reader.duplicates.length > 0) {
      const faults = reader.duplicates.map(({ path, at }) => ({
        path,
        problem: 'is written twice in the same object',
        ...positionAt(at),
      }));
      return { ok: false, faults };
    }
    const positionOf = (path: string): Position | null => {
      const offset = offsetOf(value, start, path, reader.offsets);
      return offset === null ? null : positionAt(offset);
    };
    return { ok: true, value, values: reader.values, positionOf };
  } catch (fault) {
    if (!(fault instanceof Unreadable)) throw fault;
    return {
      ok: false,
      faults: [{ path: pathOf(reader.steps), problem: fault.message, ...positionAt(fault.at) }],
    };
  }
};
