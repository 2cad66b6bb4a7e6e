/** Which tables a request has written to, recorded by triggers on every table. */
import { sql } from 'kysely';
import type { Db } from '../../../src/platform/store/db.ts';
import type { Database } from '../../../src/platform/store/schema.ts';
import { asOwner, type TestDatabase } from './test-database.ts';

const INSTALL = `
  create table written (name text not null);
  create function record_write() returns trigger language plpgsql security definer as $$
    begin
      insert into written values (tg_table_name || coalesce(' ' || (to_jsonb(coalesce(new, old))->>'action'), ''));
      return null;
    end $$;
  do $$
  declare name regclass;
  begin
    for name in select oid from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'written'
    loop
      execute format('create trigger record_insert after insert or delete on %s
        for each row execute function record_write()', name);
      execute format('create trigger record_update after update on %s
        for each row when (old is distinct from new) execute function record_write()', name);
    end loop;
  end $$;
  grant select, delete on written to public`;

/** A row that is written counts, also one that a later statement of the same transaction deletes. */
export const watchWrites = async (
  database: TestDatabase,
  { kysely }: Pick<Db<Database>, 'kysely'>,
): Promise<() => Promise<readonly string[]>> => {
  await asOwner(database, INSTALL);
  return async () => {
    const { rows } = await sql<{ name: string }>`delete from written returning name`.execute(kysely);
    return [...new Set(rows.map(({ name }) => name))].toSorted();
  };
};
