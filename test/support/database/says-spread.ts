/** For the owner of a database of one server: it says from then on that its tables are spread over nodes. */
export const SAYS_SPREAD = `
  do $$ begin
    if to_regclass('pg_dist_partition') is null then
      create table pg_dist_partition (logicalrelid regclass primary key);
      grant select on pg_dist_partition to public;
      insert into pg_dist_partition values ('shop');
    end if;
  end $$`;
