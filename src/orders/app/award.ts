/** A sale that was made without a card is given to one (Decisions 11). */
import type { Kysely } from 'kysely';
import type { BodyOf, PathOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/award.ts';
import { orderScope } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import type { Instant } from '../../kernel/time.ts';
import { cardOfSale, earningCard, earningOf, memberCard } from '../../loyalty/app/shared.ts';
import type { Mode } from '../../loyalty/domain/programme.ts';
import type { App } from '../../platform/app/app.ts';
import { recordAudit } from '../../platform/app/audit.ts';
import { commitAndPublish } from '../../platform/app/commit.ts';
import type { Database } from '../../platform/store/schema.ts';
import { giveCardToSale } from '../../sales/app/shared.ts';
import type { Actor } from '../../staff/app/access.ts';
import { mayAtBranch } from '../../staff/domain/staff.ts';
import { giveCardToOrder, lockOrder, type StoredOrder } from '../store/delivery-order.ts';
import { earnForOrder } from './order-earning.ts';

type Tx = Kysely<Database>;
type Reply = ReplyOf<typeof contract.awardSale>;

const AWARD_MS = 24 * 60 * 60 * 1000;

const HAS_A_CARD = {
  problem: 'is a sale that has a card',
  arabic: 'هذه العملية محسوبة على كارت بالفعل',
} as const;
const TOO_LATE = {
  problem: 'is a sale of more than 24 hours ago',
  arabic: 'مرّ على هذه العملية أكثر من ٢٤ ساعة',
} as const;

/** The delivered order of a branch of the actor. */
const ownSale = async (tx: Tx, actor: Actor, id: Uuid): Promise<StoredOrder> => {
  const order = await lockOrder(tx, actor.orgId, id);
  if (order?.status !== 'delivered' || !mayAtBranch(actor, order.branch_id)) throw new Refusal('NOT_FOUND');
  return order;
};

/** Whether the sale has this card, or one that was combined with it. Throws where it has another. */
const isGivenTo = async (tx: Tx, order: StoredOrder, cardId: Uuid): Promise<boolean> => {
  if (order.card_id === null) return false;
  const own = await cardOfSale(tx, order.org_id, { cardId: order.card_id, customerId: null });
  if (own?.cardId !== cardId) throw invalidInput({ path: 'id', ...HAS_A_CARD });
  return true;
};

const isTooLate = ({ delivered_at: deliveredAt }: StoredOrder, now: Instant): boolean =>
  deliveredAt === null || deliveredAt + AWARD_MS < now;

const replyOf = async (
  tx: Tx,
  order: StoredOrder,
  { cardId, mode }: { cardId: Uuid; mode: Mode },
): Promise<Reply> => {
  const earning = await earningOf(tx, order.org_id, { saleId: order.id, cardId, mode });
  const { amount: earned, balance } = earning;
  return { sale_id: order.id, member_id: earning.cardId, mode: earning.mode, earned, balance };
};

/** POST /staff/sales/{id}/award. */
export const awardSale =
  (app: App) =>
  ({
    path,
    body,
    actor,
  }: {
    readonly path: PathOf<typeof contract.awardSale>;
    readonly body: BodyOf<typeof contract.awardSale>;
    readonly actor: Actor;
  }): Promise<Reply> =>
    commitAndPublish(app, async (tx, log) => {
      const now = app.clock.now();
      const order = await ownSale(tx, actor, path.id);
      const found = await memberCard(tx, actor.orgId, body.member_id.toLowerCase());
      const owner = { cardId: found.cardId, mode: found.programme?.mode ?? 'points' };
      if (await isGivenTo(tx, order, found.cardId)) return replyOf(tx, order, owner);
      const card = earningCard(found);
      if (card === null) throw new Refusal('LOYALTY_OFF');
      if (isTooLate(order, now)) throw invalidInput({ path: 'id', ...TOO_LATE });
      await giveCardToOrder(tx, order, card.cardId, now);
      await giveCardToSale(tx, order.org_id, order.id, card.cardId);
      await earnForOrder(tx, app, log, { order, card, staffId: actor.staffId }, now);
      await recordAudit(app, tx, {
        ...{ orgId: order.org_id, at: now, action: 'order.awarded', subject: 'order', subjectId: order.id },
        ...{ staffId: actor.staffId, deviceId: actor.deviceId, branchId: order.branch_id },
        detail: { card_id: card.cardId },
      });
      log.add(order.org_id, { scope: orderScope(order.id), type: 'delivery', id: order.id, op: 'upsert' });
      return replyOf(tx, order, owner);
    });
