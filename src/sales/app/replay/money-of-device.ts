/** Into which till the money of a device went, or out of which (Decisions 13). */
import type { Uuid } from '../../../kernel/ids.ts';
import { HIGHEST_TOTAL } from '../../../kernel/money.ts';
import { invalidInput } from '../../../kernel/refusal.ts';
import type { ReplayContext } from '../../../platform/app/replay.ts';
import { reason, type ReviewReason } from '../../../platform/domain/review.ts';
import { needsTill, type PaymentInput } from '../../domain/payments.ts';
import { salePlace, type SalePlace } from '../../store/sale.ts';
import { tillAt, tillById, tillNamed } from '../../store/till.ts';

export interface TillOfEvent {
  /** It stays as it is until the transaction ends; null: none. */
  readonly tillId: Uuid | null;
  /** The till was closed before. */
  readonly isLate: boolean;
  readonly reasons: readonly ReviewReason[];
}

const inNone = (...reasons: readonly ReviewReason[]): TillOfEvent => ({
  ...{ tillId: null, isLate: false, reasons },
});

/** The person had no open till. Money that belongs in one at this branch is looked at. */
const withoutTill = async (
  { tx, orgId, branchId }: Pick<ReplayContext, 'tx' | 'orgId' | 'branchId'>,
  payments: readonly Pick<PaymentInput, 'method' | 'amount' | 'tip'>[],
): Promise<TillOfEvent> => {
  const moved = payments.filter(({ amount, tip }) => amount > 0 || (tip ?? 0) > 0);
  if (moved.length === 0) return inNone();
  const place = await salePlace(tx, orgId, branchId);
  return place !== null && needsTill(place.needsTill, moved) ? inNone(reason('till_none')) : inNone();
};

interface Money {
  /** The till that the event names. */
  readonly till_id?: Uuid | null | undefined;
  /** Taken, or given back. */
  readonly payments: readonly Pick<PaymentInput, 'method' | 'amount' | 'tip'>[];
}

/**
 * The till that the event names, else the one that the person had open. One of another branch takes no money of this one.
 * Waits for one that has not come, but not for ever.
 */
export const tillOfEvent = async (
  { tx, at, isOverdue, ...context }: ReplayContext,
  { till_id: named, payments }: Money,
): Promise<TillOfEvent | { readonly waitsFor: Uuid }> => {
  const { orgId, branchId } = context;
  const till = named ? await tillNamed(tx, orgId, branchId, named) : await tillAt(tx, context, at);
  if (till === null) {
    if (!named) return withoutTill({ tx, orgId, branchId }, payments);
    if ((await tillById(tx, orgId, named)) !== null)
      return inNone(reason('till_unknown', { till_id: named }));
    return isOverdue ? inNone(reason('till_missing', { till_id: named })) : { waitsFor: named };
  }
  const { id: tillId, isClosed: isLate } = till;
  return { tillId, isLate, reasons: isLate ? [reason('till_closed', { till_id: tillId })] : [] };
};

const TOO_MUCH = {
  problem: `come to more than ${HIGHEST_TOTAL} piastres together`,
  arabic: `أكثر من ${HIGHEST_TOTAL} قرش معاً`,
} as const;

/** The payments of an event with the methods of the shop, and where they went. Throws INVALID_INPUT. */
export const takenInto = (
  inputs: readonly PaymentInput[],
  { paymentMethods: methods }: Pick<SalePlace, 'paymentMethods'>,
  { tillId, isLate }: TillOfEvent,
) => {
  const paid = inputs.reduce((sum, { amount, tip }) => sum + amount + (tip ?? 0), 0);
  if (paid > HIGHEST_TOTAL) throw invalidInput({ path: 'data.payments', ...TOO_MUCH });
  return { inputs, methods, into: { tillId, isLate } };
};
