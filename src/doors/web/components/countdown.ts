/** Seconds that are left. */
import { useEffect, useState } from 'preact/hooks';

const secondsUntil = (instant: number): number => Math.max(0, Math.ceil((instant - Date.now()) / 1000));

/** Until an instant of the device's clock; draws again every second. Null: no instant. */
export const useSecondsLeft = (instant: number | null): number | null => {
  const [left, setLeft] = useState(() => (instant === null ? null : secondsUntil(instant)));
  useEffect(() => {
    if (instant === null) {
      setLeft(null);
      return undefined;
    }
    const tick = () => {
      const now = secondsUntil(instant);
      setLeft(now);
      if (now === 0) clearInterval(timer);
    };
    const timer = setInterval(tick, 1000);
    tick();
    return () => clearInterval(timer);
  }, [instant]);
  return left;
};
