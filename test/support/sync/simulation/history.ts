/** What happened in a simulation, a line for each step: when, who, what, and what the network and the server made of it. */

const clockOf = (instant: number): string => new Date(instant).toISOString().slice(5, 19).replace('T', ' ');

/** Ids are no part of a history: things have names, so that the same seed writes the same lines. */
export class History {
  readonly lines: string[] = [];
  readonly #counts = new Map<string, number>();
  readonly #names = new Map<string, string>();

  /** Names a thing: `sale 3`. */
  name(kind: string, id: string): string {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const name = `${kind} ${count}`;
    this.#names.set(id, name);
    return name;
  }

  nameOf(id: string): string {
    return this.#names.get(id) ?? 'something else';
  }

  /** `own`: what the clock of a device reads; null: of whom the clock is right. */
  say(now: number, who: string, own: number | null, what: string): void {
    const watch = own === null ? '' : ` (its clock: ${clockOf(own)})`;
    this.lines.push(`${clockOf(now)}  ${who}${watch}: ${what}`);
  }

  /** What became of the step above. */
  add(what: string): void {
    this.lines.push(`                  ${what}`);
  }
}
