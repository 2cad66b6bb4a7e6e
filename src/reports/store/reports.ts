/** Sums over the sales of a branch (Decisions 12). */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { Translations } from '../../kernel/names.ts';
import type { Instant, LocalDate } from '../../kernel/time.ts';
import { rowsHeard } from '../../platform/store/nodes/everywhere.ts';
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

/** Sales, what was paid beyond them, and refunds on the date on which the money went back. */
const moved = (span: ReportSpan): RawBuilder<unknown> => sql`
  (select s.business_date, s.till_id, s.late, s.at, 1 as sales, s.covers, s.subtotal, s.deal_discount, s.reward_discount,
          s.staff_drinks, s.staff_drink_discount, s.discount_amount, s.service_charge_amount, s.delivery_fee, s.tax_amount,
          s.recorded_difference, s.total, 0 as beyond, 0 as refunds, 0 as refunded, 0 as refunded_tax
   from sale s where ${isIn(span)}
   union all
   select s.business_date, p.till_id, p.late, s.at, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, p.beyond, 0, 0, 0
   from sale s join sale_payment p on p.org_id = ${span.orgId} and p.sale_id = s.id
   where ${isIn(span)} and p.beyond <> 0
   union all
   select s.business_date, s.till_id, s.late, s.at, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, s.amount, s.tax_amount
   from sale_refund s where ${isIn(span)}) m`;

const sums = sql`
  coalesce(sum(m.sales), 0)::int as count, coalesce(sum(m.covers), 0)::bigint as covers,
  coalesce(sum(m.subtotal), 0)::bigint as subtotal,
  coalesce(sum(m.deal_discount), 0)::bigint as "dealDiscount",
  coalesce(sum(m.reward_discount), 0)::bigint as "rewardDiscount",
  coalesce(sum(m.staff_drinks), 0)::bigint as "staffDrinks",
  coalesce(sum(m.staff_drink_discount), 0)::bigint as "staffDrinkDiscount",
  coalesce(sum(m.discount_amount), 0)::bigint as "discountAmount",
  coalesce(sum(m.service_charge_amount), 0)::bigint as "serviceCharge",
  coalesce(sum(m.delivery_fee), 0)::bigint as "deliveryFee",
  coalesce(sum(m.tax_amount), 0)::bigint as tax,
  coalesce(sum(m.recorded_difference), 0)::bigint as "recordedDifference",
  coalesce(sum(m.total), 0)::bigint as total, coalesce(sum(m.beyond), 0)::bigint as beyond,
  coalesce(sum(m.refunds), 0)::int as "refundCount", coalesce(sum(m.refunded), 0)::bigint as refunded,
  coalesce(sum(m.refunded_tax), 0)::bigint as "refundedTax"`;

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
  readonly recordedDifference: Piastres;
  readonly total: Piastres;
  /** Paid beyond totals; in no total. */
  readonly beyond: Piastres;
  /** Units. */
  readonly staffDrinks: number;
  readonly staffDrinkDiscount: Piastres;
  readonly refundCount: number;
  /** Not taken off the total. */
  readonly refunded: Piastres;
  readonly refundedTax: Piastres;
}

export interface DaySums extends SaleSums {
  readonly date: LocalDate;
}

/** Days with sales or refunds, the first one first. */
export const sumsByDay = async (db: Db, span: ReportSpan): Promise<readonly DaySums[]> => {
  const { rows } = await sql<DaySums>`
    select m.business_date as date, ${sums} from ${moved(span)}
    group by m.business_date order by m.business_date
  `.execute(db);
  return rows;
};

export interface MethodSums {
  readonly date: LocalDate;
  readonly method: string;
  readonly amount: Piastres;
  readonly tips: Piastres;
  readonly refunds: Piastres;
}

export const sumsByMethod = async (db: Db, span: ReportSpan): Promise<readonly MethodSums[]> => {
  const { rows } = await sql<MethodSums>`
    select date, method, sum(amount)::bigint as amount, sum(tip)::bigint as tips, sum(refund)::bigint as refunds
    from (select s.business_date as date, p.method, p.amount, p.tip, 0 as refund
          from sale s join sale_payment p on p.org_id = ${span.orgId} and p.sale_id = s.id
          where ${isIn(span)}
          union all
          select s.business_date, s.method, 0, 0, s.amount from sale_refund s where ${isIn(span)}) paid
    group by date, method order by date, method
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
  /** Before deals, rewards and staff drinks. */
  readonly subtotal: Piastres;
  readonly dealDiscount: Piastres;
  readonly rewardDiscount: Piastres;
  readonly staffDrinkDiscount: Piastres;
  readonly total: Piastres;
  /** Of sales of these or earlier dates. */
  readonly refundedUnits: number;
  readonly refunded: Piastres;
}

/** By item and size, what came to most first; a combo is an item. */
export const sumsByItem = async (db: Db, span: ReportSpan): Promise<readonly ItemSums[]> => {
  const { rows } = await sql<ItemSums>`
    with line as (
      select s.at, (l ->> 'menu_item_id')::uuid as item, l ->> 'size_label' as size, l ->> 'name' as name,
             l -> 'name_translations' as translations, (l ->> 'quantity')::bigint as quantity,
             coalesce((l ->> 'reward_units')::bigint, 0) as reward_units, (l ->> 'line_total')::bigint as total,
             (l ->> 'deal_discount')::bigint as deals, coalesce((l ->> 'reward_discount')::bigint, 0) as rewards,
             coalesce((l ->> 'staff_drink_discount')::bigint, 0) as drinks, 0 as refunded_units, 0 as refunded
      from sale s cross join lateral jsonb_array_elements(s.cart -> 'lines') as l
      where ${isIn(span)}
      union all
      select s.at, (l ->> 'menu_item_id')::uuid, l ->> 'size_label', l ->> 'name', l -> 'name_translations',
             0, 0, 0, 0, 0, 0, r.units, r.amount
      from sale_refund s
      join sale_refund_line r on r.org_id = ${span.orgId} and r.refund_id = s.id
      join sale sold on sold.org_id = ${span.orgId} and sold.id = s.sale_id
      cross join lateral (select sold.cart -> 'lines' -> r.line_index as l) as line
      where ${isIn(span)}
    )
    select item as "menuItemId", size as "sizeLabel", (array_agg(name order by at desc))[1] as name,
           (array_agg(translations order by at desc))[1] as translations, sum(quantity)::bigint as quantity,
           sum(reward_units)::bigint as "rewardUnits", sum(total + deals + rewards + drinks)::bigint as subtotal,
           sum(deals)::bigint as "dealDiscount", sum(rewards)::bigint as "rewardDiscount",
           sum(drinks)::bigint as "staffDrinkDiscount", sum(total)::bigint as total,
           sum(refunded_units)::bigint as "refundedUnits", sum(refunded)::bigint as refunded
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
  readonly refunded: Piastres;
}

export const sumsByQuarterHour = async (db: Db, span: ReportSpan): Promise<readonly BucketSums[]> => {
  const { rows } = await sql<BucketSums>`
    select (floor(extract(epoch from m.at) / 900) * 900000)::bigint as at, ${sums} from ${moved(span)}
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
  /** What came after the till was closed. */
  readonly isLate: boolean;
}

/** The sales and refunds of the days by the till that took the money, or gave it back; what came late follows. */
export const sumsByTill = async (db: Db, span: ReportSpan): Promise<readonly TillSums[]> => {
  const { rows } = await sql<TillSums>`
    select m.till_id as "tillId", coalesce(t.z_figures #>> '{names,teller}', p.name) as "tellerName",
           coalesce(t.z_figures #>> '{names,device}', d.label) as "deviceLabel", t.z_number as "zNumber",
           m.late as "isLate", ${sums}
    from ${moved(span)}
    left join till t on t.org_id = ${span.orgId} and t.id = m.till_id
    left join staff p on p.org_id = ${span.orgId} and p.id = t.staff_id
    left join staff_device d on d.org_id = ${span.orgId} and d.id = t.device_id
    group by m.till_id, 2, 3, t.z_number, t.opened_at, m.late
    order by t.opened_at nulls last, m.till_id, m.late
  `.execute(db);
  return rows;
};

/** An online order that the kitchen has made. */
export interface MadeOrder {
  readonly firedAt: Instant;
  /** To the guest, from when it was placed. */
  readonly promisedMinutes: number;
  /** From when it was placed until its last item was made. */
  readonly actualMinutes: number;
}

/** Orders that were placed between the instants, of which every item is made. */
export const madeBetween = async (
  db: Db,
  { orgId, branchId }: Pick<ReportSpan, 'orgId' | 'branchId'>,
  { start, end }: { readonly start: Instant; readonly end: Instant },
): Promise<readonly MadeOrder[]> => {
  const { rows } = await sql<MadeOrder>`
    select f.fired_at as "firedAt", o.base_prep_minutes + o.extra_prep_minutes as "promisedMinutes",
           extract(epoch from max(k.done_at) - o.created_at)::float8 / 60 as "actualMinutes"
    from kitchen_firing f
    join delivery_order o on o.org_id = ${orgId} and o.id = f.source_id
    join kitchen_ticket k on k.org_id = ${orgId} and k.firing_id = f.id
    where f.org_id = ${orgId} and f.branch_id = ${branchId} and f.source = 'order'
      and o.status not in ('cancelled', 'rejected')
      and f.fired_at >= ${new Date(start).toISOString()} and f.fired_at < ${new Date(end).toISOString()}
    group by f.id, f.fired_at, o.base_prep_minutes, o.extra_prep_minutes, o.created_at
    having bool_and(k.done_at is not null)
    order by f.fired_at, f.id
  `.execute(db);
  return rows;
};

export interface LearningBranch {
  readonly orgId: Uuid;
  readonly id: Uuid;
  readonly learned: number | null;
}

/** Whose estimate follows the kitchen. */
export const learningBranches = async (db: Db): Promise<readonly LearningBranch[]> => {
  return await rowsHeard(
    db,
    (ofShops) => sql<LearningBranch>`
    select org_id as "orgId", id, learned_prep_minutes as learned from branch
    where learns_prep_minutes and archived_at is null and ${ofShops('org_id')} order by org_id, id
  `,
  );
};

export const setLearned = async (
  tx: Db,
  { orgId, id }: Pick<LearningBranch, 'orgId' | 'id'>,
  minutes: number,
): Promise<void> => {
  await sql`update branch set learned_prep_minutes = ${minutes} where org_id = ${orgId} and id = ${id}`.execute(
    tx,
  );
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
    join ticket t on t.org_id = ${orgId} and t.id = i.ticket_id
    where i.org_id = ${orgId} and t.branch_id = ${branchId}
      and i.voided_at >= ${new Date(start).toISOString()} and i.voided_at < ${new Date(end).toISOString()}
      and not i.waiting
    group by i.void_reason order by i.void_reason
  `.execute(db);
  return rows;
};
