import type { BodyOf, PathOf, ReplyOf } from '../contract/endpoint.ts';
import type { EndpointOf } from '../contract/index.ts';
import type { CartLine } from '../domain/cart.ts';
import type { Uuid } from '../domain/ids.ts';
import { hinting } from '../domain/hints.ts';
import { quoting } from '../domain/quote.ts';
import { Refusal, refusedFor } from '../domain/refusal.ts';
import { tableById } from '../store/ticket.ts';
import type { App } from './app.ts';
import { cartOf, countableIn } from './cart-input.ts';
import type { PriceBooks, SaleNow } from './pricebooks.ts';
import { quoteReply } from './quote-reply.ts';
import type { Turns, WorkFor } from './turns.ts';

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
  readonly caller: WorkFor;
}

/** POST /public/branches/{id}/cart-quote. The channel must be offered, not open (Decisions 2, 8). */
export const quoteCart =
  (books: PriceBooks, turns: Turns) =>
  async ({ path, body, caller }: BranchCart): Promise<QuoteReply> => {
    const lines = cartOf(body.items);
    const sale = await books.saleOf(path.id, body.channel ?? 'pickup', countableIn(lines));
    return turns.run(answering(sale, lines, body.hints === true), caller);
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
  readonly caller: WorkFor;
}

/** POST /public/tables/{id}/cart-quote, at dine-in prices with the branch's service charge. */
export const quoteTableCart =
  (app: App, books: PriceBooks, turns: Turns) =>
  async ({ path, body, caller }: TableCart): Promise<QuoteReply> => {
    const lines = cartOf(body.items);
    const sale = await saleAtTable(app, books, path.id, countableIn(lines));
    return turns.run(answering(sale, lines, body.hints === true), caller);
  };
