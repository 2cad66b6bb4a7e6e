-- Every order and code writes rows of budgets, and every order one of a phone: with no index on what each of them changes,
-- PostgreSQL writes them in place. A known phone is forgotten by when its owner was last met.
-- compatible

drop index message_budget_by_age;
alter table message_budget alter column updated_at drop not null;

drop index guest_phone_known;
create index guest_phone_known on guest_phone (known_at) where known_at is not null;
