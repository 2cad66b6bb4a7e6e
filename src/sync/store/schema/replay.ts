import {
  bytea,
  jsonb,
  table,
  text,
  timestamptz,
  uuid,
  type KyselyTables,
} from '../../../platform/store/schema/columns.ts';
import type { ReviewReason } from '../../../platform/domain/review.ts';

export const REPLAY_TABLES = {
  replay_event: table({
    org_id: uuid,
    id: uuid,
    branch_id: uuid,
    device_id: uuid,
    staff_id: uuid,
    kind: text,
    subject_id: uuid,
    result_id: uuid.nullable,
    at: timestamptz,
    received_at: timestamptz,
    content_hash: bytea,
    /** Of the content without its moment. */
    told_hash: bytea.nullable,
    data: jsonb<Readonly<Record<string, unknown>>>().nullable,
    outcome: text,
    waits_for: uuid.nullable,
    reasons: jsonb<readonly ReviewReason[]>().default([]),
    closed_at: timestamptz.nullable,
    closed_by: uuid.nullable,
    close_note: text.nullable,
  }),
};

declare module '../../../platform/store/schema.ts' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- adds the tables above
  interface Database extends KyselyTables<typeof REPLAY_TABLES> {}
}
