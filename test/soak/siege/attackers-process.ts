/**
 * Runs the attacks in a process of their own, so that they do not distort the measured times. The parent starts and
 * ends it.
 */
import { setMaxListeners } from 'node:events';
import type { Siege } from './attack.ts';
import { startAttacks, type AttackResult } from './attacks.ts';

export type Orders = Omit<Siege, 'signal'>;

/** The interval of its reports, ms. */
const TELL_MS = 1_000;

const attack = async (orders: Orders): Promise<void> => {
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const attackers = startAttacks({ ...orders, signal: ending.signal });
  const tell = (): void => {
    const attacked: readonly AttackResult[] = attackers.attacked();
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
// The parent handles Ctrl-C.
process.on('SIGINT', () => undefined);
process.once('disconnect', () => process.exit());
