/** Events of a device, as `POST /sync/replay` takes them (Decisions 13), and what the server answers to each. */
import { parseUuid } from '../../../kernel/ids.ts';

export interface QueuedEvent {
  /** A UUID made by the device: the server counts an event once, however often it is sent. */
  readonly id: string;
  /** The server knows the kinds; a stored event may be of a newer or older version of the device's program. */
  readonly kind: string;
  /** When it happened by the device's clock, with an offset: `2026-12-04T17:40:00.000Z`. */
  readonly at: string;
  /** Id of the member of staff. */
  readonly by: string;
  /** JSON. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Figures of a refusal. */
type Vars = Readonly<Record<string, unknown>>;

export interface EventResult {
  readonly id: string;
  readonly outcome: 'applied' | 'already' | 'waiting' | 'review' | 'refused';
  readonly code?: string | null;
  readonly vars?: Vars;
}

/** An event that the server does not take, kept until a person dismisses it. */
export interface RefusedEvent {
  readonly event: QueuedEvent;
  readonly code: string | null;
  readonly vars: Vars;
  /** The words of the server where it refused a whole request; null: it refused this event by its code. */
  readonly message: string | null;
}

/** Every fault of an event or of a file of events, each with its place. */
export class EventFaults extends Error {
  override readonly name = 'EventFaults';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** As the server writes it in its answer. */
const isUuid = (value: unknown): boolean => typeof value === 'string' && parseUuid(value) === value;

const isInstant = (value: unknown): boolean =>
  typeof value === 'string' && INSTANT.test(value) && !Number.isNaN(Date.parse(value));

const FIELDS: Readonly<Record<keyof QueuedEvent, readonly [(value: unknown) => boolean, string]>> = {
  id: [isUuid, 'is not a UUID in lower case'],
  kind: [(value) => typeof value === 'string' && /^[a-z_]{1,64}$/.test(value), 'is not a kind of event'],
  at: [isInstant, 'is not an instant such as 2026-12-04T17:40:00.000Z'],
  by: [isUuid, 'is not a UUID in lower case'],
  data: [isRecord, 'is not an object'],
};

/** `place`: how the faults begin, such as `events[3].`. */
export const eventFaults = (value: unknown, place = ''): string[] => {
  if (!isRecord(value)) return [`${place === '' ? 'the event' : place.slice(0, -1)} is not an object`];
  const wrong = Object.entries(FIELDS).filter(([name, [isRight]]) => !isRight(value[name]));
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(FIELDS, name));
  return [
    ...wrong.map(([name, [, fault]]) => `${place}${name} ${fault}`),
    ...unknown.map((name) => `${place}${name} is no field of an event`),
  ];
};

export const isEvent = (value: unknown): value is QueuedEvent => eventFaults(value).length === 0;

export const isRefusedEvent = (value: unknown): value is RefusedEvent =>
  isRecord(value) &&
  isEvent(value['event']) &&
  (value['code'] === null || typeof value['code'] === 'string') &&
  isRecord(value['vars']) &&
  (value['message'] === null || typeof value['message'] === 'string');

/** `answer`: from outside, so only what has its type is kept. */
export const refusedEvent = (
  event: QueuedEvent,
  { code, vars }: { readonly code?: unknown; readonly vars?: unknown },
  message: string | null,
): RefusedEvent => ({
  event,
  code: typeof code === 'string' ? code : null,
  vars: isRecord(vars) ? vars : {},
  message,
});

/** A copy that is exactly what JSON carries, so that it is stored as it is sent. Throws EventFaults. */
export const storable = (event: QueuedEvent): QueuedEvent => {
  const copy: unknown = JSON.parse(JSON.stringify(event));
  if (!isEvent(copy)) throw new EventFaults(eventFaults(copy));
  return copy;
};
