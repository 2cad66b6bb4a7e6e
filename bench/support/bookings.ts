/** Fills the floor of bench shops with bookings. */
import type { App } from '../../src/platform/app/app.ts';
import { uuid5 } from '../../src/shopfile/app/identity.ts';
import { dayScope } from '../../src/kernel/change.ts';
import type { Uuid } from '../../src/kernel/ids.ts';
import { addMinutes, resolveStart, type LocalDate } from '../../src/kernel/time.ts';
import { addDemoBooking, type DemoBooking } from '../../src/service/store/demo.ts';
import { recordChanges } from '../../src/platform/store/versions.ts';

export interface Floor {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  readonly tableIds: readonly Uuid[];
}

const ZONE = 'Africa/Cairo';
const OPENS = 12 * 60;
const STAY_MINUTES = 90;
/** From one seating of a table to the next, so that parts of the day stay free. */
const TURN_MINUTES = 150;

const bookingOf = (floor: Floor, date: LocalDate, index: number): DemoBooking => {
  const table = index % floor.tableIds.length;
  const seating = Math.floor(index / floor.tableIds.length);
  const startsAt = resolveStart(ZONE, date, OPENS + seating * TURN_MINUTES + (table % 4) * 15);
  return {
    id: uuid5(floor.branchId, `bench booking\n${date}\n${index}`),
    branchId: floor.branchId,
    serviceDate: date,
    startsAt,
    endsAt: addMinutes(startsAt, STAY_MINUTES),
    partySize: 2 + (index % 5),
    status: 'confirmed',
    guestName: 'Guest',
    notes: null,
    tableIds: floor.tableIds.slice(table, table + 1),
  };
};

/** Books `count` stays on each date, spread over the tables from the opening on. */
export const fillFloor = (
  app: App,
  floor: Floor,
  dates: readonly LocalDate[],
  count: number,
): Promise<void> =>
  app.db.tx(async (tx) => {
    for (const date of dates)
      for (let index = 0; index < count; index += 1)
        await addDemoBooking(tx, floor.orgId, bookingOf(floor, date, index), app.clock.now());
  });

/** Says in the change log that something happened on these dates: answers about them must be built anew. */
export const touchDates = (app: App, floor: Floor, dates: readonly LocalDate[]): Promise<number> =>
  app.db.tx((tx) =>
    recordChanges(
      tx,
      floor.orgId,
      dates.map((date) => ({
        scope: dayScope(floor.branchId, date),
        type: 'booking',
        id: uuid5(floor.branchId, date),
        op: 'upsert',
      })),
      app.clock.now(),
    ),
  );
