import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SignInQueue, type Comer } from './sign-in-queue.ts';

/** A queue whose sign-ins take a turn each, one at a time, and who was served in which turn. */
const aQueue = (mostWaiting = 1_000) => {
  const queue = new SignInQueue({ atOnce: 1, mostWaiting });
  const served: string[] = [];
  const refused: string[] = [];
  let finish = (): void => undefined;
  const hold = new Promise<void>((resolve) => (finish = resolve));
  const held = queue.enter(comer('first', 'first'), () => hold);
  const came: Promise<void>[] = [];
  return {
    served,
    refused,
    comes: (name: string, who: Comer): void => {
      const serve = (): Promise<void> => {
        served.push(name);
        return Promise.resolve();
      };
      came.push(queue.enter(who, serve).catch(() => void refused.push(name)));
    },
    /** Lets those that came have their turns; gives who had which. */
    play: async (): Promise<string[]> => {
      finish();
      await held;
      await Promise.all(came);
      return served;
    },
    turnOf: (name: string): number => served.indexOf(name) + 1,
  };
};

const comer = (account: string, source: string, isKnown = false): Comer => ({ account, source, isKnown });
const times = (count: number, work: (at: number) => void): void => {
  for (let at = 0; at < count; at += 1) work(at);
};

describe('a flood', () => {
  test('of 120 tries at one account from two addresses lets others in after one try of each address', async () => {
    const queue = aQueue();
    times(120, (at) => queue.comes('flood', comer('owner', `address ${at % 2}`)));
    queue.comes('other', comer('manager', 'third'));
    await queue.play();
    expect(queue.turnOf('other')).toBeLessThanOrEqual(2);
    expect(queue.served).toHaveLength(121);
  });

  test('from one address at 120 accounts delays nobody else for more than one try', async () => {
    const queue = aQueue();
    times(120, (at) => queue.comes('flood', comer(`account ${at}`, 'one')));
    queue.comes('other', comer('owner', 'third'));
    await queue.play();
    expect(queue.turnOf('other')).toBeLessThanOrEqual(2);
  });

  test('at one account from 120 addresses delays nobody else for more than one try', async () => {
    const queue = aQueue();
    times(120, (at) => queue.comes('flood', comer('owner', `address ${at}`)));
    queue.comes('other', comer('manager', 'third'));
    await queue.play();
    expect(queue.turnOf('other')).toBeLessThanOrEqual(2);
  });

  test('at an account leaves the address of a colleague who signs in there too its turn', async () => {
    const queue = aQueue();
    times(120, (at) => queue.comes('flood', comer('owner', `address ${at % 2}`)));
    queue.comes('owner', comer('owner', 'café'));
    queue.comes('manager', comer('manager', 'café'));
    await queue.play();
    expect(queue.turnOf('manager')).toBeLessThanOrEqual(4);
    expect(queue.turnOf('owner')).toBe(122);
  });

  test('of strangers, from anywhere at any account, delays no known device at all', async () => {
    const queue = aQueue();
    times(120, (at) => queue.comes('flood', comer(`account ${at % 7}`, `address ${at % 11}`)));
    queue.comes('known', comer('owner', 'laptop', true));
    await queue.play();
    expect(queue.turnOf('known')).toBe(1);
  });
});

describe('where too many wait', () => {
  test('a newcomer takes the place of whoever would be served last', async () => {
    const queue = aQueue(128);
    times(200, () => queue.comes('flood', comer('owner', 'one')));
    queue.comes('other', comer('manager', 'third'));
    await queue.play();
    expect(queue.served.filter((name) => name === 'flood')).toHaveLength(127);
    expect(queue.turnOf('other')).toBeLessThanOrEqual(2);
    expect(queue.refused).toEqual(Array(73).fill('flood'));
  });

  test('a known device takes the place of a stranger, and no stranger that of a known device', async () => {
    const queue = aQueue(3);
    times(3, (at) => queue.comes(`stranger ${at}`, comer(`${at}`, `${at}`)));
    times(3, (at) => queue.comes(`known ${at}`, comer(`${at}`, `device ${at}`, true)));
    queue.comes('late', comer('late', 'late'));
    await queue.play();
    expect(queue.served.toSorted()).toEqual(['known 0', 'known 1', 'known 2']);
    expect(queue.refused.toSorted()).toEqual(['late', 'stranger 0', 'stranger 1', 'stranger 2']);
  });

  test('whoever fails gives the place on as whoever succeeds does', async () => {
    const queue = new SignInQueue({ atOnce: 2, mostWaiting: 10 });
    const tries = Array.from({ length: 8 }, (_, at) =>
      queue.enter(comer(`${at}`, `${at}`), () =>
        at % 2 === 0 ? Promise.reject(new Error('wrong')) : Promise.resolve(at),
      ),
    );
    const ends = await Promise.allSettled(tries);
    expect(ends.map(({ status }) => status)).toEqual(
      Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? 'rejected' : 'fulfilled')),
    );
    expect(await queue.enter(comer('after', 'after'), () => Promise.resolve('in'))).toBe('in');
  });
});

test('nobody is served before a known device, and no address or account twice before one that was not served yet', async () => {
  const who = fc.record({
    account: fc.integer({ min: 0, max: 4 }),
    source: fc.integer({ min: 0, max: 4 }),
    isKnown: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(who, { maxLength: 60 }), async (all) => {
      const queue = aQueue();
      all.forEach(({ account, source, isKnown }, at) =>
        queue.comes(`${at}`, comer(`${account}`, `${source}`, isKnown)),
      );
      const order = (await queue.play()).map((name) => all[Number(name)]);
      expect(order).toHaveLength(all.length);
      const known = order.map((one) => one?.isKnown === true);
      expect(known).toEqual(known.toSorted((a, b) => Number(b) - Number(a)));
      // Whoever is the first of both their account and their source comes before any second of either.
      for (const isKnown of [true, false]) {
        const lane = order.filter((one) => one?.isKnown === isKnown);
        const came = all.filter((one) => one.isKnown === isKnown);
        const fresh = came.filter(
          (one, at) =>
            !came
              .slice(0, at)
              .some(({ account, source }) => account === one.account || source === one.source),
        );
        for (const one of fresh) expect(lane.indexOf(one)).toBeLessThan(fresh.length);
      }
    }),
    { numRuns: 200 },
  );
});
