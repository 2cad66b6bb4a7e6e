/** The floor and the kitchen: where the lines of tickets go, and the tickets of what was made. */
import type { Kysely } from 'kysely';
import type { Change } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { moveInKitchen, voidInKitchen } from '../../kitchen/app/shared.ts';
import type { Database } from '../../platform/store/schema.ts';
import { tablesOfLines, ticketsOfLines, type ItemWithOffers } from '../store/ticket-item.ts';
import { ticketChange, type ChangeContext } from './change.ts';

type Context = Pick<ChangeContext, 'tx' | 'log' | 'ticket'>;

/** The lines of these tickets may go to other tables now. Nothing is fired again. */
export const placeInKitchen = async (
  { tx, log, ticket: { orgId, branchId } }: Context,
  ticketIds: readonly Uuid[],
): Promise<void> => {
  const tables = await tablesOfLines(tx, orgId, ticketIds);
  await moveInKitchen(tx, log, { orgId, branchId }, tables);
};

/** The kitchen need not make these lines. */
export const cancelInKitchen = (
  { tx, log, ticket: { orgId, branchId } }: Context,
  items: readonly ItemWithOffers[],
  reason: string,
): Promise<void> => {
  const voids = items.map(({ originId, quantity }) => ({ lineId: originId, units: quantity }));
  return voidInKitchen(tx, log, { orgId, branchId }, voids, reason);
};

/** Changes of the tickets that units of the lines are on. */
export const ticketChangesOf = async (
  tx: Kysely<Database>,
  orgId: Uuid,
  lineIds: readonly Uuid[],
): Promise<readonly Change[]> =>
  (await ticketsOfLines(tx, orgId, lineIds)).map(({ id, branchId }) => ticketChange(branchId, id));
