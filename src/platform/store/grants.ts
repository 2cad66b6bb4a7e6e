/**
 * What the role that serves may do in a database whose tables belong to another role, which migrates: it reads and writes
 * rows, and can neither drop nor change a table. Where one role does both there is nothing to give.
 */
import { sql, type Kysely } from 'kysely';
import type pg from 'pg';
import { quoted } from './backup/catalog.ts';
import { MIGRATION_LOCK } from './migrate.ts';
import { onOwnConnection } from './own-connection.ts';
import type { ConnectionOptions } from './pool.ts';
import type { Database } from './schema.ts';

const EVERY_RIGHT = ['select', 'insert', 'update', 'delete'] as const;

/** What is only added to, or only read, by whoever serves; of every other table it has `EVERY_RIGHT`. */
const RIGHTS: Readonly<Record<string, readonly (typeof EVERY_RIGHT)[number][]>> = {
  audit: ['select', 'insert'],
  migration: ['select'],
};

export interface Roles {
  /** As the role that owns the tables. */
  readonly owner: ConnectionOptions;
  /** As the role that serves. */
  readonly serving: ConnectionOptions;
}

/** Every table, as far as `which` says, with the rights that a role has to it. */
const tablesWith = (which: string): string => `
  select c.relname as name,
    array(select word from unnest(array['select', 'insert', 'update', 'delete']) word
          where has_table_privilege($1, c.oid, word)) as rights
  from pg_catalog.pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and ${which}
  order by c.relname`;

const OWNED = "pg_has_role(current_user, c.relowner, 'usage')";
const SEQUENCES = `
  select c.relname as name from pg_catalog.pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S' and ${OWNED}`;

interface Held {
  readonly name: string;
  readonly rights: readonly string[];
}

const wantedOf = (table: string): readonly string[] => RIGHTS[table] ?? EVERY_RIGHT;

const isRight = ({ name, rights }: Held): boolean => rights.join() === wantedOf(name).join();

/** Also where there are no tables of ours yet. */
const isAsWanted = (held: readonly Held[]): boolean =>
  !held.some(({ name }) => name === 'audit') || held.every(isRight);

/** Tables that later migrations make are the serving role's to use from their first moment. */
const forLater = (schema: string, role: string): string[] => [
  `grant usage on schema ${schema} to ${role}`,
  `alter default privileges in schema ${schema} grant ${EVERY_RIGHT.join(', ')} on tables to ${role}`,
  `alter default privileges in schema ${schema} grant select, usage on sequences to ${role}`,
  `alter default privileges in schema ${schema} grant execute on functions to ${role}`,
];

const forTable = ({ name }: Held, role: string): string[] => {
  const table = quoted([name]);
  return [
    `revoke all on table ${table} from ${role}`,
    `grant ${wantedOf(name).join(', ')} on table ${table} to ${role}`,
  ];
};

/** A database that was restored from an older backup has no such function before it is migrated. */
const FUNCTION = 'forget_audit_notes(uuid, uuid[])';

const forFunction = async (client: pg.Client, role: string): Promise<string[]> => {
  const { rows } = await client.query<{ is: boolean }>('select to_regprocedure($1) is not null as is', [
    FUNCTION,
  ]);
  return rows[0]?.is === true ? [`grant execute on function ${FUNCTION} to ${role}`] : [];
};

const give = async (client: pg.Client, serving: string): Promise<void> => {
  const { rows: held } = await client.query<Held>(tablesWith(OWNED), [serving]);
  if (isAsWanted(held)) return;
  const { rows } = await client.query<{ schema: string }>('select current_schema() as schema');
  const { rows: sequences } = await client.query<{ name: string }>(SEQUENCES);
  const schema = quoted([rows[0]?.schema ?? 'public']);
  const role = quoted([serving]);
  const statements = [
    ...forLater(schema, role),
    ...held.flatMap((table) => forTable(table, role)),
    ...sequences.map(({ name }) => `grant select, usage on sequence ${quoted([name])} to ${role}`),
    ...(await forFunction(client, role)),
  ];
  for (const statement of statements) await client.query(statement);
};

const roleOf = async (client: pg.Client): Promise<string> =>
  (await client.query<{ role: string }>('select current_user as role')).rows[0]?.role ?? '';

/** The role that serves, where its rights are not what they should be; null where they are, as at nearly every start. */
const roleInNeed = (serving: ConnectionOptions): Promise<string | null> =>
  onOwnConnection(serving, 'ahwa grants', async (client) => {
    const role = await roleOf(client);
    const { rows: held } = await client.query<Held>(tablesWith('true'), [role]);
    return held.length > 0 && held.every(isRight) ? null : role;
  });

/** Gives the serving role what it needs, and no more. Throws DatabaseUnavailable. */
export const grantServing = async ({ owner, serving }: Roles): Promise<void> => {
  if (owner === serving) return;
  const role = await roleInNeed(serving);
  if (role === null) return;
  await onOwnConnection(owner, 'ahwa grants', async (client) => {
    if ((await roleOf(client)) === role) return;
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await give(client, role);
    await client.query('commit');
  });
};

/** Whether who serves owns tables of the database, and could drop them. */
export const ownsTables = async (db: Kysely<Database>): Promise<boolean> => {
  const { rows } = await sql<{ is: boolean }>`
    select exists (
      select from pg_catalog.pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
        and pg_has_role(current_user, c.relowner, 'usage')) as is
  `.execute(db);
  return rows[0]?.is === true;
};
