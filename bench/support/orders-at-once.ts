/** Clients that do one thing after another, all at once. */

export interface Taken {
  readonly perSecond: number;
  /** Milliseconds of each. */
  readonly times: readonly number[];
}

/** `turns`: of each client; ends with the slowest. */
export const atOnce = async (
  clients: number,
  turns: number,
  work: (client: number, turn: number) => Promise<void>,
): Promise<Taken> => {
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
