-- The staff take bookings, choose tables and block times; a guest holds a start for some minutes before booking it.
-- Tables that the staff chose stay as they are. A hold claims no table in the database: it never stands in the staff's way.
-- compatible

alter table booking add column is_pinned boolean not null default false;

create table booking_block (
  org_id      uuid not null,
  id          uuid not null,
  branch_id   uuid not null,
  starts_at   timestamptz not null,
  ends_at     timestamptz not null,
  -- Empty: no guest can book any table.
  table_ids   uuid[] not null default '{}',
  reason      text,
  created_at  timestamptz not null,
  lifted_at   timestamptz,
  primary key (org_id, id),
  foreign key (org_id, branch_id) references branch,
  constraint booking_block_span check (ends_at > starts_at)
);
create index booking_block_by_branch on booking_block (org_id, branch_id, ends_at) where lifted_at is null;

create table booking_hold (
  org_id        uuid not null,
  id            uuid not null,
  branch_id     uuid not null,
  service_date  date not null,
  party_size    integer not null,
  starts_at     timestamptz not null,
  ends_at       timestamptz not null,
  table_ids     uuid[] not null,
  token_hash    bytea not null,
  client_hash   bytea not null,
  expires_at    timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, branch_id) references branch,
  constraint booking_hold_span check (ends_at > starts_at),
  constraint booking_hold_party_positive check (party_size > 0)
);
create unique index booking_hold_by_client on booking_hold (org_id, client_hash);
create unique index booking_hold_by_token on booking_hold (org_id, token_hash);
create index booking_hold_by_branch on booking_hold (org_id, branch_id, starts_at);
create index booking_hold_expired on booking_hold (expires_at);
