/** Receipts of sales (Decisions 12, Sale). */
import type { Language } from '../../kernel/names.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { formatWallTime, localDateOf, wallMinutesOf } from '../../kernel/time.ts';
import type { App } from '../../platform/app/app.ts';
import type { PathOf, QueryOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type { Actor } from '../../staff/app/access.ts';
import { mayAtBranch } from '../../staff/domain/staff.ts';
import type * as contract from '../contract/receipts.ts';
import { receiptOf, receiptText, type Receipt, type ReceiptFacts } from '../domain/receipt.ts';
import { receiptPlace } from '../store/receipt.ts';
import { saleById } from '../store/sale.ts';

interface Request {
  readonly path: PathOf<typeof contract.getReceipt>;
  readonly query: QueryOf<typeof contract.getReceipt>;
  readonly actor: Actor;
}

interface Drawn {
  readonly language: Language;
  readonly receipt: Receipt;
}

/** Throws NOT_FOUND for a sale of another shop or branch. */
const drawn = (app: App, { path, query, actor }: Request): Promise<Drawn> =>
  app.db.snapshot(async (tx) => {
    const sale = await saleById(tx, actor.orgId, path.id);
    if (sale === null || !mayAtBranch(actor, sale.branchId)) throw new Refusal('NOT_FOUND');
    const place = await receiptPlace(tx, actor.orgId, sale.branchId);
    if (place === null) throw new Refusal('NOT_FOUND');
    const { zone, ...named } = place;
    const language = query.lang ?? (place.mainLanguage === 'en' ? 'en' : 'ar');
    const facts: ReceiptFacts = {
      ...named,
      ...{ reference: sale.reference, staffName: sale.staffName, amounts: sale, payments: sale.payments },
      refunds: sale.refunds,
      at: `${localDateOf(zone, sale.at)} ${formatWallTime(wallMinutesOf(zone, sale.at))}`,
      cart: sale.cart,
    };
    return { language, receipt: receiptOf(facts, language) };
  });

/** GET /staff/sales/{id}/receipt. */
export const getReceipt =
  (app: App) =>
  async (request: Request): Promise<ReplyOf<typeof contract.getReceipt>> => {
    const { language, receipt } = await drawn(app, request);
    const { staffName, taxInside, reference, lines, sums, payments, refunds, ...rest } = receipt;
    return {
      ...{ ...rest, language, sale_ref: reference, staff_name: staffName, tax_inside: taxInside },
      lines: lines.map(({ details, ...line }) => ({ ...line, details: [...details] })),
      sums: [...sums],
      payments: [...payments],
      refunds: [...refunds],
      text: receiptText(receipt, language),
    };
  };

/** GET /staff/sales/{id}/receipt.txt. */
export const getReceiptText =
  (app: App) =>
  async (request: Request): Promise<string> => {
    const { language, receipt } = await drawn(app, request);
    return receiptText(receipt, language);
  };
