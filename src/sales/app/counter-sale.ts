/** Sales over the counter (Decisions 12, Sale): load, decide, write. */
import type { Kysely } from 'kysely';
import { singleLine } from '../../kernel/free-text.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { invalidInput, Refusal, refusedFor } from '../../kernel/refusal.ts';
import type { Instant } from '../../kernel/time.ts';
import { memberCard, payWithCard, type CardOfSale } from '../../loyalty/app/shared.ts';
import { fireToKitchen } from '../../kitchen/app/shared.ts';
import { stockChanges, takeStock } from '../../menu/app/shared.ts';
import type { Repeated } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import { recordAudit } from '../../platform/app/audit.ts';
import { commitAndPublish, type ChangeLog } from '../../platform/app/commit.ts';
import { onceUnder, requestKey, type RequestKey } from '../../platform/app/request-key.ts';
import { retrying } from '../../platform/app/retrying.ts';
import type { JobContext } from '../../platform/app/job-context.ts';
import type { BodyOf, HeadersOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import { ConcurrentChange } from '../../platform/store/concurrent-change.ts';
import { claimKey } from '../../platform/store/idempotency.ts';
import type { Database } from '../../platform/store/schema.ts';
import {
  claimsOf,
  countableIn,
  MEMBER_NEEDED,
  staffCartOf,
  type StaffDrink,
} from '../../pricing/app/cart-input.ts';
import type { PriceBooks, SaleNow } from '../../pricing/app/pricebooks.ts';
import { quoteReply } from '../../pricing/app/quote-reply.ts';
import type { BillTerms } from '../../pricing/domain/bill.ts';
import type { CartLine } from '../../pricing/domain/cart.ts';
import { frozenCart, stockTaken, withoutNotes, type FrozenCart } from '../../pricing/domain/frozen-cart.ts';
import type { Quote } from '../../pricing/domain/quote.ts';
import { rewardUse } from '../../pricing/domain/rewards.ts';
import { soldUnits } from '../../pricing/domain/sold-units.ts';
import type { Actor } from '../../staff/app/access.ts';
import { ownBranch } from '../../staff/app/own-branch.ts';
import type * as contract from '../contract/counter-sale.ts';
import { saleById } from '../store/sale.ts';
import { bookSale } from './book-sale.ts';
import { quotedAmounts } from './quoted-amounts.ts';
import { saleReply } from './sales.ts';
import { countDrinks, recordDrinks } from './staff-drinks.ts';
import { takePayments } from './take-payments.ts';

type Tx = Kysely<Database>;
type SaleReply = ReplyOf<typeof contract.sellOverCounter>;
type Body = BodyOf<typeof contract.quoteCounterSale>;

export interface CounterParts {
  readonly app: App;
  readonly books: PriceBooks;
}

// ── Decision ────────────────────────────────────────────────────────────────────────────────────

interface PricedSale {
  readonly lines: readonly CartLine[];
  readonly drinks: readonly StaffDrink[];
  readonly sale: SaleNow;
  readonly terms: BillTerms;
  readonly quote: Quote;
  /** Null: no card. */
  readonly member: CardOfSale | null;
}

/** Throws INVALID_INPUT for a card that is none of the shop, and where rewards need one. */
const memberOf = async (app: App, orgId: Uuid, body: Body): Promise<CardOfSale | null> => {
  const { member_id: id, rewards = [] } = body;
  if (!id) {
    if (rewards.length > 0) throw invalidInput(MEMBER_NEEDED);
    return null;
  }
  return memberCard(app.db.kysely, orgId, id.toLowerCase());
};

const NO_COMBO = {
  problem: 'cannot be a combo: staff have plain drinks',
  arabic: 'لا يكون وجبة كومبو',
} as const;

/** Throws INVALID_INPUT for a drink of the staff that is a combo. */
const refuseCombos = ({ lines }: Quote, drinks: readonly StaffDrink[]): void => {
  const faults = drinks.flatMap(({ lineIndex }) =>
    lines[lineIndex]?.combo ? [{ path: `items[${lineIndex}].staff_drink`, ...NO_COMBO }] : [],
  );
  if (faults.length > 0) throw invalidInput(...faults);
};

interface CartAtTill {
  readonly body: Body;
  readonly actor: Actor;
  readonly caller: JobContext;
}

/** At a branch of the actor. Throws the refusals of a cart and of its rewards. */
const priced = async (
  { app, books }: CounterParts,
  { body, actor, caller }: CartAtTill,
): Promise<PricedSale> => {
  const mayRecordDrinks = actor.permissions.includes('orders.staff_drink.record');
  const { lines, drinks } = staffCartOf(body.items, mayRecordDrinks);
  const member = await memberOf(app, actor.orgId, body);
  const sale = await books.saleOf(body.branch_id.toLowerCase(), 'till', countableIn(lines));
  // Service is for tickets at a table.
  const terms = { ...sale.terms, serviceRate: 0 };
  const claims = claimsOf(body.rewards);
  const { programme = null, balances = { points: 0, visits: 0 } } = member ?? {};
  const redemption = claims.length === 0 ? null : { claims, programme, balances };
  const { book, stock } = sale;
  const staffDrinks = new Set(drinks.map(({ lineIndex }) => lineIndex));
  const input = { book, lines, stock, terms, redemption, staffDrinks };
  const result = await app.dealSearches.quote(input, caller);
  if ('faults' in result) throw refusedFor(result.faults);
  refuseCombos(result.quote, drinks);
  return { lines, drinks, sale, terms, quote: result.quote, member };
};

/** POST /staff/cart-quote. */
export const quoteCounterSale =
  (parts: CounterParts) =>
  async (request: CartAtTill): Promise<ReplyOf<typeof contract.quoteCounterSale>> => {
    await ownBranch(parts.app, request.actor, request.body.branch_id.toLowerCase());
    const { quote, terms, member } = await priced(parts, request);
    const card = member === null ? null : { ...member, orgId: request.actor.orgId, isProven: true };
    const nothing = { delivery: null, hints: null, rewardHints: null };
    return quoteReply(quote, { ...nothing, isWhole: true, card, terms, needsProof: false });
  };

// ── Write ───────────────────────────────────────────────────────────────────────────────────────

interface SellRequest extends CartAtTill {
  readonly body: BodyOf<typeof contract.sellOverCounter>;
  readonly headers: HeadersOf<typeof contract.sellOverCounter>;
}

interface Context {
  readonly tx: Tx;
  readonly log: ChangeLog;
  readonly now: Instant;
  readonly id: Uuid;
}

const payWithMember = async (
  app: App,
  { tx, log, now, id }: Context,
  { sale, quote, member }: PricedSale,
  cart: FrozenCart,
): Promise<void> => {
  if (member === null) return;
  const { orgId, taxRate, taxInclusive } = sale.branch;
  const bill = { subtotal: quote.totalAfterDeals, discount_amount: quote.bill.discount };
  const sold = soldUnits({ cart, ...bill, tax_rate_applied: taxRate, tax_inclusive: taxInclusive });
  const rewards = quote.rewards.map(rewardUse);
  await payWithCard(tx, app, log, { orgId, saleId: id, card: member, rewards, sold }, now);
};

const write = (
  { app }: CounterParts,
  { body, actor }: SellRequest,
  decided: PricedSale,
  key: RequestKey | null,
): Promise<Uuid> =>
  commitAndPublish(app, async (tx, log) => {
    const { orgId, staffId, deviceId } = actor;
    const { branch, stock } = decided.sale;
    const [id, now, branchId] = [app.random.uuid(), app.clock.now(), branch.id];
    const frozen = frozenCart(decided.quote);
    const [cart, customerName] = [withoutNotes(frozen), singleLine(body.customer_name)];
    const amounts = quotedAmounts(decided.quote, branch, decided.drinks);
    const { total } = amounts;
    const taken = await takePayments(tx, { by: actor, branchId, total, payments: body.payments });
    await payWithMember(app, { tx, log, now, id }, decided, cart);
    await countDrinks(tx, { orgId, branchId, staffId }, decided.drinks, now);
    const emptied = await takeStock(tx, orgId, branchId, stockTaken(decided.lines, stock));
    if (emptied === null) throw new ConcurrentChange();
    const reference = await bookSale(tx, log, {
      ...{ orgId, id, branchId, source: 'counter', channel: 'dine_in', at: now, ...taken, ...amounts },
      ...{ staffId, cardId: decided.member?.cardId ?? null, covers: null, cart: JSON.stringify(cart) },
      customerName,
    });
    await recordDrinks(tx, { orgId, staffId, saleId: id }, decided.drinks);
    const firing = { orgId, branchId, source: 'sale', sourceId: id, round: 1, reference } as const;
    const lines = frozen.lines.map((line) => ({ lineId: null, line }));
    const about = { name: customerName, notes: null, promisedAt: null, tableIds: [] };
    await fireToKitchen(app, tx, log, { ...firing, ...about, lines }, now);
    await recordAudit(app, tx, {
      ...{ orgId, staffId, deviceId, branchId, at: now, action: 'sale.counter' },
      ...{ subject: 'sale', subjectId: id, detail: { total, till: taken.tillId } },
    });
    if (key !== null) await claimKey(tx, key, { subjectId: id, bodyHash: key.hash }, now);
    log.add(orgId, ...stockChanges(branchId, emptied));
    return id;
  });

/** POST /staff/sales. */
export const sellOverCounter =
  (parts: CounterParts) =>
  async (request: SellRequest): Promise<SaleReply | Repeated<SaleReply>> => {
    const { app } = parts;
    const { body, headers, actor } = request;
    await ownBranch(app, actor, body.branch_id.toLowerCase());
    const key = requestKey(actor.orgId, 'counter-sale', headers['idempotency-key'], body);
    const view = async (id: Uuid): Promise<SaleReply> => {
      const sale = await saleById(app.db.kysely, actor.orgId, id);
      if (sale === null) throw new Refusal('NOT_FOUND');
      return saleReply(sale);
    };
    return onceUnder(app, key, view, async () =>
      view(await retrying(async () => write(parts, request, await priced(parts, request), key))),
    );
  };
