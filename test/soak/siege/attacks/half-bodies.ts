import { post, sendAll } from '../../../support/sockets.ts';
import type { Attack } from '../attack.ts';
import { quotePath } from '../ground.ts';

const LARGE = 400 * 1024;
/** The beginnings of requests with a small and with a large body. */
const beginnings = (path: string): readonly Buffer[] => [
  Buffer.from(post(path, '{"items":[]}', 5)),
  Buffer.from(post(path, JSON.stringify({ items: 'x'.repeat(LARGE) }), LARGE / 2)),
];
/** More of them per address than one may have. */
const PER_ADDRESS = 120;

/** Bodies of which half is sent, and nothing more until the server gives up on them. */
export const halfBodies: Attack = {
  name: 'bodies sent by half',
  bound: [408, 429],
  run: async (attacker) => {
    const halves = beginnings(quotePath(attacker.siege.ground));
    await attacker.repeat(attacker.siege.size.halfBodies, 3_000, async (worker) => {
      const socket = await attacker.open(Math.floor(worker / PER_ADDRESS));
      const half = halves[worker % halves.length];
      if (socket === null || half === undefined) return;
      await attacker.answered(socket, () => sendAll(socket, half));
      socket.destroy();
    });
  },
};
