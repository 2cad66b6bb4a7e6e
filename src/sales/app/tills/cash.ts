/** Cash that goes into a till or out of it without a sale (Decisions 12, Tills). */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../../kernel/ids.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { Instant } from '../../../kernel/time.ts';
import type { Repeated } from '../../../platform/app/answer.ts';
import type { App } from '../../../platform/app/app.ts';
import { recordAudit } from '../../../platform/app/audit.ts';
import { commitAndPublish, type ChangeLog } from '../../../platform/app/commit.ts';
import { onceUnder, requestKey, type RequestKey } from '../../../platform/app/request-key.ts';
import type { BodyOf, HeadersOf } from '../../../platform/contract/endpoint.ts';
import { claimKey } from '../../../platform/store/idempotency.ts';
import type { Database } from '../../../platform/store/schema.ts';
import type * as contract from '../../contract/tills.ts';
import {
  addMovement,
  lockTill,
  movementById,
  tillById,
  type NewMovement,
  type StoredTill,
} from '../../store/till.ts';
import { tillChanges } from '../changes.ts';
import { movementReply, type MovementReply } from '../till-reply.ts';
import { audited, lineIn, ownTill, type AtTill, type TillRequest } from './till.ts';

type Tx = Kysely<Database>;

interface Moving {
  readonly tx: Tx;
  readonly log: ChangeLog;
  readonly now: Instant;
  readonly by: AtTill;
}

/** Of a locked till. Returns the id of the movement. */
export const recordMovement = async (
  app: App,
  { tx, log, now, by }: Moving,
  till: StoredTill,
  movement: Omit<NewMovement, 'orgId' | 'id' | 'tillId' | 'staffId'>,
): Promise<Uuid> => {
  const { orgId, id: tillId } = till;
  const { kind, amount, reason } = movement;
  const id = app.random.uuid();
  await addMovement(tx, { ...movement, orgId, id, tillId, staffId: by.staffId });
  await recordAudit(app, tx, {
    ...{ ...audited('till.cash', by, till), at: now },
    detail: { kind, amount, reason },
  });
  log.add(orgId, ...tillChanges([tillId]));
  return id;
};

interface CashRequest extends TillRequest {
  readonly body: BodyOf<typeof contract.moveCash>;
  readonly headers: HeadersOf<typeof contract.moveCash>;
}

const replyOf = async (tx: Tx, orgId: Uuid, id: Uuid): Promise<MovementReply> => {
  const movement = await movementById(tx, orgId, id);
  if (movement === null) throw new Refusal('NOT_FOUND');
  return movementReply(movement);
};

const write = (
  app: App,
  { path, body, actor }: CashRequest,
  key: RequestKey | null,
): Promise<MovementReply> =>
  commitAndPublish(app, async (tx, log) => {
    const now = app.clock.now();
    const { orgId } = actor;
    const till = ownTill(actor, await lockTill(tx, orgId, path.id));
    const reason = lineIn(body.reason, 'reason');
    if (till.status !== 'open') throw new Refusal('TILL_CLOSED');
    const movement = { kind: body.kind, amount: body.amount, reason, at: now, isLate: false };
    const id = await recordMovement(app, { tx, log, now, by: actor }, till, movement);
    if (key !== null) await claimKey(tx, key, { subjectId: id, bodyHash: key.hash }, now);
    return replyOf(tx, orgId, id);
  });

/** POST /staff/tills/{id}/cash. */
export const moveCash =
  (app: App) =>
  async (request: CashRequest): Promise<MovementReply | Repeated<MovementReply>> => {
    const { path, body, headers, actor } = request;
    const { orgId, staffId } = actor;
    const key = requestKey(orgId, 'till cash', headers['idempotency-key'], {
      ...{ ...body, till: path.id, staff: staffId },
    });
    ownTill(actor, await tillById(app.db.kysely, orgId, path.id));
    return onceUnder(
      app,
      key,
      (id) => replyOf(app.db.kysely, orgId, id),
      () => write(app, request, key),
    );
  };
