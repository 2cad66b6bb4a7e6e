/** The settings by which devices of a branch sell. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Language, Translations } from '../../kernel/names.ts';
import type { WallMinutes, ZoneId } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { NeedsTill } from '../../shops/domain/shop.ts';

interface StoredStation {
  readonly id: Uuid;
  readonly name: string;
  readonly name_translations: Translations;
  readonly category_ids: Uuid[];
  readonly item_ids: Uuid[];
}

export interface StoredSettings {
  readonly id: Uuid;
  readonly orgId: Uuid;
  readonly shopName: string;
  readonly shopTranslations: Translations;
  readonly mainLanguage: Language;
  readonly isShopActive: boolean;
  readonly name: string;
  readonly translations: Translations;
  readonly code: string;
  readonly address: string | null;
  readonly phone: string | null;
  readonly isActive: boolean;
  readonly zone: ZoneId;
  readonly dayStartsAt: WallMinutes;
  readonly paymentMethods: string[];
  readonly needsTill: NeedsTill;
  readonly staffDrinksPerDay: number;
  /** Decimal text. */
  readonly taxRate: string;
  readonly taxInclusive: boolean;
  readonly serviceRate: string;
  readonly serviceTaxable: boolean;
  /** In the order of the shop file. */
  readonly stations: StoredStation[];
}

/** Null: there is no such branch. */
export const settingsOf = async (
  db: Kysely<Database>,
  orgId: Uuid,
  branchId: Uuid,
): Promise<StoredSettings | null> => {
  const { rows } = await sql<StoredSettings>`
    select b.id, b.org_id as "orgId", s.name as "shopName", s.name_translations as "shopTranslations",
           s.main_language as "mainLanguage", s.is_active as "isShopActive", b.name, b.name_translations as translations,
           b.code, b.address, b.phone, b.is_active and b.archived_at is null as "isActive", b.time_zone as zone,
           b.day_starts_at as "dayStartsAt", s.payment_methods as "paymentMethods", b.sales_need_till as "needsTill",
           b.staff_drinks_per_day as "staffDrinksPerDay", b.tax_rate::text as "taxRate", b.tax_inclusive as "taxInclusive",
           b.service_charge_rate::text as "serviceRate", b.service_charge_taxable as "serviceTaxable",
           coalesce((select json_agg(json_build_object('id', k.id, 'name', k.name, 'name_translations', k.name_translations,
                                                       'category_ids', k.category_ids, 'item_ids', k.item_ids)
                                     order by k.sort, k.id)
                     from kitchen_station k
                     where k.org_id = ${orgId} and k.branch_id = b.id and k.archived_at is null), '[]') as stations
    from branch b join shop s on s.org_id = ${orgId}
    where b.org_id = ${orgId} and b.id = ${branchId}
  `.execute(db);
  return rows[0] ?? null;
};
