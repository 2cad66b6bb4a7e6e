import { fieldPath, type Place } from '../domain/json.ts';

/** One thing that is wrong in a file that was given. */
export interface FileFault {
  readonly file: string;
  /** Where, such as `menu.items[3].sizes[1].price` or, in a table, `row 7, price_egp`; '' is the whole file. */
  readonly path: string;
  /** A sentence without its subject: `must be a whole number, 0 or more`. */
  readonly problem: string;
  /** From 1; null where no line can be named. */
  readonly line: number | null;
  readonly column: number | null;
}

/** Of a path that is shown: a field may be as long as its file. */
const LONGEST_PATH = 300;

/** `shop.json:12:5 menu.items[3].price must be …` */
const faultLine = ({ file, path, problem, line, column }: FileFault): string => {
  const place = line === null ? file : `${file}:${line}${column === null ? '' : `:${column}`}`;
  const shown = path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path;
  return path === '' ? `${place} ${problem}` : `${place} ${shown} ${problem}`;
};

const MOST_TOLD = 1000;

const linesOf = (faults: readonly FileFault[]): string[] => {
  const more = faults.length - MOST_TOLD;
  return [...faults.slice(0, MOST_TOLD).map(faultLine), ...(more > 0 ? [`and ${more} more faults`] : [])];
};

/** Nothing was changed, because of these: every fault of every file that was given (Decisions 16). */
export class ShopFileFaults extends Error {
  override readonly name = 'ShopFileFaults';
  readonly faults: readonly FileFault[];

  constructor(faults: readonly FileFault[]) {
    super(linesOf(faults).join('\n'));
    this.faults = faults;
  }

  /** Each fault in a line for people; nobody reads more than a thousand. */
  lines(): string[] {
    return linesOf(this.faults);
  }
}

/** Gathers the faults of one file. */
export interface Faults {
  /** Reports `path`. */
  readonly add: (path: string, problem: string) => void;
  /**
   * Reports a rule about several fields of `object`, at its field `field` ('' = the object itself), unless one
   * of those fields is itself at fault: what does not hold then is no news.
   */
  readonly rule: (object: string, field: string, problem: string) => void;
  /** From here on the fields of these objects are known to be at fault. */
  readonly distrust: (objects: Iterable<string>) => void;
  readonly all: () => readonly FileFault[];
  readonly size: () => number;
  /** Goes on from here apart from this one. */
  readonly fork: () => Faults;
}

const parentsOf = (path: string): string[] => {
  const cuts = [...path.matchAll(/[.[]/g)].map((match) => match.index);
  return [...cuts.map((cut) => path.slice(0, cut)).reverse(), ''];
};

/** The place of the nearest part of `path` that stands in the file; a missing field has its object's. */
const nearest = (path: string, placeOf: (path: string) => Place | null): Place | null => {
  for (const part of [path, ...parentsOf(path)]) {
    const place = placeOf(part);
    if (place !== null) return place;
  }
  return null;
};

type PlaceOf = (path: string) => Place | null;

/** No faults yet of a file whose values stand where `placeOf` says. */
export const faultsOf = (file: string, placeOf: PlaceOf): Faults =>
  gathering(file, placeOf, new Map(), new Set());

const gathering = (
  file: string,
  placeOf: PlaceOf,
  found: Map<string, FileFault>,
  distrusted: Set<string>,
): Faults => {
  const add = (path: string, problem: string): void => {
    const place = nearest(path, placeOf);
    const fault = { file, path, problem, line: place?.line ?? null, column: place?.column ?? null };
    found.set(`${path}\n${problem}`, fault);
  };
  return {
    add,
    rule: (object, field, problem) => {
      if (!distrusted.has(object)) add(field === '' ? object : fieldPath(object, field), problem);
    },
    distrust: (objects) => {
      for (const object of objects) distrusted.add(object);
    },
    all: () => [...found.values()],
    size: () => found.size,
    fork: () => gathering(file, placeOf, new Map(found), new Set(distrusted)),
  };
};
