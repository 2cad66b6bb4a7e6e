/**
 * All attacks at once beside 20 orders a minute, for an hour: `npm run soak -- siege [seconds]`. Attackers, clients and
 * server are separate processes; each attacker and client has its own address in 127.0.0.0/8, which only Linux
 * provides. Prints a table and exits with 1 when a goal is missed; Ctrl-C ends the siege early.
 */
import { fork } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { megabytes, millis, percentile } from '../../bench/support/figures.ts';
import { report } from '../../bench/support/report.ts';
import type { AttackResult } from './siege/attacks.ts';
import type { Orders } from './siege/attackers-process.ts';
import { readMetrics } from './siege/metrics.ts';
import { readDemoFixture } from './siege/demo-fixture.ts';
import { openSiegeServer, type SiegeServer } from './siege/server-fixture.ts';
import { aftermathOf } from './siege/siege.ts';
import { fullSize } from './siege/sizes.ts';
import { verdictRows, type Readings } from './siege/verdict.ts';
import { startLegitimateClients, type LegitimateClients } from './siege/legitimate-clients.ts';

const AN_HOUR = 3_600;
/** The interval of the metrics samples. */
const READ_MS = 5_000;
/** The server must be idle this long after the siege. */
const IDLE_MS = 60_000;

/** Failures that are printed one by one. */
const MAX_PRINTED_FAILURES = 20;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Attack {
  attacked(): readonly AttackResult[];
  end(): Promise<void>;
}

/** Resolves once the attacks run. `onEnd` is called when their process ends. */
const attackElsewhere = async (orders: Orders, onEnd: () => void): Promise<Attack> => {
  const child = fork(join(import.meta.dirname, 'siege', 'attackers-process.ts'));
  let attacked: readonly AttackResult[] = [];
  child.on('message', (told) => (attacked = told as readonly AttackResult[]));
  // Real attackers use other machines: a low priority leaves the CPU to the measured processes.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  child.send(orders);
  const ended = once(child, 'exit');
  void ended.then(onEnd);
  await Promise.race([once(child, 'message'), ended]);
  return {
    attacked: () => attacked,
    end: async () => {
      if (child.connected) child.send('end');
      await ended;
    },
  };
};

/** Samples the metrics until the siege ends; prints the state 60 times per hour, at most every 10 s. */
const watch = async (
  fixture: SiegeServer,
  clients: LegitimateClients,
  seconds: number,
  signal: AbortSignal,
) => {
  const readings: Readings = { memory: [], blocked: [] };
  const began = performance.now();
  const sayEveryMs = Math.max(10, seconds / 60) * 1_000;
  for (let [readAt, sayAt] = [0, 0]; !signal.aborted; readAt += READ_MS) {
    await pause(Math.max(0, began + readAt - performance.now()), undefined, { signal }).catch(
      () => undefined,
    );
    const { gauges, memory, blocked } = await readMetrics(fixture.metricsPort);
    readings.memory.push(memory);
    readings.blocked.push(blocked);
    const elapsed = performance.now() - began;
    if (elapsed < sayAt) continue;
    sayAt += sayEveryMs;
    const { begun, taken, quotes, failures } = clients.suffered();
    say(
      [
        `${Math.round(elapsed / 1_000)} s`,
        `orders ${taken.length} of ${begun}, p99 ${millis(percentile(taken, 0.99))}`,
        `quotes p99 ${millis(percentile(quotes, 0.99))}`,
        `${gauges.ahwa_http_connections} connections, ${megabytes(memory)}, loop ${millis(blocked)}`,
        `${failures.length} failures`,
      ].join('; '),
    );
  }
  return readings;
};

/** Returns whether every goal was met. */
const besiege = async (fixture: SiegeServer, seconds: number): Promise<boolean> => {
  const { server, metricsPort } = fixture;
  const { port } = server;
  const demo = await readDemoFixture(port);
  const size = fullSize();
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ending.abort());
  const stderrBefore = server.stderr().length;

  const { memory } = await readMetrics(metricsPort);
  const attack = await attackElsewhere({ port, demo, size }, () => ending.abort());
  const clients = startLegitimateClients({ port, demo, size, signal: ending.signal });
  const timer = setTimeout(() => ending.abort(), seconds * 1_000);
  void server.ended.then(() => ending.abort());
  const readings = await watch(fixture, clients, seconds, ending.signal);
  clearTimeout(timer);
  const attackEnded = attack.end();
  await clients.over;
  await attackEnded;

  const suffered = clients.suffered();
  const attacked = attack.attacked();
  const seen = [suffered.seen, ...attacked.map((each) => each.seen)];
  const aftermath = await aftermathOf(server, metricsPort, seen, { patienceMs: IDLE_MS, stderrBefore });
  const rows = verdictRows(
    suffered,
    attacked,
    { ...readings, memory: [memory, ...readings.memory] },
    aftermath,
  );
  report('The siege', rows, [...suffered.failures.slice(0, MAX_PRINTED_FAILURES), ...aftermath.faults]);
  return rows.every(({ met }) => met !== false);
};

const seconds = Number(process.argv[2] ?? AN_HOUR);
if (!(seconds > 0) || process.argv.length > 3) {
  say('usage: npm run soak -- siege [seconds]');
  process.exitCode = 2;
} else {
  const fixture = await openSiegeServer();
  try {
    say(`besieging 127.0.0.1:${fixture.server.port} for ${seconds} s`);
    process.exitCode = (await besiege(fixture, seconds)) ? 0 : 1;
  } finally {
    await fixture.close();
  }
}
