import { quoteCounterSale, sellOverCounter, type CounterParts } from './counter-sale.ts';
import { getReceipt, getReceiptText } from './receipts.ts';
import { getSale, listSales } from './sales.ts';
import { closeTill, forceCloseTill, getTillReport, listTills, moveCash, openTill } from './tills.ts';

/** The use case behind each operation of the topic, by operation id. */
export const handlers = ({ app, books, scheduler }: CounterParts) => ({
  openTill: openTill(app),
  listTills: listTills(app),
  getTillReport: getTillReport(app),
  moveCash: moveCash(app),
  closeTill: closeTill(app),
  forceCloseTill: forceCloseTill(app),
  listSales: listSales(app),
  getSale: getSale(app),
  getReceipt: getReceipt(app),
  getReceiptText: getReceiptText(app),
  quoteCounterSale: quoteCounterSale({ app, books, scheduler }),
  sellOverCounter: sellOverCounter({ app, books, scheduler }),
});
