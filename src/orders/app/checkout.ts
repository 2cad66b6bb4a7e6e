/**
 * Placing an order (Decisions 8): load, decide, write, notify. Facts are read in one statement, priced by the
 * quote's own functions, and the order is written in one transaction.
 */
import type { BodyOf, HeadersOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/checkout.ts';
import { orderScope, type Change } from '../../kernel/change.ts';
import { pointOf, readCheckout, type Checkout, type CheckoutResult } from '../domain/checkout.ts';
import { deliveryOf, type Delivery } from '../../delivery/domain/delivery.ts';
import { stockTaken } from '../../pricing/domain/frozen-cart.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { Language } from '../../kernel/names.ts';
import { brakeWaitSeconds, hasLimit, scaledBrake, type BrakeLimits } from '../domain/brake.ts';
import { parsePhone, type Phone } from '../../kernel/phone.ts';
import { deliveryRef } from '../domain/reference.ts';
import type { Quote, QuoteResult } from '../../pricing/domain/quote.ts';
import { Refusal, refusedFor, type CodedFault } from '../../kernel/refusal.ts';
import { channelOpenAt, channelOpensAt, type Branch } from '../../shops/domain/shop.ts';
import { businessDate } from '../../kernel/business-date.ts';
import { isoInstant, type Instant } from '../../kernel/time.ts';
import type { DeliveryRoute } from '../../delivery/app/shared.ts';
import { orderById, type StoredOrder } from '../store/delivery-order.ts';
import { isSilence } from '../../platform/store/unavailable.ts';
import {
  claimForOrder,
  insertOrder,
  loadCheckoutFacts,
  orderUnderKey,
  type CheckoutFacts,
} from '../store/checkout.ts';
import { Repeated } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import { retrying } from '../../platform/app/retrying.ts';
import { stockChanges } from '../../menu/app/shared.ts';
import { ConcurrentChange } from '../../platform/store/concurrent-change.ts';
import { cartOf, countableIn } from '../../pricing/app/cart-input.ts';
import { measureDistance, routeTo } from '../../delivery/app/delivery.ts';
import { bodyHash, refuseOtherBody } from '../../platform/app/idempotency.ts';
import { KeyTaken, type EarlierSubject } from '../../platform/store/idempotency.ts';
import type { EventAggregator } from '../../platform/app/event-aggregator.ts';
import type { BudgetLeases } from '../../messaging/app/budget-leases.ts';
import { orderNotifications } from './notifications.ts';
import { firstProofOf, placedReply } from './placed-reply.ts';
import { identified, proofOf } from './order-identity.ts';
import { forecastFor, payForRewards } from './order-rewards.ts';
import { addressToSave, rowOf, type OrderDecision } from './order-row.ts';
import { reserveMessages, decideNotification, type Reservation } from './message-reservation.ts';
import { NO_PHONE, proofIn } from '../../identity/app/otp.ts';
import type { PriceBooks, SaleNow } from '../../pricing/app/pricebooks.ts';
import { linesReply } from '../../pricing/app/quote-reply.ts';
import type { JobContext } from '../../platform/app/job-context.ts';
import { commitAndPublish } from '../../platform/app/commit.ts';
import { newIdOf } from '../../shops/app/shop-codes.ts';
import type { Redemption } from '../../pricing/domain/rewards.ts';

type Body = BodyOf<typeof contract.placeOrder>;
type Reply = ReplyOf<typeof contract.placeOrder>;

interface Input {
  readonly body: Body;
  readonly headers: HeadersOf<typeof contract.placeOrder>;
  readonly caller: JobContext & { readonly language: Language | null };
}

// ── Decision ────────────────────────────────────────────────────────────────────────────────────

const refuseWhenClosed = ({
  sale,
  channel,
  now,
}: {
  sale: SaleNow;
  channel: Body['channel'];
  now: Instant;
}): void => {
  if (channelOpenAt(sale.branch, channel, now)) return;
  const opensAt = channelOpensAt(sale.branch, channel, now);
  throw new Refusal('CHANNEL_CLOSED', {
    channel,
    ...(opensAt === null ? {} : { opens_at: isoInstant(opensAt) }),
  });
};

const withPhoneFault = (fault: CodedFault): CodedFault =>
  fault.path === 'customer_phone' ? { ...fault, ...NO_PHONE } : fault;

/** `phone`: the typed phone in canonical form; null where it is not a phone. */
const checkoutOf = (body: Body, phone: Phone | null, { branch }: SaleNow): CheckoutResult => {
  const terms = { channel: body.channel, inMallRequireLocation: branch.inMallRequireLocation };
  const read = readCheckout({ ...body, customer_phone: phone ?? '' }, terms);
  return 'faults' in read ? { faults: read.faults.map(withPhoneFault) } : read;
};

const refusedDelivery = (delivery: Exclude<Delivery, { status: 'ok' }>): Refusal =>
  delivery.status === 'unavailable'
    ? new Refusal('UNAVAILABLE')
    : new Refusal('OUT_OF_RANGE', {
        distance_meters: delivery.distanceMeters,
        tested_meters: delivery.testedMeters,
        max_meters: delivery.maxMeters,
      });

/** Null where distance does not matter. */
const routeOf = (body: Body, branch: Branch): DeliveryRoute | null => {
  const point = pointOf(body);
  return body.channel === 'outside' && point !== null ? routeTo(branch, point) : null;
};

const deliveryTo = async (
  app: App,
  body: Body,
  { point }: Checkout,
  { sale, facts }: Pick<OrderDecision, 'sale' | 'facts'>,
) => {
  if (sale.delivery === null) throw new Refusal('CHANNEL_NOT_OFFERED', { channel: body.channel });
  const route = routeOf(body, sale.branch);
  const distance =
    route === null ? null : (facts.distance ?? (await measureDistance(app, route, sale.delivery)));
  const delivery = deliveryOf(body.channel, sale.delivery, point, distance);
  if (delivery.status !== 'ok') throw refusedDelivery(delivery);
  return { delivery, distance };
};

/** Decisions 8, Brake: returns the limits that apply to this phone. Throws TOO_MANY_ORDERS. */
const enforceBrake = (
  { app, tally }: Parts,
  { facts, sale }: Pick<OrderDecision, 'facts' | 'sale'>,
): BrakeLimits => {
  const brake = scaledBrake(facts.brake, app.limitScale);
  const wait = brakeWaitSeconds(brake, facts.orders, app.clock.now());
  if (wait === 0) return brake;
  tally.record('orders_braked', { org_id: sale.branch.orgId, branch_id: sale.branch.id });
  throw new Refusal('TOO_MANY_ORDERS', { retry_after_seconds: wait });
};

/** Decisions 7.9: refuses before anything is written if the price, in money or on the card, differs from the one shown. */
const checkQuotedPrice = (body: Body, quote: Quote): void => {
  const { bill, rewardCost } = quote;
  const [total, cost] = [body.quoted_total ?? bill.total, body.quoted_reward_cost ?? rewardCost];
  if (total === bill.total && cost === rewardCost) return;
  const figures = { total: bill.total, delivery_fee: bill.fee, reward_cost: rewardCost };
  throw new Refusal('QUOTE_CHANGED', figures, { lists: { lines: linesReply(quote) } });
};

/** `locale`, else the browser's language, else the shop's. */
const messageLanguage = (body: Body, preferred: Language | null, { shop }: CheckoutFacts): Language =>
  body.locale ?? preferred ?? (shop.mainLanguage === 'en' ? 'en' : 'ar');

const faultsOf = (result: QuoteResult) => ('faults' in result ? result.faults : []);

interface Parts {
  readonly app: App;
  readonly books: PriceBooks;
  readonly tally: EventAggregator;
  readonly leases: BudgetLeases;
}

interface OrderRequest {
  readonly body: Body;
  /** Null: not a phone, or a country we do not support. */
  readonly phone: Phone | null;
  readonly key: string | null;
  readonly hash: Buffer;
  readonly preferred: Language | null;
  readonly caller: JobContext;
}

/** The earlier order under the key, or a decision to write. Throws the refusals of an order. */
const decide = async (
  parts: Parts,
  { body, phone, key, hash, preferred, caller }: OrderRequest,
): Promise<OrderDecision | { readonly before: Reply }> => {
  const { app, books } = parts;
  const lines = cartOf(body.items);
  const branchId = body.branch_id.toLowerCase();
  const tokens = [body.device_token, body.contact_device_token].filter((token) => token);
  const { sale, state: facts } = await books.saleWithState(branchId, body.channel, (branch) =>
    loadCheckoutFacts(app.db.kysely, branch.orgId, {
      branchId,
      ids: countableIn(lines),
      key,
      deviceTokens: tokens.map((token) => app.tokens.hashOf(token ?? '')),
      memberToken: body.member_token ? app.tokens.hashOf(body.member_token) : null,
      phone,
      route: routeOf(body, branch),
      limitScale: app.limitScale,
      now: app.clock.now(),
    }),
  );
  const { before } = facts;
  if (before !== null) {
    const proven = proofOf(app, facts, body.device_token);
    return { before: await orderOfKey(app, { body, hash }, sale.branch.orgId, before, proven) };
  }
  refuseWhenClosed({ sale, channel: body.channel, now: app.clock.now() });
  const priced = (fee: Piastres, redemption: Redemption | null): Promise<QuoteResult> =>
    app.dealSearches.quote(
      { book: sale.book, lines, stock: sale.stock, terms: { ...sale.terms, fee }, redemption },
      caller,
    );
  const read = checkoutOf(body, phone, sale);
  if ('faults' in read) throw refusedFor([...read.faults, ...faultsOf(await priced(0, null))]);
  const { checkout } = read;
  const { identity, redemption } = identified(app, body, checkout, { facts, sale });
  const brake = enforceBrake(parts, { facts, sale });
  const { delivery, distance } = await deliveryTo(app, body, checkout, { sale, facts });
  const result = await priced(delivery.fee, redemption);
  if ('faults' in result) throw refusedFor(result.faults);
  const { quote } = result;
  checkQuotedPrice(body, quote);
  const language = messageLanguage(body, preferred, facts);
  const forecast = forecastFor(quote, sale, facts);
  return { sale, brake, facts, checkout, identity, delivery, distance, quote, forecast, language };
};

// ── Write ───────────────────────────────────────────────────────────────────────────────────────

const notificationsOf = (
  app: App,
  body: Body,
  { sale, facts, language }: OrderDecision,
  { orderId, reference, isNotified }: { orderId: Uuid; reference: string; isNotified: boolean },
) =>
  orderNotifications(app, {
    ...{ orgId: sale.branch.orgId, orderId, reference, language, shop: facts.shop, webhooks: facts.webhooks },
    ...{ from: null, to: 'received', channel: body.channel, isNotified, isBudgeted: true },
    ...{ prepMinutes: sale.branch.basePrepMinutes, cancelReason: null },
  });

const changesOf = (orderId: Uuid, branchId: Uuid, emptied: readonly Uuid[]): readonly Change[] => [
  { scope: orderScope(orderId), type: 'delivery', id: orderId, op: 'upsert' },
  ...stockChanges(branchId, emptied),
];

const write = async (
  app: App,
  { body, key, hash }: OrderRequest,
  decided: OrderDecision,
  reserved: Reservation,
): Promise<{ readonly stored: StoredOrder; readonly proven: Phone | null }> => {
  const { sale, brake, facts } = decided;
  const { branch } = sale;
  const contact = decided.identity.contact.phone;
  const [orderId, newCustomerId] = [await newIdOf(app, branch.orgId), app.random.uuid()];
  const stock = stockTaken(cartOf(body.items), sale.stock);
  // Without limits per phone, orders of one phone need no lock.
  const phone = app.messageBudgets !== null || hasLimit(brake) ? contact : null;
  const lockedPhone = facts.guestPhone === null ? null : phone;
  return commitAndPublish(app, async (tx, log) => {
    const now = app.clock.now();
    const ofCard: Change[] = [];
    // First, so that an order that waits for the card holds no counter of the branch.
    await payForRewards(tx, app, { add: (_, ...more) => ofCard.push(...more) }, decided, orderId);
    const date = businessDate(branch.zone, now, branch.dayStartsAt);
    const claimed = await claimForOrder(tx, {
      ...{ orgId: branch.orgId, branchId: branch.id, branchCode: branch.code, orderId, date, now, stock },
      ...{ key: key === null ? null : { key, bodyHash: hash }, phone: lockedPhone },
    });
    const { emptied } = claimed;
    if (emptied === null) throw new ConcurrentChange();
    const { isNotified, notifiedAt } = decideNotification(reserved, claimed.phone, now);
    const ref = deliveryRef(branch.code, date, claimed.number);
    const changes = [...changesOf(orderId, branch.id, emptied), ...ofCard];
    const { stored, version, hasRoom } = await insertOrder(tx, {
      ...{ orgId: branch.orgId, language: decided.language, phone, brake, now },
      notified: phone === null || notifiedAt === null ? null : { phone, notifiedAt },
      row: rowOf(body, decided, { orderId, ref, stock, notified: isNotified, now }),
      customer: decided.identity.customer,
      newCustomerId,
      address: addressToSave(app, body, decided),
      notifications: notificationsOf(app, body, decided, { orderId, reference: ref, isNotified }),
      changes,
    });
    if (!hasRoom) throw new ConcurrentChange();
    log.addLogged(branch.orgId, changes, version);
    log.afterCommit(() => app.orderCounts.reached(body.channel, 'received'));
    return { stored, proven: firstProofOf(decided, stored.customer_id !== newCustomerId) };
  });
};

// ── Idempotency ─────────────────────────────────────────────────────────────────────────────────

/** The order made under the key, in its present state. Throws IDEMPOTENCY_KEY_REUSED for another body. */
const orderOfKey = async (
  app: App,
  { body, hash }: Pick<OrderRequest, 'body' | 'hash'>,
  orgId: Uuid,
  before: EarlierSubject,
  proven: Phone | null,
): Promise<Reply> => {
  refuseOtherBody(before, hash);
  const order = await orderById(app.db.kysely, orgId, before.id);
  if (order === null) throw new Refusal('NOT_FOUND');
  return placedReply(app, order, { proven, sent: body.member_token });
};

const orderOfKeySince = async (app: App, request: OrderRequest): Promise<Reply | null> => {
  const { body, key } = request;
  if (key === null) return null;
  const before = await orderUnderKey(app.db.kysely, body.branch_id.toLowerCase(), key);
  if (before === null) return null;
  const { phone } = await proofIn(app, body.device_token);
  return orderOfKey(app, request, before.orgId, before, phone);
};

const reserve = (
  { app, leases }: Parts,
  { caller }: OrderRequest,
  { sale, identity, facts }: OrderDecision,
): Promise<Reservation> => {
  const { contact, isContactProven: isProven } = identity;
  const sending = { phone: contact.phone, orgId: sale.branch.orgId, client: caller.client, isProven };
  return reserveMessages(app, leases, sending, facts.guestPhone);
};

/** Retries on concurrent changes; one reservation serves all attempts. */
const place = async (parts: Parts, request: OrderRequest): Promise<Reply | Repeated<Reply>> => {
  const { app } = parts;
  const reservation: { made: Reservation | null; isUsed: boolean } = { made: null, isUsed: false };
  try {
    const placed = await retrying(async () => {
      const decided = await decide(parts, request);
      if ('before' in decided) return new Repeated(decided.before);
      reservation.made ??= await reserve(parts, request, decided);
      try {
        // Throws `ConcurrentChange` where stock or the phone's orders changed since they were read.
        const written = await write(app, request, decided, reservation.made);
        reservation.isUsed = written.stored.notified;
        return written;
      } catch (thrown) {
        // The commit may have succeeded although its answer was lost: the hourly budget holds.
        reservation.isUsed = isSilence(thrown);
        throw thrown;
      }
    });
    // After the commit: what fails from here on takes nothing of the order back.
    if (placed instanceof Repeated) return placed;
    const sent = request.body.member_token;
    return await placedReply(app, placed.stored, { proven: placed.proven, sent });
  } finally {
    const { made, isUsed } = reservation;
    if (made?.kind === 'spent' && !isUsed) made.refund();
  }
};

/** POST /public/delivery-orders. A refused request leaves its key unused. */
export const placeOrder =
  (parts: Parts) =>
  async ({ body, headers, caller }: Input): Promise<Reply | Repeated<Reply>> => {
    const { app } = parts;
    const request: OrderRequest = {
      body,
      phone: parsePhone(body.customer_phone, app.phoneCountries),
      key: headers['idempotency-key'] ?? null,
      hash: bodyHash(body),
      preferred: caller.language,
      caller,
    };
    try {
      return await place(parts, request);
    } catch (thrown) {
      const isDecision = thrown instanceof KeyTaken || thrown instanceof Refusal;
      const before = isDecision ? await orderOfKeySince(app, request) : null;
      if (before !== null) return new Repeated(before);
      // The shop was switched off meanwhile, so the earlier order cannot be read.
      throw thrown instanceof KeyTaken ? new Refusal('NOT_FOUND') : thrown;
    }
  };
