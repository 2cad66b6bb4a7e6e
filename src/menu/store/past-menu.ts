/** What was on the menu before: former prices, and names of what is archived (Decisions 13). */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { Named } from '../../kernel/names.ts';
import type { Database } from '../../platform/store/schema.ts';

type Db = Kysely<Database>;

/** Keeps the present prices of a shop, before they change. */
export const keepKnownPrices = async (tx: Db, orgId: Uuid): Promise<void> => {
  await sql`
    insert into known_price (org_id, subject_id, size_label, amount)
    select distinct ${orgId}::uuid, subject_id, size_label, amount from price where org_id = ${orgId}
    on conflict do nothing
  `.execute(tx);
};

interface KnownPriceRow {
  readonly subjectId: Uuid;
  readonly sizeLabel: string;
  readonly amount: Piastres;
}

export interface PastMenu {
  readonly prices: readonly KnownPriceRow[];
  readonly names: readonly (Named & { readonly id: Uuid })[];
}

interface PastIds {
  /** Items, combos and add-ons whose former prices are read. */
  readonly subjects: readonly Uuid[];
  /** Ids that are not in the menu book of the branch: their names are read, and the prices that they have still. */
  readonly unlisted: readonly Uuid[];
}

/** One statement. */
export const loadPastMenu = async (
  db: Db,
  orgId: Uuid,
  branchId: Uuid,
  { subjects, unlisted }: PastIds,
): Promise<PastMenu> => {
  const { rows } = await sql<PastMenu>`
    select
      coalesce((
        select json_agg(t) from (
          select subject_id as "subjectId", size_label as "sizeLabel", amount
          from known_price where org_id = ${orgId} and subject_id = any(${subjects}::uuid[])
          union
          select subject_id, size_label, amount
          from price
          where org_id = ${orgId} and subject_id = any(${unlisted}::uuid[])
            and (branch_id is null or branch_id = ${branchId})) t), '[]') as prices,
      coalesce((
        select json_agg(t) from (
          select id, name, name_translations as "nameTranslations"
          from menu_item where org_id = ${orgId} and id = any(${unlisted}::uuid[])
          union all
          select id, name, name_translations
          from optional_field where org_id = ${orgId} and id = any(${unlisted}::uuid[])
          union all
          select id, name, name_translations
          from combo_slot where org_id = ${orgId} and id = any(${unlisted}::uuid[])) t), '[]') as names
  `.execute(db);
  return rows[0] ?? { prices: [], names: [] };
};
