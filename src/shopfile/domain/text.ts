/** What text of a shop may hold, and which known word an unknown one was probably meant to be. */

/** Languages that are written for people: a line break is fine there, nowhere else. */
export type TextForm = 'line' | 'lines';

/** What no text may hold: control characters and the line breaks of Unicode. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u;
/** As above, but for the line feed. */
const CONTROL_BUT_BREAKS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/u;
/** Embeddings, overrides and isolates turn the reading direction of what follows, also outside the text. */
const DIRECTION_OVERRIDE = /[\u202a-\u202e\u2066-\u2069]/u;
const LONE_SURROGATE = /\p{Surrogate}/u;
const NONCHARACTER = /[\ufdd0-\ufdef\ufffe\uffff]/u;

const named = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** In UTF-16 every comma, digit and brace has a zero byte. */
const LEAST_ZEROS = 1 / 50;

/** What is wrong with the encoding of a whole file that was read as UTF-8, or null. */
export const encodingFault = (text: string): string | null => {
  let zeros = 0;
  for (let at = text.indexOf('\u0000'); at !== -1; at = text.indexOf('\u0000', at + 1)) zeros += 1;
  // Both bytes of the mark that UTF-16 begins with are unreadable in UTF-8.
  const isOther = text.startsWith('\uFFFD\uFFFD') || (zeros > 1 && zeros >= text.length * LEAST_ZEROS);
  return isOther ? 'is not in UTF-8: save the file as UTF-8' : null;
};

/** What is wrong with a text, or null. */
export const textFault = (text: string, form: TextForm): string | null => {
  if (LONE_SURROGATE.test(text)) return 'holds half of a surrogate pair';
  if (text.includes('\uFFFD')) return 'holds the sign for an unreadable character; save the file as UTF-8';
  const control = (form === 'line' ? CONTROL : CONTROL_BUT_BREAKS).exec(text) ?? NONCHARACTER.exec(text);
  if (control !== null) return `holds the control character ${named(control[0])}`;
  const override = DIRECTION_OVERRIDE.exec(text);
  if (override !== null) return `holds the invisible direction override ${named(override[0])}`;
  if (text.trim() === '') return 'is blank';
  if (text.trim() !== text) return 'begins or ends with a space';
  return null;
};

/** How many single-character edits lead from one text to the other; `limit` + 1 when more than `limit`. */
const distance = (a: readonly string[], b: readonly string[], limit: number): number => {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before = b.map((_, index) => index + 1);
  for (const [row, left] of a.entries()) {
    const current: number[] = [];
    for (const [column, right] of b.entries()) {
      const replaced = (column === 0 ? row : (before[column - 1] ?? 0)) + (left === right ? 0 : 1);
      const removed = (before[column] ?? 0) + 1;
      const added = (column === 0 ? row + 1 : (current[column - 1] ?? 0)) + 1;
      current.push(Math.min(replaced, removed, added));
    }
    before = current;
  }
  return before.at(-1) ?? a.length;
};

/** The form in which what people type is looked up: composed, in small letters, every space one space. */
export const foldedForm = (text: string): string =>
  text.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim();

/**
 * Arabic without what people write either way: vowel marks and the lengthening stroke, the hamza of an alef, a final yeh
 * or heh with dots or without.
 */
export const bareArabic = (text: string): string =>
  text
    .replaceAll(/[\u064b-\u065f\u0670\u0640]/g, '')
    .replaceAll(/[أإآٱ]/g, 'ا')
    .replaceAll('ى', 'ي')
    .replaceAll('ة', 'ه');

const folded = (text: string): string[] => Array.from(foldedForm(text));

/** Longer than every name: nothing known was meant. */
const LONGEST_WORD = 200;

/** The known word nearest to `word`, when it is near enough to have been meant; null otherwise. */
export const closestTo = (word: string, known: Iterable<string>): string | null => {
  if (word.length > LONGEST_WORD) return null;
  const wanted = folded(word);
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | null = null;
  let least = limit + 1;
  for (const candidate of known) {
    const edits = distance(wanted, folded(candidate), limit);
    if (edits < least) [best, least] = [candidate, edits];
  }
  return best;
};

/** What is shown of a text that somebody wrote: all of it, unless it is longer than a line. */
export const excerpt = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

/** ` — did you mean ‘…’?`, or '' when nothing known is near. */
export const didYouMean = (word: string, known: Iterable<string>): string => {
  const closest = closestTo(word, known);
  return closest === null ? '' : ` — did you mean ‘${closest}’?`;
};
