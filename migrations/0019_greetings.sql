-- Birthdays and absences are found by index. A card says since when its member is away, until that absence is greeted.
-- compatible

alter table loyalty_card
  -- the last sale, or when the card was made; null: this absence was greeted, or passed over
  add column absent_since timestamptz;
update loyalty_card l
set absent_since = greatest(l.created_at, (
  select max(o.delivered_at) from delivery_order o where o.org_id = l.org_id and o.customer_id = l.customer_id))
where l.merged_into is null;
create index loyalty_card_absent on loyalty_card (org_id, absent_since)
  where merged_into is null and absent_since is not null;
create index customer_by_birthday on customer (org_id, birth_month, birth_day) where birth_month is not null;
