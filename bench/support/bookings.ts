/** Bookings for bench shops. */
import type { App } from '../../src/platform/app/app.ts';
import { uuid5 } from '../../src/shopfile/app/entity-ids.ts';
import { dayScope } from '../../src/kernel/change.ts';
import type { Uuid } from '../../src/kernel/ids.ts';
import { addMinutes, resolveStart, type LocalDate } from '../../src/kernel/time.ts';
import { addDemoBooking, type DemoBooking } from '../../src/service/store/demo.ts';
import { recordChanges } from '../../src/platform/store/change-log.ts';

export interface Floor {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  readonly tableIds: readonly Uuid[];
}

const ZONE = 'Africa/Cairo';
const OPENS = 12 * 60;
const STAY_MINUTES = 90;
/** Minutes between two bookings of a table, so that parts of the day stay free. */
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

/** Makes `count` bookings per date, spread over the tables from the opening on. */
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

/** Logs a change on each date, which invalidates cached answers. */
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
