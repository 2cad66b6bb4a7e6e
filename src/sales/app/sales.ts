/** Sales as the staff read them (Decisions 12). */
import { businessDate } from '../../kernel/business-date.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import { isoInstant } from '../../kernel/time.ts';
import type { App } from '../../platform/app/app.ts';
import type { PathOf, QueryOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import { MAX_LISTED } from '../../platform/contract/lists.ts';
import type { Actor } from '../../staff/app/access.ts';
import { ownBranch } from '../../staff/app/own-branch.ts';
import { mayAtBranch } from '../../staff/domain/staff.ts';
import type * as contract from '../contract/sales.ts';
import type { Refund, SalePayment } from '../domain/sale.ts';
import { saleById, salePlace, salesOn, type StoredSale } from '../store/sale.ts';

type Reply = ReplyOf<typeof contract.getSale>;

const paymentReply = ({ tillId, isLate, ...payment }: SalePayment): Reply['payments'][number] => ({
  ...payment,
  ...{ till_id: tillId, late: isLate },
});

const refundReply = ({ lines, ...refund }: Refund): Reply['refunds'][number] => ({
  ...{ id: refund.id, at: isoInstant(refund.at), method: refund.method, amount: refund.amount },
  ...{ tax_amount: refund.tax, delivery_fee: refund.deliveryFee, reason: refund.reason, note: refund.note },
  ...{ restocked: refund.isRestocked, till_id: refund.tillId },
  ...{ late: refund.isLate, staff_id: refund.staffId },
  lines: lines.map(({ index, units, amount }) => ({ index, units, amount })),
});

export const saleReply = (sale: StoredSale): Reply => ({
  ...{ id: sale.id, sale_ref: sale.reference, branch_id: sale.branchId, source: sale.source },
  ...{ channel: sale.channel, business_date: sale.businessDate, at: isoInstant(sale.at) },
  ...{ member_id: sale.cardId, covers: sale.covers, customer_name: sale.customerName },
  ...{ till_id: sale.tillId, staff_id: sale.staffId, staff_name: sale.staffName },
  cart: { ...sale.cart },
  ...{ subtotal: sale.subtotal, deal_discount: sale.dealDiscount, reward_discount: sale.rewardDiscount },
  ...{ discount_amount: sale.discountAmount, service_charge_amount: sale.serviceCharge },
  ...{ delivery_fee: sale.deliveryFee, tax_rate: Number(sale.taxRate), tax_inclusive: sale.taxInclusive },
  ...{ staff_drinks: sale.staffDrinks, staff_drink_discount: sale.staffDrinkDiscount },
  ...{ refunded: sale.refunded, refunds: sale.refunds.map(refundReply) },
  ...{ recorded_difference: sale.recordedDifference, late: sale.isLate },
  ...{ tax_amount: sale.tax, total: sale.total, payments: sale.payments.map(paymentReply) },
});

const NO_SALE_HERE = { problem: 'is no sale of this branch', arabic: 'ليست من مبيعات هذا الفرع' } as const;

/** GET /staff/sales. */
export const listSales =
  (app: App) =>
  async ({
    query,
    actor,
  }: {
    readonly query: QueryOf<typeof contract.listSales>;
    readonly actor: Actor;
  }): Promise<Reply[]> => {
    const { branch_id: branchId, limit = MAX_LISTED, after = null } = query;
    const { kysely } = app.db;
    await ownBranch(app, actor, branchId);
    const place = await salePlace(kysely, actor.orgId, branchId);
    if (place === null) throw new Refusal('NOT_FOUND');
    const last = after === null ? null : await saleById(kysely, actor.orgId, after);
    if (after !== null && last?.branchId !== branchId) throw invalidInput({ path: 'after', ...NO_SALE_HERE });
    const date = query.date ?? businessDate(place.zone, app.clock.now(), place.dayStartsAt);
    return (await salesOn(kysely, actor.orgId, { branchId, date, limit, after })).map(saleReply);
  };

/** GET /staff/sales/{id}. */
export const getSale =
  (app: App) =>
  async ({
    path,
    actor,
  }: {
    readonly path: PathOf<typeof contract.getSale>;
    readonly actor: Actor;
  }): Promise<Reply> => {
    const sale = await saleById(app.db.kysely, actor.orgId, path.id);
    if (sale === null || !mayAtBranch(actor, sale.branchId)) throw new Refusal('NOT_FOUND');
    return saleReply(sale);
  };
