/** The code of a card over the whole screen, which stays lit while it is shown. */
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../../components/icon.tsx';
import { codeAddress } from '../../components/card/card-view.tsx';
import type { Card } from '../../components/card/shapes.ts';
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

export const CodeScreen = ({ card, onClose }: { readonly card: Card; readonly onClose: () => void }) => {
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
    <dialog ref={dialog} class="code-screen" aria-label={t.code} onClose={onClose}>
      <img src={codeAddress(card)} alt={t.code} width={320} height={320} />
      {card.member_code !== null && <bdi dir="ltr">{card.member_code}</bdi>}
      <button type="button" onClick={() => dialog.current?.close()}>
        <Icon name="close" />
        {t.close}
      </button>
    </dialog>
  );
};
