/** From the details to the booking: code, faults, retries. */
import { useRef, useState } from 'preact/hooks';
import type { Client } from '../../../client/client.ts';
import type { CodeState, Guest, GuestFault } from '../components/booking/details.tsx';
import { isWholeCode } from '../components/otp-field.tsx';
import { useMessages, useReader } from '../components/reader.ts';
import { booking } from '../messages/compiled/booking.ts';
import { otp } from '../messages/compiled/otp.ts';
import { EARLIER } from './earlier-booking.ts';
import { forgetHold, type Hold } from './booking-hold.ts';
import { requestBooking } from './booking-request.ts';
import { keepDevice } from './device.ts';
import { dropDraft, keepDraft, readDraft } from './draft.ts';
import { provePhone, requestCode } from './proof.ts';
import { describeFailure, isRefusal } from './words.ts';

export interface Chosen {
  readonly branchId: string;
  readonly start: string;
  readonly party: number;
  readonly hold: Hold | null;
}

interface BookingState {
  readonly guest: Guest;
  readonly faults: readonly GuestFault[];
  readonly code: CodeState | null;
  readonly fault: string | null;
  readonly isBusy: boolean;
}

export interface LiveBooking extends BookingState {
  readonly change: (change: Partial<BookingState>) => void;
  readonly resend: () => void;
  readonly submit: (chosen: Chosen) => void;
}

const DRAFT = 'ahwa-guest';

const isGuest = (value: unknown): value is Guest =>
  typeof value === 'object' &&
  value !== null &&
  ['name', 'phone', 'notes'].every((name) => typeof (value as Record<string, unknown>)[name] === 'string');

const beginning = (): BookingState => {
  const guest = readDraft(DRAFT, isGuest) ?? { name: '', phone: '', notes: '' };
  return { guest, faults: [], code: null, fault: null, isBusy: false };
};

const waiting = (seconds: number): CodeState => ({
  ...{ code: '', fault: null, resendAt: Date.now() + seconds * 1000 },
});

/** `onTaken`: another guest has the start by now. */
export const useBooking = (client: Client, onTaken: (start: string) => void): LiveBooking => {
  const t = useMessages(booking);
  const words = useMessages(otp);
  const { language } = useReader();
  const [state, setState] = useState(beginning);
  /** At once, unlike the state: of a double tap the second is none. */
  const isUnderWay = useRef(false);
  const change = (changed: Partial<BookingState>): void => {
    if (changed.guest !== undefined) keepDraft(DRAFT, changed.guest);
    setState((before) => ({ ...before, ...changed }));
  };

  /** True: booked, and the page is being left. */
  const book = async ({ branchId, start, party, hold }: Chosen): Promise<boolean> => {
    const { guest } = state;
    const holdToken = hold?.token ?? null;
    const outcome = await requestBooking(client, {
      ...{ branchId, start, party, guest, holdToken, language },
    });
    if (outcome.kind === 'booked') {
      forgetHold();
      dropDraft(DRAFT);
      location.replace(`/manage/${outcome.token}${outcome.isEarlier ? EARLIER : ''}`);
      return true;
    }
    if (outcome.kind === 'code_sent') change({ code: waiting(outcome.resendSeconds), isBusy: false });
    if (outcome.kind === 'faults') change({ faults: outcome.faults, code: null, isBusy: false });
    if (outcome.kind === 'taken') {
      change({ code: null, isBusy: false });
      onTaken(start);
    }
    return false;
  };

  /** False: the code was not accepted. */
  const prove = async ({ code, resendAt }: CodeState): Promise<boolean> => {
    try {
      keepDevice(await provePhone(client, state.guest.phone, code));
      // It is used up: if the booking gets no answer, it is repeated without it.
      change({ code: null });
      return true;
    } catch (error) {
      if (!isRefusal(error, 'OTP_INVALID')) throw error;
      change({ code: { code: '', resendAt, fault: error.body.error }, isBusy: false });
      return false;
    }
  };

  /** `work` returns whether the page is being left: then it stays busy. */
  const run = async (work: () => Promise<boolean>): Promise<void> => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    change({ isBusy: true, fault: null, faults: [] });
    try {
      isUnderWay.current = await work();
    } catch (error) {
      isUnderWay.current = false;
      change({ fault: describeFailure(error, t.offline), isBusy: false });
    }
  };

  const submit = (chosen: Chosen): void => {
    const { code } = state;
    if (code !== null && !isWholeCode(code.code)) {
      change({ code: { ...code, fault: words.incomplete } });
      return;
    }
    void run(async () => (code === null || (await prove(code))) && book(chosen));
  };

  const resend = (): void => {
    void run(async () => {
      change({ code: waiting(await requestCode(client, state.guest.phone)), isBusy: false });
      return false;
    });
  };

  return { ...state, change, resend, submit };
};
