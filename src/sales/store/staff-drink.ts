/** Drinks of the staff. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { LocalDate } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';

type Db = Kysely<Database>;

interface DrinkDay {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  readonly staffId: Uuid;
  /** Business date. */
  readonly date: LocalDate;
}

/** False: the person would have more than `allowed` units that day. */
export const takeAllowance = async (
  tx: Db,
  { orgId, branchId, staffId, date }: DrinkDay,
  units: number,
  allowed: number,
): Promise<boolean> => {
  if (units > allowed) return false;
  const { rows } = await sql`
    insert into staff_drink_day as d (org_id, branch_id, staff_id, business_date, taken)
    values (${orgId}, ${branchId}, ${staffId}, ${date}, ${units})
    on conflict (org_id, branch_id, staff_id, business_date) do update set taken = d.taken + excluded.taken
      where d.taken + excluded.taken <= ${allowed}::int
    returning d.taken
  `.execute(tx);
  return rows.length === 1;
};

export const takenOn = async (db: Db, { orgId, branchId, staffId, date }: DrinkDay): Promise<number> => {
  const { rows } = await sql<{ taken: number }>`
    select taken from staff_drink_day
    where org_id = ${orgId} and branch_id = ${branchId} and staff_id = ${staffId} and business_date = ${date}
  `.execute(db);
  return rows[0]?.taken ?? 0;
};

interface NewDrink {
  readonly id: Uuid;
  readonly units: number;
  readonly note: string;
}

/** Those of the ids that are recorded. */
export const knownDrinks = async (db: Db, orgId: Uuid, ids: readonly Uuid[]): Promise<readonly Uuid[]> => {
  const { rows } = await sql<{ id: Uuid }>`
    select id from staff_drink where org_id = ${orgId} and id = any(${[...ids]}::uuid[])
  `.execute(db);
  return rows.map(({ id }) => id);
};

/** Returns the ids that were new. */
export const insertDrinks = async (
  tx: Db,
  { orgId, staffId, saleId }: { readonly orgId: Uuid; readonly staffId: Uuid; readonly saleId: Uuid },
  drinks: readonly NewDrink[],
): Promise<readonly Uuid[]> => {
  if (drinks.length === 0) return [];
  const rows = await tx
    .insertInto('staff_drink')
    .values(
      drinks.map(({ id, units, note }) => ({
        ...{ org_id: orgId, id, sale_id: saleId, staff_id: staffId, units, note },
      })),
    )
    .onConflict((on) => on.doNothing())
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
};
