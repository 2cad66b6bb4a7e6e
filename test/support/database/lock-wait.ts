import { sql } from 'kysely';
import { eventually } from '../programs/program.ts';
import type { World } from '../server/world.ts';

/** Until a transaction waits for a lock that another holds. */
export const lockWait = ({ db }: Pick<World, 'db'>): Promise<true> =>
  eventually(async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0
    `.execute(db.kysely);
    return rows.length > 0 ? true : null;
  }, 'a transaction to wait');
