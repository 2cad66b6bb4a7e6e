import { bytea, table, text, timestamptz, uuid, type KyselyTables } from './columns.ts';

/** What was made under each `Idempotency-Key` (Decisions 8). */
export const IDEMPOTENCY_TABLES = {
  idempotency_key: table({
    org_id: uuid,
    operation: text,
    key: text,
    body_hash: bytea,
    subject_id: uuid,
    created_at: timestamptz,
  }),
};

declare module '../schema.ts' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- adds the table above
  interface Database extends KyselyTables<typeof IDEMPOTENCY_TABLES> {}
}
