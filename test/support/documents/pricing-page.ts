/** docs/pricing.md parsed: its café as a menu book, its worked examples as carts with their expected amounts. */
import { aLine, aMeal, aPick } from '../../../src/pricing/domain/cart.test-support.ts';
import type { CartLine, ComboPick } from '../../../src/pricing/domain/cart.ts';
import type { BillTerms } from '../../../src/pricing/domain/bill.ts';
import { groupBy } from '../../../src/kernel/group-by.ts';
import {
  aBook,
  aCategory,
  aChoice,
  aCombo,
  aDeal,
  aDiscount,
  anAddon,
  anItem,
  aSlot,
  DINE_IN,
  NOON,
  PICKUP,
  price,
} from '../../../src/menu/domain/menu.test-support.ts';
import type {
  Addon,
  AddonType,
  Combo,
  Deal,
  DealPoolEntry,
  DiscountCut,
  MenuBook,
  PlainItem,
} from '../../../src/menu/domain/menubook.ts';
import { parseRate, type Millionths, type Piastres } from '../../../src/kernel/money.ts';
import type { SalePoint } from '../../../src/menu/domain/price.ts';
import { priceBookOf } from '../../../src/pricing/domain/pricebook.ts';
import { quote, type Quote } from '../../../src/pricing/domain/quote.ts';

// ── Tables ──────────────────────────────────────────────────────────────────────────────────────

export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

export const tablesOf = (page: string): readonly Table[] =>
  [...page.matchAll(/(?:^\|.*\|\n)+/gm)].map(([text]) => {
    const [header = [], , ...rows] = text.trimEnd().split('\n').map(cellsOf);
    return { header, rows };
  });

export const tableOf = (tables: readonly Table[], heading: string): Table => {
  const table = tables.find(({ header }) => header[0]?.startsWith(heading) === true);
  if (table === undefined) throw new Error(`the page has no table of ‘${heading}’`);
  return table;
};

/** `−12.96` is −1296. */
export const piastresOf = (text: string): Piastres => {
  const [, sign, pounds = '', piastres = ''] = /^(−?)(\d+)\.(\d\d)$/.exec(text) ?? [];
  if (pounds === '') throw new Error(`‘${text}’ is no amount`);
  const amount = Number(pounds) * 100 + Number(piastres);
  return sign === '−' ? 0 - amount : amount;
};

const named = <T>(things: ReadonlyMap<string, T>, name: string): T => {
  const thing = things.get(name);
  if (thing === undefined) throw new Error(`the café of the page has no ‘${name}’`);
  return thing;
};

// ── The café ────────────────────────────────────────────────────────────────────────────────────

interface Cafe {
  readonly categories: readonly string[];
  readonly items: ReadonlyMap<string, PlainItem>;
  readonly addons: ReadonlyMap<string, Addon>;
  readonly combo: Combo;
}

const ADDON_TYPES: ReadonlyMap<string, AddonType> = new Map([
  ['milk', 'milk_type'],
  ['coffee', 'coffee_type'],
  ['extra', 'extra'],
]);

/** Columns: add-on, kind, price, item. An optional is a field of its item. */
const isOptional = ([, kind]: readonly string[]): boolean => kind === 'optional';

const addonsOf = ({ rows }: Table): ReadonlyMap<string, Addon> =>
  new Map(
    rows
      .filter((row) => !isOptional(row))
      .map(([name = '', kind = '', amount = '']) => [
        name,
        anAddon(name, { type: named(ADDON_TYPES, kind), prices: [price(piastresOf(amount))] }),
      ]),
  );

/** Columns: item, size, category, price, price for pickup. Ids follow the row order. */
const itemsOf = (menu: Table, extras: Table): ReadonlyMap<string, PlainItem> => {
  const byName = groupBy(menu.rows, ([name = '']) => name);
  return new Map(
    [...byName].map(([name, rows], place): [string, PlainItem] => {
      const ofItem = extras.rows.filter(([, , , item]) => item === name);
      const defaultOf = (wanted: string): string | null =>
        ofItem.find(([, kind]) => kind === wanted)?.[0] ?? null;
      const item = anItem(String(place).padStart(2, '0'), {
        name,
        categoryId: rows[0]?.[2] ?? null,
        sizes: rows.flatMap(([, label = '']) => (label === '' ? [] : [{ label, labelTranslations: {} }])),
        prices: rows.flatMap(([, sizeLabel = '', , amount = '', pickup = '']) => [
          price(piastresOf(amount), { sizeLabel }),
          ...(pickup === '' ? [] : [price(piastresOf(pickup), { sizeLabel, channel: 'pickup' })]),
        ]),
        defaults: { milk_type: defaultOf('milk'), coffee_type: defaultOf('coffee') },
        optionals: ofItem.filter(isOptional).map(([field = '', , amount = '']) => ({
          ...{ id: field, name: field, nameTranslations: {} },
          ...{ sizeLabel: null, prices: [price(piastresOf(amount))] },
        })),
      });
      return [name, item];
    }),
  );
};

/** Heading: `Lunch for 120.00`. Columns: slot, choice, included size, surcharge, extra listed for a size. */
const comboOf = ({ header, rows }: Table, items: ReadonlyMap<string, PlainItem>): Combo => {
  const [name = '', amount = ''] = header[0]?.split(' for ') ?? [];
  const slots = [...groupBy(rows, ([slot = '']) => slot)].map(([slot, choices], sort) =>
    aSlot(
      slot,
      choices.map(([, choice = '', includedSizeLabel = '', surcharge = '', listed = '']) => {
        const [, size = '', extra = ''] = /^(.+) (\S+)$/.exec(listed) ?? [];
        return aChoice(named(items, choice).id, {
          includedSizeLabel,
          surcharge: surcharge === '' ? 0 : piastresOf(surcharge),
          sizeExtras: new Map(size === '' ? [] : [[size, piastresOf(extra)]]),
        });
      }),
      { sort },
    ),
  );
  return aCombo(name, slots, { prices: [price(piastresOf(amount))] });
};

export const cafeOf = (tables: readonly Table[]): Cafe => {
  const [menu, extras] = [tableOf(tables, 'Item'), tableOf(tables, 'Add-on')];
  const items = itemsOf(menu, extras);
  return {
    categories: [...new Set(menu.rows.map(([, , category = '']) => category))],
    items,
    addons: addonsOf(extras),
    combo: comboOf(tableOf(tables, 'Lunch'), items),
  };
};

// ── Text of an example ─────────────────────────────────────────────────────────────────────────

/** `2 × Shot`; the quantity is 1 without a number. */
const counted = (text: string): { readonly quantity: number; readonly name: string } => {
  const [, quantity = '1', name = ''] = /^(?:(\d+) × )?(.+)$/.exec(text) ?? [];
  return { quantity: Number(quantity), name };
};

type Making = Pick<CartLine, 'quantity' | 'sizeLabel' | 'optionalFieldIds' | 'addons'>;

/** `2 × Latte, Large, Oat milk, 3 × Shot`. */
const madeOf = (text: string, cafe: Cafe): { readonly item: PlainItem; readonly making: Making } => {
  const [head = '', ...parts] = text.split(', ');
  const { quantity, name } = counted(head);
  const item = named(cafe.items, name);
  const isSize = (part: string): boolean => item.sizes.some(({ label }) => label === part);
  const isField = (part: string): boolean => item.optionals.some(({ id }) => id === part);
  const making = {
    quantity,
    sizeLabel: parts.find(isSize) ?? null,
    optionalFieldIds: parts.filter(isField),
    addons: parts
      .filter((part) => !isSize(part) && !isField(part))
      .map(counted)
      .map((addon) => ({ addonItemId: named(cafe.addons, addon.name).id, quantity: addon.quantity })),
  };
  return { item, making };
};

const isLine = (label: string): boolean => /^\d+ × /.test(label);

/** A plain line, or `1 × Lunch: Sandwich; Fries, Large; Cola`. */
const lineOf = (label: string, cafe: Cafe): CartLine => {
  const [head = '', picks] = label.split(': ');
  if (picks === undefined) {
    const { item, making } = madeOf(label, cafe);
    return aLine(item.id, making);
  }
  const pickOf = (text: string): ComboPick => {
    const { item, making } = madeOf(text, cafe);
    const slot = cafe.combo.slots.find(({ choices }) => choices.some(({ itemId }) => itemId === item.id));
    return aPick(slot?.id ?? 'none', item.id, making);
  };
  const { quantity, name } = counted(head);
  return aMeal(name, picks.split('; ').map(pickOf), { quantity });
};

/** `Hot drinks or Latte (Large)`. */
const poolOf = (text: string, cafe: Cafe): readonly DealPoolEntry[] =>
  text.split(' or ').map((entry) => {
    const [, name = '', size] = /^(.+?)(?: \((.+)\))?$/.exec(entry) ?? [];
    const sizeLabel = size ?? null;
    return cafe.categories.includes(name)
      ? { categoryId: name, menuItemId: null, sizeLabel }
      : { categoryId: null, menuItemId: named(cafe.items, name).id, sizeLabel };
  });

const TOGETHER = /^Deal: any (\d+) of (.+?) for ([\d.]+)(, at most once)?$/;
const REWARDED =
  /^Deal: buy (\d+) of (.+?), get (\d+)(?: of (.+?))? (?:free|at (\d+) % off)(, at most once)?$/;

const isDeal = (label: string): boolean => label.startsWith('Deal: ');

/** The deal of a row; earlier rows have the lower sort. */
const dealOf = (label: string, sort: number, cafe: Cafe): Deal => {
  const [, n, together = '', amount = '', once] = TOGETHER.exec(label) ?? [];
  if (n !== undefined) {
    const terms = { kind: 'n_for_price', price: piastresOf(amount) } as const;
    const pool = poolOf(together, cafe);
    return aDeal(label, { sort, qty: Number(n), terms, pool, maxPerOrder: once === undefined ? null : 1 });
  }
  const [, qty, paid = '', get, rewards, percent = '100', single] = REWARDED.exec(label) ?? [];
  if (qty === undefined) throw new Error(`‘${label}’ is no deal`);
  return aDeal(label, {
    sort,
    qty: Number(qty),
    terms: { kind: 'buy_get', getQty: Number(get), getPercent: Number(percent) },
    pool: poolOf(paid, cafe),
    rewardPool: rewards === undefined ? [] : poolOf(rewards, cafe),
    maxPerOrder: single === undefined ? null : 1,
  });
};

const rateOf = (percent: string): Millionths => parseRate(percent) / 100;

const wordsIn = (labels: readonly string[], pattern: RegExp): readonly (string | undefined)[] =>
  labels.map((label) => pattern.exec(label)).find((words) => words !== null) ?? [];

const cutOf = (labels: readonly string[]): DiscountCut | null => {
  const [, figure, percent] = wordsIn(labels, /^Discount of ([\d.]+)( %)?$/);
  if (figure === undefined) return null;
  return percent === undefined
    ? { dtype: 'fixed', amount: piastresOf(figure) }
    : { dtype: 'percentage', rate: (rateOf(figure) / 1e6).toFixed(6) };
};

const termsOf = (labels: readonly string[]): BillTerms => {
  const [, fee, taxedFee] = wordsIn(labels, /^Delivery fee of ([\d.]+)(, taxed)?$/);
  const [, service = '0', taxed] = wordsIn(labels, /^Service of ([\d.]+) %(, taxed)?$/);
  const [, tax = '0', how] = wordsIn(labels, /^Tax of ([\d.]+) %, (on top|inside)$/);
  return {
    serviceRate: rateOf(service),
    serviceTaxable: taxed !== undefined,
    ...{ fee: fee === undefined ? 0 : piastresOf(fee), feeTaxable: taxedFee !== undefined },
    taxRate: rateOf(tax),
    taxInclusive: how === 'inside',
  };
};

// ── Examples ────────────────────────────────────────────────────────────────────────────────────

export interface ExampleRow {
  readonly label: string;
  readonly sum: string;
  readonly amount: string;
  readonly arabic: string;
}

export interface Example {
  /** The heading: the sale point. */
  readonly where: string;
  readonly rows: readonly ExampleRow[];
}

const POINTS: ReadonlyMap<string, SalePoint> = new Map([
  ['For pickup', PICKUP],
  ['Delivered', { ...PICKUP, channel: 'outside' }],
  ['At a table', DINE_IN],
]);

/** Columns: label, sum, amount, Arabic label; the heading is the sale point. */
export const examplesOf = (tables: readonly Table[]): readonly Example[] =>
  tables.flatMap(({ header: [where = ''], rows }) => {
    if (!POINTS.has(where)) return [];
    return [
      {
        where,
        rows: rows.map(([label = '', sum = '', amount = '', arabic = '']) => ({
          ...{ label, sum, amount, arabic },
        })),
      },
    ];
  });

/** The engine's quote of an example's cart. Throws when the cart is refused. */
export const quoteOf = ({ where, rows }: Example, cafe: Cafe): Quote => {
  const labels = rows.map(({ label }) => label);
  const cut = cutOf(labels);
  const book: MenuBook = aBook({
    categories: cafe.categories.map(aCategory),
    items: [...cafe.items.values(), cafe.combo],
    addons: [...cafe.addons.values()],
    deals: labels.filter(isDeal).map((label, sort) => dealOf(label, sort, cafe)),
    discounts: cut === null ? [] : [aDiscount('discount', { cut })],
  });
  const result = quote({
    book: priceBookOf(book, named(POINTS, where), NOON),
    lines: labels.filter(isLine).map((label) => lineOf(label, cafe)),
    stock: new Map(),
    terms: termsOf(labels),
  });
  if ('faults' in result) throw new Error(`an example is refused: ${JSON.stringify(result.faults)}`);
  return result.quote;
};

/** The engine's amount for a row; cart lines are the first rows, so a row's index is its line's. */
export const figureOf = (label: string, index: number, priced: Quote): Piastres => {
  const { lines, deals, itemsTotal, totalAfterDeals, bill } = priced;
  const [first] = lines;
  if (first === undefined) throw new Error('an example has no line');
  if (isLine(label)) return lines[index]?.lineTotal ?? NaN;
  if (isDeal(label)) return 0 - (deals.applied.find(({ deal }) => deal.id === label)?.discount ?? 0);
  const [, off] = /^Off line (\d+)$/.exec(label) ?? [];
  if (off !== undefined) return 0 - (lines[Number(off) - 1]?.dealDiscount ?? NaN);
  if (label === 'Of which add-ons') return first.addonsTotal * first.quantity;
  const [, part] = /^Of which (.+)$/.exec(label) ?? [];
  if (part !== undefined) return first.combo?.parts.find(({ item }) => item.name === part)?.lineTotal ?? NaN;
  if (label === 'Tax with the fee') return bill.tax;
  const figures = new Map([
    ['Saving', first.combo?.savingUnit ?? NaN],
    ['Items', itemsTotal],
    ['After', totalAfterDeals],
    ['Discount', 0 - bill.discount],
    ['Service', bill.service],
    ['Tax', bill.beforeFee.tax],
    ['Total', bill.beforeFee.total],
    ['Delivery', bill.fee],
    ['Order', bill.total],
  ]);
  return named(figures, label.split(' ')[0] ?? '');
};
