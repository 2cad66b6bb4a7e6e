-- Devices read the change log from where they were; what is older than 30 days is trimmed. `trimmed` is the highest number
-- that may be gone: who was before it begins anew. Numbers rise with time, so a BRIN index finds old changes, and costs
-- next to nothing with each new one.
-- compatible

alter table change_counter add column trimmed bigint not null default 0;
create index change_by_age on change using brin (at);
