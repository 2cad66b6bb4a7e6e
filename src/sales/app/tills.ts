/** Tills: opened, counted and closed (Decisions 4, 12). Every change is one transaction, audited and logged. */
import type { Kysely } from 'kysely';
import { branchScope, type Change } from '../../kernel/change.ts';
import { businessDate } from '../../kernel/business-date.ts';
import { singleLine } from '../../kernel/free-text.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { HIGHEST_TOTAL, type Piastres } from '../../kernel/money.ts';
import { invalidInput, Refusal, type Fault } from '../../kernel/refusal.ts';
import { Repeated } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import { recordAudit } from '../../platform/app/audit.ts';
import { commitAndPublish } from '../../platform/app/commit.ts';
import { onceUnder, requestKey, type RequestKey } from '../../platform/app/request-key.ts';
import { retrying } from '../../platform/app/retrying.ts';
import type { BodyOf, HeadersOf, PathOf, QueryOf } from '../../platform/contract/endpoint.ts';
import { MAX_LISTED } from '../../platform/contract/lists.ts';
import { ConcurrentChange } from '../../platform/store/concurrent-change.ts';
import { claimKey } from '../../platform/store/idempotency.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { Actor } from '../../staff/app/access.ts';
import { ownBranch } from '../../staff/app/own-branch.ts';
import { mayAtBranch } from '../../staff/domain/staff.ts';
import type * as contract from '../contract/tills.ts';
import { needsTill, NO_METHOD } from '../domain/payments.ts';
import {
  CASH,
  storedFigures,
  sumCounted,
  tillFigures,
  type TillTakings,
  type Voids,
} from '../domain/till.ts';
import { figuresOfTill, salePlace, type SalePlace } from '../store/sale.ts';
import {
  addMovement,
  closeLockedTill,
  insertTill,
  lockTill,
  movementById,
  movementsOf,
  openTillOfPerson,
  tillById,
  tillForSale,
  tillsOf,
  type StoredTill,
  type TillClosing,
} from '../store/till.ts';
import { tillChanges } from './changes.ts';
import {
  movementReply,
  reportReply,
  tillInError,
  tillReply,
  type MovementReply,
  type ReportReply,
  type TillReply,
} from './till-reply.ts';

type Tx = Kysely<Database>;

/** A branch that takes online orders only with an open till begins or stops to take them. */
const openOrClosed = ({ id, branchId }: StoredTill): Change => ({
  ...{ scope: branchScope(branchId), type: 'till', id, op: 'upsert' },
});

const audited = (
  action: string,
  { orgId, staffId, deviceId }: Actor,
  till: Pick<StoredTill, 'id' | 'branchId'>,
) => ({
  ...{ orgId, staffId, deviceId, branchId: till.branchId, action, subject: 'till', subjectId: till.id },
});

// ── Open ────────────────────────────────────────────────────────────────────────────────────────

/** The open till of the actor, if it is of this branch and device. Throws the refusals of another. */
const resumed = (till: StoredTill, branchId: Uuid, { deviceId }: Actor): TillReply => {
  const extraFields = { till: tillInError(till) };
  if (till.branchId !== branchId) throw new Refusal('TILL_OPEN_AT_OTHER_BRANCH', {}, { extraFields });
  if (till.deviceId !== deviceId) throw new Refusal('TILL_OPEN_ELSEWHERE', {}, { extraFields });
  return tillReply(till);
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
    const place = await salePlace(tx, orgId, branchId);
    if (place === null) throw new Refusal('NOT_FOUND');
    const id = app.random.uuid();
    const isNew = await insertTill(tx, {
      ...{ orgId, id, branchId, staffId, deviceId, openingFloat: body.opening_float, now },
      businessDate: businessDate(place.zone, now, place.dayStartsAt),
    });
    const till = await openTillOfPerson(tx, orgId, staffId);
    // Another request has closed the till that was in the way.
    if (till === null) throw new ConcurrentChange();
    const shown = isNew ? tillReply(till) : resumed(till, branchId, actor);
    if (key !== null) await claimKey(tx, key, { subjectId: till.id, bodyHash: key.hash }, now);
    if (!isNew) return { till: shown, isNew };
    await recordAudit(app, tx, {
      ...{ ...audited('till.opened', actor, till), at: now },
      detail: { opening_float: till.openingFloat },
    });
    log.add(orgId, openOrClosed(till));
    return { till: shown, isNew };
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
    const opened = await onceUnder(app, key, again, () => retrying(() => open(app, request, key)));
    const { till, isNew } = opened instanceof Repeated ? opened.reply : opened;
    return isNew ? till : new Repeated(till);
  };

// ── Read ────────────────────────────────────────────────────────────────────────────────────────

const NO_TILL_HERE = {
  problem: 'is no till of this branch',
  arabic: 'ليست خزينة من خزائن هذا الفرع',
} as const;

/** GET /staff/tills. */
export const listTills =
  (app: App) =>
  async ({
    query,
    actor,
  }: {
    readonly query: QueryOf<typeof contract.listTills>;
    readonly actor: Actor;
  }): Promise<TillReply[]> => {
    const { branch_id: branchId, limit = MAX_LISTED, after = null } = query;
    await ownBranch(app, actor, branchId);
    const last = after === null ? null : await tillById(app.db.kysely, actor.orgId, after);
    if (after !== null && last?.branchId !== branchId) throw invalidInput({ path: 'after', ...NO_TILL_HERE });
    return (await tillsOf(app.db.kysely, actor.orgId, { branchId, limit, after })).map(tillReply);
  };

/** Throws NOT_FOUND, and NOT_PERMITTED for another person's without `tills.manage`. */
export const ownTill = (actor: Actor, till: StoredTill | null): StoredTill => {
  // Also after its person has moved to another branch.
  if (till?.tellerId === actor.staffId) return till;
  if (till === null || !mayAtBranch(actor, till.branchId)) throw new Refusal('NOT_FOUND');
  if (!actor.permissions.includes('tills.manage'))
    throw new Refusal('NOT_PERMITTED', { permission: 'tills.manage' });
  return till;
};

/** The open till of the actor, which the money comes out of. Throws TILL_REQUIRED. */
export const tillOf = async (
  tx: Tx,
  { orgId, branchId }: Pick<StoredTill, 'orgId' | 'branchId'>,
  { needsTill: rule }: SalePlace,
  { actor, method }: { readonly actor: Actor; readonly method: string },
): Promise<Uuid | null> => {
  const tillId = await tillForSale(tx, orgId, branchId, actor.staffId);
  if (tillId === null && needsTill(rule, [{ method }])) throw new Refusal('TILL_REQUIRED');
  return tillId;
};

type CountedMethods = Readonly<Record<string, Piastres>>;

const methodsOf = async (tx: Tx, { orgId, branchId }: StoredTill): Promise<readonly string[]> =>
  (await salePlace(tx, orgId, branchId))?.paymentMethods ?? [];

/** What a later topic knows of a till: the lines of tickets that its person voided while it was open. */
export type VoidsOf = (tx: Tx, orgId: Uuid, tillId: Uuid) => Promise<Voids>;

export interface TillParts {
  readonly app: App;
  readonly voidsOf: VoidsOf;
}

/** What a till has taken so far. */
const takingsOf = async (
  voidsOf: VoidsOf,
  tx: Tx,
  till: StoredTill,
): Promise<Omit<TillTakings, 'counted'>> => {
  const { orgId, id, openingFloat } = till;
  return {
    openingFloat,
    sales: await figuresOfTill(tx, orgId, id),
    movements: await movementsOf(tx, till),
    voids: await voidsOf(tx, orgId, id),
    methods: await methodsOf(tx, till),
  };
};

const reportOf = async (
  parts: TillParts,
  tx: Tx,
  till: StoredTill,
  maySee: boolean,
): Promise<ReportReply> => {
  if (till.zFigures === null && !maySee) return reportReply(till, null, await movementsOf(tx, till));
  const figures =
    till.zFigures === null
      ? tillFigures({ ...(await takingsOf(parts.voidsOf, tx, till)), counted: null })
      : storedFigures(till.zFigures);
  return reportReply(till, figures, figures.movements);
};

interface TillRequest {
  readonly path: PathOf<typeof contract.getTillReport>;
  readonly actor: Actor;
}

/** GET /staff/tills/{id}/report. */
export const getTillReport =
  (parts: TillParts) =>
  ({ path, actor }: TillRequest): Promise<ReportReply> =>
    parts.app.db.snapshot(async (tx) => {
      const till = ownTill(actor, await tillById(tx, actor.orgId, path.id));
      return reportOf(parts, tx, till, actor.permissions.includes('tills.read_expected'));
    });

// ── Cash ────────────────────────────────────────────────────────────────────────────────────────

const BLANK = { problem: 'has no visible character', arabic: 'النص فارغ' } as const;

/** Throws INVALID_INPUT. */
const lineIn = (text: string, path: string): string => {
  const line = singleLine(text);
  if (line === null) throw invalidInput({ path, ...BLANK });
  return line;
};

/** POST /staff/tills/{id}/cash. */
export const moveCash =
  (app: App) =>
  async ({
    path,
    body,
    headers,
    actor,
  }: TillRequest & {
    readonly body: BodyOf<typeof contract.moveCash>;
    readonly headers: HeadersOf<typeof contract.moveCash>;
  }): Promise<MovementReply | Repeated<MovementReply>> => {
    const { orgId, staffId } = actor;
    const key = requestKey(orgId, 'till cash', headers['idempotency-key'], {
      ...{ ...body, till: path.id, staff: staffId },
    });
    const replyOf = async (tx: Tx, id: Uuid): Promise<MovementReply> => {
      const movement = await movementById(tx, orgId, id);
      if (movement === null) throw new Refusal('NOT_FOUND');
      return movementReply(movement);
    };
    ownTill(actor, await tillById(app.db.kysely, orgId, path.id));
    return onceUnder(
      app,
      key,
      (id) => replyOf(app.db.kysely, id),
      () =>
        commitAndPublish(app, async (tx, log) => {
          const now = app.clock.now();
          const till = ownTill(actor, await lockTill(tx, orgId, path.id));
          const reason = lineIn(body.reason, 'reason');
          if (till.status !== 'open') throw new Refusal('TILL_CLOSED');
          const id = app.random.uuid();
          const { kind, amount } = body;
          await addMovement(tx, { orgId, id, tillId: till.id, kind, amount, reason, staffId }, now);
          await recordAudit(app, tx, {
            ...{ ...audited('till.cash', actor, till), at: now },
            detail: { kind, amount, reason },
          });
          if (key !== null) await claimKey(tx, key, { subjectId: id, bodyHash: key.hash }, now);
          log.add(orgId, ...tillChanges([till.id]));
          return replyOf(tx, id);
        }),
    );
  };

// ── Close ───────────────────────────────────────────────────────────────────────────────────────

const UNCOUNTED = {
  problem: 'is required: cash is always counted',
  arabic: 'مطلوب: النقدية تُعد دائماً',
} as const;
const TOO_MUCH = { problem: 'is more than a till can hold', arabic: 'أكبر مما تحتمله الخزينة' } as const;

/** Throws INVALID_INPUT with all faults. */
const countedIn = (
  counted: BodyOf<typeof contract.closeTill>['counted'],
  methods: readonly string[],
): CountedMethods => {
  const faults: Fault[] = Object.hasOwn(counted, CASH) ? [] : [{ path: `counted.${CASH}`, ...UNCOUNTED }];
  const sums = Object.entries(counted).map(([method, count]): [string, Piastres] => {
    const path = `counted.${method}`;
    if (method !== CASH && !methods.includes(method)) faults.push({ path, ...NO_METHOD });
    const sum = sumCounted(count);
    if (sum > HIGHEST_TOTAL) faults.push({ path, ...TOO_MUCH });
    return [method, sum];
  });
  if (faults.length > 0) throw invalidInput(...faults);
  return Object.fromEntries(sums);
};

/** What a close decides on; null: nothing is counted. Throws INVALID_INPUT. */
type Decide = (methods: readonly string[]) => Omit<TillClosing, 'figures' | 'closedBy'>;

const closing = (parts: TillParts, { path, actor }: TillRequest, decide: Decide): Promise<ReportReply> => {
  const { app } = parts;
  return commitAndPublish(app, async (tx, log) => {
    const till = ownTill(actor, await lockTill(tx, actor.orgId, path.id));
    if (till.status !== 'open') return reportOf(parts, tx, till, true);
    const now = app.clock.now();
    const takings = await takingsOf(parts.voidsOf, tx, till);
    const taken = tillFigures({ ...takings, counted: null });
    const decided = decide(taken.methods.map(({ method }) => method));
    const figures = tillFigures({ ...takings, counted: decided.counted });
    await closeLockedTill(tx, till, { ...decided, closedBy: actor.staffId, figures }, now);
    const closed = await tillById(tx, actor.orgId, till.id);
    if (closed === null) throw new Error('A till that was closed is there.');
    await recordAudit(app, tx, {
      ...{ ...audited(`till.${decided.status}`, actor, till), at: now },
      detail: { z_number: closed.zNumber, total: figures.total, note: decided.note },
    });
    log.add(actor.orgId, openOrClosed(till));
    return reportOf(parts, tx, closed, true);
  });
};

/** POST /staff/tills/{id}/close. */
export const closeTill =
  (parts: TillParts) =>
  ({ body, ...request }: TillRequest & { readonly body: BodyOf<typeof contract.closeTill> }) =>
    closing(parts, request, (methods) => ({
      status: 'closed',
      counted: countedIn(body.counted, methods),
      note: singleLine(body.note),
    }));

/** POST /staff/tills/{id}/force-close. */
export const forceCloseTill =
  (parts: TillParts) =>
  ({ body, ...request }: TillRequest & { readonly body: BodyOf<typeof contract.forceCloseTill> }) =>
    closing(parts, request, () => ({
      ...{ status: 'force_closed', counted: null, note: lineIn(body.note, 'note') },
    }));
