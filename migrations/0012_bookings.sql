-- Guests book: who they are, what became of the booking, and the hash of the link that manages it. The locator finds the
-- shop of a link by the first half of that hash. A branch and service date are locked while their tables are assigned.
-- compatible

alter table booking
  add column guest_phone   text,
  add column phone_proven  boolean not null default false,
  add column language      text not null default 'ar',
  add column source        text not null default 'guest',
  add column manage_hash   bytea,
  add column revision      integer not null default 1,
  add column seated_at     timestamptz,
  add column ended_at      timestamptz,
  add column cancelled_by  text,
  add column updated_at    timestamptz,
  add constraint booking_source_known check (source in ('guest', 'phone', 'walk_in')),
  add constraint booking_cancelled_by_known check (cancelled_by in ('guest', 'staff')),
  add constraint booking_manage_hash_size check (length(manage_hash) = 32);
create unique index booking_by_link on booking (org_id, manage_hash) where manage_hash is not null;
create index booking_by_phone on booking (org_id, guest_phone) where guest_phone is not null;
create index booking_unseated on booking (starts_at) where status = 'confirmed';
create index booking_seated on booking (ends_at) where status = 'seated';

create table booking_day (
  org_id        uuid not null,
  branch_id     uuid not null,
  service_date  date not null,
  primary key (org_id, branch_id, service_date)
);
create index booking_day_by_date on booking_day (service_date);
