import { overlaps, type Span } from '../../../kernel/time.ts';
import type { Floor, Guest } from './floor.ts';

/**
 * Tables that no rule and no claim distinguishes, for the guests of one search. Exchanging two tables of a class from
 * one instant on, when both are free, turns every assignment into another one.
 */
export interface TableClass {
  readonly tables: readonly number[];
  readonly seatsMin: number;
  readonly seatsMax: number;
  readonly groups: readonly number[];
}

export interface Classes {
  readonly all: readonly TableClass[];
  /** Classes by number, of every group of the floor. */
  readonly byGroup: readonly (readonly number[])[];
  /**
   * Sets of exchangeable blocks; a block is a list of classes by number. Blocks of one set have the same classes in the
   * same order.
   */
  readonly blockSets: readonly (readonly (readonly number[])[])[];
}

const windowOf = (guests: readonly Guest[]): Span => {
  let [start, end] = [Infinity, -Infinity];
  for (const guest of guests) [start, end] = [Math.min(start, guest.start), Math.max(end, guest.end)];
  return { start, end };
};

/** What distinguishes a table, apart from its block. */
const signaturesOf = (
  floor: Floor,
  guests: readonly Guest[],
  busy: readonly (readonly Span[])[],
): readonly string[] => {
  const window = windowOf(guests);
  const keepers = new Map<number, string>();
  for (const [number, { own, keeps }] of guests.entries())
    if (keeps) for (const table of own) keepers.set(table, `${keepers.get(table) ?? ''}k${number}`);
  return floor.ids.map((_, table) => {
    const seats = floor.seatsMax[table] ?? 0;
    const keeper = keepers.get(table) ?? '';
    if (seats === 0 && keeper === '') return '';
    let signature = `${floor.seatsMin[table] ?? 0}-${seats}${keeper}`;
    for (const span of busy[table] ?? [])
      if (overlaps(span, window)) signature += `,${span.start}-${span.end}`;
    return signature;
  });
};

/** Groups that share no table with another are exchangeable when their classes are equal. */
const isAlone = (floor: Floor, block: number): boolean =>
  floor.blockOf.every((other, table) => other !== block || (floor.groupsOf[table]?.length ?? 0) === 1);

const membersByKey = (floor: Floor, signatures: readonly string[]): Map<string, number[]> => {
  const members = new Map<string, number[]>();
  for (const [table, signature] of signatures.entries()) {
    if (signature === '') continue;
    const key = `${signature}|${floor.groupsOf[table]?.join() ?? ''}`;
    const known = members.get(key);
    if (known === undefined) members.set(key, [table]);
    else known.push(table);
  }
  return members;
};

interface GroupKind {
  readonly classes: number[];
  kind: string;
}

export const classesOf = (
  floor: Floor,
  guests: readonly Guest[],
  busy: readonly (readonly Span[])[],
): Classes => {
  const signatures = signaturesOf(floor, guests, busy);
  const keyed = [...membersByKey(floor, signatures)].sort(([a], [b]) => (a < b ? -1 : 1));
  const all: TableClass[] = [];
  const byGroup: number[][] = floor.groups.map(() => []);
  const blocks = new Map<string, GroupKind>();
  for (const [number, [key, tables]] of keyed.entries()) {
    const table = tables[0] ?? 0;
    const groups = floor.groupsOf[table] ?? [];
    all.push({
      tables,
      seatsMin: floor.seatsMin[table] ?? 0,
      seatsMax: floor.seatsMax[table] ?? 0,
      groups,
    });
    for (const group of groups) byGroup[group]?.push(number);
    const blockNumber = floor.blockOf[table] ?? -1;
    const blockKey = blockNumber === -1 ? key : `${blockNumber}`;
    const block = blocks.get(blockKey) ?? { classes: [], kind: isAlone(floor, blockNumber) ? '' : blockKey };
    block.classes.push(number);
    block.kind += `${signatures[table] ?? ''}x${tables.length};`;
    blocks.set(blockKey, block);
  }
  const sets = new Map<string, number[][]>();
  for (const { classes, kind } of blocks.values()) {
    const set = sets.get(kind);
    if (set === undefined) sets.set(kind, [classes]);
    else set.push(classes);
  }
  return { all, byGroup, blockSets: [...sets.values()] };
};
