/**
 * The number of incoming bodies, and their bytes until they are parsed. One client may hold a tenth of each. Where one
 * is full, the slowest sender is refused, of the same client or of the one that holds the most.
 */
import type { Refusal } from '../../../kernel/refusal.ts';
import type { Connection } from '../connections/connections.ts';
import { exhaustedRefusal, FairShare } from '../connections/fair-share.ts';

/** As many as the concurrency limit has permits. */
const MAX_BODIES = 1_000;
const MAX_BYTES = 64 * 1024 * 1024;
/**
 * A sender may take this long before it counts as slow, ms: an order is one packet, the largest cart takes 0.8 s at 5
 * Mbit/s.
 */
const PATIENCE_MS = 1_000;

export interface IncomingBody {
  readonly client: string;
  readonly connection: Connection;
  /** Monotonic ms. */
  readonly startedAt: number;
  readonly received: { readonly size: number };
  readonly cut: () => void;
}

export interface BudgetParts {
  readonly monotonic: () => number;
  /** False: one client may hold everything. */
  readonly isDivided: boolean;
}

export class BodyBudget {
  readonly bodies: FairShare;
  readonly bytes: FairShare;
  cut = 0;
  readonly now: () => number;
  readonly #incomingBodies = new Set<IncomingBody>();

  constructor({ monotonic, isDivided }: BudgetParts) {
    this.bodies = new FairShare(MAX_BODIES, isDivided);
    this.bytes = new FairShare(MAX_BYTES, isDivided);
    this.now = monotonic;
  }

  /** The refusal of a further body; null where there is room, or a slow sender made room. */
  refusalOfBody(client: string): Refusal | null {
    return this.#refusal(this.bodies, 1, client, null);
  }

  /** The same for further bytes of a body. */
  refusalOfBytes(count: number, incoming: IncomingBody): Refusal | null {
    return this.#refusal(this.bytes, count, incoming.client, incoming);
  }

  reserveBytes({ client, connection }: IncomingBody, count: number): void {
    this.bytes.acquire(client, count);
    connection.holds.bytes += count;
  }

  releaseBytes({ client, connection }: IncomingBody, count: number): void {
    this.bytes.release(client, count);
    connection.holds.bytes -= count;
  }

  begin(incoming: IncomingBody): void {
    this.bodies.acquire(incoming.client);
    incoming.connection.holds.bodies += 1;
    this.#incomingBodies.add(incoming);
  }

  /** The bytes of the body stay reserved. */
  end(incoming: IncomingBody): void {
    this.#incomingBodies.delete(incoming);
    incoming.connection.holds.bodies -= 1;
    this.bodies.release(incoming.client);
  }

  #refusal(share: FairShare, amount: number, client: string, except: IncomingBody | null): Refusal | null {
    for (;;) {
      const full = share.full(client, amount);
      if (full === null) return null;
      if (!this.#cutSlowest(full === 'client' ? client : share.greatest(), except))
        return exhaustedRefusal(full);
    }
  }

  /** False where no sender was slow. */
  #cutSlowest(client: string | null, except: IncomingBody | null): boolean {
    const now = this.now();
    const rateOf = ({ received, startedAt }: IncomingBody): number => received.size / (now - startedAt);
    let slowest: IncomingBody | null = null;
    for (const incoming of this.#incomingBodies) {
      if (incoming === except || incoming.client !== client) continue;
      if (now - incoming.startedAt < PATIENCE_MS) continue;
      if (slowest === null || rateOf(incoming) < rateOf(slowest)) slowest = incoming;
    }
    if (slowest === null) return false;
    this.cut += 1;
    slowest.cut();
    return true;
  }
}
