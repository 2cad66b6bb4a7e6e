/**
 * How many requests of one client are worked on at once; its others wait for these, in the order in which they came. What
 * they wait for, the connections to the database above all, is scarcer than places: 110 at most use it or wait for it.
 */

/** A tenth of those. */
const AT_ONCE = 11;

interface Line {
  underWay: number;
  readonly waiting: (() => void)[];
}

/** Does `work` when it is this client's turn. */
export type ClientQueue = <T>(client: string, work: () => Promise<T>) => Promise<T>;

/** `isDivided` false: nobody waits (request limits are off). */
export const createClientQueue = (isDivided: boolean): ClientQueue => {
  const lines = new Map<string, Line>();
  return async (client, work) => {
    if (!isDivided) return work();
    const line = lines.get(client) ?? { underWay: 0, waiting: [] };
    lines.set(client, line);
    if (line.underWay < AT_ONCE) line.underWay += 1;
    else await new Promise<void>((go) => line.waiting.push(go));
    try {
      return await work();
    } finally {
      // The turn is handed on, or given back.
      const next = line.waiting.shift();
      if (next !== undefined) next();
      else if ((line.underWay -= 1) === 0) lines.delete(client);
    }
  };
};
