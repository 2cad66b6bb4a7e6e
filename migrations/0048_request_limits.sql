-- Several processes on one database share the request limits of clients that send much (Decisions 15). A row is a token
-- bucket: when it is full again. Unlogged: the counts are written several times a second, are worth nothing after a
-- minute or two, and may be lost with the database. `client` is a keyed hash, never an address.
-- compatible

create unlogged table request_limit (
  bucket   text not null,
  client   bytea not null,
  -- milliseconds since 1970 of the database's clock, with fractions
  full_at  double precision not null,
  primary key (bucket, client)
)
-- Room in each page for new versions of its rows, which then need no new index entries.
with (fillfactor = 50);
