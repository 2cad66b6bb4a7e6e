/**
 * JSON with places: every value's line and column, so that a fault of a file can be found in it. Stricter than
 * `JSON.parse` in two ways: a field written twice is a fault, and so is a number beyond what can be held.
 */

export interface Place {
  readonly line: number;
  readonly column: number;
}

interface JsonFault extends Place {
  /** Path of the value concerned, such as `menu.items[3].price`; '' is the whole text. */
  readonly path: string;
  readonly problem: string;
}

type ParsedJson =
  | { readonly ok: true; readonly value: unknown; readonly placeOf: (path: string) => Place | null }
  | { readonly ok: false; readonly faults: readonly JsonFault[] };

/** The path of a field; a name that is no plain word is quoted. */
export const fieldPath = (path: string, field: string): string => {
  const plain = /^[$\p{L}_][\p{L}\p{M}\p{N}_-]*$/u.test(field);
  if (!plain) return `${path}[${JSON.stringify(field)}]`;
  return path === '' ? field : `${path}.${field}`;
};
export const entryPath = (path: string, index: number): string => `${path}[${index}]`;

const MAX_DEPTH = 64;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const SPACE = /[ \t\r\n]*/y;
const PLAIN_TEXT = /[^"\\\u0000-\u001f]*/y;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);
const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Unwinds to `parseJson`; never leaves this file. */
class Unreadable extends Error {
  readonly at: number;
  readonly path: string;

  constructor(problem: string, at: number, path: string) {
    super(problem);
    this.at = at;
    this.path = path;
  }
}

interface Reader {
  readonly text: string;
  at: number;
  readonly places: Map<string, number>;
  readonly twice: { readonly path: string; readonly at: number }[];
}

const take = (reader: Reader, pattern: RegExp): string => {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0] ?? '';
  reader.at += found.length;
  return found;
};

const seen = (reader: Reader): string => {
  const character = reader.text.slice(reader.at, reader.at + 2).match(/^./su)?.[0];
  if (character === undefined) return 'the end of the file';
  return character === '\n' || character === '\r' ? 'the end of the line' : `‘${character}’`;
};

const unexpected = (reader: Reader, wanted: string, path: string): Unreadable =>
  new Unreadable(`${wanted} is expected here, not ${seen(reader)}`, reader.at, path);

const readEscape = (reader: Reader, path: string): string => {
  const letter = reader.text.charAt(reader.at + 1);
  if (letter === 'u') {
    const digits = reader.text.slice(reader.at + 2, reader.at + 6);
    if (!/^[0-9a-fA-F]{4}$/.test(digits))
      throw new Unreadable('\\u needs four hexadecimal digits', reader.at, path);
    reader.at += 6;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }
  const meant = ESCAPES.get(letter);
  if (meant === undefined) throw new Unreadable(`\\${letter} means nothing in JSON`, reader.at, path);
  reader.at += 2;
  return meant;
};

const readString = (reader: Reader, path: string): string => {
  const start = reader.at;
  reader.at += 1;
  let result = take(reader, PLAIN_TEXT);
  for (;;) {
    const next = reader.text.charAt(reader.at);
    if (next === '"') break;
    if (next === '\\') result += readEscape(reader, path) + take(reader, PLAIN_TEXT);
    else if (next === '') throw new Unreadable('this text has no closing quotation mark', start, path);
    else throw new Unreadable('a line break or control character stands inside a text', reader.at, path);
  }
  reader.at += 1;
  return result;
};

const readNumber = (reader: Reader, path: string): number => {
  const start = reader.at;
  const value = Number(take(reader, NUMBER));
  if (!Number.isFinite(value)) throw new Unreadable('this number is too large', start, path);
  return value === 0 ? 0 : value;
};

const readList = (reader: Reader, path: string, depth: number): unknown[] => {
  const list: unknown[] = [];
  reader.at += 1;
  take(reader, SPACE);
  if (reader.text.charAt(reader.at) === ']') {
    reader.at += 1;
    return list;
  }
  for (;;) {
    list.push(readValue(reader, entryPath(path, list.length), depth + 1));
    take(reader, SPACE);
    const next = reader.text.charAt(reader.at);
    if (next !== ',' && next !== ']') throw unexpected(reader, '‘,’ or ‘]’', path);
    reader.at += 1;
    if (next === ']') return list;
  }
};

const readField = (reader: Reader, path: string, depth: number): [string, unknown] => {
  take(reader, SPACE);
  if (reader.text.charAt(reader.at) !== '"')
    throw unexpected(reader, 'a field name in quotation marks', path);
  const start = reader.at;
  const name = readString(reader, path);
  const own = fieldPath(path, name);
  if (reader.places.has(own)) reader.twice.push({ path: own, at: start });
  take(reader, SPACE);
  if (reader.text.charAt(reader.at) !== ':') throw unexpected(reader, '‘:’', own);
  reader.at += 1;
  return [name, readValue(reader, own, depth + 1)];
};

const readObject = (reader: Reader, path: string, depth: number): unknown => {
  const fields: [string, unknown][] = [];
  reader.at += 1;
  take(reader, SPACE);
  if (reader.text.charAt(reader.at) === '}') {
    reader.at += 1;
    return {};
  }
  for (;;) {
    fields.push(readField(reader, path, depth));
    take(reader, SPACE);
    const next = reader.text.charAt(reader.at);
    if (next !== ',' && next !== '}') throw unexpected(reader, '‘,’ or ‘}’', path);
    reader.at += 1;
    // Not by assignment: a field called __proto__ is a field like any other.
    if (next === '}') return Object.fromEntries(fields);
  }
};

const readValue = (reader: Reader, path: string, depth: number): unknown => {
  take(reader, SPACE);
  if (depth > MAX_DEPTH) throw new Unreadable('this is nested too deeply', reader.at, path);
  reader.places.set(path, reader.at);
  const next = reader.text.charAt(reader.at);
  if (next === '{') return readObject(reader, path, depth);
  if (next === '[') return readList(reader, path, depth);
  if (next === '"') return readString(reader, path);
  NUMBER.lastIndex = reader.at;
  if (NUMBER.test(reader.text)) return readNumber(reader, path);
  for (const [word, value] of WORDS) {
    if (!reader.text.startsWith(word, reader.at)) continue;
    reader.at += word.length;
    return value;
  }
  throw unexpected(reader, 'a value', path);
};

/** How many of the ascending numbers are at most `bound`. */
const countUpTo = (ascending: readonly number[], bound: number): number => {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= bound) low = middle + 1;
    else high = middle;
  }
  return low;
};

const positionsOf = (text: string, pattern: RegExp): number[] =>
  Array.from(text.matchAll(pattern), (match) => match.index + match[0].length);

/** Line and column of an offset, both from 1, columns in characters. */
const placeIn = (text: string): ((offset: number) => Place) => {
  const starts = [0, ...positionsOf(text, /\r\n|\n|\r/g)];
  // Characters that take two units of the text.
  const wide = positionsOf(text, /[\ud800-\udbff][\udc00-\udfff]/g);
  return (offset) => {
    const line = countUpTo(starts, offset);
    const start = starts[line - 1] ?? 0;
    return { line, column: offset - start - (countUpTo(wide, offset) - countUpTo(wide, start)) + 1 };
  };
};

/** The value of a JSON text with its places, or what is wrong with it. A byte order mark is passed over. */
export const parseJson = (source: string): ParsedJson => {
  const text = source.replace(/^\uFEFF/, '');
  const reader: Reader = { text, at: 0, places: new Map(), twice: [] };
  const place = placeIn(text);
  try {
    const value = readValue(reader, '', 0);
    take(reader, SPACE);
    if (reader.at < text.length) throw unexpected(reader, 'the end of the file', '');
    if (reader.twice.length > 0) {
      const faults = reader.twice.map(({ path, at }) => ({
        path,
        problem: 'is written twice in the same object',
        ...place(at),
      }));
      return { ok: false, faults };
    }
    const placeOf = (path: string): Place | null => {
      const offset = reader.places.get(path);
      return offset === undefined ? null : place(offset);
    };
    return { ok: true, value, placeOf };
  } catch (fault) {
    if (!(fault instanceof Unreadable)) throw fault;
    const { path, message, at } = fault;
    return { ok: false, faults: [{ path, problem: message, ...place(at) }] };
  }
};
