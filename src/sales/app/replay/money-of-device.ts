/** Into which till the money of a device went, or out of which (Decisions 13). */
import type { Uuid } from '../../../kernel/ids.ts';
import type { ReplayContext } from '../../../platform/app/replay.ts';
import { reason, type ReviewReason } from '../../../platform/domain/review.ts';
import { needsTill } from '../../domain/payments.ts';
import type { Payment } from '../../domain/sale.ts';
import { salePlace } from '../../store/sale.ts';
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

/** Money of this kind goes into a till at this branch, and the person had none open. */
const tillNone = async (
  { tx, orgId, branchId }: Pick<ReplayContext, 'tx' | 'orgId' | 'branchId'>,
  payments: readonly Pick<Payment, 'method'>[],
): Promise<TillOfEvent> => {
  const place = await salePlace(tx, orgId, branchId);
  return place !== null && needsTill(place.needsTill, payments) ? inNone(reason('till_none')) : inNone();
};

interface Money {
  /** The till that the event names. */
  readonly till_id?: Uuid | null | undefined;
  readonly payments: readonly Pick<Payment, 'method'>[];
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
    if (!named) return tillNone({ tx, orgId, branchId }, payments);
    if ((await tillById(tx, orgId, named)) !== null)
      return inNone(reason('till_unknown', { till_id: named }));
    return isOverdue ? inNone(reason('till_missing', { till_id: named })) : { waitsFor: named };
  }
  const { id: tillId, isClosed: isLate } = till;
  return { tillId, isLate, reasons: isLate ? [reason('till_closed', { till_id: tillId })] : [] };
};
