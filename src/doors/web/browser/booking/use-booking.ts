/** From the details to the booking. */
import type { Client } from '../../../../client/client.ts';
import type { Guest, GuestFault } from '../../components/booking/details.tsx';
import type { CodeState } from '../../components/otp-field.tsx';
import { useMessages, useReader } from '../../components/reader.ts';
import { booking } from '../../messages/compiled/booking.ts';
import { EARLIER } from './earlier-booking.ts';
import { forgetHold, type Hold } from './booking-hold.ts';
import { requestBooking } from './booking-request.ts';
import { dropDraft, readDraft } from '../draft.ts';
import { requestCode } from '../proof.ts';
import { codeSent, hasTexts, usePhoneForm } from '../use-phone-form.ts';

export interface Chosen {
  readonly branchId: string;
  readonly start: string;
  readonly party: number;
  readonly hold: Hold | null;
}

const DRAFT = 'ahwa-guest';

const NOBODY: Guest = { name: '', phone: '', notes: '' };

const isGuest = (value: unknown): value is Guest => hasTexts(value, Object.keys(NOBODY));

/** `onTaken`: another guest has the start by now. */
export const useBooking = (client: Client, onTaken: (start: string) => void) => {
  const { offline } = useMessages(booking);
  const { language } = useReader();
  const live = usePhoneForm<Guest, GuestFault, CodeState>(client, {
    ...{ draft: DRAFT, first: () => readDraft(DRAFT, isGuest) ?? NOBODY, offline },
  });

  /** True: booked, and the page is being left. */
  const book = async ({ branchId, start, party, hold }: Chosen): Promise<boolean> => {
    const holdToken = hold?.token ?? null;
    const outcome = await requestBooking(client, {
      ...{ branchId, start, party, guest: live.form, holdToken, language },
    });
    if (outcome.kind === 'booked') {
      forgetHold();
      dropDraft(DRAFT);
      location.replace(`/manage/${outcome.token}${outcome.isEarlier ? EARLIER : ''}`);
      return true;
    }
    if (outcome.kind === 'code_sent') live.change({ code: codeSent(outcome.resendSeconds), isBusy: false });
    if (outcome.kind === 'faults') live.change({ faults: outcome.faults, code: null, isBusy: false });
    if (outcome.kind === 'taken') {
      live.change({ code: null, isBusy: false });
      onTaken(start);
    }
    return false;
  };

  const sendCode = async (): Promise<void> =>
    live.change({ code: codeSent(await requestCode(client, live.form.phone)), isBusy: false });

  return {
    ...live,
    submit: (chosen: Chosen) => live.submit(() => book(chosen)),
    resend: () => live.resend(sendCode),
  };
};

export type LiveBooking = ReturnType<typeof useBooking>;
