import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/store/schema.ts';

/** What an entry of a ledger tells of the sale that it is about. */
export interface SaleOfEntry {
  readonly id: Uuid;
  readonly reference: string;
  readonly branchName: string;
  /** Piastres. */
  readonly total: number;
}

/** Given by the topic that owns sales; ids without a sale are left out. */
export type SalesOf = (
  db: Kysely<Database>,
  orgId: Uuid,
  ids: readonly Uuid[],
) => Promise<ReadonlyMap<Uuid, SaleOfEntry>>;
