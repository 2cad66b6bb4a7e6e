/** Tills and what is in them. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { Instant, LocalDate } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { CashKind, CashMovement, TillFigures, TillStatus } from '../domain/till.ts';

type Db = Kysely<Database>;

export interface StoredTill {
  readonly orgId: Uuid;
  readonly id: Uuid;
  readonly branchId: Uuid;
  readonly branchName: string;
  readonly tellerId: Uuid;
  readonly tellerName: string;
  readonly status: TillStatus;
  readonly openedAt: Instant;
  readonly closedAt: Instant | null;
  readonly deviceId: Uuid | null;
  readonly deviceLabel: string | null;
  readonly registerId: Uuid;
  readonly businessDate: LocalDate;
  readonly openingFloat: Piastres;
  readonly closeNote: string | null;
  readonly zNumber: number | null;
  /** Null: open. */
  readonly zFigures: TillFigures | null;
}

export const selectTills = (which: RawBuilder<unknown>): RawBuilder<StoredTill> => sql<StoredTill>`
  select t.org_id as "orgId", t.id, t.branch_id as "branchId", b.name as "branchName", t.staff_id as "tellerId",
         s.name as "tellerName", t.status, t.opened_at as "openedAt", t.closed_at as "closedAt",
         t.device_id as "deviceId", d.label as "deviceLabel", t.register_id as "registerId",
         t.business_date as "businessDate", t.opening_float as "openingFloat", t.close_note as "closeNote",
         t.z_number as "zNumber", t.z_figures as "zFigures"
  from till t
  join branch b on b.org_id = t.org_id and b.id = t.branch_id
  join staff s on s.org_id = t.org_id and s.id = t.staff_id
  left join staff_device d on d.org_id = t.org_id and d.id = t.device_id
  where ${which}`;

const first = async (db: Db, query: RawBuilder<StoredTill>): Promise<StoredTill | null> =>
  (await query.execute(db)).rows[0] ?? null;

export const tillById = (db: Db, orgId: Uuid, id: Uuid): Promise<StoredTill | null> =>
  first(db, selectTills(sql`t.org_id = ${orgId} and t.id = ${id}`));

/** Locks the till: while it is closed, no sale joins it. */
export const lockTill = (tx: Db, orgId: Uuid, id: Uuid): Promise<StoredTill | null> =>
  first(tx, sql`${selectTills(sql`t.org_id = ${orgId} and t.id = ${id}`)} for update of t`);

export const openTillOfPerson = (db: Db, orgId: Uuid, staffId: Uuid): Promise<StoredTill | null> =>
  first(db, selectTills(sql`t.org_id = ${orgId} and t.staff_id = ${staffId} and t.status = 'open'`));

/** The open till of the person at the branch; it stays open until the transaction ends. Null: none. */
export const tillForSale = async (
  tx: Db,
  orgId: Uuid,
  branchId: Uuid,
  staffId: Uuid,
): Promise<Uuid | null> => {
  const { rows } = await sql<{ id: Uuid }>`
    select id from till
    where org_id = ${orgId} and branch_id = ${branchId} and staff_id = ${staffId} and status = 'open'
    for share
  `.execute(tx);
  return rows[0]?.id ?? null;
};

/** The till is open, and stays so until the transaction ends. */
export const isTillOpen = async (tx: Db, orgId: Uuid, tillId: Uuid): Promise<boolean> => {
  const { rows } = await sql`
    select from till where org_id = ${orgId} and id = ${tillId} and status = 'open' for share
  `.execute(tx);
  return rows.length === 1;
};

export interface NewTill {
  readonly orgId: Uuid;
  readonly id: Uuid;
  readonly branchId: Uuid;
  readonly staffId: Uuid;
  readonly deviceId: Uuid | null;
  readonly businessDate: LocalDate;
  readonly openingFloat: Piastres;
  readonly now: Instant;
}

/** False: the person has an open till. */
export const insertTill = async (tx: Db, till: NewTill): Promise<boolean> => {
  const { orgId, id, branchId, staffId, deviceId, businessDate, openingFloat, now } = till;
  const { numAffectedRows } = await sql`
    insert into till (org_id, id, branch_id, opened_at, staff_id, device_id, opening_float, business_date, register_id)
    values (${orgId}, ${id}, ${branchId}, ${at(now)}, ${staffId}, ${deviceId}, ${openingFloat}, ${businessDate},
            ${deviceId ?? staffId})
    on conflict (org_id, staff_id) where status = 'open' do nothing
  `.execute(tx);
  return numAffectedRows === 1n;
};

export interface TillListing {
  readonly branchId: Uuid;
  readonly limit: number;
  /** Last till of the previous page. */
  readonly after: Uuid | null;
}

/** Newest first. */
export const tillsOf = async (
  db: Db,
  orgId: Uuid,
  { branchId, limit, after }: TillListing,
): Promise<readonly StoredTill[]> => {
  const follows =
    after === null
      ? sql``
      : sql`and (t.opened_at, t.id) < (select opened_at, id from till where org_id = ${orgId} and id = ${after})`;
  const { rows } = await sql<StoredTill>`
    ${selectTills(sql`t.org_id = ${orgId} and t.branch_id = ${branchId} ${follows}`)}
    order by t.opened_at desc, t.id desc
    limit ${limit}
  `.execute(db);
  return rows;
};

export interface TillClosing {
  readonly status: Exclude<TillStatus, 'open'>;
  readonly counted: Readonly<Record<string, Piastres>> | null;
  readonly note: string | null;
  readonly closedBy: Uuid;
  readonly figures: TillFigures;
}

/** Draws the Z number, which is locked until the commit. */
export const closeLockedTill = async (
  tx: Db,
  { orgId, id, branchId, registerId }: StoredTill,
  { status, counted, note, closedBy, figures }: TillClosing,
  now: Instant,
): Promise<void> => {
  await sql`
    with drawn as (
      insert into z_counter (org_id, branch_id, register_id, last) values (${orgId}, ${branchId}, ${registerId}, 1)
      on conflict (org_id, branch_id, register_id) do update set last = z_counter.last + 1
      returning last
    )
    update till
    set status = ${status}, closed_at = ${at(now)}, counted = ${counted && JSON.stringify(counted)}::jsonb,
        close_note = ${note}, closed_by = ${closedBy}, z_number = (select last from drawn),
        z_figures = ${JSON.stringify(figures)}::jsonb
    where org_id = ${orgId} and id = ${id}
  `.execute(tx);
};

// ── Cash ────────────────────────────────────────────────────────────────────────────────────────

export interface NewMovement {
  readonly orgId: Uuid;
  readonly id: Uuid;
  readonly tillId: Uuid;
  readonly kind: CashKind;
  readonly amount: Piastres;
  readonly reason: string;
  readonly staffId: Uuid;
}

export const addMovement = async (
  tx: Db,
  { orgId, id, tillId, kind, amount, reason, staffId }: NewMovement,
  now: Instant,
): Promise<void> => {
  await tx
    .insertInto('till_cash')
    .values({ org_id: orgId, id, till_id: tillId, at: at(now), kind, amount, reason, staff_id: staffId })
    .execute();
};

interface TillMovement extends CashMovement {
  readonly tillId: Uuid;
}

const selectMovements = (which: RawBuilder<unknown>): RawBuilder<TillMovement> => sql<TillMovement>`
  select c.till_id as "tillId", c.id, c.at, c.kind, c.amount, c.reason, s.name as "staffName"
  from till_cash c join staff s on s.org_id = c.org_id and s.id = c.staff_id
  where ${which}
  order by c.at, c.id`;

/** Of these tills, the first one of each first. */
export const movementsOfTills = async (
  db: Db,
  orgId: Uuid,
  tillIds: readonly Uuid[],
): Promise<readonly TillMovement[]> => {
  const { rows } = await selectMovements(
    sql`c.org_id = ${orgId} and c.till_id = any(${[...tillIds]}::uuid[])`,
  ).execute(db);
  return rows;
};

export const movementsOf = async (
  db: Db,
  { orgId, id }: Pick<StoredTill, 'orgId' | 'id'>,
): Promise<readonly CashMovement[]> => {
  const { rows } = await selectMovements(sql`c.org_id = ${orgId} and c.till_id = ${id}`).execute(db);
  return rows;
};

export const movementById = async (db: Db, orgId: Uuid, id: Uuid): Promise<CashMovement | null> => {
  const { rows } = await selectMovements(sql`c.org_id = ${orgId} and c.id = ${id}`).execute(db);
  return rows[0] ?? null;
};
