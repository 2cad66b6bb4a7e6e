/**
 * What bodies share: how many arrive at one time, and their bytes until they are parsed. One client may hold a tenth of
 * each. Where one is full, the slowest sender is cut off: of the same client when its part is full, else of the client
 * that holds the most.
 */
import type { Refusal } from '../../../kernel/refusal.ts';
import type { Connection } from '../connections/connections.ts';
import { fullRefusal, Share } from '../connections/share.ts';

/** As many as there are places: more could not be answered. */
const MOST_BODIES = 1_000;
const MOST_BYTES = 64 * 1024 * 1024;
/** A sender is not called slow before this: an order is in one packet, the largest cart in 0.8 s at 5 Mbit/s. Milliseconds. */
const PATIENCE_MS = 1_000;

/** A body that arrives. */
export interface Reading {
  readonly client: string;
  readonly connection: Connection;
  /** Monotonic ms. */
  readonly startedAt: number;
  readonly arriving: { readonly size: number };
  readonly cut: () => void;
}

export interface BudgetParts {
  readonly monotonic: () => number;
  /** Whether one client may hold a part alone. */
  readonly isDivided: boolean;
}

/** What all bodies that arrive share. */
export class Budget {
  readonly bodies: Share;
  readonly bytes: Share;
  cut = 0;
  readonly now: () => number;
  readonly #readings = new Set<Reading>();

  constructor({ monotonic, isDivided }: BudgetParts) {
    this.bodies = new Share(MOST_BODIES, isDivided);
    this.bytes = new Share(MOST_BYTES, isDivided);
    this.now = monotonic;
  }

  /** The refusal of one more body of this client; null where there is room, perhaps because a slow one was cut off. */
  refusalOfBody(client: string): Refusal | null {
    return this.#refusal(this.bodies, 1, client, null);
  }

  /** The same of further bytes for a body. */
  refusalOfBytes(count: number, reading: Reading): Refusal | null {
    return this.#refusal(this.bytes, count, reading.client, reading);
  }

  takeBytes({ client, connection }: Reading, count: number): void {
    this.bytes.take(client, count);
    connection.holds.bytes += count;
  }

  giveBytes({ client, connection }: Reading, count: number): void {
    this.bytes.give(client, count);
    connection.holds.bytes -= count;
  }

  begin(reading: Reading): void {
    this.bodies.take(reading.client);
    reading.connection.holds.bodies += 1;
    this.#readings.add(reading);
  }

  /** The body is there, or will not be: its bytes stay held. */
  end(reading: Reading): void {
    this.#readings.delete(reading);
    reading.connection.holds.bodies -= 1;
    this.bodies.give(reading.client);
  }

  #refusal(share: Share, amount: number, client: string, except: Reading | null): Refusal | null {
    for (;;) {
      const full = share.full(client, amount);
      if (full === null) return null;
      if (!this.#cutSlowest(full === 'client' ? client : share.greatest(), except)) return fullRefusal(full);
    }
  }

  /** Cuts off the sender of this client that has sent the least for its time; false where none was slow. */
  #cutSlowest(client: string | null, except: Reading | null): boolean {
    const now = this.now();
    const rateOf = ({ arriving, startedAt }: Reading): number => arriving.size / (now - startedAt);
    let slowest: Reading | null = null;
    for (const reading of this.#readings) {
      if (reading === except || reading.client !== client) continue;
      if (now - reading.startedAt < PATIENCE_MS) continue;
      if (slowest === null || rateOf(reading) < rateOf(slowest)) slowest = reading;
    }
    if (slowest === null) return false;
    this.cut += 1;
    slowest.cut();
    return true;
  }
}
