-- Once, on the primary: psql -f roles.sql. Ahwa's database, the role that owns its tables and the role that serves.
create role ahwa_owner login password '${OWNER_PASSWORD}';
create role ahwa_serve login password '${SERVE_PASSWORD}';
-- Ahwa sets both on each connection; through PgBouncer it cannot.
alter role ahwa_serve set statement_timeout = '5s';
alter role ahwa_serve set idle_in_transaction_session_timeout = '6s';
create database ahwa owner ahwa_owner;
