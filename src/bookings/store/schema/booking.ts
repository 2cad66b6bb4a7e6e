import type { Generated } from 'kysely';
import type { Uuid } from '../../../kernel/ids.ts';
import type { LocalDate } from '../../../kernel/time.ts';
import type { NullableTimestamp, Timestamp } from '../../../platform/store/schema/columns.ts';

interface DiningTableTable {
  org_id: Uuid;
  id: Uuid;
  branch_id: Uuid;
  label: string;
  section: string | null;
  seats_min: Generated<number>;
  seats_max: number;
  bookable: Generated<boolean>;
  archived_at: NullableTimestamp;
}

interface TableJoinTable {
  org_id: Uuid;
  id: Uuid;
  branch_id: Uuid;
  table_ids: Uuid[];
}

interface BookingSettingsTable {
  org_id: Uuid;
  branch_id: Uuid;
  enabled: Generated<boolean>;
  slot_minutes: Generated<number>;
  default_duration_minutes: Generated<number>;
  min_party: Generated<number>;
  max_party: Generated<number>;
  lead_time_minutes: Generated<number>;
  horizon_days: Generated<number>;
  hold_minutes: Generated<number>;
  auto_no_show_minutes: Generated<number | null>;
  reminder_lead_minutes: Generated<number | null>;
  require_otp: Generated<boolean>;
  max_covers_per_slot: number | null;
  blackout_dates: Generated<LocalDate[]>;
}

interface BookingTable {
  org_id: Uuid;
  id: Uuid;
  branch_id: Uuid;
  service_date: LocalDate;
  status: Generated<string>;
  party_size: number;
  starts_at: Timestamp;
  ends_at: Timestamp;
  guest_name: string;
  notes: string | null;
  created_at: Timestamp;
}

interface BookingTableTable {
  org_id: Uuid;
  booking_id: Uuid;
  table_id: Uuid;
  branch_id: Uuid;
  during: string;
}

declare module '../../../platform/store/schema.ts' {
  interface Database {
    dining_table: DiningTableTable;
    table_join: TableJoinTable;
    booking_settings: BookingSettingsTable;
    booking: BookingTable;
    booking_table: BookingTableTable;
  }
}
