/** Glasses with a drink in them, seen from the side and a little from above. The origin is the middle of the foot. */
import { ice, straw } from './garnish.ts';
import type { ShopPalette } from './palette.ts';
import { groundShadow } from './scene.ts';
import {
  across,
  at,
  box,
  clip,
  darker,
  lighter,
  oval,
  path,
  random,
  stroke,
  vertical,
  type Art,
  type Stop,
} from './svg.ts';

export interface GlassShape {
  /** Half widths at the rim and at the foot. */
  readonly top: number;
  readonly bottom: number;
  readonly height: number;
  /** How far the sides swell (+) or draw in (-) in the middle. */
  readonly bulge: number;
  /** Height of a stem with its foot below the bowl. */
  readonly stem: number;
}

export const GLASS = {
  tall: { top: 72, bottom: 54, height: 206, bulge: 0, stem: 0 },
  straight: { top: 68, bottom: 62, height: 194, bulge: 0, stem: 0 },
  tumbler: { top: 72, bottom: 58, height: 148, bulge: 4, stem: 0 },
  short: { top: 58, bottom: 46, height: 112, bulge: 0, stem: 0 },
  tea: { top: 50, bottom: 42, height: 128, bulge: -8, stem: 0 },
  mug: { top: 62, bottom: 52, height: 140, bulge: 6, stem: 0 },
  latte: { top: 66, bottom: 47, height: 180, bulge: 4, stem: 0 },
  juice: { top: 66, bottom: 40, height: 176, bulge: 22, stem: 24 },
  shake: { top: 78, bottom: 36, height: 190, bulge: 11, stem: 26 },
  goblet: { top: 78, bottom: 26, height: 112, bulge: 52, stem: 46 },
} as const satisfies Record<string, GlassShape>;

/** How flat a circle looks from where we stand. */
const TILT = 0.2;
/** Glass between the drink and the air. */
const WALL = 6;

const halfWidth = (shape: GlassShape, t: number, inset: number) => {
  const middle = (shape.top + shape.bottom) / 2 + shape.bulge * 2;
  return (1 - t) ** 2 * shape.top + 2 * t * (1 - t) * middle + t * t * shape.bottom - inset;
};

/** The outline of a glass between two heights, 0 at the rim and 1 at the bottom of its bowl. */
const slice = (shape: GlassShape, from: number, to: number, inset = 0) => {
  const middle = (shape.top + shape.bottom) / 2 + shape.bulge * 2;
  // The blossom of the side's curve at (from, to) is the control point of its part.
  const bend =
    (1 - from) * (1 - to) * shape.top +
    (from + to - 2 * from * to) * middle +
    from * to * shape.bottom -
    inset;
  const y = (t: number) => -shape.stem - shape.height * (1 - t);
  const [a, b] = [halfWidth(shape, from, inset), halfWidth(shape, to, inset)];
  const [top, bottom, mid] = [y(from), y(to), (y(from) + y(to)) / 2];
  return {
    d: `M${-a} ${top}Q${-bend} ${mid} ${-b} ${bottom}A${b} ${b * TILT} 0 0 0 ${b} ${bottom}Q${bend} ${mid} ${a} ${top}A${a} ${a * TILT} 0 0 1 ${-a} ${top}Z`,
    top,
    width: a,
  };
};

export interface Drink {
  readonly glass: GlassShape;
  /** From the surface to the bottom. */
  readonly liquid: readonly Stop[];
  /** The surface; else a lighter tone of the first colour. */
  readonly surface?: string;
  /** Where the surface is: 0 at the rim. */
  readonly level?: number;
  readonly ice?: number;
  /** Froth on the drink and its part of the glass's height. */
  readonly froth?: readonly [colour: string, part: number];
  /** Seen through the glass; the origin is the middle of the foot. */
  readonly inside?: Art;
  /** Flat art on the surface, in a circle of radius 100. */
  readonly on?: Art;
  /** Upright art on the surface; the origin is the middle of the surface. */
  readonly above?: Art;
  /** On the rim, at its right end. */
  readonly rim?: Art;
  readonly straw?: boolean;
  readonly handle?: boolean;
  /** A saucer below. */
  readonly saucer?: boolean;
}

const iceIn = (drink: Drink, top: number, width: number): Art => {
  const next = random(`${drink.liquid.join()} ${drink.ice}`);
  return Array.from({ length: drink.ice ?? 0 }, (_, i) => {
    const x = (i % 2 === 0 ? -0.4 : 0.36) * width + (next() - 0.5) * 12;
    return at(x, top + 22 + i * 24, ice(38 + next() * 6), (next() - 0.5) * 50);
  }).join('');
};

const stemOf = (shape: GlassShape): Art =>
  shape.stem === 0
    ? ''
    : path(
        `M-9 ${-shape.stem - 4}L-6 -10Q-8 -2 -40 2Q0 14 40 2Q8 -2 6 -10L9 ${-shape.stem - 4}Z`,
        '#ffffff',
        0.55,
      ) + oval(0, 2, 42, 7, '#ffffff', 0.4);

export const saucer = (rx: number, colour: string, y = 0): Art =>
  oval(0, y + 5, rx, rx * 0.26, darker(colour, 0.16)) +
  oval(0, y, rx, rx * 0.26, colour) +
  oval(0, y + 1, rx * 0.6, rx * 0.15, '#7a3f1a', 0.12);

export const glassOf = (shop: ShopPalette, drink: Drink): Art => {
  const shape = drink.glass;
  const level = drink.level ?? 0.1;
  const first = drink.liquid[0]?.[0] ?? '#ffffff';
  const whole = slice(shape, 0, 1);
  const liquid = slice(shape, level, 0.95, WALL);
  const froth = drink.froth === undefined ? undefined : slice(shape, level, level + drink.froth[1], WALL);
  const surface = drink.surface ?? drink.froth?.[0] ?? lighter(first, 0.22);
  const rimY = whole.top;
  const foot = shape.stem === 0 ? shape.bottom : 42;
  const handle = stroke(
    `M${shape.top - 4} ${rimY + shape.height * 0.24}C${shape.top + 44} ${rimY + shape.height * 0.16} ${shape.top + 40} ${rimY + shape.height * 0.8} ${shape.bottom + 2} ${rimY + shape.height * 0.74}`,
    '#ffffff',
    12,
    0.6,
  );
  const glow = path(
    `M${-shape.top + 15} ${rimY + 16}Q${-halfWidth(shape, 0.4, 15)} ${rimY + shape.height * 0.4} ${-halfWidth(shape, 0.8, 17)} ${rimY + shape.height * 0.8}l10 0Q${-halfWidth(shape, 0.4, 28)} ${rimY + shape.height * 0.4} ${-shape.top + 29} ${rimY + 18}Z`,
    '#ffffff',
    0.42,
  );
  return (
    groundShadow(shop, drink.saucer === true ? shape.bottom * 1.7 : foot) +
    (drink.saucer === true ? saucer(shape.bottom * 1.75, shop.saucer) : '') +
    (drink.handle === true ? handle : '') +
    stemOf(shape) +
    path(whole.d, '#ffffff', 0.32) +
    oval(0, rimY, shape.top, shape.top * TILT, '#ffffff', 0.3) +
    path(liquid.d, drink.liquid.length > 1 ? vertical(...drink.liquid) : first) +
    (froth === undefined ? '' : path(froth.d, drink.froth?.[0] ?? first)) +
    clip(liquid.d, (drink.inside ?? '') + iceIn(drink, liquid.top, liquid.width)) +
    oval(0, liquid.top, liquid.width, liquid.width * TILT, surface) +
    (drink.on === undefined
      ? ''
      : at(0, liquid.top, drink.on, 0, liquid.width / 100, (liquid.width / 100) * TILT)) +
    (drink.straw === true
      ? at(
          shape.top * (drink.above === undefined ? 0.12 : 0.42),
          liquid.top + 4,
          straw(liquid.top - rimY + (drink.above === undefined ? 52 : 76), shop.straw, 14),
        )
      : '') +
    (drink.above === undefined ? '' : at(0, liquid.top, drink.above)) +
    path(whole.d, shade) +
    glow +
    (drink.above === undefined ? frontRim(shape, rimY) : '') +
    (drink.rim === undefined ? '' : at(shape.top * 0.86, rimY, drink.rim))
  );
};

/** The light and the shadow on glass. */
const shade = across(['#ffffff33', 0], ['#ffffff00', 35], ['#20080000', 62], ['#20080038', 100]);

const frontRim = (shape: GlassShape, y: number): Art =>
  stroke(
    `M${-shape.top} ${y}A${shape.top} ${shape.top * TILT} 0 0 1 ${shape.top} ${y}A${shape.top} ${shape.top * TILT} 0 0 1 ${-shape.top} ${y}Z`,
    '#ffffff',
    3,
    0.75,
  );

/** A bottle of plastic or glass; the label is a band of the shop's colour. */
export const bottle = (
  shop: ShopPalette,
  colour: string,
  cap: string,
  label: string,
  sparkling = false,
): Art => {
  const body =
    'M-17 -232V-204C-17 -184 -46 -176 -46 -140V-14Q-46 0 -32 2Q0 8 32 2Q46 0 46 -14V-140C46 -176 17 -184 17 -204V-232Z';
  return (
    groundShadow(shop, 48) +
    path(body, colour) +
    clip(
      body,
      box(-50, -128, 100, 62, 0, label) +
        path('M-50 -88Q-24 -112 0 -90T50 -92V-66H-50Z', '#ffffff', 0.35) +
        (sparkling
          ? stroke(
              'M-20 -30v.1M10 -44v.1M22 -20v.1M-6 -14v.1M-26 -150v.1M6 -146v.1M-4 -168v.1M20 -156v.1',
              '#ffffff',
              8,
              0.75,
            )
          : stroke('M-40 -46H40M-40 -28H40', '#ffffff', 4, 0.4)),
    ) +
    path(body, shade) +
    path('M-36 -132Q-36 -158 -24 -172L-17 -168Q-26 -152 -26 -132V-24H-36Z', '#ffffff', 0.5) +
    box(-20, -254, 40, 28, 6, cap) +
    box(-20, -232, 40, 7, 3, '#000000', 0.14)
  );
};

/** A can of 330 ml with a plain mark of its own. */
export const can = (shop: ShopPalette, colour: string, second: string, mark: Art): Art => {
  const body = 'M-44 -184L-52 -168V-16L-44 -2Q0 10 44 -2L52 -16V-168L44 -184Z';
  return (
    groundShadow(shop, 54) +
    path(body, colour) +
    clip(body, path('M-60 -56C-20 -120 24 -20 60 -84V20H-60Z', second)) +
    at(0, -116, mark) +
    path(
      body,
      across(['#ffffff22', 0], ['#ffffff66', 18], ['#ffffff00', 38], ['#00000000', 60], ['#00000055', 100]),
    ) +
    oval(0, -184, 44, 9, '#d7dbde') +
    oval(0, -184, 37, 6.5, '#aeb5ba') +
    oval(4, -185, 12, 3, '#e9ecee')
  );
};
