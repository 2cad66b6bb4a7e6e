/** For the owner of a database of one server: it says from then on that its tables are spread over nodes. */
export const SAYS_SPREAD = `
  insert into pg_catalog.pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
  select 90000, 'citus', 10, 'pg_catalog'::regnamespace, false, '' where not exists (
    select from pg_catalog.pg_extension where extname = 'citus')`;
