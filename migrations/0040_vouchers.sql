-- Balance vouchers: what a till without the server may give rewards against (Decisions 11, 13).
-- compatible

-- points or visits that one voucher is good for at most; null: the shop gives none
alter table loyalty_program add column offline_limit integer;

-- What sales of devices spent on a voucher, so that the sum of several can be told from its limit.
create table loyalty_voucher_use (
  org_id       uuid not null references shop,
  voucher_id   uuid not null,
  sale_id      uuid not null,
  cost         integer not null,
  recorded_at  timestamptz not null,
  primary key (org_id, voucher_id, sale_id),
  constraint loyalty_voucher_use_costs check (cost > 0)
);
create index loyalty_voucher_use_by_age on loyalty_voucher_use (recorded_at);

-- Ids of the keys of vouchers that the change log has told devices of; null: none yet.
alter table feed_clock add column voucher_keys text;
