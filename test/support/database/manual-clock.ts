/** The clock of a database as the test sets it, for what is found in `public` before `pg_catalog`. */
import { asOwner, type TestDatabase } from './test-database.ts';

export interface ManualClock {
  set(at: number): Promise<void>;
}

const literal = (at: number): string => `'${new Date(at).toISOString()}'::timestamptz`;

/** Counts for connections that are opened later. */
export const useManualClock = async (database: TestDatabase, at: number): Promise<ManualClock> => {
  await asOwner(
    database,
    `create table manual_clock (at timestamptz not null);
     insert into manual_clock values (${literal(at)});
     grant select on manual_clock to public;
     create function clock_timestamp() returns timestamptz language sql volatile
       as 'select at from public.manual_clock';
     alter database ${database.name} set search_path = public, pg_catalog;`,
  );
  return { set: (now) => asOwner(database, `update manual_clock set at = ${literal(now)}`) };
};
