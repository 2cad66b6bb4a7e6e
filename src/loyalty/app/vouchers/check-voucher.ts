/** The voucher of a sale that a device made with rewards (Decisions 13): it is judged, and what it was spent on is counted. */
import type { Kysely } from 'kysely';
import { isoInstant, type Instant } from '../../../kernel/time.ts';
import type { App } from '../../../platform/app/app.ts';
import type { ReplayContext } from '../../../platform/app/replay.ts';
import { reason, type ReviewReason } from '../../../platform/domain/review.ts';
import type { Database } from '../../../platform/store/schema.ts';
import { voucherOf, type Voucher } from '../../domain/voucher.ts';
import { cardOfSale, type CardOfSale } from '../../store/card-in-sale.ts';
import { addVoucherUse, type VoucherUse } from '../../store/voucher.ts';

/** What a voucher is good for; kept with a bill that is counted later, in the place of the voucher itself. */
export type VoucherLimit = Pick<Voucher, 'id' | 'limit'>;

export interface CheckedVoucher {
  /** Null: there is none of this card. */
  readonly limit: VoucherLimit | null;
  readonly reasons: readonly ReviewReason[];
}

interface OfSale {
  /** As the device recorded it. */
  readonly text: string | null | undefined;
  /** Null: the sale has none. */
  readonly card: CardOfSale | null;
  readonly hasRewards: boolean;
}

const NOT_NEEDED: CheckedVoucher = { limit: null, reasons: [] };

const isOfCard = async (
  { tx, orgId }: Pick<ReplayContext, 'tx' | 'orgId'>,
  { cardId }: Voucher,
  card: CardOfSale,
): Promise<boolean> => {
  if (card.cardId === cardId) return true;
  // It may have been combined with the card of the sale since.
  return (await cardOfSale(tx, orgId, { cardId, customerId: null }))?.cardId === card.cardId;
};

/** Whether the rewards of the sale had a voucher when they were given. */
export const checkVoucher = async (
  { voucherKeys }: Pick<App, 'voucherKeys'>,
  context: Pick<ReplayContext, 'tx' | 'orgId' | 'at'>,
  { text, card, hasRewards }: OfSale,
): Promise<CheckedVoucher> => {
  // A card that is missing or unknown is a reason of its own.
  if (!hasRewards || card === null) return NOT_NEEDED;
  if (text == null) return { limit: null, reasons: [reason('voucher_missing')] };
  const voucher = voucherOf(await voucherKeys.verify(text));
  const isOfShop =
    voucher?.orgId === context.orgId && voucher.mode === (card.programme?.mode ?? voucher.mode);
  if (voucher === null || !isOfShop) return { limit: null, reasons: [reason('voucher_invalid')] };
  if (!(await isOfCard(context, voucher, card)))
    return { limit: null, reasons: [reason('voucher_of_other_card')] };
  const { id, limit, expiresAt } = voucher;
  const isOver = context.at >= expiresAt;
  return {
    limit: { id, limit },
    reasons: isOver ? [reason('voucher_expired', { until: isoInstant(expiresAt) })] : [],
  };
};

interface Spent extends Omit<VoucherUse, 'voucherId'> {
  readonly voucher: VoucherLimit | null;
}

/** Counts what a sale spent on its voucher. The card is locked, so that two sales on one voucher are added up. */
export const spendVoucher = async (
  tx: Kysely<Database>,
  { orgId, saleId, voucher, cost }: Spent,
  now: Instant,
): Promise<readonly ReviewReason[]> => {
  if (voucher === null || cost === 0) return [];
  const { id: voucherId, limit } = voucher;
  const spent = await addVoucherUse(tx, { orgId, voucherId, saleId, cost }, now);
  return spent > limit ? [reason('voucher_overspent', { spent, limit })] : [];
};
