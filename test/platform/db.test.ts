/** The database adapter on a real database. */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DatabaseUnavailable, at, connect } from '../../src/platform/store/db.ts';
import type { Db, DbOptions } from '../../src/platform/store/db.ts';
import { emptyDatabase } from '../support/database/test-database.ts';
import type { TestDatabase } from '../support/database/test-database.ts';

interface Tables {
  counter: { id: number; value: number };
}

let database: TestDatabase;
let db: Db<Tables>;

const open = (options?: DbOptions): Db<Tables> => connect<Tables>(database.connection, options);

beforeAll(async () => {
  database = await emptyDatabase();
  db = open();
  await sql`create table counter (id int primary key, value int not null)`.execute(db.kysely);
  await sql`insert into counter values (1, 0), (2, 0)`.execute(db.kysely);
});

afterAll(async () => {
  await db.close();
  await database.release();
});

const one = async (expression: string): Promise<unknown> => {
  const { rows } = await sql.raw<{ v: unknown }>(`select ${expression} as v`).execute(db.kysely);
  return rows[0]?.v;
};

const valueOf = async (id: number): Promise<number> =>
  (await db.kysely.selectFrom('counter').select('value').where('id', '=', id).executeTakeFirstOrThrow())
    .value;

/** Holds transactions at a point. */
const gate = (): { passed: Promise<void>; pass: () => void } => {
  let pass = (): void => undefined;
  const passed = new Promise<void>((resolve) => (pass = resolve));
  return { passed, pass };
};

const reasonFrom = async (work: Promise<unknown>): Promise<string> => {
  const fault: unknown = await work.then(
    () => 'no fault',
    (raised: unknown) => raised,
  );
  return fault instanceof DatabaseUnavailable ? fault.reason : `other: ${String(fault)}`;
};

describe('values read from PostgreSQL', () => {
  test.each([
    ["date '2026-04-24'", '2026-04-24'],
    ["timestamptz '2026-04-24 00:30:00.125+02'", Date.UTC(2026, 3, 23, 22, 30, 0, 125)],
    ["timestamptz '2026-04-24 00:30:00+05:30'", Date.UTC(2026, 3, 23, 19, 0)],
    ["timestamptz 'infinity'", Infinity],
    ['9007199254740991::int8', Number.MAX_SAFE_INTEGER],
    ['(-5)::int8', -5],
    ['12.50::numeric', '12.50'],
    ["array[date '2026-01-01', null]", ['2026-01-01', null]],
    ["array[timestamptz '1970-01-01 00:00:01+00', null]", [1000, null]],
    ['array[]::int8[]', []],
    ['array[1, null, 3]::int8[]', [1, null, 3]],
    ['array[1.50, 2]::numeric[]', ['1.50', '2']],
    ['\'{"a":[1]}\'::jsonb', { a: [1] }],
    ["time '23:30'", '23:30:00'],
    ['7::int4', 7],
    ['null::timestamptz', null],
  ])('%s is read as its JavaScript value', async (expression, expected) => {
    expect(await one(expression)).toEqual(expected);
  });

  test('an integer beyond 53 bits is an error', async () => {
    await expect(one('9007199254740993::int8')).rejects.toThrow('beyond 53 bits');
  });

  test('an instant is read back with its milliseconds', async () => {
    const moment = Date.UTC(2026, 9, 29, 21, 59, 59, 999);
    const { rows } = await sql<{ v: number }>`select ${at(moment)} as v`.execute(db.kysely);
    expect(rows[0]?.v).toBe(moment);
  });
});

describe('transactions', () => {
  test('a failing transaction is rolled back', async () => {
    const failing = db.tx(async (tx) => {
      await tx.updateTable('counter').set({ value: 99 }).where('id', '=', 1).execute();
      throw new Error('a refusal');
    });
    await expect(failing).rejects.toThrow('a refusal');
    expect(await valueOf(1)).toBe(0);
  });

  test('two deadlocked transactions both succeed, one of them on a retry', async () => {
    let runs = 0;
    const [first, second] = [gate(), gate()];
    const addBoth = (
      ids: readonly [number, number],
      mine: { pass: () => void },
      other: { passed: Promise<void> },
    ) =>
      db.tx(async (tx) => {
        runs += 1;
        for (const id of ids) {
          await tx
            .updateTable('counter')
            .set((eb) => ({ value: eb('value', '+', 1) }))
            .where('id', '=', id)
            .execute();
          mine.pass();
          await other.passed;
        }
      });
    await Promise.all([addBoth([1, 2], first, second), addBoth([2, 1], second, first)]);
    expect(runs).toBe(3);
    expect([await valueOf(1), await valueOf(2)]).toEqual([2, 2]);
  });

  test('a transaction with serialization failures ends as contended after five runs', async () => {
    let runs = 0;
    const colliding = db.tx(async (tx) => {
      runs += 1;
      await sql`do $$ begin raise exception 'collided' using errcode = '40001'; end $$`.execute(tx);
    });
    expect(await reasonFrom(colliding)).toBe('contended');
    expect(runs).toBe(5);
  });

  test('a snapshot sees one state and refuses writes', async () => {
    const before = await valueOf(1);
    const values = await db.snapshot(async (tx) => {
      const read = () =>
        tx.selectFrom('counter').select('value').where('id', '=', 1).executeTakeFirstOrThrow();
      const first = await read();
      await db.kysely
        .updateTable('counter')
        .set({ value: before + 10 })
        .where('id', '=', 1)
        .execute();
      return [first.value, (await read()).value];
    });
    expect(values).toEqual([before, before]);
    expect(await valueOf(1)).toBe(before + 10);
    await expect(db.snapshot((tx) => tx.deleteFrom('counter').execute())).rejects.toMatchObject({
      cause: { code: '25006' },
    });
  });

  test('an error of the statement keeps its code and constraint', async () => {
    const twice = db.kysely.insertInto('counter').values({ id: 1, value: 0 }).execute();
    await expect(twice).rejects.toMatchObject({ code: '23505', constraint: 'counter_pkey' });
  });
});

/** Takes connections and never answers. */
const silentServer = async (): Promise<{ port: number; taken: () => number; close: () => void }> => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, taken: () => sockets.length, close };
};

describe('an unavailable, slow or busy database', () => {
  test('a server that does not answer is given up at once, however long the queue may be', async () => {
    const { port, taken, close } = await silentServer();
    const place = { url: `postgres://ahwa:secret@127.0.0.1:${port}/ahwa` };
    const patient = connect<Tables>(place, { acquireMs: 60_000, connectMs: 50 });
    expect(await reasonFrom(patient.ping())).toBe('lost');
    await patient.close();
    const before = taken();
    const closed = connect<Tables>(place, { acquireMs: 60_000, connectMs: 60_000 });
    const waiting = reasonFrom(closed.ping());
    await expect.poll(taken).toBe(before + 1);
    await closed.close();
    expect(await waiting).toBe('lost');
    close();
  });

  test('a client with a time limit of its own signs in with the password of the pool', async () => {
    const limited = open({ connectMs: 5_000 });
    await limited.ping();
    await limited.close();
  });

  test('a missing table or column is reported as unmigrated', async () => {
    expect(await reasonFrom(sql`select * from not_yet`.execute(db.kysely))).toBe('unmigrated');
    expect(await reasonFrom(sql`select not_yet from counter`.execute(db.kysely))).toBe('unmigrated');
  });

  test('an internal error of a statement is a fault of it, not a lost database', async () => {
    const refused = sql`do $$ begin raise exception 'complex joins' using errcode = 'XX000'; end $$`;
    expect(await reasonFrom(refused.execute(db.kysely))).toBe('other: error: complex joins');
  });

  test('a refused connection and a missing socket are reported as lost', async () => {
    for (const place of [
      { url: 'postgres://nobody@127.0.0.1:9/none' },
      { host: '/nowhere', port: 5432, user: 'a', database: 'a' },
    ]) {
      const away = connect<Tables>(place);
      expect(await reasonFrom(away.ping())).toBe('lost');
      expect(await reasonFrom(away.tx((tx) => tx.selectFrom('counter').selectAll().execute()))).toBe('lost');
      await away.close();
    }
  });

  test('a statement over its time limit is cancelled and its connection stays usable', async () => {
    const hasty = open({ size: 1, statementMs: 50 });
    expect(await reasonFrom(sql`select pg_sleep(20)`.execute(hasty.kysely))).toBe('slow');
    await hasty.ping();
    await hasty.close();
  });

  test('a missing answer is reported as slow, and the next query works', async () => {
    const hasty = open({ size: 1, statementMs: 60_000, answerMs: 50 });
    const waiting = hasty.tx((tx) => sql`select pg_sleep(20)`.execute(tx));
    expect(await reasonFrom(waiting)).toBe('slow');
    await hasty.ping();
    await hasty.close();
  });

  test('a long wait for a connection and a full queue are reported as busy', async () => {
    const small = open({ size: 1, waiting: 1, acquireMs: 100 });
    const held = gate();
    const taken = gate();
    const holder = small.tx(async () => {
      taken.pass();
      await held.passed;
    });
    await taken.passed;
    const waiting = reasonFrom(small.ping());
    expect(small.counts()).toEqual({ busy: 1, idle: 0, waiting: 1 });
    expect(await reasonFrom(small.ping())).toBe('busy');
    expect(await waiting).toBe('busy');
    held.pass();
    await holder;
    await small.ping();
    await small.close();
  });

  test('the next query works after PostgreSQL ends an idle or busy session', async () => {
    const lost: Error[] = [];
    const gateReached = gate();
    const victim = open({
      size: 1,
      applicationName: 'victim',
      onLost: (fault) => {
        lost.push(fault);
        gateReached.pass();
      },
    });
    const kill = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'victim'`.execute(
        db.kysely,
      );
    await victim.ping();
    await kill();
    await gateReached.passed;
    expect(lost).toHaveLength(1);
    await victim.ping();
    const cut = victim.tx(async (tx) => {
      await sql`select 1`.execute(tx);
      await kill();
      await sql`select 1`.execute(tx);
    });
    expect(await reasonFrom(cut)).toBe('lost');
    await victim.ping();
    await victim.close();
  });

  test('a query after closing is reported as lost', async () => {
    const closed = open();
    await closed.ping();
    await Promise.all([closed.close(), closed.close()]);
    expect(await reasonFrom(closed.ping())).toBe('lost');
  });
});

describe('prepared statements', () => {
  const names = async (through: Db<Tables>): Promise<number> => {
    const { rows } = await sql<{ v: number }>`select count(*) as v from pg_prepared_statements`.execute(
      through.kysely,
    );
    return rows[0]?.v ?? -1;
  };

  test('a frequent statement is prepared once and works again after its table changes', async () => {
    const single = open({ size: 1 });
    const read = () =>
      single.kysely.selectFrom('counter').selectAll().where('id', '=', 1).executeTakeFirstOrThrow();
    for (let use = 0; use < 25; use += 1) await read();
    expect(await names(single)).toBe(1);
    await sql`alter table counter add column extra int`.execute(db.kysely);
    expect(await reasonFrom(read())).toBe('contended');
    expect(await read()).toMatchObject({ id: 1, extra: null });
    expect(
      await single.tx((tx) =>
        tx.selectFrom('counter').selectAll().where('id', '=', 1).executeTakeFirstOrThrow(),
      ),
    ).toMatchObject({ id: 1 });
    await single.close();
  });

  test('a statement has one name in every process, as a pooler shares sessions among them', async () => {
    const byId = (through: Db<Tables>) =>
      through.kysely.selectFrom('counter').select('value').where('id', '=', 1).execute();
    const byValue = (through: Db<Tables>) =>
      through.kysely.selectFrom('counter').select('id').where('value', '=', 1).execute();
    const namedBy = async (...inTurn: readonly (typeof byId | typeof byValue)[]): Promise<unknown> => {
      const single = open({ size: 1 });
      for (const read of inTurn) for (let use = 0; use < 25; use += 1) await read(single);
      const { rows } = await sql`
        select name, statement from pg_prepared_statements order by statement`.execute(single.kysely);
      await single.close();
      return rows;
    };
    const named = await namedBy(byId, byValue);
    expect(named).toHaveLength(2);
    expect(await namedBy(byValue, byId)).toEqual(named);
  });
});
