import { randomBytes, randomInt, randomUUID, scryptSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createKeyring, type Keyring } from '../../platform/app/keyring.ts';
import { createPasswords, DEFAULT_COST } from './passwords.ts';

const random = { bytes: randomBytes, uuid: randomUUID, below: randomInt };
const CHEAP = { N: 2 ** 10, r: 8, p: 1 };
const keyring = createKeyring(['a key of the tests']);
const cheap = createPasswords({ random, keyring, cost: CHEAP });

describe('a stored password', () => {
  test('a hash contains its cost and key id, and differs each time', async () => {
    const [one, two] = [await cheap.hash('ahwa-demo'), await cheap.hash('ahwa-demo')];
    expect(one).toMatch(/^scrypt\$1024\$8\$1\$[\w-]{22}\$[\w-]{43}\$[0-9a-f]{12}$/);
    expect(one.endsWith(`$${keyring.first}`)).toBe(true);
    expect(one).not.toBe(two);
    expect(one).not.toContain('ahwa-demo');
  });

  test('a hash verifies its own password and no other', async () => {
    const stored = await cheap.hash('ahwa-demo');
    expect(await cheap.verify(stored, 'ahwa-demo')).toBe(true);
    for (const other of ['ahwa-demO', 'ahwa-dem', 'ahwa-demo ', ''])
      expect(await cheap.verify(stored, other)).toBe(false);
  });

  test('a hash matches the scrypt test vector of RFC 7914', async () => {
    // RFC 7914, 12: "pleaseletmein" with the salt "SodiumChloride", here its first 32 bytes.
    const salt = Buffer.from('SodiumChloride').toString('base64url');
    const hash = Buffer.from(
      '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2',
      'hex',
    ).toString('base64url');
    expect(await cheap.verify(`scrypt$16384$8$1$${salt}$${hash}`, 'pleaseletmein')).toBe(true);
  });

  test('a hash of a lower cost still verifies and is outdated', async () => {
    const dear = createPasswords({ random, keyring, cost: { ...CHEAP, N: 2 ** 11 } });
    const stored = await cheap.hash('2468');
    expect(await dear.verify(stored, '2468')).toBe(true);
    expect([dear.isOutdated(stored), cheap.isOutdated(stored)]).toEqual([true, false]);
    expect(dear.isOutdated(await dear.hash('2468'))).toBe(false);
  });

  test('a damaged or missing hash verifies no password', async () => {
    const stored = await cheap.hash('2468');
    for (const spoilt of [null, '', 'scrypt', stored.slice(0, -3), stored.replace('scrypt', 'plain')])
      expect(await cheap.verify(spoilt, '2468')).toBe(false);
    expect(await cheap.verify(null, '')).toBe(false);
  });

  test('a hash has the default cost if no cost is given', async () => {
    const usual = createPasswords({ random, keyring });
    const stored = await usual.hash('ahwa-demo');
    expect(stored.startsWith(`scrypt$${DEFAULT_COST.N}$${DEFAULT_COST.r}$${DEFAULT_COST.p}$`)).toBe(true);
    expect(await usual.verify(stored, 'ahwa-demo')).toBe(true);
  });
});

describe('the pepper', () => {
  const under = (...keys: string[]) => createPasswords({ random, keyring: createKeyring(keys), cost: CHEAP });
  const plain = (secret: string): string => {
    const salt = randomBytes(16);
    const hash = scryptSync(secret, salt, 32, CHEAP);
    return `scrypt$1024$8$1$${salt.toString('base64url')}$${hash.toString('base64url')}`;
  };

  test('without the key of the pepper no guess can be checked against a hash', async () => {
    const stored = await cheap.hash('2468');
    const [, , , , salt = '', hash = '', keyId] = stored.split('$');
    const found = scryptSync('2468', Buffer.from(salt, 'base64url'), 32, CHEAP);
    expect(found.toString('base64url')).not.toBe(hash);
    for (const id of [createKeyring(['another key']).first, ''])
      for (const passwords of [cheap, under('another key'), under('another key', 'a key of the tests')])
        expect(await passwords.verify(stored.replace(keyId ?? '', id).replace(/\$$/, ''), '2468')).toBe(
          false,
        );
  });

  test('a hash without a pepper verifies and is outdated', async () => {
    const stored = plain('2468');
    expect(await cheap.verify(stored, '2468')).toBe(true);
    expect(await cheap.verify(stored, '8642')).toBe(false);
    expect(cheap.isOutdated(stored)).toBe(true);
  });

  test('a hash under a former key still verifies and is outdated', async () => {
    const stored = await under('old').hash('ahwa-demo');
    const rotated = under('new', 'old');
    expect(await rotated.verify(stored, 'ahwa-demo')).toBe(true);
    expect([rotated.isOutdated(stored), under('old', 'new').isOutdated(stored)]).toEqual([true, false]);
    const renewed = await rotated.hash('ahwa-demo');
    expect(rotated.isOutdated(renewed)).toBe(false);
    expect(await under('new').verify(renewed, 'ahwa-demo')).toBe(true);
  });

  test('a hash under a removed key verifies no password, without an error', async () => {
    const stored = await under('old').hash('ahwa-demo');
    const without = under('new');
    expect(await without.verify(stored, 'ahwa-demo')).toBe(false);
    expect(without.isOutdated(stored)).toBe(true);
  });

  test('each verification uses one key, also for a missing hash and a removed key', async () => {
    const keyIds: string[] = [];
    const counting = (keys: Keyring): Keyring => ({
      ...keys,
      under: (id, purpose) => {
        keyIds.push(id);
        return keys.under(id, purpose);
      },
    });
    const stored = await under('second').hash('2468');
    const many = counting(createKeyring(['first', 'second', 'third']));
    const passwords = createPasswords({ random, keyring: many, cost: CHEAP });
    expect(await passwords.verify(stored, '2468')).toBe(true);
    await passwords.verify(null, '2468');
    await passwords.verify(await under('gone').hash('2468'), '2468');
    expect(keyIds).toEqual([many.ids[1], many.first, createKeyring(['gone']).first]);
  });
});

describe('concurrent sign-ins', () => {
  test('40 concurrent sign-ins are all verified', async () => {
    const stored = await cheap.hash('2468');
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => cheap.verify(stored, at % 2 === 0 ? '2468' : '8642')),
    );
    expect(answers).toEqual(Array.from({ length: 40 }, (_, at) => at % 2 === 0));
  });

  test('waiting PINs and passwords are verified alternately', async () => {
    const few = createPasswords({ random, keyring, cost: CHEAP, atOnce: 1 });
    const stored = await few.hash('2468');
    const order: string[] = [];
    const verify = async (kind: 'pin' | 'password'): Promise<void> => {
      await few.verify(stored, '2468', kind);
      order.push(kind);
    };
    const pins = Array.from({ length: 20 }, () => verify('pin'));
    await Promise.all([...pins, verify('password'), verify('password')]);
    expect(order.slice(0, 4)).toEqual(['pin', 'password', 'pin', 'password']);
    expect(order).toHaveLength(22);
  });

  test('a full queue of passwords does not delay a PIN', async () => {
    const few = createPasswords({ random, keyring, cost: CHEAP, maxWaiting: 3, atOnce: 1 });
    const stored = await few.hash('2468');
    const order: string[] = [];
    const unknown = Array.from({ length: 7 }, (_, at) =>
      few.admit('password', { account: `${at}`, source: `${at}`, isKnown: false }, async () => {
        await few.verify(null, `guess ${at}`, 'password');
        order.push('unknown');
      }),
    );
    const late = { account: 'late', source: 'late', isKnown: false };
    await expect(few.admit('password', late, () => Promise.resolve())).rejects.toMatchObject({
      refusal: 'UNAVAILABLE',
    });
    const till = few.admit('pin', { account: 'till', source: 'till', isKnown: true }, async () => {
      expect(await few.verify(stored, '2468', 'pin')).toBe(true);
      order.push('till');
    });
    await Promise.all([...unknown, till]);
    // The one being verified when the till came ends first.
    expect(order.indexOf('till')).toBe(1);
    expect(order).toHaveLength(8);
  });
});
