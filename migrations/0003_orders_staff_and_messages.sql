-- Taking orders: one-time codes and devices, customers and cards, what an order records when it is taken, staff who
-- move it, the outbox for messages and webhooks, the audit log. Tokens and codes stand here as hashes alone.
-- compatible

-- Phones and devices: a phone belongs to a person, not to a shop, so these two name none.

-- What is known of one-time codes sent to a phone (canonical digits).
create table otp_phone (
  phone             text primary key,
  -- the live code; null when there is none
  code_hash         bytea,
  code_expires_at   timestamptz,
  tries             smallint not null default 0,
  -- the code that is being sent now, by whom and since when
  sending_id        uuid,
  sending_at        timestamptz,
  -- moments of the last day: codes sent, wrong codes entered
  codes             timestamptz[] not null default '{}',
  failures          timestamptz[] not null default '{}',
  updated_at        timestamptz not null,
  constraint otp_code_whole check ((code_hash is null) = (code_expires_at is null)),
  constraint otp_sending_whole check ((sending_id is null) = (sending_at is null)),
  constraint otp_tries_range check (tries between 0 and 5)
);
create index otp_phone_by_age on otp_phone (updated_at);

-- A device on which a phone was proven.
create table device_token (
  token_hash  bytea primary key,
  phone       text not null,
  issued_at   timestamptz not null,
  expires_at  timestamptz not null
);
create index device_token_by_phone on device_token (phone);
create index device_token_by_age on device_token (expires_at);

-- Customers

create table customer (
  org_id            uuid not null references shop,
  id                uuid not null,
  phone             text,                    -- canonical digits; null once erased
  name              text not null,
  language          text not null default 'ar',
  -- when a device first proved the phone; null: only typed
  phone_proven_at   timestamptz,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  erased_at         timestamptz,
  primary key (org_id, id),
  constraint customer_phone_once unique (org_id, phone),
  constraint customer_erased_whole check (erased_at is null or phone is null)
);

-- Addresses that a customer ordered to. address_key is a digest of the normalised text, so that the same place is one row.
create table customer_address (
  org_id            uuid not null,
  id                uuid not null,
  customer_id       uuid not null,
  channel           text not null,
  branch_id         uuid,
  delivery_zone_id  uuid,
  address_key       text not null,
  label             text,
  address_line      text,
  floor             text,
  unit_number       text,
  landmark          text,
  place_name        text,
  delivery_notes    text,
  lat               double precision,
  lng               double precision,
  use_count         integer not null default 1,
  last_used_at      timestamptz not null,
  created_at        timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, customer_id) references customer,
  constraint customer_address_once unique (org_id, customer_id, address_key),
  constraint customer_address_channel_known check (channel in ('outside', 'in_mall', 'umbrella')),
  constraint customer_address_use_positive check (use_count > 0)
);

-- A member's card. The token can be made again from the card's id and generation; a new generation ends the old token.
create table loyalty_card (
  org_id       uuid not null,
  id           uuid not null,
  customer_id  uuid not null,
  generation   integer not null default 1,
  token_hash   bytea not null,
  created_at   timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, customer_id) references customer,
  constraint loyalty_card_once unique (org_id, customer_id),
  constraint loyalty_card_token_once unique (org_id, token_hash)
);

-- Orders

alter table shop
  add column payment_methods text[] not null default '{cash,card}';

alter table delivery_order
  add column language                    text not null default 'ar',
  add column order_id                    uuid,
  add column customer_id                 uuid,
  add column address_id                  uuid,
  add column delivery_zone_id            uuid,
  add column customer_phone              text,
  add column delivery_notes              text,
  add column customer_lat                double precision,
  add column customer_lng                double precision,
  add column road_distance_meters        integer,
  add column distance_source             text,
  add column discount_id                 uuid,
  add column discount_type               text,
  add column discount_rate               numeric(7,6),
  add column discount_value              bigint,
  add column service_charge_rate_applied numeric(7,6) not null default 0,
  add column otp_verified                boolean not null default false,
  add column contact_override            boolean not null default false,
  add column cancel_note                 text,
  add column cancel_restocked            boolean,
  -- counted units that the order took, by what was counted: [{"id": uuid, "units": 2}]
  add column stock_taken                 jsonb not null default '[]',
  add column till_id                     uuid,
  add column receipt_printed_at          timestamptz,
  add column erased_at                   timestamptz,
  add constraint delivery_order_distance_whole check ((distance_source is null) = (road_distance_meters is null)),
  add constraint delivery_order_distance_source_known check (distance_source in ('osrm', 'haversine')),
  add constraint delivery_order_discount_type_known check (discount_type in ('percentage', 'fixed')),
  add constraint delivery_order_money_range check (
    subtotal >= 0 and discount_amount between 0 and subtotal and delivery_fee >= 0 and tax_amount >= 0 and total >= 0);
create unique index delivery_order_ref_once on delivery_order (org_id, delivery_ref);
create index delivery_order_by_customer on delivery_order (org_id, customer_id, created_at);
create index delivery_order_by_phone on delivery_order (org_id, customer_phone, created_at);
create index delivery_order_by_status on delivery_order (org_id, branch_id, status, created_at, id);
-- What waits to be confirmed, which the sweeper looks through.
create index delivery_order_received on delivery_order (created_at) where status = 'received';

-- Pauses and sold-out things that end by themselves, which the sweeper looks for.
create index branch_channel_by_end on branch_channel (mode_until) where mode_until is not null;
create index availability_by_end on availability (sold_out_until) where sold_out_until is not null;

-- The last number given under a branch's code on a business date: D-ZML-261204-0007. By the code, not the branch, so
-- that branches which swap codes never give one reference twice.
create table order_number (
  org_id       uuid not null,
  branch_code  text not null,
  date         date not null,
  last         integer not null,
  primary key (org_id, branch_code, date)
);

-- Idempotency keys: what was made under a key, and a digest of what was asked for.
create table idempotency_key (
  org_id      uuid not null,
  operation   text not null,
  key         text not null,
  body_hash   bytea not null,
  subject_id  uuid not null,
  created_at  timestamptz not null,
  constraint idempotency_key_once primary key (org_id, operation, key)
);
create index idempotency_key_by_age on idempotency_key (created_at);

-- Distances that a routing server gave, to four decimals of a degree, so that a quote and its order agree.
create table road_distance (
  org_id     uuid not null,
  branch_id  uuid not null,
  lat        numeric(8,4) not null,
  lng        numeric(8,4) not null,
  -- where the branch was: one that moves is measured from anew
  from_lat   double precision not null,
  from_lng   double precision not null,
  meters     integer not null,
  source     text not null,
  measured_at timestamptz not null,
  primary key (org_id, branch_id, lat, lng),
  constraint road_distance_source_known check (source in ('osrm', 'haversine'))
);
create index road_distance_by_age on road_distance (measured_at);

-- Staff

create table staff (
  org_id         uuid not null references shop,
  id             uuid not null,
  name           text not null,
  role           text not null,
  email          text,
  password_hash  text,
  pin_hash       text,
  -- null: every branch of the shop
  branch_ids     uuid[],
  is_active      boolean not null default true,
  created_at     timestamptz not null,
  archived_at    timestamptz,
  primary key (org_id, id),
  constraint staff_role_known check (role in ('owner', 'manager', 'teller', 'waiter', 'kitchen'))
);
-- An e-mail address signs one person in.
create unique index staff_email_once on staff (lower(email)) where email is not null and archived_at is null;

create table staff_device (
  org_id              uuid not null,
  id                  uuid not null,
  branch_id           uuid not null,
  label               text not null,
  pairing_hash        bytea,
  pairing_expires_at  timestamptz,
  token_hash          bytea,
  paired_at           timestamptz,
  revoked_at          timestamptz,
  -- wrong PINs in a row, and until when the device must wait
  pin_failures        integer not null default 0,
  pin_wait_until      timestamptz,
  created_at          timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, branch_id) references branch
);
create unique index staff_device_pairing_once on staff_device (pairing_hash) where pairing_hash is not null;
create unique index staff_device_token_once on staff_device (token_hash) where token_hash is not null;

create table staff_session (
  token_hash  bytea primary key,
  org_id      uuid not null,
  staff_id    uuid not null,
  device_id   uuid,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  foreign key (org_id, staff_id) references staff
);
create index staff_session_by_staff on staff_session (org_id, staff_id);
create index staff_session_by_age on staff_session (expires_at);

-- Wrong passwords of the last minutes, by account and address; the key is a digest of both.
create table sign_in_failure (
  key_hash    bytea primary key,
  failures    timestamptz[] not null default '{}',
  updated_at  timestamptz not null
);
create index sign_in_failure_by_age on sign_in_failure (updated_at);

alter table till
  add column staff_id   uuid,
  add column device_id  uuid;

-- Who did what. Written in the transaction of the change itself, never changed afterwards.
create table audit (
  org_id      uuid not null,
  id          uuid not null,
  at          timestamptz not null,
  -- null: the service itself, or a command of the operator's
  staff_id    uuid,
  device_id   uuid,
  branch_id   uuid,
  action      text not null,
  subject     text not null,
  subject_id  uuid,
  detail      jsonb not null default '{}',
  primary key (org_id, id)
);
create index audit_by_subject on audit (org_id, subject_id, at);
create index audit_by_time on audit (org_id, at);

-- The outbox: what must be told to someone outside, written with the change that it tells of. Rows of a lane go out in
-- order, one at a time; a lane is an order's messages, or an order's events for one webhook.
create table outbox (
  org_id         uuid not null,
  id             uuid not null,
  position       bigint generated always as identity,
  kind           text not null,
  lane           text not null,
  -- what it is about, and the facts; no token, no code
  subject_id     uuid not null,
  target_id      uuid,
  payload        jsonb not null,
  status         text not null default 'waiting',
  attempts       integer not null default 0,
  created_at     timestamptz not null,
  next_at        timestamptz not null,
  leased_until   timestamptz,
  lease_id       uuid,
  done_at        timestamptz,
  -- the provider's id of a message, and what it says became of it
  provider_id    text,
  delivery       text,
  last_error     text,
  primary key (org_id, id),
  constraint outbox_kind_known check (kind in ('message', 'webhook')),
  constraint outbox_status_known check (status in ('waiting', 'sent', 'parked', 'dropped'))
);
create index outbox_waiting on outbox (next_at, position) where status = 'waiting';
create index outbox_lane on outbox (org_id, lane, position) where status = 'waiting';
create index outbox_by_subject on outbox (org_id, subject_id, position);
create index outbox_by_provider on outbox (provider_id) where provider_id is not null;
create index outbox_done on outbox (done_at) where done_at is not null;

-- Addresses of the shop's own systems. The secret can be made again from the id and generation, and is not stored.
create table webhook_target (
  org_id       uuid not null references shop,
  id           uuid not null,
  url          text not null,
  generation   integer not null default 1,
  secret_hash  bytea not null,
  is_active    boolean not null default true,
  created_at   timestamptz not null,
  primary key (org_id, id),
  constraint webhook_target_https check (url like 'https://%')
);
