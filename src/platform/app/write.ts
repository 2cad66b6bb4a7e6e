/** The one way in which a use case changes a shop: a transaction that ends with its changes in the log, then the news. */
import type { Kysely } from 'kysely';
import type { Change } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../store/schema.ts';
import { recordChanges } from '../store/versions.ts';
import type { App } from './app.ts';

/** Notes what others must learn of; it is logged at the end of the transaction. */
export type Note = (...changes: readonly Change[]) => void;

/** What a transaction made, what it changed, and the shop's number from then on. */
export interface Written<T> {
  readonly result: T;
  readonly changes: readonly Change[];
  readonly version: number;
}

/** Runs `work`, which logs its changes itself, in one transaction; then tells this process of them. */
export const telling = async <T>(
  { db, announcements }: Pick<App, 'db' | 'announcements'>,
  orgId: Uuid,
  work: (tx: Kysely<Database>) => Promise<Written<T>>,
): Promise<T> => {
  const { result, changes, version } = await db.tx(work);
  if (changes.length > 0)
    announcements.announce({ orgId, version, scopes: [...new Set(changes.map(({ scope }) => scope))] });
  return result;
};

/**
 * Runs `work` in one transaction. Its changes are logged as the last statement, since the shop's counter stays locked
 * from there to the commit, and told to this process once they are committed. `work` may run more than once.
 */
export const writing = <T>(
  app: Pick<App, 'db' | 'clock' | 'announcements'>,
  orgId: Uuid,
  work: (tx: Kysely<Database>, note: Note) => Promise<T>,
): Promise<T> =>
  telling(app, orgId, async (tx) => {
    const changes: Change[] = [];
    const result = await work(tx, (...more) => changes.push(...more));
    const version = changes.length === 0 ? 0 : await recordChanges(tx, orgId, changes, app.clock.now());
    return { result, changes, version };
  });
