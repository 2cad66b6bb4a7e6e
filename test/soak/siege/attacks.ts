/** Runs all attacks, each from its own addresses. */
import { Attacker, type Attack, type Siege } from './attack.ts';
import { heavyCarts, oddJson, slowReaders, tinyChunks, unreadBodies } from './attacks/bodies.ts';
import { differentNames, readiness, unknownNames } from './attacks/floods.ts';
import { passwordFlood, pinGuessing } from './attacks/guessing.ts';
import { halfBodies } from './attacks/half-bodies.ts';
import { idleConnections } from './attacks/idle-connections.ts';
import { pipelinedReads, pipelining } from './attacks/pipelining.ts';
import { codesForTypedPhones, ordersOfTypedPhones } from './attacks/typed-phones.ts';
import type { TallyCounts } from './tally.ts';

const ATTACKS: readonly Attack[] = [
  ...[pipelining, pipelinedReads, halfBodies, idleConnections, slowReaders],
  ...[pinGuessing, passwordFlood, codesForTypedPhones, ordersOfTypedPhones],
  ...[heavyCarts, oddJson, tinyChunks, unreadBodies],
  ...[differentNames, readiness, unknownNames],
];

/** The third octet of the first attack's addresses; tests use the lower ones. */
const FIRST_NET = 10;

export interface AttackResult {
  readonly name: string;
  readonly seen: TallyCounts;
  /** Whether it reached its bound: an attack without effect proves nothing. */
  readonly isFelt: boolean;
}

export interface RunningAttacks {
  /** Results so far. */
  attacked(): readonly AttackResult[];
  /** Resolves when the siege ends; rejects when an attack throws. */
  readonly over: Promise<void>;
}

export const startAttacks = (siege: Siege): RunningAttacks => {
  const attackers = ATTACKS.map((attack, index) => ({
    attack,
    attacker: new Attacker(siege, FIRST_NET + index),
  }));
  return {
    attacked: () =>
      attackers.map(({ attack: { name, bound }, attacker }) => {
        const seen = attacker.tally.all();
        return { name, seen, isFelt: bound.some((what) => (seen[what] ?? 0) > 0) };
      }),
    over: Promise.all(attackers.map(({ attack, attacker }) => attack.run(attacker))).then(() => undefined),
  };
};
