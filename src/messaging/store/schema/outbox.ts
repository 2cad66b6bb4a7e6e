import type { Generated } from 'kysely';
import type { Uuid } from '../../../kernel/ids.ts';
import type { Json, NullableTimestamp, Timestamp } from '../../../platform/store/schema/columns.ts';

interface OutboxTable {
  org_id: Uuid;
  id: Uuid;
  position: Generated<number>;
  kind: string;
  lane: string;
  subject_id: Uuid;
  target_id: Uuid | null;
  payload: Json<Readonly<Record<string, unknown>>>;
  status: Generated<string>;
  attempts: Generated<number>;
  created_at: Timestamp;
  waiting_since: Timestamp;
  next_at: Timestamp;
  leased_until: NullableTimestamp;
  lease_id: Uuid | null;
  done_at: NullableTimestamp;
  provider_id: string | null;
  delivery: string | null;
  last_error: string | null;
  is_budgeted: Generated<boolean>;
}

interface WebhookTargetTable {
  org_id: Uuid;
  id: Uuid;
  url: string;
  generation: Generated<number>;
  secret_hash: Buffer;
  is_active: Generated<boolean>;
  created_at: Timestamp;
}

interface MessageBudgetTable {
  key: string;
  minute: number;
  counts: number[];
  low_minute: number | null;
  spent_minute: number | null;
}

declare module '../../../platform/store/schema.ts' {
  interface Database {
    outbox: OutboxTable;
    message_budget: MessageBudgetTable;
    webhook_target: WebhookTargetTable;
  }
}
