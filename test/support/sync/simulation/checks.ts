/**
 * What must hold once every queue is empty: the books of the server against the ledger of what really happened. Where two
 * hands were on a ticket, the books say who was first; everything else follows from the ledger.
 */
import { billsOf, expectedOf, type Bill } from './bills.ts';
import type { BookedSale, Books } from './books.ts';
import { livingTicket, type MadeSale, type Settling, type SoldLine, type Ticket } from './ledger.ts';
import { ITEM_KEYS, ITEMS, type ItemKey } from './place.ts';
import { pointFaults, voucherFaults } from './point-checks.ts';
import type { Scene } from './scene.ts';
import { tillFaults } from './till-checks.ts';

type Faults = readonly string[];

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/** What one list has more of than the other, as text. */
const differences = (what: string, expected: readonly string[], got: readonly string[]): Faults => {
  const left = [...got];
  const missing = expected.filter((one) => {
    const place = left.indexOf(one);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
  return [
    ...missing.map((one) => `${what} is missing: ${one}`),
    ...left.map((one) => `${what} too much: ${one}`),
  ];
};

// ── Events ──────────────────────────────────────────────────────────────────────────────────────

const eventFaults = ({ ledger }: Scene, { events }: Books): Faults => {
  const waiting = events.filter(({ outcome }) => outcome === 'waiting').length;
  const broken = events.filter(({ reasons }) => reasons.includes('not_applied'));
  return [
    ...differences(
      'an event',
      [...ledger.events.keys()],
      events.map(({ id }) => id),
    ).map((one) => one.replace(/:.*/, '')),
    ...(waiting > 0 ? [`${waiting} events still wait`] : []),
    ...broken.map(() => 'an event could not be recorded'),
  ];
};

// ── Sales ───────────────────────────────────────────────────────────────────────────────────────

/** Longest time that a request is under way, by the design of the network. */
const UNDER_WAY_MS = 5 * 60_000;

/** The business day begins at five in Cairo, whose clock is two hours before UTC in winter. */
const DAY_BEGINS_MS = (5 - 2) * 60 * 60_000;
const dateOf = (at: number): string => new Date(at - DAY_BEGINS_MS).toISOString().slice(0, 10);

const momentFaults = (name: string, at: number, sale: BookedSale): Faults =>
  sale.at < at - 1_000 || sale.at > at + UNDER_WAY_MS || sale.business_date !== dateOf(sale.at)
    ? [
        `${name} was made at ${new Date(at).toISOString()}, and is booked at ${new Date(sale.at).toISOString()} on ${sale.business_date}`,
      ]
    : [];

const lineText = ({ item, units, unitPrice }: SoldLine): string => `${units} ${item} at ${unitPrice}`;

const madeFaults = (scene: Scene, made: MadeSale, sale: BookedSale | undefined): Faults => {
  const name = scene.history.nameOf(made.id);
  if (sale === undefined) return [`${name} is not in the books`];
  const itemOf = (id: string): string => ITEM_KEYS.find((key) => scene.place.itemId(key) === id) ?? id;
  const booked = sale.lines.map(
    (line) => `${line.quantity} ${itemOf(line.menu_item_id)} at ${line.unit_price}`,
  );
  return [
    ...(sale.total === made.total
      ? []
      : [`${name} was made for ${made.total}, and is booked for ${sale.total}`]),
    ...differences(`a line of ${name}`, made.lines.map(lineText), booked),
    ...momentFaults(name, made.at, sale),
  ];
};

const settledFaults = (scene: Scene, settling: Settling, sale: BookedSale | undefined): Faults => {
  const name = scene.history.nameOf(settling.saleId);
  if (sale === undefined) return [`${name} is not in the books`];
  const isSame = sale.total === settling.total;
  return [
    ...(isSame ? [] : [`${name} was paid with ${settling.total}, and is booked for ${sale.total}`]),
    ...momentFaults(name, settling.at, sale),
  ];
};

/** A bill of which others paid a part is not void when somebody says so. */
const isHeldOpen = (ticket: Ticket): boolean =>
  ticket.settlings.length === 0 &&
  [...ticket.kin].some((one) => livingTicket(one) === ticket && one.settlings.length > 0);

const statusFaults = ({ history }: Scene, { ticket, booked }: Bill): Faults => {
  const { settlings, ends, mergedInto } = ticket;
  const ways = [
    ...(settlings.length > 0 ? ['settled'] : []),
    ...(ends.length > 0 ? ['voided'] : []),
    ...(settlings.length + ends.length === 0 || isHeldOpen(ticket) ? ['open'] : []),
  ];
  const allowed = mergedInto === null ? ways : ['voided'];
  return allowed.includes(booked?.status ?? '')
    ? []
    : [`${history.nameOf(ticket.id)} is ${booked?.status ?? 'not there'} instead of ${allowed.join(' or ')}`];
};

const saleFaults = (scene: Scene, books: Books): Faults => {
  const sales = new Map(books.sales.map((one) => [one.id, one]));
  const made = [...scene.ledger.sales.values()];
  const bills = billsOf(scene, books);
  const settled = bills.flatMap(expectedOf);
  const known = new Set([...made.map(({ id }) => id), ...settled.map(({ saleId }) => saleId)]);
  return [
    ...made.flatMap((one) => madeFaults(scene, one, sales.get(one.id))),
    ...settled.flatMap((one) => settledFaults(scene, one, sales.get(one.saleId))),
    ...bills.flatMap((bill) => statusFaults(scene, bill)),
    ...books.sales
      .filter(({ id }) => !known.has(id))
      .map(({ total }) => `a sale of ${total} that nobody made`),
    ...bills.flatMap(({ ticket, booked }) => {
      const sale = sales.get(booked?.sale_id ?? '');
      return ticket.hands.size === 1 && sale !== undefined && sale.recorded_difference !== 0
        ? [
            `${scene.history.nameOf(ticket.id)} of one device differs from its lines by ${sale.recorded_difference}`,
          ]
        : [];
    }),
  ];
};

// ── Money ───────────────────────────────────────────────────────────────────────────────────────

const moneyFaults = ({ ledger, history }: Scene, { sales, parts }: Books): Faults => {
  const nameOf = (tillId: string | null): string => (tillId === null ? 'no till' : history.nameOf(tillId));
  const paid = ledger
    .payments()
    .map(({ method, amount, tip, tillId }) => `${amount} + ${tip} by ${method} in ${nameOf(tillId)}`);
  const booked = [...sales.flatMap(({ payments }) => payments), ...parts].map(
    (one) => `${one.amount} + ${one.tip} by ${one.method} in ${nameOf(one.till_id)}`,
  );
  const unpaid = sales.filter(
    ({ total, payments }) => sumOf(payments.map(({ amount, beyond }) => amount - beyond)) !== total,
  );
  return [
    ...differences('a payment', paid, booked),
    ...unpaid.map(({ total }) => `the payments of a sale do not come to its total of ${total}`),
  ];
};

const dayFaults = (_: Scene, { sales, days }: Books): Faults => {
  const total = sumOf(sales.map((one) => one.total));
  return days === null || (days.total === total && days.sales_count === sales.length)
    ? []
    : [`the days have ${days.sales_count} sales of ${days.total}, the books ${sales.length} of ${total}`];
};

// ── Lines and stock ─────────────────────────────────────────────────────────────────────────────

/** Units of a line that people meant to void. */
const meantVoid = ({ kin }: Ticket, lineId: string, fired: number): number => {
  if ([...kin].some(({ ends }) => ends.length > 0)) return fired;
  const voids = [...kin].flatMap((one) => one.voids).filter((one) => one.lineId === lineId);
  return Math.min(fired, sumOf(voids.map(({ units }) => units)));
};

const lineFaults = ({ ledger, history }: Scene, { tickets }: Books): Faults => {
  const rows = tickets.flatMap(({ lines }) => lines);
  const fired = [...ledger.tickets.values()].flatMap((ticket) =>
    ticket.lines.map((line) => ({ ticket, line })),
  );
  const known = new Set(fired.map(({ line }) => line.id));
  const unknown = rows.filter(({ origin_id: id }) => !known.has(id)).length;
  return [
    ...(unknown > 0 ? [`${unknown} lines that nobody fired`] : []),
    ...fired.flatMap(({ ticket, line }) => {
      const own = rows.filter(({ origin_id: id }) => id === line.id);
      const units = sumOf(own.map(({ quantity }) => quantity));
      const isPriced = own.every(({ unit_price: price }) => price === line.unitPrice);
      const gone = sumOf(own.filter(({ void_reason: why }) => why !== null).map(({ quantity }) => quantity));
      const meant = meantVoid(ticket, line.id, line.units);
      const isVoid = ticket.hands.size === 1 ? gone === meant : gone <= meant;
      return [
        ...(units === line.units && isPriced
          ? []
          : [`${history.nameOf(line.id)} (${lineText(line)}) has ${units} units in the books`]),
        ...(isVoid
          ? []
          : [`of ${history.nameOf(line.id)} ${gone} units are void, ${meant} were meant to be`]),
      ];
    }),
  ];
};

/** Opening, less what went over the counter and to tables, and what came back to the shelf by the books. */
const shelfOf = ({ ledger, place }: Scene, { tickets, sales }: Books, item: ItemKey): number => {
  const itemId = place.itemId(item);
  const sold = [...ledger.sales.values(), ...ledger.tickets.values()].flatMap(
    ({ lines }) => [...lines] as readonly SoldLine[],
  );
  const out = sumOf(sold.filter((line) => line.item === item).map(({ units }) => units));
  const voided = tickets
    .flatMap(({ lines }) => lines)
    .filter((line) => line.item_id === itemId && line.void_reason === 'mistake');
  const back = sales.flatMap(({ lines, refunds }) =>
    refunds
      .filter(({ restocked }) => restocked)
      .flatMap((refund) => refund.lines.filter(({ index }) => lines[index]?.menu_item_id === itemId)),
  );
  const opening = ITEMS[item].stock ?? 0;
  return (
    opening - out + sumOf(voided.map(({ quantity }) => quantity)) + sumOf(back.map(({ units }) => units))
  );
};

const stockFaults = (scene: Scene, books: Books): Faults =>
  ITEM_KEYS.filter((key) => ITEMS[key].stock !== null).flatMap((key) => {
    const [got, expected] = [books.stock[scene.place.itemId(key)], shelfOf(scene, books, key)];
    return got === expected ? [] : [`${got} of ${key} are on the shelf by the books, ${expected} are`];
  });

/** Where a sale went back once, the books have its units and its way to the shelf. */
const madeRefundFaults = ({ ledger, history }: Scene, { sales }: Books): Faults =>
  ledger.refunds.flatMap(({ id, saleId, units, amount, restocks }) => {
    const made = ledger.sales.get(saleId);
    const isAlone = ledger.refunds.filter((one) => one.saleId === saleId).length === 1;
    if (made === undefined || !isAlone) return [];
    const booked = sales.find((one) => one.id === saleId)?.refunds.find((one) => one.id === id);
    const got = sumOf(booked?.lines.map((line) => line.units) ?? []);
    const all = units ?? sumOf(made.lines.map((line) => line.units));
    return booked?.amount === amount && booked.restocked === restocks && got === all
      ? []
      : [
          `${amount} went back for ${all} units of ${history.nameOf(saleId)}, the books have ${booked?.amount} for ${got}`,
        ];
  });

/** What went back of a sale that is booked with another one is no refund of that. */
const otherRefundFaults = ({ ledger, history }: Scene, { sales }: Books): Faults => {
  const saleOf = new Map(sales.flatMap((sale) => sale.refunds.map(({ id }) => [id, sale.id] as const)));
  return ledger.refunds
    .filter(({ id, saleId }) => (saleOf.get(id) ?? saleId) !== saleId)
    .map(({ saleId }) => `a refund of ${history.nameOf(saleId)} is one of another sale`);
};

/** By the name that a failing seed prints. */
export const CHECKS = {
  'every event once': eventFaults,
  'every sale once, at its price': saleFaults,
  'every payment once': moneyFaults,
  'every line once': lineFaults,
  'tills add up': tillFaults,
  'days add up': dayFaults,
  'stock is what is left': stockFaults,
  'refunds are as they were': (scene, books) => [
    ...madeRefundFaults(scene, books),
    ...otherRefundFaults(scene, books),
  ],
  'points as if online': pointFaults,
  'vouchers are watched': voucherFaults,
} as const satisfies Record<string, (scene: Scene, books: Books) => Faults>;
