/** A look at JSON text before it is parsed: what nests too deeply or holds too much would hold up everyone else. */

/** Shorter texts parse within four milliseconds, whatever they hold. Bytes. */
const SHORT = 16 * 1024;

/** What a text may hold at most. */
export interface JsonLimits {
  readonly depth: number;
  readonly values: number;
  /** Different field names. */
  readonly names: number;
}

/** All shapes together name fewer fields. 19,500 objects of one field each, all different, take 55 ms to parse. */
const MOST_NAMES = 256;

/**
 * Of a body. Walking it once it is parsed refuses less depth (`body.ts`); this bounds the parser's own recursion. A valid
 * cart of 512 KB has at most 40,000 values, each of 13 bytes at least: parsed and checked in 8 ms.
 */
export const BODY_LIMITS: JsonLimits = { depth: 256, values: 40_000, names: MOST_NAMES };

/** Of a message of 64 KB, which can hold no more values than parse in 3 ms; only its names are dear: 16 ms. */
export const MESSAGE_LIMITS: JsonLimits = { depth: Infinity, values: Infinity, names: MOST_NAMES };

const [QUOTE, BACKSLASH, COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] =
  Buffer.from('"\\,:[]{}');

interface ScannedString {
  /** The index of the closing quote. */
  readonly end: number;
  readonly hash: number;
}

const scanString = (bytes: Buffer, at: number): ScannedString => {
  let hash = 0;
  let index = at + 1;
  for (; index < bytes.length && bytes[index] !== QUOTE; index += 1) {
    hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193);
    if (bytes[index] === BACKSLASH) index += 1;
  }
  return { end: index, hash };
};

/** The end of a sentence that begins with "body"; null when the text may be parsed. Malformed text is the parser's matter. */
export const scanProblem = (bytes: Buffer, most: JsonLimits): string | null => {
  if (bytes.length <= SHORT) return null;
  const names = new Set<number>();
  let depth = 0;
  let values = 0;
  let lastHash = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === QUOTE) ({ end: index, hash: lastHash } = scanString(bytes, index));
    else if (byte === COLON) {
      if (names.add(lastHash).size > most.names) return `has more than ${most.names} different field names`;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      if (depth > most.depth) return 'is nested too deeply';
      values += 1;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    else if (byte === COMMA) values += 1;
    if (values > most.values) return `has more than ${most.values} values`;
  }
  return null;
};
