/** Validation of texts, and “did you mean” suggestions. */
import { closestTo } from '../../kernel/closest-word.ts';
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

/** Removes Arabic spelling variants: diacritics, tatweel, hamza on alef, dots of yeh and teh marbuta. */
export const normalizedArabic = (text: string): string =>
  text
    .replaceAll(/[\u064b-\u065f\u0670\u0640]/g, '')
    .replaceAll(/[أإآٱ]/g, 'ا')
    .replaceAll('ى', 'ي')
    .replaceAll('ة', 'ه');

export const excerpt = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

/** ` — did you mean ‘…’?`, or ''. Of the command line, which speaks English. */
export const didYouMean = (word: string, known: Iterable<string>): string => {
  const closest = closestTo(word, known);
  return closest === null ? '' : ` — did you mean ‘${closest}’?`;
};
