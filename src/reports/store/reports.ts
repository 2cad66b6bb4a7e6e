/** Sums over the sales of a branch (Decisions 12). */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { Translations } from '../../kernel/names.ts';
import type { Instant, LocalDate } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';

type Db = Kysely<Database>;

export interface ReportSpan {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  /** Business dates, both included. */
  readonly from: LocalDate;
  readonly to: LocalDate;
}

const isIn = ({ orgId, branchId, from, to }: ReportSpan): RawBuilder<unknown> =>
  sql`s.org_id = ${orgId} and s.branch_id = ${branchId} and s.business_date between ${from} and ${to}`;

const sums = sql`
  count(*)::int as count, coalesce(sum(s.covers), 0)::bigint as covers,
  coalesce(sum(s.subtotal), 0)::bigint as subtotal,
  coalesce(sum(s.deal_discount), 0)::bigint as "dealDiscount",
  coalesce(sum(s.reward_discount), 0)::bigint as "rewardDiscount",
  coalesce(sum(s.discount_amount), 0)::bigint as "discountAmount",
  coalesce(sum(s.service_charge_amount), 0)::bigint as "serviceCharge",
  coalesce(sum(s.delivery_fee), 0)::bigint as "deliveryFee",
  coalesce(sum(s.tax_amount), 0)::bigint as tax, coalesce(sum(s.total), 0)::bigint as total`;

export interface SaleSums {
  readonly count: number;
  readonly covers: number;
  readonly subtotal: Piastres;
  readonly dealDiscount: Piastres;
  readonly rewardDiscount: Piastres;
  readonly discountAmount: Piastres;
  readonly serviceCharge: Piastres;
  readonly deliveryFee: Piastres;
  readonly tax: Piastres;
  readonly total: Piastres;
}

export interface DaySums extends SaleSums {
  readonly date: LocalDate;
}

/** Days with sales, the first one first. */
export const sumsByDay = async (db: Db, span: ReportSpan): Promise<readonly DaySums[]> => {
  const { rows } = await sql<DaySums>`
    select s.business_date as date, ${sums} from sale s where ${isIn(span)}
    group by s.business_date order by s.business_date
  `.execute(db);
  return rows;
};

export interface MethodSums {
  readonly date: LocalDate;
  readonly method: string;
  readonly amount: Piastres;
  readonly tips: Piastres;
}

export const sumsByMethod = async (db: Db, span: ReportSpan): Promise<readonly MethodSums[]> => {
  const { rows } = await sql<MethodSums>`
    select s.business_date as date, p.method, sum(p.amount)::bigint as amount, sum(p.tip)::bigint as tips
    from sale s join sale_payment p on p.org_id = s.org_id and p.sale_id = s.id
    where ${isIn(span)}
    group by s.business_date, p.method order by s.business_date, p.method
  `.execute(db);
  return rows;
};

export interface ChannelSums {
  readonly date: LocalDate;
  readonly source: string;
  readonly channel: string;
  readonly count: number;
  readonly total: Piastres;
}

export const sumsByChannel = async (db: Db, span: ReportSpan): Promise<readonly ChannelSums[]> => {
  const { rows } = await sql<ChannelSums>`
    select s.business_date as date, s.source, s.channel, count(*)::int as count, sum(s.total)::bigint as total
    from sale s where ${isIn(span)}
    group by s.business_date, s.source, s.channel order by s.business_date, s.source, s.channel
  `.execute(db);
  return rows;
};

export interface ItemSums {
  readonly menuItemId: Uuid;
  readonly sizeLabel: string | null;
  /** As it was sold last. */
  readonly name: string;
  readonly translations: Translations;
  readonly quantity: number;
  readonly rewardUnits: number;
  /** Before deals and rewards. */
  readonly subtotal: Piastres;
  readonly dealDiscount: Piastres;
  readonly rewardDiscount: Piastres;
  readonly total: Piastres;
}

/** By item and size, what came to most first; a combo is an item. */
export const sumsByItem = async (db: Db, span: ReportSpan): Promise<readonly ItemSums[]> => {
  const { rows } = await sql<ItemSums>`
    with line as (
      select s.at, (l ->> 'menu_item_id')::uuid as item, l ->> 'size_label' as size, l ->> 'name' as name,
             l -> 'name_translations' as translations, (l ->> 'quantity')::bigint as quantity,
             coalesce((l ->> 'reward_units')::bigint, 0) as reward_units, (l ->> 'line_total')::bigint as total,
             (l ->> 'deal_discount')::bigint as deals, coalesce((l ->> 'reward_discount')::bigint, 0) as rewards
      from sale s cross join lateral jsonb_array_elements(s.cart -> 'lines') as l
      where ${isIn(span)}
    )
    select item as "menuItemId", size as "sizeLabel", (array_agg(name order by at desc))[1] as name,
           (array_agg(translations order by at desc))[1] as translations, sum(quantity)::bigint as quantity,
           sum(reward_units)::bigint as "rewardUnits", sum(total + deals + rewards)::bigint as subtotal,
           sum(deals)::bigint as "dealDiscount", sum(rewards)::bigint as "rewardDiscount", sum(total)::bigint as total
    from line group by item, size
    order by sum(total) desc, item, size
  `.execute(db);
  return rows;
};

export interface DealSums {
  readonly dealRuleId: Uuid;
  readonly name: string;
  readonly times: number;
  readonly discount: Piastres;
}

export const sumsByDeal = async (db: Db, span: ReportSpan): Promise<readonly DealSums[]> => {
  const { rows } = await sql<DealSums>`
    select (d ->> 'deal_rule_id')::uuid as "dealRuleId", (array_agg(d ->> 'name' order by s.at desc))[1] as name,
           sum((d ->> 'times')::bigint)::bigint as times, sum((d ->> 'discount')::bigint)::bigint as discount
    from sale s cross join lateral jsonb_array_elements(s.cart -> 'deals') as d
    where ${isIn(span)}
    group by 1 order by 4 desc, 1
  `.execute(db);
  return rows;
};

export interface BucketSums {
  /** Its beginning; 15 minutes are of one hour in every zone. */
  readonly at: Instant;
  readonly count: number;
  readonly covers: number;
  readonly total: Piastres;
}

export const sumsByQuarterHour = async (db: Db, span: ReportSpan): Promise<readonly BucketSums[]> => {
  const { rows } = await sql<BucketSums>`
    select (floor(extract(epoch from s.at) / 900) * 900000)::bigint as at, count(*)::int as count,
           coalesce(sum(s.covers), 0)::bigint as covers, sum(s.total)::bigint as total
    from sale s where ${isIn(span)}
    group by 1 order by 1
  `.execute(db);
  return rows;
};

export interface TillSums extends SaleSums {
  /** Null: the sales that no till took. */
  readonly tillId: Uuid | null;
  readonly tellerName: string | null;
  readonly deviceLabel: string | null;
  readonly zNumber: number | null;
}

/** The sales of the days by the till that took them. */
export const sumsByTill = async (db: Db, span: ReportSpan): Promise<readonly TillSums[]> => {
  const { rows } = await sql<TillSums>`
    select s.till_id as "tillId", p.name as "tellerName", d.label as "deviceLabel", t.z_number as "zNumber", ${sums}
    from sale s
    left join till t on t.org_id = s.org_id and t.id = s.till_id
    left join staff p on p.org_id = t.org_id and p.id = t.staff_id
    left join staff_device d on d.org_id = t.org_id and d.id = t.device_id
    where ${isIn(span)}
    group by s.till_id, p.name, d.label, t.z_number, t.opened_at
    order by t.opened_at nulls last, s.till_id
  `.execute(db);
  return rows;
};

export interface VoidSums {
  readonly reason: string;
  readonly units: number;
  readonly total: Piastres;
}

/** Lines of tickets that were voided between the instants. */
export const voidsBetween = async (
  db: Db,
  { orgId, branchId }: ReportSpan,
  { start, end }: { readonly start: Instant; readonly end: Instant },
): Promise<readonly VoidSums[]> => {
  const { rows } = await sql<VoidSums>`
    select i.void_reason as reason, sum(i.quantity)::bigint as units, sum(i.line_total)::bigint as total
    from ticket_item i
    join ticket t on t.org_id = i.org_id and t.id = i.ticket_id
    where i.org_id = ${orgId} and t.branch_id = ${branchId}
      and i.voided_at >= ${new Date(start).toISOString()} and i.voided_at < ${new Date(end).toISOString()}
    group by i.void_reason order by i.void_reason
  `.execute(db);
  return rows;
};
