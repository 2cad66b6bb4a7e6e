/** The backup runbook of docs/operations.md, run under load. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { orderScope } from '../../src/kernel/change.ts';
import { connect, type Db } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { recordChanges } from '../../src/platform/store/change-log.ts';
import { digestsOf } from '../support/database/backups.ts';
import { aMenu, aShopFile, branchId, shopId } from '../support/shops/cafe.ts';
import { PATIENT } from '../support/database/patient-options.ts';
import { useProgram, connectTo, eventually, ownerOf } from '../support/programs/program.ts';
import { insert, insertLocated } from '../support/database/rows.ts';

const ROOT = join(import.meta.dirname, '../..');
const bench = useProgram('file', 'embedded');
const elsewhere = useProgram('test', 'new');

const fileOf = (name: string): string => join(bench.dataDir(), name);
/** Does not exist yet. */
const newDataDir = (): string => join(elsewhere.dataDir(), 'data');

const importShop = async (slug: string, coffee: string): Promise<void> => {
  const menu = aMenu();
  const items = (menu.items ?? []).map((item) => ({ ...item, name: { ar: coffee, en: coffee } }));
  const { code, stderr } = await bench.ahwa(
    ['import', '-'],
    {},
    JSON.stringify(aShopFile({ slug, menu: { ...menu, items } })),
  );
  if (code !== 0) throw new Error(stderr);
};

beforeAll(() => importShop('beit-el-bunn', 'قهوة'));

const withTables = async <T>(dataDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = await connectTo(dataDir);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const idOf = (n: number): string => `0e000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** One transaction like that of an order: rows of seven tables, or none. */
const placeOrder = (db: Db<Database>, n: number): Promise<void> =>
  db.tx(async (tx) => {
    const [id, customer_id, org_id] = [idOf(n), idOf(1_000_000 + n), shopId()];
    const moment = '2026-11-20T17:00:00Z';
    await insert<Database>(tx, 'customer', {
      ...{ org_id, id: customer_id, phone: `2010${String(n).padStart(8, '0')}`, name: `منى\t${n} \\.` },
      ...{ created_at: moment, updated_at: moment },
    });
    await insertLocated<Database>(tx, 'order', 'delivery_order', {
      ...{ org_id, id, customer_id, branch_id: branchId(), channel: 'pickup', status: 'delivered' },
      ...{
        customer_name: 'منى',
        payment_method_hint: 'cash',
        payment_method: 'cash',
        base_prep_minutes: 20,
        extra_prep_minutes: 0,
      },
      cart: {
        lines: [{ name: 'قهوة', name_translations: {}, size_label: null, quantity: 1, line_total: 4500 }],
        deals: [],
      },
      ...{ subtotal: 4500, discount_amount: 0, service_charge_amount: 0, delivery_fee: 0 },
      ...{ tax_rate_applied: '0.14', tax_inclusive: true, tax_amount: 553, total: 4500 },
      ...{ created_at: moment, updated_at: moment, delivered_at: moment },
    });
    await insert<Database>(tx, 'idempotency_key', {
      ...{
        org_id,
        operation: 'order',
        key: `key ${n}`,
        body_hash: '\\x00ff',
        subject_id: id,
        created_at: moment,
      },
    });
    await insert<Database>(tx, 'outbox', {
      ...{ org_id, id, kind: 'message', lane: id, subject_id: id, payload: {}, status: 'sent', attempts: 1 },
      ...{ created_at: moment, waiting_since: moment, next_at: moment },
    });
    await recordChanges(
      tx,
      org_id,
      [{ scope: orderScope(id), type: 'delivery', id, op: 'upsert' }],
      Date.parse(moment),
    );
  });

interface Load {
  /** Numbers of the acknowledged orders, from 1 on. */
  readonly acknowledged: () => number[];
  stop(): Promise<void>;
}

/** Runs until stopped: two writers place orders, one imports a shop again and again. */
const underLoad = (): Load => {
  const db = connect<Database>(ownerOf(bench.dataDir()), PATIENT);
  const acknowledged: number[] = [];
  let stopped = false;
  let next = 0;
  const ordering = async (): Promise<void> => {
    while (!stopped) {
      const n = (next += 1);
      await placeOrder(db, n);
      acknowledged.push(n);
    }
  };
  const importing = async (): Promise<void> => {
    for (let turn = 1; !stopped; turn += 1) await importShop('under-load', `شاي ${turn}`);
  };
  const writers = Promise.all([...[1, 2].map(ordering), importing()]);
  writers.catch(() => undefined);
  return {
    acknowledged: () => [...acknowledged],
    stop: async () => {
      stopped = true;
      await writers;
      await db.close();
    },
  };
};

/** The commands of the runbook. */
const runbook = (): string => {
  const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  const section = /^## Backup and restore$[\s\S]*?^```sh$\n([\s\S]*?)^```$/m.exec(page);
  return section?.[1] ?? '';
};

interface ShellResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the script in a shell with `ahwa`, next to the data folder; stops at the first failure. */
const inShell = async (
  script: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<ShellResult> => {
  const folder = join(elsewhere.dataDir(), 'bin');
  mkdirSync(folder, { recursive: true });
  const program = join(folder, 'ahwa');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'bin/ahwa.js')}' "$@"\n`);
  chmodSync(program, 0o755);
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd: elsewhere.dataDir(),
    env: {
      PATH: `${folder}:${PATH}`,
      HOME,
      DATA_DIR: bench.dataDir(),
      NEW_DATA_DIR: newDataDir(),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...output })));
};

/** Keeps URLs and opening hours the same before and after. */
const FIXED_SETTINGS = { BASE_URL: 'https://ahwa.example', CLOCK_START: '2026-11-20T18:00:00Z' };

const PATHS = [
  '/public/orgs/brand?slug=beit-el-bunn',
  '/public/orgs/links?slug=beit-el-bunn',
  `/public/branches?org_id=${shopId()}`,
  `/public/branches/${branchId()}/menu?preview=true`,
];
const trackOf = (n: number): string => `/public/delivery-orders/${idOf(n)}/track`;

/** Rows that violate a foreign key. */
const orphans = (client: pg.Client): Promise<string[]> =>
  client
    .query<{ child: string; parent: string; pairs: [string, string][] }>(
      `select conrelid::regclass::text as child, confrelid::regclass::text as parent,
         (select json_agg(json_build_array(a.attname, b.attname))
            from unnest(conkey, confkey) k (a, b)
            join pg_attribute a on a.attrelid = conrelid and a.attnum = k.a
            join pg_attribute b on b.attrelid = confrelid and b.attnum = k.b) as pairs
       from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
    )
    .then(async ({ rows }) => {
      const found: string[] = [];
      for (const { child, parent, pairs } of rows) {
        const joined = pairs.map(([a, b]) => `p."${b}" = c."${a}"`).join(' and ');
        const named = pairs.map(([a]) => `c."${a}" is not null`).join(' and ');
        const lost = await client.query(
          `select 1 from ${child} c where ${named} and not exists (select from ${parent} p where ${joined}) limit 1`,
        );
        if (lost.rowCount !== 0) found.push(`${child} → ${parent}`);
      }
      expect(rows.length).toBeGreaterThan(20);
      return found;
    });

test('the backup runbook under load restores every acknowledged order with the same answers', async () => {
  const server = await bench.serve(FIXED_SETTINGS);
  const load = underLoad();
  await eventually(() => (load.acknowledged().length >= 200 ? true : null), 'the load');
  const before = load.acknowledged();
  const { code, stdout, stderr } = await inShell(runbook());
  await load.stop();
  const said = stderr.replace(
    /^ahwa: (making a new database in|database:|backing up|reading|restoring).*\n/gm,
    '',
  );
  expect([code, said]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^backup of \d+ tables and [\d,]+ rows as of 2026-11-20T18:.*\nThe secret key is not in it: .*\nwhole: .*\nrestored /,
  );

  const restored = { ...FIXED_SETTINGS, DATA_DIR: newDataDir() };
  const first = readFileSync(join(elsewhere.dataDir(), 'ahwa.backup'));
  const second = join(elsewhere.dataDir(), 'second.backup');
  expect((await elsewhere.ahwa(['backup', second], restored)).code).toBe(0);
  expect(digestsOf(readFileSync(second))).toEqual(digestsOf(first));

  const other = await elsewhere.serve(restored);
  await withTables(newDataDir(), async (client) => {
    const ids = new Set(
      (await client.query<{ id: string }>('select id from delivery_order')).rows.map(({ id }) => id),
    );
    expect(before.filter((n) => !ids.has(idOf(n)))).toEqual([]);
    expect(ids.size).toBeGreaterThanOrEqual(before.length);
    for (const [table, key] of [
      ['customer', 'id = o.customer_id'],
      ['shop_code', 'org_id = o.org_id'],
      ['idempotency_key', 'subject_id = o.id'],
      ['outbox', 'subject_id = o.id'],
      ['change', 'id = o.id'],
    ] as const) {
      const whole = await client.query(
        `select 1 from delivery_order o where exists (select from ${table} t where t.${key})`,
      );
      expect([table, whole.rowCount]).toEqual([table, ids.size]);
    }
    expect(await orphans(client)).toEqual([]);
  });
  for (const path of [...PATHS, ...before.filter((n) => n % 20 === 0).map(trackOf)]) {
    const [here, there] = [await server.get(path), await other.get(path)];
    expect([path, there.status, there.text]).toEqual([path, 200, here.text]);
  }
  expect(readFileSync(join(newDataDir(), 'secret.key'))).toEqual(readFileSync(fileOf('secret.key')));
  for (const each of [server, other]) each.signal('SIGTERM');
  expect([(await server.ended).code, (await other.ended).code]).toEqual([0, 0]);
});
