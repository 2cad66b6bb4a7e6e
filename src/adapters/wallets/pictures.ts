/** The pictures of a pass: from the shop's own, and drawn from its colours and name where it has none. */
import type { Sharp } from 'sharp';
import type { PassLook, PassPictures } from '../../ports.ts';
import { drawable, fitText, fontsFor, svg, type SharpLibrary } from '../drawn-text.ts';
import { READING } from '../sharp.ts';

const SCALES = [1, 2, 3] as const;
const LARGEST = 3;

/** Points; a picture has one to three pixels a point. */
const ICON = 29;
const LOGO = { width: 160, height: 50 };
const STRIP = { width: 375, height: 144 };
/** Pixels. */
const MARK = 660;

const nameOf = (part: string, scale: number): string =>
  scale === 1 ? `${part}.png` : `${part}@${scale}x.png`;

/** Photos are reduced to 256 colours: a strip has 130 KB instead of 700. */
const png = (picture: Sharp): Promise<Buffer> => picture.png({ palette: true, effort: 4 }).toBuffer();

/** Three sizes, made smaller from the largest. */
const inScales = async (
  sharp: SharpLibrary,
  part: string,
  largest: Buffer,
  width: number,
): Promise<PassPictures> => {
  const files = await Promise.all(
    SCALES.map(async (scale) => {
      const bytes = await png(sharp(largest).resize({ width: Math.round((width * scale) / LARGEST) }));
      return [nameOf(part, scale), bytes] as const;
    }),
  );
  return Object.fromEntries(files);
};

const plain = (sharp: SharpLibrary, width: number, height: number, background: string): Sharp =>
  sharp({ create: { width, height, channels: 3, background } });

const TITLE_PARTS = [0.5, 0.42, 0.34, 0.28] as const;

/** The first letter, as the shop's own writing joins or does not join it. */
const initialOf = (title: string): string => /[\p{L}\p{N}]/u.exec(title)?.[0] ?? '';

const lettered = async (
  sharp: SharpLibrary,
  size: number,
  { title, colors, direction }: PassLook,
): Promise<Buffer> => {
  const letter = drawable(initialOf(title), await fontsFor(sharp));
  const drawn = await fitText(sharp, letter, [Math.round(size * 0.6)], {
    ...{ weight: 'Bold', color: colors.foreground, direction, width: size },
  });
  return plain(sharp, size, size, colors.background)
    .composite(drawn === null ? [] : [{ input: drawn.data, gravity: 'centre' }])
    .png()
    .toBuffer();
};

const square = (sharp: SharpLibrary, size: number, look: PassLook): Promise<Buffer> => {
  if (look.logo === null) return lettered(sharp, size, look);
  const { background } = look.colors;
  return sharp(look.logo, READING)
    .autoOrient()
    .resize(size, size, { fit: 'contain', background })
    .flatten({ background })
    .png()
    .toBuffer();
};

/** At most 160 × 50 points: a wide logo keeps its form, and none is a square with the first letter. */
const logo = (sharp: SharpLibrary, look: PassLook): Promise<Buffer> => {
  const [width, height] = [LOGO.width * LARGEST, LOGO.height * LARGEST];
  if (look.logo === null) return lettered(sharp, height, look);
  return sharp(look.logo, READING).autoOrient().resize(width, height, { fit: 'inside' }).png().toBuffer();
};

const STRIP_MARGIN = 48;
const ACCENT = 12;

/** Name and programme at the edge where the language begins. */
const drawnStrip = async (
  sharp: SharpLibrary,
  width: number,
  height: number,
  { title, subtitle, colors, direction }: PassLook,
): Promise<Buffer> => {
  const known = await fontsFor(sharp);
  const style = { color: colors.foreground, direction, width: width - 2 * STRIP_MARGIN };
  const drawn = [
    await fitText(
      ...([
        sharp,
        drawable(title, known),
        TITLE_PARTS.map((part) => Math.round(height * part * 0.6)),
      ] as const),
      { ...style, weight: 'Bold' },
    ),
    await fitText(sharp, drawable(subtitle ?? '', known), [Math.round(height * 0.13)], {
      ...{ ...style, weight: 'Regular' },
    }),
  ].filter((text) => text !== null);
  const gap = Math.round(height * 0.06);
  const tall = drawn.reduce((sum, text) => sum + text.height + gap, -gap);
  let top = Math.max(0, Math.round((height - tall) / 2));
  const texts = drawn.map((text) => {
    const left = direction === 'rtl' ? width - STRIP_MARGIN - text.width : STRIP_MARGIN;
    const placed = { input: text.data, left, top };
    top += text.height + gap;
    return placed;
  });
  const bar = svg(width, ACCENT, `<rect width="${width}" height="${ACCENT}" fill="${colors.accent}"/>`);
  return plain(sharp, width, height, colors.background)
    .composite([{ input: bar, left: 0, top: height - ACCENT }, ...texts])
    .png()
    .toBuffer();
};

const strip = (sharp: SharpLibrary, look: PassLook): Promise<Buffer> => {
  const [width, height] = [STRIP.width * LARGEST, STRIP.height * LARGEST];
  if (look.strip === null) return drawnStrip(sharp, width, height, look);
  return sharp(look.strip, READING)
    .autoOrient()
    .resize(width, height, { fit: 'cover' })
    .flatten({ background: look.colors.background })
    .png()
    .toBuffer();
};

export const drawPassPictures = async (sharp: SharpLibrary, look: PassLook): Promise<PassPictures> => {
  const icon = await square(sharp, ICON * LARGEST, look);
  const large = await logo(sharp, look);
  const { width } = await sharp(large).metadata();
  return {
    ...(await inScales(sharp, 'icon', icon, ICON * LARGEST)),
    ...(await inScales(sharp, 'logo', large, width)),
    ...(await inScales(sharp, 'strip', await strip(sharp, look), STRIP.width * LARGEST)),
  };
};

export const drawShopMark = async (sharp: SharpLibrary, look: PassLook): Promise<Uint8Array> =>
  png(sharp(await square(sharp, MARK, look)));
