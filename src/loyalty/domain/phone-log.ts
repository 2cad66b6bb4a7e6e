/** What a phone reports of passes, made safe for our log. */
const MAX_LINES = 5;
const MAX_LENGTH = 200;

/** Long runs without a blank, point or slash: tokens, and ids that name a phone. */
const SECRET = /[A-Za-z0-9_-]{20,}/g;

const cleaned = (line: string): string =>
  line
    .slice(0, 10 * MAX_LENGTH)
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replace(SECRET, '…')
    .slice(0, MAX_LENGTH);

export const phoneLogLine = (lines: readonly string[]): readonly string[] =>
  lines.slice(0, MAX_LINES).map(cleaned);
