/** Counts of answers: statuses, and names of connection ends. */

export type TallyCounts = Readonly<Record<string, number>>;

export class Tally {
  readonly #counts = new Map<string, number>();

  count(what: number | string, times = 1): void {
    const name = what === 0 ? 'no answer' : String(what);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + times);
  }

  all(): TallyCounts {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => a.localeCompare(b)));
  }
}

export const tallyText = (tallied: TallyCounts): string =>
  Object.entries(tallied)
    .map(([what, times]) => `${what} × ${times}`)
    .join(', ');

/** The 5xx statuses that no client may get. */
export const forbidden = (tallied: TallyCounts): string[] =>
  Object.keys(tallied).filter((what) => /^5\d\d$/.test(what) && what !== '503');
