/** Sends the rows of one kind: takes what is due, as many as there are places, and writes what became of each. */
import type { Clock, Log, Random, Timers } from '../../ports.ts';
import { afterTry, WAY_OUT, type AfterTry, type OutboxKind } from '../domain/outbox.ts';
import { isUnavailable } from '../../kernel/refusal.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Db } from '../../platform/store/db.ts';
import { claimHeads, giveBack, parkWaiting, settle, wayOutOf, type ClaimedRow } from '../store/outbox.ts';
import type { Database } from '../../platform/store/schema.ts';
import { attempt, jitterOf, tellParked, type Senders } from './outbox/sending.ts';
import { createWaysOut, type WaysOut } from './destinations.ts';

export interface DeskParts {
  readonly db: Db<Database>;
  readonly clock: Clock;
  readonly random: Random;
  readonly senders: Senders;
  readonly timers: Timers;
  readonly log: Log;
}

/** How many are sent at once, in all and for one way out: an address that is slow leaves places to the others. */
const PLACES: Readonly<Record<OutboxKind, { readonly inAll: number; readonly perWayOut: number }>> = {
  message: { inAll: 8, perWayOut: 8 },
  webhook: { inAll: 8, perWayOut: 2 },
};

/** Longer than a try and its settling take: only what a process left behind is taken from it. */
const LEASE_MS = 60_000;

interface Settlement {
  readonly row: ClaimedRow;
  readonly after: AfterTry;
  readonly now: Instant;
}

export class Desk {
  readonly #kind: OutboxKind;
  readonly #parts: DeskParts;
  readonly #ways: WaysOut;
  readonly #underWay = new Set<Promise<void>>();
  /** What could not be written, since the database was away. */
  readonly #owed: Settlement[] = [];
  #round: Promise<void> | null = null;
  #isWanted = false;
  #wakes = 0;
  /** The last look left something that was due, since others were taking some of it. */
  #isMoreDue = false;
  #isClosed = false;
  #isFailing = false;

  constructor(kind: OutboxKind, parts: DeskParts) {
    this.#kind = kind;
    this.#parts = parts;
    this.#ways = createWaysOut(PLACES[kind].perWayOut);
  }

  /** Looks for what is due, soon; returns at once. */
  wake(): void {
    this.#wakes += 1;
    this.#isWanted = true;
    this.#round ??= this.#rounds();
  }

  /** Resolves once nothing is under way and nobody looks. */
  async quiet(): Promise<void> {
    while (this.#round !== null || this.#underWay.size > 0)
      await Promise.race([...this.#underWay, ...(this.#round === null ? [] : [this.#round])]);
  }

  /** Begins nothing more. */
  close(): void {
    this.#isClosed = true;
  }

  async #rounds(): Promise<void> {
    // Begins in a moment: who woke it is not kept waiting.
    await Promise.resolve();
    while (this.#isWanted && !this.#isClosed) {
      this.#isWanted = false;
      await this.#look().then(
        () => this.#report(null),
        (fault: unknown) => this.#report(fault),
      );
    }
    this.#round = null;
  }

  /** Takes what is due: all of it, or as much as there are places for. */
  async #look(): Promise<void> {
    const { db, clock, random } = this.#parts;
    const { inAll, perWayOut } = PLACES[this.#kind];
    await this.#settleOwed();
    while (this.#underWay.size < inAll) {
      const now = clock.now();
      const leaseId = random.uuid();
      const { rows, isMoreDue } = await claimHeads(db.kysely, {
        ...{ kind: this.#kind, now, leaseId, leaseUntil: now + LEASE_MS },
        ...{ limit: inAll - this.#underWay.size, perWayOut, ...this.#ways.toClaim(now) },
      });
      // Closed while it asked: what it took waits for nobody.
      if (this.#isClosed) return giveBack(db.kysely, leaseId);
      for (const row of rows) this.#begin(row);
      this.#isMoreDue = isMoreDue;
      // A way out with a long queue hides what is due on others, until it is full and left out.
      if (!rows.some((row) => this.#ways.isFull(wayOutOf(row)))) return;
    }
  }

  #begin(row: ClaimedRow): void {
    const sending = this.#send(row).then((isWaitedFor) => {
      const wasFull = this.#underWay.size >= PLACES[this.#kind].inAll;
      this.#underWay.delete(sending);
      if (isWaitedFor || wasFull || this.#isMoreDue || this.#isLooking) this.wake();
    });
    this.#underWay.add(sending);
  }

  /** A look that runs does not know of what ends meanwhile. */
  get #isLooking(): boolean {
    return this.#round !== null;
  }

  /** Says whether others may wait for its end: behind it in its lane, or for its place on the way out. */
  async #send(row: ClaimedRow): Promise<boolean> {
    const { db, clock, random, log } = this.#parts;
    const wayOut = wayOutOf(row);
    this.#ways.begin(wayOut);
    const outcome = await attempt(row, this.#parts);
    const now = clock.now();
    const wasFull = this.#ways.isFull(wayOut) || this.#isLooking;
    const isGivenUp = this.#ways.end(wayOut, outcome, now);
    const after = afterTry(row.tried + 1, outcome, now, jitterOf(random));
    tellParked(log, row, after);
    try {
      const wakes = this.#wakes;
      const { isNextDue } = await settle(db.kysely, row, after, now);
      if (isGivenUp) await this.#giveUp(row, now);
      // What was committed meanwhile is told by a wake, and the settling did not see it; what another process committed
      // just then, behind this row in its lane, is found within a second.
      return wasFull || isNextDue || this.#wakes > wakes;
    } catch (fault) {
      this.#owed.push({ row, after, now });
      this.#report(fault);
      return true;
    }
  }

  async #giveUp(row: ClaimedRow, now: Instant): Promise<void> {
    const { db, log } = this.#parts;
    const { kind, targetId } = row;
    const since = now - WAY_OUT.givenUpAfterMs;
    const reason = 'nothing went through for a day';
    const count = await parkWaiting(db.kysely, { kind, targetId, since, reason }, now);
    if (count > 0) log.warn({ kind, target_id: targetId, count }, `${reason}: parked in the outbox`);
  }

  async #settleOwed(): Promise<void> {
    for (let next = this.#owed[0]; next !== undefined; next = this.#owed[0]) {
      try {
        await settle(this.#parts.db.kysely, next.row, next.after, next.now);
      } catch (fault) {
        if (isUnavailable(fault)) throw fault;
        this.#report(fault);
      }
      this.#owed.shift();
    }
  }

  /** Says once that the database is away, and once that it is back. */
  #report(fault: unknown): void {
    const isFault = fault !== null;
    if (isFault === this.#isFailing) return;
    this.#isFailing = isFault;
    const { log } = this.#parts;
    if (isFault)
      log.warn(
        { kind: this.#kind, reason: fault instanceof Error ? fault.message : 'a fault' },
        'the outbox cannot be read',
      );
    else log.info({ kind: this.#kind }, 'the outbox can be read again');
  }
}
