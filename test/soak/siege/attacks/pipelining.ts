import { once } from 'node:events';
import { postText, sendAll } from '../../../support/server/raw-sockets.ts';
import type { Attack } from '../attack.ts';
import { SLUG } from '../demo-fixture.ts';

const REQUESTS = 250;
const ADDRESSES = 3;

const message = (id: number, method: string, params: object): string =>
  postText('/mcp', JSON.stringify({ jsonrpc: '2.0', id, method, params }));

const MESSAGES = Buffer.from(
  Array.from({ length: REQUESTS }, (_, id) =>
    id % 2 === 0
      ? message(id, 'ping', {})
      : message(id, 'tools/call', { name: 'get_menu', arguments: { shop: SLUG } }),
  ).join(''),
);

/** Every second connection closes at once, the others at the first bytes of an answer. */
export const pipelining: Attack = {
  name: `${REQUESTS} messages pipelined, then hung up`,
  bound: [200],
  run: (attacker) =>
    attacker.repeat(attacker.siege.size.pipelining, 1_000, async (worker) => {
      const socket = await attacker.open(worker % ADDRESSES);
      if (socket === null) return;
      attacker.countStatuses(socket);
      // A reset counts as an end.
      const begun = Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => undefined);
      await sendAll(socket, MESSAGES);
      if (worker % 2 === 1) await begun;
      socket.destroy();
    }),
};

const READS = Buffer.from(
  `GET /public/orgs/brand?slug=${SLUG} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(REQUESTS),
);

/** Rounds of concurrent connections: most are refused, then the address is blocked. */
export const pipelinedReads: Attack = {
  name: `${REQUESTS} reads pipelined on each of many connections at once`,
  bound: ['no answer'],
  run: (attacker) =>
    attacker.repeat(1, 1_000, async () => {
      const opening = Array.from({ length: attacker.siege.size.pipelinedReads }, () => attacker.open(0));
      const sockets = (await Promise.all(opening)).filter((socket) => socket !== null);
      await Promise.all(
        sockets.map(async (socket) => {
          await attacker.answered(socket, () => sendAll(socket, READS));
          socket.destroy();
        }),
      );
    }),
};
