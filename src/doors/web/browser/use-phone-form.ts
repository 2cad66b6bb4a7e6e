/** A form whose phone may have to be proven: its draft, its faults, the code, one request at a time. */
import { useRef, useState } from 'preact/hooks';
import type { Client } from '../../../client/client.ts';
import { isWholeCode, type CodeState } from '../components/otp-field.tsx';
import { useMessages } from '../components/reader.ts';
import { otp } from '../messages/compiled/otp.ts';
import { keepDevice } from './device.ts';
import { keepDraft } from './draft.ts';
import { provePhone } from './proof.ts';
import { describeFailure, isRefusal } from './words.ts';

interface PhoneFormState<Form, Fault, Code> {
  readonly form: Form;
  /** The fields that are wrong. */
  readonly faults: readonly Fault[];
  /** Null: none is asked for. */
  readonly code: Code | null;
  /** What is wrong besides; null: nothing. */
  readonly fault: string | null;
  readonly isBusy: boolean;
}

interface PhoneFormInput<Form> {
  /** The name under which the browser keeps what was typed. */
  readonly draft: string;
  readonly first: () => Form;
  /** What is said when there is no connection. */
  readonly offline: string;
}

/** True: the page is being left, and the form stays busy. */
type Work = () => Promise<boolean>;

/** Says whether a kept draft has these fields, all of them text. */
export const hasTexts = (value: unknown, names: readonly string[]): boolean =>
  typeof value === 'object' &&
  value !== null &&
  names.every((name) => typeof (value as Record<string, unknown>)[name] === 'string');

/** A code was sent; another can be asked for after `seconds`. */
export const codeSent = (seconds: number): CodeState => ({
  ...{ code: '', fault: null, resendAt: Date.now() + seconds * 1000 },
});

export const usePhoneForm = <
  Form extends { readonly phone: string },
  Fault extends string,
  Code extends CodeState,
>(
  client: Client,
  { draft, first, offline }: PhoneFormInput<Form>,
) => {
  type State = PhoneFormState<Form, Fault, Code>;
  const words = useMessages(otp);
  const [state, setState] = useState((): State => {
    return { form: first(), faults: [], code: null, fault: null, isBusy: false };
  });
  /** Set at once, unlike the state: the second of a double tap finds it. */
  const isUnderWay = useRef(false);
  const change = (changed: Partial<State>): void => {
    if (changed.form !== undefined) keepDraft(draft, changed.form);
    setState((before) => ({ ...before, ...changed }));
  };

  /** False: the code was not accepted. */
  const prove = async (code: Code): Promise<boolean> => {
    try {
      keepDevice(await provePhone(client, state.form.phone, code.code));
      // The code is used up: a request that gets no answer is repeated without it.
      change({ code: null });
      return true;
    } catch (error) {
      if (!isRefusal(error, 'OTP_INVALID')) throw error;
      change({ code: { ...code, code: '', fault: error.body.error }, isBusy: false });
      return false;
    }
  };

  const run = async (work: Work): Promise<void> => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    change({ isBusy: true, fault: null, faults: [] });
    try {
      isUnderWay.current = await work();
    } catch (error) {
      isUnderWay.current = false;
      change({ fault: describeFailure(error, offline), isBusy: false });
    }
  };

  /** Proves the phone first, where a code is asked for. */
  const submit = (send: Work): void => {
    const { code } = state;
    if (code !== null && !isWholeCode(code.code)) {
      change({ code: { ...code, fault: words.incomplete } });
      return;
    }
    void run(async () => (code === null || (await prove(code))) && send());
  };

  return {
    ...state,
    ...{ change, submit },
    typeCode: (code: string): void => {
      if (state.code !== null) change({ code: { ...state.code, code, fault: null } });
    },
    /** `sendCode` sends another code. */
    resend: (sendCode: () => Promise<void>): void => {
      void run(async () => {
        await sendCode();
        return false;
      });
    },
  };
};
