/** What devices tell of tickets that they changed without the server (Decisions 13). */
import Type, { type Static } from 'typebox';
import { IdInput, nullable, optionalNullable, Word } from '../../platform/contract/scalars.ts';
import { RecordedLine } from '../../pricing/contract/cart.ts';
import { MAX_LINES } from '../../pricing/domain/cart/limits.ts';
import { eventTill, eventTotal, eventVoucher } from '../../sales/contract/events.ts';
import { RecordedPayments } from '../../sales/contract/payments.ts';
import { VOID_REASONS } from '../../sales/domain/void-reason.ts';
import { TicketReward } from './settle.ts';
import { guestCount, nameText, units } from './tickets.ts';

const strict = { additionalProperties: false } as const;

const ticketId = IdInput('The ticket, by the id that the device gave it, or the server.');
const reason = {
  reason: Word(VOID_REASONS),
  note: Type.Optional(nullable(Type.String({ maxLength: 500 }))),
};

export const TICKET_EVENTS = {
  ticket_open: Type.Object(
    {
      ticket_id: IdInput('The id of the ticket, made by the device.'),
      table_id: optionalNullable(IdInput('A table of the branch.')),
      guest_count: optionalNullable(guestCount),
      customer_name: optionalNullable(nameText),
    },
    strict,
  ),
  round: Type.Object(
    {
      ticket_id: ticketId,
      round_id: IdInput('The id of the round, made by the device.'),
      items: Type.Array(RecordedLine, { minItems: 1, maxItems: MAX_LINES }),
    },
    strict,
  ),
  line_void: Type.Object(
    { ticket_id: ticketId, item_id: IdInput('The line, by its id.'), units, ...reason },
    strict,
  ),
  ticket_settle: Type.Object(
    {
      ticket_id: ticketId,
      sale_id: IdInput('The id of its sale, made by the device.'),
      total: eventTotal,
      payments: RecordedPayments,
      ...eventTill,
      discount_id: optionalNullable(
        IdInput('A discount that the tills of the branch offer; that of the ticket when null or left out.'),
      ),
      rewards: Type.Optional(
        Type.Array(TicketReward, {
          maxItems: MAX_LINES,
          description: 'Loyalty rewards that the member spent.',
        }),
      ),
      member_id: optionalNullable(IdInput('The loyalty card; that of the ticket when null or left out.')),
      ...eventVoucher,
    },
    strict,
  ),
  ticket_void: Type.Object({ ticket_id: ticketId, ...reason }, strict),
};

export type TicketEventData = {
  readonly [Kind in keyof typeof TICKET_EVENTS]: Static<(typeof TICKET_EVENTS)[Kind]>;
};
