export { bookSale } from './book-sale.ts';
export { giveCardToSale } from '../store/sale.ts';
export { tillForSale } from '../store/till.ts';
export { takePayments } from './take-payments.ts';
