-- How a sale was paid, its card, and which sales need an open till.
-- compatible

alter table branch
  add column sales_need_till text not null default 'cash',
  add constraint branch_sales_need_till_known check (sales_need_till in ('cash', 'all', 'none'));

alter table sale
  add column card_id uuid,
  add column covers integer;

alter table sale_payment
  add column tendered integer,                           -- what the guest handed over, of cash
  add constraint sale_payment_tendered_enough check (tendered is null or tendered >= amount + tip);
