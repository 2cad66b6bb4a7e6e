/** One event of a device is recorded, in one transaction (Decisions 13). */
import type { Kysely } from 'kysely';
import { parseUuid, type Uuid } from '../../../kernel/ids.ts';
import { permissionsInForce } from '../../../kernel/permission.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { Instant } from '../../../kernel/time.ts';
import type { App } from '../../../platform/app/app.ts';
import type { ChangeLog } from '../../../platform/app/commit.ts';
import type { ApplyEvent } from '../../../platform/app/replay.ts';
import type { Meter } from '../../../platform/app/meter.ts';
import { reason, type ReviewReason } from '../../../platform/domain/review.ts';
import type { Database } from '../../../platform/store/schema.ts';
import { personEver } from '../../../staff/app/shared.ts';
import { mayAtBranch } from '../../../staff/domain/staff.ts';
import {
  EVENT_FACTS,
  permissionsFor,
  REVISED_KINDS,
  type EventData,
  type EventKind,
} from '../../contract/event-kinds.ts';
import {
  lockBranchForEvents,
  reviseEvent,
  subjectBecame,
  wasTold,
  type EventOutcome,
} from '../../store/replay-event.ts';
import { isIdOfNoSale, isIdOfNoTicket } from '../../store/shared-ids.ts';
import { outcomeOf } from './outcomes.ts';
import type { ReadEvent } from './read-event.ts';

type Tx = Kysely<Database>;

/** How each topic applies its kinds. */
export type EventAppliers = { readonly [Kind in EventKind]: ApplyEvent<EventData[Kind]> };

export interface ReplayParts {
  readonly app: App;
  readonly appliers: EventAppliers;
}

/** Where the events of a request come from. */
export interface EventSource {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  readonly deviceId: Uuid;
  readonly now: Instant;
  readonly meter: Meter;
}

/** `by` is nobody of the staff of the shop. */
export class PersonUnknown extends Error {
  override readonly name = 'PersonUnknown';
}

/** Reasons that lie in who did it. Throws PersonUnknown. */
const reasonsOfPerson = async (
  tx: Tx,
  { orgId, branchId }: EventSource,
  { staffId, kind, data }: Pick<ReadEvent, 'staffId' | 'kind' | 'data'>,
): Promise<readonly ReviewReason[]> => {
  const person = await personEver(tx, orgId, staffId);
  if (person === null) throw new PersonUnknown();
  const permitted = permissionsInForce(person.role, false);
  const missing = permissionsFor(kind, data).filter((permission) => !permitted.includes(permission));
  return [
    ...(person.isActive && mayAtBranch(person, branchId) ? [] : [reason('person_left')]),
    ...missing.map((permission) => reason('not_permitted', { permission })),
  ];
};

/** A fault of the program goes to the log. */
export const reportFault = (
  { app }: Pick<ReplayParts, 'app'>,
  { id, kind }: Pick<ReadEvent, 'id' | 'kind'>,
  fault: unknown,
): void => {
  if (fault instanceof Refusal) return;
  const problem = fault instanceof Error ? fault.message : String(fault);
  const error = new Error(`The event ${id} (${kind}) of a device: ${problem}`, { cause: fault });
  app.backgroundTasks.run(() => Promise.reject(error));
};

/**
 * Locks the events of the branch until the transaction ends: they are recorded one after the other. Returns the reasons that
 * lie in the branch. Throws NOT_FOUND.
 */
export const lockedBranch = async (
  tx: Tx,
  { orgId, branchId }: Pick<EventSource, 'orgId' | 'branchId'>,
): Promise<readonly ReviewReason[]> => {
  const branch = await lockBranchForEvents(tx, orgId, branchId);
  if (branch === null) throw new Refusal('NOT_FOUND');
  return branch.isOn ? [] : [reason('branch_off')];
};

interface EventToApply {
  readonly source: EventSource;
  readonly event: ReadEvent;
  /** Of the branch, which is locked. */
  readonly ofBranch: readonly ReviewReason[];
  /** It waited too long for its till, and is recorded without it. */
  readonly isOverdue?: boolean;
}

/** The device gives an id to a sale or a ticket that something else has. */
const isIdOfAnother = (
  tx: Tx,
  { orgId }: EventSource,
  { kind, subjectId: id, data }: ReadEvent,
): Promise<boolean> => {
  const { makes } = EVENT_FACTS[kind];
  if (makes === undefined) return Promise.resolve(false);
  if (makes === 'ticket') return isIdOfNoTicket(tx, orgId, id);
  return isIdOfNoSale(tx, orgId, { id, ownTicketId: parseUuid(String(data['ticket_id'])) });
};

/**
 * Applies an event, and says what became of it. Throws PersonUnknown, and what the kind throws: INVALID_INPUT for an event
 * that is malformed.
 */
export const applyEvent = async (
  { appliers }: ReplayParts,
  tx: Tx,
  log: ChangeLog,
  { source, event, ofBranch, isOverdue = false }: EventToApply,
): Promise<EventOutcome | 'already'> => {
  const ofPerson = await reasonsOfPerson(tx, source, event);
  const { staffId, at, kind, data } = event;
  if (await isIdOfAnother(tx, source, event)) return outcomeOf({ reasons: [reason('id_taken')] }, event);
  // The data was checked against the shape of the kind.
  const apply = appliers[kind] as ApplyEvent<unknown>;
  const becameOf = (id: Uuid): Promise<Uuid | null> => subjectBecame(tx, source.orgId, id);
  // Guests on the same network address take no place of the device among long searches.
  const caller = { client: source.deviceId, meter: source.meter };
  const applied = await apply({ tx, log, ...source, caller, staffId, at, isOverdue, becameOf }, data);
  if (applied === 'known')
    return (await wasTold(tx, source.orgId, event))
      ? 'already'
      : outcomeOf({ reasons: [reason('id_taken')] }, event);
  if ('waitsFor' in applied) return outcomeOf(applied, event);
  if (applied.revises !== undefined) await reviseEvent(tx, source.orgId, REVISED_KINDS, applied.revises);
  return outcomeOf(applied, { ...event, reasons: [...event.reasons, ...ofBranch, ...ofPerson] });
};
