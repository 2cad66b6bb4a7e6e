/** What came back, counted: statuses, and ends of connections in words. */

export type Tallied = Readonly<Record<string, number>>;

export class Tally {
  readonly #counts = new Map<string, number>();

  count(what: number | string, times = 1): void {
    const name = what === 0 ? 'no answer' : String(what);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + times);
  }

  all(): Tallied {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => a.localeCompare(b)));
  }
}

export const tallyText = (tallied: Tallied): string =>
  Object.entries(tallied)
    .map(([what, times]) => `${what} × ${times}`)
    .join(', ');

/** The 5xx among them that nobody may see. */
export const forbidden = (tallied: Tallied): string[] =>
  Object.keys(tallied).filter((what) => /^5\d\d$/.test(what) && what !== '503');
