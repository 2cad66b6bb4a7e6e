/** Logs a change of a card, for readers of the change log, and updates its passes. */
import type { Kysely } from 'kysely';
import type { Instant } from '../../kernel/time.ts';
import type { App } from '../../platform/app/app.ts';
import type { ChangeLog } from '../../platform/app/commit.ts';
import type { Database } from '../../platform/store/schema.ts';
import { touchCard } from '../store/card.ts';
import type { CardKey } from '../store/wallets.ts';
import { cardChange } from './card.ts';
import { notifyWallets } from './wallets/notify.ts';

export type Announcing = Pick<App, 'random' | 'walletOne' | 'walletTwo'>;

/** In the transaction of the change, which has raised the card's revision. */
export const announceCard = async (
  tx: Kysely<Database>,
  app: Announcing,
  log: Pick<ChangeLog, 'add'>,
  card: CardKey,
  now: Instant,
): Promise<void> => {
  await notifyWallets(tx, app, card, now);
  log.add(card.orgId, cardChange(card.cardId));
};

/** The same for a change that is no entry of the ledger, such as a name: it raises the revision. */
export const announceOwner = async (
  tx: Kysely<Database>,
  app: Announcing,
  log: Pick<ChangeLog, 'add'>,
  card: CardKey,
  now: Instant,
): Promise<void> => {
  await touchCard(tx, card.orgId, card.cardId, now);
  await announceCard(tx, app, log, card, now);
};
