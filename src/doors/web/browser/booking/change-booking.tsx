/** Another party, time or note of a booking: what is chosen is saved by one button. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Client } from '../../../../client/client.ts';
import type { BookingBranch } from '../../components/booking/branch.ts';
import { NotesField } from '../../components/booking/details.tsx';
import type { Booking, ManageProps } from '../../components/booking/manage-view.tsx';
import { Picker } from '../../components/booking/picker.tsx';
import type { Choice } from '../../components/booking/picker-props.ts';
import { Summary } from '../../components/booking/summary.tsx';
import { useMessages } from '../../components/reader.ts';
import { booking as messages } from '../../messages/compiled/booking.ts';
import { useReturn } from '../use-return.ts';
import { useTimes } from './times.ts';
import { describeFailure, isRefusal } from '../words.ts';

interface ChangeProps extends ManageProps {
  readonly client: Client;
  readonly onSaved: (booking: Booking) => void;
  readonly onLeave: () => void;
}

interface Draft extends Choice {
  /** Null: a time is still to be chosen. */
  readonly start: string | null;
  readonly notes: string;
}

/** What differs from the booking. */
const changesOf = (booking: Booking, { party, start, notes }: Draft) => ({
  ...(party === booking.party_size ? {} : { party_size: party }),
  ...(start === null || start === booking.starts_at ? {} : { starts_at: start }),
  ...(notes.trim() === (booking.notes ?? '') ? {} : { notes: notes.trim() === '' ? null : notes }),
});

const useDraft = ({ booking, client }: ChangeProps) => {
  const t = useMessages(messages);
  const token = booking.manage_token;
  const [draft, setDraft] = useState<Draft>({
    ...{ party: booking.party_size, date: booking.service_date },
    ...{ start: booking.starts_at, notes: booking.notes ?? '' },
  });
  const load = useCallback(
    async ({ date, party }: Choice) => {
      const query = { date, party_size: party };
      const { body } = await client.getBookingChangeSlots({ path: { manage_token: token }, query });
      if (body === null) throw new Error('Times have a body.');
      return body;
    },
    [client, token],
  );
  const describe = useCallback((error: unknown) => describeFailure(error, t.offline), [t]);
  const { times, refresh, show } = useTimes({ choice: draft, load, first: null, describe });
  useReturn(refresh);
  const choose = (choice: Choice): void => {
    const isSameDay = choice.date === draft.date;
    const start = isSameDay ? draft.start : choice.date === booking.service_date ? booking.starts_at : null;
    setDraft({ ...draft, ...choice, start });
    show(choice);
  };
  return { draft, setDraft, choose, times, show, describe };
};

const ChosenTime = ({ draft, branch }: { readonly draft: Draft; readonly branch: BookingBranch }) => {
  const t = useMessages(messages);
  const { start, date, party } = draft;
  return (
    <section class="card" aria-labelledby="chosen">
      <h2 id="chosen">{t.chosen}</h2>
      {start === null ? (
        <p>{t.choose}</p>
      ) : (
        <Summary {...{ start, zone: branch.zone, serviceDate: date, party }} branchName={branch.name} />
      )}
    </section>
  );
};

export const ChangeBooking = (props: ChangeProps) => {
  const { booking, branch, client, onSaved, onLeave } = props;
  const t = useMessages(messages);
  const { draft, setDraft, choose, times, show, describe } = useDraft(props);
  const [taken, setTaken] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  const save = async (): Promise<void> => {
    if (isBusy || draft.start === null) return;
    setIsBusy(true);
    setFault(null);
    try {
      const path = { manage_token: booking.manage_token };
      const { body } = await client.changeBooking({ path, body: changesOf(booking, draft) });
      if (body !== null) onSaved(body);
    } catch (error) {
      setIsBusy(false);
      show(draft);
      if (isRefusal(error, 'SLOT_TAKEN')) setTaken(draft.start);
      else setFault(describe(error));
    }
  };

  return (
    <section class="change" aria-labelledby="change">
      <h1 id="change" ref={heading} tabIndex={-1}>
        {t.changeTitle}
      </h1>
      <Picker
        {...{ branch, times, taken, choice: draft, chosen: draft.start, isAlive: !isBusy }}
        onChoice={(choice) => {
          setTaken(null);
          choose(choice);
        }}
        onTime={(start) => {
          setTaken(null);
          setDraft({ ...draft, start });
        }}
        onRetry={() => show(draft)}
      />
      <NotesField notes={draft.notes} onNotes={(notes) => setDraft({ ...draft, notes })} />
      <ChosenTime draft={draft} branch={branch} />
      {fault !== null && (
        <p class="notice fault" role="alert">
          {fault}
        </p>
      )}
      <p class="actions">
        <button
          type="button"
          class="button"
          aria-disabled={isBusy || draft.start === null}
          onClick={() => void save()}
        >
          {isBusy ? t.working : t.save}
        </button>
        <button type="button" class="button quiet" onClick={onLeave}>
          {t.leave}
        </button>
      </p>
    </section>
  );
};
