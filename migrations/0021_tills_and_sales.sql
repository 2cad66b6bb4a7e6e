-- Tills as the staff open, count and close them, and the sales of a branch with their payments. Not compatible: an older
-- build would deliver orders without booking their sales.

alter table till
  add column opening_float  integer not null default 0,
  add column business_date  date,
  add column register_id    uuid,                          -- the device, else the person: what Z numbers count for
  add column counted        jsonb,                         -- what was in it at close, by payment method
  add column close_note     text,
  add column closed_by      uuid,
  add column z_number       integer,
  add column z_figures      jsonb,                         -- the figures at close; they never change
  add constraint till_float_range check (opening_float >= 0),
  add constraint till_z_at_close check ((z_number is null) = (z_figures is null) and (z_number is null or status <> 'open'));

-- A person has one open till; opening another finds it.
create unique index till_one_open_per_person on till (org_id, staff_id) where status = 'open';
create unique index till_z_once on till (org_id, branch_id, register_id, z_number) where z_number is not null;
create index till_by_branch on till (org_id, branch_id, opened_at desc, id desc);

create table z_counter (
  org_id       uuid not null,
  branch_id    uuid not null,
  register_id  uuid not null,
  last         integer not null,
  primary key (org_id, branch_id, register_id),
  foreign key (org_id, branch_id) references branch
);

-- Cash that goes into a till or out of it without a sale.
create table till_cash (
  org_id     uuid not null,
  id         uuid not null,
  till_id    uuid not null,
  at         timestamptz not null,
  kind       text not null,
  amount     integer not null,
  reason     text not null,
  staff_id   uuid not null,
  primary key (org_id, id),
  foreign key (org_id, till_id) references till,
  constraint till_cash_kind_known check (kind in ('pay_in', 'pay_out', 'drop')),
  constraint till_cash_amount_range check (amount > 0)
);
create index till_cash_by_till on till_cash (org_id, till_id, at, id);

-- One row for everything that was sold, once. A delivered order has the id of the order.
create table sale (
  org_id                 uuid not null,
  id                     uuid not null,
  branch_id              uuid not null,
  sale_ref               text not null,
  source                 text not null,
  channel                text not null,
  business_date          date not null,
  at                     timestamptz not null,
  till_id                uuid,
  staff_id               uuid,
  cart                   jsonb not null,                  -- lines, deals and rewards, as they were sold
  subtotal               integer not null,                -- all lines, before deals and rewards
  deal_discount          integer not null,
  reward_discount        integer not null,
  discount_amount        integer not null,
  service_charge_amount  integer not null,
  delivery_fee           integer not null,
  tax_rate               numeric(7,6) not null,
  tax_inclusive          boolean not null,
  tax_amount             integer not null,
  total                  integer not null,
  primary key (org_id, id),
  foreign key (org_id, branch_id) references branch,
  foreign key (org_id, till_id) references till,
  constraint sale_source_known check (source in ('ticket', 'online', 'counter', 'replay')),
  constraint sale_ref_once unique (org_id, sale_ref),
  constraint sale_amounts_range check (
    least(subtotal, deal_discount, reward_discount, discount_amount, service_charge_amount, delivery_fee, tax_amount) >= 0),
  constraint sale_total_adds_up check (
    total = subtotal - deal_discount - reward_discount - discount_amount + service_charge_amount + delivery_fee
            + (case when tax_inclusive then 0 else tax_amount end))
);
create index sale_by_day on sale (org_id, branch_id, business_date, at desc, id desc);
create index sale_by_till on sale (org_id, till_id) where till_id is not null;

create table sale_payment (
  org_id    uuid not null,
  sale_id   uuid not null,
  position  integer not null,
  method    text not null,
  amount    integer not null,
  tip       integer not null default 0,
  primary key (org_id, sale_id, position),
  foreign key (org_id, sale_id) references sale,
  constraint sale_payment_amounts_range check (amount >= 0 and tip >= 0)
);

create table sale_number (
  org_id       uuid not null,
  branch_code  text not null,
  date         date not null,
  last         integer not null,
  primary key (org_id, branch_code, date)
);

-- The orders that were delivered before.
insert into sale (org_id, id, branch_id, sale_ref, source, channel, business_date, at, till_id, cart, subtotal,
                  deal_discount, reward_discount, discount_amount, service_charge_amount, delivery_fee, tax_rate,
                  tax_inclusive, tax_amount, total)
select org_id, id, branch_id,
       code || '-' || to_char(date, 'YYMMDD') || '-' || lpad(number::text, greatest(4, length(number::text)), '0'),
       'online', channel, date, delivered_at, till_id, cart, subtotal + deals + rewards, deals, rewards, discount_amount,
       service_charge_amount, delivery_fee, tax_rate_applied, tax_inclusive, tax_amount, total
from (
  select o.org_id, o.id, o.branch_id, o.channel, o.delivered_at, o.till_id, o.subtotal, o.discount_amount,
         o.service_charge_amount, o.delivery_fee, o.tax_rate_applied, o.tax_inclusive, o.tax_amount, o.total, b.code, day.date,
         row_number() over (partition by o.org_id, b.code, day.date order by o.delivered_at, o.id) as number,
         sold.cart, sold.deals, sold.rewards
  from delivery_order o
  join branch b on b.org_id = o.org_id and b.id = o.branch_id
  cross join lateral (
    select ((o.delivered_at - make_interval(mins => b.day_starts_at)) at time zone b.time_zone)::date as date
  ) day
  cross join lateral (
    select jsonb_build_object(
             'lines', coalesce(jsonb_agg(
               case jsonb_typeof(line -> 'combo') when 'object' then
                 jsonb_set(line || '{"notes": null}', '{combo,parts}', (
                   select coalesce(jsonb_agg(part || '{"notes": null}' order by at), '[]')
                   from jsonb_array_elements(line #> '{combo,parts}') with ordinality as parts (part, at)))
               else line || '{"notes": null}' end order by place), '[]'),
             'deals', coalesce(o.cart -> 'deals', '[]'), 'rewards', coalesce(o.cart -> 'rewards', '[]')) as cart,
           coalesce(sum((line ->> 'deal_discount')::integer), 0)::integer as deals,
           coalesce(sum(coalesce((line ->> 'reward_discount')::integer, 0)), 0)::integer as rewards
    from jsonb_array_elements(o.cart -> 'lines') with ordinality as lines (line, place)
  ) sold
  where o.status = 'delivered'
) delivered;

insert into sale_payment (org_id, sale_id, position, method, amount)
select o.org_id, o.id, 0, o.payment_method, o.total from delivery_order o where o.status = 'delivered';

insert into sale_number (org_id, branch_code, date, last)
select s.org_id, b.code, s.business_date, count(*)
from sale s join branch b on b.org_id = s.org_id and b.id = s.branch_id
group by s.org_id, b.code, s.business_date;
