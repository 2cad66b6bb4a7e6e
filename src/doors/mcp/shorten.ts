/** Keeps an answer within what a model is given to read (Decisions 14). */

/** Characters of the text, and of the structured content, each. */
export const MAX_CHARACTERS = 40_000;

/** A tool's answer twice: as an object, and as text that says the same. */
export interface Told<T> {
  readonly structured: T;
  readonly text: string;
}

const fits = ({ structured, text }: Told<unknown>): boolean =>
  text.length <= MAX_CHARACTERS && JSON.stringify(structured).length <= MAX_CHARACTERS;

/** One way to shorten an answer: `tell(kept)` is the answer with the first `kept` of `entries`, and says what it lacks. */
export interface Shortening<T> {
  readonly entries: number;
  readonly tell: (kept: number) => Told<T>;
}

/** The answer of the most entries that fits: one more would not. Null when it is too long without any. */
const mostThatFits = <T>({ entries, tell }: Shortening<T>): Told<T> | null => {
  const whole = tell(entries);
  if (fits(whole)) return whole;
  let best: Told<T> | null = null;
  let [fitting, tooMany] = [-1, entries];
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    const told = tell(middle);
    if (fits(told)) [best, fitting] = [told, middle];
    else tooMany = middle;
  }
  return best;
};

/**
 * The fullest answer of the first way that can be made to fit: `milder` ones in the order of what is missed least, then
 * the `last`, which must fit when it keeps nothing.
 */
export const fullestWithinLimit = <T>(milder: readonly Shortening<T>[], last: Shortening<T>): Told<T> => {
  for (const way of [...milder, last]) {
    const told = mostThatFits(way);
    if (told !== null) return told;
  }
  return last.tell(0);
};

/**
 * The whole answer where it fits, else the one of the most entries that does: `tell(kept)` is the answer with the first
 * `kept` of `entries`, which says itself what it leaves out where that is not all of them.
 */
export const withinLimit = <T>(entries: number, tell: (kept: number) => Told<T>): Told<T> =>
  fullestWithinLimit([], { entries, tell });
