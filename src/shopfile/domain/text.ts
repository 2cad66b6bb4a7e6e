/** Validation of texts, and “did you mean” suggestions. */
import { hasVisible } from '../../kernel/free-text.ts';

/** `lines` allows line feeds. */
export type TextForm = 'line' | 'lines';

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufdd0-\ufdef\ufffe\uffff]/gu;
const CONTROL_BUT_BREAKS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufdd0-\ufdef\ufffe\uffff]/gu;
/** Embeddings, overrides and isolates change the direction of the text that follows. */
const DIRECTION_OVERRIDE = /[\u202a-\u202e\u2066-\u2069]/gu;
const LONE_SURROGATE = /\p{Surrogate}/u;

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** The characters of a text that a pattern finds, each once; null: none. */
const found = (text: string, pattern: RegExp, what: string): string | null => {
  const points = new Set<string>();
  // One by one: a long text may hold millions of them.
  for (const [character] of text.matchAll(pattern)) points.add(codePoint(character));
  if (points.size === 0) return null;
  return `holds the ${what}${points.size === 1 ? '' : 's'} ${[...points].join(', ')}`;
};

/** Share of NUL characters that indicates UTF-16, where every ASCII character has a zero byte. */
const MIN_ZERO_SHARE = 1 / 50;

/** Checks a file that was decoded as UTF-8; null if it was UTF-8. */
export const encodingFault = (text: string): string | null => {
  let zeros = 0;
  for (let at = text.indexOf('\u0000'); at !== -1; at = text.indexOf('\u0000', at + 1)) zeros += 1;
  // Both bytes of the UTF-16 byte order mark are invalid in UTF-8.
  const isOther = text.startsWith('\uFFFD\uFFFD') || (zeros > 1 && zeros >= text.length * MIN_ZERO_SHARE);
  return isOther ? 'is not in UTF-8: save the file as UTF-8' : null;
};

/** Null if the text is valid. */
export const textFault = (text: string, form: TextForm): string | null => {
  if (LONE_SURROGATE.test(text)) return 'holds half of a surrogate pair';
  if (text.includes('\uFFFD')) return 'holds the sign for an unreadable character; save the file as UTF-8';
  const unwritable =
    found(text, form === 'line' ? CONTROL : CONTROL_BUT_BREAKS, 'control character') ??
    found(text, DIRECTION_OVERRIDE, 'invisible direction override');
  if (unwritable !== null) return unwritable;
  if (!hasVisible(text)) return 'is blank';
  if (text.trim() !== text) return 'begins or ends with a space';
  return null;
};

/** Levenshtein distance; `limit` + 1 if the lengths differ by more than `limit`. */
const editDistance = (a: readonly string[], b: readonly string[], limit: number): number => {
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

/** For lookups of typed text: NFC, lower case, single spaces. */
export const caseFolded = (text: string): string =>
  text.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim();

/** Removes Arabic spelling variants: diacritics, tatweel, hamza on alef, dots of yeh and teh marbuta. */
export const normalizedArabic = (text: string): string =>
  text
    .replaceAll(/[\u064b-\u065f\u0670\u0640]/g, '')
    .replaceAll(/[أإآٱ]/g, 'ا')
    .replaceAll('ى', 'ي')
    .replaceAll('ة', 'ه');

const folded = (text: string): string[] => Array.from(caseFolded(text));

/** Longer words get no suggestion. */
const MAX_WORD_LENGTH = 200;

/** Null if no known word is within a third of the length (at least one edit). */
export const closestTo = (word: string, known: Iterable<string>): string | null => {
  if (word.length > MAX_WORD_LENGTH) return null;
  const wanted = folded(word);
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | null = null;
  let least = limit + 1;
  for (const candidate of known) {
    const edits = editDistance(wanted, folded(candidate), limit);
    if (edits < least) [best, least] = [candidate, edits];
  }
  return best;
};

export const excerpt = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

/** ` — did you mean ‘…’?`, or ''. */
export const didYouMean = (word: string, known: Iterable<string>): string => {
  const closest = closestTo(word, known);
  return closest === null ? '' : ` — did you mean ‘${closest}’?`;
};
