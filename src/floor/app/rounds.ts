/** Rounds: lines that are priced, taken from stock and fired together (Decisions 12). */
import type { Uuid } from '../../kernel/ids.ts';
import { HIGHEST_TOTAL, parseRate } from '../../kernel/money.ts';
import { invalidInput, refusedFor } from '../../kernel/refusal.ts';
import { fireToKitchen } from '../../kitchen/app/shared.ts';
import { stockChanges, takeStock } from '../../menu/app/shared.ts';
import type { Deal } from '../../menu/domain/menubook.ts';
import { ConcurrentChange } from '../../platform/store/concurrent-change.ts';
import type { OrderItemInput } from '../../pricing/contract/cart.ts';
import { cartOf, countableIn } from '../../pricing/app/cart-input.ts';
import type { SaleNow } from '../../pricing/app/pricebooks.ts';
import { billOf } from '../../pricing/domain/bill.ts';
import { priceCart, type CartLine, type PricedLine } from '../../pricing/domain/cart.ts';
import { problemOf } from '../../pricing/domain/cart/problems.ts';
import { frozenLines, stockTaken } from '../../pricing/domain/frozen-cart.ts';
import { isLive, type OpenedVia, type TicketTerms } from '../domain/ticket.ts';
import { insertRound, itemRow, type StoredItem } from '../store/ticket-item.ts';
import type { ChangeContext } from './change.ts';
import type { FloorParts } from './parts.ts';

/** A round that is priced, but not fired. */
export interface PricedRound {
  readonly input: readonly OrderItemInput[];
  readonly lines: readonly CartLine[];
  readonly priced: readonly PricedLine[];
  readonly sale: SaleNow;
}

const NOT_ON_A_TICKET = {
  problem: 'is for a counter sale: a ticket has no staff drinks',
  arabic: 'مشروبات العاملين تُسجَّل في بيع مباشر لا على فاتورة طاولة',
} as const;

/** Tickets of guests sell what the QR code sells, those of the staff what tills sell. */
const OUTLET = { staff: 'till', qr: 'dine_in' } as const;

/** A ticket has no drinks of the staff; `path` is the place of the items. Throws INVALID_INPUT. */
export const refuseStaffDrinks = (items: readonly OrderItemInput[], path = 'items'): void => {
  const drinks = items.flatMap(({ staff_drink: drink }, index) =>
    drink ? [{ path: `${path}[${index}].staff_drink`, ...NOT_ON_A_TICKET }] : [],
  );
  if (drinks.length > 0) throw invalidInput(...drinks);
};

/** Prices a round at the branch. Throws the refusals of a cart. */
export const priceRound = async (
  { books }: Pick<FloorParts, 'books'>,
  branchId: Uuid,
  via: OpenedVia,
  input: readonly OrderItemInput[],
): Promise<PricedRound> => {
  const lines = cartOf(input);
  const sale = await books.saleOf(branchId, OUTLET[via], countableIn(lines));
  const cart = priceCart(sale.book, lines, sale.stock);
  if ('faults' in cart) throw refusedFor(cart.faults);
  return { input, lines, priced: cart.lines, sale };
};

/** The bill of a check fits int32 with everything that comes on top. Throws INVALID_INPUT at `path`. */
export const refuseTooDear = (
  { tickets, ticket }: Pick<ChangeContext, 'tickets' | 'ticket'>,
  priced: readonly Pick<PricedLine, 'lineTotal'>[],
  path: string,
): void => {
  const live = tickets.flatMap(({ items }) => items.filter(isLive));
  const items = [...live, ...priced].reduce((sum, { lineTotal }) => sum + lineTotal, 0);
  const { serviceRate, serviceTaxable, taxRate, taxInclusive } = ticket;
  const rates = { serviceRate: parseRate(serviceRate), taxRate: parseRate(taxRate) };
  const terms = { ...rates, serviceTaxable, taxInclusive, fee: 0, feeTaxable: false };
  if (items > HIGHEST_TOTAL || billOf(items, null, terms).total > HIGHEST_TOTAL)
    throw invalidInput({ path, ...problemOf('TOTAL_TOO_DEAR', { most: HIGHEST_TOTAL }) });
};

/** What a deal needs later: when and where it was on offer is decided. */
export const offerOf = (deal: Deal): Deal => ({ ...deal, windows: [], branchOverrides: [] });

export const itemsOfRound = (
  { input, lines, priced, sale }: Omit<PricedRound, 'sale'> & { readonly sale: Pick<SaleNow, 'stock'> },
  round: Pick<StoredItem, 'ticketId' | 'roundId' | 'roundNumber' | 'firedAt' | 'isWaiting'>,
  idOf: (place: number) => Uuid,
): readonly StoredItem[] => {
  const frozen = frozenLines(priced);
  return priced.flatMap(({ index, lineTotal, quantity, dealUnits }, place): StoredItem[] => {
    const [line, ordered] = [frozen[place], lines[index]];
    if (line === undefined || ordered === undefined) return [];
    const id = idOf(place);
    const units = dealUnits === null ? null : omitLine(dealUnits);
    const stock = stockTaken([ordered], sale.stock);
    return [
      {
        ...{
          ...round,
          id,
          originId: id,
          place,
          quantity,
          line,
          lineTotal,
          units,
          stock,
          input: input[index],
        },
        ...{ voidedAt: null, voidReason: null },
      },
    ];
  });
};

const omitLine = ({
  itemId,
  categoryId,
  sizeLabel,
  sizeOrder,
  price,
}: NonNullable<PricedLine['dealUnits']>) => ({
  ...{ itemId, categoryId, sizeLabel, sizeOrder, price },
});

interface Firing extends Pick<ChangeContext, 'tx' | 'log' | 'now' | 'ticket' | 'tickets'> {
  /** A person, or the table of a guest. */
  readonly firedBy: Uuid;
  readonly via: OpenedVia;
  readonly number: number;
  /** Until staff accept it. */
  readonly isWaiting?: boolean;
  /** Of the guests for this round, null: none; those of the ticket when left out. */
  readonly notes?: string | null;
}

interface FiringOfLines extends Pick<Firing, 'tx' | 'log' | 'now' | 'ticket' | 'number' | 'notes'> {
  /** The kitchen has made them. */
  readonly isMade?: boolean;
}

/** Fires lines to the kitchen as a round of the ticket. */
export const fireLines = async (
  app: FloorParts['app'],
  { tx, log, now, ticket, number, notes, isMade = false }: FiringOfLines,
  items: readonly Pick<StoredItem, 'id' | 'line'>[],
): Promise<void> => {
  const { orgId, id: sourceId, branchId, reference, customerName: name, tableId } = ticket;
  const isFired = await fireToKitchen(
    app,
    tx,
    log,
    {
      ...{ orgId, branchId, source: 'ticket', sourceId, round: number, reference, name },
      ...{
        notes: notes === undefined ? ticket.notes : notes,
        promisedAt: null,
        tableIds: tableId === null ? [] : [tableId],
        isMade,
      },
      lines: items.map(({ id: lineId, line }) => ({ lineId, line })),
    },
    now,
  );
  if (!isFired) throw new Error('A round has a number of its own, and is fired once.');
};

/** Stores the round and takes its stock; fires it, unless it waits. Rolls back where the stock is gone. */
export const fireRound = async (
  app: FloorParts['app'],
  { isWaiting = false, ...firing }: Firing,
  round: PricedRound,
): Promise<void> => {
  const { tx, log, now, ticket, tickets, firedBy, via, number } = firing;
  refuseTooDear({ tickets, ticket }, round.priced, 'items');
  const { orgId, id: ticketId, branchId } = ticket;
  const roundId = app.random.uuid();
  const emptied = await takeStock(tx, orgId, branchId, stockTaken(round.lines, round.sale.stock));
  if (emptied === null) throw new ConcurrentChange();
  const stored = { ticketId, roundId, roundNumber: number, firedAt: now, isWaiting };
  const items = itemsOfRound(round, stored, () => app.random.uuid());
  const offers = round.sale.book.menu.deals.map(offerOf);
  await insertRound(
    tx,
    { orgId, id: roundId, ticketId, number, firedBy, via, offers, notes: firing.notes ?? null },
    items.map((item) => itemRow(orgId, item)),
    now,
  );
  if (!isWaiting) await fireLines(app, firing, items);
  log.add(orgId, ...stockChanges(branchId, emptied));
};

/** The policy that a ticket is opened under; it holds until it ends (Decisions 12). */
export const ticketTerms = ({ branch }: Pick<SaleNow, 'branch'>): TicketTerms => ({
  ...{ serviceRate: branch.serviceChargeRate, serviceTaxable: branch.serviceChargeTaxable },
  ...{ taxRate: branch.taxRate, taxInclusive: branch.taxInclusive },
});
