/** A till whose process ends between any two of its steps, and a server whose answers go wrong. */
import { statSync, truncateSync } from 'node:fs';
import { openFileStore } from '../../../src/client/till/node/file-store.ts';
import { EventQueue, type SendEvents } from '../../../src/client/till/queue/event-queue.ts';
import type { EventStore } from '../../../src/client/till/queue/event-store.ts';
import type { EventResult, QueuedEvent } from '../../../src/client/till/queue/event.ts';
import { localLock, localLocks } from '../../../src/client/till/queue/locks.ts';
import { deferred, manualTimers } from '../background/manual-timers.ts';
import { anEvent, NOW, numberOf, numbersOf } from './till-events.ts';
import { BRANCH, networkFault, refusal } from './till-queue.ts';

/** `lost`: the server has the events, and its answer does not arrive. `partial`: every second event has no outcome. */
export type AnswerKind =
  'whole' | 'partial' | 'turned round' | 'repeated' | 'lost' | 'away' | 'busy' | 'logged out';

/** `during`: a part of what the step wrote is on disk. */
export type CrashMoment = 'before' | 'during' | 'after';

export interface Life {
  readonly adds: number;
  /** Whether the till waits for the queue after each event. */
  readonly isSlow: boolean;
  /** The number of the step at which the process ends, where it gets so far. */
  readonly crashAt: number;
  readonly moment: CrashMoment;
  /** From 0 to 1: which part of what was written is there. */
  readonly part: number;
}

/** The server refuses a whole request for it. */
export const isMalformed = (number: number): boolean => number % 11 === 5;
export const isRefused = (number: number): boolean => number % 13 === 6;

export class ForgetfulServer {
  readonly #script: readonly AnswerKind[];
  #next = 0;
  /** Whether every answer is whole from now on. */
  isWell = false;
  /** In the order of their arrival. */
  readonly seen = new Set<number>();
  /** The numbers of the events of each request. */
  readonly requests: number[][] = [];

  constructor(script: readonly AnswerKind[]) {
    this.#script = script;
  }

  #outcome(number: number): Pick<EventResult, 'outcome' | 'code'> {
    if (isRefused(number)) return { outcome: 'refused', code: 'MALFORMED' };
    if (this.seen.has(number)) return { outcome: 'already' };
    this.seen.add(number);
    return { outcome: (['applied', 'waiting', 'review'] as const)[number % 3] ?? 'applied' };
  }

  readonly send: SendEvents = (events) => {
    this.requests.push(numbersOf(events));
    const kind = this.isWell ? 'whole' : (this.#script[this.#next++ % this.#script.length] ?? 'whole');
    if (kind === 'away') return Promise.reject(networkFault());
    if (kind === 'busy') return Promise.reject(refusal(429, {}, 2));
    if (kind === 'logged out') return Promise.reject(refusal(401));
    if (events.some((event) => isMalformed(numberOf(event)))) return Promise.reject(refusal(400));
    const results = events.map((event) => ({ id: event.id, ...this.#outcome(numberOf(event)) }));
    if (kind === 'lost') return Promise.reject(networkFault());
    if (kind === 'partial') return Promise.resolve(results.filter((_, index) => index % 2 === 1));
    if (kind === 'turned round') return Promise.resolve(results.toReversed());
    return Promise.resolve(kind === 'repeated' ? [...results, ...results] : results);
  };
}

/** What is known of a till, over all its lives. */
export class Till {
  readonly path: string;
  readonly server: ForgetfulServer;
  /** The till went on after these. */
  readonly acknowledged: number[] = [];
  /** Their removal, or their move to the refused, is durable. */
  readonly gone = new Set<number>();
  /** Sent although they were gone. */
  readonly sentAgain: number[] = [];
  #added = 0;

  constructor(path: string, server: ForgetfulServer) {
    this.path = path;
    this.server = server;
  }

  get added(): number {
    return this.#added;
  }

  /** From the start of the process to its end. */
  async live({ adds, isSlow, ...crash }: Life, deadLines: number): Promise<void> {
    const store = await openFileStore(this.path, { deadLines });
    const process = new DoomedProcess(this.path, crash);
    const time = manualTimers();
    const queue = new EventQueue({
      branchId: BRANCH,
      store: this.#watched(store, process),
      send: (events, signal) => {
        this.sentAgain.push(...numbersOf(events).filter((number) => this.gone.has(number)));
        return process.step(() => this.server.send(events, signal));
      },
      ...{ locks: localLocks(), timers: time.timers, clock: { now: () => NOW }, random: () => 0.3 },
    });
    const work = async (): Promise<void> => {
      queue.resume();
      for (let count = 0; count < adds; count += 1) {
        const number = (this.#added += 1);
        await queue.add(anEvent(number));
        this.acknowledged.push(number);
        if (isSlow) await queue.settled();
      }
      await drive(queue, time);
    };
    await Promise.race([work(), process.ended]);
    await process.end();
    await store.close();
  }

  #watched(store: EventStore, process: DoomedProcess): EventStore {
    const numbers = new Map<string, number>();
    const note = (events: readonly QueuedEvent[]) =>
      events.forEach((event) => numbers.set(event.id, numberOf(event)));
    const leave = (ids: readonly string[]) => ids.forEach((id) => this.gone.add(numbers.get(id) ?? 0));
    return {
      append: (events) => process.step(() => store.append(events)),
      appended: () => process.step(() => store.appended()),
      waiting: (limit) => process.step(() => store.waiting(limit)).then((events) => (note(events), events)),
      remove: (ids) => process.step(() => store.remove(ids)).then(() => leave(ids)),
      refuse: (refused) =>
        process.step(() => store.refuse(refused)).then(() => leave(refused.map(({ event }) => event.id))),
      refused: () => process.step(() => store.refused()),
      dismiss: (id) => process.step(() => store.dismiss(id)),
      close: () => process.step(() => store.close()),
    };
  }
}

/** Lets waits pass and people log in until nothing waits, at most as often as a patient person would. */
const drive = async (queue: EventQueue, time: ReturnType<typeof manualTimers>): Promise<void> => {
  for (let tries = 0; tries < 30; tries += 1) {
    const { status } = await queue.settled();
    if (status === 'idle') return;
    if (status === 'stopped') queue.resume();
    else for (const wait of time.pending()) time.fire(wait);
  }
};

/** Runs steps one at a time until the one at which it ends; that and all later ones never return. */
class DoomedProcess {
  readonly #path: string;
  readonly #how: Pick<Life, 'crashAt' | 'moment' | 'part'>;
  readonly #turn = localLock();
  readonly #end = deferred();
  #steps = 0;
  #hasEnded = false;

  constructor(path: string, how: Pick<Life, 'crashAt' | 'moment' | 'part'>) {
    this.#path = path;
    this.#how = how;
  }

  get ended(): Promise<void> {
    return this.#end.promise;
  }

  /** Resolves when no step runs. */
  async end(): Promise<void> {
    await this.#turn.hold(() => {
      this.#hasEnded = true;
      return Promise.resolve();
    });
  }

  step<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      void this.#turn.hold(async () => {
        if (this.#hasEnded) return;
        this.#steps += 1;
        const isLast = this.#steps === this.#how.crashAt;
        if (isLast) this.#hasEnded = true;
        if (isLast && this.#how.moment === 'before') {
          this.#end.resolve();
          return;
        }
        const before = statSync(this.#path);
        try {
          const value = await work();
          if (isLast) this.#tear(before);
          else resolve(value);
        } catch (fault) {
          if (!isLast) reject(fault instanceof Error ? fault : new Error(String(fault)));
        }
        if (isLast) this.#end.resolve();
      });
    });
  }

  /** Of what the last step appended, a part may be there. A file that was written anew is there as a whole. */
  #tear(before: { readonly size: number; readonly ino: number }): void {
    const after = statSync(this.#path);
    if (this.#how.moment !== 'during' || after.ino !== before.ino) return;
    truncateSync(this.#path, before.size + Math.floor((after.size - before.size) * this.#how.part));
  }
}
