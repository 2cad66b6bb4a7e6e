/**
 * A café with two stations and counted stock of every fourth item, eight tellers with a till each, their open tickets,
 * and what they do: fire rounds, settle, sell over the counter.
 */
import type { BodyOf } from '../../src/platform/contract/endpoint.ts';
import type { EndpointOf } from '../../src/service/contract/endpoints.ts';
import type { App } from '../../src/platform/app/app.ts';
import { Repeated } from '../../src/platform/app/answer.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { actorOf, type Actor } from '../../src/staff/app/access.ts';
import { signIn } from '../../src/staff/app/sign-in.ts';
import { setPassword } from '../../src/staff/app/staff.ts';
import { cafeBy, linesBy, USUAL } from './cafe.ts';
import { cafeShop, inputsOf } from './cafe-shop.ts';
import { concurrently } from './concurrently.ts';
import { post } from './connection.ts';
import { addShops } from './data.ts';
import { handlersIn, type Handlers } from './handlers.ts';
import { branchId } from './shop.ts';
import { CALLER, CLIENTS, TURNS, type WriteJob } from './write-job.ts';

const SLUG = 'bench-floor';
const BRANCH = branchId(SLUG, 0);
const CAFE = cafeBy(1, USUAL, { items: 24, deals: 6 });
const COUNTED = 4;
const PLENTY = 1_000_000;
const PASSWORD = 'a password of the bench';
const GOAL = 0.5;
/** Rounds that are fired on one ticket, beside its first. */
const ROUNDS = 3;
/** Different carts of a teller. */
const CARTS = 25;

type Items = BodyOf<EndpointOf<'sellOverCounter'>>['items'];

// ── The shop ────────────────────────────────────────────────────────────────────────────────────

const emailOf = (client: number): string => `teller-${client}@bench.example`;

const cafe = (): ShopFile => {
  const shop = cafeShop(SLUG, CAFE);
  const keys = [...new Set(CAFE.items.map(({ category }) => category))];
  const stations = [keys.slice(0, 3), keys.slice(3)];
  return {
    ...shop,
    branches: shop.branches.map((branch) => ({
      ...branch,
      stations: stations.map((categories, index) => ({
        ...{ key: `station-${index}`, name: { ar: `محطة ${index}`, en: `Station ${index}` }, categories },
      })),
    })),
    menu: {
      ...shop.menu,
      items: (shop.menu.items ?? []).map((item, index) =>
        index % COUNTED === 0 ? { ...item, availability: [{ branch: 'branch-0', stock: PLENTY }] } : item,
      ),
    },
    staff: Array.from({ length: CLIENTS }, (_, client) => ({
      ...{
        key: `teller-${client}`,
        name: `Teller ${client}`,
        role: 'owner' as const,
        email: emailOf(client),
      },
    })),
  };
};

const itemsOf = (client: number, turn: number): Items =>
  inputsOf(SLUG, linesBy(client * 10_000 + (turn % CARTS), CAFE, [1, 2, 1]));

// ── Tellers and their tickets ───────────────────────────────────────────────────────────────────

interface OpenTicket {
  readonly id: string;
  readonly revision: number;
  readonly total: number;
}

interface Teller {
  readonly token: string;
  /** What each cart comes to. */
  readonly totals: readonly number[];
  /** One for each turn. */
  readonly toSettle: readonly OpenTicket[];
  /** Each gets `ROUNDS` rounds. */
  readonly toFireOn: readonly OpenTicket[];
}

const tellers: Teller[] = [];

const tellerOf = (client: number): Teller => {
  const teller = tellers[client];
  if (teller === undefined) throw new RangeError('There is no such teller.');
  return teller;
};

const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index];
  if (found === undefined) throw new RangeError('The bench prepared too little.');
  return found;
};

const madeOf = <T>(answer: T | Repeated<T>): T => (answer instanceof Repeated ? answer.reply : answer);

const tellerIn = async (app: App, token: string): Promise<Actor> => {
  const actor = await actorOf(app)(token);
  if (actor === null) throw new Error('The teller is signed out.');
  return actor;
};

const addTicket = async (
  { openTicket }: Handlers,
  actor: Actor,
  items: Items,
  guests: number,
): Promise<OpenTicket> => {
  const body = { branch_id: BRANCH, items, guest_count: guests };
  const { id, revision, bill } = madeOf(await openTicket({ body, headers: {}, actor, caller: CALLER }));
  return { id, revision, total: bill?.total ?? 0 };
};

const addTeller = async (app: App, handlers: Handlers, client: number): Promise<Teller> => {
  const { token } = await signIn(app)({
    ...{ email: emailOf(client), password: PASSWORD, client: 'bench', knownDevice: undefined },
  });
  const actor = await tellerIn(app, token);
  await handlers.openTill({ body: { branch_id: BRANCH, opening_float: 0 }, headers: {}, actor });
  const totals: number[] = [];
  for (let cart = 0; cart < CARTS; cart += 1) {
    const body = { branch_id: BRANCH, items: itemsOf(client, cart) };
    totals.push((await handlers.quoteCounterSale({ body, actor, caller: CALLER })).total);
  }
  return { token, totals, toSettle: [], toFireOn: [] };
};

/** Imports the café, opens a till for each teller, and a ticket for each one that is settled or fired on. */
export const addFloor = async (app: App): Promise<void> => {
  await addShops(app, cafe());
  const handlers = handlersIn(app);
  for (let client = 0; client < CLIENTS; client += 1) {
    await setPassword(app, SLUG, emailOf(client), PASSWORD);
    tellers.push(await addTeller(app, handlers, client));
  }
  const actors = await Promise.all(tellers.map(({ token }) => tellerIn(app, token)));
  const open = async (count: number): Promise<readonly OpenTicket[][]> => {
    const opened: OpenTicket[][] = tellers.map(() => []);
    await concurrently(CLIENTS, count, async (client, turn) => {
      const ticket = await addTicket(handlers, at(actors, client), itemsOf(client, turn), 2);
      opened[client]?.push(ticket);
    });
    return opened;
  };
  const [toSettle, toFireOn] = [await open(TURNS), await open(Math.ceil(TURNS / ROUNDS))];
  for (const [client, teller] of tellers.entries())
    tellers[client] = { ...teller, toSettle: at(toSettle, client), toFireOn: at(toFireOn, client) };
};

// ── The jobs ────────────────────────────────────────────────────────────────────────────────────

interface StaffRequest<Body> {
  /** Of the ticket in the address; null: there is none. */
  readonly id: string | null;
  readonly key: string;
  readonly body: Body;
}

type Run<Body> = (
  handlers: Handlers,
  request: {
    path: { id: string };
    body: Body;
    headers: { 'idempotency-key': string };
    actor: Actor;
    caller: typeof CALLER;
  },
) => Promise<unknown>;

type Words = Pick<WriteJob, 'title' | 'one' | 'many' | 'path' | 'table' | 'status' | 'goal'>;

const jobOf = <Body extends object>(
  words: Words,
  requestOf: (client: number, turn: number) => StaffRequest<Body>,
  run: Run<Body>,
): WriteJob => ({
  ...words,
  spread: 'one branch',
  requestOf,
  textOf: (client, turn) => {
    const { id, body, key } = requestOf(client, turn);
    return post(words.path.replace('{id}', id ?? ''), JSON.stringify(body), {
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
      Authorization: `Bearer ${tellerOf(client).token}`,
    });
  },
  run: async (handlers, client, turn, app) => {
    const { id, body, key } = requestOf(client, turn);
    const actor = await tellerIn(app, tellerOf(client).token);
    const headers = { 'idempotency-key': key };
    return run(handlers, { path: { id: id ?? '' }, body, headers, actor, caller: CALLER });
  },
});

const sale = (client: number, turn: number) => ({
  id: null,
  key: `sale ${client} ${turn}`,
  body: {
    branch_id: BRANCH,
    items: itemsOf(client, turn),
    payments: [{ method: 'cash', amount: at(tellerOf(client).totals, turn % CARTS) }],
  },
});

const round = (client: number, turn: number) => ({
  id: at(tellerOf(client).toFireOn, Math.floor(turn / ROUNDS)).id,
  key: `round ${client} ${turn}`,
  body: { items: itemsOf(client, turn) },
});

const settling = (client: number, turn: number) => {
  const { id, revision, total } = at(tellerOf(client).toSettle, turn);
  const body = { revision, payments: [{ method: 'cash', amount: total }] };
  return { id, key: `settling ${client} ${turn}`, body };
};

/** `commits`: with that of a read of several statements. */
const goal = (trips: number, commits: number) => ({ ratio: GOAL, trips, commits });

export const floorJobs: readonly WriteJob[] = [
  jobOf(
    {
      ...{ title: 'Selling over the counter', one: 'sale', many: 'sales', table: 'sale' },
      ...{ path: '/staff/sales', goal: goal(20, 1) },
    },
    sale,
    ({ sellOverCounter }, request) => sellOverCounter(request),
  ),
  jobOf(
    {
      ...{ title: 'Firing rounds', one: 'round', many: 'rounds', table: 'ticket_round' },
      ...{ path: '/staff/tickets/{id}/rounds', goal: goal(26, 2) },
    },
    round,
    ({ fireTicketRound }, request) => fireTicketRound(request),
  ),
  jobOf(
    {
      ...{ title: 'Settling tickets', one: 'ticket', many: 'tickets', table: 'sale' },
      ...{ path: '/staff/tickets/{id}/settle', status: 200, goal: goal(26, 2) },
    },
    settling,
    ({ settleTicket }, request) => settleTicket(request),
  ),
];
