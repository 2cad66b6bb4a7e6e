/** Metrics of several worker processes on one port. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMetrics, serveMetrics, type Metrics } from '../../src/doors/http/metrics.ts';
import { MergedMetrics } from '../../src/doors/http/metrics/merged-metrics.ts';
import { mergedText, type MetricsSnapshot } from '../../src/doors/http/metrics/snapshot.ts';
import { manualTimers, deferred } from '../support/background/manual-timers.ts';
import { httpRequest } from '../support/server/http-client.ts';
import { parsePrometheus } from '../support/server/prometheus-text.ts';

const ANSWER_MS = 7_000;

/** As `process.send` carries it. */
const sent = async (metrics: Metrics): Promise<MetricsSnapshot> =>
  JSON.parse(JSON.stringify(await metrics.snapshot())) as MetricsSnapshot;

const mergedOf = async (...all: readonly Metrics[]) =>
  parsePrometheus(await mergedText(await Promise.all(all.map(sent))));

const samplesOf = async (metrics: MergedMetrics): Promise<ReadonlyMap<string, number>> =>
  parsePrometheus(await metrics.text()).samples;

const DURATION_SUM = 'ahwa_http_request_duration_seconds_sum{operation="menu"}';
const MENUS = 'ahwa_http_requests_total{operation="menu",status="200"}';

/** A worker that has answered so many requests, each in so many milliseconds. */
const aWorker = (menus = 0, ms = 1): Metrics => {
  const metrics = createMetrics();
  for (let menu = 0; menu < menus; menu += 1) metrics.answered('menu', 200, ms);
  return metrics;
};

describe('the text of several processes', () => {
  interface Call {
    readonly operation: string;
    readonly status: number;
    /** In 1,024ths of a second, so that sums are exact. */
    readonly parts: number;
    readonly outcome: 'hit' | 'miss';
    readonly bytes: number;
  }

  const traffic: fc.Arbitrary<readonly Call[]> = fc.array(
    fc.record({
      operation: fc.constantFrom('menu', 'links', 'quote', 'unknown'),
      status: fc.constantFrom(200, 304, 404, 503),
      parts: fc.nat(16_000),
      outcome: fc.constantFrom('hit', 'miss'),
      bytes: fc.nat(100_000),
    }),
  );

  const take = (metrics: Metrics, { operation, status, parts, outcome, bytes }: Call): void => {
    metrics.answered(operation, status, (parts / 1_024) * 1_000);
    metrics.published(outcome, bytes);
    metrics.called(operation, outcome);
  };

  const ofAhwa = ({ samples }: ReturnType<typeof parsePrometheus>): object =>
    Object.fromEntries(
      [...samples].filter(([series]) => series.startsWith('ahwa_')).sort(([a], [b]) => (a < b ? -1 : 1)),
    );

  test('is that of one process with the traffic of all', async () => {
    const [one, first, second, third] = [aWorker(), aWorker(), aWorker(), aWorker()];
    const shares = fc.tuple(traffic, traffic, traffic);
    await fc.assert(
      // Each run adds to the traffic of those before it.
      fc.asyncProperty(shares, async ([ofFirst, ofSecond, ofThird]) => {
        for (const call of [...ofFirst, ...ofSecond, ...ofThird]) take(one, call);
        for (const call of ofFirst) take(first, call);
        for (const call of ofSecond) take(second, call);
        for (const call of ofThird) take(third, call);
        const merged = await mergedOf(first, second, third);
        expect(ofAhwa(merged)).toEqual(ofAhwa(parsePrometheus(await one.text())));
      }),
      { numRuns: 40 },
    );
  });

  test('names every metric that one process prints, with the same type', async () => {
    const [first, second] = [aWorker(1), aWorker(1)];
    const { types } = parsePrometheus(await first.text());
    expect((await mergedOf(first, second)).types).toEqual(types);
    expect(types.get('process_start_time_seconds')).toBe('gauge');
  });

  test('adds gauges of the process up, and has those of the service once', async () => {
    const workers = [aWorker(), aWorker()];
    workers.forEach((metrics, index) => {
      metrics.gauge('ahwa_connections', 'Open.', 'process', () => 3 + index);
      metrics.gauge('ahwa_sending', 'On.', 'service', () => 1);
      metrics.gauges('ahwa_open', 'Open.', 'service', 'status', () =>
        Promise.resolve({ received: 8 - index, ready: 2 }),
      );
    });
    const { samples } = await mergedOf(...workers);
    expect(samples.get('ahwa_connections')).toBe(7);
    expect(samples.get('ahwa_sending')).toBe(1);
    expect(samples.get('ahwa_open{status="received"}')).toBe(8);
    expect(samples.get('ahwa_open{status="ready"}')).toBe(2);
  });

  test('has metrics and samples that only one of them has', async () => {
    const [first, second] = [aWorker(), aWorker()];
    second.counters('ahwa_failures_total', 'Failures.', 'kind', () => ({ message: 2 }));
    first.gauges('ahwa_open', 'Open.', 'service', 'status', () => Promise.reject(new Error('no database')));
    second.gauges('ahwa_open', 'Open.', 'service', 'status', () => Promise.resolve({ ready: 4 }));
    const { samples } = await mergedOf(first, second);
    expect(samples.get('ahwa_failures_total{kind="message"}')).toBe(2);
    expect(samples.get('ahwa_open{status="ready"}')).toBe(4);
  });

  test('has the memory of all, the lag of the slowest and the start of the first', async () => {
    const snapshots = await Promise.all([aWorker(), aWorker()].map(sent));
    const valueIn = (name: string, { node }: MetricsSnapshot): number =>
      node.find((metric) => metric.name === name)?.values[0]?.value ?? 0;
    const set = (name: string, figures: readonly number[]): void =>
      snapshots.forEach((snapshot, index) => {
        snapshots[index] = {
          ...snapshot,
          node: snapshot.node.map((metric) =>
            metric.name === name
              ? { ...metric, values: [{ value: figures[index] ?? 0, labels: {} }] }
              : metric,
          ),
        };
      });
    set('nodejs_eventloop_lag_p99_seconds', [0.01, 0.9]);
    set('process_start_time_seconds', [200, 100]);
    const { samples } = parsePrometheus(await mergedText(snapshots));
    expect(samples.get('nodejs_eventloop_lag_p99_seconds')).toBe(0.9);
    expect(samples.get('process_start_time_seconds')).toBe(100);
    expect(samples.get('process_resident_memory_bytes')).toBe(
      snapshots.reduce((sum, snapshot) => sum + valueIn('process_resident_memory_bytes', snapshot), 0),
    );
  });

  test('leaves figures that are no number out', async () => {
    const worker = aWorker();
    worker.gauge('ahwa_ratio', 'Of nothing.', 'process', () => NaN);
    const { samples, types } = await mergedOf(worker, aWorker());
    expect([types.get('ahwa_ratio'), samples.has('ahwa_ratio')]).toEqual(['gauge', false]);
  });
});

describe('the metrics of workers', () => {
  const merging = () => {
    const clock = manualTimers();
    return { merged: new MergedMetrics(clock.timers, 2), giveUp: () => clock.fire(ANSWER_MS), clock };
  };

  const never = (): Promise<MetricsSnapshot> => deferred<MetricsSnapshot>().promise;

  test('are served on one port with the number of those that answered', async () => {
    const { merged, clock } = merging();
    merged.add(1, () => sent(aWorker(2)));
    merged.add(2, () => sent(aWorker(3)));
    const server = await serveMetrics(merged, { port: 0, host: '127.0.0.1' });
    const { text, headers } = await httpRequest(server.port, '/metrics');
    await server.close();
    const { samples } = parsePrometheus(text);
    expect([samples.get(MENUS), samples.get('ahwa_workers')]).toEqual([5, 2]);
    expect(headers['content-type']).toBe(aWorker().contentType);
    expect(clock.pending()).toEqual([]);
  });

  test('are printed before the first worker has come', async () => {
    expect(await samplesOf(merging().merged)).toEqual(
      new Map([
        ['ahwa_workers_configured', 2],
        ['ahwa_workers', 0],
      ]),
    );
  });

  test('are the last known ones of a worker that does not answer, without its view of the service', async () => {
    const { merged, giveUp } = merging();
    const [silent, other] = [aWorker(2), aWorker(3)];
    silent.gauge('ahwa_open', 'Open orders.', 'service', () => 9);
    silent.gauge('ahwa_connections', 'Open connections.', 'process', () => 4);
    other.gauge('ahwa_open', 'Open orders.', 'service', () => 6);
    let isSilent = false;
    merged.add(1, () => (isSilent ? never() : sent(silent)));
    merged.add(2, () => sent(other));
    const figures = async (text: Promise<string>) => {
      const { samples } = parsePrometheus(await text);
      return [MENUS, 'ahwa_open', 'ahwa_connections', 'ahwa_workers'].map((name) => samples.get(name));
    };
    expect(await figures(merged.text())).toEqual([5, 9, 4, 2]);
    isSilent = true;
    other.answered('menu', 200, 1);
    const scrape = merged.text();
    await nextTurn();
    giveUp();
    expect(await figures(scrape)).toEqual([6, 6, 4, 1]);
  });

  test('are printed without a worker that never answered, or whose channel is closed', async () => {
    const { merged, giveUp } = merging();
    merged.add(1, never);
    merged.add(2, () => Promise.reject(new Error('channel closed')));
    merged.add(3, () => {
      throw new Error('channel closed');
    });
    merged.add(4, () => sent(aWorker(3)));
    const scrape = merged.text();
    await nextTurn();
    giveUp();
    const { samples } = parsePrometheus(await scrape);
    expect([samples.get(MENUS), samples.get('ahwa_workers')]).toEqual([3, 1]);
  });

  test('of a late answer count at the next scrape, unless a later one came first', async () => {
    const { merged, giveUp } = merging();
    const asked: ReturnType<typeof deferred<MetricsSnapshot>>[] = [];
    merged.add(1, () => {
      const answer = deferred<MetricsSnapshot>();
      asked.push(answer);
      return answer.promise;
    });
    const menus = async (answers: () => void | Promise<void>): Promise<number | undefined> => {
      const scrape = merged.text();
      await answers();
      await nextTurn();
      giveUp();
      return parsePrometheus(await scrape).samples.get(MENUS);
    };
    const answer = async (scrape: number, count: number): Promise<void> =>
      asked[scrape]?.resolve(await sent(aWorker(count)));
    expect(await menus(() => undefined)).toBe(undefined);
    expect(await menus(() => answer(0, 5))).toBe(5);
    expect(await menus(() => answer(2, 8))).toBe(8);
    expect(await menus(() => answer(1, 6))).toBe(8);
  });

  test('are asked for once by two scrapes at the same time, and anew by the next', async () => {
    const { merged } = merging();
    const worker = aWorker(1);
    let asked = 0;
    merged.add(1, () => {
      asked += 1;
      return sent(worker);
    });
    const [first, second] = await Promise.all([merged.text(), merged.text()]);
    expect([asked, first === second]).toEqual([1, true]);
    worker.answered('menu', 200, 1);
    expect([(await samplesOf(merged)).get(MENUS), asked]).toEqual([2, 2]);
  });

  test('keep counters and histograms of a removed worker, and not its gauges', async () => {
    const { merged } = merging();
    const worker = aWorker(2, 500);
    worker.gauge('ahwa_connections', 'Open connections.', 'process', () => 4);
    merged.add(1, () => sent(worker));
    await merged.text();
    merged.remove(1);
    merged.add(2, () => sent(aWorker(1, 500)));
    const samples = await samplesOf(merged);
    expect([samples.get(MENUS), samples.get(DURATION_SUM)]).toEqual([3, 1.5]);
    expect([samples.has('ahwa_connections'), samples.get('ahwa_workers')]).toEqual([false, 1]);
  });

  test('have a worker once that is removed while it is asked', async () => {
    const { merged } = merging();
    const gate = deferred();
    let isLate = false;
    merged.add(1, () => sent(aWorker(2)));
    merged.add(2, async () => {
      if (isLate) await gate.promise;
      return sent(aWorker(3));
    });
    await merged.text();
    isLate = true;
    const scrape = merged.text();
    await nextTurn();
    merged.remove(1);
    gate.resolve();
    expect(parsePrometheus(await scrape).samples.get(MENUS)).toBe(5);
  });
});

describe('totals', () => {
  /** What has fallen from one scrape to the next. */
  const fallen = (before: string, after: string): readonly string[] => {
    const { types, samples } = parsePrometheus(before);
    const now = parsePrometheus(after).samples;
    return [...samples]
      .filter(([series]) => types.get(series.replace(/(_bucket|_sum|_count)?(\{.*)?$/, '')) !== 'gauge')
      .filter(([series, value]) => (now.get(series) ?? -1) < value)
      .map(([series]) => series);
  };

  test('do not fall by a rounding error, whichever worker is removed first', async () => {
    const merged = new MergedMetrics(manualTimers().timers, 2);
    // 0.1 + 0.2 + 0.3 is more than 0.3 + 0.2 + 0.1.
    for (const tenths of [1, 2, 3]) {
      const worker = aWorker(1, tenths * 100);
      merged.add(tenths, () => sent(worker));
    }
    let before = await merged.text();
    for (const tenths of [3, 2, 1]) {
      merged.remove(tenths);
      const after = await merged.text();
      expect(fallen(before, after)).toEqual([]);
      before = after;
    }
    expect(parsePrometheus(before).samples.get(DURATION_SUM)).toBeCloseTo(0.6, 5);
  });

  test('never fall while workers answer, are silent and are replaced in any order', async () => {
    const pool = [aWorker(), aWorker(), aWorker(), aWorker()];
    const step = fc.record({
      kind: fc.constantFrom('traffic', 'traffic', 'scrape', 'scrape', 'replace', 'silence'),
      worker: fc.nat(pool.length - 1),
      ms: fc.double({ min: 0, max: 20_000, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const clock = manualTimers();
        const merged = new MergedMetrics(clock.timers, 2);
        const silent = new Set<Metrics>();
        let answers: Promise<unknown>[] = [];
        const replace = (worker: Metrics, id: number): void =>
          merged.add(id, () => {
            if (silent.has(worker)) return deferred<MetricsSnapshot>().promise;
            const answer = sent(worker);
            answers.push(answer);
            return answer;
          });
        pool.forEach(replace);
        let before = '';
        for (const { kind, worker: id, ms } of steps) {
          const worker = pool[id] ?? aWorker();
          if (kind === 'traffic') worker.answered('menu', 200, ms);
          if (kind === 'silence' && !silent.delete(worker)) silent.add(worker);
          if (kind === 'replace') replace(worker, id);
          if (kind !== 'scrape') continue;
          answers = [];
          const scrape = merged.text();
          await Promise.all(answers);
          await nextTurn();
          clock.fire(ANSWER_MS);
          const after = await scrape;
          expect(fallen(before, after)).toEqual([]);
          before = after;
        }
      }),
      { numRuns: 30 },
    );
  });

  test('of any number of replaced workers take the memory of one', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const merged = new MergedMetrics(manualTimers().timers, 2);
    const answer = await sent(aWorker(2));
    const held: WeakRef<MetricsSnapshot>[] = [];
    const lines: number[] = [];
    for (let id = 1; id <= 300; id += 1) {
      merged.add(id, () => {
        const snapshot = structuredClone(answer);
        held.push(new WeakRef(snapshot));
        return Promise.resolve(snapshot);
      });
      lines.push((await merged.text()).split('\n').length);
      merged.remove(id);
    }
    const samples = await samplesOf(merged);
    expect([samples.get(MENUS), samples.get('ahwa_workers')]).toEqual([600, 0]);
    expect([held.length, new Set(lines.slice(1)).size]).toEqual([300, 1]);
    await nextTurn();
    collectGarbage();
    expect(held.filter((snapshot) => snapshot.deref() !== undefined)).toEqual([]);
  });
});
