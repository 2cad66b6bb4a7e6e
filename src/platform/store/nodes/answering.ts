/** Which nodes of Citus answer, and the shops of each. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../../kernel/ids.ts';
import type { Database } from '../schema.ts';
import { isOfNode, isSlow } from '../unavailable.ts';

export interface Node {
  /** Its address. */
  readonly name: string;
  /** At least one. */
  readonly shops: readonly Uuid[];
}

/** Nodes with shops, whether they answer or not. The coordinator knows both. */
export const nodesWithShops = async (db: Kysely<Database>): Promise<readonly Node[]> => {
  const codes = await db.selectFrom('shop_code').select('org_id').execute();
  const { rows } = await sql<Node>`
    select p.nodename || ':' || p.nodeport as name, array_agg(s.org_id) as shops
    from (select org_id, get_shard_id_for_distribution_column('change_counter', org_id) as shard
          from unnest(${codes.map(({ org_id }) => org_id)}::uuid[]) as org_id) s
    join pg_dist_shard_placement p on p.shardid = s.shard
    group by name
    order by name
  `.execute(db);
  return rows;
};

/** Whether the node of a shop answers; null: the coordinator does not. */
export const answers = async (db: Kysely<Database>, orgId: Uuid): Promise<boolean | null> => {
  try {
    await sql`select from change_counter where org_id = ${orgId}`.execute(db);
    return true;
  } catch (fault) {
    return isOfNode(fault) || isSlow(fault) ? false : null;
  }
};
