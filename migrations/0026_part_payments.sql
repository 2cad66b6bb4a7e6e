-- Bills that are paid in parts: a payment has a till of its own, and may come before the sale.

alter table sale_payment
  add column till_id uuid,
  add foreign key (org_id, till_id) references till;
update sale_payment p set till_id = s.till_id
from sale s where s.org_id = p.org_id and s.id = p.sale_id;
create index sale_payment_by_till on sale_payment (org_id, till_id) where till_id is not null;

-- Of bills that are not settled yet; settling makes them payments of the sale.
create table part_payment (
  org_id     uuid not null,
  id         uuid not null,
  bill_id    uuid not null,
  branch_id  uuid not null,
  at         timestamptz not null,
  till_id    uuid,
  staff_id   uuid not null,
  method     text not null,
  amount     integer not null,
  tip        integer not null default 0,
  tendered   integer,
  primary key (org_id, id),
  foreign key (org_id, branch_id) references branch,
  foreign key (org_id, till_id) references till,
  constraint part_payment_amounts check (
    amount > 0 and tip >= 0 and (tendered is null or tendered >= amount + tip))
);
create index part_payment_by_bill on part_payment (org_id, bill_id);
create index part_payment_by_till on part_payment (org_id, till_id) where till_id is not null;

-- Into how many equal parts the guests share the bill.
alter table ticket
  add column parts integer,
  add constraint ticket_parts_range check (parts between 2 and 50);
