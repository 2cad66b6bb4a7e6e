/** Parses one large body per turn of the event loop, round-robin over the clients. */

/** Bytes. Smaller bodies are parsed at once, within a few milliseconds. */
export const LARGE_BODY = 16 * 1024;

export type ScheduleParse = (client: string) => Promise<void>;

export const createParseScheduler = (): ScheduleParse => {
  const waiting = new Map<string, (() => void)[]>();
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled || waiting.size === 0) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      const [first] = waiting;
      if (first === undefined) return;
      const [client, own] = first;
      waiting.delete(client);
      const go = own.shift();
      if (own.length > 0) waiting.set(client, own);
      go?.();
      schedule();
    });
  };

  return (client) =>
    new Promise((go) => {
      const own = waiting.get(client);
      if (own === undefined) waiting.set(client, [go]);
      else own.push(go);
      schedule();
    });
};
