/** Bills that come to less than was paid of them in parts, where a change would be refused online (Decisions 13). */
import type { ReplayContext } from '../../../platform/app/replay.ts';
import { reason, type ReviewReason } from '../../../platform/domain/review.ts';
import type { StoredTicket } from '../../store/ticket.ts';
import { reviewCheck } from '../change.ts';
import type { DeviceFloorParts } from './parts.ts';

/** After the lines of a ticket have changed: deals and discounts of its check change the bills of the others with it. */
export const paidBeyond = async (
  parts: DeviceFloorParts,
  { tx, orgId, caller }: ReplayContext,
  { checkId }: StoredTicket,
): Promise<readonly ReviewReason[]> => {
  const overpaid = await reviewCheck(parts, caller, tx, { orgId, checkId });
  return overpaid.map((one) => reason('paid_beyond', { ...one }));
};
