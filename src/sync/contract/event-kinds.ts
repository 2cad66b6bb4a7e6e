/** The events that devices send, by kind: what each carries, and who may do it (Decisions 13). */
import Type, { type TSchema } from 'typebox';
import { TICKET_EVENTS, type TicketEventData } from '../../floor/contract/events.ts';
import type { Permission } from '../../kernel/permission.ts';
import { IdInput, MomentInput, Text } from '../../platform/contract/scalars.ts';
import { SALE_EVENTS, type SaleEventData } from '../../sales/contract/events.ts';

export type EventData = SaleEventData & TicketEventData;
export type EventKind = keyof EventData;

export const EVENT_DATA = { ...SALE_EVENTS, ...TICKET_EVENTS } as const satisfies Record<EventKind, TSchema>;

export const EVENT_KINDS = Object.keys(EVENT_DATA) as readonly EventKind[];

export const isEventKind = (kind: unknown): kind is EventKind =>
  typeof kind === 'string' && Object.hasOwn(EVENT_DATA, kind);

interface KindFacts {
  /** Done by a person without it, the event is recorded and reviewed. */
  readonly permission: Permission;
  /** By a field of the data or of its items: another permission for an event that has it. */
  readonly also?: Readonly<Record<string, Permission>>;
  /** Money: where its till does not come for a day, it is recorded without. */
  readonly isOverdueWithoutTill?: true;
  /** It is worked out anew when more of it comes, and may be in review then. */
  readonly isRevised?: true;
  /** It gives its subject an id of the space that sales, tickets and online orders share. */
  readonly makes?: 'sale' | 'ticket';
  /** The field that names what the event makes or changes. */
  readonly subject: string;
  readonly text: string;
}

export const EVENT_FACTS: Readonly<Record<EventKind, KindFacts>> = {
  till_open: { permission: 'tills.use', subject: 'till_id', text: 'A person opened a till.' },
  till_cash: {
    ...{ permission: 'tills.use', subject: 'till_id' },
    text: 'Cash went into a till or out of it without a sale.',
  },
  till_close: { permission: 'tills.use', subject: 'till_id', text: 'A till was counted and closed.' },
  ticket_open: {
    ...{ permission: 'tickets.use', subject: 'ticket_id', makes: 'ticket' },
    text: 'A ticket was opened.',
  },
  round: { permission: 'tickets.use', subject: 'round_id', text: 'A round was fired on a ticket.' },
  line_void: {
    ...{ permission: 'tickets.void', subject: 'ticket_id' },
    text: 'Units of a line of a ticket are not paid for.',
  },
  ticket_settle: {
    ...{ permission: 'tickets.settle', subject: 'sale_id', also: { discount_id: 'tickets.discount' } },
    ...{ isOverdueWithoutTill: true, isRevised: true, makes: 'sale' },
    text: 'A ticket was paid, and became a sale.',
  },
  ticket_void: { permission: 'tickets.void', subject: 'ticket_id', text: 'A ticket ended without a sale.' },
  sale: {
    ...{ permission: 'sales.sell', subject: 'sale_id', also: { staff_drink: 'orders.staff_drink.record' } },
    ...{ isOverdueWithoutTill: true, makes: 'sale' },
    text: 'A sale over the counter; a line with `staff_drink` is a drink of the staff.',
  },
  refund: {
    ...{ permission: 'sales.refund', subject: 'refund_id', isOverdueWithoutTill: true },
    text: 'Money went back for units of a sale.',
  },
};

const kindsWith = (fact: 'isOverdueWithoutTill' | 'isRevised'): readonly EventKind[] =>
  EVENT_KINDS.filter((kind) => EVENT_FACTS[kind][fact] === true);

export const OVERDUE_KINDS = kindsWith('isOverdueWithoutTill');
export const REVISED_KINDS = kindsWith('isRevised');

const hasField = (data: unknown, name: string): boolean =>
  typeof data === 'object' && data !== null && Boolean(Reflect.get(data, name));

/** What a person needs to do what the event says. */
export const permissionsFor = (
  kind: EventKind,
  data: Readonly<Record<string, unknown>>,
): readonly Permission[] => {
  const { permission, also = {} } = EVENT_FACTS[kind];
  const items: readonly unknown[] = Array.isArray(data['items']) ? data['items'] : [];
  const more = Object.entries(also).filter(([name]) => [data, ...items].some((part) => hasField(part, name)));
  return [permission, ...more.map(([, one]) => one)];
};

const strict = { additionalProperties: false } as const;

export const eventSchema = (kind: EventKind): TSchema =>
  Type.Object(
    {
      id: IdInput('Of the event, made by the device: it counts once, however often it is sent.'),
      kind: Text(),
      at: MomentInput('When it happened, by the clock of the device.'),
      by: IdInput('Who did it: a member of the staff.'),
      data: EVENT_DATA[kind],
    },
    strict,
  );
