import { fieldPath, type Position } from '../domain/json.ts';

export interface FileFault {
  readonly file: string;
  /** `menu.items[3].sizes[1].price`, or `row 7, price_egp` in a CSV; '' is the whole file. */
  readonly path: string;
  /** A predicate whose subject is the path: `must be a whole number, 0 or more`. */
  readonly problem: string;
  /** From 1; null if unknown. */
  readonly line: number | null;
  readonly column: number | null;
}

/** A field name can be as long as its file. */
const MAX_PATH_LENGTH = 300;

/** `shop.json:12:5 menu.items[3].price must be …` */
const faultLine = ({ file, path, problem, line, column }: FileFault): string => {
  const place = line === null ? file : `${file}:${line}${column === null ? '' : `:${column}`}`;
  const shown = path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path;
  return path === '' ? `${place} ${problem}` : `${place} ${shown} ${problem}`;
};

const MAX_LINES = 1000;

const linesOf = (faults: readonly FileFault[]): string[] => {
  const more = faults.length - MAX_LINES;
  return [...faults.slice(0, MAX_LINES).map(faultLine), ...(more > 0 ? [`and ${more} more faults`] : [])];
};

/** Rejects an import with every fault of every file (Decisions 16). */
export class ShopFileFaults extends Error {
  override readonly name = 'ShopFileFaults';
  readonly faults: readonly FileFault[];

  constructor(faults: readonly FileFault[]) {
    super(linesOf(faults).join('\n'));
    this.faults = faults;
  }

  /** One line per fault, at most 1000. */
  lines(): string[] {
    return linesOf(this.faults);
  }
}

export interface Faults {
  readonly add: (path: string, problem: string) => void;
  /**
   * Reports a rule between fields of `object` at `field` ('' = the object itself), unless `object` was marked invalid:
   * the fault would repeat an earlier one.
   */
  readonly rule: (object: string, field: string, problem: string) => void;
  /** Suppresses later `rule` faults of these objects. */
  readonly markInvalid: (objects: Iterable<string>) => void;
  readonly all: () => readonly FileFault[];
  readonly size: () => number;
  /** An independent copy. */
  readonly fork: () => Faults;
}

const parentsOf = (path: string): string[] => {
  const cuts = [...path.matchAll(/[.[]/g)].map((match) => match.index);
  return [...cuts.map((cut) => path.slice(0, cut)).reverse(), ''];
};

/** A missing field has the position of its object. */
const nearest = (path: string, positionOf: (path: string) => Position | null): Position | null => {
  for (const part of [path, ...parentsOf(path)]) {
    const position = positionOf(part);
    if (position !== null) return position;
  }
  return null;
};

type PositionOf = (path: string) => Position | null;

export const faultsOf = (file: string, positionOf: PositionOf): Faults =>
  collectFaults(file, positionOf, new Map(), new Set());

const collectFaults = (
  file: string,
  positionOf: PositionOf,
  found: Map<string, FileFault>,
  invalidObjects: Set<string>,
): Faults => {
  const add = (path: string, problem: string): void => {
    const position = nearest(path, positionOf);
    const fault = { file, path, problem, line: position?.line ?? null, column: position?.column ?? null };
    found.set(`${path}\n${problem}`, fault);
  };
  return {
    add,
    rule: (object, field, problem) => {
      if (!invalidObjects.has(object)) add(field === '' ? object : fieldPath(object, field), problem);
    },
    markInvalid: (objects) => {
      for (const object of objects) invalidObjects.add(object);
    },
    all: () => [...found.values()],
    size: () => found.size,
    fork: () => collectFaults(file, positionOf, new Map(found), new Set(invalidObjects)),
  };
};
