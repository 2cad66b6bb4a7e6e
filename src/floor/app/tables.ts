/** Tables that checks take and leave (Decisions 12). */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import type { Database } from '../../platform/store/schema.ts';
import { labelOfTable, leaveTables, occupyTable, openTicketAt, type StoredTicket } from '../store/ticket.ts';
import { tableChange, type ChangeContext } from './change.ts';

type Tx = Kysely<Database>;

const NO_TABLE_HERE = {
  problem: 'is no table of this branch',
  arabic: 'ليست طاولة من طاولات هذا الفرع',
} as const;

/** The check has the table from now on. Throws INVALID_INPUT and TABLE_TAKEN. */
export const takeTable = async (
  tx: Tx,
  {
    orgId,
    branchId,
    tableId,
    checkId,
  }: { readonly [K in 'orgId' | 'branchId' | 'tableId' | 'checkId']: Uuid },
): Promise<void> => {
  if ((await labelOfTable(tx, orgId, branchId, tableId)) === null)
    throw invalidInput({ path: 'table_id', ...NO_TABLE_HERE });
  if (await occupyTable(tx, orgId, tableId, checkId)) return;
  throw new Refusal('TABLE_TAKEN', { ticket_id: (await openTicketAt(tx, orgId, tableId)) ?? '' });
};

/** Tables that the ticket has left may be free now. */
export const freeTables = async (
  { tx, log }: Pick<ChangeContext, 'tx' | 'log'>,
  { orgId, branchId, checkId }: StoredTicket,
): Promise<void> => {
  const free = await leaveTables(tx, orgId, checkId);
  log.add(orgId, ...free.map((id) => tableChange(branchId, id)));
};
