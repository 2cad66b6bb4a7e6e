import type { Uuid } from '../../../kernel/ids.ts';
import { entryPath, fieldPath } from '../../domain/json.ts';
import { readDated, readWeekly, type HoursEntries } from './hours.ts';
import { reportRepeats, type BranchEntry, type Reading } from './reading.ts';

/** What holds where a branch says nothing about booking (Decisions 9, Settings and defaults). */
export const BOOKING_DEFAULTS = {
  enabled: false,
  slot_minutes: 30,
  default_duration_minutes: 90,
  min_party: 1,
  max_party: 12,
  lead_time_minutes: 60,
  horizon_days: 30,
  hold_minutes: 15,
  auto_no_show_minutes: 30,
  reminder_lead_minutes: 120,
  require_otp: true,
} as const;
export const BOOKING_HOURS: HoursEntries = [{ open: '12:00', close: '23:00' }];

/** The booking desk of a branch: every branch has its settings, also while it takes no bookings. */
export const readBooking = (reading: Reading, branch: BranchEntry, path: string, branchId: Uuid): void => {
  const { rows, faults } = reading;
  const at = fieldPath(path, 'booking');
  const {
    hours = BOOKING_HOURS,
    dated_hours: dated = [],
    blackout_dates: blackout = [],
    ...given
  } = branch.booking ?? {};
  const settings = { ...BOOKING_DEFAULTS, max_covers_per_slot: null, ...given };
  if (settings.min_party > settings.max_party)
    faults.rule(
      at,
      given.min_party === undefined ? 'max_party' : 'min_party',
      'leaves no party size: `min_party` is more than `max_party`',
    );
  if (settings.enabled && hours.length === 0 && dated.length === 0)
    faults.rule(at, 'hours', 'must not be empty while booking is enabled');
  const blackoutPath = fieldPath(at, 'blackout_dates');
  reportRepeats(
    blackout,
    (date) => date,
    (index, first) => {
      const path = entryPath(blackoutPath, index);
      if (!reading.register.isWrong(path)) faults.add(path, `is also at ${entryPath(blackoutPath, first)}`);
    },
  );
  readWeekly(reading, branchId, 'booking', hours, fieldPath(at, 'hours'));
  readDated(reading, branchId, 'booking', dated, fieldPath(at, 'dated_hours'));
  rows.booking_settings.push({
    branch_id: branchId,
    ...settings,
    blackout_dates: [...new Set(blackout)].sort(),
  });
};
