-- How a sale was paid, its card, and which sales need an open till.
-- compatible

alter table branch
  add column sales_need_till text not null default 'cash',
  add constraint branch_sales_need_till_known check (sales_need_till in ('cash', 'all', 'none'));

alter table sale
  add column card_id uuid,
  add column covers integer,
  add column customer_name text;                         -- of a counter sale, to call out; forgotten a day later
create index sale_to_forget on sale (at) where customer_name is not null;

alter table sale_payment
  add column tendered integer,                           -- what the guest handed over, of cash
  add constraint sale_payment_tendered_enough check (tendered is null or tendered >= amount + tip);

-- The cards of the orders that were delivered before.
update sale s set card_id = o.card_id
from delivery_order o
where o.org_id = s.org_id and o.id = s.id and o.card_id is not null;
