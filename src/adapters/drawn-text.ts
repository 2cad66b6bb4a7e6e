/** Text and shapes of pictures that we draw, in Arabic and English. */
import type sharpLibrary from 'sharp';
import { unpackTajawal, type Fonts } from './fonts.ts';

export type SharpLibrary = typeof sharpLibrary;

/** Height of two lines over the size of the font. */
const TWO_LINES = 2.6;

const prepared = async (sharp: SharpLibrary): Promise<Fonts> => {
  const fonts = unpackTajawal();
  // Drawing with a font file registers it in the process.
  for (const fontfile of fonts.files)
    await sharp({ text: { text: 'a', font: 'Tajawal 10', fontfile, dpi: 72 } })
      .png()
      .toBuffer();
  return fonts;
};

let fonts: Promise<Fonts> | null = null;

/** Prepared once; after a failure, such as a full disk, again at the next picture. */
export const fontsFor = (sharp: SharpLibrary): Promise<Fonts> =>
  (fonts ??= prepared(sharp).catch((fault: unknown) => {
    fonts = null;
    throw fault;
  }));

/** Blanks, and marks that join, part and turn letters and have no glyph of their own. */
const UNSEEN = /^[\s\u200C-\u200F]$/u;

/** Without characters that Tajawal lacks: each would be drawn as a box. An accent that it lacks is left out. */
export const drawable = (text: string, { characters }: Fonts): string => {
  const isDrawable = (character: string): boolean =>
    UNSEEN.test(character) || characters.has(character.codePointAt(0) ?? 0);
  const kept = Array.from(text.normalize('NFC'), (character) =>
    isDrawable(character) ? character : Array.from(character.normalize('NFKD')).filter(isDrawable).join(''),
  );
  return kept.join('').replace(/\s+/gu, ' ').trim();
};

const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => MARKUP[sign] ?? sign);

const RTL_LETTER = /\p{Script=Arabic}/u;
const FIRST_LETTER = /\p{Letter}/u;
const isRtl = (text: string): boolean => RTL_LETTER.test(FIRST_LETTER.exec(text)?.[0] ?? '');

export interface Drawn {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

export interface TextStyle {
  readonly weight: 'Regular' | 'Bold';
  readonly color: string;
  readonly direction: 'rtl' | 'ltr';
  /** Pixels of the longest line. */
  readonly width: number;
}

const drawText = async (
  sharp: SharpLibrary,
  text: string,
  size: number,
  { weight, color, direction, width }: TextStyle,
): Promise<Drawn> => {
  // Pango turns the alignment of a right-to-left paragraph around.
  const isAtStart = isRtl(text) === (direction === 'rtl');
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="${color}">${escaped(text)}</span>`,
      font: `Tajawal ${weight} ${size}`,
      align: isAtStart ? 'left' : 'right',
      ...{ width, dpi: 72, rgba: true, wrap: 'word-char' as const },
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
};

/** At the largest size at which it fits on two lines. Null without a character that can be drawn. */
export const fitText = async (
  sharp: SharpLibrary,
  text: string,
  sizes: readonly number[],
  style: TextStyle,
): Promise<Drawn | null> => {
  let drawn: Drawn | null = null;
  for (const size of text === '' ? [] : sizes) {
    drawn = await drawText(sharp, text, size, style);
    if (drawn.height <= TWO_LINES * size && drawn.width <= style.width) return drawn;
  }
  return drawn;
};

export const svg = (width: number, height: number, content: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`);
