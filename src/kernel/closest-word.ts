/** The known word that a typed one stands for. */

/** For lookups of typed text: NFC, lower case, single spaces. */
export const caseFolded = (text: string): string =>
  text.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim();

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

const folded = (text: string): string[] => Array.from(caseFolded(text));

/** Longer words get no suggestion. */
const MAX_WORD_LENGTH = 200;

/** Null if no known word is within a third of the length (at least one edit), and within `mostEdits`. */
export const closestTo = (word: string, known: Iterable<string>, mostEdits = Infinity): string | null => {
  if (word.length > MAX_WORD_LENGTH) return null;
  const wanted = folded(word);
  const limit = Math.min(mostEdits, Math.max(1, Math.floor(wanted.length / 3)));
  let best: string | null = null;
  let least = limit + 1;
  for (const candidate of known) {
    const edits = editDistance(wanted, folded(candidate), limit);
    if (edits < least) [best, least] = [candidate, edits];
  }
  return best;
};

/** What people call words of the API. */
const ALIASES: Readonly<Record<string, string>> = {
  ...{ delivery: 'outside', mall: 'in_mall', beach: 'umbrella' },
  ...{ takeaway: 'pickup', take_away: 'pickup', takeout: 'pickup', collection: 'pickup' },
  ...{ eat_in: 'dine_in', table: 'dine_in', credit: 'card', visa: 'card' },
};

/** More edits make another word. */
const MAX_TYPOS = 2;

/** The word of the API that `typed` is another name of, or a misspelling; null: none is obvious. */
export const meantWord = (typed: string, words: readonly string[]): string | null => {
  if (typed.length > MAX_WORD_LENGTH) return null;
  const word = caseFolded(typed).replaceAll(/[ -]/g, '_');
  const alias = Object.hasOwn(ALIASES, word) ? ALIASES[word] : undefined;
  if (alias !== undefined && words.includes(alias)) return alias;
  return closestTo(word, words, MAX_TYPOS);
};
