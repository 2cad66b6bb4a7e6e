import type { RewardUse } from '../../domain/reward.ts';
import {
  bigint,
  boolean,
  bytea,
  imported,
  integer,
  jsonb,
  table,
  text,
  timestamptz,
  uuid,
  type KyselyTables,
} from '../../../platform/store/schema/columns.ts';

const poolEntry = { category_id: uuid.nullable, menu_item_id: uuid.nullable, size_label: text.nullable };

/** The programme itself and its rewards stand with the shop. */
export const LOYALTY_TABLES = {
  loyalty_reward_item: imported(
    { of: 'reward_id', key: ['reward_id', 'sort'] },
    { org_id: uuid, reward_id: uuid, sort: integer, ...poolEntry },
  ),
  loyalty_visit_item: imported({ of: 'shop', key: ['sort'] }, { org_id: uuid, sort: integer, ...poolEntry }),
  loyalty_card: table({
    org_id: uuid,
    id: uuid,
    customer_id: uuid,
    generation: integer.default(1),
    token_hash: bytea,
    created_at: timestamptz,
    points: integer.default(0),
    visits: integer.default(0),
    revision: bigint.default(1),
    changed_at: timestamptz,
    is_unproven: boolean.default(false),
    code_hash: bytea.nullable,
    merged_into: uuid.nullable,
    merged_at: timestamptz.nullable,
    absent_since: timestamptz.nullable,
    last_position: bigint.default(1_000_000_000_000),
  }),
  loyalty_entry: table({
    org_id: uuid,
    id: uuid,
    card_id: uuid,
    at: timestamptz,
    mode: text,
    kind: text,
    source: text,
    amount: integer,
    shortfall: integer.default(0),
    sale_id: uuid.nullable,
    refund_id: uuid.nullable,
    reverses: text.nullable,
    rewards: jsonb<readonly RewardUse[]>().nullable,
    note: text.nullable,
    staff_id: uuid.nullable,
    position: bigint.generated,
  }),
  loyalty_voucher_use: table({
    org_id: uuid,
    voucher_id: uuid,
    sale_id: uuid,
    cost: integer,
    recorded_at: timestamptz,
  }),
  loyalty_greeting: table({
    org_id: uuid,
    customer_id: uuid,
    kind: text,
    occasion: text,
    at: timestamptz,
  }),
};

declare module '../../../platform/store/schema.ts' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- adds the tables above
  interface Database extends KyselyTables<typeof LOYALTY_TABLES> {}
}
