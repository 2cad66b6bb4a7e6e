/** Porcelain cups, pots and coffee makers. The origin is the middle of the foot. */
import { saucer } from './glasses.ts';
import { FOOD, type ShopPalette } from './palette.ts';
import { groundShadow } from './scene.ts';
import {
  across,
  at,
  box,
  circle,
  clip,
  darker,
  lighter,
  oval,
  path,
  rounded,
  stroke,
  vertical,
  type Art,
} from './svg.ts';

export interface CupShape {
  readonly rim: number;
  readonly foot: number;
  readonly height: number;
}

export const CUP = {
  demitasse: { rim: 52, foot: 27, height: 62 },
  espresso: { rim: 58, foot: 34, height: 72 },
  flat: { rim: 84, foot: 42, height: 86 },
  wide: { rim: 96, foot: 46, height: 98 },
  mug: { rim: 66, foot: 58, height: 132 },
} as const satisfies Record<string, CupShape>;

const TILT = 0.34;

export interface Cup {
  readonly shape: CupShape;
  readonly colour: string;
  readonly liquid: string;
  /** Flat art on the drink, in a circle of radius 100. */
  readonly on?: Art;
  /** Upright art on the drink. */
  readonly above?: Art;
  /** A stripe around the cup. */
  readonly band?: string;
  readonly saucer?: string;
  /** No handle. */
  readonly plain?: boolean;
}

export const cup = (shop: ShopPalette, { shape, colour, liquid, ...more }: Cup): Art => {
  const { rim: r, foot: f, height: h } = shape;
  const straightSided = f > r * 0.8;
  const body = straightSided
    ? `M${-r} ${-h}L${-f} -8Q${-f} 8 0 ${f * 0.26}Q${f} 8 ${f} -8L${r} ${-h}Z`
    : `M${-r} ${-h}C${-r} ${-h * 0.42} ${-f * 1.2} ${-h * 0.1} ${-f} 0Q0 ${f * 0.36} ${f} 0C${f * 1.2} ${-h * 0.1} ${r} ${-h * 0.42} ${r} ${-h}Z`;
  const reach = r * 0.3 + 20;
  const handle = straightSided
    ? `M${r - 2} ${-h * 0.8}C${r + reach * 1.3} ${-h * 0.86} ${r + reach * 1.2} ${-h * 0.2} ${f} ${-h * 0.26}`
    : `M${r * 0.95} ${-h * 0.84}C${r + reach} ${-h * 1.02} ${r + reach} ${-h * 0.22} ${r * 0.72} ${-h * 0.36}`;
  const inner = r - 6;
  const surface = r - 10;
  return (
    groundShadow(shop, more.saucer === undefined ? f * 1.3 : r * 1.3) +
    (more.saucer === undefined ? '' : saucer(r * 1.36, more.saucer, 2)) +
    (more.plain === true ? '' : stroke(handle, darker(colour, 0.1), r * 0.08 + 8)) +
    path(body, rounded(colour)) +
    (more.band === undefined
      ? ''
      : clip(
          body,
          stroke(`M${-r} ${-h * 0.56}Q0 ${-h * 0.56 + r * 0.5} ${r} ${-h * 0.56}`, more.band, h * 0.13),
        )) +
    oval(0, -h, r, r * TILT, lighter(colour, 0.4)) +
    oval(0, -h + 1, inner, inner * TILT, darker(colour, 0.24)) +
    oval(0, -h + 5, surface, surface * (TILT - 0.025), liquid) +
    (more.on === undefined
      ? ''
      : at(0, -h + 5, more.on, 0, surface / 100, (surface / 100) * (TILT - 0.025))) +
    (more.above === undefined ? '' : at(0, -h + 4, more.above)) +
    stroke(`M${-r * 0.78} ${-h * 0.62}Q${-r * 0.7} ${-h * 0.34} ${-r * 0.52} ${-h * 0.2}`, '#ffffff', 7, 0.55)
  );
};

/** The small pot with a long handle in which Turkish coffee is made. */
export const kanaka = (shop: ShopPalette, colour: string, coffee: string = FOOD.cremaDark): Art =>
  groundShadow(shop, 52) +
  stroke('M-36 -86L-124 -124', '#5b3620', 13) +
  stroke('M-118 -121l-1 -1', '#3b2213', 15) +
  stroke('M-34 -86L-60 -97', darker(colour, 0.25), 9) +
  path(
    'M-46 -98C-34 -78 -34 -68 -44 -50C-58 -26 -58 -6 -48 0Q0 12 48 0C58 -6 58 -26 44 -50C34 -68 34 -78 46 -98Z',
    across([lighter(colour, 0.3), 0], [lighter(colour, 0.12), 22], [colour, 55], [darker(colour, 0.34), 100]),
  ) +
  path('M30 -96L62 -104L46 -80Z', darker(colour, 0.14)) +
  oval(0, -98, 46, 13, lighter(colour, 0.34)) +
  oval(0, -97, 39, 10, darker(coffee, 0.35)) +
  oval(0, -95, 37, 8.5, coffee) +
  stroke('M-46 -20Q0 -8 46 -20', darker(colour, 0.3), 4, 0.5) +
  stroke('M-38 -36Q-46 -22 -42 -10', '#ffffff', 6, 0.55);

/** The tall pot with a beak in which Arabic coffee comes to the table. */
export const dallah = (shop: ShopPalette): Art => {
  const brass = across([lighter(FOOD.brass, 0.4), 0], [FOOD.brass, 45], [darker(FOOD.brass, 0.38), 100]);
  return (
    groundShadow(shop, 58) +
    stroke('M34 -132C94 -150 96 -60 46 -50', darker(FOOD.brass, 0.3), 13) +
    path('M-26 -128C-58 -138 -92 -150 -104 -168C-100 -130 -68 -98 -32 -92Z', brass) +
    path(
      'M-30 -134C-24 -104 -34 -86 -48 -62C-62 -36 -58 -8 -44 0Q0 12 44 0C58 -8 62 -36 48 -62C34 -86 24 -104 30 -134Z',
      brass,
    ) +
    path('M-32 -134C-26 -166 -10 -172 0 -196C10 -172 26 -166 32 -134Q0 -124 -32 -134Z', brass) +
    circle(0, -200, 8, FOOD.brass) +
    stroke('M-33 -134Q0 -122 33 -134M-48 -62Q0 -46 48 -62', darker(FOOD.brass, 0.35), 5, 0.7) +
    stroke('M-40 -44Q-48 -26 -40 -12', '#ffffff', 7, 0.5)
  );
};

/** A copper tray of hot sand with a kanaka half in it. */
export const sandTray = (shop: ShopPalette): Art => {
  const sand = '#e3bd7f';
  return (
    groundShadow(shop, 150) +
    path('M-146 -58L-132 -10Q0 32 132 -10L146 -58Z', rounded(FOOD.copper)) +
    oval(0, -58, 146, 38, lighter(FOOD.copper, 0.3)) +
    oval(0, -56, 136, 33, darker(sand, 0.22)) +
    oval(0, -53, 133, 30, sand) +
    stroke('M-96 -60q20 -8 40 0M40 -42q24 -8 46 2M-80 -42q14 -6 30 0', darker(sand, 0.2), 4, 0.6) +
    at(-18, -52, kanaka(shop, FOOD.brass)) +
    path('M-84 -52Q-70 -66 -44 -58Q-14 -50 16 -56Q40 -62 52 -48Q30 -34 -18 -34T-84 -52Z', lighter(sand, 0.16))
  );
};

export const teapot = (shop: ShopPalette, colour: string): Art =>
  groundShadow(shop, 84) +
  stroke('M70 -96C132 -112 128 -24 66 -34', darker(colour, 0.12), 14) +
  path('M-66 -50C-98 -56 -96 -92 -120 -108L-100 -114C-78 -104 -78 -86 -54 -84Z', rounded(colour)) +
  path('M-46 -122C-96 -104 -98 -26 -54 -2Q0 14 54 -2C98 -26 96 -104 46 -122Z', rounded(colour)) +
  path('M-50 -120Q-40 -150 0 -152Q40 -150 50 -120Q0 -104 -50 -120Z', lighter(colour, 0.16)) +
  circle(0, -158, 11, darker(colour, 0.08)) +
  stroke('M-50 -120Q0 -104 50 -120', darker(colour, 0.22), 4, 0.7) +
  stroke('M-66 -86Q-80 -58 -62 -30', '#ffffff', 8, 0.5);

/** A cone of porcelain with its paper on a glass server. */
export const dripper = (shop: ShopPalette): Art =>
  groundShadow(shop, 66) +
  stroke('M62 -96C112 -104 108 -30 64 -36', '#ffffff', 12, 0.6) +
  path(
    'M-44 -116C-46 -96 -70 -84 -70 -46V-12Q-70 0 -56 2Q0 12 56 2Q70 0 70 -12V-46C70 -84 46 -96 44 -116Z',
    '#ffffff',
    0.42,
  ) +
  path(
    'M-64 -46V-14Q-64 -4 -52 -2Q0 6 52 -2Q64 -4 64 -14V-46Q0 -34 -64 -46Z',
    vertical(['#6b3418', 0], [FOOD.coffee, 100]),
  ) +
  oval(0, -47, 64, 9, '#8a4a24') +
  stroke('M0 -108V-54', '#6b3418', 5) +
  path('M-52 -78Q-60 -62 -60 -40V-20h9V-40Q-50 -62 -44 -76Z', '#ffffff', 0.55) +
  oval(0, -118, 62, 11, darker(shop.cup, 0.14)) +
  oval(0, -121, 62, 11, shop.cup) +
  path('M-74 -206L-24 -124Q0 -116 24 -124L74 -206Z', rounded(shop.cup)) +
  stroke('M66 -190C106 -196 98 -146 42 -152', darker(shop.cup, 0.1), 10) +
  path('M-74 -206L-82 -224Q0 -200 82 -224L74 -206Q0 -184 -74 -206Z', '#e9d3ac') +
  oval(0, -214, 78, 17, '#f3e2c2') +
  oval(0, -210, 62, 12, FOOD.coffee) +
  oval(-8, -210, 40, 7, '#7a4526');

/** A flask drawn in at its waist by a collar of wood. */
export const chemex = (shop: ShopPalette): Art => {
  const flask =
    'M-62 -226L-20 -134Q-16 -124 -22 -114L-72 -28Q-80 -4 -58 2Q0 12 58 2Q80 -4 72 -28L22 -114Q16 -124 20 -134L62 -226Z';
  return (
    groundShadow(shop, 72) +
    path(flask, '#ffffff', 0.42) +
    clip(
      flask,
      path('M-90 -62Q0 -48 90 -62V20H-90Z', vertical(['#6b3418', 0], [FOOD.coffee, 100])) +
        oval(0, -62, 50, 8, '#8a4a24'),
    ) +
    path('M-66 -222L-18 -140Q0 -130 18 -140L66 -222Q0 -200 -66 -222Z', '#f3e2c2') +
    oval(0, -222, 65, 14, '#fbf0d8') +
    oval(0, -219, 50, 9, '#6b3a1e') +
    path(
      'M-30 -152Q0 -142 30 -152L24 -126Q23 -118 30 -98Q0 -88 -30 -98Q-23 -118 -24 -126Z',
      rounded('#b5793f'),
    ) +
    circle(0, -122, 6, '#6b3a1e') +
    path('M-28 -88L-60 -32Q-64 -18 -58 -12L-50 -14Q-54 -22 -50 -32L-20 -84Z', '#ffffff', 0.5)
  );
};

export const frenchPress = (shop: ShopPalette): Art =>
  groundShadow(shop, 66) +
  stroke('M56 -164C116 -168 114 -40 58 -44', '#33241c', 14) +
  box(-58, -176, 116, 176, 10, '#ffffff', 0.42) +
  path('M-52 -122Q0 -110 52 -122V-8Q0 4 -52 -8Z', vertical(['#7a3f1e', 0], [FOOD.coffee, 55])) +
  oval(0, -122, 52, 9, '#a86a34') +
  stroke('M0 -236V-128', FOOD.steel, 6) +
  oval(0, -124, 48, 8, FOOD.steel) +
  path(
    'M-64 -176Q0 -162 64 -176Q60 -200 0 -202Q-60 -200 -64 -176Z',
    across(['#e8ecee', 0], ['#a9b0b5', 100]),
  ) +
  circle(0, -238, 13, '#33241c') +
  box(-62, -18, 124, 14, 6, FOOD.steel) +
  box(-62, -150, 124, 8, 4, FOOD.steel) +
  path('M-46 -160h12V-26h-12Z', '#ffffff', 0.45);

/** A cup of paper with its lid and a sleeve. */
export const paperCup = (shop: ShopPalette, sleeve: string, mark: Art): Art =>
  groundShadow(shop, 52) +
  path('M-68 -172L-50 -4Q0 10 50 -4L68 -172Z', rounded('#fdf6ea')) +
  path('M-63 -124L-54 -44Q0 -30 54 -44L63 -124Q0 -110 -63 -124Z', rounded(sleeve)) +
  at(0, -78, mark) +
  path(
    'M-74 -178Q-76 -190 -66 -192L-60 -208Q0 -222 60 -208L66 -192Q76 -190 74 -178Q0 -162 -74 -178Z',
    rounded('#4a3226'),
  ) +
  oval(0, -208, 58, 9, '#65483a') +
  stroke('M-58 -160L-54 -130', '#ffffff', 6, 0.6);

/** A spoon that lies on a saucer. */
export const spoon = (length: number, colour: string = FOOD.steel): Art =>
  stroke(`M${length * 0.3} 0H${length}`, colour, 6) +
  oval(length * 0.16, 0, length * 0.18, 8, colour) +
  oval(length * 0.14, -1, length * 0.11, 4, '#ffffff', 0.5);

/** Art poured in a coffee, in a circle of radius 100. */
export const latteArt = (milk: string) => ({
  heart: path('M0 66C-84 10 -66 -60 -26 -56Q-6 -54 0 -32Q6 -54 26 -56C66 -60 84 10 0 66Z', milk),
  rosetta: stroke(
    'M0 70V-64M0 46Q-40 40 -54 8M0 46Q40 40 54 8M0 14Q-36 8 -48 -22M0 14Q36 8 48 -22M0 -16Q-28 -22 -36 -46M0 -16Q28 -22 36 -46',
    milk,
    15,
  ),
  tulip:
    path('M0 74C-70 60 -78 22 -52 10Q-20 20 0 44Q20 20 52 10C78 22 70 60 0 74Z', milk) +
    path('M0 30C-54 18 -60 -14 -36 -26Q-14 -16 0 4Q14 -16 36 -26C60 -14 54 18 0 30Z', milk) +
    path('M0 -10C-40 -26 -34 -62 -14 -60Q-2 -58 0 -46Q2 -58 14 -60C34 -62 40 -26 0 -10Z', milk),
  cocoa: circle(0, 0, 74, milk) + circle(0, 0, 46, FOOD.cocoa, 0.75) + circle(0, 0, 24, FOOD.cocoa),
  dot: oval(0, 0, 44, 44, milk),
  swirl: stroke('M0 0C26 -6 22 34 -10 28C-52 20 -44 -44 6 -46C70 -46 74 40 24 60', milk, 13),
});

/** In milk foam. */
export const LATTE_ART = latteArt(FOOD.foam);
