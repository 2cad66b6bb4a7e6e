import { sendAll } from '../../../support/sockets.ts';
import type { Attack } from '../attack.ts';

const AT_ONCE = 250;
/** Those that were closed are opened again so slowly: the attack is that they are many, not that they are new. */
const AGAIN_AT_ONCE = 10;

const REQUEST = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** One address that asks once on each of thousands of connections, and keeps them. */
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
        const more = Math.min(wanted - held, opened < wanted ? AT_ONCE : AGAIN_AT_ONCE);
        await Promise.all(Array.from({ length: more }, openOne));
      } while (opened < wanted && !attacker.isOver);
    });
  },
};
