/**
 * Sends the outbox rows of one kind: claims due rows up to the concurrency limit and settles each after a try.
 */
import type { Clock, Log, Random, Timers } from '../../ports.ts';
import {
  afterTry,
  asLine,
  GIVE_UP_AFTER_MS,
  type AfterTry,
  type Outcome,
  type OutboxKind,
} from '../domain/outbox.ts';
import { isUnavailable } from '../../kernel/refusal.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Db } from '../../platform/store/db.ts';
import { claimHeads, releaseClaim, settle, destinationNameOf, type ClaimedRow } from '../store/outbox.ts';
import { parkWaiting } from '../store/parking.ts';
import type { Database } from '../../platform/store/schema.ts';
import { isOfSilentNode } from '../../platform/store/unavailable.ts';
import { attempt, jitterOf, logParked, type Senders } from './outbox/attempt.ts';
import { createDestinations, type Destinations } from './destinations.ts';

export interface DispatcherParts {
  readonly db: Db<Database>;
  readonly clock: Clock;
  readonly random: Random;
  readonly senders: Senders;
  readonly timers: Timers;
  readonly log: Log;
}

/** Rows in flight, in total and per destination, so that a slow destination leaves room for the others. */
const CONCURRENCY: Readonly<Record<OutboxKind, { readonly total: number; readonly perDestination: number }>> =
  {
    message: { total: 8, perDestination: 8 },
    webhook: { total: 8, perDestination: 2 },
    // Streams of one connection.
    wallet_one: { total: 8, perDestination: 8 },
    wallet_two: { total: 4, perDestination: 4 },
  };

/** Longer than a try and its settling take, so that only rows of a dead process are claimed again. */
const LEASE_MS = 60_000;

interface Settlement {
  readonly row: ClaimedRow;
  readonly after: AfterTry;
  readonly now: Instant;
}

export class Dispatcher {
  readonly kind: OutboxKind;
  readonly #parts: DispatcherParts;
  readonly #onFailing: () => void;
  readonly #destinations: Destinations;
  readonly #inFlight = new Set<Promise<void>>();
  /** Results not yet written because the database was unavailable, or the node of their shop. */
  readonly #unsettled: Settlement[] = [];
  #claiming: Promise<void> | null = null;
  #isClaimWanted = false;
  #wakes = 0;
  /** The last claim left due rows: other processes were claiming some of them. */
  #isMoreDue = false;
  #isClosed = false;
  #isFailing = false;

  /** `onFailing`: a destination began to fail. */
  constructor(kind: OutboxKind, parts: DispatcherParts, onFailing: () => void) {
    this.kind = kind;
    this.#parts = parts;
    this.#onFailing = onFailing;
    this.#destinations = createDestinations(kind, CONCURRENCY[kind].perDestination);
  }

  /** Results wait to be written, or a fault that is over to be reported: it has to run though nothing is due. */
  get isBehind(): boolean {
    return this.#unsettled.length > 0 || this.#isFailing;
  }

  /** Schedules a claim and returns at once. */
  wake(): void {
    this.#wakes += 1;
    this.#isClaimWanted = true;
    this.#claiming ??= this.#run();
  }

  /** Resolves once no row is in flight and no claim runs. */
  async idle(): Promise<void> {
    while (this.#claiming !== null || this.#inFlight.size > 0)
      await Promise.race([...this.#inFlight, ...(this.#claiming === null ? [] : [this.#claiming])]);
  }

  close(): void {
    this.#isClosed = true;
  }

  async #run(): Promise<void> {
    // Deferred, so that the caller of `wake` does not wait.
    await Promise.resolve();
    while (this.#isClaimWanted && !this.#isClosed) {
      this.#isClaimWanted = false;
      await this.#claimDue().then(
        () => this.#report(null),
        (fault: unknown) => this.#report(fault),
      );
    }
    this.#claiming = null;
  }

  async #claimDue(): Promise<void> {
    const { db, clock, random } = this.#parts;
    const { total, perDestination } = CONCURRENCY[this.kind];
    await this.#settlePending();
    while (this.#inFlight.size < total) {
      const now = clock.now();
      const leaseId = random.uuid();
      const { rows, isMoreDue } = await claimHeads(db.kysely, {
        ...{ kind: this.kind, now, leaseId, leaseUntil: now + LEASE_MS },
        ...{ limit: total - this.#inFlight.size, perDestination, ...this.#destinations.toClaim(now) },
      });
      // Closed while the claim ran: release it for other processes.
      if (this.#isClosed) return releaseClaim(db.kysely, leaseId, rows);
      for (const row of rows) this.#begin(row);
      this.#isMoreDue = isMoreDue;
      // A destination with a long queue hides due rows of others until it is full and excluded.
      if (!rows.some((row) => this.#destinations.isFull(destinationNameOf(row)))) return;
    }
  }

  #begin(row: ClaimedRow): void {
    const sending = this.#send(row).then((isWakeNeeded) => {
      const wasFull = this.#inFlight.size >= CONCURRENCY[this.kind].total;
      this.#inFlight.delete(sending);
      if (isWakeNeeded || wasFull || this.#isMoreDue || this.#isClaiming) this.wake();
    });
    this.#inFlight.add(sending);
  }

  /** A running claim does not see rows that finish meanwhile. */
  get #isClaiming(): boolean {
    return this.#claiming !== null;
  }

  /**
   * Returns whether others may wait for this row: behind it in its ordering key, or for its place at the
   * destination.
   */
  async #send(row: ClaimedRow): Promise<boolean> {
    const { db, clock, random, log } = this.#parts;
    const destination = destinationNameOf(row);
    this.#destinations.begin(destination);
    const outcome = await attempt(row, this.#parts);
    const now = clock.now();
    const wasFull = this.#destinations.isFull(destination) || this.#isClaiming;
    const { isGivenUp, healthChange } = this.#destinations.end(destination, outcome, now);
    if (healthChange !== null) this.#reportDestination(row, healthChange, outcome);
    const after = afterTry(row.tried + 1, outcome, now, jitterOf(random));
    logParked(log, row, after);
    try {
      const wakes = this.#wakes;
      const { isNextDue } = await settle(db.kysely, row, after, now);
      if (isGivenUp) await this.#giveUp(row, now);
      // Rows committed since were announced by a wake that this settling did not see; a row that another
      // process commits behind this one is found by the next poll.
      return wasFull || isNextDue || this.#wakes > wakes;
    } catch (fault) {
      this.#unsettled.push({ row, after, now });
      if (!isOfSilentNode(fault)) this.#report(fault);
      return true;
    }
  }

  /** One line for many failures: the address of a webhook, or the provider of the kind. */
  #reportDestination(
    { kind, orgId, targetId }: ClaimedRow,
    healthChange: 'failed' | 'recovered',
    outcome: Outcome,
  ): void {
    const { log } = this.#parts;
    const destination = { kind, ...(targetId === null ? {} : { org_id: orgId, target_id: targetId }) };
    if (healthChange === 'failed') this.#onFailing();
    if (healthChange === 'failed' && !outcome.sent)
      log.warn({ ...destination, reason: asLine(outcome.reason) }, 'a destination of the outbox fails');
    else log.info(destination, 'a destination of the outbox works again');
  }

  async #giveUp(row: ClaimedRow, now: Instant): Promise<void> {
    const { db, log } = this.#parts;
    const { kind, targetId } = row;
    const since = now - GIVE_UP_AFTER_MS;
    const reason = 'nothing went through for a day';
    const count = await parkWaiting(db.kysely, { kind, targetId, since, reason }, now);
    if (count > 0) log.warn({ kind, target_id: targetId, count }, `${reason}: parked in the outbox`);
  }

  async #settlePending(): Promise<void> {
    for (const settlement of [...this.#unsettled]) {
      const { row, after, now } = settlement;
      try {
        await settle(this.#parts.db.kysely, row, after, now);
      } catch (fault) {
        if (isOfSilentNode(fault)) continue;
        if (isUnavailable(fault)) throw fault;
        this.#report(fault);
      }
      this.#unsettled.splice(this.#unsettled.indexOf(settlement), 1);
    }
  }

  /** Logs once when the database becomes unavailable, and once when it is back. */
  #report(fault: unknown): void {
    const isFault = fault !== null;
    if (isFault === this.#isFailing) return;
    this.#isFailing = isFault;
    const { log } = this.#parts;
    if (isFault)
      log.warn(
        { kind: this.kind, reason: fault instanceof Error ? fault.message : 'a fault' },
        'the outbox cannot be read',
      );
    else log.info({ kind: this.kind }, 'the outbox can be read again');
  }
}
