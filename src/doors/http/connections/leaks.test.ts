import { expect, test } from 'vitest';
import { createLeakWatch } from './leaks.ts';

const NOTHING = {
  ...{ permits: 0, bodies: 0, bytes: 0, waiting: 0, inFlight: 0, queuedBytes: 0 },
  ...{ open: 0, closed: 0 },
};

const NOTHING_COUNTED = {
  ...{ permits: 0, stuck: 0, bodies: 0, bytes: 0, requests: 0, queuedBytes: 0 },
  ...{ inFlight: 0, open: 0 },
};

const watch = () => {
  /** The shared resources' counts, and those of the connections. */
  const counted = { ...NOTHING_COUNTED };
  const found = { ...NOTHING };
  const lines: string[] = [];
  const note = (fields: object, message: string) => lines.push(`${message} ${JSON.stringify(fields)}`);
  const leaks = createLeakWatch({
    server: { getConnections: (callback) => callback(null, counted.open) },
    connections: { held: () => found },
    concurrencyLimit: { held: () => counted.permits, stuck: () => counted.stuck },
    pipeline: { counts: () => ({ requests: counted.requests, bytes: counted.queuedBytes, cut: 0 }) },
    inFlight: { held: () => counted.inFlight },
    bodies: { counts: () => ({ bodies: counted.bodies, bytes: counted.bytes, cut: 0 }) },
    log: { info: note, warn: note, error: note },
  });
  return { counted, found, lines, leaks };
};

test.each([
  [{ permits: 1 }, {}, 'permits: 1 counted, 0 found'],
  [{ permits: 51, open: 70 }, { permits: 1, open: 70 }, 'permits: 51 counted, 1 found'],
  [{ bodies: 3 }, { bodies: 2 }, 'arriving bodies: 3 counted, 2 found'],
  [{ requests: 9 }, {}, 'queued requests: 9 counted, 0 found'],
  [{ open: 2 }, { open: 1 }, 'open connections: 1 counted, 2 found'],
  [{}, { closed: 1 }, 'closed connections: 1 counted, 0 found'],
  [{ bytes: 70 }, {}, 'body bytes: 70 counted, 0 found'],
  [{ stuck: 3 }, {}, 'abandoned requests: 3 counted, 0 found'],
  [{ inFlight: 2 }, { inFlight: 1 }, 'requests under way: 2 counted, 1 found'],
  [{ queuedBytes: 9 }, {}, 'queued bytes: 9 counted, 0 found'],
])(
  '%j counted where connections hold %j, found twice in a row, is a leak, logged once',
  (more, less, sentence) => {
    const { counted, found, lines, leaks } = watch();
    leaks.check();
    Object.assign(counted, more);
    Object.assign(found, less);
    leaks.check();
    expect(leaks.fault()).toBeNull();
    leaks.check();
    leaks.check();
    expect(leaks.fault()).toBe(sentence);
    expect(lines).toEqual([
      `resources of ended requests are not released ${JSON.stringify({ leak: sentence })}`,
    ]);
    Object.assign(counted, NOTHING_COUNTED);
    Object.assign(found, NOTHING);
    leaks.check();
    expect(leaks.fault()).toBeNull();
    expect(lines).toHaveLength(2);
  },
);

test('resources that connections hold are not a leak', () => {
  const { counted, found, lines, leaks } = watch();
  Object.assign(counted, { permits: 5, bodies: 5, bytes: 9, requests: 7, open: 6 });
  Object.assign(found, { permits: 5, bodies: 5, bytes: 9, waiting: 7, open: 6 });
  for (let times = 0; times < 3; times += 1) leaks.check();
  expect([leaks.fault(), lines]).toEqual([null, []]);
});
