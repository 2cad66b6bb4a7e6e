/** Whatever the line does, and wherever the process ends: no event is lost, doubled without need, or out of order. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openFileStore } from '../../src/client/till/node/file-store.ts';
import {
  ForgetfulServer,
  isMalformed,
  isRefused,
  Till,
  type AnswerKind,
  type CrashMoment,
  type Life,
} from '../support/sync/crashing-till.ts';
import { numbersOf } from '../support/sync/till-events.ts';
import { aPath } from '../support/sync/till-queue.ts';

const answer = fc.constantFrom<AnswerKind>(
  ...([
    'whole',
    'whole',
    'partial',
    'turned round',
    'repeated',
    'lost',
    'away',
    'busy',
    'logged out',
  ] as const),
);

const life: fc.Arbitrary<Life> = fc.record({
  adds: fc.integer({ min: 0, max: 12 }),
  isSlow: fc.boolean(),
  crashAt: fc.integer({ min: 1, max: 40 }),
  moment: fc.constantFrom<CrashMoment>('before', 'during', 'after'),
  part: fc.double({ min: 0, max: 1, noNaN: true }),
});

const QUIET: Life = { adds: 1, isSlow: false, crashAt: 0, moment: 'before', part: 0 };

const ascending = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);

const whatIsLeft = async (path: string) => {
  const store = await openFileStore(path);
  const left = {
    waiting: numbersOf(await store.waiting()),
    refused: numbersOf((await store.refused()).map(({ event }) => event)),
  };
  await store.close();
  return left;
};

test('any answers and any crashes: each event arrives once, in order, or is set aside', async () => {
  const counts = { crashedWithWaiting: 0, sentTwice: 0, setAside: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(life, { minLength: 1, maxLength: 6 }),
      fc.array(answer, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 2, max: 30 }),
      async (lives, script, deadLines) => {
        const server = new ForgetfulServer(script);
        const till = new Till(aPath(), server);
        for (const each of lives) {
          await till.live(each, deadLines);
          if ((await whatIsLeft(till.path)).waiting.length > 0) counts.crashedWithWaiting += 1;
        }
        server.isWell = true;
        await till.live(QUIET, deadLines);

        const { waiting, refused } = await whatIsLeft(till.path);
        const arrived = [...server.seen];
        expect(waiting).toEqual([]);
        const isBad = (number: number): boolean => isMalformed(number) || isRefused(number);
        // None is lost, and none is set aside without a reason.
        expect(till.acknowledged.filter((number) => !isBad(number) && !server.seen.has(number))).toEqual([]);
        expect(till.acknowledged.filter((number) => isBad(number) && !refused.includes(number))).toEqual([]);
        expect(refused.filter((number) => !isBad(number))).toEqual([]);
        // In order: each request, and what arrived.
        expect(arrived).toEqual(ascending(arrived));
        expect(refused).toEqual(ascending(refused));
        for (const request of server.requests) expect(request).toEqual(ascending(request));
        // None is sent after its removal was durable.
        expect(till.sentAgain).toEqual([]);

        const all = server.requests.flat();
        counts.sentTwice += all.length - new Set(all).size;
        counts.setAside += refused.length;
      },
    ),
    { numRuns: 200 },
  );
  // The cases are not empty ones.
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(100);
});
