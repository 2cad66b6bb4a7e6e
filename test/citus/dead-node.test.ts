/** One node is dead: at shops elsewhere nothing stops, and what waited at its own shops is done once it is back. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually, type Server } from '../support/programs/program.ts';
import { aProgramme } from '../support/people/members.ts';
import { aMember, bearer, emailOf, PASSWORD } from '../support/people/staff.ts';
import { openBoard, type BoardStream } from '../support/server/board-client.ts';
import { aBranch, aShopFile, branchId, daily, shopId, thingId } from '../support/shops/cafe.ts';
import { useCluster } from './cluster.ts';
import { anOrderAt, ask, type Answer } from './requests.ts';

const SLUGS = ['one', 'two', 'three', 'six'].map((name) => `cafe-${name}`);
/** The counters of wrong passwords of each have keys of their own. */
const PEOPLE = ['p1', 'p2', 'p3', 'p4'];
const SILENT = 'a node of the database does not answer: its shops get 503';
const BACK = 'the node of the database answers again';

const shopFile = (slug: string) =>
  aShopFile({
    ...{ slug, loyalty: aProgramme() },
    menu: {
      categories: [{ key: 'drinks', name: { ar: 'مشروبات', en: 'Drinks' } }],
      items: [
        { key: 'turkish', name: { ar: 'قهوة تركي', en: 'Turkish coffee' }, category: 'drinks', price: 4500 },
        { key: 'tea', name: { ar: 'شاي', en: 'Tea' }, category: 'drinks', price: 2500 },
      ],
    },
    branches: [aBranch({ online_hours: daily('00:00', '00:00'), otp_required: false })],
    staff: PEOPLE.map((key) => aMember(key, 'owner', {}, slug)),
  });
const cluster = useCluster({ shops: SLUGS.map(shopFile), servers: 2 });

/** Refuses until it is told to accept. */
const receiver = { accepts: new Set<string>(), received: [] as { slug: string; body: string }[] };
const listener = createServer((request, response) => {
  const slug = (request.url ?? '').slice(1);
  let body = '';
  request.on('data', (more: Buffer) => (body += more.toString()));
  request.on('end', () => {
    const isAccepted = receiver.accepts.has(slug);
    if (isAccepted) receiver.received.push({ slug, body });
    response.writeHead(isAccepted ? 204 : 503).end();
  });
});

/** A shop on the node that dies, and one elsewhere. */
let [lost, kept] = ['', ''];
const cards = new Map<string, string>();
let board: BoardStream;

const server = (number: number): Server => {
  const found = cluster.servers()[number];
  if (found === undefined) throw new Error('There are two servers.');
  return found;
};
const signIn = (slug: string, person: string, password = PASSWORD): Promise<Answer> =>
  ask(server(0), '/staff/sign-in', { email: emailOf(person, slug), password });
const cardOf = (slug: string): Promise<Answer> =>
  ask(server(1), `/public/loyalty/card/${cards.get(slug) ?? ''}`);
const orderAt = async (slug: string, phone: string, at = server(0)): Promise<string> => {
  const { status, body } = await ask(at, '/public/delivery-orders', anOrderAt(slug, phone));
  expect(status).toBe(201);
  return String(body['id']);
};
const eventsAbout = (id: string) => receiver.received.filter(({ body }) => body.includes(id));
const messages = (): string => readFileSync(cluster.messagesFile(), 'utf8');

/** Numbers whose rows are on a node that lives. */
const livingPhones = async (count: number): Promise<string[]> => {
  const { port } = await cluster.nodeOf(lost);
  const rows = await cluster.coordinator().query<{ phone: string }>(
    `select '0' || n as phone from generate_series(1011100000, 1011100099) n
     join pg_dist_shard_placement p on p.shardid = get_shard_id_for_distribution_column('guest_phone', '20' || n)
     where p.nodeport <> $1 order by n limit $2`,
    [port, count],
  );
  return rows.map(({ phone }) => phone);
};

/** A device token of a phone, whose row is on the node that dies. */
const proofOnIt = async (typed: string): Promise<string> => {
  const { port } = await cluster.placeOf(lost);
  for (let n = 0; ; n += 1) {
    const token = `dev_${String(n).padStart(43, '0')}`;
    const hash = createHash('sha256').update(token).digest();
    const isOnIt = await cluster.coordinator().query(
      `select from pg_dist_shard_placement
       where shardid = get_shard_id_for_distribution_column('device_token', $1::bytea) and nodeport = $2`,
      [hash, port],
    );
    if (isOnIt.length === 0) continue;
    await cluster.coordinator().query(
      `insert into device_token (token_hash, phone, issued_at, expires_at)
       values ($1, $2, now(), now() + interval '1 day')`,
      [hash, `2${typed}`],
    );
    return token;
  }
};

/** Of an item that nobody orders. */
const snooze = (slug: string, seconds: number) =>
  cluster.coordinator().query(
    `insert into availability (org_id, subject_id, branch_id, sold_out_until)
     values ($1, $2, $3, now() + $4 * interval '1 second')`,
    [shopId(slug), thingId('item', 'tea', slug), branchId('zamalek', slug), seconds],
  );
const snoozes = async (slug: string): Promise<number> =>
  (
    await cluster
      .coordinator()
      .query('select from availability where org_id = $1 and sold_out_until is not null', [shopId(slug)])
  ).length;

let phones: string[] = [];
/** Of the member. */
let proof = '';
const waiting = { id: '' };

beforeAll(async () => {
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  const { port } = listener.address() as AddressInfo;
  lost = SLUGS[0] ?? '';
  const { port: dead } = await cluster.placeOf(lost);
  for (const slug of SLUGS) if ((await cluster.placeOf(slug)).port !== dead) kept = slug;
  phones = await livingPhones(8);
  proof = await proofOnIt(phones[0] ?? '');
  for (const slug of [lost, kept]) {
    await cluster.ahwa(['webhook', 'add', slug, `http://127.0.0.1:${port}/${slug}`]);
    for (const person of slug === kept ? PEOPLE : PEOPLE.slice(0, 1))
      await cluster.ahwa(['staff', 'password', slug, emailOf(person, slug)], PASSWORD);
    const joined = await ask(server(0), '/public/loyalty/join', {
      ...{ org_id: shopId(slug), name: 'منى السيد', phone: phones[0] },
    });
    cards.set(slug, String(joined.body['member_token']));
    // Both servers know the branch.
    for (const one of cluster.servers())
      await one.get(`/public/branches/${branchId('zamalek', slug)}/menu?channel=pickup`);
  }
  receiver.accepts.add(kept);
  const { body } = await signIn(kept, 'p1');
  board = await openBoard(server(1).port, `/staff/events?branch_id=${branchId('zamalek', kept)}`, {
    ...bearer(String(body['token'])),
  });
  waiting.id = await orderAt(lost, phones[1] ?? '');
  await snooze(kept, 15);
}, 300_000);
afterAll(() => {
  board.close();
  listener.close();
});

describe('while a node is dead, at shops elsewhere', () => {
  beforeAll(async () => {
    (await cluster.nodeOf(lost)).kill();
  });

  test('messages and events of orders are sent', async () => {
    const id = await orderAt(kept, phones[2] ?? '');
    await eventually(() => (eventsAbout(id).length > 0 ? true : null), 'the event of an order', 60_000);
    await eventually(() => (messages().includes(id) ? true : null), 'the message of an order', 60_000);
  }, 120_000);

  test('a board hears of an order that another server takes', async () => {
    const id = await orderAt(kept, phones[3] ?? '');
    const heard = async (): Promise<true | null> => {
      const { data } = await board.next();
      return data.order?.id === id ? true : null;
    };
    await eventually(heard, 'the order', 60_000);
  }, 120_000);

  test('staff sign in by e-mail and password, and nobody is told that a right one is wrong', async () => {
    for (const person of PEOPLE) expect((await signIn(kept, person)).status).toBe(200);
    expect((await signIn(lost, 'p1')).status).toBe(503);
    expect((await signIn(lost, 'p1', 'a wrong password')).status).toBe(503);
  }, 120_000);

  test('a card is found by its token, and one of a dead node’s shop may be there later', async () => {
    expect((await cardOf(kept)).status).toBe(200);
    expect((await cardOf(lost)).status).toBe(503);
  }, 60_000);

  test('a guest whose proof is on it needs none, or is told to come back', async () => {
    const [headers, member_token] = [{ 'x-device-token': proof }, cards.get(kept)];
    const known = await ask(server(0), `/public/order-now/${member_token}`, undefined, headers);
    expect(known).toMatchObject({ status: 200, body: { verify_required: true } });
    expect(known.body).not.toHaveProperty('full');
    const cart = {
      ...{ channel: 'pickup', member_token },
      items: [{ menu_item_id: thingId('item', 'turkish', kept), quantity: 1 }],
    };
    const quote = `/public/branches/${branchId('zamalek', kept)}/cart-quote`;
    expect((await ask(server(0), quote, cart, headers)).status).toBe(200);
    const rewards = [{ reward_id: thingId('reward', 'coffee', kept), line_index: 0, units: 1 }];
    expect((await ask(server(0), quote, { ...cart, rewards }, headers)).status).toBe(503);
    const join = (phone: string | undefined) =>
      ask(server(0), '/public/loyalty/join', {
        ...{ org_id: shopId(kept), name: 'منى السيد', phone, device_token: proof },
      });
    expect(await join(phones[6])).toMatchObject({ body: { already_member: false } });
    expect((await join(phones[0])).status).toBe(503);
    const order = { ...anOrderAt(kept, phones[7] ?? ''), device_token: proof };
    expect((await ask(server(0), '/public/delivery-orders', order)).status).toBe(201);
  }, 60_000);

  test('a snooze that ends is taken back', async () => {
    await eventually(async () => ((await snoozes(kept)) === 0 ? true : null), 'the sweep', 90_000);
  }, 120_000);

  test('a server that starts serves them', async () => {
    const started = await cluster.serve();
    const menu = await started.get(`/public/branches/${branchId('zamalek', kept)}/menu?channel=pickup`);
    expect(menu.status).toBe(200);
    await orderAt(kept, phones[4] ?? '', started);
  }, 120_000);
});

test('once the node is back, what waited at its shops is sent once, and each server says so', async () => {
  receiver.accepts.add(lost);
  await (await cluster.nodeOf(lost)).start();
  await eventually(
    () => (eventsAbout(waiting.id).length > 0 ? true : null),
    'the event that waited',
    120_000,
  );
  await eventually(async () => ((await cardOf(lost)).status === 200 ? true : null), 'the card', 60_000);
  expect((await signIn(lost, 'p1')).status).toBe(200);
  const outbox = await cluster.coordinator().query("select from outbox where status = 'waiting'");
  expect(outbox).toEqual([]);
  expect(eventsAbout(waiting.id)).toHaveLength(1);
  const said = cluster
    .logged()
    .map(({ msg }) => msg)
    .filter((msg) => msg === SILENT || msg === BACK);
  expect(said).toEqual(
    cluster
      .servers()
      .flatMap(() => [SILENT, BACK])
      .concat([SILENT, BACK]),
  );
}, 300_000);
