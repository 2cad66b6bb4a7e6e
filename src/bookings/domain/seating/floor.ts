import { compareIds } from '../../../kernel/ids.ts';
import { overlaps, type Span } from '../../../kernel/time.ts';
import type { Newcomer, Party, Room, TableClaim } from './room.ts';

/** Tables by number, in order of ids: also removed tables that a party or a claim names. */
export interface Floor {
  readonly ids: readonly string[];
  readonly seatsMin: readonly number[];
  /** 0: no party is given the table. */
  readonly seatsMax: readonly number[];
  /** Groups of two or more tables that may be given. */
  readonly groups: readonly (readonly number[])[];
  readonly groupsOf: readonly (readonly number[])[];
  /** Tables connected by groups have one block; −1: in no group. */
  readonly blockOf: readonly number[];
  readonly fixed: readonly (readonly Span[])[];
}

/** A party or the newcomer, its tables by number. */
export interface Guest extends Span {
  /** Empty: the newcomer. */
  readonly id: string;
  readonly size: number;
  readonly own: readonly number[];
  /** The rules would not give its own tables; it may keep them. */
  readonly keeps: boolean;
}

const byStart = (a: Span, b: Span): number => a.start - b.start || a.end - b.end;

const groupsIn = (room: Room, numberOf: ReadonlyMap<string, number>, seatsMax: readonly number[]) => {
  const groups = room.joins.map(({ tableIds }) => {
    const tables = new Set(tableIds.map((id) => numberOf.get(id) ?? -1));
    return [...tables].filter((table) => (seatsMax[table] ?? 0) > 0).sort((a, b) => a - b);
  });
  const distinct = new Map(groups.map((group) => [group.join(), group]));
  return [...distinct]
    .filter(([, group]) => group.length >= 2)
    .sort(([a], [b]) => compareIds(a, b))
    .map(([, group]) => group);
};

const blocksOf = (tableCount: number, groups: readonly (readonly number[])[]): number[] => {
  const block = Array.from({ length: tableCount }, () => -1);
  for (const [number, group] of groups.entries()) {
    const joined = new Set(group.map((table) => block[table] ?? -1).filter((old) => old !== -1));
    for (const [table, old] of block.entries()) if (joined.has(old)) block[table] = number;
    for (const table of group) block[table] = number;
  }
  return block;
};

export const floorOf = (room: Room, parties: readonly Party[], claims: readonly TableClaim[]): Floor => {
  const named = [
    ...room.tables.map(({ id }) => id),
    ...parties.flatMap(({ tableIds }) => tableIds),
    ...claims.map(({ tableId }) => tableId),
  ];
  const ids = [...new Set(named)].sort(compareIds);
  const numberOf = new Map(ids.map((id, number) => [id, number]));
  const seatsMin = ids.map(() => 0);
  const seatsMax = ids.map(() => 0);
  for (const table of room.tables) {
    const number = numberOf.get(table.id) ?? 0;
    seatsMin[number] = table.seatsMin;
    seatsMax[number] = table.bookable === false ? 0 : table.seatsMax;
  }
  const groups = groupsIn(room, numberOf, seatsMax);
  const fixed: Span[][] = ids.map(() => []);
  for (const { tableId, start, end } of claims) fixed[numberOf.get(tableId) ?? 0]?.push({ start, end });
  for (const spans of fixed) spans.sort(byStart);
  const groupsOf = ids.map((_, table) =>
    groups.flatMap((group, number) => (group.includes(table) ? [number] : [])),
  );
  return { ids, seatsMin, seatsMax, groups, groupsOf, blockOf: blocksOf(ids.length, groups), fixed };
};

export const fitsAlone = ({ seatsMin, seatsMax }: Floor, table: number, size: number): boolean =>
  size >= (seatsMin[table] ?? 0) && size <= (seatsMax[table] ?? 0);

const givenByTheRules = (floor: Floor, tables: readonly number[], size: number): boolean => {
  const [first, ...others] = tables;
  if (first === undefined) return true;
  if (others.length === 0) return fitsAlone(floor, first, size);
  const seats = tables.reduce((sum, table) => sum + (floor.seatsMax[table] ?? 0), 0);
  return seats >= size && floor.groups.some((group) => tables.every((table) => group.includes(table)));
};

/** By start; of one start the larger, then the longer stay, then by id. */
export const compareGuests = (a: Guest, b: Guest): number =>
  a.start - b.start || b.size - a.size || b.end - a.end || compareIds(a.id, b.id);

export const guestsOf = (floor: Floor, parties: readonly Party[]): readonly Guest[] => {
  const numberOf = new Map(floor.ids.map((id, number) => [id, number]));
  return parties
    .map(({ id, size, start, end, tableIds }) => {
      const own = [...new Set(tableIds.map((each) => numberOf.get(each) ?? 0))].sort((a, b) => a - b);
      return { id, size, start, end, own, keeps: !givenByTheRules(floor, own, size) };
    })
    .sort(compareGuests);
};

export const guestOf = ({ size, start, end }: Newcomer): Guest => ({
  ...{ id: '', size, start, end },
  ...{ own: [], keeps: false },
});

export const isBusy = (spans: readonly Span[] | undefined, stay: Span): boolean => {
  if (spans !== undefined) for (const span of spans) if (overlaps(span, stay)) return true;
  return false;
};
