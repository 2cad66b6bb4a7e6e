/** The queue of a device, and a server that answers as the test says. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ApiError } from '../../../src/client/client.ts';
import { openFileStore } from '../../../src/client/till/node/file-store.ts';
import {
  EventQueue,
  type QueueOptions,
  type SendEvents,
} from '../../../src/client/till/queue/event-queue.ts';
import type { EventStore } from '../../../src/client/till/queue/event-store.ts';
import type { EventResult, QueuedEvent } from '../../../src/client/till/queue/event.ts';
import { localLocks } from '../../../src/client/till/queue/locks.ts';
import { manualTimers } from '../background/manual-timers.ts';
import { NOW, numbersOf } from './till-events.ts';

/** Of the queues. */
export const BRANCH = '5b0c7a52-6d5e-5a3b-9a41-0b6d9d0f1c22';

/** A new path of a file that does not exist; its folder is removed after the test. */
export const aPath = (): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'ahwa-queue-')), 'events.jsonl');
  onTestFinished(() => rmSync(dirname(path), { recursive: true, force: true }));
  return path;
};

/** Closed after the test. */
export const aFileStore = async (...how: Parameters<typeof openFileStore>): Promise<EventStore> => {
  const store = await openFileStore(...how);
  onTestFinished(() => store.close());
  return store;
};

export const refusal = (status: number, about: Partial<ApiError['body']> = {}, seconds?: number): ApiError =>
  new ApiError(status, { error: `status ${status}`, code: `CODE_${status}`, ...about }, seconds ?? null);

export const networkFault = (): Error => new TypeError('fetch failed');

type Answer = (
  events: readonly QueuedEvent[],
  signal: AbortSignal,
) => readonly EventResult[] | Promise<readonly EventResult[]>;

export const applied = (events: readonly QueuedEvent[]): EventResult[] =>
  events.map(({ id }) => ({ id, outcome: 'applied' }));

/** Answers by the script, one entry a request; when it is over, everything is applied. */
export const scriptedServer = (...script: readonly (Error | Answer)[]) => {
  const steps = [...script];
  const requests: number[][] = [];
  const send: SendEvents = async (events, signal) => {
    requests.push(numbersOf(events));
    const step = steps.shift() ?? applied;
    if (step instanceof Error) throw step;
    return await step(events, signal);
  };
  return {
    send,
    /** The numbers of the events of each request. */
    requests,
    then: (...more: readonly (Error | Answer)[]) => void steps.push(...more),
  };
};

export interface Rig {
  readonly queue: EventQueue;
  readonly store: EventStore;
  readonly path: string;
  readonly time: ReturnType<typeof manualTimers>;
  /** Lets the wait for the next try pass, and the tries after it. */
  readonly passWait: () => Promise<number>;
}

/** A queue on a file; without chance in its waits. */
export const aQueue = async (
  send: SendEvents,
  { path = aPath(), ...options }: Partial<QueueOptions> & { readonly path?: string } = {},
): Promise<Rig> => {
  const store = options.store ?? (await aFileStore(path));
  const time = manualTimers();
  const queue = new EventQueue({
    ...{ branchId: BRANCH, store, send, locks: localLocks() },
    ...{ timers: time.timers, clock: { now: () => NOW }, random: () => 0 },
    ...options,
  });
  onTestFinished(() => queue.close());
  const passWait = async (): Promise<number> => {
    const [wait = 0] = time.pending();
    time.fire(wait);
    await queue.settled();
    return wait;
  };
  return { queue, store, path, time, passWait };
};
