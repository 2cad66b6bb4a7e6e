import { post, sendAll } from '../../../support/sockets.ts';
import type { Attack } from '../attack.ts';
import { quotePath } from '../ground.ts';

const LARGE = 400 * 1024;
const BODIES = [
  { body: '{"items":[]}', sent: 5 },
  { body: JSON.stringify({ items: 'x'.repeat(LARGE) }), sent: LARGE / 2 },
];
/** More of them per address than one may have. */
const PER_ADDRESS = 120;

/** Bodies of which half is sent, and nothing more until the server gives up on them. */
export const halfBodies: Attack = {
  name: 'bodies sent by half',
  run: (attacker) =>
    attacker.repeat(attacker.siege.size.halfBodies, 500, async (worker) => {
      const socket = await attacker.open(Math.floor(worker / PER_ADDRESS));
      const half = BODIES[worker % BODIES.length];
      if (socket === null || half === undefined) return;
      const text = post(quotePath(attacker.siege.ground), half.body, half.sent);
      await attacker.answered(socket, () => sendAll(socket, text));
      socket.destroy();
    }),
};
