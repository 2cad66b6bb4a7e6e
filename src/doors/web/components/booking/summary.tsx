/** What is booked, or about to be: day, time, party, branch. */
import type { ComponentChildren } from 'preact';
import type { LocalDate } from '../../../../kernel/time.ts';
import { booking } from '../../messages/compiled/booking.ts';
import { dateText } from '../format.ts';
import { Icon, type IconName } from '../icon.tsx';
import { useMessages, useReader } from '../reader.ts';
import { localDate } from './times.ts';
import { useGuests, useStartText } from './words.ts';

export interface Stay {
  readonly start: string;
  readonly zone: string;
  /** The date on which its service began. */
  readonly serviceDate: LocalDate;
  readonly party: number;
  readonly branchName: string;
}

const Line = ({ icon, children }: { readonly icon: IconName; readonly children: ComponentChildren }) => (
  <li>
    <Icon name={icon} />
    <span>{children}</span>
  </li>
);

export const Summary = ({ start, zone, serviceDate, party, branchName }: Stay) => {
  const t = useMessages(booking);
  const reader = useReader();
  const guests = useGuests();
  const { time, pass } = useStartText()(zone, start);
  const date = localDate(zone, Date.parse(start));
  return (
    <ul class="summary">
      <Line icon="calendar">
        <b>{dateText(reader, date)}</b>
        {date !== serviceDate && (
          <small class="muted">{t.nightOf({ date: dateText(reader, serviceDate) })}</small>
        )}
      </Line>
      <Line icon="clock">
        <b>
          <bdi>{time}</bdi>
        </b>
        {pass !== null && <small class="muted">{pass}</small>}
      </Line>
      <Line icon="person">{guests(party)}</Line>
      <Line icon="pin">
        <bdi>{branchName}</bdi>
      </Line>
    </ul>
  );
};
