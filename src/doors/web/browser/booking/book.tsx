/** Booking a table: a start is chosen and held, the guest says who comes, the phone is proven, the table is booked. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Client } from '../../../../client/client.ts';
import { BookScreen, type BookProps } from '../../components/booking/book-screen.tsx';
import type { Choice } from '../../components/booking/picker-props.ts';
import { Details, HoldNote } from '../../components/booking/details.tsx';
import { Summary } from '../../components/booking/summary.tsx';
import { useSecondsLeft } from '../../components/countdown.ts';
import { figure } from '../../components/format.ts';
import { useMessages, useReader } from '../../components/reader.ts';
import { booking } from '../../messages/compiled/booking.ts';
import { keepInAddress } from '../address.ts';
import { forgetHold, holdStart, releaseHold, type Hold } from './booking-hold.ts';
import { resumeBooking } from './booking-request.ts';
import { useOwnZone } from './own-zone.ts';
import { useReturn } from '../use-return.ts';
import { useTimes } from './times.ts';
import { clientFor } from '../start.tsx';
import { useBooking, type LiveBooking } from './use-booking.ts';
import { describeFailure, isRefusal } from '../words.ts';

const DETAILS = 'details';

/** The browser's back button leads from the details to the times. */
const useStep = (onBack: () => void): { readonly enter: () => void; readonly leave: () => void } => {
  useEffect(() => {
    const onPop = (): void => onBack();
    window.addEventListener('popstate', onPop);
    return () => window.removeEventListener('popstate', onPop);
  }, [onBack]);
  return {
    enter: () => history.pushState(DETAILS, ''),
    leave: () => history.back(),
  };
};

interface DetailsStepProps {
  readonly props: BookProps;
  readonly choice: Choice;
  readonly start: string;
  readonly hold: Hold | null;
  readonly live: LiveBooking;
  readonly onAgain: () => void;
  readonly onBack: () => void;
}

const DetailsStep = ({ props, choice, start, hold, live, onAgain, onBack }: DetailsStepProps) => {
  const { branch } = props;
  const t = useMessages(booking);
  const reader = useReader();
  const left = useSecondsLeft(hold?.until ?? null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const [fault] = live.faults;
  useEffect(() => {
    if (fault !== undefined) document.getElementById(`guest-${fault}`)?.focus();
  }, [live.faults]);
  const grace = branch.holdMinutes;
  return (
    <section class="step" aria-labelledby="details">
      <h2 id="details" ref={heading} tabIndex={-1}>
        {t.details}
      </h2>
      <div class="card">
        <Summary
          {...{ start, zone: branch.zone, serviceDate: choice.date, party: choice.party }}
          branchName={branch.name}
        />
        <button type="button" class="text-button" onClick={onBack}>
          {t.otherTime}
        </button>
      </div>
      <HoldNote left={left} onAgain={onAgain} />
      <Details
        {...{ ...live, guest: live.form }}
        onGuest={(form) => live.change({ form })}
        onCode={live.typeCode}
        onResend={live.resend}
        onOtherPhone={() => live.change({ code: null })}
        onSubmit={() => live.submit({ branchId: branch.id, start, party: choice.party, hold })}
      >
        {grace > 0 && (
          <p class="small muted">{t.lateGrace({ count: grace, figure: figure(reader, grace) })}</p>
        )}
      </Details>
    </section>
  );
};

interface ChosenStart {
  readonly start: string;
  /** Null: it could not be kept. */
  readonly hold: Hold | null;
}

/** The times of the branch, and the choice of party and date. */
const useChoice = ({ branch, choice: first, slots, notice: firstNotice }: BookProps, client: Client) => {
  const t = useMessages(booking);
  const [choice, setChoice] = useState(first);
  const [notice, setNotice] = useState(firstNotice);
  const load = useCallback(
    async ({ date, party }: Choice) => {
      const query = { date, party_size: party };
      const { body } = await client.getBookingSlots({ path: { id: branch.id }, query });
      if (body === null) throw new Error('Times have a body.');
      return body;
    },
    [client, branch.id],
  );
  const describe = useCallback((error: unknown) => describeFailure(error, t.offline), [t]);
  const { times, refresh, show } = useTimes({ choice, load, first: slots, describe });
  const change = (changed: Choice): void => {
    setChoice(changed);
    setNotice(null);
    keepInAddress({ branch: branch.id, ...changed });
    show(changed);
  };
  return { choice, change, times, refresh, show, notice, setNotice, describe };
};

type HoldOutcome =
  | { readonly kind: 'kept'; readonly hold: Hold }
  | { readonly kind: 'failed'; readonly error: unknown; readonly choice: Choice }
  /** The guest has chosen another party or date while the answer was awaited. */
  | { readonly kind: 'unwanted'; readonly choice: Choice };

const useHold = (client: Client, branchId: string, choice: Choice) => {
  const latest = useRef(choice);
  latest.current = choice;
  return async (start: string): Promise<HoldOutcome> => {
    const isWanted = (): boolean => latest.current === choice;
    try {
      const hold = await holdStart(client, { branchId, start, party: choice.party });
      if (isWanted()) return { kind: 'kept', hold };
      await releaseHold(client);
    } catch (error) {
      if (isWanted()) return { kind: 'failed', error, choice };
    }
    return { kind: 'unwanted', choice: latest.current };
  };
};

const AGAIN_MS = 5_000;

/**
 * Asks for the booking whose answer a reload or a lost connection has swallowed, until the server says.
 * `onAsked`: there is none, or (`isUnknown`) that is still not known. Returns what ends the asking.
 */
const useResumed = (client: Client, onAsked: (isUnknown: boolean) => void): (() => void) => {
  const stop = useRef<() => void>(() => undefined);
  useEffect(() => {
    let isOver = false;
    let timer = 0;
    const rest = (): void => {
      window.clearTimeout(timer);
      window.removeEventListener('online', again);
    };
    const resume = async (): Promise<void> => {
      try {
        const token = await resumeBooking(client);
        if (token !== null) {
          forgetHold();
          location.replace(`/manage/${token}`);
        } else if (!isOver) onAsked(false);
      } catch {
        if (isOver) return;
        onAsked(true);
        timer = window.setTimeout(again, AGAIN_MS);
        window.addEventListener('online', again);
      }
    };
    const again = (): void => {
      rest();
      void resume();
    };
    stop.current = () => {
      isOver = true;
      rest();
    };
    void resume();
    return () => stop.current();
  }, []);
  return () => stop.current();
};

/** Back at the first step of the page, its heading takes the focus. */
const useFocusOnTimes = (isChoosing: boolean, mayFocus: boolean): void =>
  useEffect(() => {
    if (isChoosing && mayFocus) requestAnimationFrame(() => document.getElementById('times')?.focus());
  }, [isChoosing]);

export const Book = (props: BookProps) => {
  const { branch } = props;
  const { language } = useReader();
  const t = useMessages(booking);
  const client = useMemo(() => clientFor(language), [language]);
  const { choice, change, times, refresh, show, notice, setNotice, describe } = useChoice(props, client);
  const [chosen, setChosen] = useState<ChosenStart | null>(null);
  const [taken, setTaken] = useState<string | null>(null);
  const [isAlive, setIsAlive] = useState(false);
  const ownZone = useOwnZone();
  useReturn(refresh);

  const backToTimes = useCallback((): void => {
    setChosen(null);
    void releaseHold(client).then(refresh);
  }, [client, refresh]);
  const step = useStep(backToTimes);
  const live = useBooking(client, (start) => {
    setTaken(start);
    show(choice);
    step.leave();
  });
  const isChoosing = chosen === null;
  useFocusOnTimes(isChoosing, isAlive && taken === null);
  const stopAsking = useResumed(client, (isUnknown) => {
    setIsAlive(true);
    setNotice((shown) => (isUnknown ? t.unsure : shown === t.unsure ? null : shown));
    if (!isUnknown) void releaseHold(client).then((wasHeld) => wasHeld && refresh());
  });

  const keep = useHold(client, branch.id, choice);
  const hold = async (start: string): Promise<void> => {
    setIsAlive(false);
    stopAsking();
    const outcome = await keep(start);
    if (outcome.kind === 'kept') {
      if (isChoosing) step.enter();
      setTaken(null);
      setNotice(null);
      setChosen({ start, hold: outcome.hold });
    } else {
      if (!isChoosing) step.leave();
      if (outcome.kind === 'failed' && isRefusal(outcome.error, 'SLOT_TAKEN')) setTaken(start);
      else if (outcome.kind === 'failed') setNotice(describe(outcome.error));
      show(outcome.choice);
    }
    setIsAlive(true);
  };

  if (chosen !== null)
    return (
      <DetailsStep
        {...{ props, choice, live, ...chosen }}
        onAgain={() => void hold(chosen.start)}
        onBack={step.leave}
      />
    );
  return (
    <BookScreen
      {...{ branch, choice, times, taken, notice, ownZone, isAlive }}
      chosen={null}
      onChoice={(changed) => {
        setTaken(null);
        change(changed);
      }}
      onTime={(start) => void hold(start)}
      onRetry={() => show(choice)}
    />
  );
};
