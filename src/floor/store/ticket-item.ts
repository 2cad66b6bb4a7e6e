/** Rounds of a ticket and their lines. */
import { sql, type Insertable, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Deal } from '../../menu/domain/menubook.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { FrozenLine, StockTaken } from '../../pricing/domain/frozen-cart.ts';
import type { UnitInDeals } from './schema/ticket.ts';

type Db = Kysely<Database>;

/** A row is live or void as a whole. */
export interface StoredItem {
  readonly id: Uuid;
  readonly ticketId: Uuid;
  readonly roundId: Uuid;
  readonly roundNumber: number;
  readonly firedAt: Instant;
  readonly place: number;
  /** The row that was fired. */
  readonly originId: Uuid;
  readonly quantity: number;
  readonly line: FrozenLine;
  readonly input: unknown;
  readonly units: UnitInDeals | null;
  readonly stock: readonly StockTaken[];
  readonly lineTotal: number;
  /** Of a guest's round that was not accepted; it is in no bill. */
  readonly isWaiting: boolean;
  readonly voidedAt: Instant | null;
  readonly voidReason: string | null;
}

export interface ItemWithOffers extends StoredItem {
  /** Of the guests, for the whole round. */
  readonly roundNotes: string | null;
  readonly offers: readonly Deal[];
}

/** A row as it is read: the first one of a round has its offers, which may be many. */
type ItemRead = Omit<ItemWithOffers, 'offers'> & { readonly offers: readonly Deal[] | null };

const withOffers = (rows: readonly ItemRead[]): readonly ItemWithOffers[] => {
  const offers = new Map(rows.flatMap((row) => (row.offers === null ? [] : [[row.roundId, row.offers]])));
  return rows.map((row) => ({ ...row, offers: offers.get(row.roundId) ?? [] }));
};

/** In the order in which they were fired. */
export const itemsOf = async (
  db: Db,
  orgId: Uuid,
  ticketIds: readonly Uuid[],
): Promise<readonly ItemWithOffers[]> => {
  const { rows } = await sql<ItemRead>`
    select i.id, i.ticket_id as "ticketId", i.round_id as "roundId", i.round_number as "roundNumber",
           i.fired_at as "firedAt", i.place, i.origin_id as "originId", i.quantity, i.line, i.input, i.units, i.stock,
           i.line_total as "lineTotal", i.waiting as "isWaiting", i.voided_at as "voidedAt", i.void_reason as "voidReason", r.notes as "roundNotes",
           case when row_number() over (partition by r.id order by i.fired_at, i.round_number, i.place, i.id) = 1 then r.offers end as offers
    from ticket_item i
    join ticket_round r on r.org_id = ${orgId} and r.id = i.round_id
    where i.org_id = ${orgId} and i.ticket_id = any(${[...ticketIds]}::uuid[])
    order by i.fired_at, i.round_number, i.place, i.id
  `.execute(db);
  return withOffers(rows);
};

export interface NewRound {
  readonly orgId: Uuid;
  readonly id: Uuid;
  readonly ticketId: Uuid;
  readonly number: number;
  readonly firedBy: Uuid;
  readonly via: string;
  /** Of the guests. */
  readonly notes: string | null;
  readonly offers: readonly Deal[];
}

type ItemRow = Insertable<Database['ticket_item']>;

export const insertRound = async (
  tx: Db,
  { orgId, id, ticketId, number, firedBy, via, notes, offers }: NewRound,
  items: readonly ItemRow[],
  now: Instant,
): Promise<void> => {
  await tx
    .insertInto('ticket_round')
    .values({
      ...{ org_id: orgId, id, ticket_id: ticketId, number, fired_at: at(now), sent_at: at(now) },
      ...{ fired_by: firedBy, via, notes },
      offers: JSON.stringify(offers),
    })
    .execute();
  await tx
    .insertInto('ticket_item')
    .values([...items])
    .execute();
};

/** Of the round, or of a line of any round. */
export const hasRound = async (
  tx: Db,
  orgId: Uuid,
  { roundId, itemIds }: { readonly roundId: Uuid; readonly itemIds: readonly Uuid[] },
): Promise<boolean> => {
  const { rows } = await sql`
    select from ticket_round where org_id = ${orgId} and id = ${roundId}
    union all
    select from ticket_item where org_id = ${orgId} and origin_id = any(${[...itemIds]}::uuid[])
    limit 1
  `.execute(tx);
  return rows.length > 0;
};

/** As it is stored. */
export const itemRow = (orgId: Uuid, item: StoredItem): ItemRow => ({
  ...{ org_id: orgId, id: item.id, ticket_id: item.ticketId, round_id: item.roundId },
  ...{
    round_number: item.roundNumber,
    fired_at: at(item.firedAt),
    place: item.place,
    origin_id: item.originId,
  },
  ...{ quantity: item.quantity, line: JSON.stringify(item.line), input: JSON.stringify(item.input) },
  units: item.units === null ? null : JSON.stringify(item.units),
  ...{ stock: JSON.stringify(item.stock), line_total: item.lineTotal, waiting: item.isWaiting },
});

export const insertItem = async (tx: Db, orgId: Uuid, item: StoredItem): Promise<void> => {
  await tx.insertInto('ticket_item').values(itemRow(orgId, item)).execute();
};

/** The line keeps fewer units. */
export const reduceItem = async (tx: Db, orgId: Uuid, item: StoredItem): Promise<void> => {
  const { quantity, line, input, stock, line_total } = itemRow(orgId, item);
  await tx
    .updateTable('ticket_item')
    .set({ quantity, line, input, stock: stock ?? '[]', line_total })
    .where('org_id', '=', orgId)
    .where('id', '=', item.id)
    .execute();
};

/** Waiting lines are fired now. */
export const acceptItems = async (
  tx: Db,
  orgId: Uuid,
  items: readonly Pick<StoredItem, 'id' | 'roundId'>[],
  now: Instant,
): Promise<void> => {
  const ids = items.map(({ id }) => id);
  const rounds = [...new Set(items.map(({ roundId }) => roundId))];
  await tx
    .updateTable('ticket_item')
    .set({ waiting: false, fired_at: at(now) })
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .execute();
  await tx
    .updateTable('ticket_round')
    .set({ fired_at: at(now) })
    .where('org_id', '=', orgId)
    .where('id', 'in', rounds)
    .execute();
};

/** When the table's guests sent their last rounds, the last one first. */
export const roundsOfGuests = async (
  db: Db,
  orgId: Uuid,
  tableId: Uuid,
  most: number,
): Promise<readonly Instant[]> => {
  const { rows } = await sql<{ at: Instant }>`
    select sent_at as at from ticket_round
    where org_id = ${orgId} and fired_by = ${tableId} and via = 'qr'
    order by sent_at desc limit ${most}
  `.execute(db);
  return rows.map((row) => row.at);
};

export interface ItemVoid {
  readonly ids: readonly Uuid[];
  readonly by: Uuid;
  /** In whose report they count; null: in none. */
  readonly tillId: Uuid | null;
  readonly reason: string;
  readonly note: string | null;
}

export const voidItems = async (
  tx: Db,
  orgId: Uuid,
  { ids, by, tillId, reason, note }: ItemVoid,
  now: Instant,
): Promise<void> => {
  if (ids.length === 0) return;
  await tx
    .updateTable('ticket_item')
    .set({ voided_at: at(now), voided_by: by, void_till_id: tillId, void_reason: reason, void_note: note })
    .where('org_id', '=', orgId)
    .where('id', 'in', [...ids])
    .execute();
};

/** Units that the person of a till voided while it was open, and what they would have come to. */
export const sumVoidsOfTill = async (
  db: Db,
  orgId: Uuid,
  tillId: Uuid,
): Promise<{ readonly units: number; readonly total: number }> => {
  const { rows } = await sql<{ units: number; total: number }>`
    select coalesce(sum(quantity), 0)::bigint as units, coalesce(sum(line_total), 0)::bigint as total
    from ticket_item where org_id = ${orgId} and void_till_id = ${tillId}
  `.execute(db);
  return rows[0] ?? { units: 0, total: 0 };
};

/** The tables that the lines of these tickets go to now, wherever units of them are; void units go nowhere. */
export const tablesOfLines = async (
  db: Db,
  orgId: Uuid,
  ticketIds: readonly Uuid[],
): Promise<readonly { readonly lineId: Uuid; readonly tableIds: readonly Uuid[] }[]> => {
  const { rows } = await sql<{ lineId: Uuid; tableIds: readonly Uuid[] }>`
    select i.origin_id as "lineId",
           coalesce(array_agg(distinct t.table_id) filter (where t.table_id is not null), '{}') as "tableIds"
    from ticket_item i
    join ticket t on t.org_id = ${orgId} and t.id = i.ticket_id
    where i.org_id = ${orgId} and i.voided_at is null
      and i.origin_id in (select origin_id from ticket_item
                          where org_id = ${orgId} and ticket_id = any(${[...ticketIds]}::uuid[]))
    group by i.origin_id
  `.execute(db);
  return rows;
};

/** The ticket that the line is on; null: there is none such. */
export const itemTicket = async (db: Db, orgId: Uuid, id: Uuid): Promise<Uuid | null> => {
  const row = await db
    .selectFrom('ticket_item')
    .select('ticket_id as ticketId')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.ticketId ?? null;
};

/** The tickets that units of these lines are on. */
export const ticketsOfLines = async (
  db: Db,
  orgId: Uuid,
  lineIds: readonly Uuid[],
): Promise<readonly { readonly id: Uuid; readonly branchId: Uuid }[]> => {
  const { rows } = await sql<{ id: Uuid; branchId: Uuid }>`
    select distinct t.id, t.branch_id as "branchId"
    from ticket_item i
    join ticket t on t.org_id = ${orgId} and t.id = i.ticket_id
    where i.org_id = ${orgId} and i.origin_id = any(${[...lineIds]}::uuid[])
  `.execute(db);
  return rows;
};

/** Lines hang on another ticket; `shift` is added to their round numbers. */
export const moveItems = async (
  tx: Db,
  orgId: Uuid,
  ids: readonly Uuid[],
  { ticketId, shift }: { readonly ticketId: Uuid; readonly shift: number },
): Promise<void> => {
  if (ids.length === 0) return;
  await sql`
    update ticket_item set ticket_id = ${ticketId}, round_number = round_number + ${shift}
    where org_id = ${orgId} and id = any(${[...ids]}::uuid[])
  `.execute(tx);
};
