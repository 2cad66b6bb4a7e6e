/** What guests, staff and tills ask, and what must come of it. */
import { setTimeout as pause } from 'node:timers/promises';
import { linesBy } from '../cafe.ts';
import { inputsOf } from '../cafe-shop.ts';
import { get, openConnection, post, type Connection, type Reply } from '../connection.ts';
import type { Visit } from './day.ts';
import { addressBy } from './addresses.ts';
import { CAFE, guestBy, type Place } from './shops.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
/** Between two steps of the staff. */
const STEP_MS = 50;
/** The last orders, which guests follow. */
const FOLLOWED = 200;

/** What was acknowledged. */
export interface Acknowledged {
  /** Moments of the answers by order, as `performance.now()`. */
  readonly orders: Map<string, number>;
  sales: number;
}

export interface Visitors {
  /** Makes one visit, due at a moment of `performance.now()`, at any branch unless one is given; a wrong answer is noted, never thrown. */
  visit(kind: Visit, due: number, place?: Place): Promise<void>;
  /** Milliseconds from when each request was due. */
  readonly times: ReadonlyMap<Visit, readonly number[]>;
  /** Each wrong answer, as a line. */
  readonly wrong: readonly string[];
  readonly acknowledged: Acknowledged;
  /** Forgets what was acknowledged. */
  begin(): void;
  forgetTimes(): void;
  close(): void;
}

/** Of shops and files, of which there are some. */
const pick = <T>(all: readonly T[]): T => {
  const one = all[Math.floor(Math.random() * all.length)];
  if (one === undefined) throw new RangeError('There is nothing to pick from.');
  return one;
};

/** Connections that are kept open, each for one request at a time and from an address of its own. */
const openPool = (port: number) => {
  const all: Connection[] = [];
  const idle: Connection[] = [];
  const ask = async (text: string): Promise<Reply> => {
    let connection = idle.pop();
    if (connection === undefined) all.push((connection = openConnection(port, addressBy(all.length))));
    const reply = await connection.ask(text);
    idle.push(connection);
    return reply;
  };
  return { ask, close: () => all.forEach((connection) => connection.close()) };
};

/** The addresses of the files that a page loads. */
const filesOf = async (ask: (text: string) => Promise<Reply>, path: string): Promise<readonly string[]> =>
  [...(await ask(get(path))).body.toString().matchAll(/"(\/assets\/[\w.-]+)"/g)].map(
    ([, file]) => file ?? '',
  );

const itemsOf = (slug: string, seed: number) => inputsOf(slug, linesBy(seed, CAFE, [1, 2, 1]));

export const openVisitors = async (port: number, places: readonly Place[]): Promise<Visitors> => {
  const { ask, close } = openPool(port);
  const times = new Map<Visit, number[]>();
  const wrong: string[] = [];
  const acknowledged: Acknowledged = { orders: new Map(), sales: 0 };
  const followed: string[] = [];
  let visits = 0;

  const right = async (text: string, due: number, kind: Visit, status = 200): Promise<string | null> => {
    const { status: found, body } = await ask(text);
    const list = times.get(kind);
    if (list === undefined) times.set(kind, [performance.now() - due]);
    else list.push(performance.now() - due);
    if (found === status) return body.toString();
    wrong.push(`${kind}: ${found} ${body.toString().slice(0, 200)}`);
    return null;
  };
  const idIn = (answer: string): string => (JSON.parse(answer) as { id: string }).id;
  const posted = (path: string, body: object, headers: Readonly<Record<string, string>> = {}): string =>
    post(path, JSON.stringify(body), { ...JSON_TYPE, ...headers });
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

  const follow = async (kind: Visit, id: string, { staffToken }: Place): Promise<void> => {
    const steps = [
      ...['confirmed', 'preparing', 'ready'].map((to, n) => ['move', { to, revision: n + 1 }] as const),
      ['finalize', { payment_method: 'cash', revision: 4 }] as const,
    ];
    for (const [step, body] of steps) {
      await pause(STEP_MS);
      const text = posted(`/staff/orders/${id}/${step}`, body, bearer(staffToken));
      if ((await right(text, performance.now(), kind)) === null) return;
    }
  };
  const order = async (kind: Visit, place: Place, due: number, number: number): Promise<void> => {
    const { phone, token } = guestBy(number);
    const body = {
      ...{ branch_id: place.branchId, channel: 'pickup', customer_name: 'منى السيد', customer_phone: phone },
      ...{ payment_method_hint: 'cash', device_token: token, items: itemsOf(place.slug, number) },
    };
    const key = { 'Idempotency-Key': `order ${number}` };
    const answer = await right(posted('/public/delivery-orders', body, key), due, kind, 201);
    if (answer === null) return;
    const id = idIn(answer);
    acknowledged.orders.set(id, performance.now());
    followed.push(id);
    if (followed.length > FOLLOWED) followed.shift();
    await follow(kind, id, place);
  };
  const sell = async (kind: Visit, place: Place, due: number, number: number): Promise<void> => {
    const body = { branch_id: place.branchId, items: itemsOf(place.slug, number) };
    const staff = bearer(place.staffToken);
    const quote = await right(posted('/staff/cart-quote', body, staff), due, kind);
    if (quote === null) return;
    const { total } = JSON.parse(quote) as { total: number };
    const payments = [{ method: 'cash', amount: total }];
    const sale = posted(
      '/staff/sales',
      { ...body, payments },
      { ...staff, 'Idempotency-Key': `sale ${number}` },
    );
    if ((await right(sale, performance.now(), kind, 201)) !== null) acknowledged.sales += 1;
  };

  const first = places[0];
  if (first === undefined) throw new RangeError('There are no shops.');
  const files = await filesOf(ask, `/${first.slug}/order?branch=${first.branchId}&channel=pickup`);
  const positions = new Map<string, number>();
  const pull = async (kind: Visit, { branchId, tillToken }: Place, due: number): Promise<void> => {
    const since = positions.get(branchId);
    const body = {
      branch_id: branchId,
      limit: 2_000,
      ...(since === undefined ? { types: ['discount'] } : { since }),
    };
    const answer = await right(posted('/sync/pull', body, bearer(tillToken)), due, kind);
    if (answer !== null) positions.set(branchId, (JSON.parse(answer) as { next: number }).next);
  };

  const follows = new Set<Visit>(['tracking page', 'question for the status of an order']);
  const readOf: Partial<Record<Visit, (place: Place) => string>> = {
    'links page': ({ slug }) => `/${slug}`,
    'menu page': ({ slug, branchId }) => `/${slug}/menu?branch=${branchId}`,
    'order page': ({ slug, branchId }) => `/${slug}/order?branch=${branchId}&channel=pickup`,
    'tracking page': () => `/track/${pick(followed)}`,
    'file of a page': () => pick(files),
    menu: ({ branchId }) => `/public/branches/${branchId}/menu?channel=pickup`,
    'question for the status of an order': () => `/public/delivery-orders/${pick(followed)}/track`,
  };
  const visit = async (kind: Visit, due: number, place = pick(places)): Promise<void> => {
    // Before the first order nobody follows one.
    if (follows.has(kind) && followed.length === 0) return;
    const number = (visits += 1);
    const path = readOf[kind]?.(place);
    if (path !== undefined) {
      await right(get(path), due, kind);
      return;
    }
    if (kind === 'cart quote') {
      const body = { channel: 'pickup', items: itemsOf(place.slug, number), hints: true };
      await right(posted(`/public/branches/${place.branchId}/cart-quote`, body), due, kind);
    } else if (kind === 'online order and its four steps') await order(kind, place, due, number);
    else if (kind === 'counter sale and its quote') await sell(kind, place, due, number);
    else await pull(kind, place, due);
  };
  const begin = (): void => {
    acknowledged.orders.clear();
    acknowledged.sales = 0;
  };
  return { visit, times, wrong, acknowledged, begin, forgetTimes: () => times.clear(), close };
};
