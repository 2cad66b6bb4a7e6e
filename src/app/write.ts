/** The one way in which a use case changes a shop: a transaction that ends with its changes in the log, then the news. */
import type { Kysely } from 'kysely';
import type { Change } from '../domain/change.ts';
import type { Uuid } from '../domain/ids.ts';
import type { Database } from '../store/schema.ts';
import { recordChanges } from '../store/versions.ts';
import type { App } from './app.ts';

/** Notes what others must learn of; it is logged at the end of the transaction. */
export type Note = (...changes: readonly Change[]) => void;

/**
 * Runs `work` in one transaction. Its changes are logged as the last statement, since the shop's counter stays locked
 * from there to the commit, and told to this process once they are committed. `work` may run more than once.
 */
export const writing = async <T>(
  app: Pick<App, 'db' | 'clock' | 'announcements'>,
  orgId: Uuid,
  work: (tx: Kysely<Database>, note: Note) => Promise<T>,
): Promise<T> => {
  const { result, changes, version } = await app.db.tx(async (tx) => {
    const noted: Change[] = [];
    const made = await work(tx, (...more) => noted.push(...more));
    const version = noted.length === 0 ? 0 : await recordChanges(tx, orgId, noted, app.clock.now());
    return { result: made, changes: noted, version };
  });
  if (changes.length > 0)
    app.announcements.announce({ orgId, version, scopes: [...new Set(changes.map(({ scope }) => scope))] });
  return result;
};
