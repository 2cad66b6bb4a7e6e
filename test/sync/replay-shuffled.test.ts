/** Shifts that two devices send at the same time, in any order (Decisions 13): each event is in the books once. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aStaffedWorld, pairedTill, signInAs, type SignedIn } from '../support/people/staff.ts';
import type { World } from '../support/server/world.ts';
import { replayed, type DeviceEvent } from '../support/sync/device-events.ts';
import { reviewsBy } from '../support/sync/reviews.ts';
import { aShift, booksOf, BOOKS } from '../support/sync/shift.ts';

let world: World;
let owner: SignedIn;
let devices: readonly SignedIn[];
beforeAll(async () => {
  world = await aStaffedWorld({ limitScale: 0 });
  owner = await signInAs(world, 'owner');
  devices = [(await pairedTill(world)).device, (await pairedTill(world)).device];
});
afterAll(() => world.close());

/** Without the close of the till, which keeps the figures of what has come. */
const EVENTS = 9;

/** The order in which a device sends events, and how many in each request. */
const aSending = fc.record({
  order: fc.shuffledSubarray([...Array(EVENTS).keys()], { minLength: EVENTS }),
  size: fc.integer({ min: 1, max: 4 }),
});

const sendAll = async (
  device: SignedIn,
  events: readonly DeviceEvent[],
  { order, size }: { readonly order: readonly number[]; readonly size: number },
): Promise<readonly string[]> => {
  const outcomes: string[] = [];
  for (let from = 0; from < order.length; from += size) {
    const part = order.slice(from, from + size).flatMap((place) => events[place] ?? []);
    outcomes.push(...(await replayed(world, device, part)).map(({ outcome }) => outcome));
  }
  return outcomes;
};

test('a shift comes to the same from two devices at once, in whatever order each sends it', async () => {
  const property = fc.asyncProperty(fc.tuple(aSending, aSending), async (sendings) => {
    const shift = aShift(world);
    const outcomes = await Promise.all(
      devices.map((device, place) => sendAll(device, shift.events, sendings[place] ?? sendings[0])),
    );
    expect(outcomes.flat()).not.toContain('refused');
    const closes = await Promise.all(
      devices.map((device) => replayed(world, device, shift.events.slice(EVENTS))),
    );
    expect(closes.map(([result]) => result?.outcome).sort()).toEqual(['already', 'applied']);
    expect(await booksOf(world, owner, shift)).toEqual(BOOKS);
    expect(await reviewsBy(world, owner)).toEqual([]);
  });
  await fc.assert(property, { numRuns: 20 });
});
