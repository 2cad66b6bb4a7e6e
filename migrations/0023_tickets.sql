-- Tickets of the floor: what guests at tables have ordered, until it is paid.
-- compatible

-- Tickets into which one was split; whoever changes one of them locks the check.
create table ticket_check (
  org_id     uuid not null,
  id         uuid not null,
  branch_id  uuid not null,
  primary key (org_id, id),
  foreign key (org_id, branch_id) references branch
);

create table ticket_number (
  org_id     uuid not null,
  branch_id  uuid not null,
  date       date not null,
  last       integer not null,
  primary key (org_id, branch_id, date),
  foreign key (org_id, branch_id) references branch
);

create table ticket (
  org_id           uuid not null,
  id               uuid not null,
  branch_id        uuid not null,
  check_id         uuid not null,
  table_id         uuid,
  ticket_ref       text not null,
  status           text not null default 'open',
  revision         integer not null default 1,
  split_of         uuid,
  merged_into      uuid,
  opened_at        timestamptz not null,
  opened_by        uuid not null,                     -- a person, or the table of a guest
  opened_via       text not null,
  guest_count      integer,
  customer_name    text,
  notes            text,
  booking_id       uuid,
  card_id          uuid,
  discount_id      uuid,
  discount_share   uuid,                              -- parts of a split ticket share one discount
  discount_name    text,
  discount_type    text,
  discount_rate    numeric(7,6),
  discount_amount  integer,
  service_rate     numeric(7,6) not null,             -- the policy in force when it was opened
  service_taxable  boolean not null,
  tax_rate         numeric(7,6) not null,
  tax_inclusive    boolean not null,
  rounds           integer not null default 0,
  paid             jsonb,                             -- the amounts of a settled ticket; they never change
  settled_at       timestamptz,
  voided_at        timestamptz,
  void_reason      text,
  void_note        text,
  forgotten_at     timestamptz,                       -- since then it has no words of its guests
  primary key (org_id, id),
  foreign key (org_id, branch_id) references branch,
  foreign key (org_id, check_id) references ticket_check,
  foreign key (org_id, table_id) references dining_table,
  constraint ticket_status_known check (status in ('open', 'settled', 'voided')),
  constraint ticket_opened_via_known check (opened_via in ('staff', 'qr')),
  constraint ticket_guests_range check (guest_count between 1 and 1000),
  constraint ticket_discount_whole check (num_nulls(discount_id, discount_share, discount_name, discount_type, discount_rate, discount_amount) in (0, 6)),
  constraint ticket_end_whole check (
    (status = 'settled') = (settled_at is not null) and (status = 'settled') = (paid is not null)
    and (status = 'voided') = (voided_at is not null) and (status = 'voided') = (void_reason is not null))
);
create index ticket_open on ticket (org_id, branch_id, opened_at, id) where status = 'open';
create index ticket_by_branch on ticket (org_id, branch_id, opened_at desc, id desc);
create index ticket_to_forget on ticket (coalesce(settled_at, voided_at)) where forgotten_at is null and status <> 'open';
create index ticket_by_check on ticket (org_id, check_id);
create index ticket_by_table on ticket (org_id, table_id) where status = 'open';

-- A table has the tickets of one check.
create table table_occupancy (
  org_id    uuid not null,
  table_id  uuid not null,
  check_id  uuid not null,
  primary key (org_id, table_id),
  foreign key (org_id, table_id) references dining_table,
  foreign key (org_id, check_id) references ticket_check
);

create table ticket_round (
  org_id     uuid not null,
  id         uuid not null,
  ticket_id  uuid not null,
  number     integer not null,
  fired_at   timestamptz not null,
  fired_by   uuid not null,
  via        text not null,
  offers     jsonb not null,                          -- the deals on offer then
  primary key (org_id, id),
  foreign key (org_id, ticket_id) references ticket,
  constraint ticket_round_once unique (org_id, ticket_id, number)
);

-- A row is live or void as a whole: units that are voided or split off become a row of their own.
create table ticket_item (
  org_id        uuid not null,
  id            uuid not null,
  ticket_id     uuid not null,
  round_id      uuid not null,
  round_number  integer not null,
  fired_at      timestamptz not null,
  place         integer not null,                     -- in its round
  origin_id     uuid not null,                        -- the row that was fired: the kitchen knows it by this id
  quantity      integer not null,
  line          jsonb not null,                       -- frozen, before deals
  input         jsonb not null,                       -- as it was ordered
  units         jsonb,                                -- what deals look at in a unit; null: a combo
  stock         jsonb not null default '[]',          -- counted units it took
  line_total    integer not null,
  voided_at     timestamptz,
  voided_by     uuid,
  void_reason   text,
  void_note     text,
  primary key (org_id, id),
  foreign key (org_id, ticket_id) references ticket,
  foreign key (org_id, round_id) references ticket_round,
  constraint ticket_item_quantity_range check (quantity > 0 and line_total >= 0),
  constraint ticket_item_void_whole check ((voided_at is null) = (void_reason is null))
);
create index ticket_item_by_ticket on ticket_item (org_id, ticket_id, fired_at, place);
create index ticket_item_by_origin on ticket_item (org_id, origin_id);

-- Any number of discounts are offered at the tills of a branch; a channel carries one.
alter table channel_discount
  drop constraint channel_discount_once,
  drop constraint channel_discount_channel_known,
  add constraint channel_discount_channel_known check (channel in ('pickup', 'outside', 'in_mall', 'umbrella', 'till')),
  add constraint channel_discount_listed_once unique nulls not distinct (org_id, channel, branch_id, discount_id);
create unique index channel_discount_once on channel_discount (org_id, channel, branch_id) nulls not distinct where channel <> 'till';

-- Of its guests; the sweeper completes no booking that has one.
alter table booking
  add column open_tickets integer not null default 0,
  add constraint booking_open_tickets_range check (open_tickets >= 0);
