/** Concurrent clients, each with sequential jobs. */

export interface Timings {
  readonly perSecond: number;
  /** Milliseconds of each job. */
  readonly times: readonly number[];
}

/** `turns`: jobs per client. Resolves with the slowest client. */
export const concurrently = async (
  clients: number,
  turns: number,
  work: (client: number, turn: number) => Promise<void>,
): Promise<Timings> => {
  const times: number[] = [];
  const client = async (index: number): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) {
      const began = performance.now();
      await work(index, turn);
      times.push(performance.now() - began);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
  return { perSecond: times.length / ((performance.now() - began) / 1000), times };
};
