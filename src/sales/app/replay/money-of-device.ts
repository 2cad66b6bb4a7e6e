/** Into which till the money of a device went, or out of which (Decisions 13). */
import type { Uuid } from '../../../kernel/ids.ts';
import type { ReplayContext } from '../../../platform/app/replay.ts';
import { reason, type ReviewReason } from '../../../platform/domain/review.ts';
import { tillAt, tillNamed } from '../../store/till.ts';

export interface TillOfEvent {
  /** It stays as it is until the transaction ends; null: none. */
  readonly tillId: Uuid | null;
  /** The till was closed before. */
  readonly isLate: boolean;
  readonly reasons: readonly ReviewReason[];
}

const NO_TILL = { tillId: null, isLate: false } as const;

/** The till that the event names, else the one that the person had open. Waits for one that has not come, but not for ever. */
export const tillOfEvent = async (
  { tx, at, isOverdue, ...context }: ReplayContext,
  named: Uuid | null | undefined,
): Promise<TillOfEvent | { readonly waitsFor: Uuid }> => {
  const till = named
    ? await tillNamed(tx, context.orgId, context.branchId, named)
    : await tillAt(tx, context, at);
  if (till === null && named)
    return isOverdue
      ? { ...NO_TILL, reasons: [reason('till_missing', { till_id: named })] }
      : { waitsFor: named };
  if (till === null) return { ...NO_TILL, reasons: [] };
  const { id: tillId, isClosed: isLate } = till;
  return { tillId, isLate, reasons: isLate ? [reason('till_closed', { till_id: tillId })] : [] };
};
