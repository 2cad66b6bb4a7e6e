/** A till and its report as the staff see them. */
import type { ReplyOf } from '../../platform/contract/endpoint.ts';
import { isoInstant } from '../../kernel/time.ts';
import type * as contract from '../contract/tills.ts';
import type { CashMovement, LateEntry, TillFigures } from '../domain/till.ts';
import type { StoredTill } from '../store/till.ts';

export type TillReply = ReplyOf<typeof contract.openTill>;
export type ReportReply = ReplyOf<typeof contract.getTillReport>;
export type MovementReply = ReplyOf<typeof contract.moveCash>;

const timeOf = (instant: number | null): string | null => (instant === null ? null : isoInstant(instant));

/** As an error body names a till (Decisions 3, till). */
export const tillInError = (till: StoredTill) => ({
  id: till.id,
  branch_id: till.branchId,
  branch_name: till.branchName,
  teller_id: till.tellerId,
  teller_name: till.tellerName,
  status: till.status,
  opened_at: isoInstant(till.openedAt),
  device_id: till.deviceId,
  device_label: till.deviceLabel,
});

export const tillReply = (till: StoredTill): TillReply => ({
  ...tillInError(till),
  closed_at: timeOf(till.closedAt),
  business_date: till.businessDate,
  opening_float: till.openingFloat,
  z_number: till.zNumber,
});

export const movementReply = ({ id, at, kind, amount, reason, staffName }: CashMovement): MovementReply => ({
  ...{ id, at: isoInstant(at), kind, amount, reason, staff_name: staffName },
});

const figuresReply = (figures: TillFigures): NonNullable<ReportReply['figures']> => ({
  sales_count: figures.count,
  subtotal: figures.subtotal,
  deal_discount: figures.dealDiscount,
  reward_discount: figures.rewardDiscount,
  discount_amount: figures.discountAmount,
  service_charge_amount: figures.serviceCharge,
  delivery_fee: figures.deliveryFee,
  tax_amount: figures.tax,
  recorded_difference: figures.recordedDifference,
  total: figures.total,
  ...{ covers: figures.covers, staff_drinks: figures.staffDrinks },
  ...{
    staff_drink_discount: figures.staffDrinkDiscount,
    part_payments: figures.partPayments,
    beyond: figures.beyond,
    refunds_count: figures.refundCount,
  },
  ...{ refunded: figures.refunded, refunded_tax: figures.refundedTax },
  voids: { units: figures.voids.units, total: figures.voids.total },
  taxes: figures.taxes.map(({ rate, isInclusive, total, tax }) => ({
    ...{ tax_rate: rate / 1_000_000, tax_inclusive: isInclusive, total, tax_amount: tax },
  })),
  methods: figures.methods.map(({ method, sales, tips, refunds, expected, counted, difference }) => ({
    ...{ method, sales, tips, refunds, expected, counted, difference },
  })),
});

const lateReply = ({
  at,
  reference,
  kind,
  reason,
  payments,
  ...entry
}: LateEntry): ReportReply['late'][number] => ({
  ...{ type: entry.type, id: entry.id, at: isoInstant(at), sale_ref: reference, amount: entry.amount },
  ...{ method: entry.method, tip: entry.tip, kind, reason },
  payments: payments.map(({ method, amount, tip }) => ({ method, amount, tip })),
});

interface Reported {
  /** Null where they are hidden. */
  readonly figures: TillFigures | null;
  readonly movements: readonly CashMovement[];
  readonly late: readonly LateEntry[];
}

export const reportReply = (till: StoredTill, { figures, movements, late }: Reported): ReportReply => ({
  ...tillReply(till),
  kind: till.zFigures === null ? 'X' : 'Z',
  note: till.closeNote,
  cash_movements: movements.map(movementReply),
  figures: figures && figuresReply(figures),
  late: late.map(lateReply),
});
