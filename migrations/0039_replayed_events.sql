-- What devices did without the server: each event once, with what became of it (Decisions 13).

create table replay_event (
  org_id        uuid not null,
  id            uuid not null,
  branch_id     uuid not null,
  device_id     uuid not null,
  staff_id      uuid not null,
  kind          text not null,
  -- the till, ticket, sale or refund as the device names it
  subject_id    uuid not null,
  -- what became of it where that has another id
  result_id     uuid,
  at            timestamptz not null,                 -- by our clock
  received_at   timestamptz not null,
  content_hash  bytea not null,
  data          jsonb,                                -- null: not needed any more
  outcome       text not null,
  waits_for     uuid,                                 -- null while it waits: its parent is there
  reasons       jsonb not null default '[]',
  closed_at     timestamptz,
  closed_by     uuid,
  close_note    text,
  primary key (org_id, id),
  foreign key (org_id, branch_id) references branch,
  foreign key (org_id, device_id) references staff_device,
  foreign key (org_id, staff_id) references staff,
  foreign key (org_id, closed_by) references staff,
  constraint replay_event_outcome_known check (outcome in ('applied', 'waiting', 'review')),
  constraint replay_event_waits check (waits_for is null or outcome = 'waiting'),
  constraint replay_event_closed_whole check (num_nulls(closed_at, closed_by, close_note) in (0, 3))
);
create index replay_event_by_parent on replay_event (org_id, waits_for) where waits_for is not null;
create index replay_event_due on replay_event (org_id, branch_id, at) where outcome = 'waiting' and waits_for is null;
create index replay_event_by_subject on replay_event (org_id, subject_id);
create index replay_event_to_review on replay_event (org_id, branch_id, received_at, id)
  where outcome in ('waiting', 'review') and closed_at is null;

alter table sale
  -- what the total of a device is more than its lines come to
  add column recorded_difference  integer not null default 0,
  -- its till was closed before
  add column late                 boolean not null default false,
  drop constraint sale_total_adds_up,
  add constraint sale_total_adds_up check (
    total = subtotal - deal_discount - reward_discount - staff_drink_discount - discount_amount + service_charge_amount
            + delivery_fee + case when tax_inclusive then 0 else tax_amount end + recorded_difference),
  add constraint sale_total_not_negative check (total >= 0);

alter table sale_payment
  -- of the amount: more than the total of the sale; less than zero: what is missing of it
  add column beyond  integer not null default 0,
  add column late    boolean not null default false;
alter table sale_refund add column late boolean not null default false;
alter table till_cash add column late boolean not null default false;

-- A person has one open till, and others that devices opened without the server.
alter table till add column opened_offline boolean not null default false;
drop index till_one_open_per_person;
create unique index till_one_open_per_person on till (org_id, staff_id) where status = 'open' and not opened_offline;

-- The sale of a settled ticket, where it has another id.
alter table ticket add column sale_id uuid;
create index ticket_by_sale on ticket (org_id, sale_id) where sale_id is not null;

-- Units that are gone are gone, also where fewer were counted.
alter table availability drop constraint availability_stock_range;

-- A device that has ended still tells what it sold.
alter table staff_device
  add column ended_token_hash bytea,
  add constraint staff_device_token_of_ended check (ended_token_hash is null or token_hash is null);
create unique index staff_device_by_ended_token on staff_device (ended_token_hash) where ended_token_hash is not null;

-- Prices that were ever on, so that a device's price is known also after a change.
create table known_price (
  org_id      uuid not null references shop,
  subject_id  uuid not null,
  size_label  text not null,
  amount      integer not null,
  primary key (org_id, subject_id, size_label, amount)
);
