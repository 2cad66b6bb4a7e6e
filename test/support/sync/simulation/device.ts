/** A device of a simulation: the client library as a till uses it, on a clock of its own, and a process that may end. */
import { BranchCopy } from '../../../../src/client/till/branch-copy.ts';
import {
  createDeviceClient,
  type DeviceClient,
  type Pulled,
} from '../../../../src/client/till/device-client.ts';
import { openFileStore } from '../../../../src/client/till/node/file-store.ts';
import type { EventStore } from '../../../../src/client/till/queue/event-store.ts';
import { EventQueue, type QueueState } from '../../../../src/client/till/queue/event-queue.ts';
import type { EventResult, QueuedEvent } from '../../../../src/client/till/queue/event.ts';
import { localLocks } from '../../../../src/client/till/queue/locks.ts';
import { pullWhenSent } from '../../../../src/client/till/queue/row-gate.ts';
import { VoucherUses } from '../../../../src/client/till/voucher-uses.ts';
import { isoInstant } from '../../../../src/kernel/time.ts';
import { manualTimers } from '../../background/manual-timers.ts';
import type { Seams } from './seams.ts';

export interface DeviceParts {
  readonly name: string;
  readonly id: string;
  readonly branchId: string;
  readonly token: string;
  readonly fetch: typeof globalThis.fetch;
  /** Of the queue's file. */
  readonly path: string;
  /** The clock of the server, which is right. */
  readonly now: () => number;
  /** How much its clock is before that. */
  readonly ahead: number;
  readonly seams: Seams;
  /** Called with each fault of what it was told. */
  readonly onFault: (fault: string) => void;
}

/** What a process of the device has; all of it is lost when it ends. */
interface Running {
  readonly store: EventStore;
  readonly queue: EventQueue;
  readonly time: ReturnType<typeof manualTimers>;
  readonly copy: BranchCopy;
  readonly vouchers: VoucherUses;
}

/** As texts, which survive. */
interface Saved {
  readonly copy: string | null;
  readonly vouchers: string | null;
}

export type PullResult = 'is up to date' | 'has more to come' | 'waits for its own events' | 'gets no answer';

export class SimulatedDevice {
  readonly parts: DeviceParts;
  readonly #client: DeviceClient;
  #running: Running;
  #saved: Saved;
  isRevoked = false;

  private constructor(parts: DeviceParts, client: DeviceClient, running: Running) {
    this.parts = parts;
    this.#client = client;
    this.#running = running;
    this.#saved = { copy: running.copy.saved(), vouchers: null };
  }

  /** `saved`: the copy that it begins with. */
  static async open(parts: DeviceParts, saved: string | null): Promise<SimulatedDevice> {
    const { fetch, token } = parts;
    const client = createDeviceClient({ baseUrl: 'http://server', fetch, token });
    return new SimulatedDevice(parts, client, await run(parts, client, { copy: saved, vouchers: null }));
  }

  get id(): string {
    return this.parts.id;
  }

  get name(): string {
    return this.parts.name;
  }

  get copy(): BranchCopy {
    return this.#running.copy;
  }

  get vouchers(): VoucherUses {
    return this.#running.vouchers;
  }

  get queue(): EventQueue {
    return this.#running.queue;
  }

  /** What its clock reads. */
  get clock(): number {
    return this.parts.now() + this.parts.ahead;
  }

  /** Stores the event, and tries to send it. */
  async add(event: QueuedEvent): Promise<QueueState> {
    const { vouchers, copy } = this.#running;
    vouchers.add(event, copy.tillRows()?.branch_settings.loyalty?.rewards ?? []);
    this.#saved = { ...this.#saved, vouchers: vouchers.saved(this.parts.now()) };
    await this.queue.add(event);
    return await this.queue.settled();
  }

  /** Sends what waits. */
  async send(): Promise<QueueState> {
    this.queue.resume();
    return await this.queue.settled();
  }

  /** The process ends, and a new one begins with what is stored. */
  async crash(): Promise<void> {
    await this.close();
    this.#running = await run(this.parts, this.#client, this.#saved);
  }

  async close(): Promise<void> {
    await this.queue.close();
    await this.#running.store.close();
  }

  /** One page, where nothing of its own waits. `meanwhile` happens between the answer and its use, once. */
  async pull(limit: number, meanwhile: () => Promise<void>): Promise<PullResult> {
    const { isWithoutGate } = this.parts.seams;
    await this.send();
    if (!isWithoutGate && (await this.queue.hasWaiting())) return 'waits for its own events';
    const { copy, queue } = this.#running;
    let isFirst = true;
    const pulled = async (): Promise<Pulled> => {
      const page = await this.#client.pull({ branch_id: copy.branchId, limit, ...copy.next() });
      if (isFirst) await meanwhile();
      isFirst = false;
      return page;
    };
    const apply = (page: Pulled): Promise<void> => {
      this.#checkNumbers(page);
      copy.apply(page);
      this.#saved = { ...this.#saved, copy: copy.saved() };
      return Promise.resolve();
    };
    try {
      if (isWithoutGate) await apply(await pulled());
      else await pullWhenSent(queue, { pull: pulled, apply });
    } catch {
      return 'gets no answer';
    }
    return copy.isCurrent ? 'is up to date' : 'has more to come';
  }

  /** A reader who has seen n is told of nothing below n. */
  #checkNumbers({ full, resync_required: isEnded, next, changes }: Pulled): void {
    const { since } = this.copy.next();
    if (full || isEnded === true || since === undefined) return;
    const wrong = changes.filter(({ seq }) => seq <= since || seq > next);
    if (next < since || wrong.length > 0)
      this.parts.onFault(
        `${this.name} has seen ${since}, and is told of ${wrong.map(({ seq }) => seq).join(', ')} until ${next}`,
      );
  }
}

const resultOf = ({ id, outcome, code = null, vars = {} }: EventResult): EventResult => ({
  id,
  outcome,
  code,
  vars,
});

const run = async (parts: DeviceParts, client: DeviceClient, saved: Saved): Promise<Running> => {
  const { branchId, path, now, ahead, seams } = parts;
  const store = await openFileStore(path);
  const time = manualTimers();
  const queue = new EventQueue({
    ...{ branchId, store, locks: localLocks(), timers: time.timers, random: () => 0 },
    clock: { now: () => now() + ahead },
    send: async (events, signal) => {
      const body = { branch_id: branchId, device_time: isoInstant(now() + ahead), events: [...events] };
      const answered = client.replay(body, signal);
      if (seams.isForgottenOnSend)
        return await answered.then(
          ({ results }) => results.map(resultOf),
          () => events.map(({ id }): EventResult => ({ id, outcome: 'applied' })),
        );
      return (await answered).results.map(resultOf);
    },
  });
  const copy = new BranchCopy(branchId, saved.copy);
  return { store, queue, time, copy, vouchers: new VoucherUses(saved.vouchers) };
};
