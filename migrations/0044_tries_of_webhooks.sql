-- When a row of the outbox and an address of a shop's own systems were last tried, and what became of it, so that an
-- operator sees why events do not arrive. An address that WEBHOOK_ALLOW permits may be http (Decisions 12).
-- compatible

-- Null: not tried, or last by an older build.
alter table outbox add column tried_at timestamptz;

alter table webhook_target
  add column tried_at timestamptz,
  -- in words: the status or the fault
  add column tried_reason text,
  drop constraint webhook_target_https,
  add constraint webhook_target_web check (url like 'https://%' or url like 'http://%'),
  add constraint webhook_target_tried_whole check ((tried_at is null) = (tried_reason is null));
