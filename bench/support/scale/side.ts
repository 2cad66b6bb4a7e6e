/** A server with the boards of all branches open, and those who visit it. */
import { startEmbeddedPostgres } from '../../../src/adapters/embedded-postgres.ts';
import type { Ahwa } from '../ahwa.ts';
import { numberIn } from '../databases.ts';
import { cpuSeconds, postgresCpuSeconds } from '../processes.ts';
import { openBoards, type Boards } from './boards.ts';
import type { Place } from './shops.ts';
import { openVisitors, type Visitors } from './visitors.ts';

/** CPU seconds. */
export interface Cpu {
  readonly server: number;
  readonly postgres: number;
}

export interface Side {
  readonly visitors: Visitors;
  readonly boards: Boards;
  readonly pid: number;
  cpu(): Cpu;
  /** The number that a query has as its result. */
  number(select: string): Promise<number>;
  close(): Promise<void>;
}

export const openSide = async (
  dataDir: string,
  { pid, port }: Ahwa,
  places: readonly Place[],
): Promise<Side> => {
  const embedded = await startEmbeddedPostgres({ dataDir });
  const boards = await openBoards(port, places);
  const visitors = await openVisitors(port, places);
  return {
    ...{ visitors, boards, pid },
    cpu: () => ({ server: cpuSeconds(pid), postgres: postgresCpuSeconds(dataDir) }),
    number: (select) => numberIn(embedded.owner, select),
    close: async () => {
      boards.close();
      visitors.close();
      await embedded.release();
    },
  };
};

/** What `work` takes. */
export const cpuOf = async (
  side: Side,
  work: () => Promise<void>,
): Promise<Cpu & { readonly seconds: number }> => {
  const [before, began] = [side.cpu(), performance.now()];
  await work();
  const after = side.cpu();
  return {
    server: after.server - before.server,
    postgres: after.postgres - before.postgres,
    seconds: (performance.now() - began) / 1_000,
  };
};
