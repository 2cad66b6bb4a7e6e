import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createPasswords, USUAL_COST } from './passwords.ts';

const random = { bytes: randomBytes, uuid: randomUUID, below: randomInt };
/** Cheap, so that tests are quick; what a hashing costs changes nothing else. */
const CHEAP = { N: 2 ** 10, r: 8, p: 1 };
const cheap = createPasswords({ random, cost: CHEAP });

describe('a stored password', () => {
  test('says what it cost, and is another one each time', async () => {
    const [one, two] = [await cheap.hash('ahwa-demo'), await cheap.hash('ahwa-demo')];
    expect(one).toMatch(/^scrypt\$1024\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    expect(one).not.toBe(two);
    expect(one).not.toContain('ahwa-demo');
  });

  test('lets its own password in and no other', async () => {
    const stored = await cheap.hash('ahwa-demo');
    expect(await cheap.verify(stored, 'ahwa-demo')).toBe(true);
    for (const other of ['ahwa-demO', 'ahwa-dem', 'ahwa-demo ', ''])
      expect(await cheap.verify(stored, other)).toBe(false);
  });

  test('is what scrypt makes of it everywhere', async () => {
    // RFC 7914, 12: "pleaseletmein" with the salt "SodiumChloride", here its first 32 bytes.
    const salt = Buffer.from('SodiumChloride').toString('base64url');
    const hash = Buffer.from(
      '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2',
      'hex',
    ).toString('base64url');
    expect(await cheap.verify(`scrypt$16384$8$1$${salt}$${hash}`, 'pleaseletmein')).toBe(true);
  });

  test('of an earlier, cheaper time still lets in, and is known to be dated', async () => {
    const dear = createPasswords({ random, cost: { ...CHEAP, N: 2 ** 11 } });
    const stored = await cheap.hash('2468');
    expect(await dear.verify(stored, '2468')).toBe(true);
    expect([dear.isDated(stored), cheap.isDated(stored)]).toEqual([true, false]);
    expect(dear.isDated(await dear.hash('2468'))).toBe(false);
  });

  test('that was spoilt, or is nobody’s, lets nobody in', async () => {
    const stored = await cheap.hash('2468');
    for (const spoilt of [null, '', 'scrypt', stored.slice(0, -3), stored.replace('scrypt', 'plain')])
      expect(await cheap.verify(spoilt, '2468')).toBe(false);
    expect(await cheap.verify(null, '')).toBe(false);
  });

  test('is made at the usual cost where nothing else is said', async () => {
    const usual = createPasswords({ random });
    const stored = await usual.hash('ahwa-demo');
    expect(stored.startsWith(`scrypt$${USUAL_COST.N}$${USUAL_COST.r}$${USUAL_COST.p}$`)).toBe(true);
    expect(await usual.verify(stored, 'ahwa-demo')).toBe(true);
  });
});

describe('a rush of sign-ins', () => {
  test('is judged, every one', async () => {
    const stored = await cheap.hash('2468');
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => cheap.verify(stored, at % 2 === 0 ? '2468' : '8642')),
    );
    expect(answers).toEqual(Array.from({ length: 40 }, (_, at) => at % 2 === 0));
  });

  test('of strangers with passwords keeps no till out: PINs have places of their own, and their turn first', async () => {
    const few = createPasswords({ random, cost: CHEAP, mostWaiting: 3, atOnce: 1 });
    const stored = await few.hash('2468');
    const order: string[] = [];
    const strangers = Array.from({ length: 7 }, (_, at) =>
      few.admit('password', { account: `${at}`, source: `${at}`, isKnown: false }, async () => {
        await few.verify(null, `guess ${at}`, 'password');
        order.push('stranger');
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
    await Promise.all([...strangers, till]);
    // The one that was being judged when the till came ends first.
    expect(order.indexOf('till')).toBe(1);
    expect(order).toHaveLength(8);
  });
});
