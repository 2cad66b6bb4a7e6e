import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Translations } from '../../kernel/names.ts';
import type { DealPoolEntry } from '../../menu/domain/menubook.ts';
import { poolEntry } from '../../menu/domain/pool.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { Mode, Programme } from '../domain/programme.ts';

interface PoolRow {
  readonly category_id: Uuid | null;
  readonly menu_item_id: Uuid | null;
  readonly size_label: string | null;
}

interface RewardRow {
  readonly id: Uuid;
  readonly name: string;
  readonly translations: Translations;
  readonly cost: number;
  readonly items: readonly PoolRow[];
}

export interface ProgrammeRow {
  readonly org_id: Uuid;
  readonly enabled: boolean;
  readonly mode: Mode;
  readonly program_name: string;
  readonly program_name_ar: string | null;
  readonly earn_piastres_per_point: number;
  readonly earn_on_tax: boolean;
  readonly default_reward_cost: number;
  readonly balance_cap: number | null;
  readonly max_rewards_per_order: number | null;
  readonly offline_limit: number | null;
  readonly require_otp: boolean;
  readonly birthday_enabled: boolean;
  readonly birthday_reward_amount: number | null;
  readonly birthday_message_ar: string | null;
  readonly birthday_message_en: string | null;
  readonly win_back_enabled: boolean;
  readonly win_back_after_days: number | null;
  readonly win_back_amount: number | null;
  readonly win_back_message_ar: string | null;
  readonly win_back_message_en: string | null;
  readonly terms: string | null;
  readonly terms_ar: string | null;
  readonly visit_items: readonly PoolRow[];
  readonly rewards: readonly RewardRow[];
}

const poolOf = (rows: readonly PoolRow[]): readonly DealPoolEntry[] =>
  rows.flatMap((row) => poolEntry(row.category_id, row.menu_item_id, row.size_label));

export const programmeOf = (row: ProgrammeRow): Programme => ({
  orgId: row.org_id,
  isEnabled: row.enabled,
  mode: row.mode,
  programName: row.program_name,
  programNameAr: row.program_name_ar,
  earnPiastresPerPoint: row.earn_piastres_per_point,
  earnOnTax: row.earn_on_tax,
  visitItems: row.visit_items.length === 0 ? null : poolOf(row.visit_items),
  rewards: row.rewards.map(({ id, name, translations, cost, items }) => ({
    ...{ id, name, nameTranslations: translations, cost },
    items: poolOf(items),
  })),
  defaultRewardCost: row.default_reward_cost,
  balanceCap: row.balance_cap,
  maxRewardsPerOrder: row.max_rewards_per_order,
  offlineLimit: row.offline_limit,
  requireOtp: row.require_otp,
  birthday: {
    isEnabled: row.birthday_enabled,
    amount: row.birthday_reward_amount,
    message: { ar: row.birthday_message_ar, en: row.birthday_message_en },
  },
  winBack: {
    isEnabled: row.win_back_enabled,
    afterDays: row.win_back_after_days,
    amount: row.win_back_amount,
    message: { ar: row.win_back_message_ar, en: row.win_back_message_en },
  },
  terms: { ar: row.terms_ar, en: row.terms },
});

const poolEntryJson = sql`
  json_build_object('category_id', i.category_id, 'menu_item_id', i.menu_item_id, 'size_label', i.size_label)`;

/** `orgId`: an id, or a column of the statement around it. */
const programmeRows = (orgId: Uuid | RawBuilder<Uuid>): RawBuilder<ProgrammeRow> => sql`
  select p.*,
    coalesce((select json_agg(${poolEntryJson} order by i.sort) from loyalty_visit_item i where i.org_id = ${orgId}),
             '[]') as visit_items,
    coalesce((select json_agg(json_build_object('id', r.id, 'name', r.name, 'translations', r.name_translations,
                'cost', r.cost_amount,
                'items', coalesce((select json_agg(${poolEntryJson} order by i.sort) from loyalty_reward_item i
                                   where i.org_id = ${orgId} and i.reward_id = r.id), '[]'))
                order by r.sort, r.id)
              from loyalty_reward r where r.org_id = ${orgId} and r.archived_at is null), '[]') as rewards
  from loyalty_program p where p.org_id = ${orgId}`;

/** A column of a statement, to be read with `programmeOf`; null: the shop never had a programme. */
export const programmeColumn = (orgId: Uuid | RawBuilder<Uuid>): RawBuilder<ProgrammeRow | null> =>
  sql`(select row_to_json(programme) from (${programmeRows(orgId)}) as programme)`;

/** Null: the shop never had a programme. */
export const programmeOfShop = async (db: Kysely<Database>, orgId: Uuid): Promise<Programme | null> => {
  const { rows } = await programmeRows(orgId).execute(db);
  const [row] = rows;
  return row === undefined ? null : programmeOf(row);
};
