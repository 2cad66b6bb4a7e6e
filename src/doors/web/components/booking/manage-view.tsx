/** A booking as its guest sees it: what is booked, where, and what can still be done. */
import type { ComponentChildren } from 'preact';
import type { Reply } from '../../../../client/client.ts';
import { booking as messages } from '../../messages/compiled/booking.ts';
import { telephone } from '../format.ts';
import { Icon } from '../icon.tsx';
import { useMessages } from '../reader.ts';
import type { BookingBranch } from './branch.ts';
import { Summary } from './summary.tsx';
import { ZoneNote } from './time-list.tsx';

export type Booking = Reply<'getBooking'>;
type Status = Booking['status'];
type Messages = (typeof messages)['ar' | 'en'];

const HEADINGS: Readonly<Record<Status, (t: Messages) => string>> = {
  confirmed: (t) => t.confirmed,
  seated: (t) => t.seated,
  completed: (t) => t.completed,
  cancelled: (t) => t.cancelled,
  no_show: (t) => t.noShow,
};

/** Of the island. */
export interface ManageProps {
  readonly booking: Booking;
  readonly branch: BookingBranch;
  /** Whether the branch takes bookings now. */
  readonly isEnabled: boolean;
  readonly bookAddress: string;
}

interface ManageViewProps extends ManageProps {
  readonly ownZone: string | null;
  /** What has just been done or failed; null: nothing. */
  readonly message: string | null;
  /** False: the page answers to no tap yet. */
  readonly isAlive: boolean;
  readonly onChange: () => void;
  readonly onCancel: () => void;
  readonly children?: ComponentChildren;
}

/** Why a confirmed booking cannot be changed here; null: it can. */
const useHindrance = ({ booking, isEnabled }: ManageProps): string | null => {
  const t = useMessages(messages);
  if (booking.status !== 'confirmed') return null;
  if (!booking.can_modify) return t.tooLate;
  return isEnabled ? null : t.changesOff;
};

const Place = ({ branch }: { readonly branch: BookingBranch }) => {
  const t = useMessages(messages);
  const { address, phone, directionsUrl } = branch;
  return (
    <>
      {address !== null && (
        <p class="muted place">
          <bdi>{address}</bdi>
        </p>
      )}
      <p class="actions">
        {directionsUrl !== null && (
          <a class="button quiet" href={directionsUrl} rel="noopener">
            <Icon name="pin" />
            {t.directions}
          </a>
        )}
        {phone !== null && (
          <a class="button quiet" href={telephone(phone)}>
            <Icon name="phone" />
            <span class="visually-hidden">{t.call}</span>
            <bdi dir="ltr">{phone}</bdi>
          </a>
        )}
      </p>
    </>
  );
};

const Actions = (props: ManageViewProps) => {
  const { booking, isEnabled, isAlive, bookAddress, onChange, onCancel } = props;
  const t = useMessages(messages);
  if (booking.status !== 'confirmed')
    return (
      <p class="actions">
        <a class="button" href={bookAddress}>
          {t.again}
        </a>
      </p>
    );
  return (
    <p class="actions">
      <a class="button quiet" href={`/public/bookings/${booking.manage_token}/calendar.ics`} download>
        <Icon name="calendar" />
        {t.calendar}
      </a>
      {booking.can_modify && isEnabled && (
        <button type="button" class="button quiet" disabled={!isAlive} onClick={onChange}>
          {t.change}
        </button>
      )}
      <button type="button" class="button quiet" disabled={!isAlive} onClick={onCancel}>
        {t.cancel}
      </button>
    </p>
  );
};

export const ManageView = (props: ManageViewProps) => {
  const { booking, branch, ownZone, message } = props;
  const t = useMessages(messages);
  const hindrance = useHindrance(props);
  const { starts_at: start, timezone: zone, service_date: serviceDate, party_size: party, notes } = booking;
  return (
    <>
      <h1 id="booking" tabIndex={-1}>
        {HEADINGS[booking.status](t)}
      </h1>
      <p class={message === null ? 'visually-hidden' : 'notice'} role="status">
        {message}
      </p>
      <ZoneNote zone={zone} own={ownZone} at={Date.parse(start)} />
      <section class={`card ${booking.status}`} aria-labelledby="booking">
        <Summary {...{ start, zone, serviceDate, party }} branchName={branch.name} />
        <Place branch={branch} />
        <p class="who">
          <span class="muted">{t.nameOf}</span> <bdi>{booking.guest_name}</bdi>
        </p>
        {notes !== null && (
          <p class="muted">
            <bdi>{notes}</bdi>
          </p>
        )}
      </section>
      {hindrance !== null && (
        <p class="notice">
          <Icon name="clock" />
          {hindrance}
        </p>
      )}
      <Actions {...props} />
      {props.children}
    </>
  );
};
