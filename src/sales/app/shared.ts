export { bookSale } from './book-sale.ts';
export { giveCardToSale, salePlace, type SalePlace } from '../store/sale.ts';
export { tillForSale } from '../store/till.ts';
export { takePayments } from './take-payments.ts';
