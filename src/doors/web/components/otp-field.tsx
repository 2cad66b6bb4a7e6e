/** The one field for a one-time code: filled in by the phone, pasted or typed; another code after a minute. */
import { useEffect, useRef } from 'preact/hooks';
import { westernDigits } from '../../../kernel/digits.ts';
import { otp } from '../messages/compiled/otp.ts';
import { useSecondsLeft } from './countdown.ts';
import { countdown } from './format.ts';
import { useMessages, useReader } from './reader.ts';

const DIGITS = 6;

/** The digits of a typed or pasted text, such as of the whole message. */
const codeIn = (text: string): string => westernDigits(text).replace(/\D/g, '').slice(0, DIGITS);

export const isWholeCode = (code: string): boolean => code.length === DIGITS;

/** A code is on its way to the phone. */
export interface CodeState {
  readonly code: string;
  /** What is wrong with the code; null: nothing that is known. */
  readonly fault: string | null;
  /** From when another code can be asked for, on the device's clock. */
  readonly resendAt: number;
}

interface OtpFieldProps extends CodeState {
  /** As typed. */
  readonly phone: string;
  readonly onCode: (code: string) => void;
  readonly onResend: () => void;
  /** Back to the phone; undefined: it cannot be changed here. */
  readonly onOtherPhone?: () => void;
}

/** Takes the focus when it appears, and again with each fault. */
export const OtpField = (props: OtpFieldProps) => {
  const { phone, code, onCode, fault, resendAt, onResend, onOtherPhone } = props;
  const t = useMessages(otp);
  const reader = useReader();
  const left = useSecondsLeft(resendAt) ?? 0;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), [fault]);
  return (
    <div class="field otp">
      <label for="otp-code">{t.code}</label>
      <p id="otp-sent" class="muted small" role="status">
        {t.sentTo} <bdi dir="ltr">{phone}</bdi>
      </p>
      <input
        ref={input}
        id="otp-code"
        name="code"
        type="text"
        inputMode="numeric"
        autoComplete="one-time-code"
        dir="ltr"
        required
        value={code}
        aria-describedby={fault === null ? 'otp-sent' : 'otp-fault otp-sent'}
        aria-invalid={fault !== null}
        onInput={({ currentTarget }) => {
          const typed = codeIn(currentTarget.value);
          currentTarget.value = typed;
          onCode(typed);
        }}
      />
      {fault !== null && (
        <p id="otp-fault" class="fault small" role="alert">
          {fault}
        </p>
      )}
      <p class="otp-actions small">
        {left > 0 ? (
          <span class="muted">{t.resendIn({ time: countdown(reader, left) })}</span>
        ) : (
          <button type="button" class="text-button" onClick={onResend}>
            {t.resend}
          </button>
        )}
        {onOtherPhone !== undefined && (
          <button type="button" class="text-button" onClick={onOtherPhone}>
            {t.otherPhone}
          </button>
        )}
      </p>
    </div>
  );
};
