-- Refunds of sales, and drinks of the staff.

alter table sale
  add column refunded             integer not null default 0,
  add column staff_drinks         integer not null default 0,   -- units
  add column staff_drink_discount integer not null default 0,   -- what they would have cost
  drop constraint sale_total_adds_up,
  add constraint sale_total_adds_up check (
    total = subtotal - deal_discount - reward_discount - staff_drink_discount - discount_amount + service_charge_amount
            + delivery_fee + case when tax_inclusive then 0 else tax_amount end),
  add constraint sale_refunded_range check (refunded between 0 and total),
  add constraint sale_staff_drinks_positive check (least(staff_drinks, staff_drink_discount) >= 0);

create table sale_refund (
  org_id         uuid not null,
  id             uuid not null,
  sale_id        uuid not null,
  branch_id      uuid not null,
  business_date  date not null,
  at             timestamptz not null,
  till_id        uuid,
  staff_id       uuid not null,
  method         text not null,
  amount         integer not null,
  tax_amount     integer not null,                    -- of the amount
  delivery_fee   integer not null,                    -- of the amount: with the last unit
  reason         text not null,
  note           text,
  restocked      boolean not null,
  primary key (org_id, id),
  foreign key (org_id, sale_id) references sale,
  foreign key (org_id, branch_id) references branch,
  foreign key (org_id, till_id) references till,
  constraint sale_refund_parts check (
    amount >= 0 and tax_amount >= 0 and delivery_fee between 0 and amount)
);
create index sale_refund_by_sale on sale_refund (org_id, sale_id);
create index sale_refund_by_till on sale_refund (org_id, till_id) where till_id is not null;
create index sale_refund_by_day on sale_refund (org_id, branch_id, business_date);

-- Units [first_unit, first_unit + units) of a line of the sale: each is refunded once.
create table sale_refund_line (
  org_id      uuid not null,
  sale_id     uuid not null,
  line_index  integer not null,
  first_unit  integer not null,
  units       integer not null,
  refund_id   uuid not null,
  amount      integer not null,
  primary key (org_id, sale_id, line_index, first_unit),
  foreign key (org_id, refund_id) references sale_refund,
  constraint sale_refund_line_range check (first_unit >= 0 and units > 0 and amount >= 0)
);
create index sale_refund_line_by_refund on sale_refund_line (org_id, refund_id);

alter table branch
  add column staff_drinks_per_day integer not null default 0,
  add constraint branch_staff_drinks_range check (staff_drinks_per_day between 0 and 100);

create index ticket_item_voided_by on ticket_item (org_id, voided_by, voided_at) where voided_at is not null;

create index ticket_of_card on ticket (org_id, card_id) where card_id is not null;
create index sale_of_card on sale (org_id, card_id) where card_id is not null;

-- Units that a person had at the branch on a business date.
create table staff_drink_day (
  org_id         uuid not null,
  branch_id      uuid not null,
  staff_id       uuid not null,
  business_date  date not null,
  taken          integer not null,
  primary key (org_id, branch_id, staff_id, business_date),
  foreign key (org_id, branch_id) references branch,
  constraint staff_drink_day_positive check (taken > 0)
);

-- Each drink once, by the id that the device gave it.
create table staff_drink (
  org_id    uuid not null,
  id        uuid not null,
  sale_id   uuid not null,
  staff_id  uuid not null,
  units     integer not null,
  note      text not null,
  primary key (org_id, id),
  foreign key (org_id, sale_id) references sale,
  constraint staff_drink_units_positive check (units > 0)
);
create index staff_drink_by_sale on staff_drink (org_id, sale_id);
