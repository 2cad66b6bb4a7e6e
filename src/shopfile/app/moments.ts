/** Moments as a shop file writes them. */
import { isoInstant, type Instant } from '../../kernel/time.ts';

/** The instant of a moment that has been checked; null where none is given. */
export const momentOf = (text: string | undefined): Instant | null =>
  text === undefined ? null : Date.parse(text);

/** How a file writes "until somebody says otherwise". */
const NO_END = '9999-12-31T00:00:00.000Z';

/** The end of something, which may never come. */
export const endOf = (text: string | undefined): Instant | null => {
  const instant = momentOf(text);
  return instant !== null && instant >= Date.parse(NO_END) ? Infinity : instant;
};

export const endText = (end: Instant): string => (end === Infinity ? NO_END : isoInstant(end));
