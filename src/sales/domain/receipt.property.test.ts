import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FrozenCart, FrozenLine } from '../../pricing/domain/frozen-cart.ts';
import { cellsOf, wrapped } from './receipt-text.ts';
import { receiptOf, receiptText, type ReceiptFacts } from './receipt.ts';

/** What shops write: Arabic with marks, English, both, emoji, very long words, and what a printer could obey. */
const shopText = fc
  .array(
    fc.constantFrom(
      ...[
        'قهوة',
        'تُرْكِي',
        'Latte',
        'كابتشينو XL',
        '☕',
        '🍰',
        'سادة\u200f',
        'سلاطة',
        '\u001b[31m',
        '\u202eevil',
        '\n',
        '咖啡',
      ],
      'Supercalifragilisticexpialidocious'.repeat(3),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((words) => words.join(' '));

const amount = fc.nat(2_000_000);

const line: fc.Arbitrary<FrozenLine> = fc
  .record({
    name: shopText,
    quantity: fc.integer({ min: 1, max: 99 }),
    total: amount,
    off: fc.nat(500),
    size: shopText,
  })
  .map(({ name, quantity, total, off, size }) => ({
    ...{ menu_item_id: 'x', name, name_translations: { en: name }, size_label: size, size_translations: {} },
    ...{ quantity, unit_price: 1, addons_total: 0, addons: [], optionals: [], notes: null, combo: null },
    ...{ deal_discount: off, reward_units: 0, reward_discount: 0, line_total: total },
  }));

const facts: fc.Arbitrary<ReceiptFacts> = fc
  .record({
    lines: fc.array(line, { minLength: 1, maxLength: 5 }),
    shop: shopText,
    service: fc.nat(9_000),
    fee: fc.nat(9_000),
    tax: fc.nat(9_000),
    taxInclusive: fc.boolean(),
    recordedDifference: fc.integer({ min: -90, max: 9_000 }),
  })
  .map(({ lines, shop, service, fee, tax, taxInclusive, recordedDifference }): ReceiptFacts => {
    const off = lines.reduce((sum, one) => sum + one.deal_discount, 0);
    const after = lines.reduce((sum, one) => sum + one.line_total, 0);
    const discountAmount = Math.min(after, 700);
    const cart: FrozenCart = {
      ...{ lines, rewards: [] },
      deals:
        off === 0
          ? []
          : [{ deal_rule_id: 'd', name: shop, name_translations: {}, times: 1, discount: off, lines: [] }],
    };
    const total = after - discountAmount + service + fee + (taxInclusive ? 0 : tax) + recordedDifference;
    const named = { name: shop, translations: {} };
    return {
      ...{ mainLanguage: 'ar', shop: named, branch: { ...named, address: named, phone: '01001234567' } },
      ...{ reference: 'ZML-261204-0007', at: '2026-12-04 19:40', staffName: shop, cart },
      amounts: {
        ...{
          subtotal: after + off,
          dealDiscount: off,
          rewardDiscount: 0,
          staffDrinkDiscount: 0,
          discountAmount,
          serviceCharge: service,
        },
        ...{ deliveryFee: fee, taxRate: '0.140000', taxInclusive, tax, recordedDifference, total },
      },
      payments: [{ method: 'cash', amount: total, tip: 100, tendered: total + 200, change: 100 }],
      refunds: [{ method: 'cash', amount: Math.floor(total / 2) }],
    };
  });

/** Cells by another rule than that of the program: what the grapheme segmenter of the platform calls one character. */
const independentCells = (text: string): number => {
  const visible = text.replace(/[\u2066-\u2069\u200e\u200f]/g, '').replace(/ل[\u064b-\u0652]*[اأإآ]/g, 'ل');
  let cells = 0;
  for (const { segment } of new Intl.Segmenter('ar', { granularity: 'grapheme' }).segment(visible))
    cells += /\p{Emoji_Presentation}|\p{Script=Han}/u.test(segment) ? 2 : 1;
  return cells;
};

describe.each(['ar', 'en'] as const)('a receipt in %s', (language) => {
  test('adds up from the subtotal to the total, which its lines and payments come to', () => {
    fc.assert(
      fc.property(facts, (sold) => {
        const { lines, subtotal, sums, total, payments } = receiptOf(sold, language);
        const sumOf = (all: readonly { readonly amount: number }[]) =>
          all.reduce((sum, one) => sum + one.amount, 0);
        expect(lines.reduce((sum, one) => sum + one.total, 0)).toBe(subtotal);
        expect(subtotal + sumOf(sums)).toBe(total);
        expect(sumOf(payments)).toBe(total);
      }),
    );
  });

  test('has no line of more than 48 cells and nothing that a printer obeys, whatever the shop has written', () => {
    fc.assert(
      fc.property(facts, (sold) => {
        const text = receiptText(receiptOf(sold, language), language);
        expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}|[\u202a-\u202e]/u);
        for (const one of text.trimEnd().split('\n')) expect(independentCells(one)).toBeLessThanOrEqual(48);
      }),
    );
  });

  test('has its amounts in one column', () => {
    fc.assert(
      fc.property(facts, (sold) => {
        const text = receiptText(receiptOf(sold, language), language);
        const rows = text.split('\n').filter((one) => /\u2068 *-?\d+\.\d\d\u2069$/.test(one));
        expect(rows.length).toBeGreaterThan(1);
        for (const one of rows) expect(independentCells(one)).toBe(48);
      }),
    );
  });
});

test('a text is broken between words, and a word that is too long in pieces', () => {
  expect(wrapped('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrapped('abcdefgh', 3)).toEqual(['abc', 'def', 'gh']);
  expect(wrapped('', 10)).toEqual(['']);
});

test.each([
  ['قهوة', 4],
  ['تُرْكِي', 4],
  ['☕', 2],
  ['Latte', 5],
  ['سلاطة', 4],
])('%s takes %i cells', (text, cells) => expect(cellsOf(text)).toBe(cells));
