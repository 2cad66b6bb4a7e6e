/**
 * An hour of every attack at once beside 20 orders a minute: `npm run soak -- siege [seconds]`. Attackers, guests and the
 * server are processes of their own; each attacker and each guest calls from an address of 127.0.0.0/8 of its own, which
 * Linux has without asking. Ends with a table, and with 1 where a goal was missed; Ctrl-C ends the siege early.
 */
import { fork } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { megabytes, millis, percentile } from '../../bench/support/figures.ts';
import { report } from '../../bench/support/report.ts';
import type { Attacked } from './siege/attacks.ts';
import type { Orders } from './siege/attackers-process.ts';
import { figuresAt } from './siege/figures.ts';
import { explore } from './siege/ground.ts';
import { openHouse, type House } from './siege/house.ts';
import { aftermathOf } from './siege/siege.ts';
import { fullSize } from './siege/sizes.ts';
import { verdictRows, type Readings } from './siege/verdict.ts';
import { liveUnder, type Victims } from './siege/victims.ts';

const AN_HOUR = 3_600;
/** How often the server's figures are read. */
const READ_MS = 5_000;
/** How soon everything that was held must be given back. */
const IDLE_MS = 60_000;

/** Failures that are told one by one. */
const MOST_FAILURES = 20;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Attack {
  attacked(): readonly Attacked[];
  end(): Promise<void>;
}

/** Resolves once the attackers are at work. `onEnd` hears when they have ended, for whatever reason. */
const attackElsewhere = async (orders: Orders, onEnd: () => void): Promise<Attack> => {
  const child = fork(join(import.meta.dirname, 'siege', 'attackers-process.ts'));
  let attacked: readonly Attacked[] = [];
  child.on('message', (told) => (attacked = told as readonly Attacked[]));
  // Attackers have machines of their own: here they must not take the processor from those who take times.
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

/** Reads the server's figures until the siege ends; says how things stand 60 times in an hour, or every 10 s. */
const watch = async (house: House, victims: Victims, seconds: number, signal: AbortSignal) => {
  const readings: Readings = { memory: [], blocked: [] };
  const began = performance.now();
  const sayEveryMs = Math.max(10, seconds / 60) * 1_000;
  for (let [readAt, sayAt] = [0, 0]; !signal.aborted; readAt += READ_MS) {
    await pause(Math.max(0, began + readAt - performance.now()), undefined, { signal }).catch(
      () => undefined,
    );
    const { gauges, memory, blocked } = await figuresAt(house.metricsPort);
    readings.memory.push(memory);
    readings.blocked.push(blocked);
    const elapsed = performance.now() - began;
    if (elapsed < sayAt) continue;
    sayAt += sayEveryMs;
    const { begun, taken, quotes, failures } = victims.suffered();
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

/** Besieges the house; gives whether every goal was met. */
const besiege = async (house: House, seconds: number): Promise<boolean> => {
  const { server, metricsPort } = house;
  const { port } = server;
  const ground = await explore(port);
  const size = fullSize();
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ending.abort());
  const stderrBefore = server.stderr().length;

  const { memory } = await figuresAt(metricsPort);
  const attack = await attackElsewhere({ port, ground, size }, () => ending.abort());
  const victims = liveUnder({ port, ground, size, signal: ending.signal });
  const timer = setTimeout(() => ending.abort(), seconds * 1_000);
  void server.ended.then(() => ending.abort());
  const readings = await watch(house, victims, seconds, ending.signal);
  clearTimeout(timer);
  const attackEnded = attack.end();
  await victims.over;
  await attackEnded;

  const suffered = victims.suffered();
  const attacked = attack.attacked();
  const seen = [suffered.seen, ...attacked.map((each) => each.seen)];
  const aftermath = await aftermathOf(server, metricsPort, seen, { patienceMs: IDLE_MS, stderrBefore });
  const rows = verdictRows(
    suffered,
    attacked,
    { ...readings, memory: [memory, ...readings.memory] },
    aftermath,
  );
  report('The siege', rows, [...suffered.failures.slice(0, MOST_FAILURES), ...aftermath.faults]);
  return rows.every(({ met }) => met !== false);
};

const seconds = Number(process.argv[2] ?? AN_HOUR);
if (!(seconds > 0) || process.argv.length > 3) {
  say('usage: npm run soak -- siege [seconds]');
  process.exitCode = 2;
} else {
  const house = await openHouse();
  try {
    say(`besieging 127.0.0.1:${house.server.port} for ${seconds} s`);
    process.exitCode = (await besiege(house, seconds)) ? 0 : 1;
  } finally {
    await house.close();
  }
}
