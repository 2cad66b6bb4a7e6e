import type { BodyOf, HeadersOf, PathOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/quote.ts';
import type { CartLine } from '../domain/cart.ts';
import type { Delivery } from '../../delivery/domain/delivery.ts';
import type { GeoPoint } from '../../kernel/geo.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Redemption, RewardClaim } from '../domain/rewards.ts';
import { cardInCart, type CardInCart } from '../../loyalty/app/shared.ts';
import { Refusal, refusedFor } from '../../kernel/refusal.ts';
import type { OnlineChannel } from '../../shops/domain/shop.ts';
import { tableByCode } from '../../shops/app/shared.ts';
import type { App } from '../../platform/app/app.ts';
import { cartOf, claimsOf, countableIn } from './cart-input.ts';
import { deliveryTo, type DeliveryParts } from '../../delivery/app/delivery.ts';
import type { LookupLimit } from '../../platform/app/limits/lookup-limit.ts';
import type { PriceBooks, SaleNow } from './pricebooks.ts';
import { quoteReply } from './quote-reply.ts';
import type { JobContext } from '../../platform/app/job-context.ts';

type QuoteReply = ReplyOf<typeof contract.quoteCart>;

interface CartRequest {
  readonly lines: readonly CartLine[];
  readonly wantsHints: boolean;
  /** Null at a table, and where the place is unknown. */
  readonly delivery: Delivery | null;
  /** Null without a token. */
  readonly card: CardInCart | null;
  readonly claims: readonly RewardClaim[];
}

/**
 * The rewards of a card whose phone is proven; null: the cart is priced without rewards. Throws UNAVAILABLE where it claims
 * some and nobody knows whether the phone is proven.
 */
const redemptionIn = ({ card, claims }: CartRequest): Redemption | null => {
  if (card?.isProven === null && claims.length > 0) throw new Refusal('UNAVAILABLE');
  return card?.isProven === true ? { claims, programme: card.programme, balances: card.balances } : null;
};

/** The reply: the quote with the fee if it is known, and the requested hints. */
const answer = async (
  { dealSearches: searches }: App,
  { book, terms, stock, delivery: deliveryTerms }: SaleNow,
  request: CartRequest,
  caller: JobContext,
): Promise<QuoteReply> => {
  const { lines, wantsHints, delivery, card, claims } = request;
  const fee = delivery?.status === 'ok' ? delivery.fee : null;
  const redemption = redemptionIn(request);
  const input = { book, lines, stock, terms: { ...terms, fee: fee ?? 0 }, redemption };
  const result = await searches.quote(input, caller);
  if ('faults' in result) throw refusedFor(result.faults);
  const { quote } = result;
  const hints = wantsHints ? await searches.hints(input, quote, caller) : null;
  const rewardHints =
    wantsHints && redemption !== null ? await searches.rewardHints(input, quote, caller) : null;
  return quoteReply(quote, {
    ...{ delivery, isWhole: deliveryTerms === null || fee !== null, hints, rewardHints, card, terms },
    needsProof: redemption === null && claims.length > 0,
  });
};

/** The card of the shop to which the token leads. Throws NOT_FOUND, as the order would. */
const cardOf = (card: CardInCart | null, { branch }: SaleNow): CardInCart => {
  if (card?.orgId !== branch.orgId) throw new Refusal('NOT_FOUND');
  return card;
};

const cardWith = (app: App, memberToken: string, deviceToken: string | undefined) =>
  cardInCart(
    app.db.kysely,
    app.tokens.hashOf(memberToken),
    deviceToken ? app.tokens.hashOf(deviceToken) : null,
    app.clock.now(),
  );

/** The delivery of a cart; null at a table, and for `outside` without a place. */
const deliveryOn = async (
  parts: DeliveryParts,
  { branch, delivery: terms }: SaleNow,
  channel: OnlineChannel,
  place: GeoPoint | null,
): Promise<Delivery | null> => {
  if (terms === null || (channel === 'outside' && place === null)) return null;
  const { delivery } = await deliveryTo(parts, { branch, terms }, channel, place);
  return delivery;
};

interface BranchCart {
  readonly path: PathOf<typeof contract.quoteCart>;
  readonly body: BodyOf<typeof contract.quoteCart>;
  readonly headers: HeadersOf<typeof contract.quoteCart>;
  readonly caller: JobContext;
}

/** POST /public/branches/{id}/cart-quote. The channel must be offered, not open (Decisions 2, 8). */
export const quoteCart =
  (app: App, books: PriceBooks, lookups: LookupLimit) =>
  async ({ path, body, headers, caller }: BranchCart): Promise<QuoteReply> => {
    const lines = cartOf(body.items);
    const channel = body.channel ?? 'pickup';
    const { member_token: memberToken } = body;
    const [sale, found] = await Promise.all([
      books.saleOf(path.id, channel, countableIn(lines)),
      memberToken ? cardWith(app, memberToken, headers['x-device-token']) : null,
    ]);
    const card = memberToken ? cardOf(found, sale) : null;
    const parts = { db: app.db, clock: app.clock, roads: lookups.on(app.roads, caller.client) };
    const delivery = await deliveryOn(parts, sale, channel, body.delivery ?? null);
    const claims = claimsOf(body.rewards);
    const request = { lines, wantsHints: body.hints === true, delivery, card, claims };
    return answer(app, sale, request, caller);
  };

/** The sale at a live table of an active branch. A table in a cached book needs no further query. */
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
  const table = await tableByCode(app.db.kysely, tableId);
  if (table === null) throw new Refusal('NOT_FOUND');
  return books.saleOf(table.branchId, 'dine_in', ids);
};

interface TableCart {
  readonly path: PathOf<typeof contract.quoteTableCart>;
  readonly body: BodyOf<typeof contract.quoteTableCart>;
  readonly caller: JobContext;
}

/** POST /public/tables/{id}/cart-quote, at dine-in prices with the branch's service charge. */
export const quoteTableCart =
  (app: App, books: PriceBooks) =>
  async ({ path, body, caller }: TableCart): Promise<QuoteReply> => {
    const lines = cartOf(body.items);
    const sale = await saleAtTable(app, books, path.id, countableIn(lines));
    const request = { lines, wantsHints: body.hints === true, delivery: null, card: null, claims: [] };
    return answer(app, sale, request, caller);
  };
