/**
 * Publishes what other processes have committed. The log of all shops is polled by position, which misses nothing;
 * announcements of other processes only make a poll come sooner, where the connection to the database carries them.
 */
import type { ScopedChanges } from '../../../kernel/change.ts';
import type { Stop, Timers } from '../../../ports.ts';
import { announceChanges } from '../../store/change-feed.ts';
import type { Db } from '../../store/db.ts';
import { readChanges, type Position } from '../../store/nodes/feed.ts';
import type { Database } from '../../store/schema.ts';
import type { ChangePublisher } from './change-publisher.ts';
import { Throttled } from './throttled.ts';

/** From one poll to the next. */
const POLL_MS = 400;
/** At least, from one poll or announcement to the next, however much is changed. */
const PAUSE_MS = 250;
/** Answers are served so long while the feed fails (docs/spec/caching-and-limits.md). */
const SILENCE_MS = 60_000;

export interface ChangeFeedParts {
  readonly db: Pick<Db<Database>, 'kysely'>;
  readonly changePublisher: ChangePublisher;
  /** Names this process among those that announce changes. */
  readonly processName: string;
  readonly timers: Pick<Timers, 'after'>;
  readonly monotonic: () => number;
  /** Called with the first failure after a success, and with null on recovery. */
  readonly onFailure: (failure: unknown) => void;
}

const nameOf = ({ orgId, version }: ScopedChanges): string => `${orgId} ${version}`;

export class ChangeFeed {
  /** Resolves after the first poll, which forgets what is known until then, or when the feed is stopped before. */
  readonly firstPoll: Promise<void>;
  #endFirstPoll: () => void = () => undefined;
  readonly #parts: ChangeFeedParts;
  readonly #unsubscribe: Stop;
  #position: Position | null = null;
  /** When the last poll that succeeded began. */
  #polledAt: number;
  #polls = 0;
  /** Own commits that no poll has read yet, with the number of polls before them. */
  readonly #own = new Map<string, number>();
  #isRunning = false;
  #isFailing = false;
  readonly #polling: Throttled;
  readonly #announcing: Throttled;

  constructor(parts: ChangeFeedParts) {
    this.#parts = parts;
    this.firstPoll = new Promise((resolve) => (this.#endFirstPoll = resolve));
    this.#polledAt = parts.monotonic();
    this.#polling = new Throttled({ ...parts, pauseMs: PAUSE_MS, work: () => this.#pollAndReport() });
    this.#announcing = new Throttled({ ...parts, pauseMs: PAUSE_MS, work: () => this.#announce() });
    this.#unsubscribe = parts.changePublisher.subscribe({
      changed: (changes, isOwn) => {
        if (isOwn) this.#committed(changes);
      },
    });
  }

  /** Whether what is known of shops may be used: the last poll that succeeded is no older than a minute. */
  isFresh(now: number): boolean {
    return now - this.#polledAt <= SILENCE_MS;
  }

  start(): void {
    this.#isRunning = true;
    this.#polling.runWithin(0);
  }

  stop(): void {
    this.#isRunning = false;
    this.#unsubscribe();
    this.#polling.cancel();
    this.#announcing.cancel();
    this.#endFirstPoll();
  }

  /** The process `sender` has announced changes. */
  wake(sender: string): void {
    if (this.#isRunning && sender !== this.#parts.processName) this.#polling.runWithin(0);
  }

  /** Publishes what was committed since the last poll. Rejects when the database does not answer. */
  async poll(): Promise<void> {
    const { changePublisher, db, monotonic } = this.#parts;
    const begunAt = monotonic();
    // After so long there is too much to read, and the server may be another one.
    const after = this.isFresh(begunAt) ? this.#position : null;
    const { position, changes } = await readChanges(db.kysely, after);
    this.#position = position;
    this.#polledAt = begunAt;
    if (changes === null) changePublisher.relayMissed();
    for (const change of changes ?? []) if (!this.#own.delete(nameOf(change))) changePublisher.relay(change);
    this.#forgetOwn();
  }

  #committed(changes: ScopedChanges): void {
    if (this.isFresh(this.#parts.monotonic())) this.#own.set(nameOf(changes), this.#polls);
    if (this.#isRunning) this.#announcing.runWithin(0);
  }

  /** What two polls have not found was read before it was published. */
  #forgetOwn(): void {
    this.#polls += 1;
    for (const [commit, polls] of this.#own) {
      if (polls > this.#polls - 2) return;
      this.#own.delete(commit);
    }
  }

  async #pollAndReport(): Promise<void> {
    try {
      await this.poll();
      this.#report(null);
    } catch (failure) {
      this.#report(failure);
    }
    this.#endFirstPoll();
    if (this.#isRunning) this.#polling.runWithin(POLL_MS);
  }

  #report(failure: unknown): void {
    const hasFailed = failure !== null;
    if (hasFailed !== this.#isFailing) this.#parts.onFailure(failure);
    this.#isFailing = hasFailed;
  }

  /** Where it fails, the others poll. */
  async #announce(): Promise<void> {
    const { db, processName } = this.#parts;
    await announceChanges(db.kysely, processName).catch(() => undefined);
  }
}
