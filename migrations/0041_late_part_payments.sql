-- A part-payment may come after its till was closed, and rows of replayed events are found without reading them all.
-- compatible

alter table part_payment
  -- its till was closed before
  add column late boolean not null default false;

-- Their words are forgotten by age (Decisions 13).
create index replay_event_with_words on replay_event (received_at)
  where outcome in ('waiting', 'review')
    and (data ? 'customer_name' or jsonb_path_exists(data, '$.items[*].notes ? (@ != null)'));
-- What waits for its till too long is recorded without it.
create index replay_event_waiting on replay_event (org_id, branch_id, received_at) where outcome = 'waiting';
create index replay_event_closed on replay_event (org_id, branch_id, received_at, id) where closed_at is not null;
