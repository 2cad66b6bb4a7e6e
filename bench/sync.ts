/**
 * `POST /sync/pull`: the whole state of a shop of 1,000 items, 1,000 changes, and nothing new; `POST /sync/replay`: 1,000
 * sales, beside the same statements replayed bare.
 */
import { Repeated } from '../src/platform/app/answer.ts';
import type { App } from '../src/platform/app/app.ts';
import { actorOf } from '../src/staff/app/access.ts';
import { signIn } from '../src/staff/app/sign-in.ts';
import { setPassword } from '../src/staff/app/staff.ts';
import { withAhwa, withDataFolder, type Ahwa } from './support/ahwa.ts';
import { barePost, type Bare } from './support/baseline.ts';
import { openConnection, post } from './support/connection.ts';
import { addShops, withApp } from './support/data.ts';
import { openDatabases } from './support/databases.ts';
import { compareSales, recordSales, type Device } from './support/device-sales.ts';
import { median, millis } from './support/figures.ts';
import { handlersIn } from './support/handlers.ts';
import { cpuSeconds } from './support/processes.ts';
import { report, type Row } from './support/report.ts';
import { branchId, shopFile } from './support/shop.ts';

const SLUG = 'bench-sync';
/** Its sales are not among the rows that are pulled. */
const SELLING_SLUG = 'bench-sync-sales';
const ITEMS = 1_000;
const ROUNDS = 15;
const PASSWORD = 'a password of the bench';

const ownerOf = (slug: string): string => `owner@${slug}.example`;

/** `extra`: piastres on every price. */
const shop = (slug: string, extra: number) => {
  const { menu, ...file } = shopFile({ slug, items: ITEMS, branches: 2, tables: 20 });
  const items = (menu.items ?? []).map((item) =>
    'price' in item ? { ...item, price: (item.price ?? 0) + extra } : { ...item, description: `${extra}` },
  );
  const staff = [{ key: 'owner', name: 'owner', role: 'owner' as const, email: ownerOf(slug) }];
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

/** The owner of a new shop pairs a device, and opens a till. */
const pairedDevice = async (app: App, slug: string): Promise<Device> => {
  const email = ownerOf(slug);
  await addShops(app, shop(slug, 0));
  await setPassword(app, slug, email, PASSWORD);
  const given = { email, password: PASSWORD, client: 'bench', knownDevice: undefined };
  const { token } = await signIn(app)(given);
  const actor = await actorOf(app)(token);
  if (actor === null) throw new Error('The owner is signed out.');
  const { makePairingCode, pairDevice, openTill } = handlersIn(app);
  const wanted = { branch_id: branchId(slug, 0), label: 'till' };
  const { pairing_code } = await makePairingCode({ body: wanted, actor });
  const { device_token } = await pairDevice({ body: { pairing_code } });
  const float = { branch_id: branchId(slug, 0), opening_float: 0 };
  const till = await openTill({ body: float, headers: {}, actor });
  if (till instanceof Repeated) throw new Error('The till was opened before.');
  return { slug, token: device_token, staffId: actor.staffId, tillId: till.id };
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

const comparePulls = async (dataDir: string, ahwa: Ahwa, token: string): Promise<void> => {
  const ask = askingAt(ahwa.port);
  const { next } = await pullAll(ask, token, null, 500);
  const rows = [
    await rowOf('the whole state, pages of 500', dataDir, ahwa, () => pullAll(ask, token, null, 500)),
    await rowOf('the whole state, pages of 2,000', dataDir, ahwa, () => pullAll(ask, token, null, 2_000)),
    await rowOf('nothing new', dataDir, ahwa, () => pullAll(ask, token, next, 500)),
  ];
  await withApp(dataDir, (app) => addShops(app, shop(SLUG, 100)));
  rows.push(
    await rowOf('every item changed, pages of 500', dataDir, ahwa, () => pullAll(ask, token, next, 500)),
  );
  report('A device pulls', rows, [
    'One at a time; baseline: a bare POST server that sends the longest page as often.',
  ]);
};

await withDataFolder(async (dataDir) => {
  const [pulling, selling] = await withApp(dataDir, async (app) => [
    await pairedDevice(app, SLUG),
    await pairedDevice(app, SELLING_SLUG),
  ]);
  const databases = await openDatabases(dataDir);
  try {
    const script = await recordSales(dataDir, databases, selling);
    await withAhwa(dataDir, {}, async (ahwa) => {
      await comparePulls(dataDir, ahwa, pulling.token);
      await compareSales(ahwa, databases, selling, script);
    });
  } finally {
    await databases.close();
  }
});
