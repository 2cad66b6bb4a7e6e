/** Accept, Accept-Encoding and Accept-Language (RFC 9110, 12.4.2). */

export interface Preference {
  /** In lower case, without parameters. */
  readonly name: string;
  /** From 0, which refuses it, to 1. */
  readonly weight: number;
  /** The entry has parameters besides the weight, so it matches only some representations of that name. */
  readonly isPart: boolean;
}

/** Characters. */
export const LONGEST_READ = 2048;

const readPart = (header: string): string =>
  header.length <= LONGEST_READ
    ? header
    : header.slice(0, Math.max(0, header.lastIndexOf(',', LONGEST_READ)));

const IS_WEIGHT = /^q\s*(?:=|$)/i;

/** Wider than the grammar: old clients send `.2`, `2` or six digits. */
const WEIGHT = /^(?:\d+(?:\.\d*)?|\.\d+)$/;

/** 1 where it is missing or unreadable: a client with a faulty header is served rather than refused. */
const weightOf = (parameters: readonly string[]): number => {
  const q = parameters.find((text) => IS_WEIGHT.test(text));
  if (q === undefined) return 1;
  const value = q.slice(q.indexOf('=') + 1).trim();
  return WEIGHT.test(value) ? Math.min(1, Number(value)) : 1;
};

/** In their order, without empty entries. */
export const preferencesOf = (header: string): readonly Preference[] =>
  readPart(header)
    .split(',')
    .map((item) => {
      const [name = '', ...parameters] = item.split(';').map((text) => text.trim());
      const isPart = parameters.some((text) => text !== '' && !IS_WEIGHT.test(text));
      return { name: name.toLowerCase(), weight: weightOf(parameters), isPart };
    })
    .filter(({ name }) => name !== '');
