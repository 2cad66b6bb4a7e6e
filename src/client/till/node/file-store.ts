/** Events of a device that runs on Node, in one file that only grows until it is written anew, shorter. */
import { open, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PRIVATE_FILE } from '../../../adapters/private-files.ts';
import type { EventStore } from '../queue/event-store.ts';
import type { QueuedEvent, RefusedEvent } from '../queue/event.ts';
import { localLock } from '../queue/locks.ts';
import { EventLog, readLog, textOf } from './event-log.ts';
import { takeLockFile } from './lock-file.ts';

type Entries = Parameters<typeof textOf>[0];

export interface FileStoreOptions {
  /** The file is written anew when this many of its lines are of no use, and half of all. */
  readonly deadLines?: number;
}

/** A file of 2,000 such lines opened in 46 ms; one of 100,000, never written anew, in 708 ms and 41 MB. */
const DEAD_LINES = 2_000;

/** What a folder lists is durable after this. Windows has no such call and needs none. */
const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Writes the text beside the file, durably, and puts it in its place. Until that, the file is as it was. */
const replaceFile = async (path: string, text: string): Promise<FileHandle> => {
  await rm(`${path}.new`, { force: true });
  // `a`: every write goes to the end, also after a truncation.
  const handle = await open(`${path}.new`, 'ax', PRIVATE_FILE.mode);
  try {
    await handle.appendFile(text);
    await handle.sync();
    await rename(`${path}.new`, path);
    return handle;
  } catch (fault) {
    await handle.close();
    throw fault;
  }
};

const asError = (fault: unknown): Error => (fault instanceof Error ? fault : new Error(String(fault)));

interface Opened {
  readonly path: string;
  readonly handle: FileHandle;
  readonly log: EventLog;
  /** Bytes. */
  readonly length: number;
  readonly deadLines: number;
  readonly release: () => void;
}

class FileStore implements EventStore {
  readonly #path: string;
  readonly #log: EventLog;
  readonly #deadLines: number;
  readonly #release: () => void;
  readonly #turn = localLock();
  #handle: FileHandle;
  /** Bytes that are durable. */
  #length: number;
  #appended = 0;
  /** Whether what is on disk is known no more; the file must be opened again. */
  #fault: Error | null = null;
  /** No attempt to write the file anew before it has so many lines. */
  #nextAttempt = 0;

  constructor({ path, handle, log, length, deadLines, release }: Opened) {
    this.#path = path;
    this.#handle = handle;
    this.#log = log;
    this.#length = length;
    this.#deadLines = deadLines;
    this.#release = release;
  }

  append(events: readonly QueuedEvent[]): Promise<void> {
    return this.#change(() => {
      const added = new Map(events.map((event) => [event.id, event]));
      const fresh = [...added.values()].filter(({ id }) => !this.#log.waiting.has(id));
      return fresh.map((add) => ({ add }));
    });
  }

  appended(): Promise<number> {
    return Promise.resolve(this.#appended);
  }

  waiting(limit = Infinity): Promise<readonly QueuedEvent[]> {
    return this.#read(() => [...this.#log.waiting.values()].slice(0, limit));
  }

  remove(ids: readonly string[]): Promise<void> {
    return this.#change(() => ids.filter((id) => this.#log.waiting.has(id)).map((remove) => ({ remove })));
  }

  refuse(refused: readonly RefusedEvent[]): Promise<void> {
    return this.#change(() => refused.map((refuse) => ({ refuse })));
  }

  refused(): Promise<readonly RefusedEvent[]> {
    return this.#read(() => [...this.#log.refused.values()]);
  }

  dismiss(id: string): Promise<void> {
    return this.#change(() => (this.#log.refused.has(id) ? [{ dismiss: id }] : []));
  }

  close(): Promise<void> {
    return this.#turn.hold(async () => {
      if (this.#fault instanceof ClosedStore) return;
      this.#fault = new ClosedStore(`${this.#path} is closed.`);
      await this.#handle.close();
      this.#release();
    });
  }

  #read<T>(look: () => T): Promise<T> {
    return this.#turn.hold(() =>
      this.#fault === null ? Promise.resolve(look()) : Promise.reject(this.#fault),
    );
  }

  /** One change at a time: written, durable, and only then seen by readers. */
  #change(entriesNow: () => Entries): Promise<void> {
    return this.#turn.hold(async () => {
      if (this.#fault !== null) throw this.#fault;
      const entries = entriesNow();
      if (entries.length === 0) return;
      await this.#write(Buffer.from(textOf(entries)));
      for (const entry of entries) this.#log.apply(entry);
      this.#appended += entries.filter((entry) => 'add' in entry).length;
      await this.#shorten();
    });
  }

  async #write(bytes: Uint8Array): Promise<void> {
    try {
      await this.#handle.appendFile(bytes);
      await this.#handle.sync();
      this.#length += bytes.length;
    } catch (fault) {
      await this.#undo(asError(fault));
      throw fault;
    }
  }

  /** A half of a line, such as one on a full disk, must not stand before the next. */
  async #undo(fault: Error): Promise<void> {
    try {
      await this.#handle.truncate(this.#length);
      await this.#handle.sync();
    } catch {
      this.#fault = fault;
    }
  }

  /** Writes the file anew beside the old one, which counts until the new one is whole. */
  async #shorten(): Promise<void> {
    const { deadLines, lines } = this.#log;
    if (deadLines < this.#deadLines || deadLines * 2 < lines || lines < this.#nextAttempt) return;
    const text = this.#log.snapshot();
    let handle: FileHandle;
    try {
      handle = await replaceFile(this.#path, text);
    } catch {
      // The disk is full, for example. The old file has every change.
      this.#nextAttempt = lines + this.#deadLines;
      return;
    }
    await this.#handle.close();
    this.#handle = handle;
    this.#length = Buffer.byteLength(text);
    this.#log.lines -= deadLines;
    // Until then a crash may bring the old file back, without what is appended to the new one.
    await syncFolder(dirname(this.#path)).catch((fault: unknown) => (this.#fault = asError(fault)));
  }
}

class ClosedStore extends Error {
  override readonly name = 'ClosedStore';
}

const readIfThere = async (path: string): Promise<Uint8Array | null> => {
  try {
    return await readFile(path);
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault && fault.code === 'ENOENT') return null;
    throw fault;
  }
};

const create = async (path: string) => {
  const log = new EventLog();
  const text = log.snapshot();
  const handle = await replaceFile(path, text);
  await syncFolder(dirname(path));
  return { handle, log, length: Buffer.byteLength(text) };
};

const openExisting = async (path: string, bytes: Uint8Array) => {
  const { log, length } = readLog(bytes, path);
  const handle = await open(path, 'a');
  await handle.chmod(PRIVATE_FILE.mode);
  if (length < bytes.length) {
    await handle.truncate(length);
    await handle.sync();
  }
  return { handle, log, length };
};

/**
 * Opens the file, or creates it in a folder that exists. Rejects with FileInUse while another process has it open, and
 * with DamagedFile where a line is damaged otherwise than by a crash.
 */
export const openFileStore = async (
  path: string,
  { deadLines = DEAD_LINES }: FileStoreOptions = {},
): Promise<EventStore> => {
  const release = takeLockFile(path);
  try {
    const bytes = await readIfThere(path);
    const opened = bytes === null ? await create(path) : await openExisting(path, bytes);
    return new FileStore({ path, deadLines, release, ...opened });
  } catch (fault) {
    release();
    throw fault;
  }
};
