/** A small siege; `npm run soak -- siege` is the full one and measures times. */
import { setMaxListeners } from 'node:events';
import { expect, test } from 'vitest';
import { worstShop } from '../../bench/support/worst-bodies.ts';
import type { Siege } from '../soak/siege/attack.ts';
import { startAttacks } from '../soak/siege/attacks.ts';
import { CLOCK_START, readDemoFixture } from '../soak/siege/demo-fixture.ts';
import { aftermathOf } from '../soak/siege/siege.ts';
import { smallSize } from '../soak/siege/sizes.ts';
import { startLegitimateClients } from '../soak/siege/legitimate-clients.ts';
import { freePort } from '../support/programs/free-port.ts';
import { useProgram, eventually } from '../support/programs/program.ts';

const bench = useProgram('file', 'shared');

/** Minimum number of guests. */
const GUESTS = 12;

test('under all attacks at once every guest order is delivered and no resource stays held', async () => {
  const metricsPort = await freePort();
  const messages = { OTP_SENDER: 'file', OTP_FILE: `${bench.dataDir()}/messages.jsonl` };
  const settings = { DEMO: 'true', CLOCK_START, METRICS_PORT: String(metricsPort), ...messages };
  const server = await bench.serve(settings);
  const imported = await bench.ahwa(['import', '-'], {}, JSON.stringify(worstShop()));
  expect([imported.code, imported.stderr]).toEqual([0, expect.any(String)]);
  const stderrBefore = server.stderr().length;

  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const { port } = server;
  const siege: Siege = { port, size: smallSize(), signal: ending.signal, demo: await readDemoFixture(port) };
  const attackers = startAttacks(siege);
  const clients = startLegitimateClients(siege);
  const isFelt = (): true | null => {
    const silent = attackers.attacked().filter((attack) => !attack.isFelt);
    return silent.length === 0 && clients.suffered().taken.length >= GUESTS ? true : null;
  };
  try {
    await Promise.race([eventually(isFelt, 'every attack to be felt', 90_000), attackers.over, clients.over]);
  } finally {
    ending.abort();
  }
  await Promise.all([attackers.over, clients.over]);

  const { begun, taken, delivered, failures, seen } = clients.suffered();
  expect(failures).toEqual([]);
  expect([taken.length, delivered]).toEqual([begun, begun]);
  const everySeen = [seen, ...attackers.attacked().map((attacked) => attacked.seen)];
  const { faults } = await aftermathOf(server, metricsPort, everySeen, { patienceMs: 30_000, stderrBefore });
  expect(faults).toEqual([]);
  expect(server.hasEnded()).toBe(false);
}, 180_000);
