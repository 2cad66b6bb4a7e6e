import { jsonb, table, text, timestamptz, uuid, type KyselyTable, type KyselyTables } from './columns.ts';

export const AUDIT_TABLES = {
  audit: table({
    org_id: uuid,
    id: uuid,
    at: timestamptz,
    staff_id: uuid.nullable,
    device_id: uuid.nullable,
    branch_id: uuid.nullable,
    action: text,
    subject: text,
    subject_id: uuid.nullable,
    detail: jsonb<Readonly<Record<string, unknown>>>().default({}),
  }),
};

export type AuditTable = KyselyTable<typeof AUDIT_TABLES.audit>;

declare module '../schema.ts' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- adds the tables above
  interface Database extends KyselyTables<typeof AUDIT_TABLES> {}
}
