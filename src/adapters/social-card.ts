/** Draws the picture that chats and social networks show beside a link to a shop. */
import type { OverlayOptions } from 'sharp';
import type { SocialCard } from '../ports.ts';
import { drawable, fitText, fontsFor, svg, type SharpLibrary } from './drawn-text.ts';
import type { Fonts } from './fonts.ts';
import { READING } from './sharp.ts';

const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 80;
const TEXT_WIDTH = WIDTH - 2 * MARGIN;
const LOGO = 168;
const LOGO_RADIUS = 36;
const MAX_BYTES = 300_000;

/** Pixels: the largest at which the title fits on two lines. */
const TITLE_SIZES = [92, 80, 70, 60, 52, 44, 36, 30, 26] as const;
const SUBTITLE_SIZES = [40, 34, 28, 24] as const;

const WHITE = '#FFFFFF';

const shade = svg(
  WIDTH,
  HEIGHT,
  `<linearGradient id="g" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-opacity=".25"/><stop offset=".35" stop-opacity=".45"/><stop offset="1" stop-opacity=".85"/></linearGradient><rect width="${WIDTH}" height="${HEIGHT}" fill="url(#g)"/>`,
);

const accentBar = (color: string): Buffer =>
  svg(WIDTH, 14, `<rect width="${WIDTH}" height="14" fill="${color}"/>`);

const backdrop = (sharp: SharpLibrary, { cover, colors }: SocialCard): Promise<Buffer> =>
  cover === null
    ? sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: colors.background } })
        .png()
        .toBuffer()
    : sharp(cover, READING)
        .autoOrient()
        .resize(WIDTH, HEIGHT, { fit: 'cover' })
        .flatten({ background: colors.background })
        .composite([{ input: shade }])
        .png()
        .toBuffer();

const roundedLogo = async (sharp: SharpLibrary, logo: Uint8Array, background: string): Promise<Buffer> => {
  const square = await sharp(logo, READING)
    .autoOrient()
    .resize(LOGO, LOGO, { fit: 'contain', background })
    .flatten({ background })
    .png()
    .toBuffer();
  const mask = svg(LOGO, LOGO, `<rect width="${LOGO}" height="${LOGO}" rx="${LOGO_RADIUS}" fill="#fff"/>`);
  return sharp(square)
    .ensureAlpha()
    .composite([{ input: mask, blend: 'dest-in' }])
    .png()
    .toBuffer();
};

const TITLE_GAP = 36;
const SUBTITLE_GAP = 34;

/** Logo, title and subtitle, one below the other, at the edge where the language begins. */
const foreground = async (sharp: SharpLibrary, card: SocialCard, known: Fonts): Promise<OverlayOptions[]> => {
  const { cover, colors, direction, logo } = card;
  const color = cover === null ? colors.foreground : WHITE;
  const style = { direction, color, width: TEXT_WIDTH };
  const title = await fitText(sharp, drawable(card.title, known), TITLE_SIZES, { ...style, weight: 'Bold' });
  const subtitle = await fitText(sharp, drawable(card.subtitle ?? '', known), SUBTITLE_SIZES, {
    ...{ ...style, weight: 'Regular' },
  });
  const mark =
    logo === null
      ? null
      : { data: await roundedLogo(sharp, logo, colors.background), width: LOGO, height: LOGO };
  const parts = [
    { drawn: mark, gap: 0 },
    { drawn: title, gap: mark === null ? 0 : TITLE_GAP },
    { drawn: subtitle, gap: SUBTITLE_GAP },
  ].flatMap(({ drawn, gap }) => (drawn === null ? [] : [{ ...drawn, gap }]));
  const height = parts.reduce((sum, part) => sum + part.gap + part.height, 0);
  let top = cover === null ? Math.round((HEIGHT - height) / 2) : HEIGHT - MARGIN - height;
  return parts.map((part) => {
    top += part.gap;
    const left = direction === 'rtl' ? WIDTH - MARGIN - part.width : MARGIN;
    const placed = { input: part.data, left, top };
    top += part.height;
    return placed;
  });
};

const JPEG_QUALITIES = [84, 74, 64, 50, 35] as const;

export const drawSocialCard = async (sharp: SharpLibrary, card: SocialCard): Promise<Uint8Array> => {
  const known = await fontsFor(sharp);
  const drawn = await sharp(await backdrop(sharp, card))
    .composite([
      { input: accentBar(card.colors.accent), left: 0, top: HEIGHT - 14 },
      ...(await foreground(sharp, card, known)),
    ])
    .png()
    .toBuffer();
  for (const quality of JPEG_QUALITIES) {
    const bytes = await sharp(drawn).jpeg({ quality, mozjpeg: true }).toBuffer();
    if (bytes.length <= MAX_BYTES) return bytes;
  }
  throw new RangeError(`A card of ${WIDTH} × ${HEIGHT} pixels has more than ${MAX_BYTES} bytes.`);
};
