/** (Decisions 14) */

/** Limit of the text, and of the structured content. */
export const MAX_CHARACTERS = 40_000;

export interface ToolAnswer<T> {
  readonly structured: T;
  readonly text: string;
}

const fits = ({ structured, text }: ToolAnswer<unknown>): boolean =>
  text.length <= MAX_CHARACTERS && JSON.stringify(structured).length <= MAX_CHARACTERS;

/** `render(kept)` is the answer with the first `kept` of `entries`, and says what is missing. */
export interface Shortening<T> {
  readonly entries: number;
  readonly render: (kept: number) => ToolAnswer<T>;
}

/** The answer with the most entries that fits (binary search); null when none fits. */
const largestThatFits = <T>({ entries, render }: Shortening<T>): ToolAnswer<T> | null => {
  const whole = render(entries);
  if (fits(whole)) return whole;
  let best: ToolAnswer<T> | null = null;
  let [fitting, tooMany] = [-1, entries];
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    const answer = render(middle);
    if (fits(answer)) [best, fitting] = [answer, middle];
    else tooMany = middle;
  }
  return best;
};

/**
 * The first shortening that fits, with as many entries as possible: `milder` ones in order, then `last`,
 * which must fit with no entries.
 */
export const fullestWithinLimit = <T>(
  milder: readonly Shortening<T>[],
  last: Shortening<T>,
): ToolAnswer<T> => {
  for (const way of [...milder, last]) {
    const answer = largestThatFits(way);
    if (answer !== null) return answer;
  }
  return last.render(0);
};

/** The whole answer if it fits, else the one with the most entries that does. */
export const withinLimit = <T>(entries: number, render: (kept: number) => ToolAnswer<T>): ToolAnswer<T> =>
  fullestWithinLimit([], { entries, render });
