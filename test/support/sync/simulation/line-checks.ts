/** The lines of tickets: each once, void where somebody meant it, on its bill, and in the sale of that. */
import { billsOf, type Bill } from './bills.ts';
import type { BookedLine, BookedSale, BookedTicket, Books } from './books.ts';
import { livingTicket, type FiredLine, type SoldLine, type Ticket } from './ledger.ts';
import { differences, sumOf, type Faults } from './lists.ts';
import { ITEM_KEYS, type Place } from './place.ts';
import { UNDER_WAY_MS, type Scene } from './scene.ts';

export const lineText = ({ item, units, unitPrice }: SoldLine): string => `${units} ${item} at ${unitPrice}`;

/** Of a line in the books. */
export const bookedText = (
  place: Place,
  { itemId, units, unitPrice }: Omit<SoldLine, 'item'> & { readonly itemId: string },
): string =>
  lineText({ item: ITEM_KEYS.find((key) => place.itemId(key) === itemId) ?? itemId, units, unitPrice });

// ── Each once ───────────────────────────────────────────────────────────────────────────────────

interface BookedRow extends BookedLine {
  readonly ticket: BookedTicket;
}

interface Fired {
  readonly ticket: Ticket;
  readonly line: FiredLine;
  /** Those of the line: a void and a split divide it. */
  readonly rows: readonly BookedRow[];
}

const rowsIn = ({ tickets }: Books): readonly BookedRow[] =>
  tickets.flatMap((ticket) => ticket.lines.map((line) => ({ ...line, ticket })));

const firedIn = ({ ledger }: Scene, books: Books): readonly Fired[] => {
  const rows = rowsIn(books);
  return [...ledger.tickets.values()].flatMap((ticket) =>
    ticket.lines.map((line) => ({
      ...{ ticket, line, rows: rows.filter(({ origin_id: id }) => id === line.id) },
    })),
  );
};

const unitsOf = (rows: readonly BookedRow[]): number => sumOf(rows.map(({ quantity }) => quantity));

const voidFaults = ({ history }: Scene, { ticket, line, rows }: Fired): Faults => {
  const gone = unitsOf(rows.filter(({ void_reason: why }) => why !== null));
  // All of a bill that is void; of others what people said.
  const least = unitsOf(rows.filter((row) => row.ticket.status === 'voided'));
  // Devices know a part that was split off by its own id.
  const ids = new Set([line.id, ...rows.map(({ id }) => id)]);
  const voids = [...ticket.kin].flatMap((one) => one.voids).filter(({ lineId }) => ids.has(lineId));
  const most = Math.min(line.units, least + sumOf(voids.map(({ units }) => units)));
  const isMeant = ticket.hands.size === 1 ? gone === most : gone >= least && gone <= most;
  return isMeant
    ? []
    : [`of ${history.nameOf(line.id)} ${gone} units are void, ${least} to ${most} were meant to be`];
};

export const lineFaults = (scene: Scene, books: Books): Faults => {
  const { history } = scene;
  const fired = firedIn(scene, books);
  const known = new Set(fired.map(({ line }) => line.id));
  const unknown = rowsIn(books).filter(({ origin_id: id }) => !known.has(id)).length;
  return [
    ...(unknown > 0 ? [`${unknown} lines that nobody fired`] : []),
    ...fired.flatMap((one) => {
      const { line, rows } = one;
      const isPriced = rows.every(({ unit_price: price }) => price === line.unitPrice);
      return [
        ...(unitsOf(rows) === line.units && isPriced
          ? []
          : [`${history.nameOf(line.id)} (${lineText(line)}) has ${unitsOf(rows)} units in the books`]),
        ...voidFaults(scene, one),
      ];
    }),
  ];
};

// ── On its bill ─────────────────────────────────────────────────────────────────────────────────

type Sales = ReadonlyMap<string, BookedSale>;

/**
 * A line that was fired until then is on the bill, however late it comes; a later one may have a bill of its own. What ended
 * at the server, or has units that went back, takes no line any more.
 */
const takesLinesUntil = ({ ticket, living }: Bill, sales: Sales): number => {
  const last = livingTicket(ticket);
  if (living?.status === 'open') return Infinity;
  if (living?.status === 'voided' && last === ticket) return Math.min(...ticket.ends.map(({ at }) => at));
  const sale = sales.get(living?.sale_id ?? '');
  const isOfDevice = last.settlings.some(({ saleId, by }) => saleId === sale?.id && by !== 'server');
  if (sale === undefined || !isOfDevice || living?.status !== 'settled') return -Infinity;
  return sale.refunds.some(({ lines }) => lines.length > 0) ? -Infinity : sale.at;
};

const strayFaults = (scene: Scene, books: Books, sales: Sales): Faults => {
  const { history } = scene;
  const until = new Map(billsOf(scene, books).map((bill) => [bill.ticket, takesLinesUntil(bill, sales)]));
  return firedIn(scene, books).flatMap(({ ticket, line, rows }) => {
    const own = new Set([...ticket.kin].map(({ id }) => id));
    const isStray = rows.some((row) => !own.has(row.ticket.id));
    return isStray && line.at + UNDER_WAY_MS <= (until.get(ticket) ?? -Infinity)
      ? [`${history.nameOf(line.id)} was fired before ${history.nameOf(ticket.id)} ended, and is not on it`]
      : [];
  });
};

/** Its live lines; none of a bill that was void when it was paid. */
const saleLineFaults = ({ history, place }: Scene, ticket: BookedTicket, sale: BookedSale): Faults => {
  const live = ticket.status === 'settled' ? ticket.lines.filter((line) => line.void_reason === null) : [];
  return differences(
    `a line of the sale of ${history.nameOf(ticket.id)}`,
    live.map((line) =>
      bookedText(place, { itemId: line.item_id, units: line.quantity, unitPrice: line.unit_price }),
    ),
    sale.lines.map((line) =>
      bookedText(place, { itemId: line.menu_item_id, units: line.quantity, unitPrice: line.unit_price }),
    ),
  );
};

export const billLineFaults = (scene: Scene, books: Books): Faults => {
  const sales = new Map(books.sales.map((one) => [one.id, one]));
  return [
    ...strayFaults(scene, books, sales),
    ...books.tickets.flatMap((ticket) => {
      const sale = sales.get(ticket.sale_id);
      return sale === undefined ? [] : saleLineFaults(scene, ticket, sale);
    }),
  ];
};
