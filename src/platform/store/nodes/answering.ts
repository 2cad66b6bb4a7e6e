/** What Citus alone can tell. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../../kernel/ids.ts';
import type { Database } from '../schema.ts';

const OF_A_SHARD = `select coalesce(json_object_agg(org_id, seq), '{}') from %s`;

/** The change counters of shops whose nodes answer. Each shard is asked by a connection of its own. */
export const countersThatAnswer = async (
  db: Kysely<Database>,
): Promise<readonly (readonly [Uuid, number])[]> => {
  const { rows } = await sql<{ counters: Readonly<Record<Uuid, number>> }>`
    select result::json as counters from run_command_on_placements('change_counter', ${OF_A_SHARD}) where success
  `.execute(db);
  return rows.flatMap(({ counters }) => Object.entries(counters));
};
