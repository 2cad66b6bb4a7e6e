import type { SalesOf } from '../../loyalty/app/sale-names.ts';
import { salesWithIds } from '../store/sales.ts';

/** Online orders as the ledger of a card tells of them. */
export const salesOf: SalesOf = async (db, orgId, ids) =>
  new Map((await salesWithIds(db, orgId, ids)).map((sale) => [sale.id, sale]));
