/** A blow while guests order, and the comparison of the ledger with the database after it. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { eventually } from '../support/programs/program.ts';
import type { Cluster } from './cluster.ts';
import { signalIfThere, type Machine } from './machine.ts';
import { bodyOf, compare, openLedger, type Comparison, type Ledger } from './orders.ts';

/** Enough orders to show that they flow. */
const SOME = 100;
const PATIENCE_MS = 120_000;

export const NOTHING_WRONG: Comparison = { lost: 0, twice: 0, unknown: 0, gaps: 0 };

/** Resolves when some more orders were acknowledged. */
type Some = () => Promise<void>;

export interface Scenario {
  readonly ledger: Ledger;
  /** Guests order before, during and after the blow, and the ledger is compared. */
  under(what: string, blow: (some: Some) => Promise<void>): Promise<{ stall: number; found: Comparison }>;
  /** The same, with nothing lost. Returns the longest time without an acknowledged order, s. */
  stall(what: string, blow: (some: Some) => Promise<void>): Promise<number>;
  /** One order that is not repeated. */
  orderOnce(machine: Machine): Promise<Response>;
}

/** Longer than the leader key lives. */
const FROZEN_MS = 35_000;
/** Longer than a round of Patroni. */
const A_ROUND_MS = 6_000;

/** To those that are still there: an ended PostgreSQL takes its other processes with it. */
export const signalAll = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids) signalIfThere(pid, signal);
};

/** Freezes the Patroni of the primary, and wakes it when another machine has become the primary. */
export const freezePatroni = async (cluster: Cluster, primary: Machine): Promise<void> => {
  primary.signal('patroni', 'SIGSTOP');
  await Promise.all([cluster.successorOf(primary), pause(FROZEN_MS)]);
  primary.signal('patroni', 'SIGCONT');
};

/**
 * The same in the middle of a round: PostgreSQL is frozen first, so that Patroni has read who is the primary, and waits
 * for PostgreSQL before it renews its leader key.
 */
export const freezeInRound = async (cluster: Cluster, primary: Machine): Promise<void> => {
  const frozen = primary.postgres();
  signalAll(frozen, 'SIGSTOP');
  await pause(A_ROUND_MS);
  await freezePatroni(cluster, primary);
  signalAll(frozen, 'SIGCONT');
};

export const openScenario = (cluster: Cluster): Scenario => {
  const ledger = openLedger();
  const under: Scenario['under'] = async (what, blow) => {
    const guests = ledger.begin(cluster.servers);
    const some = async (): Promise<void> => {
      const enough = guests.acknowledged() + SOME;
      await eventually(() => (guests.acknowledged() >= enough ? true : null), 'orders', PATIENCE_MS);
    };
    await some();
    const [from, before] = [performance.now(), ledger.orders.size];
    await blow(some);
    await some();
    const stall = ledger.longestStall(from) / 1_000;
    await guests.stop();
    const found = await cluster.asOwner((client) => compare(client, ledger.orders));
    const { lost, twice, unknown, gaps } = found;
    process.stdout.write(
      `${what}: ${stall.toFixed(1)} s without an order; lost ${lost} of ${ledger.orders.size}, twice ${twice}, unknown ${unknown}, gaps ${gaps}; ${ledger.orders.size - before} orders meanwhile\n`,
    );
    return { stall, found };
  };
  return {
    ...{ ledger, under },
    stall: async (what, blow) => {
      const { stall, found } = await under(what, blow);
      expect(found).toEqual(NOTHING_WRONG);
      return stall;
    },
    orderOnce: ({ address }) =>
      fetch(`http://${address}:8080/public/delivery-orders`, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: bodyOf(1, 1) },
      }),
  };
};
