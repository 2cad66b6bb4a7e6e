/** Floods of cheap requests. */
import type { Attack, Attacker } from '../attack.ts';
import { posted, type Asked } from '../client.ts';

/** The interval of the bursts, ms. */
const EVERY_MS = 200;

/** Bursts on many connections of one address. */
const flood = async (attacker: Attacker, ask: (n: number) => readonly [string, Asked?]): Promise<void> => {
  const client = attacker.client(0);
  let asked = 0;
  await attacker.repeat(attacker.siege.size.flood, EVERY_MS, async () => {
    await attacker.ask(client, ...ask((asked += 1)));
  });
};

/** Under no limit, and queries the database. */
export const readiness: Attack = {
  name: 'whether it is ready, asked without end',
  bound: [200],
  run: (attacker) => flood(attacker, () => ['/ready']),
};

/** Never cached: each queries the database. */
export const unknownNames: Attack = {
  name: 'shops that are none, each another',
  bound: [404],
  run: (attacker) => flood(attacker, (n) => [`/public/orgs/brand?slug=no-shop-${n}`]),
};

const NAMES = 4_000;

/** Messages that are expensive to parse, each with new names. */
export const differentNames: Attack = {
  name: 'messages of thousands of field names',
  bound: [400],
  run: async (attacker) => {
    const client = attacker.client(0);
    let sent = 0;
    await attacker.repeat(attacker.siege.size.oddJson, 50, async () => {
      sent += 1;
      const names = Array.from({ length: NAMES }, (_, n) => `{"a${sent}-${n}":0}`).join();
      const message = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"list":[${names}]}}`;
      await attacker.ask(client, '/mcp', posted(Buffer.from(message)));
    });
  },
};
