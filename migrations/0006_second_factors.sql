-- Second factors of staff: what they show after their password. An older build would let them in without, so it does
-- not start beside this. Devices on which staff sign in remember when they were last used, and end when that is long ago.

create table staff_factor (
  org_id         uuid not null,
  id             uuid not null,
  staff_id       uuid not null,
  kind           text not null,
  label          text not null,
  -- an authenticator app's secret, encrypted under the secret key of that id, and the last time step that was accepted
  sealed_secret  bytea,
  key_id         text,
  last_step      bigint,
  -- a passkey, and how often its authenticator says that it was used; 0 always where it does not count
  credential_id  bytea,
  public_key     bytea,
  sign_count     bigint,
  transports     text[],
  created_at     timestamptz not null,
  -- null until its first code was right; nothing is asked for until then
  confirmed_at   timestamptz,
  last_used_at   timestamptz,
  primary key (org_id, id),
  foreign key (org_id, staff_id) references staff,
  constraint staff_factor_kind_known check (kind in ('totp', 'passkey')),
  constraint staff_factor_totp_whole check (
    (kind = 'totp') = (sealed_secret is not null and key_id is not null)),
  constraint staff_factor_passkey_whole check (
    (kind = 'passkey') = (credential_id is not null and public_key is not null and sign_count is not null
      and transports is not null)),
  constraint staff_factor_step_of_totp check (last_step is null or kind = 'totp'),
  constraint staff_factor_credential_once unique (credential_id)
);
-- One authenticator app a person, besides one that waits for its first code.
create unique index staff_factor_totp_once on staff_factor (org_id, staff_id, (confirmed_at is null)) where kind = 'totp';
create index staff_factor_by_staff on staff_factor (org_id, staff_id);

-- What lets someone in who lost their factors, once each.
create table staff_recovery_code (
  org_id     uuid not null,
  staff_id   uuid not null,
  code_hash  bytea not null,
  primary key (org_id, staff_id, code_hash),
  foreign key (org_id, staff_id) references staff
);

-- What a passkey is asked to sign, once, within minutes; stored as a hash.
create table staff_challenge (
  challenge_hash  bytea primary key,
  org_id          uuid not null,
  staff_id        uuid not null,
  purpose         text not null,
  expires_at      timestamptz not null,
  foreign key (org_id, staff_id) references staff,
  constraint staff_challenge_purpose_known check (purpose in ('register', 'sign_in'))
);
create index staff_challenge_by_age on staff_challenge (expires_at);

-- Moments of the last day at which a person's second factor was wrong.
create table staff_factor_failure (
  org_id    uuid not null,
  staff_id  uuid not null,
  failures  timestamptz[] not null default '{}',
  primary key (org_id, staff_id),
  foreign key (org_id, staff_id) references staff
);

alter table staff_device
  -- null: paired before this was counted, and not used since; it counts from the sweeper's next round
  add column last_used_at  timestamptz,
  add column expired_at    timestamptz;
-- Those that are used, by when they were, which the sweeper looks through.
create index staff_device_by_use on staff_device (last_used_at) where token_hash is not null;
