/** Counted stock of a branch. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/store/schema.ts';

type Db = Kysely<Database>;

export interface CountedUnits {
  readonly id: Uuid;
  readonly units: number;
}

/**
 * Takes units, which are sorted by id, so that all transactions lock rows in one order. Returns ids whose last units
 * were taken; null: not enough stock, so roll back.
 */
export const takeStock = async (
  tx: Db,
  orgId: Uuid,
  branchId: Uuid,
  wanted: readonly CountedUnits[],
): Promise<readonly Uuid[] | null> => {
  if (wanted.length === 0) return [];
  const { rows } = await sql<{ id: Uuid; left: number }>`
    update availability a
    set stock = a.stock - wanted.units
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as wanted(id uuid, units int)
    where a.org_id = ${orgId} and a.subject_id = wanted.id and a.branch_id = ${branchId} and a.channel is null
      and a.stock >= wanted.units
    returning a.subject_id as id, a.stock as left
  `.execute(tx);
  return rows.length < wanted.length ? null : rows.filter(({ left }) => left === 0).map(({ id }) => id);
};

/** Units that were taken although fewer were there. */
interface TakenAnyway {
  /** The ids whose last units were taken. */
  readonly emptied: readonly Uuid[];
  /** By how many the stock is below zero. */
  readonly below: readonly CountedUnits[];
}

/** Takes units that are gone, whatever was counted; sorted by id. Uncounted ones are left out. */
export const takeStockAnyway = async (
  tx: Db,
  orgId: Uuid,
  branchId: Uuid,
  gone: readonly CountedUnits[],
): Promise<TakenAnyway> => {
  if (gone.length === 0) return { emptied: [], below: [] };
  const { rows } = await sql<{ id: Uuid; left: number; units: number }>`
    update availability a
    set stock = a.stock - gone.units
    from jsonb_to_recordset(${JSON.stringify(gone)}::jsonb) as gone(id uuid, units int)
    where a.org_id = ${orgId} and a.subject_id = gone.id and a.branch_id = ${branchId} and a.channel is null
      and a.stock is not null
    returning a.subject_id as id, a.stock as left, gone.units
  `.execute(tx);
  return {
    emptied: rows.filter(({ left, units }) => left <= 0 && left + units > 0).map(({ id }) => id),
    below: rows.filter(({ left }) => left < 0).map(({ id, left }) => ({ id, units: -left })),
  };
};

/** Restocks units that are still counted. Returns ids of which none were left. */
export const restock = async (
  tx: Db,
  orgId: Uuid,
  branchId: Uuid,
  back: readonly CountedUnits[],
): Promise<readonly Uuid[]> => {
  if (back.length === 0) return [];
  const { rows } = await sql<{ id: Uuid; was_empty: boolean }>`
    update availability a
    set stock = a.stock + back.units
    from jsonb_to_recordset(${JSON.stringify(back)}::jsonb) as back(id uuid, units int)
    where a.org_id = ${orgId} and a.subject_id = back.id and a.branch_id = ${branchId} and a.channel is null
      and a.stock is not null
    returning a.subject_id as id, a.stock > 0 and a.stock <= back.units as was_empty
  `.execute(tx);
  return rows.filter((row) => row.was_empty).map(({ id }) => id);
};
