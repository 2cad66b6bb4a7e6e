/** SIGHUP replaces the workers of a server, and neither a guest nor a message notices. */
import { Agent } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aGuest, anOrder, type Order } from '../support/people/guests.ts';
import {
  connectTo,
  eventually,
  postgresOf,
  useProgram,
  type Server,
  type Settings,
} from '../support/programs/program.ts';
import { ends, gone, isAlive, reloaded, serveWorkers, workersOf } from '../support/programs/workers.ts';
import { httpRequest, type Reply } from '../support/server/http-client.ts';
import { aBranch, aShopFile, branchId, thingId } from '../support/shops/cafe.ts';
import { openWhatsApp, sendingBy } from '../support/stand-ins/whatsapp.ts';

const bench = useProgram('test', 'embedded');
/** Orders without a code. */
const SHOP = aShopFile({ branches: [aBranch({ otp_required: false })] });
const MENU = `/public/branches/${branchId()}/menu`;
const QUOTE = `/public/branches/${branchId()}/cart-quote`;
const ORDERS = '/public/delivery-orders';
const CART = { channel: 'pickup', items: [{ menu_item_id: thingId('item', 'turkish'), quantity: 1 }] };

/** The café is open. */
const serve = async (settings: Settings = {}): Promise<Server> => {
  const server = await serveWorkers(bench, { CLOCK_START: '2030-01-01T10:00:00Z', ...settings });
  const { code, stderr } = await bench.ahwa(['import', '-'], {}, JSON.stringify(SHOP));
  expect([code, stderr]).toEqual([0, expect.anything()]);
  return server;
};

const keptConnection = (): Agent => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return agent;
};

const post = ({ port }: Server, path: string, body: object, agent?: Agent): Promise<Reply> =>
  httpRequest(port, path, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    ...{ body: JSON.stringify(body), ...(agent === undefined ? {} : { agent }) },
  });

/** A worker that leaves the port says so with the next answer on each connection. */
const isLast = ({ headers }: Reply): boolean => headers.connection === 'close';

const ordersInDatabase = async (): Promise<readonly string[]> => {
  const database = await connectTo(bench.dataDir());
  const { rows } = await database.query<{ id: string }>('select id from delivery_order order by id');
  await database.end();
  return rows.map(({ id }) => id);
};

describe('under guests', () => {
  /** Reads the menu, asks for a quote and orders, again and again; without an agent on new connections. */
  const guestOf = (server: Server, agent: Agent | undefined) => {
    const failed: string[] = [];
    const ordered: string[] = [];
    const state = { isOver: false, left: 0 };
    const ask = async (what: string, asking: Promise<Reply>): Promise<Reply | null> => {
      const reply = await asking.catch((fault: unknown) => String(fault));
      if (typeof reply === 'string' || reply.status < 200 || reply.status > 299) {
        failed.push(`${what}: ${typeof reply === 'string' ? reply : reply.text}`);
        return null;
      }
      if (isLast(reply)) state.left += 1;
      return reply;
    };
    const order = () => post(server, ORDERS, anOrder({ customer_phone: aGuest().typed }), agent);
    const running = (async () => {
      while (!state.isOver) {
        await ask('menu', server.get(MENU, agent === undefined ? {} : { agent }));
        await ask('quote', post(server, QUOTE, CART, agent));
        const taken = await ask('order', order());
        if (taken !== null) ordered.push((taken.body as Order).id);
      }
    })();
    const stop = async (): Promise<void> => {
      state.isOver = true;
      await running;
    };
    onTestFinished(stop);
    return { failed, ordered, left: () => state.left, stop };
  };

  test('all workers are replaced while eight guests order: no request fails, and each order is there once', async () => {
    const server = await serve({ OTP_SENDER: 'file', OTP_FILE: `${bench.dataDir()}/messages.jsonl` });
    const before = workersOf(server);
    const staying = Array.from({ length: 4 }, () => guestOf(server, keptConnection()));
    const coming = Array.from({ length: 4 }, () => guestOf(server, undefined));
    const guests = [...staying, ...coming];
    const orders = () => guests.map(({ ordered }) => ordered.length);
    await eventually(() => (orders().includes(0) ? null : true), 'an order of each');
    server.signal('SIGHUP');
    await reloaded(server);
    await gone(before);
    const during = orders();
    await eventually(
      () => (orders().every((n, guest) => n > (during[guest] ?? 0)) ? true : null),
      'more orders',
    );
    await Promise.all(guests.map(({ stop }) => stop()));
    expect(guests.flatMap(({ failed }) => failed)).toEqual([]);
    // Else nobody was connected to a worker that was replaced.
    expect(staying.map(({ left }) => left() > 0)).toEqual([true, true, true, true]);
    expect(await ordersInDatabase()).toEqual(guests.flatMap(({ ordered }) => ordered).sort());
    expect(ends(server)).toEqual([]);
    expect(server.hasEnded()).toBe(false);
    server.signal('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0 });
  });
});

describe('while messages are being sent', () => {
  /** Each process has at most eight in flight: with as many both outboxes are sending, and both are full. */
  const OF_TWO_OUTBOXES = 16;

  interface Sent {
    readonly status: string;
    readonly attempts: number;
  }

  const messages = async (): Promise<readonly Sent[]> => {
    const database = await connectTo(bench.dataDir());
    const { rows } = await database.query<Sent>(`select status, attempts from outbox where kind = 'message'`);
    await database.end();
    return rows;
  };

  const allMessages = (what: string, isSo: (message: Sent) => boolean) =>
    eventually(async () => {
      const rows = await messages();
      return rows.every(isSo) ? rows : null;
    }, what);

  const orderAs = async (server: Server, count: number): Promise<readonly string[]> => {
    const phones = Array.from({ length: count }, aGuest);
    for (const { typed } of phones) {
      const agent = keptConnection();
      const reply = await post(server, ORDERS, anOrder({ customer_phone: typed }), agent);
      // A worker that leaves waits for idle connections.
      agent.destroy();
      expect([reply.status, isLast(reply)]).toEqual([201, false]);
    }
    return phones.map(({ phone }) => phone);
  };

  /** Of the first worker: the other one is stopped while the connection is made. */
  const connectionToFirst = async (server: Server): Promise<() => Promise<Reply>> => {
    const [, other = 0] = workersOf(server);
    const agent = keptConnection();
    process.kill(other, 'SIGSTOP');
    await server.get('/health', { agent }).finally(() => process.kill(other, 'SIGCONT'));
    return () => server.get('/health', { agent });
  };

  /** A first worker that has left the port to its successor, while the provider holds the messages of both. */
  const leavingWorker = async () => {
    const whatsApp = await openWhatsApp();
    onTestFinished(() => whatsApp.stop());
    const server = await serve(sendingBy(whatsApp));
    const [first = 0] = workersOf(server);
    const ask = await connectionToFirst(server);
    const release = whatsApp.hold();
    server.signal('SIGHUP');
    await eventually(() => (workersOf(server).length === 3 ? true : null), 'the successor');
    // A launcher that stands still tells the first worker to leave only once both send.
    server.signal('SIGSTOP');
    const phones = await orderAs(server, OF_TWO_OUTBOXES);
    await eventually(() => (whatsApp.requests === OF_TWO_OUTBOXES ? true : null), 'both to send');
    server.signal('SIGCONT');
    await eventually(async () => (isLast(await ask()) ? true : null), 'the first worker to leave the port');
    return { server, whatsApp, first, phones, release };
  };

  test('a worker leaves the port at once, ends when its messages are sent, and its successor sends the rest', async () => {
    const { server, whatsApp, first, phones, release } = await leavingWorker();
    // Few: the provider must answer within the time limit of the first message.
    const others = await orderAs(server, OF_TWO_OUTBOXES / 2);
    expect([isAlive(first), whatsApp.requests]).toEqual([true, OF_TWO_OUTBOXES]);
    release();
    await gone([first]);
    await reloaded(server);
    const later = await orderAs(server, 1);
    const all = [...phones, ...others, ...later];
    const sent = await allMessages('all messages to be sent', ({ status }) => status === 'sent');
    expect(sent.map(({ attempts }) => attempts)).toEqual(all.map(() => 1));
    expect(whatsApp.taken.map(({ to }) => to).sort()).toEqual(all.sort());
    expect(ends(server)).toEqual([]);
  });

  test('a provider that does not answer holds up no reload, and its messages wait for another try', async () => {
    const { server, first } = await leavingWorker();
    await gone([first]);
    await reloaded(server);
    // The first worker has written that nobody answered; else its messages would wait for the end of their lease.
    const tried = await allMessages('all tries to end', ({ attempts }) => attempts > 0);
    expect(tried.map(({ status }) => status)).toEqual(Array<string>(OF_TWO_OUTBOXES).fill('waiting'));
    expect(ends(server)).toEqual([]);
  });
});

test('SIGHUP during the start replaces the workers after it', async () => {
  const server = bench.launch({ WORKERS: '2' });
  await eventually(() => (postgresOf(bench.dataDir()) === null ? null : true), 'PostgreSQL to start');
  server.signal('SIGHUP');
  await reloaded(server);
  expect(server.hasEnded()).toBe(false);
});
