import type { Generated } from 'kysely';
import type { Uuid } from '../../../kernel/ids.ts';
import type { DefaultJson, NullableTimestamp, Timestamp } from '../../../platform/store/schema/columns.ts';

interface StaffTable {
  org_id: Uuid;
  id: Uuid;
  name: string;
  role: string;
  email: string | null;
  password_hash: string | null;
  pin_hash: string | null;
  branch_ids: Uuid[] | null;
  is_active: Generated<boolean>;
  created_at: Timestamp;
  archived_at: NullableTimestamp;
}

interface StaffDeviceTable {
  org_id: Uuid;
  id: Uuid;
  branch_id: Uuid;
  label: string;
  pairing_hash: Buffer | null;
  pairing_expires_at: NullableTimestamp;
  token_hash: Buffer | null;
  paired_at: NullableTimestamp;
  revoked_at: NullableTimestamp;
  pin_failures: Generated<number>;
  pin_wait_until: NullableTimestamp;
  created_at: Timestamp;
  last_used_at: NullableTimestamp;
  expired_at: NullableTimestamp;
  pin_forgiving_since: NullableTimestamp;
}

interface StaffPinFailureTable {
  org_id: Uuid;
  device_id: Uuid;
  staff_id: Uuid;
  failures: number;
  last_at: Timestamp;
  wait_until: NullableTimestamp;
}

interface StaffSessionTable {
  token_hash: Buffer;
  org_id: Uuid;
  staff_id: Uuid;
  device_id: Uuid | null;
  created_at: Timestamp;
  expires_at: Timestamp;
  id: Generated<Uuid>;
  last_used_at: NullableTimestamp;
  password_at: NullableTimestamp;
}

interface SignInFailureTable {
  key_hash: Buffer;
  failures: Generated<number[]>;
  updated_at: Timestamp;
}

export interface StaffFactorTable {
  org_id: Uuid;
  id: Uuid;
  staff_id: Uuid;
  kind: string;
  label: string;
  sealed_secret: Buffer | null;
  key_id: string | null;
  last_step: number | null;
  credential_id: Buffer | null;
  public_key: Buffer | null;
  sign_count: number | null;
  transports: string[] | null;
  created_at: Timestamp;
  confirmed_at: NullableTimestamp;
  last_used_at: NullableTimestamp;
}

interface StaffRecoveryCodeTable {
  org_id: Uuid;
  staff_id: Uuid;
  code_hash: Buffer;
}

interface StaffChallengeTable {
  challenge_hash: Buffer;
  org_id: Uuid;
  staff_id: Uuid;
  purpose: string;
  expires_at: Timestamp;
}

interface StaffFactorFailureTable {
  org_id: Uuid;
  staff_id: Uuid;
  failures: Generated<number[]>;
}

interface AccountFailureTable {
  key_hash: Buffer;
  failures: Generated<number>;
  forgiving_since: NullableTimestamp;
  wait_until: NullableTimestamp;
  updated_at: Timestamp;
}

interface KnownDeviceTable {
  token_hash: Buffer;
  org_id: Uuid;
  staff_id: Uuid;
  created_at: Timestamp;
  expires_at: Timestamp;
}

interface WrongTriesTable {
  org_id: Uuid;
  moments: Generated<number[]>;
  told_at: NullableTimestamp;
}

export interface AuditTable {
  org_id: Uuid;
  id: Uuid;
  at: Timestamp;
  staff_id: Uuid | null;
  device_id: Uuid | null;
  branch_id: Uuid | null;
  action: string;
  subject: string;
  subject_id: Uuid | null;
  detail: DefaultJson<Readonly<Record<string, unknown>>>;
}

declare module '../../../platform/store/schema.ts' {
  interface Database {
    staff: StaffTable;
    staff_device: StaffDeviceTable;
    staff_session: StaffSessionTable;
    sign_in_failure: SignInFailureTable;
    staff_factor: StaffFactorTable;
    staff_recovery_code: StaffRecoveryCodeTable;
    staff_challenge: StaffChallengeTable;
    staff_factor_failure: StaffFactorFailureTable;
    staff_pin_failure: StaffPinFailureTable;
    account_failure: AccountFailureTable;
    known_device: KnownDeviceTable;
    wrong_tries: WrongTriesTable;
    audit: AuditTable;
  }
}
