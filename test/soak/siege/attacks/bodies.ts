/** The most expensive bodies. */
import { worstBodies, WORST_PATH } from '../../../../bench/support/worst-bodies.ts';
import { oneByteChunks, sendAll } from '../../../support/server/raw-sockets.ts';
import type { Attack, Attacker } from '../attack.ts';
import { posted } from '../client.ts';
import { cartOf, quotePath } from '../demo-fixture.ts';

const { carts, odd } = worstBodies();
const bytesOf = (texts: Readonly<Record<string, string>>): readonly Buffer[] =>
  Object.values(texts).map((text) => Buffer.from(text));

/** Workers that send these bodies in rotation from several addresses. */
const sendInTurn =
  (
    bodies: readonly Buffer[],
    addresses: number,
    workersOf: (attacker: Attacker) => number,
    everyMs: number,
  ) =>
  async (attacker: Attacker): Promise<void> => {
    const clients = Array.from({ length: addresses }, (_, n) => attacker.client(n));
    let sent = 0;
    await attacker.repeat(workersOf(attacker), everyMs, async (worker) => {
      const client = clients[worker % addresses];
      const body = bodies[(sent += 1) % bodies.length];
      if (client !== undefined && body !== undefined) await attacker.ask(client, WORST_PATH, posted(body));
    });
  };

export const heavyCarts: Attack = {
  name: 'the heaviest carts, with hints',
  bound: [200],
  run: sendInTurn(bytesOf(carts), 8, ({ siege }) => siege.size.carts, 0),
};

export const oddJson: Attack = {
  name: 'JSON that is deep, wide or all wrong',
  bound: [400],
  run: sendInTurn(bytesOf(odd), 4, ({ siege }) => siege.size.oddJson, 100),
};

const HEAD = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

const inBytes = (text: string): string[] =>
  Array.from({ length: text.length }, (_, at) => `1\r\n${text.charAt(at)}\r\n`);

/** More chunks than a body may have. */
const TOO_MANY = 5_000;

/** Alternately a cart of one packet per byte, and thousands of chunks at once. */
export const tinyChunks: Attack = {
  name: 'bodies in chunks of one byte',
  bound: [400],
  run: async (attacker) => {
    const { demo, size } = attacker.siege;
    const cart = inBytes(JSON.stringify(cartOf(demo, 0, 2)));
    await attacker.repeat(size.tinyChunks, 1_000, async (worker) => {
      const socket = await attacker.open(worker % 4);
      if (socket === null) return;
      socket.setNoDelay(true);
      const sendSlowly = async (): Promise<void> => {
        for (const text of [HEAD(quotePath(demo)), ...cart, '0\r\n\r\n']) await sendAll(socket, text);
      };
      const sendAtOnce = (): Promise<void> =>
        sendAll(socket, HEAD(quotePath(demo)) + inBytes(' '.repeat(TOO_MANY)).join(''));
      await attacker.answered(socket, worker % 2 === 0 ? sendSlowly : sendAtOnce);
      socket.destroy();
    });
  },
};

/** One-byte chunks to an operation that reads no body, while the connection accepts them. */
export const unreadBodies: Attack = {
  name: 'bodies that nobody reads',
  bound: [404],
  run: async (attacker) => {
    const lines = ['POST /nope', 'GET /health', `GET /public/branches/${attacker.siege.demo.branchId}/menu`];
    const more = inBytes(' '.repeat(TOO_MANY)).join('');
    await attacker.repeat(attacker.siege.size.tinyChunks, 200, async (worker) => {
      const socket = await attacker.open(worker % 4);
      if (socket === null) return;
      const line = lines[worker % lines.length] ?? 'POST /nope';
      await attacker.answered(socket, () => sendAll(socket, oneByteChunks(line, TOO_MANY)));
      while (!socket.destroyed && !attacker.isOver) {
        await sendAll(socket, more);
        await attacker.rest(1);
      }
      socket.destroy();
    });
  },
};

const MENUS = 20;
const UNREAD_MS = 20_000;

/** Menus that are requested and not read. */
export const slowReaders: Attack = {
  name: 'answers that are not read',
  bound: [200],
  run: async (attacker) => {
    const { demo, size } = attacker.siege;
    const ask = `GET /public/branches/${demo.branchId}/menu HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(
      MENUS,
    );
    await attacker.repeat(size.slowReaders, 500, async (worker) => {
      const socket = await attacker.open(worker % 2);
      if (socket === null) return;
      await attacker.answered(socket, () => sendAll(socket, ask));
      socket.pause();
      await attacker.rest(UNREAD_MS);
      socket.destroy();
    });
  },
};
