import { bigint, table, text, timestamptz, uuid, xid8, type KyselyTables } from './columns.ts';

/** The change log, and the number of each shop's last change. */
export const CHANGE_TABLES = {
  change_counter: table({
    org_id: uuid,
    seq: bigint,
    trimmed: bigint.default(0),
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
