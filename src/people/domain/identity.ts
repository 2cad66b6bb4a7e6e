/** Who a customer is: replacing the phone of a card, and combining two customers (Decisions 11, Order-now). */
import type { Uuid } from '../../kernel/ids.ts';
import type { Birthday } from '../../loyalty/domain/birthday.ts';
import { MODES, type Balances, type Mode } from '../../loyalty/domain/programme.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { Instant } from '../../kernel/time.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const LOCKED_MS = DAY_MS;
const REPLACE_WINDOW_MS = 30 * DAY_MS;
const MAX_REPLACED = 2;

export interface IdentityChange {
  readonly kind: 'replaced' | 'combined';
  readonly at: Instant;
}

export interface PersonCard extends Balances {
  readonly id: Uuid;
  readonly createdAt: Instant;
}

/** A customer as stored; neither erased nor combined with another. */
export interface Person {
  readonly id: Uuid;
  readonly phone: Phone;
  readonly name: string;
  readonly provenAt: Instant | null;
  readonly optedOut: boolean;
  readonly birthday: Birthday | null;
  readonly card: PersonCard | null;
  readonly changes: readonly IdentityChange[];
}

/** For 24 hours after a combination, so that a wrong one can be noticed. */
export const isLocked = ({ changes }: Pick<Person, 'changes'>, now: Instant): boolean =>
  changes.some(({ kind, at }) => kind === 'combined' && at > now - LOCKED_MS);

/** Replaced twice in 30 days. */
export const mayNotReplace = ({ changes }: Pick<Person, 'changes'>, now: Instant): boolean =>
  changes.filter(({ kind, at }) => kind === 'replaced' && at > now - REPLACE_WINDOW_MS).length >=
  MAX_REPLACED;

export interface Pair {
  readonly survivor: Person;
  readonly loser: Person;
}

const ageOf = ({ card }: Person): Instant => card?.createdAt ?? Infinity;

/** The customer of the older card survives; of two without cards, or as old, the first. */
export const pairOf = (first: Person, second: Person): Pair =>
  ageOf(second) < ageOf(first) ? { survivor: second, loser: first } : { survivor: first, loser: second };

/** The phone of a person, with the name that goes with it. */
export interface Contact {
  readonly phone: Phone;
  readonly name: string;
  readonly provenAt: Instant | null;
}

/** The staff vouch for phones, but a proven one is kept before a typed one. */
export const contactKept = (named: Person, other: Person): Contact => {
  const isOthers = named.provenAt === null && other.provenAt !== null;
  const [kept, rest] = isOthers ? [other, named] : [named, other];
  return { phone: kept.phone, name: kept.name === '' ? rest.name : kept.name, provenAt: kept.provenAt };
};

/** What the survivor has besides balances, orders and addresses. */
export interface CombinedProfile extends Contact {
  readonly optedOut: boolean;
  readonly birthday: Birthday | null;
}

/** Who opted out of greetings once stays out. */
export const combinedProfile = ({ survivor, loser }: Pair, contact: Contact): CombinedProfile => ({
  ...contact,
  optedOut: survivor.optedOut || loser.optedOut,
  birthday: survivor.birthday ?? loser.birthday,
});

export interface Move {
  readonly mode: Mode;
  readonly amount: number;
}

/** The balances that move from the other card. */
export const movesOf = ({ survivor, loser }: Pair): readonly Move[] => {
  const { card } = loser;
  if (card === null || survivor.card === null) return [];
  return MODES.map((mode) => ({ mode, amount: card[mode] })).filter(({ amount }) => amount > 0);
};
