/** What a client wishes and how much: Accept, Accept-Encoding, Accept-Language (RFC 9110, 12.4.2). */

export interface Wish {
  /** A media range, a coding or a language range, in small letters and without its parameters. */
  readonly name: string;
  /** From 0, which refuses it, to 1. */
  readonly weight: number;
}

const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * 1 when unsaid. What cannot be read counts as 0: it may have been meant as a refusal, and the client is better
 * served by what it wished for plainly. Blanks around `=`, which the grammar has not, leave no doubt and are passed over.
 */
const weightOf = (parameters: readonly string[]): number => {
  const q = parameters.map((text) => text.trim()).find((text) => /^q\s*(?:=|$)/i.test(text));
  if (q === undefined) return 1;
  const value = q.slice(q.indexOf('=') + 1).trim();
  return WEIGHT.test(value) ? Number(value) : 0;
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
