/** Parties and starts in words. */
import { booking } from '../../messages/compiled/booking.ts';
import { clockTime, figure } from '../format.ts';
import { useMessages, useReader } from '../reader.ts';
import { passOf } from './times.ts';

/** `4 guests`. */
export const useGuests = (): ((count: number) => string) => {
  const t = useMessages(booking);
  const reader = useReader();
  return (count) => t.guests({ count, figure: figure(reader, count) });
};

export interface StartText {
  readonly time: string;
  /** Which of two equal times it is, where the clock is set back; null: it comes once. */
  readonly pass: string | null;
}

/** The time of a start on the clock of a zone. */
export const useStartText = (): ((zone: string, start: string) => StartText) => {
  const t = useMessages(booking);
  const reader = useReader();
  return (zone, start) => {
    const instant = Date.parse(start);
    const pass = passOf(zone, instant);
    const words = { first: t.beforeChange, second: t.afterChange } as const;
    return { time: clockTime(reader, zone, instant), pass: pass === null ? null : words[pass] };
  };
};
