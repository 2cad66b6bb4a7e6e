/** Change the reading direction of the text that follows. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/gu;
const WHITESPACE = /[\s\p{Cc}]+/gu;
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u;
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** Whether a reader sees anything of the text. */
export const hasVisible = (text: string): boolean => VISIBLE.test(text);

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * One line with single spaces, without control and bidirectional characters; null when no visible character
 * remains.
 */
export const singleLine = (text: string | null | undefined): string | null => {
  if (text === null || text === undefined || !VISIBLE.test(text)) return null;
  return text.replace(BIDI_CONTROLS, '').replace(WHITESPACE, ' ').trim();
};

/** As `singleLine` for each line; empty lines are dropped. */
export const multiLine = (text: string | null | undefined): string | null => {
  const lines = (text ?? '').split(LINE_BREAK).flatMap((line) => singleLine(line) ?? []);
  return lines.length === 0 ? null : lines.join('\n');
};

/** Ignores Unicode form, case, invisible characters and the kind of whitespace. */
export const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(WHITESPACE, ' ')
    .replace(INVISIBLE, '')
    .trim();

/** Ignores case, spacing and Unicode form (Decisions 8). */
export const isSameName = (a: string, b: string): boolean =>
  folded(a).replaceAll(' ', '') === folded(b).replaceAll(' ', '');
