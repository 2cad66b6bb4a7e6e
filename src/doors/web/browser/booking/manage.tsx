/** Managing a booking: it is changed, cancelled, and read again whenever the page gets the focus. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ManageView, type Booking, type ManageProps } from '../../components/booking/manage-view.tsx';
import { useMessages, useReader } from '../../components/reader.ts';
import { booking as messages } from '../../messages/compiled/booking.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import { EARLIER } from './earlier-booking.ts';
import { ChangeBooking } from './change-booking.tsx';
import { useOwnZone } from './own-zone.ts';
import { clientFor } from '../start.tsx';
import { useReturn } from '../use-return.ts';
import { describeFailure } from '../words.ts';

/** `asking`: whether to cancel. */
type Mode = 'reading' | 'changing' | 'asking';

const focusOnBooking = (): void => {
  requestAnimationFrame(() => document.getElementById('booking')?.focus());
};

/** Whether the guest has asked for another booking since; said once. */
const isEarlier = (): boolean => {
  if (location.hash !== EARLIER) return false;
  history.replaceState(null, '', location.pathname + location.search);
  return true;
};

export const Manage = (props: ManageProps) => {
  const t = useMessages(messages);
  const { language } = useReader();
  const client = useMemo(() => clientFor(language), [language]);
  const [booking, setBooking] = useState(props.booking);
  const [mode, setMode] = useState<Mode>('reading');
  const [message, setMessage] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [isAlive, setIsAlive] = useState(false);
  const ownZone = useOwnZone();
  useEffect(() => setIsAlive(true), []);
  useEffect(() => setMessage(isEarlier() ? t.earlier : null), []);
  const path = useMemo(() => ({ manage_token: props.booking.manage_token }), [props.booking]);
  /** Of the changes made here: what was read before one of them is old. */
  const changes = useRef(0);
  useReturn(
    useCallback(() => {
      const before = changes.current;
      client.getBooking({ path }).then(
        ({ body }) => body !== null && changes.current === before && setBooking(body),
        // What is shown stays; the next change says what is wrong.
        () => undefined,
      );
    }, [client, path]),
  );

  const backToBooking = (changed: Booking, said: string | null): void => {
    changes.current += 1;
    setBooking(changed);
    setMessage(said);
    setMode('reading');
    focusOnBooking();
  };
  const cancel = async (): Promise<void> => {
    if (isBusy) return;
    setIsBusy(true);
    try {
      const { body } = await client.cancelBooking({ path });
      backToBooking(body ?? booking, null);
    } catch (error) {
      setFault(describeFailure(error, t.offline));
    }
    setIsBusy(false);
  };

  if (mode === 'changing')
    return (
      <ChangeBooking
        {...{ ...props, booking, client }}
        onSaved={(changed) => backToBooking(changed, t.saved)}
        onLeave={() => backToBooking(booking, null)}
      />
    );
  return (
    <ManageView
      {...{ ...props, booking, ownZone, message, isAlive }}
      onChange={() => setMode('changing')}
      onCancel={() => {
        setFault(null);
        setMode('asking');
      }}
    >
      {mode === 'asking' && (
        <CancelDialog
          {...{ fault, isBusy }}
          onConfirm={() => void cancel()}
          onClose={() => setMode('reading')}
        />
      )}
    </ManageView>
  );
};
