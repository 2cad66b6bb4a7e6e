// A till in one file. It sells with the line up, sells on without it, is killed while it sends, goes on from its files,
// and shows that its own Z is the server's.
//
//   node examples/offline-till.mjs [address] [slug]
//
// It needs a server with the demo shops (`npm start`, which also builds dist/till.js, the library of tills on Node), and
// signs in as demo people, whose password and PIN everybody knows; PASSWORD and PIN in the environment name others.
//
// Opening hours are for guests who order by themselves: a till sells also while the shop is closed, and says so. What a
// menu has at some hours alone, such as breakfast, is sold at those.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import * as library from '../dist/till.js';

const [address = 'http://localhost:8080', slug = 'beit-el-bunn', folder] = process.argv.slice(2);
const { PASSWORD = 'ahwa-demo', PIN = '2468' } = process.env;
const OPENING_FLOAT = 50_000;

const stop = (sentence) => {
  console.error(sentence);
  process.exit(1);
};

const ask = async (method, path, body, token) => {
  const response = await fetch(address + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: body && JSON.stringify(body),
  }).catch(() => stop(`No server answers at ${address}: start one with "npm start", or name its address.`));
  const reply = await response.json();
  if (reply.code === 'CHANNEL_CLOSED') return { closed: reply.vars };
  if (!response.ok) stop(`${method} ${path}: ${response.status} ${reply.code ?? ''} ${reply.error}`);
  return reply;
};

// ── What the till keeps ─────────────────────────────────────────────────────────────────────────

const path = (name) => join(folder, name);
const kept = (name) => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : null);

/** The file is the old one or the whole new one, also after a power cut: the text is on disk before it has the name. */
const keep = (name, text) => {
  writeFileSync(path(`${name}.new`), text, { mode: 0o600, flush: true });
  renameSync(path(`${name}.new`), path(name));
};

/** The owner lets the device in, once. */
const pair = async () => {
  const { brand } = await ask('GET', `/public/orgs/links?slug=${slug}`);
  const [branch] = await ask('GET', `/public/branches?org_id=${brand.org_id}&browse=true`);
  // To be read while it is closed, a menu takes `preview=true`.
  const { closed } = await ask('GET', `/public/branches/${branch.id}/menu?channel=pickup`);
  const since = closed?.opens_at === undefined ? 'The shop' : `Until ${closed.opens_at} (UTC) the shop`;
  if (closed !== undefined) console.log(`${since} is closed for guests; a till sells all the same.`);
  const owner = { email: `owner@${slug}.example`, password: PASSWORD };
  const { token } = await ask('POST', '/staff/sign-in', owner);
  const device = { branch_id: branch.id, label: 'Offline till' };
  const { pairing_code } = await ask('POST', '/staff/devices', device, token);
  const { device_token, staff } = await ask('POST', '/staff/devices/pair', { pairing_code });
  const { id: by } = staff.find(({ role }) => role === 'manager');
  return { branch_id: branch.id, device_token, by, till_id: randomUUID() };
};

/** `done` has everything that the till ever did, `unsent` what the server has not confirmed. */
const startTill = async () => {
  if (kept('device.json') === null) keep('device.json', JSON.stringify(await pair()));
  const device = JSON.parse(kept('device.json'));
  return {
    ...device,
    server: library.createDeviceClient({ baseUrl: address, fetch, token: device.device_token }),
    copy: new library.BranchCopy(device.branch_id, kept('copy.json')),
    done: await library.openFileStore(path('done.jsonl')),
    unsent: await library.openFileStore(path('unsent.jsonl')),
  };
};

/** Sends what waits, some of it in each request; `afterAnswer` is called before the answer is used. */
const queueOf = ({ server, branch_id, unsent }, line, afterAnswer = () => {}) => {
  const send = async (events, signal) => {
    if (line.isDown) throw new TypeError('The line is down.');
    const some = events.slice(0, 4);
    const body = { branch_id, device_time: new Date().toISOString(), events: some };
    const { results } = await server.replay(body, signal);
    afterAnswer();
    for (const { outcome, code } of results) if (code) console.log(`An event is ${outcome}: ${code}`);
    return results;
  };
  const timers = {
    after: (ms, work) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
  };
  const at = { branchId: branch_id, store: unsent, locks: library.localLocks() };
  return new library.EventQueue({ ...at, send, timers, clock: Date, random: Math.random });
};

/** The copy follows the server, once the server has everything that the till did. */
const pullAll = async ({ server, copy, branch_id }, queue) => {
  const pull = () => server.pull({ branch_id, ...copy.next() });
  const apply = async (page) => {
    copy.apply(page);
    if (copy.isUsable) keep('copy.json', copy.saved());
  };
  do await library.pullWhenSent(queue, { pull, apply });
  while (!copy.isCurrent);
};

// ── What it does ────────────────────────────────────────────────────────────────────────────────

/** Written down before the till goes on, whatever becomes of the line. */
const record = async ({ by, done }, queue, kind, data) => {
  const event = { id: randomUUID(), kind, at: new Date().toISOString(), by, data };
  await done.append([event]);
  await queue.add(event);
};

/** Of what is on sale now and asks for no choice, at the prices of the till's own copy. */
const sell = async (till, queue, count) => {
  const rows = till.copy.tillRows();
  const quotes = new library.TillQuotes(rows);
  const quoteOf = ({ id }, quantity) => quotes.quote([{ menu_item_id: id, quantity }], Date.now()).quote;
  const items = rows.menu_item.filter((item) => item.kind === 'item' && quoteOf(item, 1) !== undefined);
  const methods = rows.branch_settings.payment_methods;
  for (let n = 0; n < count; n += 1) {
    const [item, quantity] = [items[n % items.length], 1 + (n % 3)];
    const { lines, bill } = quoteOf(item, quantity);
    await record(till, queue, 'sale', {
      ...{ sale_id: randomUUID(), till_id: till.till_id, total: bill.total },
      items: [{ menu_item_id: item.id, quantity, unit_price: lines[0].unitPrice }],
      payments: [{ method: methods[n % methods.length], amount: bill.total }],
    });
  }
};

const ownZ = async ({ done }) => {
  const sales = (await done.waiting()).filter(({ kind }) => kind === 'sale').map(({ data }) => data);
  const drawer = { cash: OPENING_FLOAT };
  for (const { method, amount } of sales.flatMap(({ payments }) => payments))
    drawer[method] = (drawer[method] ?? 0) + amount;
  return { sales: sales.length, total: sales.reduce((sum, { total }) => sum + total, 0), drawer };
};

const serverZ = async ({ device_token, by, till_id }) => {
  const { token } = await ask('POST', '/staff/pin', { staff_id: by, pin: PIN }, device_token);
  const { figures } = await ask('GET', `/staff/tills/${till_id}/report`, undefined, token);
  const taken = figures.methods.filter(({ expected }) => expected !== 0);
  const drawer = Object.fromEntries(taken.map(({ method, expected }) => [method, expected]));
  return { sales: figures.sales_count, total: figures.total, drawer };
};

// ── Its two lives ───────────────────────────────────────────────────────────────────────────────

const firstLife = async (till) => {
  const line = { isDown: false };
  let requestsToLive = Infinity;
  const queue = queueOf(till, line, () => {
    // The server has these events, and the till never reads so.
    if ((requestsToLive -= 1) === 0) process.kill(process.pid, 'SIGKILL');
  });
  await pullAll(till, queue);
  console.log(`The till has a copy of its branch: ${till.copy.rows('menu_item').length} items.`);
  await record(till, queue, 'till_open', { till_id: till.till_id, opening_float: OPENING_FLOAT });
  await sell(till, queue, 3);
  await queue.whenEmpty();
  console.log('3 sales with the line up: the server has them. The line goes down.');
  line.isDown = true;
  await sell(till, queue, 12);
  console.log('12 sales without it. The line comes back, and the till is killed while it sends.');
  await queue.settled();
  [line.isDown, requestsToLive] = [false, 2];
  queue.resume();
  await queue.whenEmpty();
};

const secondLife = async (till) => {
  console.log(`It starts again: ${(await till.unsent.waiting()).length} events are unsent in its file.`);
  const queue = queueOf(till, { isDown: false });
  // The kill may have come between the two files. An event that the server has is counted once.
  await queue.add((await till.done.waiting()).at(-1));
  await sell(till, queue, 2);
  const ours = await ownZ(till);
  await record(till, queue, 'till_close', { till_id: till.till_id, counted: ours.drawer });
  await pullAll(till, queue);
  await queue.close();
  const theirs = await serverZ(till);
  console.log(`2 more sales, and the till is closed.\nIts own Z:    `, JSON.stringify(ours));
  console.log(`The server's: `, JSON.stringify(theirs));
  return isDeepStrictEqual(ours, theirs);
};

if (folder === undefined) {
  const own = mkdtempSync(join(tmpdir(), 'ahwa-till-'));
  const program = [fileURLToPath(import.meta.url), address, slug, own];
  const live = () => spawnSync(process.execPath, program, { stdio: 'inherit' });
  const first = live();
  // It said why it could not begin.
  if (first.signal !== 'SIGKILL') process.exit(1);
  const isSame = live().status === 0;
  console.log(isSame ? 'The same figures: nothing was lost, and nothing counted twice.' : 'Not the same.');
  rmSync(own, { recursive: true });
  process.exitCode = isSame ? 0 : 1;
} else {
  const isFirst = kept('device.json') === null;
  const till = await startTill();
  process.exitCode = (await (isFirst ? firstLife : secondLife)(till)) ? 0 : 1;
}
