/** What a client wishes and how much: Accept, Accept-Encoding, Accept-Language (RFC 9110, 12.4.2). */

export interface Wish {
  /** A media range, a coding or a language range, in small letters and without its parameters. */
  readonly name: string;
  /** From 0, which refuses it, to 1. */
  readonly weight: number;
  /** Named with further parameters: a part of what the name alone stands for. */
  readonly isPart: boolean;
}

/** Characters of a line that are read: more than any client has to say. */
export const LONGEST_READ = 2048;

/** The whole entries within that; none is read in half. */
const readPart = (header: string): string =>
  header.length <= LONGEST_READ
    ? header
    : header.slice(0, Math.max(0, header.lastIndexOf(',', LONGEST_READ)));

const IS_WEIGHT = /^q\s*(?:=|$)/i;

/** More than the grammar has: old and home-made clients send `.2`, `2` or six digits. */
const WEIGHT = /^(?:\d+(?:\.\d*)?|\.\d+)$/;

/**
 * 1 when unsaid, at most 1, and 1 when it cannot be read, in all three headers: who names something takes it, and
 * nothing but a zero says otherwise. To serve what was named is the smaller mistake; the larger is to refuse a client,
 * or to leave it without its language, for a slip of its library's.
 */
const weightOf = (parameters: readonly string[]): number => {
  const q = parameters.find((text) => IS_WEIGHT.test(text));
  if (q === undefined) return 1;
  const value = q.slice(q.indexOf('=') + 1).trim();
  return WEIGHT.test(value) ? Math.min(1, Number(value)) : 1;
};

/** The wishes of a header line, in its order; empty places between commas are none. Of a very long line only the first are read. */
export const wishesOf = (header: string): readonly Wish[] =>
  readPart(header)
    .split(',')
    .map((item) => {
      const [name = '', ...parameters] = item.split(';').map((text) => text.trim());
      const isPart = parameters.some((text) => text !== '' && !IS_WEIGHT.test(text));
      return { name: name.toLowerCase(), weight: weightOf(parameters), isPart };
    })
    .filter(({ name }) => name !== '');
