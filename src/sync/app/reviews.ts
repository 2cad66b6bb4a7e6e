/** What a person should look at of what devices recorded (Decisions 13). */
import { singleLine } from '../../kernel/free-text.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import { isoInstant } from '../../kernel/time.ts';
import type { App } from '../../platform/app/app.ts';
import { recordUnlogged } from '../../platform/app/audit.ts';
import type { BodyOf, PathOf, QueryOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import { MAX_LISTED } from '../../platform/contract/lists.ts';
import { reason, reasonWords, type ReviewReason } from '../../platform/domain/review.ts';
import type { Actor } from '../../staff/app/access.ts';
import { ownBranch } from '../../staff/app/own-branch.ts';
import { mayAtBranch } from '../../staff/domain/staff.ts';
import { isEventKind } from '../contract/event-kinds.ts';
import type * as contract from '../contract/reviews.ts';
import { withoutVoucher } from '../domain/kept-data.ts';
import { closeOpenReview, reviewById, reviewsOf, type StoredReview } from '../store/review.ts';

type Review = ReplyOf<typeof contract.closeReview>;

const reasonReply = (one: ReviewReason): Review['reasons'][number] => ({
  ...{ code: one.code, vars: { ...one.figures } },
  ...reasonWords(one),
});

const reviewReply = (review: StoredReview): Review => {
  const { kind, reasons, data, closedAt } = review;
  const outcome = review.outcome === 'waiting' ? 'waiting' : 'review';
  if (!isEventKind(kind)) throw new Error(`A stored event is of the unknown kind ${kind}.`);
  const all = outcome === 'waiting' ? [...reasons, reason('parent_missing')] : reasons;
  return {
    ...{ id: review.id, branch_id: review.branchId, status: closedAt === null ? 'open' : 'closed', outcome },
    ...{ kind, at: isoInstant(review.at), received_at: isoInstant(review.receivedAt) },
    ...{ staff_id: review.staffId, staff_name: review.staffName },
    ...{ device_id: review.deviceId, device_label: review.deviceLabel },
    ...{ subject_id: review.subjectId, result_id: review.resultId, reasons: all.map(reasonReply) },
    ...{
      data: data && { ...withoutVoucher(data) },
      closed_at: closedAt === null ? null : isoInstant(closedAt),
    },
    ...{ closed_by: review.closedBy, note: review.note },
  };
};

const NO_REVIEW_HERE = {
  problem: 'is no review of this branch',
  arabic: 'ليست من مراجعات هذا الفرع',
} as const;

interface ListRequest {
  readonly query: QueryOf<typeof contract.listReviews>;
  readonly actor: Actor;
}

/** GET /staff/reviews. */
export const listReviews =
  (app: App) =>
  async ({ query, actor }: ListRequest): Promise<Review[]> => {
    const { branch_id: branchId, status = 'open', limit = MAX_LISTED, after = null } = query;
    await ownBranch(app, actor, branchId);
    const last = after === null ? null : await reviewById(app.db.kysely, actor.orgId, after);
    if (after !== null && last?.branchId !== branchId)
      throw invalidInput({ path: 'after', ...NO_REVIEW_HERE });
    const listing = { branchId, isClosed: status === 'closed', limit, after };
    return (await reviewsOf(app.db.kysely, actor.orgId, listing)).map(reviewReply);
  };

const BLANK = { problem: 'has no visible character', arabic: 'النص فارغ' } as const;

interface CloseRequest {
  readonly path: PathOf<typeof contract.closeReview>;
  readonly body: BodyOf<typeof contract.closeReview>;
  readonly actor: Actor;
}

/** POST /staff/reviews/{id}/close. Who closes one that is closed is answered as it was closed. */
export const closeReview =
  (app: App) =>
  ({ path, body, actor }: CloseRequest): Promise<Review> => {
    const { orgId, staffId, deviceId } = actor;
    const note = singleLine(body.note);
    if (note === null) throw invalidInput({ path: 'note', ...BLANK });
    return app.db.tx(async (tx) => {
      const read = async (): Promise<StoredReview> => {
        const review = await reviewById(tx, orgId, path.id);
        if (review === null || !mayAtBranch(actor, review.branchId)) throw new Refusal('NOT_FOUND');
        return review;
      };
      const { branchId, kind, reasons } = await read();
      const now = app.clock.now();
      if (await closeOpenReview(tx, orgId, path.id, { by: staffId, note, now }))
        await recordUnlogged(app, tx, {
          ...{ orgId, staffId, deviceId, branchId, at: now, action: 'review.closed', subject: 'review' },
          ...{ subjectId: path.id, detail: { kind, reasons: reasons.map(({ code }) => code), note } },
        });
      return reviewReply(await read());
    });
  };
