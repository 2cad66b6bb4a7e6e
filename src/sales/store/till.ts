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

/** As the report of a closed till names it; those that were closed before names were frozen, as it is now. */
const nameIn = (place: string, now: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`coalesce(t.z_figures #>> ${sql.lit(`{names,${place}}`)}, ${now})`;

export const selectTills = (
  orgId: Uuid,
  which: RawBuilder<unknown>,
): RawBuilder<StoredTill> => sql<StoredTill>`
  select t.org_id as "orgId", t.id, t.branch_id as "branchId", ${nameIn('branch', sql`b.name`)} as "branchName",
         t.staff_id as "tellerId", ${nameIn('teller', sql`s.name`)} as "tellerName", t.status, t.opened_at as "openedAt", t.closed_at as "closedAt",
         t.device_id as "deviceId", ${nameIn('device', sql`d.label`)} as "deviceLabel", t.register_id as "registerId",
         t.business_date as "businessDate", t.opening_float as "openingFloat", t.close_note as "closeNote",
         t.z_number as "zNumber", t.z_figures as "zFigures"
  from till t
  join branch b on b.org_id = ${orgId} and b.id = t.branch_id
  join staff s on s.org_id = ${orgId} and s.id = t.staff_id
  left join staff_device d on d.org_id = ${orgId} and d.id = t.device_id
  where t.org_id = ${orgId} and ${which}`;

const first = async (db: Db, query: RawBuilder<StoredTill>): Promise<StoredTill | null> =>
  (await query.execute(db)).rows[0] ?? null;

export const tillById = (db: Db, orgId: Uuid, id: Uuid): Promise<StoredTill | null> =>
  first(db, selectTills(orgId, sql`t.id = ${id}`));

/** Locks the till: while it is closed, no sale joins it. */
export const lockTill = (tx: Db, orgId: Uuid, id: Uuid): Promise<StoredTill | null> =>
  first(tx, sql`${selectTills(orgId, sql`t.id = ${id}`)} for update of t`);

/** A person at a branch, on a device. */
export interface TillPlace {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  readonly staffId: Uuid;
  /** Null: on no paired device. */
  readonly deviceId: Uuid | null;
}

/** While the person is locked, nobody opens a till of theirs. */
export const lockPerson = async (tx: Db, orgId: Uuid, staffId: Uuid): Promise<void> => {
  await sql`select from staff where org_id = ${orgId} and id = ${staffId} for no key update`.execute(tx);
};

/** Of several tills of a person: that of the device, then one that was opened with the server, then the oldest. */
const ownFirst = (deviceId: Uuid | null): RawBuilder<unknown> =>
  sql`order by t.device_id is not distinct from ${deviceId}::uuid desc, t.opened_offline, t.opened_at, t.id`;

/** At any branch. */
export const openTillOfPerson = (
  db: Db,
  { orgId, staffId, deviceId }: Omit<TillPlace, 'branchId'>,
): Promise<StoredTill | null> =>
  first(
    db,
    sql`${selectTills(orgId, sql`t.staff_id = ${staffId} and t.status = 'open'`)}
        ${ownFirst(deviceId)}`,
  );

/** The open till of the person at the branch; it stays open until the transaction ends. Null: none. */
export const tillForSale = async (
  tx: Db,
  { orgId, branchId, staffId, deviceId }: TillPlace,
): Promise<Uuid | null> => {
  const { rows } = await sql<{ id: Uuid }>`
    select t.id from till t
    where t.org_id = ${orgId} and t.branch_id = ${branchId} and t.staff_id = ${staffId} and t.status = 'open'
    ${ownFirst(deviceId)}
    for share
  `.execute(tx);
  return rows[0]?.id ?? null;
};

/** Those of the tills that are open; they stay open until the transaction ends. */
export const openTills = async (tx: Db, orgId: Uuid, ids: readonly Uuid[]): Promise<readonly Uuid[]> => {
  const { rows } = await sql<{ id: Uuid }>`
    select id from till where org_id = ${orgId} and id = any(${[...ids]}::uuid[]) and status = 'open'
    order by id for share
  `.execute(tx);
  return rows.map(({ id }) => id);
};

/** A till that is not closed, or not closed anew, until the transaction ends. */
export interface KeptTill {
  readonly id: Uuid;
  readonly isClosed: boolean;
}

/** The till that the person had open at the branch at that moment. Null: none. */
export const tillAt = async (
  tx: Db,
  { orgId, branchId, staffId, deviceId }: TillPlace,
  moment: Instant,
): Promise<KeptTill | null> => {
  const { rows } = await sql<KeptTill>`
    select t.id, t.status <> 'open' as "isClosed" from till t
    where t.org_id = ${orgId} and t.branch_id = ${branchId} and t.staff_id = ${staffId}
      and t.opened_at <= ${at(moment)} and (t.closed_at is null or t.closed_at > ${at(moment)})
    ${ownFirst(deviceId)}
    for share
  `.execute(tx);
  return rows[0] ?? null;
};

/** Null: no till of the branch. */
export const tillNamed = async (tx: Db, orgId: Uuid, branchId: Uuid, id: Uuid): Promise<KeptTill | null> => {
  const { rows } = await sql<KeptTill>`
    select id, status <> 'open' as "isClosed" from till
    where org_id = ${orgId} and branch_id = ${branchId} and id = ${id}
    for share
  `.execute(tx);
  return rows[0] ?? null;
};

/** The till is open, and stays so until the transaction ends. */
export const isTillOpen = async (tx: Db, orgId: Uuid, tillId: Uuid): Promise<boolean> => {
  const { rows } = await sql`
    select from till where org_id = ${orgId} and id = ${tillId} and status = 'open' for share
  `.execute(tx);
  return rows.length === 1;
};

export interface NewTill extends TillPlace {
  readonly id: Uuid;
  readonly businessDate: LocalDate;
  readonly openingFloat: Piastres;
  readonly openedAt: Instant;
  /** Beside another open till of the person. */
  readonly isOpenedOffline: boolean;
}

/** Of a locked person. */
export const insertTill = async (tx: Db, till: NewTill): Promise<void> => {
  await tx
    .insertInto('till')
    .values({
      ...{ org_id: till.orgId, id: till.id, branch_id: till.branchId, opened_at: at(till.openedAt) },
      ...{ staff_id: till.staffId, device_id: till.deviceId, opening_float: till.openingFloat },
      ...{ business_date: till.businessDate, register_id: till.deviceId ?? till.staffId },
      opened_offline: till.isOpenedOffline,
    })
    .execute();
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
    ${selectTills(orgId, sql`t.branch_id = ${branchId} ${follows}`)}
    order by t.opened_at desc, t.id desc
    limit ${limit}
  `.execute(db);
  return rows;
};

export interface TillClosing {
  readonly status: Exclude<TillStatus, 'open'>;
  readonly closedAt: Instant;
  readonly counted: Readonly<Record<string, Piastres>> | null;
  readonly note: string | null;
  readonly closedBy: Uuid;
  readonly figures: TillFigures;
}

/** Draws the Z number, which is locked until the commit. What the report names is frozen with its figures. */
export const closeLockedTill = async (
  tx: Db,
  { orgId, id, branchId, registerId, branchName, tellerName, deviceLabel }: StoredTill,
  { status, counted, note, closedAt, closedBy, figures }: TillClosing,
): Promise<void> => {
  const frozen = { ...figures, names: { branch: branchName, teller: tellerName, device: deviceLabel } };
  await sql`
    with drawn as (
      insert into z_counter (org_id, branch_id, register_id, last) values (${orgId}, ${branchId}, ${registerId}, 1)
      on conflict (org_id, branch_id, register_id) do update set last = z_counter.last + 1
      returning last
    )
    update till
    set status = ${status}, closed_at = ${at(closedAt)}, counted = ${counted && JSON.stringify(counted)}::jsonb,
        close_note = ${note}, closed_by = ${closedBy}, z_number = (select last from drawn),
        z_figures = ${JSON.stringify(frozen)}::jsonb
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
  readonly at: Instant;
  /** The till was closed before. */
  readonly isLate: boolean;
}

export const addMovement = async (tx: Db, movement: NewMovement): Promise<void> => {
  const { orgId, id, tillId, kind, amount, reason, staffId, isLate } = movement;
  await tx
    .insertInto('till_cash')
    .values({
      ...{ org_id: orgId, id, till_id: tillId, at: at(movement.at), kind, amount, reason, staff_id: staffId },
      late: isLate,
    })
    .execute();
};

interface TillMovement extends CashMovement {
  readonly tillId: Uuid;
}

const selectMovements = (
  orgId: Uuid,
  which: RawBuilder<unknown>,
): RawBuilder<TillMovement> => sql<TillMovement>`
  select c.till_id as "tillId", c.id, c.at, c.kind, c.amount, c.reason, s.name as "staffName"
  from till_cash c join staff s on s.org_id = ${orgId} and s.id = c.staff_id
  where c.org_id = ${orgId} and ${which}
  order by c.at, c.id`;

/** Of these tills, the first one of each first; without what came after a close. */
export const movementsOfTills = async (
  db: Db,
  orgId: Uuid,
  tillIds: readonly Uuid[],
): Promise<readonly TillMovement[]> => {
  const { rows } = await selectMovements(
    orgId,
    sql`c.till_id = any(${[...tillIds]}::uuid[]) and not c.late`,
  ).execute(db);
  return rows;
};

export const movementsOf = async (
  db: Db,
  { orgId, id }: Pick<StoredTill, 'orgId' | 'id'>,
): Promise<readonly CashMovement[]> => {
  const { rows } = await selectMovements(orgId, sql`c.till_id = ${id}`).execute(db);
  return rows;
};

export const movementById = async (db: Db, orgId: Uuid, id: Uuid): Promise<CashMovement | null> => {
  const { rows } = await selectMovements(orgId, sql`c.id = ${id}`).execute(db);
  return rows[0] ?? null;
};
