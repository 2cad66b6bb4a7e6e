/** Reports for owners, from the sales alone (Decisions 12). */
import type { Kysely } from 'kysely';
import type { Instant, LocalDate } from '../../kernel/time.ts';
import { businessDayStart } from '../../kernel/business-date.ts';
import { addDays, daysBetween, wallMinutesOf } from '../../kernel/time.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import type { App } from '../../platform/app/app.ts';
import type { QueryOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type { Database } from '../../platform/store/schema.ts';
import { salePlace, type SalePlace } from '../../sales/app/shared.ts';
import type { Actor } from '../../staff/app/access.ts';
import { ownBranch } from '../../staff/app/own-branch.ts';
import type * as contract from '../contract/reports.ts';
import { csvOf, type Cell } from '../domain/csv.ts';
import { punctualityByHour } from '../domain/prep-minutes.ts';
import {
  madeBetween,
  sumsByChannel,
  sumsByDay,
  sumsByDeal,
  sumsByItem,
  sumsByMethod,
  sumsByQuarterHour,
  sumsByTill,
  voidsBetween,
  type ReportSpan,
  type SaleSums,
} from '../store/reports.ts';

interface Request {
  readonly query: QueryOf<typeof contract.reportDays>;
  readonly actor: Actor;
}

const MAX_DAYS = 366;
const BEFORE = { problem: 'is before `from`', arabic: 'قبل تاريخ البداية' } as const;
const TOO_LONG = {
  problem: `is more than ${MAX_DAYS} days after \`from\``,
  arabic: `أكثر من ${MAX_DAYS} يوماً بعد تاريخ البداية`,
} as const;

type Read<T> = (tx: Kysely<Database>, span: ReportSpan, place: SalePlace) => Promise<T>;

/** Reads within one snapshot. Throws INVALID_INPUT, and NOT_FOUND for a branch of others. */
const reading = async <T>(app: App, { query, actor }: Request, read: Read<T>): Promise<T> => {
  const { branch_id: branchId, from, to } = query;
  const days = daysBetween(from, to);
  if (days < 0) throw invalidInput({ path: 'to', ...BEFORE });
  if (days > MAX_DAYS) throw invalidInput({ path: 'to', ...TOO_LONG });
  await ownBranch(app, actor, branchId);
  return app.db.snapshot(async (tx) => {
    const place = await salePlace(tx, actor.orgId, branchId);
    if (place === null) throw new Refusal('NOT_FOUND');
    return read(tx, { orgId: actor.orgId, branchId, from, to }, place);
  });
};

const figuresOf = (sums: SaleSums) => ({
  ...{ sales_count: sums.count, covers: sums.covers, subtotal: sums.subtotal },
  ...{ deal_discount: sums.dealDiscount, reward_discount: sums.rewardDiscount },
  ...{ discount_amount: sums.discountAmount, service_charge_amount: sums.serviceCharge },
  ...{ delivery_fee: sums.deliveryFee, tax_amount: sums.tax },
  ...{ recorded_difference: sums.recordedDifference, total: sums.total, beyond: sums.beyond },
  ...{ staff_drinks: sums.staffDrinks, staff_drink_discount: sums.staffDrinkDiscount },
  ...{ refunds_count: sums.refundCount, refunded: sums.refunded, refunded_tax: sums.refundedTax },
});

type Figures = ReturnType<typeof figuresOf>;

const NO_SALES: SaleSums = {
  ...{ count: 0, covers: 0, subtotal: 0, dealDiscount: 0, rewardDiscount: 0, discountAmount: 0 },
  ...{
    serviceCharge: 0,
    deliveryFee: 0,
    tax: 0,
    recordedDifference: 0,
    total: 0,
    beyond: 0,
    staffDrinks: 0,
    staffDrinkDiscount: 0,
  },
  ...{ refundCount: 0, refunded: 0, refundedTax: 0 },
};

const added = (a: SaleSums, b: SaleSums): SaleSums => ({
  count: a.count + b.count,
  covers: a.covers + b.covers,
  subtotal: a.subtotal + b.subtotal,
  dealDiscount: a.dealDiscount + b.dealDiscount,
  rewardDiscount: a.rewardDiscount + b.rewardDiscount,
  discountAmount: a.discountAmount + b.discountAmount,
  serviceCharge: a.serviceCharge + b.serviceCharge,
  deliveryFee: a.deliveryFee + b.deliveryFee,
  tax: a.tax + b.tax,
  recordedDifference: a.recordedDifference + b.recordedDifference,
  total: a.total + b.total,
  beyond: a.beyond + b.beyond,
  staffDrinks: a.staffDrinks + b.staffDrinks,
  staffDrinkDiscount: a.staffDrinkDiscount + b.staffDrinkDiscount,
  refundCount: a.refundCount + b.refundCount,
  refunded: a.refunded + b.refunded,
  refundedTax: a.refundedTax + b.refundedTax,
});

/** The instants of the business dates. */
const spanOf = ({ zone, dayStartsAt }: SalePlace, from: LocalDate, to: LocalDate) => ({
  start: businessDayStart(zone, from, dayStartsAt),
  end: businessDayStart(zone, addDays(to, 1), dayStartsAt),
});

const daysOf: Read<ReplyOf<typeof contract.reportDays>> = async (tx, span, place) => {
  const [days, methods, channels] = [
    await sumsByDay(tx, span),
    await sumsByMethod(tx, span),
    await sumsByChannel(tx, span),
  ];
  const voids = await voidsBetween(tx, span, spanOf(place, span.from, span.to));
  return {
    total: figuresOf(days.reduce(added, NO_SALES)),
    days: days.map(({ date, ...sums }) => ({
      ...{ date, ...figuresOf(sums) },
      methods: methods
        .filter((one) => one.date === date)
        .map(({ method, amount, tips, refunds }) => ({ method, amount, tips, refunds })),
      channels: channels
        .filter((one) => one.date === date)
        .map(({ source, channel, count, total }) => ({ source, channel, sales_count: count, total })),
    })),
    deals: (await sumsByDeal(tx, span)).map(({ dealRuleId, ...deal }) => ({
      deal_rule_id: dealRuleId,
      ...deal,
    })),
    voids: [...voids],
  };
};

const itemsOf: Read<ReplyOf<typeof contract.reportItems>> = async (tx, span) =>
  (await sumsByItem(tx, span)).map((item) => ({
    ...{ menu_item_id: item.menuItemId, name: item.name, name_translations: { ...item.translations } },
    ...{ size_label: item.sizeLabel, quantity: item.quantity, reward_units: item.rewardUnits },
    ...{ subtotal: item.subtotal, deal_discount: item.dealDiscount, reward_discount: item.rewardDiscount },
    ...{ staff_drink_discount: item.staffDrinkDiscount, total: item.total },
    ...{ refunded_units: item.refundedUnits, refunded: item.refunded },
  }));

const hoursOf: Read<ReplyOf<typeof contract.reportHours>> = async (tx, span, { zone }) => {
  const hours = new Map<number, ReplyOf<typeof contract.reportHours>[number]>();
  for (const { at, count, covers, total, refunded } of await sumsByQuarterHour(tx, span)) {
    const hour = Math.floor(wallMinutesOf(zone, at) / 60);
    const before = hours.get(hour) ?? { hour, sales_count: 0, covers: 0, total: 0, refunded: 0 };
    hours.set(hour, {
      ...{ hour, sales_count: before.sales_count + count },
      ...{ covers: before.covers + covers, total: before.total + total },
      refunded: before.refunded + refunded,
    });
  }
  return [...hours.values()].sort((a, b) => a.hour - b.hour);
};

const tillsOf: Read<ReplyOf<typeof contract.reportTills>> = async (tx, span) =>
  (await sumsByTill(tx, span)).map(({ tillId, tellerName, deviceLabel, zNumber, isLate, ...sums }) => ({
    ...{ till_id: tillId, teller_name: tellerName, device_label: deviceLabel, z_number: zNumber },
    late: isLate,
    ...figuresOf(sums),
  }));

const kitchenOf: Read<ReplyOf<typeof contract.reportKitchen>> = async (tx, span, place) => {
  const made = await madeBetween(tx, span, spanOf(place, span.from, span.to));
  const hourOf = (at: Instant): number => Math.floor(wallMinutesOf(place.zone, at) / 60);
  return punctualityByHour(made.map(({ firedAt, ...one }) => ({ ...one, hour: hourOf(firedAt) }))).map(
    ({ hour, orders, late, promisedMinutes, actualMinutes }) => ({
      ...{ hour, orders_count: orders, late_count: late },
      ...{ promised_minutes: promisedMinutes, actual_minutes: actualMinutes },
    }),
  );
};

/** GET /staff/reports/day. */
export const reportDays = (app: App) => (request: Request) => reading(app, request, daysOf);
/** GET /staff/reports/items. */
export const reportItems = (app: App) => (request: Request) => reading(app, request, itemsOf);
/** GET /staff/reports/hours. */
export const reportHours = (app: App) => (request: Request) => reading(app, request, hoursOf);
/** GET /staff/reports/kitchen. */
export const reportKitchen = (app: App) => (request: Request) => reading(app, request, kitchenOf);
/** GET /staff/reports/tills. */
export const reportTills = (app: App) => (request: Request) => reading(app, request, tillsOf);

// ── Tables ──────────────────────────────────────────────────────────────────────────────────────

const FIGURES = Object.keys(figuresOf(NO_SALES)) as readonly (keyof Figures)[];

/** A table of the columns of these rows. */
const tableOf = <K extends string>(
  columns: readonly K[],
  rows: readonly Readonly<Record<K, Cell>>[],
): string =>
  csvOf(
    columns,
    rows.map((row) => columns.map((column) => row[column])),
  );

/** GET /staff/reports/day.csv. */
export const reportDaysCsv = (app: App) => async (request: Request) =>
  tableOf(['date', ...FIGURES], (await reportDays(app)(request)).days);

/** GET /staff/reports/items.csv. */
export const reportItemsCsv = (app: App) => async (request: Request) =>
  tableOf(
    [
      ...(['menu_item_id', 'name', 'size_label', 'quantity', 'reward_units'] as const),
      ...(['subtotal', 'deal_discount', 'reward_discount', 'staff_drink_discount', 'total'] as const),
      ...(['refunded_units', 'refunded'] as const),
    ],
    await reportItems(app)(request),
  );

/** GET /staff/reports/kitchen.csv. */
export const reportKitchenCsv = (app: App) => async (request: Request) =>
  tableOf(
    ['hour', 'orders_count', 'late_count', 'promised_minutes', 'actual_minutes'],
    await reportKitchen(app)(request),
  );

/** GET /staff/reports/hours.csv. */
export const reportHoursCsv = (app: App) => async (request: Request) =>
  tableOf(['hour', 'sales_count', 'covers', 'total', 'refunded'], await reportHours(app)(request));

/** GET /staff/reports/tills.csv. */
export const reportTillsCsv = (app: App) => async (request: Request) =>
  tableOf(
    ['till_id', 'teller_name', 'device_label', 'z_number', 'late', ...FIGURES],
    await reportTills(app)(request),
  );
