/** Firing to the kitchen, in the transaction of what is fired (Decisions 12, Kitchen). */
import type { Kysely } from 'kysely';
import { floorScope, type Change } from '../../kernel/change.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import type { App } from '../../platform/app/app.ts';
import type { ChangeLog } from '../../platform/app/commit.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { FrozenLine } from '../../pricing/domain/frozen-cart.ts';
import { dishesOf, stationOf } from '../domain/firing.ts';
import {
  insertFiring,
  insertTickets,
  makingAt,
  type FiringRow,
  type NewKitchenTicket,
} from '../store/firing.ts';

type Tx = Kysely<Database>;

export const kitchenChange = (branchId: Uuid, id: Uuid): Change => ({
  ...{ scope: floorScope(branchId, id), type: 'kitchen_ticket', id, op: 'upsert' },
});

export interface FiredLine {
  /** Of a dine-in ticket; null: a sale or an order has no lines of its own. */
  readonly lineId: Uuid | null;
  readonly line: FrozenLine;
}

export interface Firing extends Omit<FiringRow, 'id'> {
  readonly lines: readonly FiredLine[];
  readonly tableIds: readonly Uuid[];
  /** It was made before, and is for no board. */
  readonly isMade?: boolean;
}

const ticketsOf = async (
  { random }: Pick<App, 'random'>,
  tx: Tx,
  { orgId, branchId, lines }: Firing,
): Promise<readonly NewKitchenTicket[]> => {
  const dishes = lines
    .flatMap(({ lineId, line }) => dishesOf(line).map((dish) => ({ ...dish, lineId })))
    .map((dish, place) => ({ ...dish, place, id: random.uuid() }));
  const ids = [...new Set(dishes.map(({ menuItemId }) => menuItemId))];
  const { stations, categories } = await makingAt(tx, orgId, branchId, ids);
  const byStation = groupBy(dishes, ({ menuItemId }) =>
    stationOf(stations, menuItemId, categories[menuItemId] ?? null),
  );
  return [...byStation].map(([stationId, own]) => ({ id: random.uuid(), stationId, lines: own }));
};

/** Fires one kitchen ticket for each station. False: the round was fired before, and is not fired again. */
export const fireToKitchen = async (
  app: Pick<App, 'random'>,
  tx: Tx,
  log: ChangeLog,
  firing: Firing,
  now: Instant,
): Promise<boolean> => {
  const id = app.random.uuid();
  if (!(await insertFiring(tx, { ...firing, id }, now))) return false;
  const tickets = await ticketsOf(app, tx, firing);
  await insertTickets(tx, { ...firing, id }, tickets, now);
  log.add(firing.orgId, ...tickets.map((ticket) => kitchenChange(firing.branchId, ticket.id)));
  return true;
};
