import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SignInQueue, type WaitingSignIn } from './sign-in-queue.ts';

const aQueue = (maxWaiting = 1_000) => {
  const queue = new SignInQueue({ atOnce: 1, maxWaiting });
  const served: string[] = [];
  const refused: string[] = [];
  let finish = (): void => undefined;
  const hold = new Promise<void>((resolve) => (finish = resolve));
  const held = queue.enter(signIn('first', 'first'), () => hold);
  const came: Promise<void>[] = [];
  return {
    served,
    refused,
    enqueue: (name: string, who: WaitingSignIn): void => {
      const serve = (): Promise<void> => {
        served.push(name);
        return Promise.resolve();
      };
      came.push(queue.enter(who, serve).catch(() => void refused.push(name)));
    },
    runAll: async (): Promise<string[]> => {
      finish();
      await held;
      await Promise.all(came);
      return served;
    },
    positionOf: (name: string): number => served.indexOf(name) + 1,
  };
};

const signIn = (account: string, source: string, isKnown = false): WaitingSignIn => ({
  account,
  source,
  isKnown,
});
const times = (count: number, work: (at: number) => void): void => {
  for (let at = 0; at < count; at += 1) work(at);
};

describe('a flood of sign-ins', () => {
  test('120 tries at one account from two addresses delay others by at most one try', async () => {
    const queue = aQueue();
    times(120, (at) => queue.enqueue('flood', signIn('owner', `address ${at % 2}`)));
    queue.enqueue('other', signIn('manager', 'third'));
    await queue.runAll();
    expect(queue.positionOf('other')).toBeLessThanOrEqual(2);
    expect(queue.served).toHaveLength(121);
  });

  test('120 tries from one address at 120 accounts delay others by at most one try', async () => {
    const queue = aQueue();
    times(120, (at) => queue.enqueue('flood', signIn(`account ${at}`, 'one')));
    queue.enqueue('other', signIn('owner', 'third'));
    await queue.runAll();
    expect(queue.positionOf('other')).toBeLessThanOrEqual(2);
  });

  test('120 tries at one account from 120 addresses delay others by at most one try', async () => {
    const queue = aQueue();
    times(120, (at) => queue.enqueue('flood', signIn('owner', `address ${at}`)));
    queue.enqueue('other', signIn('manager', 'third'));
    await queue.runAll();
    expect(queue.positionOf('other')).toBeLessThanOrEqual(2);
  });

  test('120 tries at one account do not delay a colleague at the address of its owner', async () => {
    const queue = aQueue();
    times(120, (at) => queue.enqueue('flood', signIn('owner', `address ${at % 2}`)));
    queue.enqueue('owner', signIn('owner', 'café'));
    queue.enqueue('manager', signIn('manager', 'café'));
    await queue.runAll();
    expect(queue.positionOf('manager')).toBeLessThanOrEqual(4);
    expect(queue.positionOf('owner')).toBe(122);
  });

  test('tries of unknown devices do not delay a known device', async () => {
    const queue = aQueue();
    times(120, (at) => queue.enqueue('flood', signIn(`account ${at % 7}`, `address ${at % 11}`)));
    queue.enqueue('known', signIn('owner', 'laptop', true));
    await queue.runAll();
    expect(queue.positionOf('known')).toBe(1);
  });
});

describe('a full queue', () => {
  test('a new sign-in replaces the one that would be served last', async () => {
    const queue = aQueue(128);
    times(200, () => queue.enqueue('flood', signIn('owner', 'one')));
    queue.enqueue('other', signIn('manager', 'third'));
    await queue.runAll();
    expect(queue.served.filter((name) => name === 'flood')).toHaveLength(127);
    expect(queue.positionOf('other')).toBeLessThanOrEqual(2);
    expect(queue.refused).toEqual(Array(73).fill('flood'));
  });

  test('a known device replaces an unknown one, never the reverse', async () => {
    const queue = aQueue(3);
    times(3, (at) => queue.enqueue(`unknown ${at}`, signIn(`${at}`, `${at}`)));
    times(3, (at) => queue.enqueue(`known ${at}`, signIn(`${at}`, `device ${at}`, true)));
    queue.enqueue('late', signIn('late', 'late'));
    await queue.runAll();
    expect(queue.served.toSorted()).toEqual(['known 0', 'known 1', 'known 2']);
    expect(queue.refused.toSorted()).toEqual(['late', 'unknown 0', 'unknown 1', 'unknown 2']);
  });

  test('a failed sign-in frees its place like a successful one', async () => {
    const queue = new SignInQueue({ atOnce: 2, maxWaiting: 10 });
    const tries = Array.from({ length: 8 }, (_, at) =>
      queue.enter(signIn(`${at}`, `${at}`), () =>
        at % 2 === 0 ? Promise.reject(new Error('wrong')) : Promise.resolve(at),
      ),
    );
    const ends = await Promise.allSettled(tries);
    expect(ends.map(({ status }) => status)).toEqual(
      Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? 'rejected' : 'fulfilled')),
    );
    expect(await queue.enter(signIn('after', 'after'), () => Promise.resolve('in'))).toBe('in');
  });
});

test('known devices come first, and no address or account is served twice before an unserved one', async () => {
  const who = fc.record({
    account: fc.integer({ min: 0, max: 4 }),
    source: fc.integer({ min: 0, max: 4 }),
    isKnown: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(who, { maxLength: 60 }), async (all) => {
      const queue = aQueue();
      all.forEach(({ account, source, isKnown }, at) =>
        queue.enqueue(`${at}`, signIn(`${account}`, `${source}`, isKnown)),
      );
      const order = (await queue.runAll()).map((name) => all[Number(name)]);
      expect(order).toHaveLength(all.length);
      const known = order.map((one) => one?.isKnown === true);
      expect(known).toEqual(known.toSorted((a, b) => Number(b) - Number(a)));
      // The first of both its account and its source comes before any second of either.
      for (const isKnown of [true, false]) {
        const group = order.filter((one) => one?.isKnown === isKnown);
        const came = all.filter((one) => one.isKnown === isKnown);
        const fresh = came.filter(
          (one, at) =>
            !came
              .slice(0, at)
              .some(({ account, source }) => account === one.account || source === one.source),
        );
        for (const one of fresh) expect(group.indexOf(one)).toBeLessThan(fresh.length);
      }
    }),
    { numRuns: 200 },
  );
});
