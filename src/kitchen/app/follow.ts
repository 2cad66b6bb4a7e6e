/** The kitchen follows what happens to what was fired, in the transaction of the change (Decisions 12, Kitchen). */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import type { ChangeLog } from '../../platform/app/commit.ts';
import type { Database } from '../../platform/store/schema.ts';
import { forgetFiringsOf } from '../store/forget.ts';
import {
  bumpLines,
  lockTicketsOfLines,
  lockTicketsOfSource,
  setPromise,
  setTables,
  voidLines,
  voidTickets,
  type LineTables,
  type LineVoid,
} from '../store/ticket.ts';
import { kitchenChange } from './fire.ts';

type Tx = Kysely<Database>;

interface Place {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
}

const logTickets = (log: ChangeLog, { orgId, branchId }: Place, ids: readonly Uuid[]): void => {
  log.add(orgId, ...ids.map((id) => kitchenChange(branchId, id)));
};

/** Units by line, each line once. */
const together = (voids: readonly LineVoid[]): readonly LineVoid[] => {
  const units = new Map<Uuid, number>();
  for (const one of voids) units.set(one.lineId, (units.get(one.lineId) ?? 0) + one.units);
  return [...units].map(([lineId, count]) => ({ lineId, units: count }));
};

/** Lines of a dine-in ticket are void: they stay on the board as void. */
export const voidInKitchen = async (
  tx: Tx,
  log: ChangeLog,
  place: Place,
  voids: readonly LineVoid[],
  reason: string,
): Promise<void> => {
  if (voids.length === 0) return;
  const ids = await lockTicketsOfLines(
    tx,
    place.orgId,
    voids.map(({ lineId }) => lineId),
  );
  await voidLines(tx, place.orgId, together(voids), reason);
  logTickets(log, place, ids);
};

/** The tables that units of the lines go to now. Nothing is fired again. */
export const moveInKitchen = async (
  tx: Tx,
  log: ChangeLog,
  place: Place,
  tables: readonly LineTables[],
): Promise<void> => {
  if (tables.length === 0) return;
  const lineIds = tables.map(({ lineId }) => lineId);
  await lockTicketsOfLines(tx, place.orgId, lineIds);
  logTickets(log, place, await setTables(tx, place.orgId, tables));
};

interface Source extends Place {
  readonly sourceId: Uuid;
}

/** An order is cancelled: all of it is void. */
export const voidSourceInKitchen = async (
  tx: Tx,
  log: ChangeLog,
  source: Source,
  reason: string,
): Promise<void> => {
  const ids = await lockTicketsOfSource(tx, source.orgId, source.sourceId);
  await voidTickets(tx, source.orgId, ids, reason);
  logTickets(log, source, ids);
};

/** Outside the kitchen an order was said to be ready, or not to be: its items leave the board, or are on it again. */
export const bumpSourceInKitchen = async (
  tx: Tx,
  log: ChangeLog,
  source: Source,
  { isBumped, by }: { readonly isBumped: boolean; readonly by: Uuid | null },
  now: Instant,
): Promise<void> => {
  const ticketIds = await lockTicketsOfSource(tx, source.orgId, source.sourceId);
  const bump = { ticketIds, lineIds: null, by, isBumped };
  logTickets(log, source, await bumpLines(tx, source.orgId, bump, now));
};

/** The guest of an order was promised another time. */
export const promiseInKitchen = async (
  tx: Tx,
  log: ChangeLog,
  source: Source,
  promisedAt: Instant,
): Promise<void> => {
  logTickets(log, source, await setPromise(tx, source.orgId, source.sourceId, promisedAt));
};

/** The words of a person who is erased go; what is not made yet stays on the boards, which hear of it. */
export const forgetInKitchen = async (
  tx: Tx,
  log: ChangeLog,
  {
    orgId,
    sourceIds,
    now,
  }: { readonly orgId: Uuid; readonly sourceIds: readonly Uuid[]; readonly now: Instant },
): Promise<void> => {
  const tickets = await forgetFiringsOf(tx, orgId, sourceIds, now);
  log.add(orgId, ...tickets.map(({ branchId, id }) => kitchenChange(branchId, id)));
};
