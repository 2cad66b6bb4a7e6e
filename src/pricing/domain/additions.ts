/** Items of a menu that count in a deal and need no options; computed once per price book. */
import { priceCart, type CartLine, type PricedLine } from './cart.ts';
import { compiledDeals, type UnitRoles } from './deals/compiled-deals.ts';
import type { DealUnits } from './deals/types.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { PoolUnit } from '../../menu/domain/pool.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { PriceBook } from './pricebook.ts';

/** One unit without options. */
export interface Addition {
  /** The unit as a priced cart line. */
  readonly line: PricedLine;
  readonly units: DealUnits;
}

/** Units of one price that count equally in the same deals: each gives the same saving. */
export interface EquivalentAdditions {
  readonly price: Piastres;
  /** In menu order. */
  readonly additions: readonly Addition[];
}

export interface Additions {
  /** Ascending by price. */
  readonly alike: readonly EquivalentAdditions[];
  /** Whether the unit counts in a deal, and is none of these, because it needs a choice. */
  readonly needsChoice: (units: PoolUnit) => boolean;
}

/** Of an item in a size; '' and null both stand for none. */
export const unitName = (itemId: Uuid, sizeLabel: string | null): string =>
  JSON.stringify([itemId, sizeLabel ?? '']);

const oneOf = (menuItemId: Uuid, sizeLabel: string | null): CartLine => ({
  menuItemId,
  quantity: 1,
  sizeLabel,
  notes: null,
  optionalFieldIds: [],
  addons: [],
  combo: null,
});

/** Null when the item requires a choice of add-ons. */
const additionOf = (book: PriceBook, itemId: Uuid, label: string | null): Addition | null => {
  const cart = priceCart(book, [oneOf(itemId, label)], new Map());
  const [line] = 'lines' in cart ? cart.lines : [];
  const units = line?.dealUnits ?? null;
  return line === undefined || units === null ? null : { line, units };
};

const findIn = (book: PriceBook): Additions => {
  const { deals, entries } = book.menu;
  const compiled = compiledDeals(deals);
  const plain = new Set<string>();
  const found: (Addition & { readonly roles: UnitRoles })[] = [];
  for (const entry of entries) {
    if (entry.kind !== 'item') continue;
    for (const label of entry.sizes.length === 0 ? [null] : entry.sizes.map((size) => size.label)) {
      const kind = { itemId: entry.item.id, categoryId: entry.categoryId, sizeLabel: label ?? '' };
      const roles = compiled.rolesOf(kind);
      const counts = roles.paid.length + roles.rewarded.length;
      const addition = counts === 0 ? null : additionOf(book, entry.item.id, label);
      if (addition !== null) {
        plain.add(unitName(kind.itemId, kind.sizeLabel));
        found.push({ ...addition, roles });
      }
    }
  }
  return {
    alike: [...groupBy(found, ({ roles }) => roles).values()]
      .flatMap((all) => [...groupBy(all, ({ line }) => line.lineTotal)])
      .map(([price, additions]) => ({ price, additions }))
      .sort((a, b) => a.price - b.price),
    needsChoice: (units) => {
      const { paid, rewarded } = compiled.rolesOf(units);
      return paid.length + rewarded.length > 0 && !plain.has(unitName(units.itemId, units.sizeLabel));
    },
  };
};

const computed = new WeakMap<PriceBook, Additions>();

/** The possible additions to any cart of the book, regardless of stock and of the cart. */
export const additionsIn = (book: PriceBook): Additions => {
  const before = computed.get(book);
  if (before !== undefined) return before;
  const additions = findIn(book);
  computed.set(book, additions);
  return additions;
};
