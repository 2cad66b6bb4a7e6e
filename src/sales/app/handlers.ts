import { quoteCounterSale, sellOverCounter, type CounterParts } from './counter-sale.ts';
import { getReceipt, getReceiptText } from './receipts.ts';
import { refundSale } from './refund.ts';
import { getSale, listSales } from './sales.ts';
import {
  closeTill,
  forceCloseTill,
  getTillReport,
  listTills,
  moveCash,
  openTill,
  type TillParts,
} from './tills.ts';

/** The use case behind each operation of the topic, by operation id. */
export const handlers = ({ app, books, scheduler, voidsOf }: CounterParts & TillParts) => ({
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
  quoteCounterSale: quoteCounterSale({ app, books, scheduler }),
  sellOverCounter: sellOverCounter({ app, books, scheduler }),
});
