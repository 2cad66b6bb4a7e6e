/**
 * Shares request limits between processes (Decisions 15). Each process decides by its own buckets, at once. Twice a
 * second it adds what busy clients took to rows that all processes have in common, and takes over what they owe
 * together. No request waits for that; while it fails, each process limits alone, and what was taken waits.
 */
import type { Log } from '../../../ports.ts';
import type { SharedBuckets, Taking } from '../../domain/shared-buckets.ts';
import { addTakings } from '../../store/request-limits.ts';
import type { App } from '../app.ts';

/** In one statement: 500 take 12 ms, of which this process works 7. */
const BATCH = 500;

/**
 * Clients in one settling, over all buckets: 50 ms of each 500, of which this process works 30. In a flood of 50,000
 * busy clients the others wait for their turn, at most 13 s; buckets with few clients never wait for those with many.
 */
const MAX_CLIENTS = 2_000;

/** 128 bits of a keyed hash: an address is personal data, and every IPv4 address can be hashed in minutes without a key. */
const HASH_BYTES = 16;

interface SettlingParts extends Pick<App, 'tokens'> {
  readonly db: Pick<App['db'], 'kysely'>;
  readonly monotonic: () => number;
  readonly log: Log;
}

const textOf = (hash: Buffer): string => hash.toString('base64');

export class LimitSettling {
  readonly #parts: SettlingParts;
  readonly #shared: SharedBuckets[] = [];
  readonly #settled = new Map<string, number>();
  #running: Promise<void> | null = null;
  #isFailing = false;

  constructor(parts: SettlingParts) {
    this.#parts = parts;
  }

  /** Shares these buckets from now on. */
  add(buckets: SharedBuckets): void {
    this.#shared.push(buckets);
    this.#settled.set(buckets.name, 0);
  }

  /** Settles what waits, or joins a settling under way. Never rejects. */
  settle(): Promise<void> {
    return (this.#running ??= this.#settleAll().finally(() => {
      this.#running = null;
    }));
  }

  /** The last settling failed: each process limits alone. */
  get isAlone(): boolean {
    return this.#isFailing;
  }

  /** Clients that were settled, by bucket, since the start. */
  get settled(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#settled);
  }

  /** Clients that wait to be settled. */
  get waiting(): number {
    return this.#shared.reduce((sum, { waiting }) => sum + waiting, 0);
  }

  async #settleAll(): Promise<void> {
    let left = MAX_CLIENTS;
    // After a fault a statement without rows finds out whether it works again.
    const byWaiting = this.#shared
      .filter(({ waiting }) => waiting > 0 || this.#isFailing)
      .sort((a, b) => a.waiting - b.waiting);
    for (const [index, buckets] of byWaiting.entries()) {
      const share = Math.min(buckets.waiting, Math.floor(left / (byWaiting.length - index)));
      left -= share;
      if (!(await this.#settleShare(buckets, share))) return;
    }
  }

  /** False: it failed. */
  async #settleShare(buckets: SharedBuckets, share: number): Promise<boolean> {
    for (let left = share; left > 0 || this.#isFailing; left -= BATCH) {
      const settledAt = this.#parts.monotonic();
      const takings = buckets.collect(Math.min(Math.max(left, 0), BATCH));
      try {
        if (takings.length > 0 || this.#isFailing) await this.#settleBatch(buckets, takings, settledAt);
      } catch (fault) {
        buckets.putBack(takings);
        this.#noteFault(fault);
        return false;
      }
    }
    return true;
  }

  async #settleBatch(buckets: SharedBuckets, takings: readonly Taking[], settledAt: number): Promise<void> {
    const { tokens, db, monotonic } = this.#parts;
    const hashed = takings.map((taking) => ({
      taking,
      hash: tokens.keyedHash('request limit', taking.client).subarray(0, HASH_BYTES),
    }));
    const owed = await addTakings(db.kysely, {
      ...{ bucket: buckets.name, mostOwedMs: buckets.bucket.mostOwedMs },
      takings: hashed.map(({ taking: { ms, from }, hash }) => ({
        ...{ client: hash, ms, ageMs: settledAt - from },
      })),
    });
    const owedBy = new Map(owed.map(({ client, ms }) => [textOf(client), ms]));
    const now = monotonic();
    for (const { taking, hash } of hashed)
      buckets.settle(taking, owedBy.get(textOf(hash)) ?? taking.ms, settledAt, now);
    this.#settled.set(buckets.name, (this.#settled.get(buckets.name) ?? 0) + takings.length);
    this.#noteSuccess();
  }

  #noteFault(fault: unknown): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    const { name, message } = fault instanceof Error ? fault : { name: 'a fault', message: '' };
    this.#parts.log.warn(
      { fault: name, reason: message },
      'request limits are not shared between processes; each limits alone',
    );
  }

  #noteSuccess(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#parts.log.info({}, 'request limits are shared between processes again');
  }
}
