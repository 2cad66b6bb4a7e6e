/** What the script of a table's page needs. */
import type { Reply, RequestOf } from '../../../client/client.ts';

export type TableView = Reply<'getTable'>;
export type TableBill = NonNullable<TableView['bill']>;
export type TableOrderBody = NonNullable<RequestOf<'orderAtTable'>['body']>;

export interface TableIslandProps {
  readonly tableId: string;
}

/** Id of the place above the menu where the running bill stands. */
export const BILL_PLACE = 'table-bill';
