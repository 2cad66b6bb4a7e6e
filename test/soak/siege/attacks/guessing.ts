/** Guessing PINs on a paired device, and passwords from other addresses. */
import { DEMO_PASSWORD } from '../../../../src/service/app/demo.ts';
import type { Attack } from '../attack.ts';
import { posted } from '../client.ts';
import { bearer, DEMO_PIN, OWNER } from '../demo-fixture.ts';

const GUESSES = 3;
const PINS = 10_000;

/** Three guesses at another person's PIN, then the attacker's own PIN, which must not reset the count. */
export const pinGuessing: Attack = {
  name: 'PINs guessed, one’s own in between',
  bound: [429],
  run: async (attacker) => {
    const { token, own, other } = attacker.siege.demo.device;
    const client = attacker.client(0);
    let guess = 0;
    const nextGuess = (): string => {
      const pin = String(guess++ % PINS).padStart(4, '0');
      return pin === DEMO_PIN ? nextGuess() : pin;
    };
    const sign = (staffId: string, pin: string): Promise<number> =>
      attacker.ask(client, '/staff/pin', posted({ staff_id: staffId, pin }, bearer(token)));
    await attacker.repeat(1, 1_000, async () => {
      for (let left = GUESSES; left > 0; left -= 1) await sign(other, nextGuess());
      await sign(own, DEMO_PIN);
    });
  },
};

const ADDRESSES = 4;

/** Concurrent wrong passwords of the owner, from several addresses. */
export const passwordFlood: Attack = {
  name: 'passwords of the owner, many at once',
  bound: [429],
  run: async (attacker) => {
    const clients = Array.from({ length: ADDRESSES }, (_, n) => attacker.client(n));
    let guess = 0;
    const guessOnce = async (_: unknown, n: number): Promise<void> => {
      const client = clients[n % ADDRESSES];
      guess += 1;
      const given = { email: OWNER, password: `${DEMO_PASSWORD}-${guess}` };
      if (client !== undefined) await attacker.ask(client, '/staff/sign-in', posted(given));
    };
    await attacker.repeat(1, 5_000, async () => {
      await Promise.all(Array.from({ length: attacker.siege.size.passwords }, guessOnce));
    });
  },
};
