import { postText, sendAll } from '../../../support/server/raw-sockets.ts';
import type { Attack } from '../attack.ts';
import { quotePath } from '../demo-fixture.ts';

const LARGE = 400 * 1024;
/** Heads and half bodies, small and large. */
const beginnings = (path: string): readonly Buffer[] => [
  Buffer.from(postText(path, '{"items":[]}', 5)),
  Buffer.from(postText(path, JSON.stringify({ items: 'x'.repeat(LARGE) }), LARGE / 2)),
];
/** More than the limit per address. */
const PER_ADDRESS = 120;

/** Sends half a body, then nothing until the server closes the connection. */
export const halfBodies: Attack = {
  name: 'bodies sent by half',
  bound: [408, 429],
  run: async (attacker) => {
    const halves = beginnings(quotePath(attacker.siege.demo));
    await attacker.repeat(attacker.siege.size.halfBodies, 3_000, async (worker) => {
      const socket = await attacker.open(Math.floor(worker / PER_ADDRESS));
      const half = halves[worker % halves.length];
      if (socket === null || half === undefined) return;
      await attacker.answered(socket, () => sendAll(socket, half));
      socket.destroy();
    });
  },
};
