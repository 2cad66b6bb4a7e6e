/** Statements that other topics run in their own transactions. */
export { stockChanges } from './stock-changes.ts';
export { loadMenuBook } from '../store/menu.ts';
export { restock, takeStock, type CountedUnits } from '../store/stock.ts';
