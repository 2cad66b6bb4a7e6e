import { bytea, double, table, text, type KyselyTables } from './columns.ts';

/** What clients that send much owe of their request limits, in all processes together (Decisions 15). */
export const REQUEST_LIMIT_TABLES = {
  request_limit: table({
    bucket: text,
    client: bytea,
    full_at: double,
  }),
};

declare module '../schema.ts' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- adds the table above
  interface Database extends KyselyTables<typeof REQUEST_LIMIT_TABLES> {}
}
