/** Conversion of instants between files and rows. */
import { isoInstant, type Instant } from '../../kernel/time.ts';

/** `text` must be a valid instant. */
export const instantOf = (text: string | undefined): Instant | null =>
  text === undefined ? null : Date.parse(text);

/** Infinity in a file. */
const NO_END = '9999-12-31T00:00:00.000Z';

export const endInstantOf = (text: string | undefined): Instant | null => {
  const instant = instantOf(text);
  return instant !== null && instant >= Date.parse(NO_END) ? Infinity : instant;
};

export const formatEnd = (end: Instant): string => (end === Infinity ? NO_END : isoInstant(end));
