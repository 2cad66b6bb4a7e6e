import {
  archived,
  imported,
  integer,
  jsonb,
  named,
  table,
  text,
  timestamptz,
  uuid,
  uuids,
  word,
  type KyselyTables,
} from '../../../platform/store/schema/columns.ts';
import type { FiringSource } from '../../domain/firing.ts';

export const KITCHEN_TABLES = {
  kitchen_station: imported(
    { of: 'entity', key: ['id'], in: ['branches[].stations[]'] },
    {
      org_id: uuid,
      ...named,
      branch_id: uuid,
      sort: integer,
      category_ids: uuids.default([]),
      item_ids: uuids.default([]),
      ...archived,
    },
  ),
  kitchen_firing: table({
    org_id: uuid,
    id: uuid,
    branch_id: uuid,
    source: word<FiringSource>(),
    source_id: uuid,
    round: integer,
    reference: text,
    name: text.nullable,
    notes: text.nullable,
    fired_at: timestamptz,
    promised_at: timestamptz.nullable,
    forgotten_at: timestamptz.nullable,
  }),
  kitchen_ticket: table({
    org_id: uuid,
    id: uuid,
    firing_id: uuid,
    branch_id: uuid,
    station_id: uuid.nullable,
    fired_at: timestamptz,
    done_at: timestamptz.nullable,
  }),
  kitchen_line: table({
    org_id: uuid,
    id: uuid,
    ticket_id: uuid,
    line_id: uuid.nullable,
    place: integer,
    menu_item_id: uuid,
    name: text,
    size_label: text.nullable,
    details: jsonb<readonly string[]>().default([]),
    combo: text.nullable,
    notes: text.nullable,
    table_ids: uuids.default([]),
    quantity: integer,
    voided: integer.default(0),
    void_reason: text.nullable,
    bumped_at: timestamptz.nullable,
    bumped_by: uuid.nullable,
  }),
};

declare module '../../../platform/store/schema.ts' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- adds the tables above
  interface Database extends KyselyTables<typeof KITCHEN_TABLES> {}
}
