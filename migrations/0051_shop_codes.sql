-- Ids and tokens that are handed out carry the code of their shop: the order is found without a row of its own in
-- `locator`, which older builds write and read.

create table shop_code (
  code    text primary key,
  org_id  uuid not null,
  constraint shop_code_once_per_shop unique (org_id),
  constraint shop_code_form check (code ~ '^[0-9a-f]{10}$')
);

-- Drawn again where two shops got the same.
do $$
begin
  while exists (select from shop s where not exists (select from shop_code c where c.org_id = s.org_id)) loop
    insert into shop_code (code, org_id)
    select left(replace(gen_random_uuid()::text, '-', ''), 10), s.org_id
    from shop s where not exists (select from shop_code c where c.org_id = s.org_id)
    on conflict do nothing;
  end loop;
end $$;
