/** The reader's return to the page. */
import { useEffect } from 'preact/hooks';

/** Calls `look` when the reader comes back to the page. */
export const useReturn = (look: () => void): void => {
  useEffect(() => {
    const onReturn = (): void => {
      if (document.visibilityState === 'visible') look();
    };
    window.addEventListener('focus', onReturn);
    window.addEventListener('pageshow', onReturn);
    document.addEventListener('visibilitychange', onReturn);
    return () => {
      window.removeEventListener('focus', onReturn);
      window.removeEventListener('pageshow', onReturn);
      document.removeEventListener('visibilitychange', onReturn);
    };
  }, [look]);
};
