import { expect, test } from 'vitest';
import { createSecurityEvents } from '../../adapters/security-events.ts';
import { EventAggregator } from './event-aggregator.ts';

const aTally = () => {
  const lines: object[] = [];
  const security = createSecurityEvents({ warn: (fields) => lines.push(fields) });
  let due: (() => void) | null = null;
  const timers = {
    after: (_: number, work: () => void) => {
      due = work;
      return () => undefined;
    },
  };
  const minutePasses = (): void => {
    const work = due;
    due = null;
    work?.();
  };
  return { lines, security, tally: new EventAggregator(security, timers), minutePasses };
};

test('the first event is logged at once, its repeats within a minute as one line', () => {
  const { lines, security, tally, minutePasses } = aTally();
  for (let n = 0; n < 5; n += 1) tally.record('code_wrong', { client: '192.0.2.7' });
  tally.record('code_wrong', { client: '192.0.2.8' });
  minutePasses();
  tally.record('code_wrong', { client: '192.0.2.7' });
  expect(lines).toEqual([
    { security: 'code_wrong', client: '192.0.2.7' },
    { security: 'code_wrong', client: '192.0.2.8' },
    { security: 'code_wrong', client: '192.0.2.7', times: 4 },
    { security: 'code_wrong', client: '192.0.2.7' },
  ]);
  expect(security.counts.code_wrong).toBe(7);
});

test('at most 1,000 clients a minute are logged separately; all events are counted', () => {
  const { lines, security, tally, minutePasses } = aTally();
  for (let n = 0; n < 3_000; n += 1) tally.record('code_wrong', { client: `client ${n}` });
  minutePasses();
  expect(lines).toHaveLength(1_002);
  expect(lines.at(-1)).toEqual({ security: 'code_wrong', times: 1_999 });
  expect(security.counts.code_wrong).toBe(3_000);
});
