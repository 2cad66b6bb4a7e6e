-- Rows leave the devices by the clock too: a sale two days after it was made, a guest 90 days after the last order. The
-- change log tells of what left until `until`. Times rise with the rows, so BRIN indexes find them.
-- compatible

create table feed_clock (
  id     boolean primary key default true check (id),
  until  timestamptz not null
);

create index sale_by_age on sale using brin (at);
create index kitchen_ticket_by_age on kitchen_ticket using brin (fired_at);
create index delivery_order_by_age on delivery_order using brin (created_at);
create index till_by_close on till (closed_at) where closed_at is not null;
