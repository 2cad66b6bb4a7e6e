/**
 * A chain of 20 branches with 40 tables of two, and one more branch where all clients meet at one date. Guests in pairs
 * fill a date of a branch with 200 bookings, then the next date; each finds a free table. Clients who book at all 20
 * branches rarely meet.
 */
import type { BodyOf } from '../../src/platform/contract/endpoint.ts';
import type { App } from '../../src/platform/app/app.ts';
import type { EndpointOf } from '../../src/service/contract/endpoints.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { addDays, isoInstant, resolveStart } from '../../src/kernel/time.ts';
import { addShops } from './data.ts';
import { guestOf, proveGuests } from './guests.ts';
import { branchId, shopFile } from './shop.ts';
import { CLIENTS, inputOf, type WriteJob, type WriteRequest } from './write-job.ts';

const SLUG = 'bench-bookings';
const ZONE = 'Africa/Cairo';
const BRANCHES = 20;
const TABLES = 40;
const BOOKINGS_PER_DATE = 200;
const STAY_MINUTES = 90;
const OPENS = 12 * 60;
/** Starts of a date whose stays do not meet. */
const STARTS = 7;
const FIRST_DATE = addDays(new Date().toISOString().slice(0, 10), 2);

const SPREADS = ['all branches', 'one branch'] as const;
type Spread = (typeof SPREADS)[number];

const chain = (): ShopFile => {
  const shop = shopFile({ slug: SLUG, items: 0, branches: BRANCHES + 1, tables: TABLES });
  return {
    ...shop,
    branches: shop.branches.map((branch) => ({
      ...branch,
      tables: (branch.tables ?? []).map((table) => ({ ...table, seats: { min: 1, max: 2 } })),
      table_joins: [],
      booking: {
        ...branch.booking,
        hours: [{ open: '12:00', close: '00:00' }],
        default_duration_minutes: STAY_MINUTES,
        lead_time_minutes: 0,
        require_otp: false,
        max_covers_per_slot: 2 * TABLES,
      },
    })),
  };
};

const bookingOf = (
  spread: Spread,
  client: number,
  turn: number,
): WriteRequest<BodyOf<EndpointOf<'bookTable'>>> => {
  const number = turn * CLIENTS + client;
  const [branch, before] =
    spread === 'one branch' ? [BRANCHES, number] : [number % BRANCHES, Math.floor(number / BRANCHES)];
  const date = addDays(FIRST_DATE, Math.floor(before / BOOKINGS_PER_DATE));
  const startsAt = resolveStart(ZONE, date, OPENS + (before % STARTS) * STAY_MINUTES);
  const { phone, token } = guestOf(SPREADS.indexOf(spread), client, turn);
  return {
    key: `${spread} ${client} ${turn}`,
    body: {
      branch_id: branchId(SLUG, branch),
      starts_at: isoInstant(startsAt),
      party_size: 2,
      guest_name: 'منى السيد',
      phone,
      device_token: token,
    },
  };
};

/** Imports the chain, and proves the phones of each client's guests. */
export const addBookingGuests = async (app: App): Promise<void> => {
  await addShops(app, chain());
  await proveGuests(app, SPREADS.length);
};

export const bookingJobs: readonly WriteJob[] = SPREADS.map((spread) => ({
  ...{ title: 'Booking tables', one: 'booking', many: 'bookings', spread },
  ...{ path: '/public/bookings', table: 'booking' },
  goal: { ratio: 0.5, trips: 20, commits: 1 },
  requestOf: (client, turn) => bookingOf(spread, client, turn),
  run: ({ bookTable }, client, turn) => bookTable(inputOf(bookingOf(spread, client, turn))),
}));
