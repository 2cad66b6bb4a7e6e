/** A modal sheet. Unless it must stay, Escape, the back button of the browser and a tap beside it close it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { useMessages } from '../components/reader.ts';
import { menu } from '../messages/compiled/menu.ts';

interface SheetProps {
  /** Id of the heading, which takes the focus. */
  readonly headingId: string;
  /** Null: it stays until its question is answered. */
  readonly onClose: (() => void) | null;
  readonly footer?: ComponentChildren;
  /** A question: no higher than what it says. */
  readonly isSmall?: boolean;
  readonly children: ComponentChildren;
}

export const Sheet = ({ headingId, onClose, footer, isSmall = false, children }: SheetProps) => {
  const t = useMessages(menu);
  const dialog = useRef<HTMLDialogElement>(null);
  /** A tap that began before the sheet was there does not close it. */
  const wasPressed = useRef(false);
  useEffect(() => {
    const opened = dialog.current;
    const before = document.activeElement;
    opened?.showModal();
    return () => {
      opened?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  useEffect(() => document.getElementById(headingId)?.focus(), [headingId]);
  return (
    <dialog
      ref={dialog}
      class={isSmall ? 'sheet small-sheet' : 'sheet'}
      aria-labelledby={headingId}
      onCancel={(event) => {
        if (!event.cancelable) return;
        event.preventDefault();
        onClose?.();
      }}
      onClose={() => {
        // Null: the sheet has left the page. Else a second Escape in a row has closed it without a question.
        if (dialog.current === null) return;
        if (onClose !== null) {
          onClose();
          return;
        }
        dialog.current.showModal();
        document.getElementById(headingId)?.focus();
      }}
      onPointerDown={(event) => {
        wasPressed.current = event.target === dialog.current;
      }}
      onClick={(event) => {
        if (wasPressed.current && event.target === dialog.current) onClose?.();
      }}
    >
      <div class="sheet-body">
        {onClose !== null && (
          <button type="button" class="sheet-close" onClick={onClose}>
            <Icon name="close" />
            <span class="visually-hidden">{t.close}</span>
          </button>
        )}
        <div class="sheet-content">{children}</div>
        {footer !== undefined && <div class="sheet-footer">{footer}</div>}
      </div>
    </dialog>
  );
};
