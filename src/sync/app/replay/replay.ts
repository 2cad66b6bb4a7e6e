/** POST /sync/replay (Decisions 13): each event of a device in a transaction of its own. */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../../kernel/ids.ts';
import { NO_MOMENT } from '../../../kernel/problems.ts';
import { invalidInput, isTemporary, Refusal } from '../../../kernel/refusal.ts';
import { isoInstant, parseInstant } from '../../../kernel/time.ts';
import { commitAndPublish, demandOpen } from '../../../platform/app/commit.ts';
import { retrying } from '../../../platform/app/retrying.ts';
import type { JobContext } from '../../../platform/app/job-context.ts';
import type { BodyOf, ReplyOf } from '../../../platform/contract/endpoint.ts';
import { reason } from '../../../platform/domain/review.ts';
import type { Database } from '../../../platform/store/schema.ts';
import { ConcurrentChange } from '../../../platform/store/concurrent-change.ts';
import type { PairedDevice } from '../../../staff/app/access.ts';
import type * as contract from '../../contract/replay.ts';
import { insertEvent, seenEvents, type EventOutcome, type SeenEvent } from '../../store/replay-event.ts';
import {
  applyEvent,
  lockedBranch,
  PersonUnknown,
  reportFault,
  type EventSource,
  type ReplayParts,
} from './apply-event.ts';
import { applyDue } from './due-events.ts';
import { APPLIED_BEFORE, broughtBy, leftToPerson, notApplied } from './outcomes.ts';
import { readEvent, type ReadEvent } from './read-event.ts';

type Reply = ReplyOf<typeof contract.replayEvents>;
type Result = Reply['results'][number];

type Tx = Kysely<Database>;

// ── Results ─────────────────────────────────────────────────────────────────────────────────────

const refused = (id: Uuid, code: string, vars: Result['vars'] = {}): Result => ({
  ...{ id, outcome: 'refused', code, vars },
});

const resultOf = (
  id: Uuid,
  { outcome, waitsFor, reasons }: Omit<EventOutcome, 'data' | 'resultId'>,
): Result => {
  if (outcome === 'applied') return { id, outcome };
  if (outcome === 'waiting') return { id, outcome, vars: { waits_for: waitsFor } };
  const all = reasons.map(({ code, figures }) => ({ code, vars: figures }));
  return { id, outcome, code: all[0]?.code ?? null, vars: { ...all[0]?.vars, reasons: all } };
};

const seenResult = ({ id, contentHash }: ReadEvent, seen: SeenEvent): Result =>
  seen.contentHash.equals(contentHash)
    ? { id, outcome: 'already', vars: { outcome: seen.outcome } }
    : refused(id, 'EVENT_ID_REUSED');

// ── One event ───────────────────────────────────────────────────────────────────────────────────

const stored = (source: EventSource, event: ReadEvent, outcome: EventOutcome) => ({
  ...{ orgId: source.orgId, branchId: source.branchId, deviceId: source.deviceId, receivedAt: source.now },
  ...{ id: event.id, staffId: event.staffId, kind: event.kind, subjectId: event.subjectId, at: event.at },
  ...{ contentHash: event.contentHash, toldHash: event.toldHash, ...outcome },
});

interface Recorded {
  readonly result: Result;
  /** Others waited for it. */
  readonly bringsDue: boolean;
}

const seenIn = async (db: Tx, { orgId }: EventSource, event: ReadEvent): Promise<Recorded | null> => {
  const [seen] = await seenEvents(db, orgId, [event.id]);
  return seen === undefined ? null : { result: seenResult(event, seen), bringsDue: false };
};

/** Throws `ConcurrentChange` where it is recorded at another branch at the same time. */
const record = (parts: ReplayParts, source: EventSource, event: ReadEvent): Promise<Recorded> =>
  commitAndPublish(parts.app, async (tx, log) => {
    const ofBranch = await lockedBranch(tx, source);
    const seen = await seenIn(tx, source, event);
    if (seen !== null) return seen;
    const applied = await applyEvent(parts, tx, log, { source, event, ofBranch });
    const outcome = applied === 'already' ? APPLIED_BEFORE : applied;
    const brings = broughtBy(event, outcome);
    // What waits logs no change.
    await demandOpen(tx, source.orgId);
    const { isNew, released } = await insertEvent(tx, stored(source, event, outcome), brings);
    if (!isNew) throw new ConcurrentChange();
    const { id } = event;
    const result: Result =
      applied === 'already'
        ? { id, outcome: 'already', vars: { outcome: APPLIED_BEFORE.outcome } }
        : resultOf(id, applied);
    return { result, bringsDue: released > 0 };
  });

/** What could not be recorded by itself is kept with its data, for a person. */
const keep = (parts: ReplayParts, source: EventSource, event: ReadEvent, fault: unknown): Promise<Recorded> =>
  commitAndPublish(parts.app, async (tx) => {
    const outcome = leftToPerson(event, notApplied(fault));
    await demandOpen(tx, source.orgId);
    const { isNew } = await insertEvent(tx, stored(source, event, outcome), []);
    const seen = isNew ? null : await seenIn(tx, source, event);
    return seen ?? { result: resultOf(event.id, outcome), bringsDue: false };
  });

const isMalformed = (fault: unknown): fault is Refusal =>
  fault instanceof Refusal && fault.refusal === 'INVALID_INPUT';

/** Throws what is temporary, such as UNAVAILABLE and RATE_LIMITED: the device sends it again. */
const taken = async (parts: ReplayParts, source: EventSource, event: ReadEvent): Promise<Recorded> => {
  try {
    return await retrying(() => record(parts, source, event));
  } catch (fault) {
    if (fault instanceof PersonUnknown)
      return { result: refused(event.id, 'PERSON_UNKNOWN', { by: event.staffId }), bringsDue: false };
    if (isMalformed(fault))
      return { result: refused(event.id, 'INVALID_INPUT', { fields: fault.faults }), bringsDue: false };
    if (isTemporary(fault)) throw fault;
    reportFault(parts, event, fault);
    return keep(parts, source, event, fault);
  }
};

// ── The operation ───────────────────────────────────────────────────────────────────────────────

const ofEndedDevice = (event: ReadEvent): ReadEvent => ({
  ...event,
  reasons: [...event.reasons, reason('device_ended')],
});

interface ReplayRequest {
  readonly body: BodyOf<typeof contract.replayEvents>;
  readonly actor: PairedDevice;
  readonly caller: JobContext;
}

/** An event of the request by its place in it. */
interface Placed {
  readonly place: number;
  readonly event: ReadEvent;
}

/** In the order in which they happened, where the request has them in another. */
const inTurn = (events: readonly Placed[]): readonly Placed[] =>
  events.toSorted((a, b) => a.event.at - b.event.at);

/** Events that waited when they came, and whose parent came with the request. */
const withLater = async (
  { app }: ReplayParts,
  { orgId }: EventSource,
  results: readonly Result[],
): Promise<readonly Result[]> => {
  const waiting = results.filter(({ outcome }) => outcome === 'waiting').map(({ id }) => id.toLowerCase());
  if (waiting.length === 0) return results;
  const now = new Map((await seenEvents(app.db.kysely, orgId, waiting)).map((one) => [one.id, one]));
  return results.map((result) => {
    const later = result.outcome === 'waiting' ? now.get(result.id.toLowerCase()) : undefined;
    return later === undefined ? result : resultOf(result.id, later);
  });
};

/** Most events that come again are known by one look. */
const seenBefore = async (
  { app }: ReplayParts,
  { orgId }: EventSource,
  events: readonly Placed[],
): Promise<ReadonlyMap<Uuid, SeenEvent>> => {
  const seen = await seenEvents(
    app.db.kysely,
    orgId,
    events.map(({ event }) => event.id),
  );
  return new Map(seen.map((one) => [one.id, one]));
};

const sourceOf = ({ app }: ReplayParts, { body, actor, caller }: ReplayRequest): EventSource => {
  const { orgId, branchId, deviceId } = actor;
  if (body.branch_id.toLowerCase() !== branchId) throw new Refusal('DEVICE_OF_OTHER_BRANCH');
  return { orgId, branchId, deviceId, now: app.clock.now(), meter: caller.meter };
};

export const replayEvents =
  (parts: ReplayParts) =>
  async (request: ReplayRequest): Promise<Reply> => {
    const { body, actor } = request;
    const source = sourceOf(parts, request);
    const deviceTime = parseInstant(body.device_time);
    if (deviceTime === null) throw invalidInput({ path: 'device_time', ...NO_MOMENT });
    const idAt = (place: number): string => body.events[place]?.id ?? '';
    const results: Result[] = [];
    const valid: Placed[] = [];
    for (const [place, input] of body.events.entries()) {
      const event = readEvent(input, deviceTime, source.now);
      if ('faults' in event) results[place] = refused(input.id, 'INVALID_INPUT', { fields: event.faults });
      else valid.push({ place, event: actor.hasEnded ? ofEndedDevice(event) : event });
    }
    const seen = await seenBefore(parts, source, valid);
    for (const { place, event } of valid) {
      const before = seen.get(event.id);
      if (before !== undefined) results[place] = { ...seenResult(event, before), id: idAt(place) };
    }
    await applyDue(parts, source);
    for (const { place, event } of inTurn(valid.filter(({ event: { id } }) => !seen.has(id)))) {
      const { result, bringsDue } = await taken(parts, source, event);
      results[place] = { ...result, id: idAt(place) };
      if (bringsDue) await applyDue(parts, source);
    }
    const final = await withLater(parts, source, results);
    return { server_time: isoInstant(source.now), results: [...final] };
  };
