import type { Uuid } from '../../../kernel/ids.ts';
import { entryPath, fieldPath } from '../../domain/json.ts';
import { columnsFrom } from '../fields.ts';
import { readDated, readWeekly, type HoursEntries } from './hours.ts';
import { reportDuplicates, type BranchEntry, type ReadContext } from './context.ts';

export const BOOKING_HOURS: HoursEntries = [{ open: '12:00', close: '23:00' }];

/** Every branch gets a settings row, even with booking disabled. */
export const readBooking = (
  context: ReadContext,
  branch: BranchEntry,
  path: string,
  branchId: Uuid,
): void => {
  const { rows, faults } = context;
  const at = fieldPath(path, 'booking');
  const booking = branch.booking ?? {};
  const { hours = BOOKING_HOURS, dated_hours: dated = [], blackout_dates: blackout = [] } = booking;
  const settings = columnsFrom('booking_settings', booking);
  if (settings.min_party > settings.max_party)
    faults.rule(
      at,
      booking.min_party === undefined ? 'max_party' : 'min_party',
      'leaves no party size: `min_party` is more than `max_party`',
    );
  if (settings.enabled && hours.length === 0 && dated.length === 0)
    faults.rule(at, 'hours', 'must not be empty while booking is enabled');
  const blackoutPath = fieldPath(at, 'blackout_dates');
  reportDuplicates(
    blackout,
    (date) => date,
    (index, first) => {
      const path = entryPath(blackoutPath, index);
      if (!context.entityIndex.isInvalid(path))
        faults.add(path, `is also at ${entryPath(blackoutPath, first)}`);
    },
  );
  readWeekly(context, branchId, 'booking', hours, fieldPath(at, 'hours'));
  readDated(context, branchId, 'booking', dated, fieldPath(at, 'dated_hours'));
  rows.booking_settings.push({
    branch_id: branchId,
    ...settings,
    blackout_dates: [...new Set(blackout)].sort(),
  });
};
