/**
 * Clients of two servers on one database who ask for the last table of a start at the same time. Each repeats its
 * request, under its idempotency key, until it is answered; servers are killed meanwhile.
 */
import type { ShopFile } from '../../../src/shopfile/contract/shopfile.ts';
import { aBooking, type Booking } from '../people/bookings.ts';
import { aBranch, aShopFile, aTable, branchId, daily } from '../shops/cafe.ts';
import type { BranchEntry } from '../shops/shop-file.ts';
import { retryingClient, type RetryingClient } from './order-load.ts';
import type { Server } from './program.ts';

const SLOT_MINUTES = 15;
/** When the servers' clocks start. */
export const CLOCK_START = '2026-11-20T18:00:00Z';
/** The first start; the branch is open round the clock for a year. */
const FIRST_START = Date.parse('2026-11-21T00:00:00Z');

/** A table for two and one for four, where a party of two must move if one of four comes. */
export const contestedShop = (): ShopFile => {
  const booking: NonNullable<BranchEntry['booking']> = {
    ...{ enabled: true, require_otp: false, horizon_days: 365, lead_time_minutes: 0 },
    ...{ slot_minutes: SLOT_MINUTES, default_duration_minutes: SLOT_MINUTES, hours: daily('00:00', '00:00') },
  };
  const tables = [aTable('t1', 2), aTable('t2', 4)];
  return aShopFile({ branches: [aBranch({ tables, booking })] });
};

export const startOf = (n: number): string => new Date(FIRST_START + n * SLOT_MINUTES * 60_000).toISOString();

export interface ServerPair {
  readonly callers: readonly [RetryingClient, RetryingClient];
  /** Kills a server with SIGKILL and starts another in its place. */
  readonly kill: (which: 0 | 1) => Promise<void>;
}

export const serverPair = async (serve: () => Promise<Server>): Promise<ServerPair> => {
  const servers: [Server, Server] = [await serve(), await serve()];
  return {
    callers: [retryingClient(() => servers[0].port), retryingClient(() => servers[1].port)],
    kill: async (which) => {
      servers[which].signal('SIGKILL');
      await servers[which].ended;
      servers[which] = await serve();
    },
  };
};

export interface Contest {
  readonly startsAt: string;
  readonly winners: readonly Booking[];
  /** The codes of the refusals. */
  readonly refused: readonly string[];
}

/**
 * Every fifth party has four guests, the others two. Whoever is first, two parties find a table and all others none.
 * At least three clients.
 */
export const contest = async (
  { callers }: ServerPair,
  startsAt: string,
  clients: number,
): Promise<Contest> => {
  const replies = await Promise.all(
    Array.from({ length: clients }, (_, n) => {
      const phone = `010${String(10_000_000 + n)}`;
      const body = aBooking({
        branch_id: branchId(),
        starts_at: startsAt,
        party_size: n % 5 === 0 ? 4 : 2,
        phone,
      });
      const key = { 'idempotency-key': `${startsAt} ${n}` };
      return callers[n % 2 === 0 ? 0 : 1].postUntilAnswered('/public/bookings', body, key);
    }),
  );
  return {
    startsAt,
    winners: replies.filter(({ status }) => status < 300).map(({ body }) => body as Booking),
    refused: replies
      .filter(({ status }) => status >= 300)
      .map(({ status, body }) => `${status} ${(body as { code?: string }).code ?? ''}`),
  };
};

/** What is wrong with the answers to a contest, given the bookings that the database has; none: []. */
export const faultsOf = (
  { startsAt, winners, refused }: Contest,
  stored: readonly StoredSeat[],
): readonly string[] => {
  const at = stored.filter(({ starts_at }) => starts_at.toISOString() === startsAt);
  const lost = winners.filter(({ id }) => !at.some((seat) => seat.id === id));
  const others = refused.filter((answer) => answer !== '409 SLOT_TAKEN');
  return [
    ...(winners.length === 2 ? [] : [`${startsAt}: ${winners.length} winners`]),
    ...(at.length === 2 ? [] : [`${startsAt}: ${at.length} tables are taken`]),
    ...(new Set(at.map(({ table_id }) => table_id)).size === at.length
      ? []
      : [`${startsAt}: one table twice`]),
    ...lost.map(({ id }) => `${startsAt}: the booking ${id} was acknowledged and is lost`),
    ...[...new Set(others)].map((answer) => `${startsAt}: refused with ${answer}`),
  ];
};

export interface StoredSeat {
  readonly id: string;
  readonly starts_at: Date;
  readonly table_id: string;
}

export const STORED_SEATS = `
  select b.id, b.starts_at, t.table_id
  from booking b join booking_table t on t.org_id = b.org_id and t.booking_id = b.id
  where b.status = 'confirmed'
`;

/** Confirmed bookings without a table, and claims of one that are not its stay. */
export const IMPOSSIBLE_ROWS = `
  select b.id from booking b where b.status = 'confirmed'
    and not exists (select from booking_table t where t.org_id = b.org_id and t.booking_id = b.id)
  union all
  select b.id from booking b join booking_table t on t.org_id = b.org_id and t.booking_id = b.id
  where b.status = 'confirmed' and t.during <> tstzrange(b.starts_at, b.ends_at)
`;
