-- A browser's EventSource sends no Authorization header: a page asks for a token that opens one stream of events
-- within a minute, and hands it over in the address (Decisions 12).
-- compatible

create table stream_token (
  token_hash    bytea primary key,
  -- of the token of a session, which may have ended
  session_hash  bytea not null,
  branch_id     uuid not null,
  expires_at    timestamptz not null
);
create index stream_token_by_age on stream_token (expires_at);
