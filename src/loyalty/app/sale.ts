/** What a sale does to a card (Decisions 11), within the transaction of the sale. */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import type { Instant } from '../../kernel/time.ts';
import type { App } from '../../platform/app/app.ts';
import type { ChangeLog } from '../../platform/app/commit.ts';
import { reason, type ReviewReason } from '../../platform/domain/review.ts';
import { ConcurrentChange } from '../../platform/store/concurrent-change.ts';
import type { Database } from '../../platform/store/schema.ts';
import { earnedBy, type SaleToEarn, type SoldUnits } from '../domain/earning.ts';
import type { Mode, Programme } from '../domain/programme.ts';
import type { RewardUse } from '../domain/reward.ts';
import {
  cardOfSale,
  categoriesOf,
  earnedInSale,
  redeemedInSale,
  type CardOfSale,
} from '../store/card-in-sale.ts';
import { noteVisit } from '../store/greeting.ts';
import type { NewEntry } from '../store/ledger.ts';
import { programmeOfShop } from '../store/programme.ts';
import { lockCardForRead } from '../store/wallets.ts';
import type { Announcing } from './announce.ts';
import { cardChange } from './card.ts';
import { post } from './ledger.ts';
import { spendVoucher, type VoucherLimit } from './vouchers/check-voucher.ts';

type Tx = Kysely<Database>;
type Log = Pick<ChangeLog, 'add'>;

const NO_MEMBER = { problem: 'is no card of this shop', arabic: 'لا توجد هذه البطاقة في هذا المحل' } as const;

/** The card that the staff name: of combined cards the one that is left. Throws INVALID_INPUT at `member_id`. */
export const memberCard = async (tx: Tx, orgId: Uuid, id: Uuid): Promise<CardOfSale> => {
  const found = await cardOfSale(tx, orgId, { cardId: id, customerId: null });
  if (found === null) throw invalidInput({ path: 'member_id', ...NO_MEMBER });
  return found;
};

/** The same, locked until the transaction ends: an erasure of its person comes before or after. Throws `ConcurrentChange`. */
export const heldMemberCard = async (tx: Tx, orgId: Uuid, id: Uuid): Promise<CardOfSale> => {
  const { cardId } = await memberCard(tx, orgId, id);
  await lockCardForRead(tx, { orgId, cardId });
  const held = await memberCard(tx, orgId, cardId);
  if (held.cardId !== cardId) throw new ConcurrentChange();
  return held;
};

/**
 * Notes the visit of a card that a sale is made with; the card stays locked. Throws `ConcurrentChange` where its person was
 * erased meanwhile.
 */
export const visitWithCard = async (tx: Tx, orgId: Uuid, cardId: Uuid, soldAt: Instant): Promise<void> => {
  await noteVisit(tx, orgId, cardId, soldAt);
  if ((await cardOfSale(tx, orgId, { cardId, customerId: null })) === null) throw new ConcurrentChange();
};

interface SaleOfShop {
  readonly orgId: Uuid;
  readonly saleId: Uuid;
}

export interface RewardsClaimed extends SaleOfShop, Pick<NewEntry, 'locksOwner'> {
  readonly cardId: Uuid;
  readonly mode: Mode;
  readonly cost: number;
  readonly rewards: readonly RewardUse[];
}

/**
 * The balance that does not suffice, or null: the rewards are paid for. A combined card pays from the balance of the
 * other.
 */
export const claimRewards = async (
  tx: Tx,
  app: Announcing,
  log: Log,
  { cost, ...claim }: RewardsClaimed,
  now: Instant,
): Promise<{ readonly balance: number } | null> => {
  const posted = await post(tx, app, log, { ...claim, reason: 'redeemed', wanted: -cost }, now);
  return posted?.isPosted === true ? null : { balance: posted?.balance ?? 0 };
};

/** Gives the rewards of a sale back, once: of one that did not come to be, or that was refunded as a whole. */
export const giveBackRewards = async (
  tx: Tx,
  app: Announcing,
  log: Log,
  { orgId, saleId, refundId }: SaleOfShop & { readonly refundId?: Uuid },
  now: Instant,
): Promise<void> => {
  const redeemed = await redeemedInSale(tx, orgId, saleId);
  if (redeemed === null) return;
  const { cardId, mode, amount } = redeemed;
  const entry = { orgId, saleId, cardId, mode, reverses: 'redeem', wanted: -amount } as const;
  await post(tx, app, log, { ...entry, ...whyReversed(refundId) }, now);
};

/** `refundId`: none of a sale that did not come to be. */
const whyReversed = (refundId: Uuid | undefined) =>
  refundId === undefined ? ({ reason: 'voided' } as const) : ({ reason: 'refunded', refundId } as const);

interface SaleReversed extends SaleOfShop {
  readonly refundId?: Uuid;
  /** Null: nothing is left of the sale. */
  readonly rest: SoldUnits | null;
}

/**
 * Takes back what the refunded units earned, or a sale that did not come to be: what the rest would have earned is kept
 * (Decisions 11).
 */
export const reverseEarning = async (
  tx: Tx,
  app: Announcing,
  log: Log,
  { orgId, saleId, refundId, rest }: SaleReversed,
  now: Instant,
): Promise<void> => {
  const earned = await earnedInSale(tx, orgId, saleId);
  const programme = earned === null ? null : await programmeOfShop(tx, orgId);
  if (earned === null || programme === null) return;
  const { cardId, mode, amount, reversed } = earned;
  const rules = { ...programme, mode };
  const kept = rest === null ? 0 : earnedBy(rules, await withCategories(tx, orgId, rules, rest));
  const wanted = -Math.max(0, amount - reversed - kept);
  if (wanted === 0) return;
  const entry = { orgId, saleId, cardId, mode, reverses: 'earn', wanted } as const;
  await post(tx, app, log, { ...entry, ...whyReversed(refundId) }, now);
};

const namesCategories = ({ mode, visitItems }: Programme): boolean =>
  mode === 'visits' && (visitItems ?? []).some(({ categoryId }) => categoryId !== null);

const withCategories = async (
  tx: Tx,
  orgId: Uuid,
  programme: Programme,
  sold: SoldUnits,
): Promise<SaleToEarn> => {
  const ids = sold.paid.map(({ itemId }) => itemId);
  const categories = namesCategories(programme) ? await categoriesOf(tx, orgId, ids) : null;
  const paid = sold.paid.map((unit) => ({ ...unit, categoryId: categories?.get(unit.itemId) ?? null }));
  return { ...sold, paid };
};

/** A card under a programme that is on. */
export interface EarningCard {
  readonly cardId: Uuid;
  readonly programme: Programme;
}

/** Null while the programme is off. */
export const earningCard = (found: Pick<CardOfSale, 'cardId' | 'programme'> | null): EarningCard | null =>
  found?.programme?.isEnabled === true ? { cardId: found.cardId, programme: found.programme } : null;

interface SaleToCount extends SaleOfShop {
  readonly sold: SoldUnits;
  readonly card: EarningCard;
  /** Who gave the sale its card afterwards; null: it had one. */
  readonly staffId: Uuid | null;
}

/** What the sale earned now; 0 where it earned before. */
export const earnFor = async (
  tx: Tx,
  app: Announcing,
  log: Log,
  { orgId, saleId, sold, card, staffId }: SaleToCount,
  now: Instant,
): Promise<number> => {
  const { cardId, programme } = card;
  const { mode, balanceCap: cap } = programme;
  const wanted = earnedBy(programme, await withCategories(tx, orgId, programme, sold));
  if (wanted === 0) return 0;
  const posted = await post(
    tx,
    app,
    log,
    { orgId, saleId, cardId, mode, cap, wanted, staffId, reason: 'earned' },
    now,
  );
  return posted?.amount ?? 0;
};

interface PaidSale extends SaleOfShop {
  readonly card: CardOfSale;
  readonly rewards: readonly RewardUse[];
  readonly sold: SoldUnits;
}

/** A balance that does not suffice for the cost of rewards. */
interface TooSmall {
  readonly balance: number;
  readonly cost: number;
}

const costOf = (rewards: readonly RewardUse[]): number => rewards.reduce((sum, one) => sum + one.cost, 0);

const payForRewards = async (
  tx: Tx,
  app: Announcing,
  log: Log,
  { card: { cardId, programme }, rewards, orgId, saleId }: Omit<PaidSale, 'sold'>,
  now: Instant,
): Promise<TooSmall | null> => {
  if (programme === null || rewards.length === 0) return null;
  const cost = costOf(rewards);
  const claim = { orgId, saleId, cardId, mode: programme.mode, cost, rewards };
  const missing = await claimRewards(tx, app, log, claim, now);
  return missing && { balance: missing.balance, cost };
};

const countSale = async (
  tx: Tx,
  app: Announcing,
  log: Log,
  { card, sold, orgId, saleId }: Omit<PaidSale, 'rewards'>,
  now: Instant,
): Promise<void> => {
  const earning = earningCard(card);
  const earned =
    earning === null
      ? 0
      : await earnFor(tx, app, log, { orgId, saleId, sold, card: earning, staffId: null }, now);
  await visitWithCard(tx, orgId, card.cardId, now);
  // Devices of the branch know its guests, also those who earned nothing.
  if (earned === 0) log.add(orgId, cardChange(card.cardId));
};

/**
 * A sale of today with a card: the card pays for its rewards, earns by what is paid, and its absence begins anew. Throws
 * REWARD_UNAVAILABLE, and `ConcurrentChange` where its person was erased meanwhile.
 */
export const payWithCard = async (
  tx: Tx,
  app: Announcing,
  log: Log,
  paid: PaidSale,
  now: Instant,
): Promise<void> => {
  const missing = await payForRewards(tx, app, log, paid, now);
  if (missing !== null) throw new Refusal('REWARD_UNAVAILABLE', { ...missing });
  await countSale(tx, app, log, paid, now);
};

interface PaidOffline extends PaidSale {
  /** What its rewards were given against; null: no voucher of the card. */
  readonly voucher: VoucherLimit | null;
}

/**
 * A sale that a device made with a card: it earns, whether or not balance and voucher suffice for the rewards. Returns what
 * does not. Throws `ConcurrentChange` where its person was erased meanwhile.
 */
export const paidWithCard = async (
  tx: Tx,
  app: Announcing & Pick<App, 'clock'>,
  log: Log,
  paid: PaidOffline,
  soldAt: Instant,
): Promise<readonly ReviewReason[]> => {
  const missing = await payForRewards(tx, app, log, paid, soldAt);
  await countSale(tx, app, log, paid, soldAt);
  if (missing !== null) return [reason('balance_too_small', { ...missing })];
  return spendVoucher(tx, { ...paid, cost: costOf(paid.rewards) }, app.clock.now());
};
