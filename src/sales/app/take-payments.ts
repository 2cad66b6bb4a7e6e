/** Money for a sale: checked against its total, into the open till of who takes it (Decisions 12). */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Piastres } from '../../kernel/money.ts';
import { Refusal, refusedFor } from '../../kernel/refusal.ts';
import type { Database } from '../../platform/store/schema.ts';
import { needsTill, paymentsOf, type PaymentInput } from '../domain/payments.ts';
import type { TakenPayment } from '../domain/sale.ts';
import { salePlace } from '../store/sale.ts';
import { tillForSale, type TillPlace } from '../store/till.ts';

interface Taking extends Pick<TillPlace, 'branchId'> {
  readonly by: Omit<TillPlace, 'branchId'>;
  readonly total: Piastres;
  /** Of the total, in parts; 0 when left out. */
  readonly prepaid?: Piastres;
  readonly payments: readonly PaymentInput[];
  /** The path of a payment's field in the body; in the list `payments` when left out. */
  readonly pathOf?: (field: string, index: number) => string;
}

interface Taken {
  readonly payments: readonly TakenPayment[];
  /** It stays open until the transaction ends; null: none. */
  readonly tillId: Uuid | null;
}

/** Throws PAYMENT_MISMATCH, TILL_REQUIRED and the faults of the payments. */
export const takePayments = async (
  tx: Kysely<Database>,
  { by, branchId, total, payments, ...how }: Taking,
): Promise<Taken> => {
  const place = await salePlace(tx, by.orgId, branchId);
  if (place === null) throw new Refusal('NOT_FOUND');
  const read = paymentsOf(total, payments, place.paymentMethods, how);
  if ('faults' in read) throw refusedFor(read.faults);
  const tillId = await tillForSale(tx, { ...by, branchId });
  if (tillId === null && needsTill(place.needsTill, read.payments)) throw new Refusal('TILL_REQUIRED');
  return { payments: read.payments.map((payment) => ({ ...payment, tillId })), tillId };
};
