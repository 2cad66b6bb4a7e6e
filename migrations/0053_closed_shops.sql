-- A shop that moves to another installation is closed first: no transaction commits a change of it from then on, because each
-- raises the counter as its last statement. A shop that was restored from a backup is closed until it is opened here.
-- compatible

alter table change_counter add column closed_seq bigint;
alter table change_counter add column closed_for text;
alter table change_counter add constraint change_counter_closed check (seq <= closed_seq);
alter table change_counter add constraint change_counter_closed_for_known
  check (closed_for in ('move', 'restore') and closed_seq is not null or closed_for is null and closed_seq is null);

create index change_counter_of_closed on change_counter (org_id) where closed_seq is not null;
