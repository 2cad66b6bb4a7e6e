/** Asks for the code that was sent to a phone, and proves the phone with it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, type Client } from '../../../../client/client.ts';
import { isWholeCode, OtpField } from '../../components/otp-field.tsx';
import { useMessages } from '../../components/reader.ts';
import { order } from '../../messages/compiled/order.ts';
import { otp } from '../../messages/compiled/otp.ts';
import { provePhone, requestCode } from '../proof.ts';
import { Sheet } from '../sheet.tsx';
import { describeFailure, isRefusal } from '../words.ts';
import { fieldFaults } from './refusals.ts';

const HEADING = 'order-code';

interface CodeDialogProps {
  readonly client: Client;
  readonly phone: string;
  readonly onProven: (token: string) => void;
  /** The phone itself is wrong. */
  readonly onPhoneFault: (fault: string) => void;
  readonly onClose: () => void;
}

const useCode = ({ client, phone, onProven, onPhoneFault }: CodeDialogProps) => {
  const t = useMessages(order);
  const words = useMessages(otp);
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [resendAt, setResendAt] = useState<number | null>(null);
  const isChecking = useRef(false);
  const request = async (): Promise<void> => {
    setFault(null);
    try {
      setResendAt(Date.now() + (await requestCode(client, phone)) * 1000);
    } catch (thrown) {
      const phoneFault = thrown instanceof ApiError ? fieldFaults(thrown)['phone'] : undefined;
      if (phoneFault !== undefined) onPhoneFault(phoneFault);
      else setFault(describeFailure(thrown, t.offline));
    }
  };
  const check = async (typed: string): Promise<void> => {
    if (isChecking.current) return;
    isChecking.current = true;
    try {
      onProven(await provePhone(client, phone, typed));
    } catch (thrown) {
      setFault(describeFailure(thrown, t.offline));
      if (isRefusal(thrown, 'OTP_INVALID')) setCode('');
    }
    isChecking.current = false;
  };
  const type = (typed: string): void => {
    // A digit too many leaves the code as it was, which is not tried again.
    if (typed === code) return;
    setCode(typed);
    setFault(null);
    if (isWholeCode(typed)) void check(typed);
  };
  const submit = (): void => {
    if (isWholeCode(code)) void check(code);
    else setFault(words.incomplete);
  };
  useEffect(() => void request(), []);
  return { code, fault, resendAt, request, submit, type };
};

export const CodeDialog = (props: CodeDialogProps) => {
  const { phone, onClose } = props;
  const t = useMessages(order);
  const { code, fault, resendAt, request, submit, type } = useCode(props);
  return (
    <Sheet headingId={HEADING} onClose={onClose} isSmall>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <h2 id={HEADING} tabIndex={-1}>
          {t.codeTitle}
        </h2>
        {resendAt === null ? (
          <div role="status">
            {fault === null ? (
              <p>{t.codeSending}</p>
            ) : (
              <>
                <p class="fault">{fault}</p>
                <button type="button" class="button quiet" onClick={() => void request()}>
                  {t.retry}
                </button>
              </>
            )}
          </div>
        ) : (
          <>
            <OtpField
              {...{ phone, code, fault, resendAt }}
              onCode={type}
              onResend={() => void request()}
              onOtherPhone={onClose}
            />
            <button type="submit" class="button wide">
              {t.confirm}
            </button>
          </>
        )}
      </form>
    </Sheet>
  );
};
