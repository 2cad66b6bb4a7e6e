/** Paths into a JSON value, and their line and column in the text. */

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** `a.b`, or `a["b.c"]` for a name that is not a plain word. */
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

/** Text offsets of the entries of each list, and of the fields of each object in key order. */
export type Offsets = WeakMap<object, readonly number[]>;

const STEPS = /\[([0-9]+)\]|\[("(?:[^"\\]|\\.)*")\]|\.?([^.[\]]+)/y;

/** Inverse of `fieldPath` and `entryPath`; null if malformed. */
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

/** Null if there is no value at `path`. */
export const offsetOf = (root: unknown, start: number, path: string, offsets: Offsets): number | null => {
  const steps = stepsOf(path);
  let value = root;
  let offset: number | undefined = start;
  for (const step of steps ?? []) {
    if (typeof value !== 'object' || value === null) return null;
    const index = typeof step === 'number' ? step : Object.keys(value).indexOf(step);
    offset = Array.isArray(value) === (typeof step === 'number') ? offsets.get(value)?.[index] : undefined;
    if (offset === undefined) return null;
    value = Reflect.get(value, step);
  }
  return steps === null ? null : offset;
};

// ── Lines and columns ───────────────────────────────────────────────────────────────────────────

/** Line state at a text offset. */
interface Mark {
  line: number;
  /** Offset of the line start. */
  start: number;
  /** In the line so far: each is one character but two UTF-16 units. */
  surrogatePairs: number;
}

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

const advance = (text: string, mark: Mark, from: number, to: number): void => {
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    const next = text.charCodeAt(at + 1);
    if (code === LINE_FEED || (code === CARRIAGE_RETURN && next !== LINE_FEED)) {
      mark.line += 1;
      mark.start = at + 1;
      mark.surrogatePairs = 0;
    } else if (isHighSurrogate(code) && isLowSurrogate(next)) mark.surrogatePairs += 1;
  }
};

/** UTF-16 units between cached marks. */
const MARK_INTERVAL = 1024;

/** Line and column from 1; columns count code points. */
export const positionIn = (text: string): ((offset: number) => Position) => {
  const marks: Mark[] = [];
  const cursor: Mark = { line: 1, start: 0, surrogatePairs: 0 };
  for (let at = 0; at <= text.length; at += MARK_INTERVAL) {
    marks.push({ ...cursor });
    advance(text, cursor, at, Math.min(at + MARK_INTERVAL, text.length));
  }
  return (offset) => {
    const nearest = Math.floor(offset / MARK_INTERVAL);
    const mark = { ...(marks[nearest] ?? cursor) };
    advance(text, mark, nearest * MARK_INTERVAL, offset);
    return { line: mark.line, column: offset - mark.start - mark.surrogatePairs + 1 };
  };
};
