-- A stranger's phone that was only typed is told of two orders a day, an hour has a budget of codes and messages, and one
-- phone cannot fill a shop's board with orders: what is counted for these three.
-- compatible

-- A guest's phone (canonical digits), over all shops.
create table guest_phone (
  phone       text primary key,
  -- when its owner was last met: a code proved the phone, or an order of it was handed over; null: it was only typed
  known_at    timestamptz,
  -- when orders were taken that it is told of, of the last day, while it was only typed
  told_at     timestamptz[] not null default '{}',
  updated_at  timestamptz not null
);
create index guest_phone_typed on guest_phone (updated_at) where known_at is null;
create index guest_phone_known on guest_phone (updated_at) where known_at is not null;

insert into guest_phone (phone, known_at, updated_at)
select phone, max(met_at), max(met_at)
from (
  select phone, issued_at as met_at from device_token
  union all
  select phone, phone_proven_at from customer where phone_proven_at is not null
  union all
  select customer_phone, delivered_at from delivery_order where status = 'delivered'
) met
where phone is not null and met_at is not null
group by phone;

-- Codes and messages of the last hour, minute by minute, by what they count for: all, a country prefix, a shop, a client
-- address (as a digest).
create table message_budget (
  key           text primary key,
  -- the minute of the last count, since 1970; the counts before it are of the minutes before
  minute        integer not null,
  counts        integer[] not null,
  -- when it was last said that little is left, and that nothing is
  low_minute    integer,
  spent_minute  integer,
  updated_at    timestamptz not null
);
create index message_budget_by_age on message_budget (updated_at);

-- Whether the message has been counted in the budgets.
alter table outbox add column is_budgeted boolean not null default false;

-- Whether the guest is told of the order and its steps.
alter table delivery_order add column notified boolean not null default true;

-- Orders of one phone at a shop: under way at most, and in 24 hours at most; null: as many as they like.
alter table shop
  add column brake_open_orders     integer default 5,
  add column brake_orders_per_day  integer default 20,
  add constraint shop_brake_positive check (brake_open_orders > 0 and brake_orders_per_day > 0);

create index delivery_order_under_way on delivery_order (org_id, customer_phone)
  where status in ('received', 'confirmed', 'preparing', 'ready', 'out_for_delivery');

-- Phones that staff let order more than the brake allows, for a while.
create table order_brake_lift (
  org_id  uuid not null references shop,
  phone   text not null,
  until   timestamptz not null,
  primary key (org_id, phone)
);
create index order_brake_lift_by_age on order_brake_lift (until);
