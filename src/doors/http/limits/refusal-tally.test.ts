import { expect, test } from 'vitest';
import type { SecurityFacts } from '../../../platform/domain/security-event.ts';
import { createRefusalTally } from './refusal-tally.ts';

const tally = () => {
  const recorded: (readonly [SecurityFacts, number])[] = [];
  const refusals = createRefusalTally({
    record: (_, facts = {}, times = 1) => recorded.push([facts, times]),
    counts: {} as never,
  });
  return { recorded, refusals };
};

test('refusals are recorded by client and status, and each record resets the counts', () => {
  const { recorded, refusals } = tally();
  for (const status of [401, 429, 429, 404, 200, 503, 400]) refusals.add('192.0.2.1', status);
  refusals.add('192.0.2.2', 403);
  refusals.record();
  refusals.record();
  expect(recorded).toEqual([
    [{ client: '192.0.2.1', status: 429, count: 2 }, 2],
    [{ client: '192.0.2.1', status: 401, count: 1 }, 1],
    [{ client: '192.0.2.2', status: 403, count: 1 }, 1],
  ]);
});

test('the clients with the most refusals are named, all others are counted together', () => {
  const { recorded, refusals } = tally();
  for (let client = 0; client < 20_000; client += 1) refusals.add(`client ${client}`, 429);
  for (let times = 0; times < 5; times += 1) refusals.add('client 7', 429);
  refusals.record();
  expect(recorded).toHaveLength(20);
  expect(recorded[0]).toEqual([{ client: 'others', status: 429, count: 19_981 }, 19_981]);
  expect(recorded[1]).toEqual([{ client: 'client 7', status: 429, count: 6 }, 6]);
});
