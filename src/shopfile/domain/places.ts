/** Paths into a JSON value, and where in the text they lead. */

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The path of a field; a name that is no plain word is quoted. */
export const fieldPath = (path: string, field: string): string => {
  const plain = /^[$\p{L}_][\p{L}\p{M}\p{N}_-]*$/u.test(field);
  if (!plain) return `${path}[${JSON.stringify(field)}]`;
  return path === '' ? field : `${path}.${field}`;
};
export const entryPath = (path: string, index: number): string => `${path}[${index}]`;

export type Step = string | number;

export const pathOf = (steps: readonly Step[]): string =>
  steps.reduce<string>(
    (path, step) => (typeof step === 'number' ? entryPath(path, step) : fieldPath(path, step)),
    '',
  );

/** Where the entries or fields of each list and object stand: in the list's order, in that of the object's keys. */
export type Offsets = WeakMap<object, readonly number[]>;

const STEPS = /\[([0-9]+)\]|\[("(?:[^"\\]|\\.)*")\]|\.?([^.[\]]+)/y;

/** The steps of a path as `fieldPath` and `entryPath` make it; null when it is none. */
const stepsOf = (path: string): Step[] | null => {
  const steps: Step[] = [];
  STEPS.lastIndex = 0;
  while (STEPS.lastIndex < path.length) {
    const [whole, index, quoted, plain] = STEPS.exec(path) ?? [];
    if (whole === undefined) return null;
    steps.push(index === undefined ? (plain ?? String(JSON.parse(quoted ?? '""'))) : Number(index));
  }
  return steps;
};

/** The offset of the value at a path; null where there is none. */
export const offsetOf = (root: unknown, start: number, path: string, offsets: Offsets): number | null => {
  const steps = stepsOf(path);
  let value = root;
  let offset: number | undefined = start;
  for (const step of steps ?? []) {
    if (typeof value !== 'object' || value === null) return null;
    const place = typeof step === 'number' ? step : Object.keys(value).indexOf(step);
    offset = Array.isArray(value) === (typeof step === 'number') ? offsets.get(value)?.[place] : undefined;
    if (offset === undefined) return null;
    value = Reflect.get(value, step);
  }
  return steps === null ? null : offset;
};

// ── Lines and columns ───────────────────────────────────────────────────────────────────────────

/** Where reading a text has come to. */
interface Mark {
  line: number;
  /** Where the line begins. */
  start: number;
  /** Characters of the line so far that take two units of the text. */
  wide: number;
}

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

const read = (text: string, mark: Mark, from: number, to: number): void => {
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    const next = text.charCodeAt(at + 1);
    if (code === LINE_FEED || (code === CARRIAGE_RETURN && next !== LINE_FEED)) {
      mark.line += 1;
      mark.start = at + 1;
      mark.wide = 0;
    } else if (isHighSurrogate(code) && isLowSurrogate(next)) mark.wide += 1;
  }
};

/** Units of the text between two marks that are kept. */
const APART = 1024;

/** Line and column of an offset, both from 1, columns in characters. */
export const placeIn = (text: string): ((offset: number) => Place) => {
  const marks: Mark[] = [];
  const reading: Mark = { line: 1, start: 0, wide: 0 };
  for (let at = 0; at <= text.length; at += APART) {
    marks.push({ ...reading });
    read(text, reading, at, Math.min(at + APART, text.length));
  }
  return (offset) => {
    const nearest = Math.floor(offset / APART);
    const mark = { ...(marks[nearest] ?? reading) };
    read(text, mark, nearest * APART, offset);
    return { line: mark.line, column: offset - mark.start - mark.wide + 1 };
  };
};
