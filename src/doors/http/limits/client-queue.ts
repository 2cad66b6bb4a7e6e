/**
 * Requests of one client that run at once. The scarce resource is database connections, which at most 110 requests use
 * or wait for.
 */

/** A tenth of those. */
const AT_ONCE = 11;

interface ClientSlots {
  inFlight: number;
  readonly waiting: (() => void)[];
}

export type ClientQueue = <T>(client: string, work: () => Promise<T>) => Promise<T>;

/** `isDivided` false: nothing waits (request limits are off). */
export const createClientQueue = (isDivided: boolean): ClientQueue => {
  const slots = new Map<string, ClientSlots>();
  return async (client, work) => {
    if (!isDivided) return work();
    const own = slots.get(client) ?? { inFlight: 0, waiting: [] };
    slots.set(client, own);
    if (own.inFlight < AT_ONCE) own.inFlight += 1;
    else await new Promise<void>((go) => own.waiting.push(go));
    try {
      return await work();
    } finally {
      // The slot passes to the next request, or is released.
      const next = own.waiting.shift();
      if (next !== undefined) next();
      else if ((own.inFlight -= 1) === 0) slots.delete(client);
    }
  };
};
