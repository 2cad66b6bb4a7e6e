/** Text for a receipt printer of 80 mm: 48 cells of one width a line, Arabic from right to left (Decisions 12). */

const RECEIPT_CELLS = 48;

/** Text of people in a line of another direction (Unicode, bidirectional isolates). */
const [ISOLATE, END_OF_ISOLATE, RIGHT_TO_LEFT] = ['\u2068', '\u2069', '\u200f'];

const TAKES_NO_CELL = /[\p{Mn}\p{Me}\p{Cf}]/u;
const TAKES_TWO_CELLS =
  /[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\uff01-\uff60]/u;

const cellsOfCharacter = (character: string): number =>
  TAKES_NO_CELL.test(character) ? 0 : TAKES_TWO_CELLS.test(character) ? 2 : 1;

/** Lam and alef are one letter where they are printed, also with marks between them. */
const LAM_ALEF = /ل\p{Mn}*[اأإآ]/gu;

/** How many cells the text takes: marks none, wide characters and emoji two. */
export const cellsOf = (text: string): number =>
  Array.from(text.replace(LAM_ALEF, 'ل')).reduce(
    (cells, character) => cells + cellsOfCharacter(character),
    0,
  );

/** What a printer could take for a command, or a direction that reaches beyond the text, is a blank. */
const printable = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();

/** A word that is longer than a line, in pieces. */
const piecesOf = (word: string, most: number): readonly string[] => {
  const pieces: string[] = [];
  let piece = '';
  for (const character of word) {
    if (piece !== '' && cellsOf(piece + character) > most) {
      pieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return piece === '' ? pieces : [...pieces, piece];
};

/** The text in lines of at most `most` cells, broken between words where it can be; at least one line. */
export const wrapped = (text: string, most: number): readonly string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of printable(text)
    .split(' ')
    .flatMap((one) => piecesOf(one, most))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (cellsOf(longer) <= most) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
};

const blanks = (count: number): string => ' '.repeat(Math.max(0, count));

export type Direction = 'ltr' | 'rtl';

const start = (direction: Direction): string => (direction === 'rtl' ? RIGHT_TO_LEFT : '');
const isolated = (text: string): string => `${ISOLATE}${text}${END_OF_ISOLATE}`;

/** In the middle of the line. */
export const centred = (text: string, direction: Direction): readonly string[] =>
  wrapped(text, RECEIPT_CELLS).map(
    (line) => start(direction) + blanks(Math.floor((RECEIPT_CELLS - cellsOf(line)) / 2)) + isolated(line),
  );

/** At the beginning of the line: the right edge in Arabic. */
export const plain = (text: string, direction: Direction, indent = 0): readonly string[] =>
  wrapped(text, RECEIPT_CELLS - indent).map((line) => start(direction) + blanks(indent) + isolated(line));

/** A text and an amount at the other edge, which stands beside the last line of the text. */
export const row = (text: string, amount: string, direction: Direction, indent = 0): readonly string[] => {
  const lines = wrapped(text, RECEIPT_CELLS - indent - cellsOf(amount) - 1);
  return lines.map((line, place) => {
    const left = start(direction) + blanks(indent) + isolated(line);
    if (place < lines.length - 1) return left;
    return left + blanks(RECEIPT_CELLS - indent - cellsOf(line) - cellsOf(amount)) + isolated(amount);
  });
};

export const rule = (direction: Direction): string => start(direction) + '-'.repeat(RECEIPT_CELLS);
