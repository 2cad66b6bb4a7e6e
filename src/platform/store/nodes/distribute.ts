/** Lays the tables out on the nodes of Citus, an extension of PostgreSQL, as `distribution.ts` says. */
import type pg from 'pg';
import { quoted } from '../backup/catalog.ts';
import { onDedicatedConnection } from '../dedicated-connection.ts';
import { inTransaction, MIGRATION_LOCK, tablesState } from '../migrate.ts';
import { isMissingRight, rightSentence } from '../missing-right.ts';
import type { ConnectionOptions, Place } from '../place.ts';
import { asUnavailable } from '../unavailable.ts';
import { DISTRIBUTIONS, DROPPED_KEYS, spreadBy, WIDENED_KEYS } from './distribution.ts';
import { layoutOf, SPREAD_TABLES } from './layout.ts';

/** The message is a sentence for the operator. */
export class DistributionError extends Error {
  override readonly name = 'DistributionError';
}

export interface DistributeOptions {
  /** Of the owner of the tables, at the coordinator. */
  readonly connection: ConnectionOptions;
  /** Of the migrations. */
  readonly folder: string;
  readonly onProgress: (line: string) => void;
}

const valueOf = async <T>(
  client: pg.Client,
  query: string,
  values: readonly unknown[] = [],
): Promise<T | null> =>
  (await client.query<{ value: T }>(`select (${query}) as value`, [...values])).rows[0]?.value ?? null;

const demandCitus = async (client: pg.Client): Promise<void> => {
  const version = await valueOf(client, "select extversion from pg_extension where extname = 'citus'");
  if (version === null)
    throw new DistributionError(
      'This database has no Citus, and its tables stay on one server; nothing was changed. Where the server has the extension, run: create extension citus',
    );
  if (!(await valueOf<boolean>(client, 'select groupid = 0 from pg_dist_local_group')))
    throw new DistributionError(
      'This node is a worker; nothing was changed; run `ahwa distribute` at the coordinator.',
    );
  if (!(await valueOf<boolean>(client, HAS_ROOM)))
    throw new DistributionError(
      "No node takes shards; nothing was changed; add one (citus_add_node), or let the coordinator take them: select citus_set_node_property(…, …, 'shouldhaveshards', true)",
    );
};

/** Without nodes Citus makes the coordinator one. */
const HAS_ROOM = `
  select not exists (select from pg_dist_node) or exists (select from pg_dist_node where isactive and shouldhaveshards)`;

interface Key {
  readonly name: string;
  /** Null: an index alone. */
  readonly constraint: 'primary key' | 'unique' | null;
  readonly columns: readonly string[];
  /** Of a partial index. */
  readonly condition: string | null;
}

/** Those of a table that are to be widened and are not yet. */
const NARROW_KEYS = `
  select c.relname as name, case k.contype when 'p' then 'primary key' when 'u' then 'unique' end as "constraint",
    pg_get_expr(i.indpred, i.indrelid) as condition,
    array(select pg_get_indexdef(i.indexrelid, n, true) from generate_series(1, i.indnkeyatts) n) as columns
  from pg_index i
  join pg_class c on c.oid = i.indexrelid
  left join pg_constraint k on k.conindid = c.oid and k.conrelid = i.indrelid and k.contype in ('p', 'u')
  where i.indrelid = $1::regclass and c.relname = any($2)
    and not exists (select from pg_attribute a
                    where a.attrelid = i.indrelid and a.attnum = any(i.indkey::int2[]) and a.attname = 'org_id')`;

/** The shop's id comes last: what is sought without it is found by the same index. */
const widening = (table: string, { name, constraint, columns, condition }: Key): string[] => {
  const key = `(${[...columns, 'org_id'].join(', ')})`;
  const [on, called] = [quoted([table]), quoted([name])];
  if (constraint !== null)
    return [`alter table ${on} drop constraint ${called}, add constraint ${called} ${constraint} ${key}`];
  const where = condition === null ? '' : ` where ${condition}`;
  return [`drop index ${called}`, `create unique index ${called} on ${on} ${key}${where}`];
};

const widened = async (client: pg.Client, table: string): Promise<string[]> => {
  const { rows } = await client.query<Key>(NARROW_KEYS, [quoted([table]), Object.keys(WIDENED_KEYS)]);
  return rows.flatMap((key) => widening(table, key));
};

const dropped = async (client: pg.Client, table: string): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    'select conname as name from pg_constraint where conrelid = $1::regclass and conname = any($2)',
    [quoted([table]), Object.keys(DROPPED_KEYS)],
  );
  return rows.map(({ name }) => `alter table ${quoted([table])} drop constraint ${quoted([name])}`);
};

const layOut = async (client: pg.Client, table: string): Promise<void> => {
  const distribution = DISTRIBUTIONS[table];
  const statements = [
    ...(await dropped(client, table)),
    ...(distribution === 'shop' ? await widened(client, table) : []),
  ];
  for (const statement of statements) await client.query(statement);
  const column = spreadBy(table);
  if (column === null) {
    await client.query('select create_reference_table($1)', [table]);
    return;
  }
  // The first table of shops leads: where its rows are, those of the other tables are.
  const beside = distribution === 'shop' && table !== 'shop' ? 'shop' : 'none';
  await client.query('select create_distributed_table($1, $2, colocate_with => $3)', [table, column, beside]);
};

/** The rows that were there before are on the nodes now; nobody sees what the coordinator still has of them. */
const FREE_LOCAL_ROWS = `
  select truncate_local_data_after_distributing_table(logicalrelid)
  from pg_dist_partition where logicalrelid = $1::regclass and pg_relation_size(logicalrelid) > 0`;

const work = async (
  client: pg.Client,
  onProgress: DistributeOptions['onProgress'],
): Promise<readonly string[]> => {
  await demandCitus(client);
  await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
  const { other, missing } = await layoutOf(client);
  if (other.length > 0)
    throw new DistributionError(
      `These tables are spread otherwise than this build wants: ${other.join(', ')}; nothing was changed; make each one whole again: select undistribute_table(…)`,
    );
  const done: string[] = [];
  for (const table of missing) {
    onProgress(`table ${table}`);
    // All tables in one transaction would take more locks than a server holds.
    await inTransaction(client, () => layOut(client, table));
    done.push(table);
  }
  // Only once all that refer to a table are laid out. A run that was cut short before is made up for.
  for (const table of SPREAD_TABLES) await client.query(FREE_LOCAL_ROWS, [quoted([table])]);
  return done;
};

/** Lays out the tables that are not yet, with their rows, and returns their names. Throws DistributionError or DatabaseUnavailable. */
export const distribute = async ({
  connection,
  folder,
  onProgress,
}: DistributeOptions): Promise<readonly string[]> => {
  if ((await tablesState(connection, folder)) !== 'current')
    throw new DistributionError('The tables are not up to date; run `ahwa migrate` first.');
  const mapFault = (fault: unknown, place: Place): unknown =>
    isMissingRight(fault) ? new DistributionError(rightSentence(fault, place)) : asUnavailable(fault, place);
  return await onDedicatedConnection(
    connection,
    'ahwa distribute',
    (client) => work(client, onProgress),
    mapFault,
  );
};
