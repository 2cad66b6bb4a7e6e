/** Sales, and what they add up to. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { parseRate, type Piastres } from '../../kernel/money.ts';
import type { Instant, LocalDate, WallMinutes, ZoneId } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import type { Database } from '../../platform/store/schema.ts';
import { updateBatch } from '../../platform/store/sweep.ts';
import type { NeedsTill } from '../../shops/domain/shop.ts';
import type { NewSale, Refund, SaleAmounts, SalePayment } from '../domain/sale.ts';
import type { MethodTaken, SalesFigures } from '../domain/till.ts';
import type { FrozenCart } from '../../pricing/domain/frozen-cart.ts';

type Db = Kysely<Database>;

/** Where a sale is made, an archived branch too. */
export interface SalePlace {
  readonly code: string;
  readonly zone: ZoneId;
  readonly dayStartsAt: WallMinutes;
  readonly paymentMethods: readonly string[];
  readonly needsTill: NeedsTill;
  readonly staffDrinksPerDay: number;
}

export const salePlace = async (db: Db, orgId: Uuid, branchId: Uuid): Promise<SalePlace | null> => {
  const { rows } = await sql<SalePlace>`
    select b.code, b.time_zone as zone, b.day_starts_at as "dayStartsAt", s.payment_methods as "paymentMethods",
           b.sales_need_till as "needsTill", b.staff_drinks_per_day as "staffDrinksPerDay"
    from branch b join shop s on s.org_id = ${orgId}
    where b.org_id = ${orgId} and b.id = ${branchId}
  `.execute(db);
  return rows[0] ?? null;
};

/** The number of the next sale of the branch on the date; locked until the commit. */
export const drawSaleNumber = async (
  tx: Db,
  orgId: Uuid,
  branchCode: string,
  date: LocalDate,
): Promise<number> => {
  const { rows } = await sql<{ last: number }>`
    insert into sale_number (org_id, branch_code, date, last) values (${orgId}, ${branchCode}, ${date}, 1)
    on conflict (org_id, branch_code, date) do update set last = sale_number.last + 1
    returning last
  `.execute(tx);
  return rows[0]?.last ?? 1;
};

const paymentRows = (orgId: Uuid, saleId: Uuid, payments: NewSale['payments'], first: number) =>
  payments.map(({ method, amount, tip, tendered, tillId, beyond = 0, isLate = false }, place) => ({
    ...{ org_id: orgId, sale_id: saleId, position: first + place, method, amount, tip, tendered },
    ...{ till_id: tillId, beyond, late: isLate },
  }));

/** A sale exists once: its id is that of what was sold. */
export const insertSale = async (
  tx: Db,
  sale: NewSale,
  { reference, businessDate }: { readonly reference: string; readonly businessDate: LocalDate },
): Promise<void> => {
  await tx
    .insertInto('sale')
    .values({
      ...{ org_id: sale.orgId, id: sale.id, branch_id: sale.branchId, sale_ref: reference },
      ...{ source: sale.source, channel: sale.channel, business_date: businessDate, at: at(sale.at) },
      ...{
        till_id: sale.tillId,
        staff_id: sale.staffId,
        card_id: sale.cardId,
        covers: sale.covers,
        customer_name: sale.customerName,
      },
      ...{ cart: sale.cart, subtotal: sale.subtotal },
      ...{ deal_discount: sale.dealDiscount, reward_discount: sale.rewardDiscount },
      ...{ staff_drinks: sale.staffDrinks, staff_drink_discount: sale.staffDrinkDiscount },
      ...{ discount_amount: sale.discountAmount, service_charge_amount: sale.serviceCharge },
      ...{ delivery_fee: sale.deliveryFee, tax_rate: sale.taxRate, tax_inclusive: sale.taxInclusive },
      ...{ tax_amount: sale.tax, recorded_difference: sale.recordedDifference ?? 0, total: sale.total },
      late: sale.isLate ?? false,
    })
    .execute();
  if (sale.payments.length === 0) return;
  await tx
    .insertInto('sale_payment')
    .values(paymentRows(sale.orgId, sale.id, sale.payments, 0))
    .execute();
};

export interface StoredSale
  extends Omit<NewSale, 'cart' | 'isLate' | 'payments' | keyof SaleAmounts>, SaleAmounts {
  readonly reference: string;
  readonly businessDate: LocalDate;
  readonly staffName: string | null;
  readonly cart: FrozenCart;
  readonly isLate: boolean;
  readonly payments: readonly SalePayment[];
  readonly refunded: Piastres;
  /** The first one first. */
  readonly refunds: readonly Refund[];
}

/** JSON has no timestamps: milliseconds, as the driver reads them. */
const refundsOf = (orgId: Uuid): RawBuilder<unknown> => sql`
  coalesce((select json_agg(json_build_object(
                     'id', r.id, 'at', (extract(epoch from r.at) * 1000)::bigint, 'method', r.method, 'amount', r.amount,
                     'tax', r.tax_amount, 'deliveryFee', r.delivery_fee, 'reason', r.reason, 'note', r.note,
                     'isRestocked', r.restocked, 'tillId', r.till_id, 'isLate', r.late, 'staffId', r.staff_id,
                     'lines', (select coalesce(json_agg(json_build_object('index', l.line_index, 'units', l.units,
                                                                          'amount', l.amount)
                                                        order by l.line_index), '[]')
                               from sale_refund_line l where l.org_id = ${orgId} and l.refund_id = r.id))
                   order by r.at, r.id)
            from sale_refund r where r.org_id = ${orgId} and r.sale_id = s.id), '[]')`;

export const selectSales = (
  orgId: Uuid,
  which: RawBuilder<unknown>,
): RawBuilder<StoredSale> => sql<StoredSale>`
  select s.org_id as "orgId", s.id, s.sale_ref as reference, s.branch_id as "branchId", s.source, s.channel,
         s.business_date as "businessDate", s.at, s.till_id as "tillId", s.staff_id as "staffId", s.card_id as "cardId", s.covers,
         s.customer_name as "customerName",
         p.name as "staffName", s.cart, s.subtotal,
         s.deal_discount as "dealDiscount", s.reward_discount as "rewardDiscount",
         s.staff_drinks as "staffDrinks", s.staff_drink_discount as "staffDrinkDiscount", s.refunded,
         s.discount_amount as "discountAmount", s.service_charge_amount as "serviceCharge",
         s.delivery_fee as "deliveryFee", s.tax_rate as "taxRate", s.tax_inclusive as "taxInclusive",
         s.tax_amount as tax, s.recorded_difference as "recordedDifference", s.total, s.late as "isLate",
         coalesce((select json_agg(json_build_object('method', m.method, 'amount', m.amount, 'tip', m.tip, 'tendered', m.tendered, 'tillId', m.till_id,
                                                     'change', m.tendered - m.amount - m.tip, 'beyond', m.beyond,
                                                     'isLate', m.late)
                                   order by m.position)
                   from sale_payment m where m.org_id = ${orgId} and m.sale_id = s.id), '[]') as payments,
         ${refundsOf(orgId)} as refunds
  from sale s left join staff p on p.org_id = ${orgId} and p.id = s.staff_id
  where s.org_id = ${orgId} and ${which}`;

export const saleById = async (db: Db, orgId: Uuid, id: Uuid): Promise<StoredSale | null> => {
  const { rows } = await selectSales(orgId, sql`s.id = ${id}`).execute(db);
  return rows[0] ?? null;
};

/** Locks the sale until the transaction ends. Null: there is none. */
export const lockSale = async (tx: Db, orgId: Uuid, id: Uuid): Promise<StoredSale | null> => {
  await sql`select from sale where org_id = ${orgId} and id = ${id} for update`.execute(tx);
  return saleById(tx, orgId, id);
};

export interface SaleListing {
  readonly branchId: Uuid;
  readonly date: LocalDate;
  readonly limit: number;
  /** Last sale of the previous page. */
  readonly after: Uuid | null;
}

/** Newest first. */
export const salesOn = async (
  db: Db,
  orgId: Uuid,
  { branchId, date, limit, after }: SaleListing,
): Promise<readonly StoredSale[]> => {
  const follows =
    after === null
      ? sql``
      : sql`and (s.at, s.id) < (select at, id from sale where org_id = ${orgId} and id = ${after})`;
  const { rows } = await sql<StoredSale>`
    ${selectSales(orgId, sql`s.branch_id = ${branchId} and s.business_date = ${date} ${follows}`)}
    order by s.at desc, s.id desc
    limit ${limit}
  `.execute(db);
  return rows;
};

/** With these cards; the first one first. */
export const salesOfCards = async (
  db: Db,
  orgId: Uuid,
  cardIds: readonly Uuid[],
): Promise<readonly StoredSale[]> => {
  const { rows } = await sql<StoredSale>`
    ${selectSales(orgId, sql`s.card_id = any(${[...cardIds]}::uuid[])`)}
    order by s.at, s.id
  `.execute(db);
  return rows;
};

/** A sale that was made without a card is given to one. */
export const giveCardToSale = async (tx: Db, orgId: Uuid, id: Uuid, cardId: Uuid): Promise<void> => {
  await tx
    .updateTable('sale')
    .set({ card_id: cardId })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
};

/** Of at most `limit` sales before `before`; returns their number. */
export const forgetNames = (db: Db, before: Instant, limit: number): Promise<number> =>
  updateBatch(
    db,
    'sale',
    { set: sql`customer_name = null`, where: sql`customer_name is not null and at < ${at(before)}` },
    limit,
  );

/** Locks the sales that were made with these cards. */
export const lockSalesOfCards = async (tx: Db, orgId: Uuid, cardIds: readonly Uuid[]): Promise<void> => {
  await sql`
    select from sale where org_id = ${orgId} and card_id = any(${[...cardIds]}::uuid[]) order by id for no key update
  `.execute(tx);
};

interface SalesForgotten {
  /** All sales of the cards. */
  readonly ids: readonly Uuid[];
  /** Those that had a name. */
  readonly named: readonly Uuid[];
}

/** The names of the sales that were made with these cards. */
export const forgetNamesOfCards = async (
  tx: Db,
  orgId: Uuid,
  cardIds: readonly Uuid[],
): Promise<SalesForgotten> => {
  const { rows } = await sql<{ id: Uuid; isNamed: boolean }>`
    with named as (
      update sale set customer_name = null
      where org_id = ${orgId} and card_id = any(${[...cardIds]}::uuid[]) and customer_name is not null
      returning id
    )
    select s.id, s.id in (select id from named) as "isNamed" from sale s
    where s.org_id = ${orgId} and s.card_id = any(${[...cardIds]}::uuid[])
    order by s.id
  `.execute(tx);
  const idsOf = (some: typeof rows): readonly Uuid[] => some.map(({ id }) => id);
  return { ids: idsOf(rows), named: idsOf(rows.filter(({ isNamed }) => isNamed)) };
};

// ── Sums ────────────────────────────────────────────────────────────────────────────────────────

interface FiguresRow extends Omit<SalesFigures, 'taxes' | 'methods'> {
  readonly taxes: readonly { rate: number; isInclusive: boolean; total: Piastres; tax: Piastres }[];
  readonly methods: readonly MethodTaken[];
}

/** Over the sales, payments and refunds of a till, in one statement. */
export const figuresOfTill = async (db: Db, orgId: Uuid, tillId: Uuid): Promise<SalesFigures> => {
  const { rows } = await sql<FiguresRow>`
    with own as (select * from sale where org_id = ${orgId} and till_id = ${tillId}),
    back as (select * from sale_refund where org_id = ${orgId} and till_id = ${tillId}),
    by_rate as (
      select tax_rate as rate, tax_inclusive as "isInclusive", sum(total)::bigint as total, sum(tax_amount)::bigint as tax
      from own group by tax_rate, tax_inclusive order by tax_rate, tax_inclusive
    ), by_method as (
      select method, sum(sales)::bigint as sales, sum(tips)::bigint as tips, sum(refunds)::bigint as refunds
      from (select m.method, m.amount as sales, m.tip as tips, 0 as refunds
            from sale_payment m where m.org_id = ${orgId} and m.till_id = ${tillId}
            union all select p.method, p.amount, p.tip, 0
            from part_payment p where p.org_id = ${orgId} and p.till_id = ${tillId}
            union all select p.method, -p.amount, -p.tip, 0
            from part_payment p where p.org_id = ${orgId} and p.given_back_till_id = ${tillId}
            union all select r.method, 0, 0, r.amount from back r) moved
      group by method order by method
    )
    select count(*)::int as count, coalesce(sum(subtotal), 0)::bigint as subtotal,
           coalesce(sum(deal_discount), 0)::bigint as "dealDiscount",
           coalesce(sum(reward_discount), 0)::bigint as "rewardDiscount",
           coalesce(sum(discount_amount), 0)::bigint as "discountAmount",
           coalesce(sum(service_charge_amount), 0)::bigint as "serviceCharge",
           coalesce(sum(delivery_fee), 0)::bigint as "deliveryFee", coalesce(sum(tax_amount), 0)::bigint as tax,
           coalesce(sum(recorded_difference), 0)::bigint as "recordedDifference",
           coalesce(sum(total), 0)::bigint as total, coalesce(sum(covers), 0)::bigint as covers,
           coalesce(sum(staff_drinks), 0)::int as "staffDrinks",
           coalesce(sum(staff_drink_discount), 0)::bigint as "staffDrinkDiscount",
           (select coalesce(sum(amount), 0)::bigint from part_payment
            where org_id = ${orgId} and till_id = ${tillId})
           - (select coalesce(sum(amount), 0)::bigint from part_payment
              where org_id = ${orgId} and given_back_till_id = ${tillId}) as "partPayments",
           (select coalesce(sum(beyond), 0)::bigint from sale_payment
            where org_id = ${orgId} and till_id = ${tillId}) as beyond,
           (select count(*)::int from back) as "refundCount",
           (select coalesce(sum(amount), 0)::bigint from back) as refunded,
           (select coalesce(sum(tax_amount), 0)::bigint from back) as "refundedTax",
           (select coalesce(json_agg(by_rate), '[]') from by_rate) as taxes,
           (select coalesce(json_agg(by_method), '[]') from by_method) as methods
    from own
  `.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('A sum over sales has one row.');
  const taxes = row.taxes.map(({ rate, ...tax }) => ({ rate: parseRate(String(rate)), ...tax }));
  return { ...row, taxes };
};

/** A sale that is worked out anew: its total stands. */
export interface ReworkedSale extends Pick<
  SaleAmounts,
  | 'subtotal'
  | 'dealDiscount'
  | 'rewardDiscount'
  | 'discountAmount'
  | 'serviceCharge'
  | 'tax'
  | 'recordedDifference'
> {
  readonly cart: string;
  /** As it was when left out. */
  readonly cardId?: Uuid | null;
}

export const reworkSale = async (tx: Db, orgId: Uuid, id: Uuid, sale: ReworkedSale): Promise<void> => {
  await tx
    .updateTable('sale')
    .set({
      ...{ subtotal: sale.subtotal, deal_discount: sale.dealDiscount, reward_discount: sale.rewardDiscount },
      ...{ discount_amount: sale.discountAmount, service_charge_amount: sale.serviceCharge },
      ...{ tax_amount: sale.tax, recorded_difference: sale.recordedDifference, cart: sale.cart },
      ...(sale.cardId === undefined ? {} : { card_id: sale.cardId }),
    })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
};

/** After those that the sale has. */
export const addPayments = async (
  tx: Db,
  orgId: Uuid,
  saleId: Uuid,
  payments: readonly SalePayment[],
): Promise<void> => {
  if (payments.length === 0) return;
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(position), -1) + 1 as next from sale_payment
    where org_id = ${orgId} and sale_id = ${saleId}
  `.execute(tx);
  const first = rows[0]?.next ?? 0;
  await tx
    .insertInto('sale_payment')
    .values(paymentRows(orgId, saleId, payments, first))
    .execute();
};
