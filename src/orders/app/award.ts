/** A sale that was made without a card is given to one (Decisions 11). */
import type { Kysely } from 'kysely';
import type { BodyOf, PathOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/award.ts';
import { orderScope } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import type { Instant } from '../../kernel/time.ts';
import {
  cardOfSale,
  earnFor,
  earningCard,
  earningOf,
  memberCard,
  visitWithCard,
  type EarningCard,
} from '../../loyalty/app/shared.ts';
import type { Mode } from '../../loyalty/domain/programme.ts';
import type { App } from '../../platform/app/app.ts';
import { recordAudit } from '../../platform/app/audit.ts';
import { commitAndPublish, type ChangeLog } from '../../platform/app/commit.ts';
import { retrying } from '../../platform/app/retrying.ts';
import type { Database } from '../../platform/store/schema.ts';
import { giveCardToSale, lockSale, saleChange, soldLeft, type StoredSale } from '../../sales/app/shared.ts';
import type { Actor } from '../../staff/app/access.ts';
import { mayAtBranch } from '../../staff/domain/staff.ts';
import { giveCardToOrder, lockOrder, type StoredOrder } from '../store/delivery-order.ts';

type Tx = Kysely<Database>;
type Reply = ReplyOf<typeof contract.awardSale>;

const AWARD_MS = 24 * 60 * 60 * 1000;

const HAS_A_CARD = {
  problem: 'is a sale that has a card',
  arabic: 'هذه العملية محسوبة على بطاقة بالفعل',
} as const;
const TOO_LATE = {
  problem: 'is a sale of more than 24 hours ago',
  arabic: 'مرّ على هذه العملية أكثر من ٢٤ ساعة',
} as const;

/** A sale of a branch of the actor; `order`: null unless it was an online order. */
interface OwnSale {
  readonly sale: StoredSale;
  readonly order: StoredOrder | null;
}

/** Locks the order before the sale. Throws NOT_FOUND. */
const ownSale = async (tx: Tx, actor: Actor, id: Uuid): Promise<OwnSale> => {
  const order = await lockOrder(tx, actor.orgId, id);
  const sale = await lockSale(tx, actor.orgId, id);
  if (sale === null || !mayAtBranch(actor, sale.branchId)) throw new Refusal('NOT_FOUND');
  return { sale, order };
};

/** Whether the sale has this card, or one that was combined with it. Throws where it has another. */
const isGivenTo = async (tx: Tx, sale: StoredSale, cardId: Uuid): Promise<boolean> => {
  if (sale.cardId === null) return false;
  const own = await cardOfSale(tx, sale.orgId, { cardId: sale.cardId, customerId: null });
  if (own?.cardId !== cardId) throw invalidInput({ path: 'id', ...HAS_A_CARD });
  return true;
};

const isTooLate = ({ at }: StoredSale, now: Instant): boolean => at + AWARD_MS < now;

/** As the sale would have earned with the card; units that were refunded earn nothing. */
const earn = async (
  app: App,
  tx: Tx,
  log: ChangeLog,
  { sale, card, staffId }: { readonly sale: StoredSale; readonly card: EarningCard; readonly staffId: Uuid },
  now: Instant,
): Promise<void> => {
  const { orgId, id: saleId } = sale;
  await earnFor(tx, app, log, { orgId, saleId, sold: soldLeft(sale), card, staffId }, now);
  await visitWithCard(tx, orgId, card.cardId, sale.at);
};

const replyOf = async (
  tx: Tx,
  { orgId, id: saleId }: StoredSale,
  { cardId, mode }: { cardId: Uuid; mode: Mode },
): Promise<Reply> => {
  const earning = await earningOf(tx, orgId, { saleId, cardId, mode });
  const { amount: earned, balance } = earning;
  return { sale_id: saleId, member_id: earning.cardId, mode: earning.mode, earned, balance };
};

interface AwardRequest {
  readonly path: PathOf<typeof contract.awardSale>;
  readonly body: BodyOf<typeof contract.awardSale>;
  readonly actor: Actor;
}

/** Runs within a transaction. Throws `ConcurrentChange` where the person was erased meanwhile. */
const award = async (
  app: App,
  tx: Tx,
  log: ChangeLog,
  { path, body, actor }: AwardRequest,
): Promise<Reply> => {
  const now = app.clock.now();
  const { sale, order } = await ownSale(tx, actor, path.id);
  const found = await memberCard(tx, actor.orgId, body.member_id.toLowerCase());
  const owner = { cardId: found.cardId, mode: found.programme?.mode ?? 'points' };
  if (await isGivenTo(tx, sale, found.cardId)) return replyOf(tx, sale, owner);
  const card = earningCard(found);
  if (card === null) throw new Refusal('LOYALTY_OFF');
  if (isTooLate(sale, now)) throw invalidInput({ path: 'id', ...TOO_LATE });
  const { orgId, id, branchId } = sale;
  if (order !== null) await giveCardToOrder(tx, order, card.cardId, now);
  await giveCardToSale(tx, orgId, id, card.cardId);
  await earn(app, tx, log, { sale, card, staffId: actor.staffId }, now);
  await recordAudit(app, tx, {
    ...{ orgId, at: now, action: 'sale.awarded', subject: 'sale', subjectId: id },
    ...{ staffId: actor.staffId, deviceId: actor.deviceId, branchId },
    detail: { card_id: card.cardId },
  });
  log.add(orgId, saleChange(id));
  if (order !== null) log.add(orgId, { scope: orderScope(id), type: 'delivery', id, op: 'upsert' });
  return replyOf(tx, sale, owner);
};

/** POST /staff/sales/{id}/award. */
export const awardSale =
  (app: App) =>
  (request: AwardRequest): Promise<Reply> =>
    retrying(() => commitAndPublish(app, (tx, log) => award(app, tx, log, request)));
