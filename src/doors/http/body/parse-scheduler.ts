/** Large bodies are parsed one a turn of the event loop, the clients going round: none holds up everyone else. */

/** Smaller bodies are parsed at once, within a few milliseconds. Bytes. */
export const LARGE_BODY = 16 * 1024;

/** Resolves when this client may use the loop for one piece of work. */
export type ParseTurn = (client: string) => Promise<void>;

export const createParseTurns = (): ParseTurn => {
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
      // To the end of the round.
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
