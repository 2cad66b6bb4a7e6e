import type { Uuid } from '../../kernel/ids.ts';
import type { App } from '../../platform/app/app.ts';
import type { KeyedQueue } from '../../platform/app/keyed-queue.ts';
import { retrying } from '../../platform/app/retrying.ts';

/**
 * Work that locks dates of a branch. In this process one runs after the other, so that those who wait for the lock hold no
 * connection to the database; processes meet at the lock. For work that is decided on outside, whose caller decides again
 * after a `ConcurrentChange`.
 */
export const inOneTurn = <T>(
  { branchTurns }: Pick<App, 'branchTurns'>,
  branchId: Uuid,
  work: () => Promise<T>,
): Promise<T> => branchTurns.run(branchId, work);

/** The same for work that decides itself: it runs again after a `ConcurrentChange`. */
export const inTurn = <T>(
  app: Pick<App, 'branchTurns'>,
  branchId: Uuid,
  work: () => Promise<T>,
): Promise<T> => inOneTurn(app, branchId, () => retrying(work));

declare module '../../platform/app/app.ts' {
  interface App {
    readonly branchTurns: KeyedQueue;
  }
}
