/** All attacks of the siege, each from addresses of its own. */
import { Attacker, type Attack, type Siege } from './attack.ts';
import { heavyCarts, oddJson, slowReaders, tinyChunks, unreadBodies } from './attacks/bodies.ts';
import { differentNames, readiness, unknownNames } from './attacks/floods.ts';
import { passwordFlood, pinGuessing } from './attacks/guessing.ts';
import { halfBodies } from './attacks/half-bodies.ts';
import { idleConnections } from './attacks/idle-connections.ts';
import { pipelinedReads, pipelining } from './attacks/pipelining.ts';
import { codesForTypedPhones, ordersOfTypedPhones } from './attacks/typed-phones.ts';
import type { Tallied } from './tally.ts';

const ATTACKS: readonly Attack[] = [
  ...[pipelining, pipelinedReads, halfBodies, idleConnections, slowReaders],
  ...[pinGuessing, passwordFlood, codesForTypedPhones, ordersOfTypedPhones],
  ...[heavyCarts, oddJson, tinyChunks, unreadBodies],
  ...[differentNames, readiness, unknownNames],
];

/** The third number of the first attack's addresses; those below are used by tests. */
const FIRST_NET = 10;

export interface Attacked {
  readonly name: string;
  readonly seen: Tallied;
  /** Whether it has come as far as what bounds it: an attack that nobody notices shows nothing. */
  readonly isFelt: boolean;
}

export interface Attackers {
  /** So far. */
  attacked(): readonly Attacked[];
  /** Resolves when the siege is over; rejects when an attack fails by itself. */
  readonly over: Promise<void>;
}

export const attackWithAll = (siege: Siege): Attackers => {
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
