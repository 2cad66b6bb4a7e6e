/** The receipt of a sale: what was sold, what it came to, how it was paid (Decisions 12, Sale). */
import { inPounds, type Piastres } from '../../kernel/money.ts';
import type { Language, Translations } from '../../kernel/names.ts';
import type { FrozenCart, FrozenLine, FrozenPart } from '../../pricing/domain/frozen-cart.ts';
import { centred, plain, row, rule, type Direction } from './receipt-text.ts';
import type { Payment, Refund, SaleAmounts } from './sale.ts';

interface NamedText {
  readonly name: string;
  readonly translations: Translations;
}

export interface ReceiptFacts {
  /** Of the shop: the language of every `name`. */
  readonly mainLanguage: string;
  readonly shop: NamedText;
  readonly branch: NamedText & { readonly address: NamedText | null; readonly phone: string | null };
  readonly reference: string;
  /** In the branch's zone: `2026-12-04 19:40`. */
  readonly at: string;
  readonly staffName: string | null;
  readonly cart: FrozenCart;
  readonly amounts: SaleAmounts;
  readonly payments: readonly Payment[];
  /** What went back since, by method. */
  readonly refunds: readonly Pick<Refund, 'method' | 'amount'>[];
}

export interface ReceiptLine {
  readonly name: string;
  readonly quantity: number;
  /** Before deals and rewards. */
  readonly total: Piastres;
  /** Size, add-ons and optionals; of a combo, what was picked. */
  readonly details: readonly string[];
}

export interface ReceiptSum {
  readonly label: string;
  /** Negative where it is taken off. */
  readonly amount: Piastres;
}

export interface Receipt {
  readonly shop: string;
  readonly branch: string;
  readonly address: string | null;
  readonly phone: string | null;
  readonly reference: string;
  readonly at: string;
  readonly staffName: string | null;
  readonly lines: readonly ReceiptLine[];
  readonly subtotal: Piastres;
  /** From the subtotal to the total; tax that is inside the total is none of them. */
  readonly sums: readonly ReceiptSum[];
  readonly total: Piastres;
  /** Null: it is one of the sums, or there is none. */
  readonly taxInside: ReceiptSum | null;
  /** What went back since, the first one first. */
  readonly refunds: readonly ReceiptSum[];
  readonly payments: readonly (ReceiptSum & { readonly tip: Piastres; readonly change: Piastres | null })[];
}

const WORDS = {
  subtotal: { ar: 'المجموع', en: 'Subtotal' },
  reward: { ar: 'مكافأة', en: 'Reward' },
  staffDrinks: { ar: 'مشروب العاملين', en: 'Staff drink' },
  discount: { ar: 'خصم', en: 'Discount' },
  service: { ar: 'خدمة', en: 'Service' },
  delivery: { ar: 'توصيل', en: 'Delivery' },
  tax: { ar: 'ضريبة', en: 'Tax' },
  taxInside: { ar: 'شامل ضريبة', en: 'Includes tax' },
  difference: { ar: 'فرق الإجمالي', en: 'Difference' },
  total: { ar: 'الإجمالي', en: 'Total' },
  refunded: { ar: 'مبلغ مردود', en: 'Refunded' },
  tip: { ar: 'بقشيش', en: 'Tip' },
  change: { ar: 'الباقي', en: 'Change' },
  servedBy: { ar: 'البائع', en: 'Served by' },
  cash: { ar: 'نقدي', en: 'Cash' },
  card: { ar: 'بطاقة', en: 'Card' },
  pounds: { ar: 'ج.م', en: 'EGP' },
  thanks: { ar: 'شكراً لزيارتكم', en: 'Thank you' },
} as const satisfies Record<string, Record<Language, string>>;

const methodName = (method: string, language: Language): string =>
  method === 'cash' || method === 'card' ? WORDS[method][language] : method;

type Translate = (text: NamedText) => string;

const pickIn =
  (language: Language, main: string): Translate =>
  ({ name, translations }) =>
    (language === main ? null : translations[language]) ?? name;

const nameOf = (
  pick: Translate,
  one: { readonly name: string; readonly name_translations: Translations },
): string => pick({ name: one.name, translations: one.name_translations });

const times = (count: number, text: string): string => (count === 1 ? text : `${count} × ${text}`);

const sizeOf = (pick: Translate, one: FrozenLine | FrozenPart): readonly string[] =>
  one.size_label === null ? [] : [pick({ name: one.size_label, translations: one.size_translations })];

const optionsOf = (pick: Translate, one: FrozenLine | FrozenPart): readonly string[] => [
  ...one.addons.map((addon) => times(addon.quantity, nameOf(pick, addon))),
  ...one.optionals.map((optional) => nameOf(pick, optional)),
];

const partOf = (pick: Translate, line: FrozenLine, part: FrozenPart): string => {
  const more = [...sizeOf(pick, part), ...optionsOf(pick, part)];
  const name = times(part.quantity / line.quantity, nameOf(pick, part));
  return more.length === 0 ? name : `${name} (${more.join(', ')})`;
};

const lineOf = (pick: Translate, line: FrozenLine): ReceiptLine => ({
  ...{ name: nameOf(pick, line), quantity: line.quantity },
  total:
    line.line_total + line.deal_discount + (line.reward_discount ?? 0) + (line.staff_drink_discount ?? 0),
  details: [
    ...sizeOf(pick, line),
    ...optionsOf(pick, line),
    ...(line.combo?.parts ?? []).map((part) => partOf(pick, line, part)),
  ],
});

const percent = (rate: string): string => `${Math.round(Number(rate) * 1_000_000) / 10_000} %`;

const sumsOf = (
  pick: Translate,
  language: Language,
  { cart, amounts }: Pick<ReceiptFacts, 'cart' | 'amounts'>,
): readonly ReceiptSum[] => {
  const label = (word: keyof typeof WORDS): string => WORDS[word][language];
  const all: readonly ReceiptSum[] = [
    ...cart.deals.map((deal) => ({ label: nameOf(pick, deal), amount: 0 - deal.discount })),
    ...(cart.rewards ?? []).map((reward) => ({
      label: `${label('reward')}: ${nameOf(pick, reward)}`,
      amount: 0 - reward.discount,
    })),
    { label: label('staffDrinks'), amount: 0 - amounts.staffDrinkDiscount },
    { label: label('discount'), amount: 0 - amounts.discountAmount },
    { label: label('service'), amount: amounts.serviceCharge },
    { label: label('delivery'), amount: amounts.deliveryFee },
    { label: `${label('tax')} ${percent(amounts.taxRate)}`, amount: amounts.taxInclusive ? 0 : amounts.tax },
    { label: label('difference'), amount: amounts.recordedDifference },
  ];
  return all.filter(({ amount }) => amount !== 0);
};

export const receiptOf = (facts: ReceiptFacts, language: Language): Receipt => {
  const { shop, branch, cart, amounts, payments, refunds } = facts;
  const pick = pickIn(language, facts.mainLanguage);
  return {
    ...{ shop: pick(shop), branch: pick(branch), phone: branch.phone },
    address: branch.address === null ? null : pick(branch.address),
    ...{ reference: facts.reference, at: facts.at, staffName: facts.staffName },
    lines: cart.lines.map((line) => lineOf(pick, line)),
    ...{ subtotal: amounts.subtotal, total: amounts.total, sums: sumsOf(pick, language, { cart, amounts }) },
    taxInside:
      amounts.taxInclusive && amounts.tax > 0
        ? { label: `${WORDS.taxInside[language]} ${percent(amounts.taxRate)}`, amount: amounts.tax }
        : null,
    payments: payments.map(({ method, amount, tip, change }) => ({
      ...{ label: methodName(method, language), amount, tip, change },
    })),
    refunds: refunds.map(({ method, amount }) => ({
      label: `${WORDS.refunded[language]}: ${methodName(method, language)}`,
      amount: 0 - amount,
    })),
  };
};

// ── Text ────────────────────────────────────────────────────────────────────────────────────────

/** Up to -21,474,836.47: the points of all amounts stand in one column, whichever way the line runs. */
const AMOUNT_CELLS = 12;

const money = (amount: Piastres): string =>
  (amount < 0 ? `-${inPounds(Math.abs(amount))}` : inPounds(amount)).padStart(AMOUNT_CELLS);

const linesText = ({ lines }: Receipt, direction: Direction): readonly string[] =>
  lines.flatMap(({ name, quantity, total, details }) => [
    ...row(times(quantity, name), money(total), direction),
    ...details.flatMap((detail) => plain(detail, direction, 2)),
  ]);

const paidText = ({ payments }: Receipt, language: Language, direction: Direction): readonly string[] =>
  payments.flatMap(({ label, amount, tip, change }) => [
    ...row(label, money(amount), direction),
    ...(tip === 0 ? [] : row(WORDS.tip[language], money(tip), direction, 2)),
    ...(change === null || change === 0 ? [] : row(WORDS.change[language], money(change), direction, 2)),
  ]);

const headText = (receipt: Receipt, language: Language, direction: Direction): readonly string[] => [
  ...centred(receipt.shop, direction),
  ...centred(receipt.branch, direction),
  ...(receipt.address === null ? [] : centred(receipt.address, direction)),
  ...(receipt.phone === null ? [] : centred(receipt.phone, direction)),
  rule(direction),
  ...row(receipt.reference, receipt.at, direction),
  ...(receipt.staffName === null
    ? []
    : plain(`${WORDS.servedBy[language]}: ${receipt.staffName}`, direction)),
];

/** For a printer of 80 mm; each line ends with a line feed. */
export const receiptText = (receipt: Receipt, language: Language): string => {
  const direction = language === 'ar' ? 'rtl' : 'ltr';
  const { sums, subtotal, total, taxInside } = receipt;
  return [
    ...headText(receipt, language, direction),
    rule(direction),
    ...linesText(receipt, direction),
    rule(direction),
    ...(sums.length === 0 ? [] : row(WORDS.subtotal[language], money(subtotal), direction)),
    ...sums.flatMap(({ label, amount }) => row(label, money(amount), direction)),
    ...row(`${WORDS.total[language]} (${WORDS.pounds[language]})`, money(total), direction),
    ...(taxInside === null ? [] : row(taxInside.label, money(taxInside.amount), direction)),
    rule(direction),
    ...paidText(receipt, language, direction),
    ...receipt.refunds.flatMap(({ label, amount }) => row(label, money(amount), direction)),
    ...centred(WORDS.thanks[language], direction),
  ]
    .map((line) => `${line}\n`)
    .join('');
};
