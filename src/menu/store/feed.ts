/** Discounts as devices of a branch hold them. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { Named } from '../../kernel/names.ts';
import type { LocalDate } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { DISCOUNT_PLACES } from '../domain/menubook.ts';

export interface PlacedDiscount extends Named {
  readonly id: Uuid;
  readonly dtype: 'percentage' | 'fixed';
  /** Decimal text. */
  readonly rate: string;
  readonly amount: Piastres;
  readonly isActive: boolean;
  readonly validFrom: LocalDate | null;
  readonly validTo: LocalDate | null;
  /** At the branch, sorted. */
  readonly places: (typeof DISCOUNT_PLACES)[number][];
}

/** Of the branch, by id, without archived ones. */
export const discountsAt = async (
  db: Kysely<Database>,
  orgId: Uuid,
  branchId: Uuid,
): Promise<readonly PlacedDiscount[]> => {
  const { rows } = await sql<PlacedDiscount>`
    select d.id, d.name, d.name_translations as "nameTranslations", d.dtype, d.rate::text as rate, d.amount,
           d.is_active as "isActive", d.valid_from as "validFrom", d.valid_to as "validTo",
           array_agg(distinct c.channel order by c.channel) as places
    from discount d
    join channel_discount c on c.org_id = ${orgId} and c.discount_id = d.id
    where d.org_id = ${orgId} and d.archived_at is null and (c.branch_id is null or c.branch_id = ${branchId})
    group by d.org_id, d.id
    order by d.id
  `.execute(db);
  return rows;
};

/** Archived items that combos name, which a menu book has for their names. */
export const archivedChoices = async (db: Kysely<Database>, orgId: Uuid): Promise<ReadonlySet<Uuid>> => {
  const { rows } = await sql<{ id: Uuid }>`
    select id from menu_item i
    where org_id = ${orgId} and archived_at is not null
      and exists (select from combo_choice c where c.org_id = ${orgId} and c.item_id = i.id)
  `.execute(db);
  return new Set(rows.map(({ id }) => id));
};
