/** The serving role can serve every request and owns no table. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantServing } from '../../src/platform/store/grants.ts';
import {
  asOwner,
  emptyDatabase,
  freshDatabase,
  withAdmin,
  type TestDatabase,
} from '../support/database/test-database.ts';

let database: TestDatabase;
let serving: pg.Client;

beforeAll(async () => {
  database = await freshDatabase();
  const { connection } = database;
  serving = new pg.Client('url' in connection ? { connectionString: connection.url } : { ...connection });
  await serving.connect();
});

afterAll(async () => {
  await serving.end();
  await database.release();
});

const outcomeOf = (statement: string): Promise<string> =>
  serving.query(statement).then(
    () => 'done',
    (fault: unknown) => (fault as pg.DatabaseError).code ?? String(fault),
  );

const owned = async <T>(statement: string): Promise<T[]> =>
  withAdmin(
    { connection: database.owner },
    async (client) => (await client.query<Record<string, unknown>>(statement)).rows as T[],
  );

/** 42501: insufficient privilege. */
const REFUSED = '42501';

describe('refusals of the serving role', () => {
  test.each([
    'drop table delivery_order',
    'drop table delivery_order cascade',
    'drop schema public cascade',
    'alter table staff add column x text',
    'alter table delivery_order disable trigger all',
    'truncate delivery_order',
    'truncate audit',
    'create table mine (n int)',
    'create schema mine',
    'create index mine on shop (name)',
    'create or replace function forget_audit_notes(shop uuid, orders uuid[]) returns void language sql as $$ $$',
    'create role mine superuser',
    'alter role current_user superuser',
    "copy shop to program 'id'",
    "copy shop from program 'id'",
    "copy shop to '/tmp/shop'",
    "select pg_read_file('/etc/passwd')",
    "select lo_import('/etc/passwd')",
    "set session_replication_role = 'replica'",
    "alter system set log_statement = 'all'",
    'update audit set action = action',
    'delete from audit',
    'insert into migration select * from migration',
    'update migration set name = name',
    'delete from migration',
    'select pg_reload_conf()',
    'select * from pg_authid',
  ])('the serving role is refused: %s', async (statement) => {
    expect(await outcomeOf(statement)).toBe(REFUSED);
  });

  test('the serving role cannot become a more powerful role', async () => {
    const roles = await owned<{ role: string }>(
      'select rolname as role from pg_roles where rolsuper or rolcreaterole or rolcreatedb or rolbypassrls',
    );
    expect(roles.length).toBeGreaterThan(0);
    for (const { role } of roles)
      expect(await outcomeOf(`set role ${pg.escapeIdentifier(role)}`)).toBe(REFUSED);
    const powers = await owned(`
      select rolname from pg_roles r
      where (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls)
        and rolname = '${(await serving.query<{ me: string }>('select current_user as me')).rows[0]?.me ?? ''}'`);
    expect(powers).toEqual([]);
  });
});

describe('rights of the serving role', () => {
  test('rows of every table can be read and written; audit is append-only, migration read-only', async () => {
    const rights = await owned<{ name: string; rights: string }>(`
      select c.relname as name, string_agg(p.word, ' ' order by p.place) as rights
      from pg_class c,
        unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger'])
          with ordinality p (word, place)
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and has_table_privilege('${(await serving.query<{ me: string }>('select current_user as me')).rows[0]?.me ?? ''}', c.oid, p.word)
      group by c.relname`);
    const other = rights.filter(({ rights: held }) => held !== 'select insert update delete');
    expect(other.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'audit', rights: 'select insert' },
      { name: 'migration', rights: 'select' },
    ]);
    expect(rights.length).toBeGreaterThan(50);
    const tables = await owned<{ n: number }>(
      "select count(*)::int as n from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
    );
    expect(tables).toEqual([{ n: rights.length }]);
  });

  test('an erasure removes only the notes of its shop from the audit log', async () => {
    const [shop, other] = ['0a000000-0000-4000-8000-000000000001', '0a000000-0000-4000-8000-000000000002'];
    const order = '0b000000-0000-4000-8000-000000000001';
    for (const [n, org] of [shop, other].entries())
      await serving.query(
        `insert into audit (org_id, id, at, action, subject, subject_id, detail)
         values ($1, $2, '2026-11-20T18:00:00Z', 'order.cancelled', 'order', $3, '{"note": "منى", "from": "received"}')`,
        [org, `0c000000-0000-4000-8000-00000000000${n}`, order],
      );
    await serving.query('select forget_audit_notes($1, $2)', [shop, [order]]);
    const { rows } = await serving.query<{ detail: object }>('select detail from audit order by org_id');
    expect(rows.map(({ detail }) => detail)).toEqual([
      { from: 'received' },
      { note: 'منى', from: 'received' },
    ]);
  });

  test('a table of a later migration is usable at once and cannot be dropped', async () => {
    await asOwner(database, 'create table of_later (n int)');
    expect(await outcomeOf('insert into of_later values (1)')).toBe('done');
    expect(await outcomeOf('drop table of_later')).toBe(REFUSED);
  });
});

test('the next start corrects rights that were changed manually', async () => {
  const { rows } = await serving.query<{ me: string }>('select current_user as me');
  const me = pg.escapeIdentifier(rows[0]?.me ?? '');
  await asOwner(database, `grant delete on audit to ${me}; revoke all on shop from ${me}`);
  expect(await outcomeOf('select 1 from shop')).toBe(REFUSED);
  await grantServing({ owner: database.owner, serving: database.connection });
  expect(await outcomeOf('select 1 from shop')).toBe('done');
  expect(await outcomeOf('delete from audit')).toBe(REFUSED);
});

test('concurrent starts grant the rights without conflict; a single role stays unchanged', async () => {
  const roles = { owner: database.owner, serving: database.connection };
  const { rows } = await serving.query<{ me: string }>('select current_user as me');
  await asOwner(
    database,
    `revoke all on all tables in schema public from ${pg.escapeIdentifier(rows[0]?.me ?? '')}`,
  );
  await Promise.all(Array.from({ length: 8 }, () => grantServing(roles)));
  expect(await outcomeOf('select 1 from shop')).toBe('done');
  const empty = await emptyDatabase();
  await grantServing({ owner: empty.owner, serving: empty.connection });
  await empty.release();
});
