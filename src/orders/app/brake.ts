/** Staff lift or restore the order limits of a phone (Decisions 8). */
import type { BodyOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/brake.ts';
import { byName } from '../../kernel/names.ts';
import { maskPhone } from '../../kernel/phone.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Branch } from '../../shops/domain/shop.ts';
import { mayAtBranch } from '../../staff/domain/staff.ts';
import { businessDayEnd } from '../../kernel/business-date.ts';
import { isoInstant } from '../../kernel/time.ts';
import { recordUnlogged } from '../../platform/app/audit.ts';
import { endLift, liftOf, saveLift } from '../store/brake.ts';
import { customerWithPhone } from '../../customers/app/shared.ts';
import { branchesOf } from '../../shops/app/shared.ts';
import type { App } from '../../platform/app/app.ts';
import { phoneIn } from '../../identity/app/otp.ts';
import type { Actor } from '../../staff/app/access.ts';

interface BrakeRequest {
  readonly body: BodyOf<typeof contract.setOrderBrake>;
  readonly actor: Actor;
}

/** The branch whose business day ends the lift. Throws NOT_FOUND. */
const branchFor = async (app: App, { body, actor }: BrakeRequest): Promise<Branch> => {
  const own = (await branchesOf(app.db.kysely, actor.orgId)).filter(({ id }) => mayAtBranch(actor, id));
  const branchId = body.branch_id?.toLowerCase();
  const branch = branchId === undefined ? own.sort(byName)[0] : own.find(({ id }) => id === branchId);
  if (branch === undefined) throw new Refusal('NOT_FOUND');
  return branch;
};

/** PUT /staff/phones/brake. Idempotent. */
export const setOrderBrake =
  (app: App) =>
  async ({ body, actor }: BrakeRequest): Promise<ReplyOf<typeof contract.setOrderBrake>> => {
    const phone = phoneIn(app, body.phone, 'phone');
    const branch = await branchFor(app, { body, actor });
    const { orgId, staffId, deviceId } = actor;
    const now = app.clock.now();
    const until = body.lifted ? businessDayEnd(branch.zone, now, branch.dayStartsAt) : null;
    await app.db.tx(async (tx) => {
      const before = await liftOf(tx, orgId, phone);
      if (until === before || (until === null && (before ?? now) <= now)) return;
      if (until === null) await endLift(tx, orgId, phone);
      else await saveLift(tx, orgId, phone, until);
      const customer = await customerWithPhone(tx, orgId, phone);
      await recordUnlogged(app, tx, {
        ...{ orgId, at: now, staffId, deviceId, branchId: branch.id },
        ...{ action: until === null ? 'order_brake.put_back' : 'order_brake.lifted' },
        ...{ subject: 'person', subjectId: customer?.id ?? null },
        detail: until === null ? {} : { until: isoInstant(until) },
      });
    });
    const end = until === null ? null : isoInstant(until);
    return { phone: maskPhone(phone), lifted: body.lifted, until: end };
  };
