-- What the kitchen of a branch takes, as its orders have shown.
-- compatible

alter table branch
  add column learns_prep_minutes  boolean not null default false,
  add column learned_prep_minutes integer,
  add constraint branch_learned_prep_range check (learned_prep_minutes between 5 and 120);
