import { describe, expect, test } from 'vitest';
import { demandsOn } from './demand.ts';
import { floorOf, guestOf, guestsOf } from './floor.ts';
import { aGroup, aTable } from './room.test-support.ts';
import type { Party, Room, TableClaim } from './room.ts';
import { assign } from './search.ts';
import { seatingDayOf, seatParty } from './seat-party.ts';

const room = (tables: Room['tables'], ...joins: Room['joins']): Room => ({ tables, joins });
const party = (id: string, size: number, start: number, end: number, ...tableIds: string[]): Party => ({
  ...{ id, size, start, end },
  tableIds,
});
const claim = (tableId: string, start: number, end: number): TableClaim => ({ tableId, start, end });
const FULL = { kind: 'full' };

describe('a new party', () => {
  const two = aTable('two', 1, 2);
  const four = aTable('four', 1, 4);

  test('gets the smallest free table, and no one moves', () => {
    expect(seatParty(room([two, four]), [], [], { size: 2, start: 0, end: 3 })).toEqual({
      ...{ kind: 'seated', tables: ['two'], moves: [] },
    });
  });

  test('gets the large table when the couple there can sit at the small one', () => {
    const couple = party('couple', 2, 1, 4, 'four');
    expect(seatParty(room([two, four]), [couple], [], { size: 4, start: 0, end: 3 })).toEqual({
      ...{ kind: 'seated', tables: ['four'], moves: [{ partyId: 'couple', tableIds: ['two'] }] },
    });
  });

  test('is refused when the couple is already seated there', () => {
    const seated = claim('four', 1, 4);
    expect(seatParty(room([two, four]), [], [seated], { size: 4, start: 0, end: 3 })).toEqual(FULL);
  });

  test('is refused when the small table is blocked for a part of the stay of the couple', () => {
    const couple = party('couple', 2, 1, 4, 'four');
    const blocked = [claim('two', 3, 5)];
    expect(seatParty(room([two, four]), [couple], blocked, { size: 4, start: 0, end: 3 })).toEqual(FULL);
  });

  test('is seated when a later party takes the table of the guests who leave before', () => {
    const tables = room([aTable('a', 1, 2), aTable('b', 1, 2)]);
    // The late party leaves b to the newcomer; a is free for it from 6 on.
    const seated = [claim('a', 3, 6)];
    const parties = [party('early', 2, 0, 3, 'a'), party('late', 2, 6, 9, 'b')];
    expect(seatParty(tables, parties, seated, { size: 2, start: 4, end: 8 })).toEqual({
      ...{ kind: 'seated', tables: ['b'], moves: [{ partyId: 'late', tableIds: ['a'] }] },
    });
  });

  test('never displaces a party from tables that the host chose by hand, unless the rules have a place for it', () => {
    const chosen = party('chosen', 6, 0, 3, 'two');
    expect(seatParty(room([two, four]), [chosen], [], { size: 2, start: 0, end: 3 })).toMatchObject({
      ...{ kind: 'seated', tables: ['four'], moves: [] },
    });
    const couple = party('couple', 2, 0, 3, 'four');
    expect(seatParty(room([two, four]), [chosen, couple], [], { size: 1, start: 0, end: 3 })).toEqual(FULL);
  });

  test('of a size that no table and no join seats is refused', () => {
    expect(
      seatParty(room([two, four], aGroup('two', 'four')), [], [], { size: 7, start: 0, end: 3 }),
    ).toEqual(FULL);
    expect(seatParty(room([]), [], [], { size: 1, start: 0, end: 3 })).toEqual(FULL);
  });
});

/** Three parties of 396 need all seats exactly, but the largest table has 397. */
describe('a room whose proof needs too much work', () => {
  const small = [...Array.from({ length: 19 }, (_, at) => 30 + at), 50];
  const tables = [397, ...small].map((seats, at) => aTable(`t${String(at).padStart(2, '0')}`, 1, seats));
  const ids = tables.map(({ id }) => id);
  const hall = room(tables, aGroup(...ids));
  // 30 + … + 39 + 40 + 41 = 426 seats.
  const parties = [party('a', 396, 0, 3, 't00'), party('b', 396, 0, 3, ...ids.slice(1, 13))];
  const newcomer = { size: 396, start: 0, end: 3 };

  test('ends as undecided', () => {
    expect(seatParty(hall, parties, [], newcomer)).toEqual({ kind: 'undecided' });
    const day = seatingDayOf(hall, parties, []);
    expect([0, 3].map((start) => day.kindAt({ start, end: start + 3 }, 396))).toEqual([
      'undecided',
      'seated',
    ]);
  });

  test('does no more work than allowed', () => {
    const floor = floorOf(hall, parties, []);
    const guests = [...guestsOf(floor, parties), guestOf(newcomer)];
    for (const left of [0, 100, 10_000]) {
      const work = { left };
      expect(assign({ floor, demands: demandsOn(floor), guests, busy: floor.fixed }, work)).toBe('limit');
      expect(work.left).toBeGreaterThan(-10);
    }
  });
});
