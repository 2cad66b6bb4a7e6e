/** Refunds (Decisions 12, Sale; 11, Earning): load, decide, write. */
import type { Kysely } from 'kysely';
import { businessDate } from '../../kernel/business-date.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { invalidInput, Refusal, refusedFor } from '../../kernel/refusal.ts';
import type { Instant } from '../../kernel/time.ts';
import { giveBackRewards, reverseEarning } from '../../loyalty/app/shared.ts';
import { restock, stockChanges } from '../../menu/app/shared.ts';
import type { Repeated } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import { recordAudit } from '../../platform/app/audit.ts';
import { commitAndPublish, type ChangeLog } from '../../platform/app/commit.ts';
import { onceUnder, requestKey } from '../../platform/app/request-key.ts';
import type { BodyOf, HeadersOf, PathOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import { claimKey } from '../../platform/store/idempotency.ts';
import type { Database } from '../../platform/store/schema.ts';
import { unitsInLine, unitsTogether } from '../../pricing/domain/frozen-cart.ts';
import type { Actor } from '../../staff/app/access.ts';
import { mayAtBranch } from '../../staff/domain/staff.ts';
import type * as contract from '../contract/refund.ts';
import { NO_METHOD } from '../domain/payments.ts';
import {
  beyondUnits,
  forAmount,
  refundAmounts,
  spansOf,
  withinTax,
  type RefundAmounts,
  type RefundedUnits,
  type UnitSpan,
  type WantedUnits,
} from '../domain/refund.ts';
import { insertRefund } from '../store/refund.ts';
import { lockSale, saleById, salePlace, type SalePlace, type StoredSale } from '../store/sale.ts';
import { saleChange, tillChanges } from './changes.ts';
import { saleReply } from './sales.ts';
import { refundedUnits, saleMoney, soldLeft } from './sold-left.ts';
import { tillOf } from './tills/till.ts';
import { reasonIn } from './void-reason.ts';

type Tx = Kysely<Database>;
type Reply = ReplyOf<typeof contract.refundSale>;

interface RefundRequest {
  readonly path: PathOf<typeof contract.refundSale>;
  readonly body: BodyOf<typeof contract.refundSale>;
  readonly headers: HeadersOf<typeof contract.refundSale>;
  readonly actor: Actor;
}

const ALL_OR_LINES = {
  problem: 'or `all: true` is required, and not both',
  arabic: 'اكتب lines أو all: true، لا الاثنين',
} as const;

/** Null: all units that are left. `path`: of the lines. Throws INVALID_INPUT. */
export const wantedIn = (
  { lines, all }: Pick<RefundRequest['body'], 'lines' | 'all'>,
  path = 'lines',
): readonly WantedUnits[] | null => {
  if ((lines === undefined) === (all === undefined)) throw invalidInput({ path, ...ALL_OR_LINES });
  return lines ?? null;
};

const ownSale = (actor: Actor, sale: StoredSale | null): StoredSale => {
  if (sale === null || !mayAtBranch(actor, sale.branchId)) throw new Refusal('NOT_FOUND');
  return sale;
};

// ── What goes back ──────────────────────────────────────────────────────────────────────────────

export interface DecidedRefund {
  readonly id: Uuid;
  readonly sale: StoredSale;
  readonly spans: readonly UnitSpan[];
  readonly amounts: RefundAmounts;
  /** Units of each line after this refund. */
  readonly refunded: RefundedUnits;
}

/** Throws ALREADY_REFUNDED, COMBO_WHOLE_ONLY and INVALID_INPUT. */
const decide = (id: Uuid, sale: StoredSale, wanted: readonly WantedUnits[] | null): DecidedRefund => {
  const before = { lines: sale.cart.lines, refunded: refundedUnits(sale) };
  const money = saleMoney(sale);
  const left = sale.total - sale.refunded;
  const found = spansOf(before, wanted, left);
  if ('faults' in found) throw refusedFor(found.faults);
  const { spans } = found;
  const refunded = new Map(before.refunded);
  for (const { index, from, units } of spans) refunded.set(index, from + units);
  const amounts = refundAmounts(before, sale, spans);
  // A device may have given more for other units than their share.
  const given =
    spans.length === 0
      ? beyondUnits(money, amounts, left)
      : forAmount(amounts, Math.min(amounts.amount, left));
  return { id, sale, spans, refunded, amounts: withinTax(money, given) };
};

/** Points go back with the money; rewards with all of it. */
export const changeCard = async (
  app: App,
  tx: Tx,
  log: ChangeLog,
  { id: refundId, sale, refunded, amounts }: DecidedRefund,
  now: Instant,
): Promise<void> => {
  const { orgId, id: saleId } = sale;
  const rest = amounts.isLast ? null : soldLeft(sale, refunded);
  await reverseEarning(tx, app, log, { orgId, saleId, refundId, rest }, now);
  if (amounts.isLast) await giveBackRewards(tx, app, log, { orgId, saleId, refundId }, now);
};

export const giveBackStock = async (
  tx: Tx,
  log: ChangeLog,
  { sale, spans }: Pick<DecidedRefund, 'sale' | 'spans'>,
): Promise<void> => {
  const { orgId, branchId } = sale;
  const { lines } = sale.cart;
  const units = spans.flatMap(({ index, units: count }) => {
    const line = lines[index];
    return line === undefined ? [] : unitsInLine(line, count);
  });
  const back = await restock(tx, orgId, branchId, unitsTogether(units));
  log.add(orgId, ...stockChanges(branchId, back));
};

// ── Write ───────────────────────────────────────────────────────────────────────────────────────

/** Money goes back by a method that the shop takes, or took for the sale. */
export const refundMethods = (
  { paymentMethods }: Pick<SalePlace, 'paymentMethods'>,
  payments: StoredSale['payments'],
): readonly string[] => [...paymentMethods, ...payments.map(({ method }) => method)];

/** Throws NOT_FOUND, and INVALID_INPUT at `method`. */
const placeOf = async (
  tx: Tx,
  { orgId, branchId, payments }: StoredSale,
  method: string,
): Promise<SalePlace> => {
  const place = await salePlace(tx, orgId, branchId);
  if (place === null) throw new Refusal('NOT_FOUND');
  if (!refundMethods(place, payments).includes(method)) throw invalidInput({ path: 'method', ...NO_METHOD });
  return place;
};

const write = (
  app: App,
  { path, body, actor }: RefundRequest,
  key: ReturnType<typeof requestKey>,
): Promise<void> =>
  commitAndPublish(app, async (tx, log) => {
    const { orgId, staffId, deviceId } = actor;
    const now = app.clock.now();
    const { reason, note, isRestocked } = reasonIn(body);
    const sale = ownSale(actor, await lockSale(tx, orgId, path.id));
    const place = await placeOf(tx, sale, body.method);
    const decided = decide(app.random.uuid(), sale, wantedIn(body));
    const { id, spans, amounts } = decided;
    const { branchId } = sale;
    const tillId = await tillOf(tx, sale, place, { actor, method: body.method });
    await changeCard(app, tx, log, decided, now);
    if (isRestocked) await giveBackStock(tx, log, decided);
    await insertRefund(tx, {
      ...{ orgId, id, saleId: sale.id, branchId, at: now, tillId, staffId, method: body.method },
      businessDate: businessDate(place.zone, now, place.dayStartsAt),
      ...{ amount: amounts.amount, tax: amounts.tax, deliveryFee: amounts.deliveryFee },
      ...{ reason, note, isRestocked },
      lines: spans.map((span, place) => ({ ...span, amount: amounts.lines[place] ?? 0 })),
    });
    await recordAudit(app, tx, {
      ...{ orgId, staffId, deviceId, branchId, at: now, action: 'sale.refunded', subject: 'sale' },
      ...{ subjectId: sale.id, detail: { refund_id: id, amount: amounts.amount, reason, till: tillId } },
    });
    if (key !== null) await claimKey(tx, key, { subjectId: sale.id, bodyHash: key.hash }, now);
    log.add(orgId, saleChange(sale.id), ...tillChanges([tillId]));
  });

/** POST /staff/sales/{id}/refund. Answered with the sale. */
export const refundSale =
  (app: App) =>
  async (request: RefundRequest): Promise<Reply | Repeated<Reply>> => {
    const { path, body, headers, actor } = request;
    const { orgId } = actor;
    const view = async (id: Uuid): Promise<Reply> =>
      saleReply(ownSale(actor, await saleById(app.db.kysely, orgId, id)));
    ownSale(actor, await saleById(app.db.kysely, orgId, path.id));
    const key = requestKey(orgId, `refund:${path.id}`, headers['idempotency-key'], body);
    return onceUnder(app, key, view, async () => {
      await write(app, request, key);
      return view(path.id);
    });
  };
