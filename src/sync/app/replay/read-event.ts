/** Reads one event of a device: its shape by its kind, ids in lower case, its moment by our clock. */
import { parseUuid, type Uuid } from '../../../kernel/ids.ts';
import { mustBeOneOf, NO_MOMENT } from '../../../kernel/problems.ts';
import type { Fault } from '../../../kernel/refusal.ts';
import { parseInstant, type Instant } from '../../../kernel/time.ts';
import { bodyCheck, type BodyCheck } from '../../../platform/app/body-check.ts';
import { bodyHash } from '../../../platform/app/idempotency.ts';
import type { ReviewReason } from '../../../platform/domain/review.ts';
import {
  EVENT_FACTS,
  EVENT_KINDS,
  eventSchema,
  isEventKind,
  type EventKind,
} from '../../contract/event-kinds.ts';
import { eventTime } from '../../domain/event-time.ts';

export interface EventInput {
  readonly id: string;
  readonly kind?: unknown;
}

export interface ReadEvent {
  readonly id: Uuid;
  readonly kind: EventKind;
  readonly at: Instant;
  readonly staffId: Uuid;
  readonly data: Readonly<Record<string, unknown>>;
  readonly subjectId: Uuid;
  readonly contentHash: Buffer;
  /** Of the content without its moment. Null: it was stored before there were any. */
  readonly toldHash: Buffer | null;
  /** Of its moment. */
  readonly reasons: readonly ReviewReason[];
}

const checks = new Map<EventKind, BodyCheck>();

const checkOf = (kind: EventKind): BodyCheck => {
  const known = checks.get(kind) ?? bodyCheck(eventSchema(kind));
  checks.set(kind, known);
  return known;
};

const NAMES_IDS = /(^|_)ids?$/;

/** Ids are case-insensitive (Decisions 2). */
const withLowerIds = (value: unknown, isId = false): unknown => {
  if (typeof value === 'string') return isId ? value.toLowerCase() : value;
  if (Array.isArray(value)) return value.map((each) => withLowerIds(each, isId));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, withLowerIds(field, NAMES_IDS.test(name))]),
  );
};

/** Of a body that was checked as a whole. `deviceTime`: what the device's clock reads now. */
export const readEvent = (
  input: EventInput,
  deviceTime: Instant,
  now: Instant,
): ReadEvent | { readonly faults: readonly Fault[] } => {
  const { kind } = input;
  if (!isEventKind(kind)) return { faults: [{ path: 'kind', ...mustBeOneOf(EVENT_KINDS, kind) }] };
  const faults = checkOf(kind)(input);
  if (faults.length > 0) return { faults };
  const { id, by: person, data, at: told } = withLowerIds(input) as Readonly<Record<string, unknown>>;
  const moment = parseInstant(String(told));
  if (moment === null) return { faults: [{ path: 'at', ...NO_MOMENT }] };
  const by = String(person).toLowerCase();
  const fields = data as Readonly<Record<string, unknown>>;
  return {
    ...{ id: String(id), kind, staffId: by, data: fields },
    subjectId: parseUuid(String(fields[EVENT_FACTS[kind].subject])) ?? String(id),
    contentHash: bodyHash({ kind, at: told, by, data }),
    toldHash: bodyHash({ kind, by, data }),
    ...eventTime(moment, deviceTime, now),
  };
};
