/** Kitchen tickets: what the stations of a branch see, make and have made. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import type { Database } from '../../platform/store/schema.ts';
import { DEFAULT_STATION, type Dish, type FiringSource } from '../domain/firing.ts';

type Db = Kysely<Database>;

export interface StoredKitchenLine extends Dish {
  readonly id: Uuid;
  /** Of a dine-in ticket; null: a sale or an order. */
  readonly lineId: Uuid | null;
  /** Labels of the tables that its units go to now. */
  readonly tables: readonly string[];
  readonly tableIds: readonly Uuid[];
  /** Units of the quantity. */
  readonly voided: number;
  readonly voidReason: string | null;
  readonly bumpedAt: Instant | null;
}

export interface StoredKitchenTicket {
  readonly id: Uuid;
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  /** Null: the branch had no stations. */
  readonly stationId: Uuid | null;
  readonly stationName: string;
  readonly source: FiringSource;
  readonly sourceId: Uuid;
  readonly round: number;
  readonly reference: string;
  readonly name: string | null;
  readonly notes: string | null;
  readonly firedAt: Instant;
  readonly promisedAt: Instant | null;
  readonly doneAt: Instant | null;
  readonly lines: readonly StoredKitchenLine[];
}

/** As the shop says it. */
const stationName = sql`
  coalesce(st.name, case s.main_language when 'en' then ${DEFAULT_STATION.en}::text else ${DEFAULT_STATION.ar}::text end)`;

/** JSON has no timestamps: milliseconds, as the driver reads them. */
const instantOf = (column: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(extract(epoch from ${column}) * 1000)::bigint`;

export const selectKitchenTickets = (
  orgId: Uuid,
  which: RawBuilder<unknown>,
): RawBuilder<StoredKitchenTicket> => sql<StoredKitchenTicket>`
  select k.id, k.org_id as "orgId", k.branch_id as "branchId", k.station_id as "stationId", ${stationName} as "stationName",
         f.source, f.source_id as "sourceId", f.round, f.reference, f.name, f.notes, k.fired_at as "firedAt",
         f.promised_at as "promisedAt", k.done_at as "doneAt",
         (select json_agg(json_build_object(
                   'id', l.id, 'lineId', l.line_id, 'menuItemId', l.menu_item_id, 'name', l.name, 'sizeLabel', l.size_label,
                   'details', l.details, 'combo', l.combo, 'notes', l.notes, 'quantity', l.quantity, 'voided', l.voided,
                   'voidReason', l.void_reason, 'bumpedAt', ${instantOf(sql`l.bumped_at`)},
                   'tableIds', l.table_ids,
                   'tables', array(select t.label from dining_table t
                                   where t.org_id = ${orgId} and t.id = any(l.table_ids) order by t.label))
                 order by l.place)
          from kitchen_line l where l.org_id = ${orgId} and l.ticket_id = k.id) as lines
  from kitchen_ticket k
  join kitchen_firing f on f.org_id = ${orgId} and f.id = k.firing_id
  join shop s on s.org_id = ${orgId}
  left join kitchen_station st on st.org_id = ${orgId} and st.id = k.station_id
  where k.org_id = ${orgId} and ${which}`;

export const kitchenTicketById = async (
  db: Db,
  orgId: Uuid,
  id: Uuid,
): Promise<StoredKitchenTicket | null> => {
  const { rows } = await selectKitchenTickets(orgId, sql`k.id = ${id}`).execute(db);
  return rows[0] ?? null;
};

interface BoardListing {
  readonly branchId: Uuid;
  /** Null: all. */
  readonly stationId: Uuid | null;
  readonly isDone: boolean;
  /** What was fired before is on no board. */
  readonly since: Instant;
  /** Null: of all. */
  readonly sourceId: Uuid | null;
  readonly limit: number;
  /** Last kitchen ticket of the previous page. */
  readonly after: Uuid | null;
}

/** Those to make, the oldest first; or those that are made, the last first. */
export const kitchenTicketsAt = async (
  db: Db,
  orgId: Uuid,
  { branchId, stationId, isDone, since, sourceId, limit, after }: BoardListing,
): Promise<readonly StoredKitchenTicket[]> => {
  const atStation = stationId === null ? sql`` : sql`and k.station_id = ${stationId}`;
  const ofSource = sourceId === null ? sql`` : sql`and f.source_id = ${sourceId}`;
  const last = sql`(select ${isDone ? sql`done_at` : sql`fired_at`}, id from kitchen_ticket
                    where org_id = ${orgId} and id = ${after})`;
  const follows = isDone ? sql`and (k.done_at, k.id) < ${last}` : sql`and (k.fired_at, k.id) > ${last}`;
  const part = sql`k.done_at is ${isDone ? sql`not null` : sql`null`} and k.fired_at >= ${at(since)}`;
  const order = isDone ? sql`k.done_at desc, k.id desc` : sql`k.fired_at, k.id`;
  const { rows } = await sql<StoredKitchenTicket>`
    ${selectKitchenTickets(
      orgId,
      sql`k.branch_id = ${branchId} and ${part} ${atStation}
                      ${ofSource} ${after === null ? sql`` : follows}`,
    )}
    order by ${order} limit ${limit}
  `.execute(db);
  return rows;
};

export interface StationRow {
  readonly id: Uuid;
  readonly name: string;
}

/** In the order of the shop file, without archived ones. */
export const stationsAt = async (db: Db, orgId: Uuid, branchId: Uuid): Promise<readonly StationRow[]> => {
  const { rows } = await sql<StationRow>`
    select id, name from kitchen_station
    where org_id = ${orgId} and branch_id = ${branchId} and archived_at is null
    order by sort, id
  `.execute(db);
  return rows;
};

// ── Locks ───────────────────────────────────────────────────────────────────────────────────────

const lockTickets = async (tx: Db, which: RawBuilder<unknown>): Promise<readonly Uuid[]> => {
  const { rows } = await sql<{ id: Uuid }>`
    select k.id from kitchen_ticket k where ${which} order by k.id for update
  `.execute(tx);
  return rows.map(({ id }) => id);
};

export const lockTicket = async (tx: Db, orgId: Uuid, id: Uuid): Promise<void> => {
  await lockTickets(tx, sql`k.org_id = ${orgId} and k.id = ${id}`);
};

/** Of a ticket, a sale or an order. */
export const lockTicketsOfSource = (tx: Db, orgId: Uuid, sourceId: Uuid): Promise<readonly Uuid[]> =>
  lockTickets(
    tx,
    sql`k.org_id = ${orgId} and k.firing_id in (select id from kitchen_firing
                                                where org_id = ${orgId} and source_id = ${sourceId})`,
  );

/** Of lines of dine-in tickets. */
export const lockTicketsOfLines = (tx: Db, orgId: Uuid, lineIds: readonly Uuid[]): Promise<readonly Uuid[]> =>
  lockTickets(
    tx,
    sql`k.org_id = ${orgId} and k.id in (select ticket_id from kitchen_line
                                         where org_id = ${orgId} and line_id = any(${[...lineIds]}::uuid[]))`,
  );

// ── Changes of locked tickets ───────────────────────────────────────────────────────────────────

/** A ticket is done when every line is bumped, void ones too. */
const setDone = async (tx: Db, orgId: Uuid, ids: readonly Uuid[], now: Instant): Promise<void> => {
  await sql`
    update kitchen_ticket k
    set done_at = case when made.is_done then coalesce(k.done_at, ${at(now)}) end
    from (select ticket_id, bool_and(bumped_at is not null) as is_done from kitchen_line
          where org_id = ${orgId} and ticket_id = any(${[...ids]}::uuid[]) group by ticket_id) made
    where k.org_id = ${orgId} and k.id = made.ticket_id
  `.execute(tx);
};

interface Bump {
  readonly ticketIds: readonly Uuid[];
  /** Of their lines; null: all. */
  readonly lineIds: readonly Uuid[] | null;
  /** Null: not a person. */
  readonly by: Uuid | null;
  readonly isBumped: boolean;
}

/** Returns the tickets whose lines changed. */
export const bumpLines = async (
  tx: Db,
  orgId: Uuid,
  { ticketIds, lineIds, by, isBumped }: Bump,
  now: Instant,
): Promise<readonly Uuid[]> => {
  const only = lineIds === null ? sql`` : sql`and id = any(${[...lineIds]}::uuid[])`;
  const { rows } = await sql<{ id: Uuid }>`
    update kitchen_line set bumped_at = ${isBumped ? at(now) : null}, bumped_by = ${isBumped ? by : null}
    where org_id = ${orgId} and ticket_id = any(${[...ticketIds]}::uuid[]) and (bumped_at is null) = ${isBumped} ${only}
    returning ticket_id as id
  `.execute(tx);
  const changed = [...new Set(rows.map(({ id }) => id))];
  if (changed.length > 0) await setDone(tx, orgId, changed, now);
  return changed;
};

export interface LineVoid {
  /** Of a dine-in ticket. */
  readonly lineId: Uuid;
  readonly units: number;
}

/** Units of lines are void, each line once in the list; a combo is void as a whole. */
export const voidLines = async (
  tx: Db,
  orgId: Uuid,
  voids: readonly LineVoid[],
  reason: string,
): Promise<void> => {
  await sql`
    update kitchen_line l
    set voided = case when l.combo is null then least(l.quantity, l.voided + v.units) else l.quantity end,
        void_reason = ${reason}
    from jsonb_to_recordset(${JSON.stringify(voids)}::jsonb) as v("lineId" uuid, units int)
    where l.org_id = ${orgId} and l.line_id = v."lineId"
  `.execute(tx);
};

/** All units of the tickets are void. */
export const voidTickets = async (
  tx: Db,
  orgId: Uuid,
  ids: readonly Uuid[],
  reason: string,
): Promise<void> => {
  await sql`
    update kitchen_line set voided = quantity, void_reason = ${reason}
    where org_id = ${orgId} and ticket_id = any(${[...ids]}::uuid[])
  `.execute(tx);
};

/** Returns the kitchen tickets of the source. */
export const setPromise = async (
  tx: Db,
  orgId: Uuid,
  sourceId: Uuid,
  promisedAt: Instant,
): Promise<readonly Uuid[]> => {
  const { rows } = await sql<{ id: Uuid }>`
    with promised as (
      update kitchen_firing set promised_at = ${at(promisedAt)}
      where org_id = ${orgId} and source_id = ${sourceId}
      returning id
    )
    select k.id from kitchen_ticket k where k.org_id = ${orgId} and k.firing_id in (select id from promised)
  `.execute(tx);
  return rows.map(({ id }) => id);
};

export interface LineTables {
  /** Of a dine-in ticket. */
  readonly lineId: Uuid;
  readonly tableIds: readonly Uuid[];
}

/** Returns the kitchen tickets whose lines go elsewhere. */
export const setTables = async (
  tx: Db,
  orgId: Uuid,
  tables: readonly LineTables[],
): Promise<readonly Uuid[]> => {
  const { rows } = await sql<{ id: Uuid }>`
    update kitchen_line l set table_ids = v."tableIds"
    from (select one."lineId", array(select jsonb_array_elements_text(one."tableIds")::uuid order by 1) as "tableIds"
          from jsonb_to_recordset(${JSON.stringify(tables)}::jsonb) as one("lineId" uuid, "tableIds" jsonb)) v
    where l.org_id = ${orgId} and l.line_id = v."lineId" and l.table_ids <> v."tableIds"
    returning l.ticket_id as id
  `.execute(tx);
  return [...new Set(rows.map(({ id }) => id))];
};

// ── Readiness ───────────────────────────────────────────────────────────────────────────────────

export interface LineInKitchen {
  /** Of a dine-in ticket. */
  readonly lineId: Uuid;
  /** Stations that make it. */
  readonly stations: readonly string[];
  /** When its last dish was bumped; null: not all are. */
  readonly madeAt: Instant | null;
}

export const linesInKitchen = async (
  db: Db,
  orgId: Uuid,
  lineIds: readonly Uuid[],
): Promise<readonly LineInKitchen[]> => {
  if (lineIds.length === 0) return [];
  const { rows } = await sql<LineInKitchen>`
    select l.line_id as "lineId", array_agg(distinct ${stationName}) as stations,
           case when bool_and(l.bumped_at is not null) then max(l.bumped_at) end as "madeAt"
    from kitchen_line l
    join kitchen_ticket k on k.org_id = ${orgId} and k.id = l.ticket_id
    join shop s on s.org_id = ${orgId}
    left join kitchen_station st on st.org_id = ${orgId} and st.id = k.station_id
    where l.org_id = ${orgId} and l.line_id = any(${[...lineIds]}::uuid[])
    group by l.line_id
  `.execute(db);
  return rows;
};

/** Something of the source was fired, and all of it that is not void is bumped. */
export const isMade = async (db: Db, orgId: Uuid, sourceId: Uuid): Promise<boolean> => {
  const { rows } = await sql<{ made: boolean }>`
    select coalesce(bool_and(l.bumped_at is not null), false) as made
    from kitchen_firing f
    join kitchen_ticket k on k.org_id = ${orgId} and k.firing_id = f.id
    join kitchen_line l on l.org_id = ${orgId} and l.ticket_id = k.id
    where f.org_id = ${orgId} and f.source_id = ${sourceId} and l.voided < l.quantity
  `.execute(db);
  return rows[0]?.made === true;
};
