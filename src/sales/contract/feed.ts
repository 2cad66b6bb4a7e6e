/** Tills and sales in the sync feed (Decisions 13). */
import Type from 'typebox';
import { Sale } from './sales.ts';
import { CashMovement, Till, TillReport } from './till-report.ts';

/** Without the names of other rows; `figures` once it is closed. */
export const FeedTill = Type.Object({
  ...Type.Omit(Till, ['branch_name', 'teller_name', 'device_label']).properties,
  note: TillReport.properties.note,
  cash_movements: Type.Array(Type.Omit(CashMovement, ['staff_name'])),
  figures: TillReport.properties.figures,
  late: TillReport.properties.late,
});

/** Without the names of other rows and of guests. */
export const FeedSale = Type.Omit(Sale, ['staff_name', 'customer_name']);
