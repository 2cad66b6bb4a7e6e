/**
 * What must hold once every queue is empty: the books of the server against the ledger of what really happened. Where two
 * hands were on a ticket, the books say who was first; everything else follows from the ledger.
 */
import { billsOf, expectedOf, type Bill } from './bills.ts';
import type { BookedSale, Books } from './books.ts';
import { livingTicket, type MadeSale, type Settling, type SoldLine, type Ticket } from './ledger.ts';
import { billLineFaults, bookedText, lineFaults, lineText } from './line-checks.ts';
import { differences, sumOf, type Faults } from './lists.ts';
import { ITEM_KEYS, ITEMS, type ItemKey } from './place.ts';
import { pointFaults, voucherFaults } from './point-checks.ts';
import { UNDER_WAY_MS, type Scene } from './scene.ts';
import { tillFaults } from './till-checks.ts';

// ── Events ──────────────────────────────────────────────────────────────────────────────────────

const eventFaults = ({ ledger }: Scene, { events }: Books): Faults => {
  const waiting = events.filter(({ outcome }) => outcome === 'waiting').length;
  const broken = events.filter(({ reasons }) => reasons.some(({ code }) => code === 'not_applied'));
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

/** The business day begins at five in Cairo, whose clock is two hours before UTC in winter. */
const DAY_BEGINS_MS = (5 - 2) * 60 * 60_000;
const dateOf = (at: number): string => new Date(at - DAY_BEGINS_MS).toISOString().slice(0, 10);

const momentFaults = (name: string, at: number, sale: BookedSale): Faults =>
  sale.at < at - 1_000 || sale.at > at + UNDER_WAY_MS || sale.business_date !== dateOf(sale.at)
    ? [
        `${name} was made at ${new Date(at).toISOString()}, and is booked at ${new Date(sale.at).toISOString()} on ${sale.business_date}`,
      ]
    : [];

/** Of a total that is not that of its lines, the tax is that of the lines. `most`: piastres that it may be off. */
const taxFaults = (name: string, tax: number, sale: BookedSale, most = 0): Faults =>
  sale.recorded_difference !== 0 || Math.abs(sale.tax_amount - tax) <= most
    ? []
    : [`${name} was made with ${tax} of tax, and is booked with ${sale.tax_amount}`];

const madeFaults = (scene: Scene, made: MadeSale, sale: BookedSale | undefined): Faults => {
  const name = scene.history.nameOf(made.id);
  if (sale === undefined) return [`${name} is not in the books`];
  const booked = sale.lines.map((line) =>
    bookedText(scene.place, {
      ...{ itemId: line.menu_item_id, units: line.quantity, unitPrice: line.unit_price },
    }),
  );
  return [
    ...(sale.total === made.total
      ? []
      : [`${name} was made for ${made.total}, and is booked for ${sale.total}`]),
    ...taxFaults(name, made.tax, sale),
    ...differences(`a line of ${name}`, made.lines.map(lineText), booked),
    ...momentFaults(name, made.at, sale),
  ];
};

const settledFaults = (
  scene: Scene,
  settling: Settling,
  { kin }: Ticket,
  sale: BookedSale | undefined,
): Faults => {
  const name = scene.history.nameOf(settling.saleId);
  if (sale === undefined) return [`${name} is not in the books`];
  const isSame = sale.total === settling.total;
  return [
    ...(isSame ? [] : [`${name} was paid with ${settling.total}, and is booked for ${sale.total}`]),
    // Bills that were split share the tax of all, in whole piastres.
    ...taxFaults(name, settling.tax, sale, kin.size > 1 ? 1 : 0),
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
  const settled = bills.flatMap((bill) =>
    expectedOf(bill).map((settling) => ({ settling, ticket: bill.ticket })),
  );
  const known = new Set([...made.map(({ id }) => id), ...settled.map(({ settling }) => settling.saleId)]);
  return [
    ...made.flatMap((one) => madeFaults(scene, one, sales.get(one.id))),
    ...settled.flatMap(({ settling, ticket }) =>
      settledFaults(scene, settling, ticket, sales.get(settling.saleId)),
    ),
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

// ── Stock and refunds ─────────────────────────────────────────────────────────────────────────────

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
  'every bill has its lines': billLineFaults,
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
