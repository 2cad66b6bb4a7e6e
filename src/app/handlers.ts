import { health, ready } from './about.ts';
import type { App } from './app.ts';
import { getBookingSlots } from './booking.ts';
import { getBranchMenu, getTableMenu } from './menu.ts';
import { trackOrder } from './order.ts';
import { createPriceBooks } from './pricebooks.ts';
import { quoteCart, quoteTableCart } from './quote.ts';
import { getBrand, getLinks, listBranches } from './shop.ts';
import { getTable } from './ticket.ts';
import { Turns } from './turns.ts';

/** The use case behind each operation of the endpoint table, by its id. */
export const handlersOf = (app: App) => {
  const books = createPriceBooks(app);
  const turns = new Turns();
  return {
    health,
    ready: ready(app),
    getBrand: getBrand(app),
    getLinks: getLinks(app),
    listBranches: listBranches(app),
    getBranchMenu: getBranchMenu(app),
    getBookingSlots: getBookingSlots(app),
    trackOrder: trackOrder(app),
    getTable: getTable(app),
    getTableMenu: getTableMenu(app),
    quoteCart: quoteCart(books, turns),
    quoteTableCart: quoteTableCart(app, books, turns),
  };
};
