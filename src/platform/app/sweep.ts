import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Instant } from '../../kernel/time.ts';
import { closedShops } from '../store/closed-shop.ts';
import { DatabaseUnavailable } from '../store/db.ts';
import type { DueQuery } from '../store/sweep.ts';
import { isOfSilentNode } from '../store/unavailable.ts';
import type { App } from './app.ts';

export const HOUR_MS = 60 * 60 * 1_000;

/** Due rows per page of a search. */
const PAGE = 200;
/** Rows per statement that deletes or updates. */
export const BATCH = 1_000;

/** Work that falls due by the clock. A topic lists its own in `app/sweeps.ts`; the sweeper runs them all. */
export interface Sweep {
  /** As in the log. */
  readonly name: string;
  /** The least time between two runs. */
  readonly everyMs: number;
  readonly run: (app: App, isStopped: () => boolean) => Promise<void>;
}

/** Whether the next statement would fail as well; not where one fails because of its own rows, or of their node. */
export const isDatabaseDown = (fault: unknown): boolean =>
  fault instanceof DatabaseUnavailable && !['slow', 'contended', 'silent'].includes(fault.reason);

const isOfMovingShop = (fault: unknown): boolean =>
  fault instanceof Refusal && fault.refusal === 'SHOP_MOVING';

interface Due {
  readonly id: Uuid;
  /** Undefined: it is a shop, or of one that is looked at alone. */
  readonly orgId?: Uuid;
}

interface DueWork<T> {
  readonly find: (app: App, query: DueQuery) => Promise<readonly T[]>;
  readonly handle: (app: App, due: T) => Promise<unknown>;
}

interface Round<T> {
  readonly handle: DueWork<T>['handle'];
  readonly closed: ReadonlySet<Uuid>;
  readonly isStopped: () => boolean;
}

/** The faults; one does not stop the others. */
const handleAll = async <T extends Due>(
  app: App,
  rows: readonly T[],
  { handle, closed, isStopped }: Round<T>,
): Promise<readonly unknown[]> => {
  const faults: unknown[] = [];
  for (const row of rows) {
    if (isStopped()) break;
    if (closed.has(row.orgId ?? row.id)) continue;
    await handle(app, row).catch((fault: unknown) => {
      if (isDatabaseDown(fault)) throw fault;
      // Closed since.
      if (!isOfMovingShop(fault)) faults.push(fault);
    });
  }
  return faults;
};

/**
 * Handles everything due, each once per run, but for closed shops: it is due where they go on. A failure does not stop the
 * others; the first is thrown after them.
 */
export const forEachDue =
  <T extends Due>({ find, handle }: DueWork<T>): Sweep['run'] =>
  async (app, isStopped) => {
    const round = { handle, closed: await closedShops(app.db.kysely), isStopped };
    const tried: Uuid[] = [];
    const faults: unknown[] = [];
    const page = () => find(app, { now: app.clock.now(), without: tried, limit: PAGE });
    for (let due = await page(); due.length > 0 && !isStopped(); due = await page()) {
      tried.push(...due.map(({ id }) => id));
      faults.push(...(await handleAll(app, due, round)));
    }
    // What is at a silent node is due until it answers again.
    const others = faults.filter((fault) => !isOfSilentNode(fault));
    if (others.length > 0) throw others[0];
  };

/** As `forEachDue`, of what was found before; the fault of a silent node is thrown, too. */
export const forEachOf =
  <T extends Due>(rows: readonly T[], handle: DueWork<T>['handle']): Sweep['run'] =>
  async (app, isStopped) => {
    const closed = await closedShops(app.db.kysely);
    const faults = await handleAll(app, rows, { handle, closed, isStopped });
    if (faults.length > 0) throw faults[0];
  };

/** Repeats `handleBatch` for a shop while it returns true, which means that more may be due. */
export const untilNoneDue =
  (handleBatch: (app: App, orgId: Uuid) => Promise<boolean>) =>
  async (app: App, { id }: { readonly id: Uuid }): Promise<void> => {
    while (await handleBatch(app, id));
  };

/** Repeats a batch until it is not full. `batch` returns the number of rows. */
export const inBatches =
  (batch: (app: App, now: Instant) => Promise<number>): Sweep['run'] =>
  async (app, isStopped) => {
    const now = app.clock.now();
    while (!isStopped() && (await batch(app, now)) >= BATCH);
  };

/** Sweeps that delete what has expired, each hourly. */
export const hourly = (runs: Readonly<Record<string, Sweep['run']>>): Sweep[] =>
  Object.entries(runs).map(([name, run]) => ({ name, run, everyMs: HOUR_MS }));
