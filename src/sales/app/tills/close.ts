/** Tills are counted and closed (Decisions 4, 12). One transaction, audited and logged. */
import type { Kysely } from 'kysely';
import { singleLine } from '../../../kernel/free-text.ts';
import { HIGHEST_TOTAL, type Piastres } from '../../../kernel/money.ts';
import { invalidInput, type Fault } from '../../../kernel/refusal.ts';
import type { Instant } from '../../../kernel/time.ts';
import type { App } from '../../../platform/app/app.ts';
import { recordAudit } from '../../../platform/app/audit.ts';
import { commitAndPublish, type ChangeLog } from '../../../platform/app/commit.ts';
import type { BodyOf } from '../../../platform/contract/endpoint.ts';
import type { Database } from '../../../platform/store/schema.ts';
import type * as contract from '../../contract/tills.ts';
import { NO_METHOD } from '../../domain/payments.ts';
import {
  CASH,
  knownMethods,
  sumCounted,
  tillFigures,
  type Counted,
  type TillTakings,
} from '../../domain/till.ts';
import { closeLockedTill, lockTill, tillById, type StoredTill, type TillClosing } from '../../store/till.ts';
import type { ReportReply } from '../till-reply.ts';
import { reportOf, takingsOf, type TillParts } from './report.ts';
import { audited, lineIn, openOrClosed, ownTill, type AtTill, type TillRequest } from './till.ts';

// ── Count ───────────────────────────────────────────────────────────────────────────────────────

const UNCOUNTED = {
  problem: 'is required: cash is always counted',
  arabic: 'مطلوب: النقدية تُعد دائماً',
} as const;
const TOO_MUCH = { problem: 'is more than a till can hold', arabic: 'أكبر مما تحتمله الخزينة' } as const;

type CountedSums = Readonly<Record<string, Piastres>>;

/** By method. `more`: further faults. Throws INVALID_INPUT with all faults. */
export const countedSums = (
  counted: Readonly<Record<string, Counted>>,
  path: string,
  more: readonly Fault[] = [],
): CountedSums => {
  const sums = Object.entries(counted).map(([method, count]) => [method, sumCounted(count)] as const);
  const tooMuch = sums
    .filter(([, sum]) => sum > HIGHEST_TOTAL)
    .map(([method]): Fault => ({ path: `${path}.${method}`, ...TOO_MUCH }));
  const faults = [...more, ...tooMuch];
  if (faults.length > 0) throw invalidInput(...faults);
  return Object.fromEntries(sums);
};

/** Throws INVALID_INPUT with all faults. */
const countedIn = (
  counted: BodyOf<typeof contract.closeTill>['counted'],
  methods: readonly string[],
): CountedSums => {
  const uncounted: Fault[] = Object.hasOwn(counted, CASH) ? [] : [{ path: `counted.${CASH}`, ...UNCOUNTED }];
  const unknown = Object.keys(counted)
    .filter((method) => !methods.includes(method))
    .map((method): Fault => ({ path: `counted.${method}`, ...NO_METHOD }));
  return countedSums(counted, 'counted', [...uncounted, ...unknown]);
};

// ── Close ───────────────────────────────────────────────────────────────────────────────────────

interface Closing extends Omit<TillClosing, 'figures' | 'closedBy'> {
  readonly by: AtTill;
  /** What the till has taken. */
  readonly takings: Omit<TillTakings, 'counted'>;
}

/** Closes a locked till that is open; it is returned as it is then. */
export const closeOpenTill = async (
  app: App,
  { tx, log, now }: { readonly tx: Kysely<Database>; readonly log: ChangeLog; readonly now: Instant },
  till: StoredTill,
  { by, takings, ...closing }: Closing,
): Promise<StoredTill> => {
  const { orgId, id } = till;
  const figures = tillFigures({ ...takings, counted: closing.counted });
  await closeLockedTill(tx, till, { ...closing, closedBy: by.staffId, figures });
  const closed = await tillById(tx, orgId, id);
  if (closed === null) throw new Error('A till that was closed is there.');
  await recordAudit(app, tx, {
    ...{ ...audited(`till.${closing.status}`, by, till), at: now },
    detail: { z_number: closed.zNumber, total: figures.total, note: closing.note },
  });
  log.add(orgId, openOrClosed(till));
  return closed;
};

/** What a close decides on, from the known methods. Throws INVALID_INPUT. */
type Decide = (methods: readonly string[]) => Pick<TillClosing, 'status' | 'counted' | 'note'>;

const closing = (parts: TillParts, { path, actor }: TillRequest, decide: Decide): Promise<ReportReply> => {
  const { app } = parts;
  return commitAndPublish(app, async (tx, log) => {
    const till = ownTill(actor, await lockTill(tx, actor.orgId, path.id));
    if (till.status !== 'open') return reportOf(parts, tx, till, true);
    const now = app.clock.now();
    const takings = await takingsOf(parts, tx, till);
    const decided = decide(knownMethods(takings));
    const closed = await closeOpenTill(app, { tx, log, now }, till, {
      ...decided,
      takings,
      by: actor,
      closedAt: now,
    });
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
