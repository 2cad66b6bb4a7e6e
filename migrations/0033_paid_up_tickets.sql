-- A part of a check that was paid in full by payments in parts comes to what it has paid, whoever orders after it.
-- compatible

alter table ticket add column is_paid_up boolean not null default false;
