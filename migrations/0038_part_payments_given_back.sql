-- A part-payment whose till was closed goes back out of another one. Its row stays: the closed till took it.
-- compatible

alter table part_payment
  add column given_back_at timestamptz,
  add column given_back_till_id uuid,
  add foreign key (org_id, given_back_till_id) references till;
create index part_payment_given_back on part_payment (org_id, given_back_till_id) where given_back_till_id is not null;
