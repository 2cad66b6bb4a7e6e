/** The text of a file of events: a head, then one JSON line for each change, the later ones after the earlier. */
import { isEvent, isRecord, isRefusedEvent, type QueuedEvent, type RefusedEvent } from '../queue/event.ts';

type Entry =
  | { readonly add: QueuedEvent }
  /** The server has it. */
  | { readonly remove: string }
  | { readonly refuse: RefusedEvent }
  | { readonly dismiss: string };

/** A line that is neither torn by a crash nor an entry. The file is as it was found. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
  /** From 1. */
  readonly line: number;

  constructor(path: string, line: number) {
    super(
      `${path}, line ${line}: this is no entry of a file of events. Nothing was changed: keep a copy of it.`,
    );
    this.line = line;
  }
}

const HEAD = '{"format":"ahwa-till-queue","version":1}';

const lineOf = (entry: Entry): string => `${JSON.stringify(entry)}\n`;

/** Both in their order. */
export class EventLog {
  readonly waiting = new Map<string, QueuedEvent>();
  readonly refused = new Map<string, RefusedEvent>();
  /** Written since the file was made. */
  lines = 1;

  apply(entry: Entry): void {
    this.lines += 1;
    if ('add' in entry) {
      this.refused.delete(entry.add.id);
      this.waiting.set(entry.add.id, entry.add);
    } else if ('remove' in entry) this.waiting.delete(entry.remove);
    else if ('dismiss' in entry) this.refused.delete(entry.dismiss);
    else {
      this.waiting.delete(entry.refuse.event.id);
      this.refused.delete(entry.refuse.event.id);
      this.refused.set(entry.refuse.event.id, entry.refuse);
    }
  }

  /** Lines that a shorter file would not have. */
  get deadLines(): number {
    return this.lines - 1 - this.waiting.size - this.refused.size;
  }

  /** The shortest file with the same events. */
  snapshot(): string {
    const entries: Entry[] = [
      ...[...this.waiting.values()].map((add) => ({ add })),
      ...[...this.refused.values()].map((refuse) => ({ refuse })),
    ];
    return `${HEAD}\n${entries.map(lineOf).join('')}`;
  }
}

const isId = (value: unknown): value is string => typeof value === 'string';

const isEntry = (value: unknown): value is Entry =>
  isRecord(value) &&
  Object.keys(value).length === 1 &&
  (isEvent(value['add']) ||
    isRefusedEvent(value['refuse']) ||
    isId(value['remove']) ||
    isId(value['dismiss']));

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const entryIn = (line: Uint8Array): Entry | null => {
  try {
    const value: unknown = JSON.parse(decoder.decode(line));
    return isEntry(value) ? value : null;
  } catch {
    return null;
  }
};

/** Throws for an entry that could not be read again, before it is written. */
export const textOf = (entries: readonly Entry[]): string => {
  const text = entries.map(lineOf).join('');
  if (!entries.every((entry) => isEntry(JSON.parse(lineOf(entry)))))
    throw new TypeError('no entry of a file of events');
  return text;
};

const LINE_END = 0x0a;

/** A crash may leave zeros in the place of the last bytes; JSON has none. */
const isTorn = (line: Uint8Array, isLast: boolean): boolean => isLast && line.includes(0);

/**
 * Reads the bytes of a file. `length`: of its whole lines. A last line that a crash has torn is left out: its append was
 * never acknowledged. Throws DamagedFile for any other line that is no entry.
 */
export const readLog = (
  bytes: Uint8Array,
  path: string,
): { readonly log: EventLog; readonly length: number } => {
  const log = new EventLog();
  let start = bytes.indexOf(LINE_END) + 1;
  if (start === 0 || decoder.decode(bytes.subarray(0, start - 1)) !== HEAD) throw new DamagedFile(path, 1);
  for (let number = 2; ; number += 1) {
    const end = bytes.indexOf(LINE_END, start);
    if (end === -1) return { log, length: start };
    const line = bytes.subarray(start, end);
    const entry = entryIn(line);
    if (entry === null) {
      if (isTorn(line, bytes.indexOf(LINE_END, end + 1) === -1)) return { log, length: start };
      throw new DamagedFile(path, number);
    }
    log.apply(entry);
    start = end + 1;
  }
};
