/** The branch of a booking, as the pages show it: where it is, how to reach it, when tables can be booked. */
import type { getBookingInfo } from '../../bookings/contract/branches.ts';
import { addDays } from '../../kernel/time.ts';
import type { ReplyOf } from '../../platform/contract/endpoint.ts';
import type { BookingBranch } from './components/booking/branch.ts';
import { clockTime, telephone, weekdayName } from './components/format.ts';
import { Icon } from './components/icon.tsx';
import { textIn } from './components/names.ts';
import { useMessages, useReader, type Reader } from './components/reader.ts';
import { booking } from './messages/compiled/booking.ts';

type Info = ReplyOf<typeof getBookingInfo>;

export const bookingBranchOf = (info: Info, { language }: Reader): BookingBranch => ({
  id: info.branch_id,
  name: textIn(language, info.branch_name, info.branch_name_translations),
  address: textIn(language, info.address, info.address_translations),
  phone: info.phone,
  directionsUrl: info.directions_url,
  zone: info.timezone,
  minParty: info.min_party,
  maxParty: info.max_party,
  firstDate: info.today,
  lastDate: addDays(info.today, info.horizon_days),
  closedDates: info.closed_dates,
  blackoutDates: info.blackout_dates,
  holdMinutes: info.hold_minutes,
  hours: info.hours,
});

/** From Saturday on, as weeks begin in Egypt. */
const WEEKDAYS = [6, 0, 1, 2, 3, 4, 5];

const rangeText = (reader: Reader, { open, close }: Info['hours'][number]): string =>
  [open, close].map((time) => clockTime(reader, 'UTC', Date.parse(`2000-01-01T${time}:00Z`))).join(' – ');

interface HoursLine {
  readonly days: string;
  readonly times: string;
}

/** One line per weekday; a single one where all are equal. */
const useHours = ({ hours }: BookingBranch): readonly HoursLine[] => {
  const t = useMessages(booking);
  const reader = useReader();
  const lines = WEEKDAYS.map((dow) => ({
    days: weekdayName(reader, dow),
    times: hours
      .filter((range) => range.dow === dow)
      .map((range) => rangeText(reader, range))
      .join(' · '),
  }));
  const [first] = lines;
  return first !== undefined && lines.every(({ times }) => times === first.times)
    ? [{ days: t.daily, times: first.times }]
    : lines;
};

const Hours = ({ branch }: { readonly branch: BookingBranch }) => {
  const t = useMessages(booking);
  const lines = useHours(branch);
  return (
    <>
      <h3>{t.hours}</h3>
      <dl class="hours">
        {lines.map(({ days, times }) => (
          <div key={days}>
            <dt>{days}</dt>
            <dd>{times === '' ? t.closed : <bdi>{times}</bdi>}</dd>
          </div>
        ))}
      </dl>
    </>
  );
};

export const BranchCard = ({ branch }: { readonly branch: BookingBranch }) => {
  const t = useMessages(booking);
  const { name, address, phone, directionsUrl } = branch;
  return (
    <section class="card branch" aria-labelledby="branch">
      <h2 id="branch">
        <bdi>{name}</bdi>
      </h2>
      {address !== null && (
        <p class="muted">
          <bdi>{address}</bdi>
        </p>
      )}
      {phone !== null && <p class="small">{t.byPhoneToo}</p>}
      <p class="actions">
        {phone !== null && (
          <a class="button quiet" href={telephone(phone)}>
            <Icon name="phone" />
            <span class="visually-hidden">{t.call}</span>
            <bdi dir="ltr">{phone}</bdi>
          </a>
        )}
        {directionsUrl !== null && (
          <a class="button quiet" href={directionsUrl} rel="noopener">
            <Icon name="pin" />
            {t.directions}
          </a>
        )}
      </p>
      {branch.hours.length > 0 && <Hours branch={branch} />}
    </section>
  );
};
