/** A part-payment goes back to the guests (Decisions 12, Settle). */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { Actor } from '../../staff/app/access.ts';
import { deletePartPayments, markGivenBack, type PartPayment } from '../store/part-payment.ts';
import { salePlace } from '../store/sale.ts';
import { isTillOpen, tillById } from '../store/till.ts';
import { ownTill, tillOf } from './tills/till.ts';

interface GivingBack {
  readonly actor: Actor;
  readonly branchId: Uuid;
  readonly payment: PartPayment;
  readonly now: Instant;
}

/**
 * Out of the till that took it, as if it had not been; where that was closed, out of the actor's own. Returns the tills
 * that have changed. Throws NOT_PERMITTED for another person's till without `tills.manage`, and TILL_REQUIRED.
 */
export const giveBackPart = async (
  tx: Kysely<Database>,
  giving: GivingBack,
): Promise<readonly (Uuid | null)[]> => {
  const { actor, branchId, payment, now } = giving;
  const { orgId } = actor;
  const { id, tillId } = payment;
  if (tillId !== null) {
    ownTill(actor, await tillById(tx, orgId, tillId));
    if (!(await isTillOpen(tx, orgId, tillId))) {
      const place = await salePlace(tx, orgId, branchId);
      if (place === null) throw new Refusal('NOT_FOUND');
      const other = await tillOf(tx, { branchId }, place, { actor, method: payment.method });
      await markGivenBack(tx, orgId, { id, tillId: other, now });
      return [other];
    }
  }
  await deletePartPayments(tx, orgId, [id]);
  return [tillId];
};
