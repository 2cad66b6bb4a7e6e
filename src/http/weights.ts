/** What a client wishes and how much: Accept, Accept-Encoding, Accept-Language (RFC 9110, 12.4.2). */

export interface Wish {
  /** A media range, a coding or a language range, in small letters and without its parameters. */
  readonly name: string;
  /** From 0, which refuses it, to 1. */
  readonly weight: number;
}

/** More than the grammar has: old and home-made clients send `.2`, `2` or six digits. */
const WEIGHT = /^(?:\d+(?:\.\d*)?|\.\d+)$/;

/**
 * 1 when unsaid, at most 1, and 1 when it cannot be read, in all three headers: who names something takes it, and
 * nothing but a zero says otherwise. To serve what was named is the smaller mistake; the larger is to refuse a client,
 * or to leave it without its language, for a slip of its library's.
 */
const weightOf = (parameters: readonly string[]): number => {
  const q = parameters.map((text) => text.trim()).find((text) => /^q\s*(?:=|$)/i.test(text));
  if (q === undefined) return 1;
  const value = q.slice(q.indexOf('=') + 1).trim();
  return WEIGHT.test(value) ? Math.min(1, Number(value)) : 1;
};

/** The wishes of a header line, in its order; empty places between commas are none. */
export const wishesOf = (header: string): readonly Wish[] =>
  header
    .split(',')
    .map((item) => {
      const [name = '', ...parameters] = item.split(';');
      return { name: name.trim().toLowerCase(), weight: weightOf(parameters) };
    })
    .filter(({ name }) => name !== '');
