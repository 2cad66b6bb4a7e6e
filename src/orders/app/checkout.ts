/**
 * Taking an order (Decisions 8): look → decide → write → tell. The look is one statement; everything is decided by the
 * same functions as the quote; the writing is one transaction, so that an order is there whole or not at all.
 */
import type { BodyOf, HeadersOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/checkout.ts';
import { branchScope, orderScope, type Change } from '../../kernel/change.ts';
import { pointOf, readCheckout, type Checkout, type CheckoutResult } from '../domain/checkout.ts';
import { identityOf } from '../domain/customer.ts';
import { deliveryOf, type Delivery } from '../../delivery/domain/delivery.ts';
import { stockTaken } from '../domain/frozen-cart.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { Language } from '../../kernel/names.ts';
import { brakeWaitSeconds, isBraking, scaledBrake, type BrakeLimits } from '../domain/brake.ts';
import { parsePhone, type Phone } from '../../kernel/phone.ts';
import { deliveryRef } from '../domain/reference.ts';
import { quoting, type Quote, type QuoteResult } from '../../pricing/domain/quote.ts';
import { Refusal, refusedFor, type CodedFault } from '../../kernel/refusal.ts';
import { channelOpenAt, channelOpensAt, type Branch } from '../../shops/domain/shop.ts';
import { businessDate, isoInstant, type Instant } from '../../kernel/time.ts';
import type { Way } from '../../delivery/store/delivery.ts';
import { orderById, type StoredOrder } from '../store/delivery-order.ts';
import { DatabaseUnavailable } from '../../platform/store/unavailable.ts';
import {
  claimForOrder,
  insertOrder,
  KeyTaken,
  lookForCheckout,
  madeUnder,
  type CheckoutFacts,
} from '../store/checkout.ts';
import { Repeated } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import { cartOf, countableIn } from '../../pricing/app/cart-input.ts';
import { measured, wayTo } from '../../delivery/app/delivery.ts';
import { bodyHash } from '../../platform/app/idempotency.ts';
import type { EventTally } from '../../platform/app/event-tally.ts';
import type { MessageLeases } from '../../messaging/app/message-leases.ts';
import { orderNews } from './news.ts';
import { guestOrderReply } from './reply.ts';
import { addressToSave, rowOf, type Decided } from './row.ts';
import { reserveTelling, tellingOf, type Reservation } from './telling.ts';
import { NO_PHONE } from '../../identity/app/otp.ts';
import type { PriceBooks, SaleNow } from '../../pricing/app/pricebooks.ts';
import { linesReply } from '../../pricing/app/quote-reply.ts';
import type { Turns, WorkFor } from '../../platform/app/scheduler.ts';
import { telling } from '../../platform/app/write.ts';

type Body = BodyOf<typeof contract.placeOrder>;
type Reply = ReplyOf<typeof contract.placeOrder>;

interface Input {
  readonly body: Body;
  readonly headers: HeadersOf<typeof contract.placeOrder>;
  readonly caller: WorkFor & { readonly language: Language | null };
}

/** How often an order is decided anew because the last units of something went meanwhile. */
const TRIES = 3;

// ── Deciding ────────────────────────────────────────────────────────────────────────────────────

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

/** A text that is no phone is told at its place among all that is wrong. */
const asPhoneFault = (fault: CodedFault): CodedFault =>
  fault.path === 'customer_phone' ? { ...fault, ...NO_PHONE } : fault;

/** `phone`: what was typed is, if it is one; so is the phone of what is given back. */
const checkoutOf = (body: Body, phone: Phone | null, { branch }: SaleNow): CheckoutResult => {
  const terms = { channel: body.channel, inMallRequireLocation: branch.inMallRequireLocation };
  const read = readCheckout({ ...body, customer_phone: phone ?? '' }, terms);
  return 'faults' in read ? { faults: read.faults.map(asPhoneFault) } : read;
};

/** Where a delivery cannot be had, as the refusal that says why. */
const refusedDelivery = (delivery: Exclude<Delivery, { status: 'ok' }>): Refusal =>
  delivery.status === 'unavailable'
    ? new Refusal('UNAVAILABLE')
    : new Refusal('OUT_OF_RANGE', {
        distance_meters: delivery.distanceMeters,
        tested_meters: delivery.testedMeters,
        max_meters: delivery.maxMeters,
      });

/** Which way the order has to go, where its length matters. */
const wayOf = (body: Body, branch: Branch): Way | null => {
  const point = pointOf(body);
  return body.channel === 'outside' && point !== null ? wayTo(branch, point) : null;
};

const deliveryTo = async (
  app: App,
  body: Body,
  { point }: Checkout,
  { sale, facts }: Pick<Decided, 'sale' | 'facts'>,
) => {
  if (sale.delivery === null) throw new Refusal('CHANNEL_NOT_OFFERED', { channel: body.channel });
  const way = wayOf(body, sale.branch);
  const distance = way === null ? null : (facts.distance ?? (await measured(app, way, sale.delivery)));
  const delivery = deliveryOf(body.channel, sale.delivery, point, distance);
  if (delivery.status !== 'ok') throw refusedDelivery(delivery);
  return { delivery, distance };
};

/** What the phones of the tokens are, where they prove any. */
const proofOf = (app: App, { proofs }: CheckoutFacts, token: string | null | undefined): Phone | null =>
  token ? (proofs.get(app.tokens.hashOf(token).toString('hex')) ?? null) : null;

const identify = (
  app: App,
  body: Body,
  { name, phone }: Checkout,
  decided: Pick<Decided, 'facts' | 'sale'>,
) => {
  const { facts, sale } = decided;
  if (body.member_token && facts.card === null) throw new Refusal('NOT_FOUND');
  return identityOf({
    typed: { name, phone },
    card: facts.card,
    known: facts.known,
    change: body.identity_change ?? null,
    otpRequired: sale.branch.otpRequired,
    provenPhone: proofOf(app, facts, body.device_token),
    provenContact: proofOf(app, facts, body.contact_device_token),
    saveAddress: body.save_address ?? null,
    channel: body.channel,
  });
};

/** Decisions 8, Brake: gives the limits that hold for this phone. */
const holdBack = ({ app, tally }: Parts, { facts, sale }: Pick<Decided, 'facts' | 'sale'>): BrakeLimits => {
  const brake = scaledBrake(facts.brake, app.limitScale);
  const wait = brakeWaitSeconds(brake, facts.orders, app.clock.now());
  if (wait === 0) return brake;
  tally.record('orders_braked', { org_id: sale.branch.orgId, branch_id: sale.branch.id });
  throw new Refusal('TOO_MANY_ORDERS', { retry_after_seconds: wait });
};

/** Decisions 7.9: a price that was shown and no longer holds is told before anything is taken. */
const holdTo = (quotedTotal: number | null | undefined, quote: Quote): void => {
  const { bill } = quote;
  if (typeof quotedTotal !== 'number' || quotedTotal === bill.total) return;
  const figures = { total: bill.total, delivery_fee: bill.fee };
  throw new Refusal('QUOTE_CHANGED', figures, { lists: { lines: linesReply(quote) } });
};

/** The language of messages: what was asked for, else what the browser speaks, else the shop's own. */
const languageOf = (body: Body, spoken: Language | null, { shop }: CheckoutFacts): Language =>
  body.locale ?? spoken ?? (shop.mainLanguage === 'en' ? 'en' : 'ar');

/** A fee takes no part in what may be wrong with a cart. */
const faultsOf = (result: QuoteResult) => ('faults' in result ? result.faults : []);

interface Parts {
  readonly app: App;
  readonly books: PriceBooks;
  readonly turns: Turns;
  readonly tally: EventTally;
  readonly leases: MessageLeases;
}

interface Asked {
  readonly body: Body;
  /** Null: what was typed is no phone that we take. */
  readonly phone: Phone | null;
  readonly key: string | null;
  readonly hash: Buffer;
  readonly spoken: Language | null;
  readonly caller: WorkFor;
}

/** What was made under the key before, or an order that may be written now. Throws the refusals of an order. */
const decide = async (
  parts: Parts,
  { body, phone, key, hash, spoken, caller }: Asked,
): Promise<Decided | { readonly before: Reply }> => {
  const { app, books, turns } = parts;
  const lines = cartOf(body.items);
  const branchId = body.branch_id.toLowerCase();
  const tokens = [body.device_token, body.contact_device_token].filter((token) => token);
  const { sale, seen: facts } = await books.saleBy(branchId, body.channel, (branch) =>
    lookForCheckout(app.db.kysely, branch.orgId, {
      branchId,
      ids: countableIn(lines),
      key,
      deviceTokens: tokens.map((token) => app.tokens.hashOf(token ?? '')),
      memberToken: body.member_token ? app.tokens.hashOf(body.member_token) : null,
      phone,
      way: wayOf(body, branch),
      limitScale: app.limitScale,
      now: app.clock.now(),
    }),
  );
  const { before } = facts;
  if (before !== null) return { before: await repeated(app, sale.branch.orgId, before, hash) };
  refuseWhenClosed({ sale, channel: body.channel, now: app.clock.now() });
  const priced = (fee: Piastres): Promise<QuoteResult> =>
    turns.run(quoting({ book: sale.book, lines, stock: sale.stock, terms: { ...sale.terms, fee } }), caller);
  const read = checkoutOf(body, phone, sale);
  if ('faults' in read) throw refusedFor([...read.faults, ...faultsOf(await priced(0))]);
  const { checkout } = read;
  const identity = identify(app, body, checkout, { facts, sale });
  const brake = holdBack(parts, { facts, sale });
  const { delivery, distance } = await deliveryTo(app, body, checkout, { sale, facts });
  const result = await priced(delivery.fee);
  if ('faults' in result) throw refusedFor(result.faults);
  holdTo(body.quoted_total, result.quote);
  const language = languageOf(body, spoken, facts);
  return { sale, brake, facts, checkout, identity, delivery, distance, quote: result.quote, language };
};

// ── Writing ─────────────────────────────────────────────────────────────────────────────────────

const newsOf = (
  app: App,
  body: Body,
  { sale, facts, language }: Decided,
  { orderId, reference, isTold }: { orderId: Uuid; reference: string; isTold: boolean },
) =>
  orderNews(app, {
    ...{ orgId: sale.branch.orgId, orderId, reference, language, shop: facts.shop, webhooks: facts.webhooks },
    ...{ from: null, to: 'received', channel: body.channel, isTold, isBudgeted: true },
    ...{ prepMinutes: sale.branch.basePrepMinutes, cancelReason: null },
  });

/** A menu changes with its stock only when the last unit goes. */
const changesOf = (orderId: Uuid, branchId: Uuid, emptied: readonly Uuid[]): readonly Change[] => [
  { scope: orderScope(orderId), type: 'delivery', id: orderId, op: 'upsert' },
  ...emptied.map((id): Change => ({ scope: branchScope(branchId), type: 'availability', id, op: 'upsert' })),
];

/**
 * Thrown out of the transaction, which undoes it: since they were looked at the last units went to somebody else, or the
 * phone ordered once more.
 */
class Moved extends Error {
  override readonly name = 'Moved';
}

const write = async (
  app: App,
  { body, key, hash }: Asked,
  decided: Decided,
  reserved: Reservation,
): Promise<StoredOrder> => {
  const { sale, brake } = decided;
  const { branch } = sale;
  const contact = decided.identity.contact.phone;
  const orderId = app.random.uuid();
  const stock = stockTaken(cartOf(body.items), sale.stock);
  // Where nothing is counted by phone, orders of one need not wait for each other.
  const phone = app.messageBudgets !== null || isBraking(brake) ? contact : null;
  return telling(app, branch.orgId, async (tx) => {
    const now = app.clock.now();
    const date = businessDate(branch.zone, now, branch.dayStartsAt);
    const claimed = await claimForOrder(tx, {
      ...{ orgId: branch.orgId, branchId: branch.id, branchCode: branch.code, orderId, date, now, stock },
      ...{ key: key === null ? null : { key, bodyHash: hash }, phone },
    });
    const { emptied } = claimed;
    if (emptied === null) throw new Moved();
    const { isTold, toldAt } = tellingOf(reserved, claimed.phone, now);
    const ref = deliveryRef(branch.code, date, claimed.number);
    const changes = changesOf(orderId, branch.id, emptied);
    const { stored, version, hasRoom } = await insertOrder(tx, {
      ...{ orgId: branch.orgId, orderId, language: decided.language, phone, brake, now },
      told: phone === null || toldAt === null ? null : { phone, toldAt },
      row: rowOf(body, decided, { orderId, ref, stock, notified: isTold, now }),
      customer: decided.identity.customer,
      newCustomerId: app.random.uuid(),
      address: addressToSave(app, body, decided),
      news: newsOf(app, body, decided, { orderId, reference: ref, isTold }),
      changes,
    });
    if (!hasRoom) throw new Moved();
    return { result: stored, changes, version };
  });
};

// ── Repeating ───────────────────────────────────────────────────────────────────────────────────

/** The order of an earlier request under the same key, as it stands now; refused where the body was another. */
const repeated = async (
  app: App,
  orgId: Uuid,
  before: { readonly id: Uuid; readonly bodyHash: string },
  hash: Buffer,
): Promise<Reply> => {
  if (before.bodyHash !== hash.toString('hex')) throw new Refusal('IDEMPOTENCY_KEY_REUSED');
  const order = await orderById(app.db.kysely, orgId, before.id);
  if (order === null) throw new Refusal('NOT_FOUND');
  return guestOrderReply(order);
};

/** Another request under the same key may have been committed while this one was decided on. */
const repeatedMeanwhile = async (app: App, { body, key, hash }: Asked): Promise<Reply | null> => {
  if (key === null) return null;
  const before = await madeUnder(app.db.kysely, body.branch_id.toLowerCase(), key);
  return before === null ? null : repeated(app, before.orgId, before, hash);
};

const reserve = (
  { app, leases }: Parts,
  { caller }: Asked,
  { sale, identity, facts }: Decided,
): Promise<Reservation> => {
  const { contact, isContactProven: isProven } = identity;
  const sending = { phone: contact.phone, orgId: sale.branch.orgId, client: caller.client, isProven };
  return reserveTelling(app, leases, sending, facts.guestPhone);
};

/**
 * Whether an order that threw may be there all the same, since the answer to its commit did not come: what was reserved
 * for it then stays spent, so that no hour has more than its budget.
 */
const isInDoubt = (thrown: unknown): boolean =>
  thrown instanceof DatabaseUnavailable && (thrown.reason === 'lost' || thrown.reason === 'slow');

/** Decides and writes; anew where stock or brake moved between the two. What was reserved is for all tries. */
const place = async (parts: Parts, asked: Asked): Promise<Reply | Repeated<Reply>> => {
  const { app } = parts;
  let reserved: Reservation | null = null;
  let isKept = false;
  try {
    for (let tried = 1; tried <= TRIES; tried += 1) {
      const decided = await decide(parts, asked);
      if ('before' in decided) return new Repeated(decided.before);
      reserved ??= await reserve(parts, asked, decided);
      try {
        const stored = await write(app, asked, decided, reserved);
        isKept = stored.notified;
        return guestOrderReply(stored);
      } catch (thrown) {
        isKept = isInDoubt(thrown);
        if (!(thrown instanceof Moved)) throw thrown;
      }
    }
    throw new Refusal('UNAVAILABLE');
  } finally {
    if (reserved?.kind === 'spent' && !isKept) reserved.giveBack();
  }
};

/** POST /public/delivery-orders. A refused request does not use up its key. */
export const placeOrder =
  (parts: Parts) =>
  async ({ body, headers, caller }: Input): Promise<Reply | Repeated<Reply>> => {
    const { app } = parts;
    const asked: Asked = {
      body,
      phone: parsePhone(body.customer_phone, app.phoneCountries),
      key: headers['idempotency-key'] ?? null,
      hash: bodyHash(body),
      spoken: caller.language,
      caller,
    };
    try {
      return await place(parts, asked);
    } catch (thrown) {
      const isDecision = thrown instanceof KeyTaken || thrown instanceof Refusal;
      const before = isDecision ? await repeatedMeanwhile(app, asked) : null;
      if (before !== null) return new Repeated(before);
      // Whose order it is cannot be read any more: the shop was switched off meanwhile.
      throw thrown instanceof KeyTaken ? new Refusal('NOT_FOUND') : thrown;
    }
  };
