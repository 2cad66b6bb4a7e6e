-- Since when a row of the outbox waits to be sent: since it happened, or since it was replayed.

alter table outbox add column waiting_since timestamptz;
update outbox set waiting_since = created_at;
alter table outbox alter column waiting_since set not null;
