/** Queues pushes and patches after a change of a card. */
import type { Kysely } from 'kysely';
import type { Instant } from '../../../kernel/time.ts';
import { replaceInOutbox } from '../../../messaging/app/shared.ts';
import { objectRow, pushRow } from '../../../messaging/domain/outbox.ts';
import type { App } from '../../../platform/app/app.ts';
import type { Database } from '../../../platform/store/schema.ts';
import {
  forgetObject,
  formerRegistrationIdsOf,
  registrationIdsOf,
  type CardKey,
} from '../../store/wallets.ts';

/**
 * Adds a push for each phone that holds the pass, and a patch of the object, to the outbox. Call it in the transaction
 * that changes the card, after the card's row is locked: a phone that registers meanwhile waits for that row. Without a
 * wallet it runs no statement.
 */
export const notifyWallets = async (
  tx: Kysely<Database>,
  { walletOne, walletTwo, random }: Pick<App, 'walletOne' | 'walletTwo' | 'random'>,
  card: CardKey,
  now: Instant,
): Promise<void> => {
  const registrations = walletOne === null ? [] : await registrationIdsOf(tx, card);
  const rows = [
    ...registrations.map((registration) => pushRow({ ...card, id: random.uuid() }, registration)),
    ...(walletTwo === null ? [] : [objectRow({ ...card, id: random.uuid() })]),
  ];
  await replaceInOutbox(tx, rows, now);
};

/**
 * Adds one push for each phone that holds the pass of the token that has just ended: the pass is void when the phone asks
 * for it. The object row that the caller adds next ends the object of that token. Runs after the statement that locks the
 * card, so that it sees the phones that registered before.
 */
export const endPasses = async (
  tx: Kysely<Database>,
  { walletOne, random }: Pick<App, 'walletOne' | 'random'>,
  card: CardKey,
  now: Instant,
): Promise<void> => {
  await forgetObject(tx, card);
  const former = walletOne === null ? [] : await formerRegistrationIdsOf(tx, card);
  const rows = former.map((registration) => pushRow({ ...card, id: random.uuid() }, registration));
  await replaceInOutbox(tx, rows, now);
};
