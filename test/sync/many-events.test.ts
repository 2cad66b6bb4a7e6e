/**
 * Very many events, each sent twice, in any order, by two devices at once (Decisions 13): each is in the books once.
 * `AHWA_EVENTS=10000 npm test -- test/sync/many-events.test.ts` sends ten thousand.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../support/database/ids.ts';
import { aStaffedWorld, pairedTill, signInAs, type Person, type SignedIn } from '../support/people/staff.ts';
import { done } from '../support/server/requests.ts';
import type { World } from '../support/server/world.ts';
import {
  COFFEE_PRICE,
  eventsOf,
  paid,
  recordedCoffees,
  replayed,
  type DeviceEvent,
} from '../support/sync/device-events.ts';
import { reviewsBy } from '../support/sync/reviews.ts';

/** On a busy machine 1,000 took 8 s of CPU beside PostgreSQL’s, and 10,000 took 84 s. */
const EVENTS = Number(process.env['AHWA_EVENTS'] ?? 1_000);
const PER_REQUEST = 200;
const FLOAT = 50_000;

let world: World;
let owner: SignedIn;
let devices: readonly SignedIn[];
beforeAll(async () => {
  world = await aStaffedWorld({ limitScale: 0 });
  owner = await signInAs(world, 'owner');
  devices = [(await pairedTill(world)).device, (await pairedTill(world)).device];
});
afterAll(() => world.close());

interface Shift {
  readonly till: string;
  readonly events: readonly DeviceEvent[];
  readonly sales: number;
  /** In the drawer, at the end. */
  readonly cash: number;
}

/** A till is opened; of every three events after that, one sells a coffee and two move cash. */
const aShift = (person: Person, length: number): Shift => {
  const [till, start] = [newId(), world.now - length * 1_000];
  const event = eventsOf(world, person, start);
  const at = { till_id: till };
  const sell = () =>
    event('sale', {
      ...{ sale_id: newId(), items: recordedCoffees(1), total: COFFEE_PRICE, payments: paid(COFFEE_PRICE) },
      ...at,
    });
  const pay = (amount: number) => event('till_cash', { ...at, movement: 'pay_in', amount, reason: 'فكة' });
  const later = Array.from({ length: length - 1 }, (_, place) => (place % 3 === 0 ? sell() : pay(place)));
  const moved = later.map((_, place) => (place % 3 === 0 ? COFFEE_PRICE : place));
  return {
    till,
    events: [event('till_open', { ...at, opening_float: FLOAT }), ...later],
    sales: Math.ceil(later.length / 3),
    cash: moved.reduce((sum, amount) => sum + amount, FLOAT),
  };
};

const inAnyOrder = <T>(all: readonly T[]): readonly T[] =>
  fc.sample(fc.shuffledSubarray([...all], { minLength: all.length }), { numRuns: 1, seed: 1 })[0] ?? [];

/** Both devices take the next request until there is none. */
const sendAll = async (events: readonly DeviceEvent[]): Promise<readonly string[]> => {
  const requests = Array.from({ length: Math.ceil(events.length / PER_REQUEST) }, (_, place) =>
    events.slice(place * PER_REQUEST, (place + 1) * PER_REQUEST),
  );
  const outcomes: string[] = [];
  const work = async (device: SignedIn): Promise<void> => {
    for (let next = requests.shift(); next !== undefined; next = requests.shift())
      outcomes.push(...(await replayed(world, device, next)).map(({ outcome }) => outcome));
  };
  await Promise.all(devices.map(work));
  return outcomes;
};

test('each event counts once, though it is sent twice and long before the till that it belongs to', async () => {
  const shifts = (['owner', 'manager'] as const).map((person) => aShift(person, EVENTS / 2));
  const events = shifts.flatMap((shift) => shift.events);
  const outcomes = await sendAll(inAnyOrder([...events, ...events]));
  expect(outcomes.filter((outcome) => outcome === 'already')).toHaveLength(events.length);
  expect(outcomes).not.toContain('refused');
  expect(outcomes).not.toContain('review');
  expect(outcomes).toContain('waiting');
  for (const { till, sales, cash } of shifts) {
    const report = done('getTillReport', await world.get(`/staff/tills/${till}/report`, owner));
    expect(report.figures).toMatchObject({ sales_count: sales, total: sales * COFFEE_PRICE });
    expect(report.figures?.methods[0]).toMatchObject({ method: 'cash', expected: cash });
  }
  expect(await reviewsBy(world, owner)).toEqual([]);
}, 900_000);
