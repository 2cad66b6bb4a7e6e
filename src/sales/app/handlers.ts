import { quoteCounterSale, sellOverCounter, type CounterParts } from './counter-sale.ts';
import { getReceipt, getReceiptText } from './receipts.ts';
import { refundSale } from './refund.ts';
import { getSale, listSales } from './sales.ts';
import { moveCash } from './tills/cash.ts';
import { closeTill, forceCloseTill } from './tills/close.ts';
import { openTill } from './tills/open.ts';
import { getTillReport, listTills, type TillParts } from './tills/report.ts';

/** The use case behind each operation of the topic, by operation id. */
export const handlers = ({ app, books, voidsOf }: CounterParts & TillParts) => ({
  openTill: openTill(app),
  listTills: listTills(app),
  getTillReport: getTillReport({ app, voidsOf }),
  moveCash: moveCash(app),
  closeTill: closeTill({ app, voidsOf }),
  forceCloseTill: forceCloseTill({ app, voidsOf }),
  listSales: listSales(app),
  getSale: getSale(app),
  getReceipt: getReceipt(app),
  getReceiptText: getReceiptText(app),
  refundSale: refundSale(app),
  quoteCounterSale: quoteCounterSale({ app, books }),
  sellOverCounter: sellOverCounter({ app, books }),
});
