import {
  archived,
  boolean,
  dates,
  imported,
  integer,
  text,
  uuid,
  uuids,
  type KyselyTables,
} from '../../../platform/store/schema/columns.ts';

/** A branch's dining tables, and how they are booked, in the order in which rows can be inserted. */
export const DINING_TABLES = {
  dining_table: imported(
    { of: 'entity', key: ['id'], in: ['branches[].tables[]'] },
    {
      org_id: uuid,
      id: uuid,
      branch_id: uuid,
      label: text.file('label'),
      section: text.nullable.file('section'),
      seats_min: integer.default(1).file('seats.min'),
      seats_max: integer.file('seats.max'),
      bookable: boolean.default(true).file('bookable'),
      public_id: uuid.nullable.imported('never'),
      ...archived,
    },
  ),
  table_join: imported(
    { of: 'branch_id', key: ['id'] },
    { org_id: uuid, id: uuid, branch_id: uuid, table_ids: uuids },
  ),
  /** Defaults: Decisions 9, Settings and defaults. */
  booking_settings: imported(
    { of: 'branch_id', key: ['branch_id'], in: ['branches[].booking'] },
    {
      org_id: uuid,
      branch_id: uuid,
      enabled: boolean.default(false).file('enabled'),
      slot_minutes: integer.default(30).file('slot_minutes'),
      default_duration_minutes: integer.default(90).file('default_duration_minutes'),
      min_party: integer.default(1).file('min_party'),
      max_party: integer.default(12).file('max_party'),
      lead_time_minutes: integer.default(60).file('lead_time_minutes'),
      horizon_days: integer.default(30).file('horizon_days'),
      hold_minutes: integer.default(15).file('hold_minutes'),
      auto_no_show_minutes: integer.nullable.default(30).file('auto_no_show_minutes'),
      reminder_lead_minutes: integer.nullable.default(120).file('reminder_lead_minutes'),
      require_otp: boolean.default(true).file('require_otp'),
      max_covers_per_slot: integer.nullable.file('max_covers_per_slot'),
      blackout_dates: dates.default([]),
    },
  ),
};

declare module '../../../platform/store/schema.ts' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- adds the tables above
  interface Database extends KyselyTables<typeof DINING_TABLES> {}
}
