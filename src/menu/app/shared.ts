/** Statements that other topics run in their own transactions. */
export { stockChanges } from './stock-changes.ts';
export { keepKnownPrices, loadPastMenu } from '../store/past-menu.ts';
export { loadMenuBook } from '../store/menu.ts';
export { restock, takeStock, takeStockAnyway, type CountedUnits } from '../store/stock.ts';
