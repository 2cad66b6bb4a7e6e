/** What people write freely, such as names, addresses and notes: tidied before it is kept, folded before it is compared. */

/** Embeddings, overrides and isolates turn the reading direction of what follows, also outside the text. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/gu;
/** Blanks, line breaks and control characters. */
const BLANKS = /[\s\p{Cc}]+/gu;
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u;
/** Anything that leaves a mark on paper. */
const SEEN = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * A text as staff read it on a till and in messages: one line, single spaces, no control character and nothing that
 * turns the reading direction; null where nothing is to be read.
 */
export const oneLine = (text: string | null | undefined): string | null => {
  if (text === null || text === undefined || !SEEN.test(text)) return null;
  return text.replace(DIRECTION, '').replace(BLANKS, ' ').trim();
};

/** As `oneLine`, but line breaks stay; lines on which nothing is written go. */
export const severalLines = (text: string | null | undefined): string | null => {
  const lines = (text ?? '').split(LINE_BREAK).flatMap((line) => oneLine(line) ?? []);
  return lines.length === 0 ? null : lines.join('\n');
};

/** The text for comparing: without regard to Unicode form, case, what cannot be seen, and how blanks are made. */
export const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(BLANKS, ' ')
    .replace(INVISIBLE, '')
    .trim();

/** Whether two names are one: case, spacing and Unicode form do not count (Decisions 8). */
export const isSameName = (a: string, b: string): boolean =>
  folded(a).replaceAll(' ', '') === folded(b).replaceAll(' ', '');
