export { bookSale } from './book-sale.ts';
export { tillForSale } from '../store/till.ts';
export { takePayments } from './take-payments.ts';
