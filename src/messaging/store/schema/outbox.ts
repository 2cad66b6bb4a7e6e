import {
  bigint,
  boolean,
  bytea,
  integer,
  integers,
  jsonb,
  table,
  text,
  timestamps,
  timestamptz,
  uuid,
  type KyselyTables,
} from '../../../platform/store/schema/columns.ts';

export const MESSAGING_TABLES = {
  outbox: table({
    org_id: uuid,
    id: uuid,
    position: bigint.generated,
    kind: text,
    lane: text,
    subject: text.default('order'),
    subject_id: uuid,
    target_id: uuid.nullable,
    payload: jsonb<Readonly<Record<string, unknown>>>(),
    status: text.default('waiting'),
    attempts: integer.default(0),
    created_at: timestamptz,
    waiting_since: timestamptz,
    next_at: timestamptz,
    leased_until: timestamptz.nullable,
    lease_id: uuid.nullable,
    done_at: timestamptz.nullable,
    tried_at: timestamptz.nullable,
    provider_id: text.nullable,
    delivery: text.nullable,
    last_error: text.nullable,
    is_budgeted: boolean.default(false),
  }),
  message_budget: table({
    key: text,
    minute: integer,
    counts: integers,
    low_minute: integer.nullable,
    spent_minute: integer.nullable,
    /** Written by older builds only. */
    updated_at: timestamptz.nullable,
  }),
  webhook_target: table({
    org_id: uuid,
    id: uuid,
    url: text,
    generation: integer.default(1),
    secret_hash: bytea,
    is_active: boolean.default(true),
    created_at: timestamptz,
    tried_at: timestamptz.nullable,
    tried_reason: text.nullable,
  }),
  guest_phone: table({
    phone: text,
    known_at: timestamptz.nullable,
    told_at: timestamps.default([]),
    card_link_at: timestamptz.nullable,
    updated_at: timestamptz,
  }),
};

declare module '../../../platform/store/schema.ts' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- adds the tables above
  interface Database extends KyselyTables<typeof MESSAGING_TABLES> {}
}
