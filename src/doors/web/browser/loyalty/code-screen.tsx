/** A code over the whole screen, which stays lit while it is shown. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../../components/icon.tsx';
import { useMessages } from '../../components/reader.ts';
import { card as messages } from '../../messages/compiled/card.ts';

/** Some browsers cannot, or do not want to while the battery is low. */
const keepLit = (): (() => void) => {
  let lock: WakeLockSentinel | null = null;
  let isOver = false;
  const request = async (): Promise<void> => {
    if (!('wakeLock' in navigator) || document.visibilityState !== 'visible') return;
    try {
      lock = await navigator.wakeLock.request('screen');
      if (isOver) await lock.release();
    } catch {
      lock = null;
    }
  };
  // A hidden page loses its lock.
  const again = (): void => void request();
  document.addEventListener('visibilitychange', again);
  void request();
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', again);
    lock?.release().catch(() => undefined);
  };
};

interface CodeScreenProps {
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export const CodeScreen = ({ label, onClose, children }: CodeScreenProps) => {
  const t = useMessages(messages);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    const rest = keepLit();
    return () => {
      rest();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} class="code-screen" aria-label={label} onClose={onClose}>
      {children}
      <button type="button" onClick={() => dialog.current?.close()}>
        <Icon name="close" />
        {t.close}
      </button>
    </dialog>
  );
};
