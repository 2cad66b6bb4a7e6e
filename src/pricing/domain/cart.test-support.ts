/** Carts for the tests of pricing: every builder gives something that can be sold. */
import type { CartFault, CartLine, ComboPick, PricedCart, PricedLine } from './cart.ts';
import { priceCart } from './cart.ts';
import { aBook, NOON, PICKUP } from '../../menu/domain/menu.test-support.ts';
import type { MenuBook } from '../../menu/domain/menubook.ts';
import type { SalePoint } from '../../menu/domain/price.ts';
import { priceBookOf, type PriceBook } from './pricebook.ts';

/** What the shop sells, at noon. */
export const aPriceBook = (book: Partial<MenuBook>, point: SalePoint = PICKUP): PriceBook =>
  priceBookOf(aBook(book), point, NOON);

/** One of the item, as it comes. */
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

/** A combo with its picks. */
export const aMeal = (comboId: string, picks: readonly ComboPick[], line: Partial<CartLine> = {}): CartLine =>
  aLine(comboId, { combo: { picks }, ...line });

/** Add-ons as a line has them: `{ oat: 1 }`. */
export const withAddons = (quantities: Readonly<Record<string, number>>): Pick<CartLine, 'addons'> => ({
  addons: Object.entries(quantities).map(([addonItemId, quantity]) => ({ addonItemId, quantity })),
});

/** The cart priced; `stock`: units left of what is counted. */
export const cartOf = (
  book: PriceBook,
  lines: readonly CartLine[],
  stock: Readonly<Record<string, number>> = {},
): PricedCart => priceCart(book, lines, new Map(Object.entries(stock)));

/** The lines of a cart that has nothing wrong. */
export const linesOf = (cart: PricedCart): readonly PricedLine[] => {
  if ('faults' in cart) throw new Error(`the cart was refused: ${JSON.stringify(cart.faults)}`);
  return cart.lines;
};

/** What is wrong with a cart; nothing where it has a price. */
export const faultsOf = (cart: PricedCart): readonly CartFault[] => ('faults' in cart ? cart.faults : []);
