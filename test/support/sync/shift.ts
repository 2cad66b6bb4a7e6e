/** A shift of a device without the server, and what the books must have of it. */
import type { DeviceEvent } from './device-events.ts';
import { eventsOf, paid, recordedCoffees, recordedLine } from './device-events.ts';
import { newId } from '../database/ids.ts';
import type { SignedIn } from '../people/staff.ts';
import { done } from '../server/requests.ts';
import type { World } from '../server/world.ts';

const HOUR = 60 * 60_000;

export interface Shift {
  readonly ids: Readonly<Record<'till' | 'sale' | 'ticket' | 'bill' | 'refund' | 'line', string>>;
  /** Ten, in the order in which they happened; the last one closes the till. */
  readonly events: readonly DeviceEvent[];
}

/** A till, three coffees over the counter, a ticket of two rounds, cash to the safe, a refund, the count. */
export const aShift = (world: Pick<World, 'now'>): Shift => {
  const event = eventsOf(world, 'manager', world.now - HOUR);
  const ids = {
    till: newId(),
    sale: newId(),
    ticket: newId(),
    bill: newId(),
    refund: newId(),
    line: newId(),
  };
  const at = { till_id: ids.till };
  return {
    ids,
    events: [
      event('till_open', { ...at, opening_float: 50_000 }),
      event('sale', {
        sale_id: ids.sale,
        items: recordedCoffees(3),
        total: 13_500,
        payments: paid(13_500),
        ...at,
      }),
      event('ticket_open', { ticket_id: ids.ticket, guest_count: 2 }),
      event('round', { ticket_id: ids.ticket, round_id: newId(), items: [recordedLine(2, ids.line)] }),
      event('round', { ticket_id: ids.ticket, round_id: newId(), items: [recordedLine(1)] }),
      event('line_void', { ticket_id: ids.ticket, item_id: ids.line, units: 1, reason: 'mistake' }),
      event('till_cash', { ...at, movement: 'drop', amount: 10_000, reason: 'إلى الخزنة' }),
      event('ticket_settle', {
        ...{ ticket_id: ids.ticket, sale_id: ids.bill, total: 9_000, payments: paid(9_000, 'card'), ...at },
      }),
      event('refund', {
        ...{ refund_id: ids.refund, sale_id: ids.sale, lines: [{ index: 0, units: 1 }], method: 'cash' },
        ...{ amount: 4_500, reason: 'quality', ...at },
      }),
      event('till_close', { ...at, counted: { cash: 49_000, card: 9_000 } }),
    ],
  };
};

/** What the books have of a shift, without what differs by chance. */
export const booksOf = async (world: Pick<World, 'get'>, who: SignedIn, { ids }: Shift) => {
  const saleOf = async (id: string) => done('getSale', await world.get(`/staff/sales/${id}`, { ...who }));
  const report = await world.get(`/staff/tills/${ids.till}/report`, { ...who });
  const { figures, late, z_number: number } = done('getTillReport', report);
  const sales = [await saleOf(ids.sale), await saleOf(ids.bill)];
  return {
    ...{ number: number !== null, late: late.length },
    methods: figures?.methods.map(({ method, expected, counted, difference }) => [
      method,
      expected,
      counted,
      difference,
    ]),
    sales: sales.map((sale) => [sale.total, sale.recorded_difference, sale.refunded, sale.source]),
    lines: sales.map(({ cart }) =>
      (cart as { lines: { quantity: number }[] }).lines.map(({ quantity }) => quantity).sort(),
    ),
  };
};

export const BOOKS = {
  ...{ number: true, late: 0 },
  methods: [
    ['cash', 49_000, 49_000, 0],
    ['card', 9_000, 9_000, 0],
  ],
  sales: [
    [13_500, 0, 4_500, 'replay'],
    [9_000, 0, 0, 'replay'],
  ],
  lines: [[3], [1, 1]],
};
