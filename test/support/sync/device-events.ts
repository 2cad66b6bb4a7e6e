/** Events of devices that went on without the server, and what the server made of them. */
import type { EventData, EventKind } from '../../../src/sync/contract/event-kinds.ts';
import { isoInstant } from '../../../src/kernel/time.ts';
import { newId } from '../database/ids.ts';
import { personId, type Person } from '../people/staff.ts';
import { done, post } from '../server/requests.ts';
import type { World } from '../server/world.ts';
import { branchId, SLUG, thingId } from '../shops/cafe.ts';

export interface DeviceEvent {
  readonly id: string;
  readonly kind: string;
  readonly at: string;
  readonly by: string;
  readonly data: object;
}

export const COFFEE_PRICE = 4_500;

/** Coffees as a device sold them. */
export const recordedCoffees = (quantity: number, unit_price = COFFEE_PRICE, slug?: string) => [
  { menu_item_id: thingId('item', 'turkish', slug), quantity, unit_price },
];

/** A line of a round, under an id of the device. */
export const recordedLine = (quantity: number, item_id = newId(), unit_price = COFFEE_PRICE) => ({
  ...{ item_id, menu_item_id: thingId('item', 'turkish'), quantity, unit_price },
});

export const paid = (amount: number, method = 'cash') => [{ method, amount }];

/** Events of one person, each a second after the one before. */
export const eventsOf = (
  world: Pick<World, 'now'>,
  person: Person = 'teller',
  start = world.now,
  slug = SLUG,
) => {
  let next = start;
  return <Kind extends EventKind>(kind: Kind, data: EventData[Kind], at = (next += 1_000)): DeviceEvent => ({
    ...{ id: newId(), kind, at: isoInstant(at), by: personId(person, slug), data },
  });
};

type Headers = Readonly<Record<string, string>>;

/** As a device at the branch whose clock is right, or `ahead` milliseconds before ours. */
export const replayed = async (
  world: World,
  device: Headers,
  events: readonly unknown[],
  { branch = branchId(), ahead = 0 } = {},
) => {
  const body = { branch_id: branch, device_time: isoInstant(world.now + ahead), events };
  return done('replayEvents', await post(world, '/sync/replay', body, device)).results;
};

/** What became of each, as words. */
export const outcomesOf = (
  results: readonly { readonly outcome: string; readonly code?: string | null }[],
): readonly string[] => results.map(({ outcome, code }) => (code ? `${outcome}: ${code}` : outcome));
