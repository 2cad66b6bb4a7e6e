/** Builders of carts for tests of pricing; without overrides each can be sold. */
import type { CartFault, CartLine, ComboPick, PricedCart, PricedLine } from './cart.ts';
import { priceCart } from './cart.ts';
import { aBook, NOON, PICKUP } from '../../menu/domain/menu.test-support.ts';
import type { MenuBook } from '../../menu/domain/menubook.ts';
import type { SalePoint } from '../../menu/domain/price.ts';
import { priceBookOf, type PriceBook } from './pricebook.ts';

/** A price book at noon. */
export const aPriceBook = (book: Partial<MenuBook>, point: SalePoint = PICKUP): PriceBook =>
  priceBookOf(aBook(book), point, NOON);

/** One unit without options. */
export const aLine = (menuItemId: string, line: Partial<CartLine> = {}): CartLine => ({
  menuItemId,
  quantity: 1,
  sizeLabel: null,
  notes: null,
  optionalFieldIds: [],
  addons: [],
  combo: null,
  ...line,
});

export const aPick = (slotId: string, menuItemId: string, pick: Partial<ComboPick> = {}): ComboPick => ({
  slotId,
  menuItemId,
  quantity: 1,
  sizeLabel: null,
  notes: null,
  optionalFieldIds: [],
  addons: [],
  ...pick,
});

export const aMeal = (comboId: string, picks: readonly ComboPick[], line: Partial<CartLine> = {}): CartLine =>
  aLine(comboId, { combo: { picks }, ...line });

/** `{ oat: 1 }` as the add-ons of a line. */
export const withAddons = (quantities: Readonly<Record<string, number>>): Pick<CartLine, 'addons'> => ({
  addons: Object.entries(quantities).map(([addonItemId, quantity]) => ({ addonItemId, quantity })),
});

/** `stock`: counted units left, by id. */
export const cartOf = (
  book: PriceBook,
  lines: readonly CartLine[],
  stock: Readonly<Record<string, number>> = {},
): PricedCart => priceCart(book, lines, new Map(Object.entries(stock)));

/** The lines of a priced cart. Throws when it was refused. */
export const linesOf = (cart: PricedCart): readonly PricedLine[] => {
  if ('faults' in cart) throw new Error(`the cart was refused: ${JSON.stringify(cart.faults)}`);
  return cart.lines;
};

/** The faults of a cart; empty when it has a price. */
export const faultsOf = (cart: PricedCart): readonly CartFault[] => ('faults' in cart ? cart.faults : []);
