import { describe, expect, test } from 'vitest';
import {
  combinedProfile,
  contactKept,
  isLocked,
  mayNotReplace,
  movesOf,
  pairOf,
  type IdentityChange,
  type Person,
  type PersonCard,
} from './identity.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-11-20T18:00:00Z');

const aCard = (more: Partial<PersonCard> = {}): PersonCard => ({
  ...{ id: 'card', createdAt: NOW },
  ...{ points: 0, visits: 0 },
  ...more,
});

const aPerson = (more: Partial<Person> = {}): Person => ({
  ...{ id: 'person', phone: '201001234567', name: 'منى', provenAt: NOW, optedOut: false },
  ...{ birthday: null, card: aCard(), changes: [] },
  ...more,
});

const ago = (kind: IdentityChange['kind'], ms: number): IdentityChange => ({ kind, at: NOW - ms });

describe('the identity of a customer', () => {
  test.each([
    [[], false],
    [[ago('combined', DAY - 1)], true],
    [[ago('combined', DAY)], false],
    [[ago('replaced', 0)], false],
  ])('with the changes %j is locked: %s', (changes, expected) => {
    expect(isLocked({ changes }, NOW)).toBe(expected);
  });

  test.each([
    [[ago('replaced', 0)], false],
    [[ago('replaced', 0), ago('replaced', 30 * DAY - 1)], true],
    [[ago('replaced', 0), ago('replaced', 30 * DAY)], false],
    [[ago('replaced', 0), ago('combined', DAY), ago('combined', 2 * DAY)], false],
  ])('with the changes %j may not be replaced: %s', (changes, expected) => {
    expect(mayNotReplace({ changes }, NOW)).toBe(expected);
  });
});

describe('of two customers', () => {
  test('the one with the older card survives, one with a card before one without', () => {
    const older = aPerson({ id: 'older', card: aCard({ createdAt: NOW - DAY }) });
    const newer = aPerson({ id: 'newer' });
    const none = aPerson({ id: 'none', card: null });
    const survivors = [
      pairOf(older, newer),
      pairOf(newer, older),
      pairOf(none, newer),
      pairOf(newer, none),
      pairOf(none, none),
    ].map(({ survivor }) => survivor.id);
    expect(survivors).toEqual(['older', 'older', 'newer', 'newer', 'none']);
  });

  test('each balance that is not zero moves', () => {
    const [survivor, loser] = [aPerson(), aPerson({ card: aCard({ points: 12 }) })];
    expect(movesOf({ survivor, loser })).toEqual([{ mode: 'points', amount: 12 }]);
    expect(movesOf({ survivor, loser: aPerson({ card: null }) })).toEqual([]);
  });

  test('the named phone is kept, but a proven one before a typed one, with its name', () => {
    const [named, other] = [aPerson(), aPerson({ phone: '201112345678', name: 'هدى' })];
    expect(contactKept(named, other)).toMatchObject({ phone: named.phone, name: 'منى' });
    const typed = { ...named, provenAt: null };
    expect(contactKept(typed, other)).toMatchObject({ phone: other.phone, name: 'هدى', provenAt: NOW });
    expect(contactKept(typed, { ...other, provenAt: null }).phone).toBe(named.phone);
    expect(contactKept({ ...named, name: '' }, other).name).toBe('هدى');
  });

  test('an opt-out of either stays, and the survivor’s birthday goes first', () => {
    const survivor = aPerson({ birthday: { month: 1, day: 2 } });
    const loser = aPerson({ optedOut: true, birthday: { month: 3, day: 4 } });
    const contact = { phone: survivor.phone, name: 'منى', provenAt: NOW };
    expect(combinedProfile({ survivor, loser }, contact)).toEqual({
      ...{ ...contact, optedOut: true, birthday: { month: 1, day: 2 } },
    });
    expect(combinedProfile({ survivor: { ...survivor, birthday: null }, loser }, contact).birthday).toEqual({
      ...{ month: 3, day: 4 },
    });
  });
});
