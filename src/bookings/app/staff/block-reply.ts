import type { Static } from 'typebox';
import { isoInstant } from '../../../kernel/time.ts';
import type { BookingBlock } from '../../contract/staff-bookings.ts';
import type { StoredBlock } from '../../store/block.ts';

export type BlockReply = Static<typeof BookingBlock>;

/** `tables`: of the branch; a table that was archived since is left out. */
export const blockReply = (
  block: StoredBlock,
  tables: readonly { readonly id: string; readonly label: string }[],
): BlockReply => ({
  ...{ id: block.id, branch_id: block.branch_id, reason: block.reason },
  ...{ starts_at: isoInstant(block.starts_at), ends_at: isoInstant(block.ends_at) },
  tables: tables.filter(({ id }) => block.table_ids.includes(id)).map(({ id, label }) => ({ id, label })),
  lifted_at: block.lifted_at === null ? null : isoInstant(block.lifted_at),
});
