/** Limits JSON text before it is parsed: deep nesting and very many values or shapes block the event loop. */
import { randomInt } from 'node:crypto';
import { TOO_DEEP } from '../../../kernel/problems.ts';
import type { Problem } from '../../../kernel/refusal.ts';

/** Shorter texts always parse within 4 ms. Bytes. */
const SHORT = 16 * 1024;

export interface JsonLimits {
  readonly depth: number;
  readonly values: number;
  /** Distinct object shapes: sequences of field names, prefixes included. */
  readonly shapes: number;
  readonly fields: number;
}

/**
 * A valid body has some tens. V8 creates each new shape: 19,500 objects of one field each, all different, take 55 ms,
 * and so do 7,900 of four fields out of 250 names.
 */
const MAX_SHAPES = 512;

/**
 * No shape of ours has as many. V8 stores an object of 240 fields as a hash table: 160 of them take 4 to 11 ms; as many
 * values in objects of 120 fields take 1 ms.
 */
const MAX_FIELDS = 100;

/**
 * `depth` bounds the parser's recursion; `body.ts` refuses less. A valid cart of 512 KB has at most 40,000 values of at
 * least 13 bytes: parsed and checked in 8 ms.
 */
export const BODY_JSON_LIMITS: JsonLimits = {
  depth: 256,
  values: 40_000,
  shapes: MAX_SHAPES,
  fields: MAX_FIELDS,
};

/** Of a message of 64 KB: its values parse within 3 ms; shapes without a bound take 16 ms. */
export const MESSAGE_JSON_LIMITS: JsonLimits = {
  ...{ depth: Infinity, values: Infinity, fields: Infinity },
  shapes: MAX_SHAPES,
};

const [QUOTE, BACKSLASH, COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] =
  Buffer.from('"\\,:[]{}');

/** Random in each process, so that no sender can construct collisions. */
type Key = readonly [begin: number, times: number];
const newKey = (): Key => [randomInt(2 ** 32), 2 * randomInt(2 ** 31) + 1];
const [HIGH, LOW] = [newKey(), newKey()];
/** A hash has 32 bits of HIGH and 11 of LOW; with 10 bits of a shape's number that fills the 53 of a double. */
const [LOW_BITS, HASH_SIZE] = [11, 2 ** 43];

interface ScannedString {
  readonly end: number;
  /** Below 2^43. */
  readonly hash: number;
}

const scanString = (bytes: Buffer, at: number): ScannedString => {
  let [high, low] = [HIGH[0], LOW[0]];
  let index = at + 1;
  for (; index < bytes.length && bytes[index] !== QUOTE; index += 1) {
    const byte = bytes[index] ?? 0;
    high = Math.imul(high ^ byte, HIGH[1]);
    low = Math.imul(low ^ byte, LOW[1]);
    if (byte === BACKSLASH) index += 1;
  }
  return { end: index, hash: (high >>> 0) * 2 ** LOW_BITS + (low >>> (32 - LOW_BITS)) };
};

/** A trie of field-name sequences. Shapes are numbered as they appear; 0 is the empty object. */
class Shapes {
  readonly #following = new Map<number, number>();
  readonly #fields = [0];

  get size(): number {
    return this.#following.size;
  }

  fieldsOf(shape: number): number {
    return this.#fields[shape] ?? 0;
  }

  after(shape: number, hash: number): number {
    const key = shape * HASH_SIZE + hash;
    const known = this.#following.get(key);
    if (known !== undefined) return known;
    const made = this.#fields.push(this.fieldsOf(shape) + 1) - 1;
    this.#following.set(key, made);
    return made;
  }
}

const tooManyShapes = ({ shapes }: JsonLimits): Problem => ({
  problem: `has objects of more than ${shapes} different shapes`,
  arabic: `أشكال الكائنات المختلفة أكثر من المسموح، وهو ${shapes}`,
});
const tooManyFields = ({ fields }: JsonLimits): Problem => ({
  problem: `has an object of more than ${fields} fields`,
  arabic: `حقول أحد الكائنات أكثر من المسموح، وهو ${fields}`,
});
const tooManyValues = ({ values }: JsonLimits): Problem => ({
  problem: `has more than ${values} values`,
  arabic: `عدد القيم أكثر من المسموح، وهو ${values}`,
});

/** Null when the text may be parsed. Malformed text is left to the parser. */
export const scanProblem = (bytes: Buffer, most: JsonLimits): Problem | null => {
  if (bytes.length <= SHORT) return null;
  const shapes = new Shapes();
  /** The shapes of the open lists and objects. */
  const open: number[] = [];
  let values = 0;
  let lastHash = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === QUOTE) ({ end: index, hash: lastHash } = scanString(bytes, index));
    else if (byte === COLON) {
      const shape = shapes.after(open.pop() ?? 0, lastHash);
      open.push(shape);
      if (shapes.size > most.shapes) return tooManyShapes(most);
      if (shapes.fieldsOf(shape) > most.fields) return tooManyFields(most);
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (open.push(0) > most.depth) return TOO_DEEP;
      values += 1;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) open.pop();
    else if (byte === COMMA) values += 1;
    if (values > most.values) return tooManyValues(most);
  }
  return null;
};
