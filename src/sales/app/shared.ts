export { bookSale } from './book-sale.ts';
export {
  forgetNamesOfCards,
  giveCardToSale,
  lockSale,
  lockSalesOfCards,
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
export { tillForSale } from '../store/till.ts';
export { takePayments } from './take-payments.ts';
export { type VoidsOf } from './tills.ts';
export { reasonIn } from './void-reason.ts';
