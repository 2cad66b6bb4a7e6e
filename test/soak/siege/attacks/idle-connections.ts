import { sendAll } from '../../../support/server/raw-sockets.ts';
import type { Attack } from '../attack.ts';

const AT_ONCE = 250;
/** Reconnects are slow: the attack is the number of connections, not their rate. */
const RECONNECTED_AT_ONCE = 10;

const REQUEST = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** One address sends one request on each of thousands of connections, and keeps them open. */
export const idleConnections: Attack = {
  name: 'idle connections of one address',
  bound: ['closed'],
  run: async (attacker) => {
    const wanted = attacker.siege.size.idle;
    let opened = 0;
    let held = 0;
    const openOne = async (): Promise<void> => {
      const socket = await attacker.open(0);
      if (socket === null) return;
      opened += 1;
      held += 1;
      attacker.countStatuses(socket);
      socket.once('close', () => {
        held -= 1;
        if (!attacker.isOver) attacker.tally.count('closed');
      });
      await sendAll(socket, REQUEST);
    };
    await attacker.repeat(1, 200, async () => {
      do {
        const more = Math.min(wanted - held, opened < wanted ? AT_ONCE : RECONNECTED_AT_ONCE);
        await Promise.all(Array.from({ length: more }, openOne));
      } while (opened < wanted && !attacker.isOver);
    });
  },
};
