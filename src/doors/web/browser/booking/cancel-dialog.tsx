/** Asks before a booking is cancelled. */
import { useEffect, useRef } from 'preact/hooks';
import { useMessages } from '../../components/reader.ts';
import { booking as messages } from '../../messages/compiled/booking.ts';

interface CancelDialogProps {
  /** What went wrong; null: nothing. */
  readonly fault: string | null;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export const CancelDialog = ({ fault, isBusy, onConfirm, onClose }: CancelDialogProps) => {
  const t = useMessages(messages);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="cancel" onClose={onClose}>
      <h2 id="cancel">{t.cancelTitle}</h2>
      <p>{t.cancelHint}</p>
      {fault !== null && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      <p class="actions">
        <button type="button" class="button quiet" onClick={() => dialog.current?.close()}>
          {t.cancelNo}
        </button>
        <button type="button" class="button" aria-disabled={isBusy} onClick={onConfirm}>
          {isBusy ? t.working : t.cancelYes}
        </button>
      </p>
    </dialog>
  );
};
