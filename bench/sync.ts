/** `POST /sync/pull`: the whole state of a shop of 1,000 items, 1,000 changes, and nothing new. */
import { setPassword } from '../src/staff/app/staff.ts';
import { withAhwa, withDataFolder, type Ahwa } from './support/ahwa.ts';
import { barePost, type Bare } from './support/baseline.ts';
import { openConnection, post } from './support/connection.ts';
import { addShops, withApp } from './support/data.ts';
import { median, millis } from './support/figures.ts';
import { cpuSeconds } from './support/processes.ts';
import { report, type Row } from './support/report.ts';
import { branchId, shopFile } from './support/shop.ts';

const SLUG = 'bench-sync';
const ITEMS = 1_000;
const ROUNDS = 15;
const OWNER = { email: 'owner@bench-sync.example', password: 'a password of the bench' };

/** `extra`: piastres on every price. */
const shop = (extra: number) => {
  const { menu, ...file } = shopFile({ slug: SLUG, items: ITEMS, branches: 2, tables: 20 });
  const items = (menu.items ?? []).map((item) =>
    'price' in item ? { ...item, price: (item.price ?? 0) + extra } : { ...item, description: `${extra}` },
  );
  const staff = [{ key: 'owner', name: 'owner', role: 'owner' as const, email: OWNER.email }];
  return { ...file, staff, menu: { ...menu, items } };
};

const BRANCH = branchId(SLUG, 0);
const JSON_TYPE = { 'Content-Type': 'application/json' };

type Ask = (
  path: string,
  body: object,
  token?: string,
) => Promise<{ readonly text: string; readonly ms: number }>;

const askingAt = (port: number): Ask => {
  const connection = openConnection(port);
  return async (path, body, token) => {
    const headers = token === undefined ? JSON_TYPE : { ...JSON_TYPE, Authorization: `Bearer ${token}` };
    const { status, body: bytes, ms } = await connection.ask(post(path, JSON.stringify(body), headers));
    const text = bytes.toString();
    if (status >= 300) throw new Error(`${path} answers ${status}: ${text}`);
    return { text, ms };
  };
};

const pairedDevice = async (ask: Ask): Promise<string> => {
  const { token } = JSON.parse((await ask('/staff/sign-in', OWNER)).text) as { readonly token: string };
  const wanted = { branch_id: BRANCH, label: 'till' };
  const made = JSON.parse((await ask('/staff/devices', wanted, token)).text) as {
    readonly pairing_code: string;
  };
  const paired = JSON.parse((await ask('/staff/devices/pair', { pairing_code: made.pairing_code })).text) as {
    readonly device_token: string;
  };
  return paired.device_token;
};

interface Pulled {
  readonly texts: readonly string[];
  readonly ms: number;
  readonly rows: number;
  readonly next: number;
}

/** All pages from a number on; null: the whole state. */
const pullAll = async (ask: Ask, token: string, since: number | null, limit: number): Promise<Pulled> => {
  const texts: string[] = [];
  let [ms, rows] = [0, 0];
  let body: object = since === null ? {} : { since };
  for (;;) {
    const answer = await ask('/sync/pull', { branch_id: BRANCH, limit, ...body }, token);
    const page = JSON.parse(answer.text) as {
      readonly changes: readonly unknown[];
      readonly next: number;
      readonly has_more: boolean;
      readonly cursor?: string;
    };
    texts.push(answer.text);
    ms += answer.ms;
    rows += page.changes.length;
    if (since === null ? page.cursor === undefined : !page.has_more)
      return { texts, ms, rows, next: page.next };
    body = page.cursor === undefined ? { since: page.next } : { cursor: page.cursor };
  }
};

/** Milliseconds in which a bare server answers as many requests with answers of that size. */
const bareTime = async (folder: string, texts: readonly string[]): Promise<number> => {
  const longest = texts.reduce((a, b) => (a.length > b.length ? a : b), '');
  const bare: Bare = await barePost(folder, Buffer.from(longest));
  const ask = askingAt(bare.port);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    let sum = 0;
    for (let n = 0; n < texts.length; n += 1) sum += (await ask('/', { branch_id: BRANCH })).ms;
    times.push(sum);
  }
  await bare.stop();
  return median(times);
};

const rowOf = async (job: string, folder: string, ahwa: Ahwa, once: () => Promise<Pulled>): Promise<Row> => {
  const times: number[] = [];
  let pulled = await once();
  const before = cpuSeconds(ahwa.pid);
  for (let round = 0; round < ROUNDS; round += 1) {
    pulled = await once();
    times.push(pulled.ms);
  }
  const cpu = ((cpuSeconds(ahwa.pid) - before) / ROUNDS) * 1_000;
  const bytes = pulled.texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const bare = await bareTime(folder, pulled.texts);
  return {
    job: `${job}: ${pulled.rows} rows, ${pulled.texts.length} pages, ${Math.round(bytes / 1_000)} KB`,
    figure: `${millis(median(times))}; CPU of the server ${millis(cpu)}`,
    baseline: millis(bare),
    ratio: (bare / median(times)).toFixed(2),
  };
};

await withDataFolder(async (dataDir) => {
  await withApp(dataDir, async (app) => {
    await addShops(app, shop(0));
    await setPassword(app, SLUG, OWNER.email, OWNER.password);
  });
  await withAhwa(dataDir, {}, async (ahwa) => {
    const ask = askingAt(ahwa.port);
    const token = await pairedDevice(ask);
    const { next } = await pullAll(ask, token, null, 500);
    const rows = [
      await rowOf('the whole state, pages of 500', dataDir, ahwa, () => pullAll(ask, token, null, 500)),
      await rowOf('the whole state, pages of 2,000', dataDir, ahwa, () => pullAll(ask, token, null, 2_000)),
      await rowOf('nothing new', dataDir, ahwa, () => pullAll(ask, token, next, 500)),
    ];
    await withApp(dataDir, (app) => addShops(app, shop(100)));
    rows.push(
      await rowOf('every item changed, pages of 500', dataDir, ahwa, () => pullAll(ask, token, next, 500)),
    );
    report('A device pulls', rows, [
      'One at a time; baseline: a bare POST server that sends the longest page as often.',
    ]);
  });
});
