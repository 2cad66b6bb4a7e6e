/** Whether the tables are laid out on the nodes of Citus as `distribution.ts` says. */
import type pg from 'pg';
import { onDedicatedConnection } from '../dedicated-connection.ts';
import type { ConnectionOptions } from '../place.ts';
import { DISTRIBUTIONS, spreadBy } from './distribution.ts';

/** Tables that are not as the list says. */
export interface Layout {
  /** Only the coordinator has them. In the order of the list. */
  readonly missing: readonly string[];
  /** They are spread in another way. */
  readonly other: readonly string[];
}

/** By table its column; null: each node has a copy. Tables that the coordinator alone has are not among them. */
const SPREAD = `
  select c.relname as "table", column_to_column_name(p.logicalrelid, p.partkey) as "column"
  from pg_dist_partition p
  join pg_class c on c.oid = p.logicalrelid
  where p.partmethod = 'h' or p.repmodel = 't'`;

interface Spread {
  readonly table: string;
  readonly column: string | null;
}

/** All but those of the coordinator, in the order of the list. */
export const SPREAD_TABLES = Object.keys(DISTRIBUTIONS).filter(
  (table) => DISTRIBUTIONS[table] !== 'coordinator',
);

/** Of a database with Citus. */
export const layoutOf = async (client: pg.Client): Promise<Layout> => {
  const { rows } = await client.query<Spread>(SPREAD);
  const spread = new Map(rows.map(({ table, column }) => [table, column]));
  return {
    missing: SPREAD_TABLES.filter((table) => !spread.has(table)),
    other: Object.entries(DISTRIBUTIONS)
      .filter(([table, wanted]) => wanted === 'coordinator' || spread.get(table) !== spreadBy(table))
      .map(([table]) => table)
      .filter((table) => spread.has(table)),
  };
};

/** Tables that an interrupted `ahwa distribute`, or a migration since, has left; none where no table is spread. */
export const unspreadTables = (connection: ConnectionOptions): Promise<readonly string[]> =>
  onDedicatedConnection(connection, 'ahwa layout', async (client) => {
    const { rows } = await client.query("select from pg_extension where extname = 'citus'");
    if (rows.length === 0) return [];
    const { missing, other } = await layoutOf(client);
    return missing.length === SPREAD_TABLES.length ? [] : [...missing, ...other];
  });
