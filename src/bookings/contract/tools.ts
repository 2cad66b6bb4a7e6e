import Type, { type Static } from 'typebox';
import { required } from '../../platform/contract/endpoint.ts';
import { uuidScalar, dateScalar, integerScalar } from '../../platform/contract/scalars.ts';
import { flag, listOf, optionalField, shortened, text, tool, whole } from '../../platform/contract/tool.ts';
import { branchNames, branchUuid, shopNames, shopSlug, zone } from '../../shops/contract/tools.ts';

const bookingTimes = Type.Object({
  shop: shopSlug,
  ...shopNames,
  branch_id: branchUuid,
  ...branchNames,
  date: text("The date asked for, on the branch's calendar"),
  weekday: text('Of that date, in English'),
  timezone: zone,
  party_size: whole('How many guests were asked for'),
  slots: listOf(
    Type.Object({
      starts_at: text('In UTC'),
      local: text("The same on the branch's clock, with its offset; after midnight it is on the next date"),
      available: flag('Whether a table is free for the party'),
      too_soon: optionalField(flag('True where the start is past or too near to be booked, else left out')),
    }),
    'Every start of that date in order, free or not; none where no bookings are taken that day',
  ),
  why_not: optionalField(
    text('Where no time on any date could seat such a party, were every table free: why, else left out'),
  ),
  largest_party: optionalField(
    whole('There with `why_not`: the largest smaller party that could be seated, if any'),
  ),
  lead_minutes: optionalField(
    whole('Where every start is past or too soon: how many minutes ahead a table is booked, else left out'),
  ),
  next_free_date: optionalField(
    text('Where no time is free: the next date that has one, looked for a week ahead, else left out'),
  ),
  last_date: optionalField(
    text('Where no date from the one asked for has a free time: the last that can be booked, else left out'),
  ),
  book_url: text('Where a person books'),
  ...shortened,
});

export type BookingTimes = Static<typeof bookingTimes>;

export const tools = {
  get_booking_slots: tool({
    name: 'get_booking_slots',
    title: 'Table availability',
    description:
      "A branch's table times on a date for a party, free or not, and the link to book. Nothing is booked.",
    args: {
      branch_id: required(uuidScalar, 'Its id, from get_shop'),
      date: required(
        dateScalar,
        'The date there, such as 2026-12-04; after midnight, that of the evening before',
      ),
      party_size: required(integerScalar(1), 'Guests, such as 4'),
    },
    result: bookingTimes,
  }),
};
