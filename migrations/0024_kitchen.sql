-- The kitchen: stations, what was fired to them, and what they have made.
-- compatible

alter table branch
  add column kitchen_moves_orders boolean not null default true;

create table kitchen_station (
  org_id             uuid not null,
  id                 uuid not null,
  branch_id          uuid not null,
  name               text not null,
  name_translations  jsonb not null default '{}',
  sort               integer not null,
  category_ids       uuid[] not null default '{}',
  item_ids           uuid[] not null default '{}',
  archived_at        timestamptz,
  primary key (org_id, id),
  foreign key (org_id, branch_id) references branch
);
create index kitchen_station_by_branch on kitchen_station (org_id, branch_id, sort);

-- A round of a ticket, a sale over the counter, or a confirmed order; each is fired once.
create table kitchen_firing (
  org_id          uuid not null,
  id              uuid not null,
  branch_id       uuid not null,
  source          text not null,
  source_id       uuid not null,                      -- the ticket, sale or order that was fired
  round           integer not null,
  reference       text not null,                      -- what staff call it
  name            text,                               -- of the guest, to call out
  notes           text,
  fired_at        timestamptz not null,
  promised_at     timestamptz,                        -- to the guest of an order
  forgotten_at    timestamptz,                        -- since then it has no words of its guest, and is on no board
  primary key (org_id, id),
  foreign key (org_id, branch_id) references branch,
  constraint kitchen_firing_once unique (org_id, source_id, round),
  constraint kitchen_firing_source_known check (source in ('ticket', 'sale', 'order'))
);
create index kitchen_firing_to_forget on kitchen_firing (fired_at) where forgotten_at is null;
create index kitchen_firing_by_branch on kitchen_firing (org_id, branch_id, fired_at);

-- What one station makes of a firing.
create table kitchen_ticket (
  org_id      uuid not null,
  id          uuid not null,
  firing_id   uuid not null,
  branch_id   uuid not null,
  station_id  uuid,                                   -- null: the branch had no stations
  fired_at    timestamptz not null,
  done_at     timestamptz,                            -- every line is bumped
  primary key (org_id, id),
  foreign key (org_id, firing_id) references kitchen_firing,
  foreign key (org_id, station_id) references kitchen_station,
  constraint kitchen_ticket_once unique nulls not distinct (org_id, firing_id, station_id)
);
create index kitchen_ticket_open on kitchen_ticket (org_id, branch_id, fired_at, id) where done_at is null;
create index kitchen_ticket_done on kitchen_ticket (org_id, branch_id, done_at desc, id desc) where done_at is not null;

create table kitchen_line (
  org_id        uuid not null,
  id            uuid not null,
  ticket_id     uuid not null,
  line_id       uuid,                                 -- of a dine-in ticket: the row that was fired
  place         integer not null,
  menu_item_id  uuid not null,
  name          text not null,
  size_label    text,
  details       jsonb not null default '[]',          -- add-ons and optionals
  combo         text,                                 -- the combo that it is part of
  notes         text,
  table_ids     uuid[] not null default '{}',         -- where its units go now
  quantity      integer not null,
  voided        integer not null default 0,           -- units of the quantity
  void_reason   text,
  bumped_at     timestamptz,
  bumped_by     uuid,
  primary key (org_id, id),
  foreign key (org_id, ticket_id) references kitchen_ticket,
  constraint kitchen_line_units_range check (quantity > 0 and voided between 0 and quantity)
);
create index kitchen_line_by_ticket on kitchen_line (org_id, ticket_id, place);
create index kitchen_line_by_line on kitchen_line (org_id, line_id) where line_id is not null;
