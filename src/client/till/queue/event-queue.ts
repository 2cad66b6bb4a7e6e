/**
 * The durable queue of a device's own events (Decisions 13): each is stored before the till goes on, sent when the
 * server can be reached, and removed when the server has it. It knows no session: logging out keeps every event.
 */
import { ApiError } from '../../client.ts';
import { firstBatch, isTooLarge, MAX_EVENTS } from './batch.ts';
import type { EventStore } from './event-store.ts';
import { refusedEvent, storable, type EventResult, type QueuedEvent, type RefusedEvent } from './event.ts';
import type { QueueLocks } from './locks.ts';
import { readQueueFile, writeQueueFile } from './queue-file.ts';
import { reactionTo, waitMs } from './send-fault.ts';

/**
 * One request. Rejects with ApiError when the server refuses it as a whole, with any other error when no answer came,
 * and soon after the signal aborts.
 */
export type SendEvents = (
  events: readonly QueuedEvent[],
  signal: AbortSignal,
) => Promise<readonly EventResult[]>;

type Stop = () => void;

export interface QueueOptions {
  /** Of the device. */
  readonly branchId: string;
  readonly store: EventStore;
  readonly send: SendEvents;
  readonly locks: QueueLocks;
  readonly clock: { now(): number };
  readonly timers: { readonly after: (ms: number, work: () => void) => Stop };
  /** From 0 to 1. */
  readonly random: () => number;
}

/** `fault`: the reason, for the screen: an ApiError, or what the network or the disk rejected with. */
export type QueueState =
  | { readonly status: 'idle' | 'sending' | 'closed' }
  | { readonly status: 'retrying'; readonly until: number; readonly fault: unknown }
  | { readonly status: 'stopped'; readonly fault: unknown };

/** A request without an answer for this long has failed. */
export const ANSWER_WITHIN_MS = 60_000;

/** The server answered, and named none of the events. */
export class NoOutcome extends Error {
  override readonly name = 'NoOutcome';
}

const OUTCOMES: Readonly<Record<EventResult['outcome'], 'remove' | 'refuse'>> = {
  ...{ applied: 'remove', already: 'remove', waiting: 'remove', review: 'remove' },
  refused: 'refuse',
};

const idsOf = (events: readonly QueuedEvent[]): string[] => events.map(({ id }) => id);

export class EventQueue {
  readonly #options: QueueOptions;
  readonly #listeners = new Set<(state: QueueState) => void>();
  #state: QueueState = { status: 'idle' };
  #round: Promise<void> | null = null;
  /** An event was added that the round may not have seen. */
  #isWanted = false;
  /** Since the last progress. */
  #failures = 0;
  #cancelTimer: Stop = () => undefined;
  #request: AbortController | null = null;
  #whenEmpty: { readonly resolve: () => void; readonly reject: (fault: Error) => void }[] = [];

  /** Sends nothing before `resume` or `add`. */
  constructor(options: QueueOptions) {
    this.#options = options;
  }

  get state(): QueueState {
    return this.#state;
  }

  onState(listener: (state: QueueState) => void): Stop {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Resolves when the event is durable: then the till may go on, whatever becomes of the line. Rejects with EventFaults. */
  async add(event: QueuedEvent): Promise<void> {
    const own = storable(event);
    await this.#options.locks.writing.hold(() => this.#options.store.append([own]));
    this.#wake();
  }

  /** Sends now: when the program starts, after a log-in, when the line is back. */
  resume(): void {
    this.#failures = 0;
    this.#isWanted = true;
    if (this.#round === null && this.#state.status !== 'closed') this.#begin();
  }

  /** The state when no round of requests runs. */
  async settled(): Promise<QueueState> {
    while (this.#round !== null) await this.#round;
    return this.#state;
  }

  async hasWaiting(): Promise<boolean> {
    return (await this.#options.store.waiting(1)).length > 0;
  }

  /** Resolves when the server has every event; while the queue is stopped it does not. Rejects when the queue closes. */
  whenEmpty(): Promise<void> {
    if (this.#state.status === 'closed') return Promise.reject(new Error('The queue is closed.'));
    return new Promise((resolve, reject) => {
      this.#whenEmpty.push({ resolve, reject });
      this.#wake();
    });
  }

  /** A mark of this moment; null while an event waits. */
  async emptyMark(): Promise<number | null> {
    const mark = await this.#options.store.appended();
    return (await this.hasWaiting()) ? null : mark;
  }

  /**
   * Runs the work, and resolves to true, if no event was added since the mark. Events that are added meanwhile wait for
   * the work, so it must not wait for the network.
   */
  async unlessAddedSince(mark: number, work: () => Promise<void>): Promise<boolean> {
    const { store, locks } = this.#options;
    return await locks.writing.hold(async () => {
      if ((await store.appended()) !== mark) return false;
      await work();
      return true;
    });
  }

  refused(): Promise<readonly RefusedEvent[]> {
    return this.#options.store.refused();
  }

  /** The reason is gone: the refused event waits again, after all others. False: it is not among the refused. */
  async sendAgain(id: string): Promise<boolean> {
    const found = (await this.refused()).find(({ event }) => event.id === id);
    if (found === undefined) return false;
    await this.add(found.event);
    return true;
  }

  /** A person has dealt with the refused event. */
  dismiss(id: string): Promise<void> {
    return this.#options.store.dismiss(id);
  }

  /** Everything that is here, as one text to be carried away. */
  async exported(): Promise<string> {
    const { branchId, store, clock, locks } = this.#options;
    // In this order: an event that is refused between the two reads is in both. None goes the other way under the lock.
    const [events, refused] = await locks.writing.hold(async () => [
      await store.waiting(),
      await store.refused(),
    ]);
    const set = new Set(idsOf(refused.map(({ event }) => event)));
    const contents = { events: events.filter(({ id }) => !set.has(id)), refused };
    return writeQueueFile({ branchId, deviceTime: new Date(clock.now()).toISOString() }, contents);
  }

  /** Adds what an exported text has and this queue has not, and resolves to their number. Rejects with EventFaults. */
  async imported(text: string): Promise<number> {
    const { branchId, store, locks } = this.#options;
    const { events, refused } = readQueueFile(text, branchId);
    const added = await locks.writing.hold(async () => {
      const here = [...(await store.waiting()), ...(await store.refused()).map(({ event }) => event)];
      const known = new Set(idsOf(here));
      const newEvents = events.filter(({ id }) => !known.has(id));
      const newRefused = refused.filter(({ event }) => !known.has(event.id));
      await store.refuse(newRefused);
      await store.append(newEvents);
      return newEvents.length + newRefused.length;
    });
    this.#wake();
    return added;
  }

  /** Ends the request under way and sends no more. The store keeps every event; who opened it closes it. */
  async close(): Promise<void> {
    this.#setState({ status: 'closed' });
    this.#cancelTimer();
    this.#request?.abort(new Error('The queue is closed.'));
    for (const { reject } of this.#whenEmpty.splice(0)) reject(new Error('The queue is closed.'));
    await this.#round;
  }

  #setState(state: QueueState): void {
    if (this.#state.status === 'closed') return;
    this.#state = state;
    // Apart from this call, which a fault of a listener must not end.
    for (const listener of this.#listeners) queueMicrotask(() => listener(state));
  }

  /** A queue that waits for its next try or for a person goes on waiting. */
  #wake(): void {
    this.#isWanted = true;
    if (this.#round === null && this.#state.status === 'idle') this.#begin();
  }

  #begin(): void {
    this.#cancelTimer();
    this.#setState({ status: 'sending' });
    this.#round = this.#run();
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    let next: QueueState = { status: 'idle' };
    try {
      while (this.#isWanted) {
        this.#isWanted = false;
        await this.#options.locks.sending.hold(() => this.#sendAll());
      }
    } catch (fault) {
      next = this.#stateAfter(fault);
    }
    // Without an `await` since the last look at `#isWanted`: no event is added between.
    this.#round = null;
    this.#setState(next);
    if (next.status === 'idle') for (const { resolve } of this.#whenEmpty.splice(0)) resolve();
  }

  #stateAfter(fault: unknown): QueueState {
    if (this.#state.status === 'closed') return this.#state;
    // A fault that half of the events may not have did not end the round.
    if (reactionTo(fault, 1) === 'stop') return { status: 'stopped', fault };
    const { timers, clock, random } = this.#options;
    const wait = waitMs((this.#failures += 1), random(), fault);
    this.#cancelTimer = timers.after(wait, () => {
      this.#isWanted = true;
      this.#begin();
    });
    return { status: 'retrying', until: clock.now() + wait, fault };
  }

  async #sendAll(): Promise<void> {
    for (;;) {
      const batch = firstBatch(await this.#options.store.waiting(MAX_EVENTS));
      const [oldest] = batch;
      if (oldest === undefined || this.#state.status === 'closed') return;
      // A server may cut such a request off without an answer, and then it would be sent forever.
      if (isTooLarge(oldest)) await this.#setAside(oldest, null, 'The event is too large for a request.');
      else if ((await this.#deliver(batch)) === 0)
        throw new NoOutcome('The answer names none of the events.');
    }
  }

  /** Sends one batch, or its halves where the server refuses it as a whole; the number of events with an outcome. */
  async #deliver(batch: readonly QueuedEvent[]): Promise<number> {
    try {
      return await this.#settle(batch, await this.#ask(batch));
    } catch (fault) {
      if (reactionTo(fault, batch.length) !== 'split' || !(fault instanceof ApiError)) throw fault;
      const [event] = batch;
      if (batch.length === 1 && event !== undefined) return await this.#setAside(event, fault, fault.message);
    }
    const half = Math.ceil(batch.length / 2);
    const settled = await this.#deliver(batch.slice(0, half));
    // An event without outcome is sent again before those after it.
    return settled < half ? settled : settled + (await this.#deliver(batch.slice(half)));
  }

  async #ask(batch: readonly QueuedEvent[]): Promise<readonly EventResult[]> {
    const request = new AbortController();
    this.#request = request;
    const cancel = this.#options.timers.after(ANSWER_WITHIN_MS, () =>
      request.abort(new Error('The server did not answer in time.')),
    );
    try {
      return await this.#options.send(batch, request.signal);
    } finally {
      cancel();
      this.#request = null;
    }
  }

  /** An event leaves the store when its outcome is known, and only then. */
  async #settle(batch: readonly QueuedEvent[], results: readonly EventResult[]): Promise<number> {
    const byId = new Map(results.map((result) => [result.id, result]));
    const outcomeOf = ({ id }: QueuedEvent) => {
      const outcome = byId.get(id)?.outcome;
      return outcome === undefined ? null : OUTCOMES[outcome];
    };
    const refused = batch.filter((event) => outcomeOf(event) === 'refuse');
    const removed = batch.filter((event) => outcomeOf(event) === 'remove');
    await this.#refuse(refused.map((event) => refusedEvent(event, byId.get(event.id) ?? {}, null)));
    if (removed.length > 0) await this.#options.store.remove(idsOf(removed));
    const settled = refused.length + removed.length;
    if (settled > 0) this.#failures = 0;
    return settled;
  }

  /** The others go on without an event that no request can carry. */
  async #setAside(event: QueuedEvent, fault: ApiError | null, message: string): Promise<number> {
    await this.#refuse([refusedEvent(event, fault?.body ?? {}, message)]);
    return 1;
  }

  async #refuse(refused: readonly RefusedEvent[]): Promise<void> {
    if (refused.length > 0) await this.#options.store.refuse(refused);
  }
}
