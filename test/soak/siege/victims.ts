/** Guests and staff who go about their business during the siege, each from an address of their own. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ReplyOf } from '../../../src/platform/contract/endpoint.ts';
import type { EndpointOf } from '../../../src/service/contract/index.ts';
import type { Siege } from './attack.ts';
import { clientFrom, posted, type Answer, type Asked, type Client } from './client.ts';
import { bearer, cartOf, MANAGER, orderOf, quotePath, signIn, STAFF_ADDRESS } from './ground.ts';
import { Tally, type Tallied } from './tally.ts';

type Order = ReplyOf<EndpointOf<'placeOrder'>>;
type Quote = ReplyOf<EndpointOf<'quoteCart'>>;

/** Milliseconds of each answer; infinite for what was refused or not answered. */
export type Times = readonly number[];

export interface Suffered {
  /** Orders that guests began to place. */
  readonly begun: number;
  /** From the first try to the answer that took the order, retries included. */
  readonly taken: Times;
  /** Orders that were not taken, and steps of the staff that were not done: sentences. */
  readonly failures: readonly string[];
  /** Orders that the staff took to their end. */
  readonly delivered: number;
  readonly quotes: Times;
  readonly menus: Times;
  /** Every answer that a guest or the staff had. */
  readonly seen: Tallied;
}

export interface Victims {
  suffered(): Suffered;
  /** No more guests come; resolves when those who are there have been served or have given up. */
  readonly over: Promise<void>;
}

/** A guest, and the staff, try again for so long, ms. */
const PATIENCE_MS = 60_000;
const AGAIN_AFTER_MS = 500;
const isWorthAnotherTry = (status: number): boolean => status === 0 || status === 429 || status === 503;

/** The address number `n` of a part of the town. */
const addressIn = (part: number, n: number): string =>
  `127.${part}.${Math.floor(n / 250) % 250}.${(n % 250) + 1}`;

/** Someone went away without what they came for. */
class Unserved extends Error {}

/** The body of a 200 or 201. Throws Unserved. */
const served = (what: string, { status, text }: Answer): unknown => {
  if (status !== 200 && status !== 201)
    throw new Unserved(`${what} is answered ${status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
};

class Town {
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

  /** Asks until there is an answer that another try would not change. */
  async #insist(client: Client, path: string, asked?: Asked): Promise<Answer> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const answer = await this.#ask(client, path, asked);
      if (!isWorthAnotherTry(answer.status) || performance.now() > deadline) return answer;
      await pause(AGAIN_AFTER_MS);
    }
  }

  /** Does what someone came for, or notes why it was not done. */
  async #noting(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      if (!(thrown instanceof Unserved)) throw thrown;
      this.failures.push(thrown.message);
    }
  }

  /** The guest number `n` looks what a cart costs, orders it, and looks where it is. */
  async order(n: number): Promise<void> {
    const { port, ground } = this.siege;
    const client = clientFrom(port, addressIn(1, n));
    this.begun += 1;
    await this.#noting(async () => {
      const quote = await this.#insist(client, quotePath(ground), posted(cartOf(ground, n, 2)));
      // The tests of the operations have checked the shapes.
      const { total } = served(`the quote of order ${n}`, quote) as Quote;
      const order = { ...orderOf(ground, n, `010${String(n).padStart(8, '0')}`), quoted_total: total };
      const asked = posted(order, { 'idempotency-key': `siege-${n}` });
      const began = performance.now();
      const answer = await this.#insist(client, '/public/delivery-orders', asked);
      const placed = served(`order ${n}`, answer) as Order;
      this.taken.push(performance.now() - began);
      this.#waiting.push(placed);
      const tracking = `/public/delivery-orders/${placed.id}/track`;
      served(`tracking of order ${n}`, await this.#insist(client, tracking));
    });
    client.close();
  }

  /** Quotes and menus are asked for once: a guest who is refused has not had the answer in time. */
  async look(into: number[], client: Client, path: string, asked?: Asked): Promise<void> {
    const { status, ms } = await this.#ask(client, path, asked);
    into.push(status === 200 ? ms : Infinity);
  }

  /** Moves every order to its end, one after the other, until `isOver` and none is left. */
  async serve(isOver: () => boolean): Promise<void> {
    const client = clientFrom(this.siege.port, STAFF_ADDRESS);
    let token = '';
    const signedIn = async (): Promise<void> => {
      const answer = await this.#insist(client, '/staff/sign-in', signIn(MANAGER));
      ({ token } = served('the sign-in', answer) as { token: string });
    };
    const change = async ({ id }: Order, verb: string, body: object): Promise<Answer> => {
      const asked = () => this.#insist(client, `/staff/orders/${id}/${verb}`, posted(body, bearer(token)));
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
      this.#noting(async () => {
        for (const [verb, body] of steps)
          served(`${verb} of ${order.delivery_ref ?? order.id}`, await change(order, verb, body));
        this.delivered += 1;
      });
    try {
      await this.#noting(signedIn);
      while (!isOver() || this.#waiting.length > 0) {
        const next = this.#waiting.shift();
        await (next === undefined ? pause(20) : deliver(next));
      }
    } finally {
      client.close();
    }
  }
}

/** Does `work` every so many ms until the siege ends, whatever became of the times before; resolves when all is done. */
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

export const liveUnder = (siege: Siege): Victims => {
  const { port, ground, size, signal } = siege;
  const town = new Town(siege);
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
    const serving = town.serve(() => areGuestsOver);
    await Promise.all([
      atPace(60_000 / size.ordersPerMinute, signal, (n) => town.order(n)),
      lookAtPace(size.quotesPerSecond, quoting, (client, n) =>
        town.look(town.quotes, client, quotePath(ground), posted(cartOf(ground, n, 2))),
      ),
      lookAtPace(size.menusPerSecond, reading, (client) =>
        town.look(town.menus, client, `/public/branches/${ground.branchId}/menu`),
      ),
    ]);
    areGuestsOver = true;
    await serving;
    for (const client of [...quoting, ...reading]) client.close();
  };
  return {
    suffered: () => ({
      ...{ begun: town.begun, taken: town.taken, delivered: town.delivered, failures: town.failures },
      ...{ quotes: town.quotes, menus: town.menus, seen: town.tally.all() },
    }),
    over: live(),
  };
};
