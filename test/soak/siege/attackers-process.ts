/** The attackers as a process of their own, so that those who take times do not wait for them. Its parent says when. */
import { setMaxListeners } from 'node:events';
import type { Siege } from './attack.ts';
import { attackWithAll, type Attacked } from './attacks.ts';

export type Orders = Omit<Siege, 'signal'>;

/** How often it says what came back, ms. */
const TELL_MS = 1_000;

const attack = async (orders: Orders): Promise<void> => {
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const attackers = attackWithAll({ ...orders, signal: ending.signal });
  const tell = (): void => {
    const attacked: readonly Attacked[] = attackers.attacked();
    process.send?.(attacked);
  };
  const telling = setInterval(tell, TELL_MS);
  process.once('message', () => ending.abort());
  await attackers.over;
  clearInterval(telling);
  tell();
  process.disconnect();
};

process.once('message', (orders: Orders) => void attack(orders));
// The terminal's Ctrl-C is the parent's to hear.
process.on('SIGINT', () => undefined);
process.once('disconnect', () => process.exit());
