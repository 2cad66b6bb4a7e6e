-- A row of a table without a primary key is known by all its columns, so that logical replication can carry its changes:
-- Citus moves shards with it. Without logical replication this costs nothing.
-- compatible

alter table price replica identity full;
alter table availability replica identity full;
alter table channel_discount replica identity full;
