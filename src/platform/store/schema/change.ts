import { bigint, table, text, timestamptz, uuid, word, xid8, type KyselyTables } from './columns.ts';

/** `restore`: it came from a backup of a shop that was not closed, and may go on elsewhere. */
export type ClosedFor = 'move' | 'restore';

/** The change log, and the number of each shop's last change. */
export const CHANGE_TABLES = {
  change_counter: table({
    org_id: uuid,
    seq: bigint,
    trimmed: bigint.default(0),
    /** Of a closed shop: the number of its last change. */
    closed_seq: bigint.nullable,
    closed_for: word<ClosedFor>().nullable,
  }),
  change: table({
    org_id: uuid,
    seq: bigint,
    scope: text,
    type: text,
    id: uuid,
    op: text,
    at: timestamptz,
    transaction_id: xid8.nullable.generated,
  }),
};

declare module '../schema.ts' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- adds the tables above
  interface Database extends KyselyTables<typeof CHANGE_TABLES> {}
}
