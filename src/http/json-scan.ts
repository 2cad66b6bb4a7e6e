/** A look at JSON text before it is parsed: what nests too deeply or holds too much would hold up everyone else. */

/** Shorter texts parse within a millisecond, whatever they hold. Bytes. */
const SHORT = 16 * 1024;
/** Walking the parsed body refuses less (`body.ts`); this bounds the parser's own recursion. */
const DEEPEST = 256;
/** A valid cart of 512 KB has at most 40,000: each value of it takes at least 13 bytes. Parsed and checked in 8 ms. */
const MOST_VALUES = 40_000;
/** All shapes together name fewer fields. 19,500 objects of one field each, all different, take 55 ms to parse. */
const MOST_NAMES = 256;

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
export const scanProblem = (bytes: Buffer): string | null => {
  if (bytes.length <= SHORT) return null;
  const names = new Set<number>();
  let depth = 0;
  let values = 0;
  let lastHash = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === QUOTE) ({ end: index, hash: lastHash } = scanString(bytes, index));
    else if (byte === COLON) {
      if (names.add(lastHash).size > MOST_NAMES) return `has more than ${MOST_NAMES} different field names`;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      if (depth > DEEPEST) return 'is nested too deeply';
      values += 1;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    else if (byte === COMMA) values += 1;
    if (values > MOST_VALUES) return `has more than ${MOST_VALUES} values`;
  }
  return null;
};
