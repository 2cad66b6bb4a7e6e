/** Many questions at once that are cheap to ask. */
import type { Attack, Attacker } from '../attack.ts';
import { posted, type Asked } from '../client.ts';

/** All of them ask at once, and again this much later, ms. */
const EVERY_MS = 200;

/** So many connections of one address that ask together. */
const flood = async (attacker: Attacker, ask: (n: number) => readonly [string, Asked?]): Promise<void> => {
  const client = attacker.client(0);
  let asked = 0;
  await attacker.repeat(attacker.siege.size.flood, EVERY_MS, async () => {
    await attacker.ask(client, ...ask((asked += 1)));
  });
};

/** In no limit, and asks the database. */
export const readiness: Attack = {
  name: 'whether it is ready, asked without end',
  bound: [200],
  run: (attacker) => flood(attacker, () => ['/ready']),
};

/** Nothing of them is kept: each goes to the database. */
export const unknownNames: Attack = {
  name: 'shops that are none, each another',
  bound: [404],
  run: (attacker) => flood(attacker, (n) => [`/public/orgs/brand?slug=no-shop-${n}`]),
};

const NAMES = 4_000;

/** Messages that are dear to parse, each with names of its own. */
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
