/** Tills are opened (Decisions 4, Till). One transaction, audited and logged. */
import type { Kysely } from 'kysely';
import { businessDate } from '../../../kernel/business-date.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { Instant } from '../../../kernel/time.ts';
import { Repeated } from '../../../platform/app/answer.ts';
import type { App } from '../../../platform/app/app.ts';
import { recordAudit } from '../../../platform/app/audit.ts';
import { commitAndPublish, type ChangeLog } from '../../../platform/app/commit.ts';
import { onceUnder, requestKey, type RequestKey } from '../../../platform/app/request-key.ts';
import type { BodyOf, HeadersOf } from '../../../platform/contract/endpoint.ts';
import { claimKey } from '../../../platform/store/idempotency.ts';
import type { Database } from '../../../platform/store/schema.ts';
import type { Actor } from '../../../staff/app/access.ts';
import { ownBranch } from '../../../staff/app/own-branch.ts';
import type * as contract from '../../contract/tills.ts';
import { salePlace } from '../../store/sale.ts';
import {
  insertTill,
  lockPerson,
  openTillOfPerson,
  tillById,
  type NewTill,
  type StoredTill,
} from '../../store/till.ts';
import { tillInError, tillReply, type TillReply } from '../till-reply.ts';
import { audited, openOrClosed } from './till.ts';

/** Opens a till that is not there, of a locked person. Throws NOT_FOUND without the branch. */
export const insertOpenTill = async (
  app: App,
  { tx, log, now }: { readonly tx: Kysely<Database>; readonly log: ChangeLog; readonly now: Instant },
  till: Omit<NewTill, 'businessDate'>,
): Promise<StoredTill> => {
  const { orgId, id, branchId, openedAt, openingFloat } = till;
  const place = await salePlace(tx, orgId, branchId);
  if (place === null) throw new Refusal('NOT_FOUND');
  await insertTill(tx, { ...till, businessDate: businessDate(place.zone, openedAt, place.dayStartsAt) });
  await recordAudit(app, tx, {
    ...{ ...audited('till.opened', till, till), at: now },
    detail: { opening_float: openingFloat },
  });
  log.add(orgId, openOrClosed(till));
  const opened = await tillById(tx, orgId, id);
  if (opened === null) throw new Error('A till that was opened is there.');
  return opened;
};

/** Throws the refusals of a till of another branch or device. */
const resumed = (till: StoredTill, branchId: Uuid, { deviceId }: Actor): StoredTill => {
  const extraFields = { till: tillInError(till) };
  if (till.branchId !== branchId) throw new Refusal('TILL_OPEN_AT_OTHER_BRANCH', {}, { extraFields });
  if (till.deviceId !== deviceId) throw new Refusal('TILL_OPEN_ELSEWHERE', {}, { extraFields });
  return till;
};

interface OpenRequest {
  readonly body: BodyOf<typeof contract.openTill>;
  readonly headers: HeadersOf<typeof contract.openTill>;
  readonly actor: Actor;
}

interface Opened {
  readonly till: TillReply;
  readonly isNew: boolean;
}

const open = (app: App, { body, actor }: OpenRequest, key: RequestKey | null): Promise<Opened> =>
  commitAndPublish(app, async (tx, log) => {
    const now = app.clock.now();
    const branchId = body.branch_id.toLowerCase();
    const { orgId, staffId, deviceId } = actor;
    await lockPerson(tx, orgId, staffId);
    const before = await openTillOfPerson(tx, actor);
    const till =
      before === null
        ? await insertOpenTill(
            app,
            { tx, log, now },
            {
              ...{ orgId, id: app.random.uuid(), branchId, staffId, deviceId, openedAt: now },
              ...{ openingFloat: body.opening_float, isOpenedOffline: false },
            },
          )
        : resumed(before, branchId, actor);
    if (key !== null) await claimKey(tx, key, { subjectId: till.id, bodyHash: key.hash }, now);
    return { till: tillReply(till), isNew: before === null };
  });

/** POST /staff/tills. */
export const openTill =
  (app: App) =>
  async (request: OpenRequest): Promise<TillReply | Repeated<TillReply>> => {
    const { body, headers, actor } = request;
    await ownBranch(app, actor, body.branch_id.toLowerCase());
    const { orgId } = actor;
    const key = requestKey(orgId, 'till', headers['idempotency-key'], { ...body, staff: actor.staffId });
    const again = async (id: Uuid): Promise<Opened> => {
      const till = await tillById(app.db.kysely, orgId, id);
      if (till === null) throw new Refusal('NOT_FOUND');
      return { till: tillReply(till), isNew: false };
    };
    const opened = await onceUnder(app, key, again, () => open(app, request, key));
    const { till, isNew } = opened instanceof Repeated ? opened.reply : opened;
    return isNew ? till : new Repeated(till);
  };
