import type { OrderItemInput } from '../contract/cart.ts';
import type { BodyOf, PathOf, ReplyOf } from '../contract/endpoint.ts';
import type { EndpointOf } from '../contract/index.ts';
import type { CartLine, ComboPick } from '../domain/cart.ts';
import { problemOf } from '../domain/cart/problems.ts';
import type { Uuid } from '../domain/ids.ts';
import { hinting } from '../domain/hints.ts';
import { quoting } from '../domain/quote.ts';
import { invalidInput, Refusal, refusedFor, type CodedFault, type Fault } from '../domain/refusal.ts';
import { tableById } from '../store/ticket.ts';
import type { App } from './app.ts';
import type { PriceBooks, SaleNow } from './pricebooks.ts';
import { quoteReply } from './quote-reply.ts';
import type { Turns } from './turns.ts';

// ── The body as a cart ──────────────────────────────────────────────────────────────────────────

type PickInput = NonNullable<OrderItemInput['combo']>['picks'][number];

/** An id in either case is the same id (Decisions 2). */
const idOf = (text: string): Uuid => text.toLowerCase();

/** One is meant where none is said. */
const countOf = (quantity: number | undefined) =>
  quantity === undefined ? { quantity: 1, leavesQuantityOut: true } : { quantity };

/** How each unit is made. Prices that the body carries are not looked at (Decisions 7). */
const makingOf = (input: OrderItemInput | PickInput) => ({
  sizeLabel: input.size_label ?? null,
  notes: input.notes ?? null,
  optionalFieldIds: (input.optional_field_ids ?? []).map(idOf),
  addons: (input.addons ?? []).map(({ addon_item_id: id, quantity }) => ({
    addonItemId: idOf(id),
    ...countOf(quantity),
  })),
});

const pickOf = (pick: PickInput): ComboPick => ({
  slotId: idOf(pick.slot_id),
  menuItemId: idOf(pick.menu_item_id),
  ...countOf(pick.quantity),
  ...makingOf(pick),
});

const lineOf = (input: OrderItemInput, menuItemId: string): CartLine => ({
  menuItemId: idOf(menuItemId),
  quantity: input.quantity,
  ...makingOf(input),
  combo: input.combo ? { picks: input.combo.picks.map(pickOf) } : null,
});

/** What no guest may ask for (Decisions 5). */
const staffDrinksIn = (items: readonly OrderItemInput[]): readonly CodedFault[] =>
  items.flatMap(({ staff_drink: drink }, index) => {
    if (!drink) return [];
    const figures = { permission: 'orders.staff_drink.record' };
    return [{ path: `items[${index}].staff_drink`, refusal: 'NOT_PERMITTED', figures }];
  });

/** The cart of a public body. */
const cartOf = (items: readonly OrderItemInput[]): readonly CartLine[] => {
  const notPermitted = staffDrinksIn(items);
  if (notPermitted.length > 0) throw refusedFor(notPermitted);
  const nameless: Fault[] = [];
  const lines = items.flatMap((input, index) => {
    if (input.menu_item_id) return [lineOf(input, input.menu_item_id)];
    nameless.push({ path: `items[${index}].menu_item_id`, ...problemOf('ITEM_REQUIRED') });
    return [];
  });
  if (nameless.length > 0) throw invalidInput(...nameless);
  return lines;
};

/** Everything of which there may be a counted number. */
const countableIn = (lines: readonly CartLine[]): readonly Uuid[] => [
  ...new Set(
    lines
      .flatMap((line) => [line, ...(line.combo?.picks ?? [])])
      .flatMap(({ menuItemId, addons }) => [menuItemId, ...addons.map(({ addonItemId }) => addonItemId)]),
  ),
];

// ── The quotes ──────────────────────────────────────────────────────────────────────────────────

type QuoteReply = ReplyOf<EndpointOf<'quoteCart'>>;

/** The steps to the answer: the quote, and hints where they are asked for. */
function* answering(
  { book, terms, stock }: SaleNow,
  lines: readonly CartLine[],
  wantsHints: boolean,
): Generator<void, QuoteReply> {
  const input = { book, lines, stock, terms };
  const result = yield* quoting(input);
  if ('faults' in result) throw refusedFor(result.faults);
  return quoteReply(result.quote, wantsHints ? yield* hinting(input, result.quote) : null);
}

interface BranchCart {
  readonly path: PathOf<EndpointOf<'quoteCart'>>;
  readonly body: BodyOf<EndpointOf<'quoteCart'>>;
}

/** POST /public/branches/{id}/cart-quote. The channel must be offered, not open (Decisions 2, 8). */
export const quoteCart =
  (books: PriceBooks, turns: Turns) =>
  async ({ path, body }: BranchCart): Promise<QuoteReply> => {
    const lines = cartOf(body.items);
    const sale = await books.saleOf(path.id, body.channel ?? 'pickup', countableIn(lines));
    return turns.run(answering(sale, lines, body.hints === true));
  };

/** The sale at a live table of an active branch; a table that a kept book knows takes no look of its own. */
const saleAtTable = async (
  app: App,
  books: PriceBooks,
  tableId: Uuid,
  ids: readonly Uuid[],
): Promise<SaleNow> => {
  const known = books.branchOfTable(tableId);
  if (known !== null) {
    const sale = await books.saleOf(known, 'dine_in', ids);
    if (sale.tables.has(tableId)) return sale;
  }
  const table = await tableById(app.db.kysely, tableId);
  if (table === null) throw new Refusal('NOT_FOUND');
  return books.saleOf(table.branchId, 'dine_in', ids);
};

interface TableCart {
  readonly path: PathOf<EndpointOf<'quoteTableCart'>>;
  readonly body: BodyOf<EndpointOf<'quoteTableCart'>>;
}

/** POST /public/tables/{id}/cart-quote, at dine-in prices with the branch's service charge. */
export const quoteTableCart =
  (app: App, books: PriceBooks, turns: Turns) =>
  async ({ path, body }: TableCart): Promise<QuoteReply> => {
    const lines = cartOf(body.items);
    const sale = await saleAtTable(app, books, path.id, countableIn(lines));
    return turns.run(answering(sale, lines, body.hints === true));
  };
