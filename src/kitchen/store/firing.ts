/** What is fired to the stations of a branch. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import { inSteps } from '../../platform/store/nodes/apart.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { Dish, FiringSource, Station } from '../domain/firing.ts';

type Db = Kysely<Database>;

export interface Making {
  readonly stations: readonly Station[];
  /** Category by item. */
  readonly categories: Readonly<Record<Uuid, Uuid>>;
}

/** The stations of a branch, and the categories of items. */
export const makingAt = async (
  db: Db,
  orgId: Uuid,
  branchId: Uuid,
  itemIds: readonly Uuid[],
): Promise<Making> => {
  const { rows } = await sql<Making>`
    select coalesce((select json_agg(json_build_object('id', s.id, 'categoryIds', s.category_ids, 'itemIds', s.item_ids)
                                     order by s.sort, s.id)
                     from kitchen_station s
                     where s.org_id = ${orgId} and s.branch_id = ${branchId} and s.archived_at is null), '[]') as stations,
           coalesce((select json_object_agg(i.id, i.category_id) from menu_item i
                     where i.org_id = ${orgId} and i.id = any(${[...itemIds]}::uuid[])), '{}') as categories
  `.execute(db);
  return rows[0] ?? { stations: [], categories: {} };
};

export interface FiringRow {
  readonly orgId: Uuid;
  readonly id: Uuid;
  readonly branchId: Uuid;
  readonly source: FiringSource;
  readonly sourceId: Uuid;
  /** 1 for a sale and an order. */
  readonly round: number;
  readonly reference: string;
  readonly name: string | null;
  readonly notes: string | null;
  readonly promisedAt: Instant | null;
}

/** False: this round was fired before. */
export const insertFiring = async (
  tx: Db,
  { orgId, id, branchId, source, sourceId, round, reference, name, notes, promisedAt }: FiringRow,
  now: Instant,
): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    insert into kitchen_firing (org_id, id, branch_id, source, source_id, round, reference, name, notes, fired_at, promised_at)
    values (${orgId}, ${id}, ${branchId}, ${source}, ${sourceId}, ${round}, ${reference}, ${name}, ${notes}, ${at(now)},
            ${promisedAt === null ? null : at(promisedAt)})
    on conflict (org_id, source_id, round) do nothing
  `.execute(tx);
  return numAffectedRows === 1n;
};

export interface NewKitchenTicket {
  readonly id: Uuid;
  readonly stationId: Uuid | null;
  readonly lines: readonly (Dish & {
    readonly id: Uuid;
    readonly lineId: Uuid | null;
    readonly place: number;
  })[];
}

interface FiringOfTickets extends Pick<FiringRow, 'orgId' | 'id' | 'branchId'> {
  readonly tableIds: readonly Uuid[];
  readonly isMade?: boolean;
}

/** The tickets of a firing, one of each station. */
export const insertTickets = async (
  tx: Db,
  { orgId, id, branchId, tableIds, isMade = false }: FiringOfTickets,
  tickets: readonly NewKitchenTicket[],
  now: Instant,
): Promise<void> => {
  const madeAt = isMade ? at(now) : null;
  const lines = tickets.flatMap(({ id: ticketId, lines: own }) => own.map((line) => ({ ...line, ticketId })));
  const heads = tickets.map(({ id: ticketId, stationId }) => ({ id: ticketId, stationId }));
  const query = sql`
    insert into kitchen_ticket (org_id, id, firing_id, branch_id, station_id, fired_at, done_at)
    select ${orgId}, t.id, ${id}, ${branchId}, t."stationId", ${at(now)}, ${madeAt}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(heads)}::jsonb) as t(id uuid, "stationId" uuid)
    returning id`;
  await sql`
    with ${await inSteps(tx, { made: { query, types: { id: 'uuid' } } })}
    insert into kitchen_line (org_id, id, ticket_id, line_id, place, menu_item_id, name, size_label, details, combo, notes,
                              table_ids, quantity, bumped_at)
    select ${orgId}, l.id, l."ticketId", l."lineId", l.place, l."menuItemId", l.name, l."sizeLabel", l.details, l.combo,
           l.notes, ${[...tableIds]}::uuid[], l.quantity, ${madeAt}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
      as l(id uuid, "ticketId" uuid, "lineId" uuid, place int, "menuItemId" uuid, name text, "sizeLabel" text,
           details jsonb, combo text, notes text, quantity int)
  `.execute(tx);
};
