-- Signing in under attack: sessions that know when they were last used and when the password was last given, wrong PINs
-- counted by person and device, wrong passwords counted by account over all addresses, devices known from an earlier
-- sign-in, and the wrong tries of a shop that its owner is told of.
-- compatible

alter table staff_session
  -- what lists of sessions call it; the hash of its token is shown to nobody
  add column id            uuid not null default gen_random_uuid(),
  -- null: not since it was made
  add column last_used_at  timestamptz,
  -- when its person last gave their password; null: never
  add column password_at   timestamptz;
create unique index staff_session_id_once on staff_session (org_id, id);

-- From when the next of a device's wrong PINs is forgiven.
alter table staff_device add column pin_forgiving_since timestamptz;

-- Wrong PINs of one person on one device since their own right one.
create table staff_pin_failure (
  org_id      uuid not null,
  device_id   uuid not null,
  -- the nil id: whoever was named is nobody who may sign in there
  staff_id    uuid not null,
  failures    integer not null,
  last_at     timestamptz not null,
  wait_until  timestamptz,
  primary key (org_id, device_id, staff_id),
  foreign key (org_id, device_id) references staff_device on delete cascade
);

-- Wrong passwords of an account: from strangers, over all addresses, or from one known device. The key is a digest.
create table account_failure (
  key_hash         bytea primary key,
  failures         integer not null default 0,
  forgiving_since  timestamptz,
  wait_until       timestamptz,
  updated_at       timestamptz not null
);
create index account_failure_by_age on account_failure (updated_at);

-- Devices from which someone signed in with their password before.
create table known_device (
  token_hash  bytea primary key,
  org_id      uuid not null,
  staff_id    uuid not null,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  foreign key (org_id, staff_id) references staff
);
create index known_device_by_staff on known_device (org_id, staff_id);
create index known_device_by_age on known_device (expires_at);

-- The wrong PINs and passwords of a shop in the last hour, and when its owner was last told.
create table wrong_tries (
  org_id   uuid primary key references shop,
  moments  timestamptz[] not null default '{}',
  told_at  timestamptz
);

-- Whoever was archived and comes back needs a new password and PIN.
update staff set password_hash = null, pin_hash = null where archived_at is not null;
