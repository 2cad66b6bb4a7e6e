/** Legitimate guests and staff during the siege, each from their own address. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ReplyOf } from '../../../src/platform/contract/endpoint.ts';
import type { EndpointOf } from '../../../src/service/contract/endpoints.ts';
import type { Siege } from './attack.ts';
import { clientFrom, posted, type Answer, type Asked, type Client } from './client.ts';
import { bearer, cartOf, MANAGER, orderOf, quotePath, signIn, STAFF_ADDRESS } from './demo-fixture.ts';
import { Tally, type TallyCounts } from './tally.ts';

type Order = ReplyOf<EndpointOf<'placeOrder'>>;
type Quote = ReplyOf<EndpointOf<'quoteCart'>>;

/** Milliseconds of each answer; infinite for a refused or lost request. */
export type Times = readonly number[];

export interface ClientResults {
  /** Orders started. */
  readonly begun: number;
  /** From the first try to the acknowledgement, retries included. */
  readonly taken: Times;
  /** Failed orders and staff steps, as sentences. */
  readonly failures: readonly string[];
  /** Orders that the staff finished. */
  readonly delivered: number;
  readonly quotes: Times;
  readonly menus: Times;
  /** All answers to guests and staff. */
  readonly seen: TallyCounts;
}

export interface LegitimateClients {
  suffered(): ClientResults;
  /** Resolves after the siege, once every started order is finished or abandoned. */
  readonly over: Promise<void>;
}

/** How long a request is retried, ms. */
const PATIENCE_MS = 60_000;
const AGAIN_AFTER_MS = 500;
const isWorthAnotherTry = (status: number): boolean => status === 0 || status === 429 || status === 503;

const addressIn = (part: number, n: number): string =>
  `127.${part}.${Math.floor(n / 250) % 250}.${(n % 250) + 1}`;

/** A request that failed despite retries. */
class Unserved extends Error {}

/** The body of a 200 or 201. Throws Unserved. */
const served = (what: string, { status, text }: Answer): unknown => {
  if (status !== 200 && status !== 201)
    throw new Unserved(`${what} is answered ${status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
};

class Clients {
  readonly siege: Siege;
  readonly tally = new Tally();
  readonly failures: string[] = [];
  readonly taken: number[] = [];
  readonly quotes: number[] = [];
  readonly menus: number[] = [];
  begun = 0;
  delivered = 0;
  readonly #waiting: Order[] = [];

  constructor(siege: Siege) {
    this.siege = siege;
  }

  async #ask(client: Client, ...asked: Parameters<Client['ask']>): Promise<Answer> {
    const answer = await client.ask(...asked);
    this.tally.count(answer.status);
    return answer;
  }

  /** Retries until the status is not worth another try. */
  async #askWithRetries(client: Client, path: string, asked?: Asked): Promise<Answer> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const answer = await this.#ask(client, path, asked);
      if (!isWorthAnotherTry(answer.status) || performance.now() > deadline) return answer;
      await pause(AGAIN_AFTER_MS);
    }
  }

  /** Runs `work` and records its `Unserved` failure. */
  async #recordingFailure(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      if (!(thrown instanceof Unserved)) throw thrown;
      this.failures.push(thrown.message);
    }
  }

  /** Guest `n` requests a quote, places the order and reads its state. */
  async order(n: number): Promise<void> {
    const { port, demo } = this.siege;
    const client = clientFrom(port, addressIn(1, n));
    this.begun += 1;
    await this.#recordingFailure(async () => {
      const quote = await this.#askWithRetries(client, quotePath(demo), posted(cartOf(demo, n, 2)));
      // The tests of the operations have checked the shapes.
      const { total } = served(`the quote of order ${n}`, quote) as Quote;
      const order = { ...orderOf(demo, n, `010${String(n).padStart(8, '0')}`), quoted_total: total };
      const asked = posted(order, { 'idempotency-key': `siege-${n}` });
      const began = performance.now();
      const answer = await this.#askWithRetries(client, '/public/delivery-orders', asked);
      const placed = served(`order ${n}`, answer) as Order;
      this.taken.push(performance.now() - began);
      this.#waiting.push(placed);
      const tracking = `/public/delivery-orders/${placed.id}/track`;
      served(`tracking of order ${n}`, await this.#askWithRetries(client, tracking));
    });
    client.close();
  }

  /** Quotes and menus are not retried: a refusal counts as infinite time. */
  async look(into: number[], client: Client, path: string, asked?: Asked): Promise<void> {
    const { status, ms } = await this.#ask(client, path, asked);
    into.push(status === 200 ? ms : Infinity);
  }

  /** Moves every order through all its steps, until `isOver` and none is left. */
  async serve(isOver: () => boolean): Promise<void> {
    const client = clientFrom(this.siege.port, STAFF_ADDRESS);
    let token = '';
    const signedIn = async (): Promise<void> => {
      const answer = await this.#askWithRetries(client, '/staff/sign-in', signIn(MANAGER));
      ({ token } = served('the sign-in', answer) as { token: string });
    };
    const change = async ({ id }: Order, verb: string, body: object): Promise<Answer> => {
      const asked = () =>
        this.#askWithRetries(client, `/staff/orders/${id}/${verb}`, posted(body, bearer(token)));
      const answer = await asked();
      if (answer.status !== 401) return answer;
      await signedIn();
      return asked();
    };
    const steps = [
      ['move', { to: 'confirmed', from: 'received' }],
      ['move', { to: 'preparing', from: 'confirmed' }],
      ['move', { to: 'ready', from: 'preparing' }],
      ['finalize', { payment_method: 'cash', from: 'ready' }],
    ] as const;
    const deliver = (order: Order): Promise<void> =>
      this.#recordingFailure(async () => {
        for (const [verb, body] of steps)
          served(`${verb} of ${order.delivery_ref ?? order.id}`, await change(order, verb, body));
        this.delivered += 1;
      });
    try {
      await this.#recordingFailure(signedIn);
      while (!isOver() || this.#waiting.length > 0) {
        const next = this.#waiting.shift();
        await (next === undefined ? pause(20) : deliver(next));
      }
    } finally {
      client.close();
    }
  }
}

/** Starts `work` at a constant rate until the siege ends; resolves when all of it has settled. */
const atPace = async (
  everyMs: number,
  signal: AbortSignal,
  work: (n: number) => Promise<void>,
): Promise<void> => {
  const under = new Set<Promise<void>>();
  const began = performance.now();
  for (let n = 0; !signal.aborted; n += 1) {
    const doing: Promise<void> = work(n).finally(() => under.delete(doing));
    under.add(doing);
    const due = began + (n + 1) * everyMs;
    await pause(Math.max(0, due - performance.now()), undefined, { signal }).catch(() => undefined);
  }
  await Promise.all(under);
};

const HOMES = 5;

export const startLegitimateClients = (siege: Siege): LegitimateClients => {
  const { port, demo, size, signal } = siege;
  const clients = new Clients(siege);
  const homes = (part: number): readonly Client[] =>
    Array.from({ length: HOMES }, (_, n) => clientFrom(port, addressIn(part, n)));
  const [quoting, reading] = [homes(3), homes(4)];
  const lookAtPace = (
    perSecond: number,
    clients: readonly Client[],
    look: (client: Client, n: number) => Promise<void>,
  ) =>
    atPace(1_000 / perSecond, signal, async (n) => {
      const client = clients[n % clients.length];
      if (client !== undefined) await look(client, n);
    });
  const live = async (): Promise<void> => {
    let areGuestsOver = false;
    const serving = clients.serve(() => areGuestsOver);
    await Promise.all([
      atPace(60_000 / size.ordersPerMinute, signal, (n) => clients.order(n)),
      lookAtPace(size.quotesPerSecond, quoting, (client, n) =>
        clients.look(clients.quotes, client, quotePath(demo), posted(cartOf(demo, n, 2))),
      ),
      lookAtPace(size.menusPerSecond, reading, (client) =>
        clients.look(clients.menus, client, `/public/branches/${demo.branchId}/menu`),
      ),
    ]);
    areGuestsOver = true;
    await serving;
    for (const client of [...quoting, ...reading]) client.close();
  };
  return {
    suffered: () => ({
      ...{
        begun: clients.begun,
        taken: clients.taken,
        delivered: clients.delivered,
        failures: clients.failures,
      },
      ...{ quotes: clients.quotes, menus: clients.menus, seen: clients.tally.all() },
    }),
    over: live(),
  };
};
