/** Events that waited, and whose parent is there now, or is awaited no more (Decisions 13). */
import { isTemporary } from '../../../kernel/refusal.ts';
import { addMinutes, type Instant } from '../../../kernel/time.ts';
import type { App } from '../../../platform/app/app.ts';
import { commitAndPublish, demandOpen } from '../../../platform/app/commit.ts';
import { retrying } from '../../../platform/app/retrying.ts';
import { reason } from '../../../platform/domain/review.ts';
import {
  firstDueEvent,
  hasDueEvents,
  updateEvent,
  type DueEvent,
  type EventOutcome,
  type Overdue,
} from '../../store/replay-event.ts';
import { isEventKind, OVERDUE_KINDS } from '../../contract/event-kinds.ts';
import { applyEvent, lockedBranch, reportFault, type EventSource, type ReplayParts } from './apply-event.ts';
import { APPLIED_BEFORE, broughtBy, leftToPerson, notApplied } from './outcomes.ts';
import type { ReadEvent } from './read-event.ts';

type Branch = Pick<EventSource, 'orgId' | 'branchId' | 'meter'>;

/** Money that waits longer for its till is in the books without it. */
const PATIENCE_MINUTES = 24 * 60;

export const overdueAt = (now: Instant): Overdue => ({
  ...{ before: addMinutes(now, -PATIENCE_MINUTES), kinds: OVERDUE_KINDS },
});

const dueAt = ({ clock }: App, { orgId, branchId }: Pick<Branch, 'orgId' | 'branchId'>) => ({
  ...{ orgId, branchId, overdue: overdueAt(clock.now()) },
});

const readAgain = (due: DueEvent): ReadEvent => {
  const { kind } = due;
  if (!isEventKind(kind)) throw new Error(`A stored event is of the unknown kind ${kind}.`);
  return { ...due, kind };
};

/** An overdue event waits no more; one that a person closed while it waited is looked at again. */
const ofDue = (due: DueEvent, outcome: EventOutcome): EventOutcome => {
  const isWaiting = outcome.outcome === 'waiting';
  if (isWaiting && due.isOverdue) return leftToPerson(due, reason('parent_missing'));
  if (isWaiting || !due.isClosed) return outcome;
  return { ...outcome, outcome: 'review', reasons: [...outcome.reasons, reason('closed_while_waiting')] };
};

/** Records the event that is due first; null: none is. `tell`: of which one, before it is tried. */
const applyFirst = (
  parts: ReplayParts,
  { orgId, branchId, meter }: Branch,
  tell: (due: DueEvent) => void,
): Promise<DueEvent | null> =>
  commitAndPublish(parts.app, async (tx, log) => {
    const ofBranch = await lockedBranch(tx, { orgId, branchId });
    const due = await firstDueEvent(tx, dueAt(parts.app, { orgId, branchId }));
    if (due === null) return null;
    tell(due);
    await demandOpen(tx, orgId);
    const event = readAgain(due);
    const source = { orgId, branchId, deviceId: due.deviceId, now: parts.app.clock.now(), meter };
    const { isOverdue } = due;
    const applied = await applyEvent(parts, tx, log, { source, event, ofBranch, isOverdue });
    const outcome = ofDue(due, applied === 'already' ? APPLIED_BEFORE : applied);
    await updateEvent(tx, { ...outcome, orgId, id: event.id }, broughtBy(event, outcome));
    return due;
  });

/** It could not be recorded by itself: a person looks at it. */
const keep = ({ app }: ReplayParts, due: DueEvent, fault: unknown): Promise<unknown> =>
  commitAndPublish(app, async (tx) => {
    await lockedBranch(tx, due);
    // Another request has recorded it meanwhile.
    if ((await firstDueEvent(tx, dueAt(app, due)))?.id !== due.id) return;
    await demandOpen(tx, due.orgId);
    await updateEvent(tx, { ...leftToPerson(due, notApplied(fault)), orgId: due.orgId, id: due.id }, []);
  });

/** Records what is due at the branch, the first that happened first; `most`: so many events. */
export const applyDue = async (parts: ReplayParts, branch: Branch, most = Infinity): Promise<void> => {
  const { app } = parts;
  const tried: DueEvent[] = [];
  let isMore = await hasDueEvents(app.db.kysely, dueAt(app, branch));
  for (let left = most; isMore && left > 0; left -= 1) {
    try {
      isMore = (await retrying(() => applyFirst(parts, branch, (due) => tried.splice(0, 1, due)))) !== null;
    } catch (fault) {
      const [due] = tried.splice(0);
      if (due === undefined || isTemporary(fault)) throw fault;
      reportFault(parts, readAgain(due), fault);
      await keep(parts, due, fault);
    }
  }
};
