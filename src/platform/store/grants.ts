/** Used when another role owns the tables and migrates: the serving role cannot drop or alter them. */
import { sql, type Kysely } from 'kysely';
import type pg from 'pg';
import { quoted } from './backup/catalog.ts';
import { MIGRATION_LOCK } from './migrate.ts';
import { onDedicatedConnection } from './dedicated-connection.ts';
import type { ConnectionOptions } from './pool.ts';
import type { Database } from './schema.ts';

const EVERY_RIGHT = ['select', 'insert', 'update', 'delete'] as const;

/** Exceptions from `EVERY_RIGHT`. */
const RIGHTS: Readonly<Record<string, readonly (typeof EVERY_RIGHT)[number][]>> = {
  audit: ['select', 'insert'],
  migration: ['select'],
};

export interface Roles {
  readonly owner: ConnectionOptions;
  readonly serving: ConnectionOptions;
}

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

interface TableRights {
  readonly name: string;
  readonly rights: readonly string[];
}

const requiredRights = (table: string): readonly string[] => RIGHTS[table] ?? EVERY_RIGHT;

const isAsRequired = ({ name, rights }: TableRights): boolean =>
  rights.join() === requiredRights(name).join();

/** Also true before the tables exist. */
const areAsRequired = (held: readonly TableRights[]): boolean =>
  !held.some(({ name }) => name === 'audit') || held.every(isAsRequired);

/** For tables of later migrations. */
const defaultPrivileges = (schema: string, role: string): string[] => [
  `grant usage on schema ${schema} to ${role}`,
  `alter default privileges in schema ${schema} grant ${EVERY_RIGHT.join(', ')} on tables to ${role}`,
  `alter default privileges in schema ${schema} grant select, usage on sequences to ${role}`,
  `alter default privileges in schema ${schema} grant execute on functions to ${role}`,
];

const tableGrants = ({ name }: TableRights, role: string): string[] => {
  const table = quoted([name]);
  return [
    `revoke all on table ${table} from ${role}`,
    `grant ${requiredRights(name).join(', ')} on table ${table} to ${role}`,
  ];
};

/** Missing in a database restored from an older backup until it is migrated. */
const FUNCTION = 'forget_audit_notes(uuid, uuid[])';

const functionGrants = async (client: pg.Client, role: string): Promise<string[]> => {
  const { rows } = await client.query<{ is: boolean }>('select to_regprocedure($1) is not null as is', [
    FUNCTION,
  ]);
  return rows[0]?.is === true ? [`grant execute on function ${FUNCTION} to ${role}`] : [];
};

const grant = async (client: pg.Client, serving: string): Promise<void> => {
  const { rows: held } = await client.query<TableRights>(tablesWith(OWNED), [serving]);
  if (areAsRequired(held)) return;
  const { rows } = await client.query<{ schema: string }>('select current_schema() as schema');
  const { rows: sequences } = await client.query<{ name: string }>(SEQUENCES);
  const schema = quoted([rows[0]?.schema ?? 'public']);
  const role = quoted([serving]);
  const statements = [
    ...defaultPrivileges(schema, role),
    ...held.flatMap((table) => tableGrants(table, role)),
    ...sequences.map(({ name }) => `grant select, usage on sequence ${quoted([name])} to ${role}`),
    ...(await functionGrants(client, role)),
  ];
  for (const statement of statements) await client.query(statement);
};

const roleOf = async (client: pg.Client): Promise<string> =>
  (await client.query<{ role: string }>('select current_user as role')).rows[0]?.role ?? '';

/** Null when its rights are right, as at nearly every start. */
const roleWithWrongRights = (serving: ConnectionOptions): Promise<string | null> =>
  onDedicatedConnection(serving, 'ahwa grants', async (client) => {
    const role = await roleOf(client);
    const { rows: held } = await client.query<TableRights>(tablesWith('true'), [role]);
    return held.length > 0 && held.every(isAsRequired) ? null : role;
  });

/** Exactly the rights that the role needs. Throws DatabaseUnavailable. */
export const grantServing = async ({ owner, serving }: Roles): Promise<void> => {
  if (owner === serving) return;
  const role = await roleWithWrongRights(serving);
  if (role === null) return;
  await onDedicatedConnection(owner, 'ahwa grants', async (client) => {
    if ((await roleOf(client)) === role) return;
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await grant(client, role);
    await client.query('commit');
  });
};

export const ownsTables = async (db: Kysely<Database>): Promise<boolean> => {
  const { rows } = await sql<{ is: boolean }>`
    select exists (
      select from pg_catalog.pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
        and pg_has_role(current_user, c.relowner, 'usage')) as is
  `.execute(db);
  return rows[0]?.is === true;
};
