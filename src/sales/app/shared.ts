export { bookSale } from './book-sale.ts';
export {
  addPayments,
  forgetNamesOfCards,
  giveCardToSale,
  lockSale,
  lockSalesOfCards,
  reworkSale,
  salePlace,
  salesOfCards,
  type SalePlace,
  type StoredSale,
} from '../store/sale.ts';
export { giveBackPart } from './give-back-part.ts';
export { saleChange, tillChanges } from './changes.ts';
export { soldLeft } from './sold-left.ts';
export {
  deletePartPayments,
  insertPartPayment,
  movePartPayments,
  partPaymentsOf,
  type PartPayment,
} from '../store/part-payment.ts';
export { isKnownSale } from './replay/known-ids.ts';
export { takenInto, tillOfEvent, type TillOfEvent } from './replay/money-of-device.ts';
export { takeUnitsGone } from './replay/units-gone.ts';
export { paidAgain, recordedPayments } from '../domain/recorded-payments.ts';
export { isTillOpen, tillAt, tillForSale } from '../store/till.ts';
export { takePayments } from './take-payments.ts';
export { undoSale } from './undo-sale.ts';
export { type VoidsOf } from './tills/report.ts';
export { reasonIn } from './void-reason.ts';
