/** docs/pricing.md: every amount equals that of the engine. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AddonInput, ComboInput, ComboPickInput, OrderItemInput } from '../../src/pricing/contract/cart.ts';
import { CartDestination, PublicCartQuoteRequest } from '../../src/pricing/contract/quote.ts';
import { WORK_LIMIT } from '../../src/pricing/domain/deals/best.ts';
import { HIGHEST_TOTAL } from '../../src/kernel/money.ts';
import {
  cafeOf,
  examplesOf,
  figureOf,
  piastresOf,
  quoteOf,
  tableOf,
  tablesOf,
} from '../support/documents/pricing-page.ts';
import { piastresOfSum } from '../support/oracles/sums.ts';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/pricing.md'), 'utf8');
const tables = tablesOf(PAGE);
const cafe = cafeOf(tables);
const examples = examplesOf(tables).map((example) => {
  const { where, rows } = example;
  return { name: `${rows.map(({ label }) => label).join(' | ')}, ${where.toLowerCase()}`, ...example };
});

const numbersIn = (text: string): readonly string[] => [...(text.match(/\d+(?:\.\d+)?/g) ?? [])].sort();

/** First words of an example's rows. */
const KNOWN =
  /^(\d+ × .+|Deal: .+|Off line \d+|Of which .+|Saving on one Lunch|Items|After deals|Discount of .+|Service of .+|Tax of .+|Total|Delivery fee of .+|Tax with the fee|Order total)$/;

describe.each(examples)('$name', (example) => {
  const quote = quoteOf(example, cafe);

  test('every row has the amount that the engine computes', () => {
    const stated = example.rows.map(({ label, amount }) => [label, piastresOf(amount)]);
    expect(stated).toEqual(example.rows.map(({ label }, row) => [label, figureOf(label, row, quote)]));
  });

  test('every sum of a row equals its amount', () => {
    const sums = example.rows.filter(({ sum }) => sum !== '—');
    expect(sums.map(({ sum }) => [sum, piastresOfSum(sum)])).toEqual(
      sums.map(({ sum, amount }) => [sum, piastresOf(amount)]),
    );
  });

  test('both languages have the same numbers, and every row is a known one', () => {
    expect(example.rows.map(({ arabic }) => numbersIn(arabic))).toEqual(
      example.rows.map(({ label }) => numbersIn(label)),
    );
    expect(example.rows.filter(({ label }) => !KNOWN.test(label))).toEqual([]);
    expect(example.rows.some(({ label }) => label === 'Total')).toBe(true);
  });

  test('every applied deal has a row, and the deals are proven optimal', () => {
    const { applied, saving, optimal, bound } = quote.deals;
    const labels = example.rows.map(({ label }) => label);
    expect(applied.filter(({ deal }) => !labels.includes(deal.id))).toEqual([]);
    expect([optimal, bound]).toEqual([true, saving]);
  });
});

test('every table of the page is read', () => {
  const others = ['Item', 'Add-on', 'Lunch for', 'Field'].map((heading) => tableOf(tables, heading));
  expect(others.length + examples.length).toBe(tables.length);
  expect(tables.flatMap(({ rows }) => rows).length).toBe(
    PAGE.split('\n').filter((line) => line.startsWith('|')).length - 2 * tables.length,
  );
});

test('every amount in the text is also in a table of its section', () => {
  const strangers = PAGE.split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const prose = section.replaceAll(/^\|.*$/gm, '');
      const tabled = new Set(tablesOf(section).flatMap(({ rows }) => rows.flat().flatMap(numbersIn)));
      const highest = (HIGHEST_TOTAL / 100).toLocaleString('en', { minimumFractionDigits: 2 });
      const amounts = prose.replaceAll(highest, '').match(/[\d,]+\.\d\d/g) ?? [];
      return amounts.filter((amount) => !tabled.has(amount));
    });
  expect(strangers).toEqual([]);
});

test('the page states the engine’s work limit in both languages', () => {
  const steps = WORK_LIMIT.toLocaleString('en');
  expect([...PAGE.matchAll(/([\d,]+) (?:steps|خطوة)/g)].map(([, stated]) => stated)).toEqual([steps, steps]);
});

test('the page lists exactly the fields of a cart', () => {
  const shapes = [
    PublicCartQuoteRequest,
    CartDestination,
    OrderItemInput,
    AddonInput,
    ComboInput,
    ComboPickInput,
  ];
  const fields = new Set(shapes.flatMap(({ properties }) => Object.keys(properties)));
  const listed = tableOf(tables, 'Field').rows.map(([field = '']) => field.replaceAll('`', ''));
  expect([...listed].sort()).toEqual([...fields].sort());
});

test('every section has text in both languages', () => {
  const oneSided = PAGE.split(/^## /m).filter(
    (section) => !/<div dir="rtl">\n\n[^<]*\p{Script=Arabic}/u.test(section),
  );
  expect(oneSided).toEqual([]);
});
