/** An event of each kind: those of one evening, which belong together. The documents show them, and a test sends them. */
import type { EventData, EventKind } from './event-kinds.ts';

export interface ExampleEvent<Kind extends EventKind = EventKind> {
  readonly id: string;
  readonly kind: Kind;
  readonly at: string;
  readonly by: string;
  readonly data: EventData[Kind];
}

const PERSON = '9a7b6c5d-4e3f-4a2b-8c1d-0e9f8a7b6c5d';
const TILL = '7c6d5e4f-3a2b-4c1d-8e0f-9a8b7c6d5e4f';
const COFFEE = '5d9e3f21-7a4b-5c6d-9e8f-0a1b2c3d4e05';
const SALE = 'c1d2e3f4-a5b6-4c7d-8e9f-0a1b2c3d4e5f';
const TICKET = 'd2e3f4a5-b6c7-4d8e-9f0a-1b2c3d4e5f60';
const LINE = 'e3f4a5b6-c7d8-4e9f-8a1b-2c3d4e5f6071';

/** `place`: in the evening, from 1. `at`: minutes and seconds after five. */
const example = <Kind extends EventKind>(
  place: number,
  kind: Kind,
  at: string,
  data: EventData[Kind],
): ExampleEvent<Kind> => ({
  id: `a4f1d2c3-0b1a-4c2d-8e3f-4a5b6c7d8e${String(place).padStart(2, '0')}`,
  ...{ kind, at: `2026-12-04T17:${at}.000Z`, by: PERSON, data },
});

export const EVENT_EXAMPLES: { readonly [Kind in EventKind]: ExampleEvent<Kind> } = {
  till_open: example(1, 'till_open', '05:00', { till_id: TILL, opening_float: 50_000 }),
  sale: example(2, 'sale', '12:30', {
    sale_id: SALE,
    items: [{ menu_item_id: COFFEE, quantity: 2, unit_price: 4_500 }],
    ...{ total: 9_000, payments: [{ method: 'cash', amount: 9_000, tendered: 10_000 }], till_id: TILL },
  }),
  refund: example(3, 'refund', '14:00', {
    ...{ refund_id: 'f4a5b6c7-d8e9-4f0a-9b2c-3d4e5f607182', sale_id: SALE, lines: [{ index: 0, units: 1 }] },
    ...{ method: 'cash', amount: 4_500, reason: 'quality', till_id: TILL },
  }),
  till_cash: example(4, 'till_cash', '15:00', {
    ...{ till_id: TILL, movement: 'drop', amount: 20_000, reason: 'إلى الخزنة' },
  }),
  ticket_open: example(5, 'ticket_open', '16:00', { ticket_id: TICKET, guest_count: 2 }),
  round: example(6, 'round', '18:00', {
    ...{ ticket_id: TICKET, round_id: '05b6c7d8-e9f0-4a1b-8c3d-4e5f60718293' },
    items: [{ item_id: LINE, menu_item_id: COFFEE, quantity: 3, unit_price: 4_500 }],
  }),
  line_void: example(7, 'line_void', '20:00', {
    ...{ ticket_id: TICKET, item_id: LINE, units: 1, reason: 'guest_changed' },
  }),
  ticket_settle: example(8, 'ticket_settle', '35:00', {
    ...{ ticket_id: TICKET, sale_id: '16c7d8e9-f0a1-4b2c-9d4e-5f60718293a4', total: 9_000, till_id: TILL },
    payments: [{ method: 'card', amount: 9_000, tip: 500 }],
  }),
  ticket_void: example(9, 'ticket_void', '37:00', {
    ...{ ticket_id: '27d8e9f0-a1b2-4c3d-8e5f-60718293a4b5', reason: 'mistake' },
  }),
  till_close: example(10, 'till_close', '39:00', {
    ...{ till_id: TILL, counted: { cash: 34_500, card: 9_500 }, note: null },
  }),
};
