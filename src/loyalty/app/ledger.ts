import type { Kysely } from 'kysely';
import type { Instant } from '../../kernel/time.ts';
import type { ChangeLog } from '../../platform/app/commit.ts';
import type { Database } from '../../platform/store/schema.ts';
import { cardCombinedWith, postEntry, type NewEntry, type Posted } from '../store/ledger.ts';
import { announceCard, type Announcing } from './announce.ts';

/**
 * Adds an entry to a card, invalidates caches and updates passes; every change of a balance but a
 * combination goes through here. The entry of a card that was combined with another meanwhile goes to the other: its
 * locks may then deadlock with a further combination, and the transaction runs again. Null: there is no such card.
 */
export const post = async (
  tx: Kysely<Database>,
  app: Announcing,
  log: Pick<ChangeLog, 'add'>,
  entry: Omit<NewEntry, 'id'> & Partial<Pick<NewEntry, 'id'>>,
  now: Instant,
): Promise<Posted | null> => {
  const posted = await postEntry(tx, { ...entry, id: entry.id ?? app.random.uuid() }, now);
  if (posted === null) {
    const cardId = await cardCombinedWith(tx, entry.orgId, entry.cardId);
    return cardId === null ? null : post(tx, app, log, { ...entry, cardId }, now);
  }
  if (posted.isPosted) await announceCard(tx, app, log, entry, now);
  return posted;
};
