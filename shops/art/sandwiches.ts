/** Sandwiches, seen from the side. */
import { leaf } from './garnish.ts';
import { FOOD, type ShopPalette } from './palette.ts';
import { groundShadow, still, type Drawing } from './scene.ts';
import {
  at,
  box,
  circle,
  darker,
  grains,
  lighter,
  path,
  radial,
  scatter,
  stroke,
  strew,
  vertical,
  type Art,
} from './svg.ts';

const wave = (y: number, w: number, height: number, colour: string): Art => {
  const step = (w * 2) / 6;
  const bumps = Array.from(
    { length: 6 },
    (_, i) =>
      `Q${-w + step * (i + 0.5)} ${y + (i % 2 === 0 ? height * 1.9 : height * 0.9)} ${-w + step * (i + 1)} ${y + height * 0.5}`,
  );
  return path(`M${-w} ${y}V${y + height * 0.5}${bumps.join('')}V${y}Z`, colour);
};

type Loaf = 'roll' | 'bun' | 'toast' | 'ciabatta';

/** Fillings from the top: a colour, a height, and whether its lower edge waves. */
type Filling = readonly [colour: string, height: number, waves?: boolean];

const LOAF: Readonly<Record<Loaf, { readonly w: number; readonly rise: number; readonly colour: string }>> = {
  roll: { w: 132, rise: 66, colour: '#d08e42' },
  bun: { w: 106, rise: 96, colour: '#d8954a' },
  toast: { w: 112, rise: 32, colour: '#cf9048' },
  ciabatta: { w: 122, rise: 50, colour: '#e5c28b' },
};

export const sandwichArt = (
  shop: ShopPalette,
  loaf: Loaf,
  fillings: readonly Filling[],
  on: Art = '',
): Art => {
  const { w, rise, colour } = LOAF[loaf];
  const under = loaf === 'toast' ? 28 : 38;
  const height = fillings.reduce((sum, [, h]) => sum + h, 0);
  let y = -under - height;
  const layers = fillings.map(([tone, h, waves]) => {
    const art =
      waves === true ? wave(y, w + 6, h, tone) : box(-w + 2, y, w * 2 - 4, h + 5, Math.min(h / 2, 9), tone);
    y += h;
    return art;
  });
  const top = -under - height;
  const square = loaf === 'toast';
  const crown = square
    ? box(-w, top - rise, w * 2, rise + 4, 12, vertical([lighter(colour, 0.2), 0], [colour, 100])) +
      box(-w + 8, top - rise + 9, w * 2 - 16, rise - 14, 8, '#f6e2b8')
    : path(
        `M${-w} ${top + 4}C${-w * 1.06} ${top - rise * 0.9} ${-w * 0.6} ${top - rise} 0 ${top - rise}S${w * 1.06} ${top - rise * 0.9} ${w} ${top + 4}Q0 ${top + 12} ${-w} ${top + 4}Z`,
        radial([lighter(colour, 0.4), 0], [colour, 60], [darker(colour, 0.22), 100]),
      );
  const foot = square
    ? box(-w, -under, w * 2, under, 12, colour) +
      box(-w + 8, -under + 6, w * 2 - 16, under - 14, 7, '#f6e2b8')
    : path(
        `M${-w} ${-under}H${w}Q${w * 1.04} 0 ${w * 0.84} 0H${-w * 0.84}Q${-w * 1.04} 0 ${-w} ${-under}Z`,
        vertical([lighter(colour, 0.25), 0], [darker(colour, 0.14), 100]),
      );
  return groundShadow(shop, w) + foot + layers.reverse().join('') + crown + at(0, top - rise, on);
};

const sandwich =
  (loaf: Loaf, fillings: readonly Filling[], on: Art = ''): Drawing =>
  (shop) =>
    still([sandwichArt(shop, loaf, fillings, on), 0, -34, 1.12]);

const LETTUCE: Filling = ['#7fb547', 17, true];

const TOMATO: Filling = ['#dd4a36', 15];

const CHEDDAR: Filling = ['#f6b73c', 14, true];

const sesame = (rise: number) =>
  grains(
    scatter('sesame bun', 15, 62, rise * 0.26).map((s) => ({ ...s, y: s.y + rise * 0.36 })),
    4,
    '#fff3d6',
    7,
  );

const grill = (rise: number) =>
  stroke(
    `M-70 ${rise * 0.5}L-40 ${rise * 0.22}M-24 ${rise * 0.5}L6 ${rise * 0.14}M26 ${rise * 0.5}L54 ${rise * 0.22}`,
    '#9a6a34',
    8,
    0.7,
  );

const pick = (colour: string) => stroke('M0 34V-34', '#d9b27a', 5) + circle(0, -38, 13, colour);

export const turkeyCheddar = sandwich(
  'ciabatta',
  [LETTUCE, ['#eaa08e', 13, true], ['#f2b6a4', 12, true], CHEDDAR, TOMATO],
  grill(50),
);

export const chickenPesto = sandwich(
  'ciabatta',
  [['#6b9a34', 13, true], ['#f0d3a0', 30], TOMATO, ['#8fbf4f', 13, true]],
  leaf(30, FOOD.leaf) +
    at(0, 0, leaf(28, FOOD.leafDark), 60) +
    at(0, 0, leaf(28, FOOD.leafDark), -60) +
    stroke('M-88 92l12 -22M-44 94l12 -22M0 94l12 -22M44 94l12 -22M86 92l10 -20', '#a9662a', 8, 0.8),
);

export const crispyChicken = sandwich(
  'bun',
  [LETTUCE, ['#fff4dc', 10, true], ['#c8792b', 42], ['#6f9c3a', 8], ['#c9404a', 6]],
  sesame(96) +
    strew(
      scatter('crumbs', 16, 94, 15).map((s) => ({ ...s, y: s.y + 143 })),
      path('M-8 2L-3 -7L7 -5L8 4L-2 7Z', '#e9a544'),
    ),
);

export const roastBeef = sandwich(
  'roll',
  [
    LETTUCE,
    ['#a8443e', 14, true],
    ['#8d2f30', 13, true],
    ['#b9554c', 13, true],
    ['#f3e3c8', 7],
    ['#b0568a', 8],
  ],
  stroke('M-60 22L-44 8M-14 18L2 2M32 18L48 8', '#a2642a', 8),
);

export const halloumiSandwich = sandwich(
  'bun',
  [['#7fb547', 15, true], ['#fbeecb', 20], TOMATO, ['#fbeecb', 20], ['#4b7a34', 10, true]],
  stroke('M-50 50L-34 34M-8 44L8 28M34 50L50 34', '#9a5f28', 7),
);

export const tunaSandwich = sandwich(
  'toast',
  [LETTUCE, ['#e2bfa6', 44], TOMATO],
  grill(32) +
    grains(
      scatter('sweetcorn', 16, 92, 14).map((s) => ({ ...s, y: s.y + 74 })),
      0,
      '#f7c93f',
      11,
    ),
);

export const caprese = sandwich(
  'roll',
  [
    ['#4f9140', 12, true],
    ['#fffaf0', 24],
    ['#dd4a36', 18],
    ['#fffaf0', 14],
  ],
  at(-10, 8, leaf(40, FOOD.leaf), -60) +
    at(-6, 8, leaf(40, FOOD.leafDark), 40) +
    at(-8, 8, leaf(36, FOOD.leaf), -8),
);

export const club: Drawing = (shop) => {
  const toast = (y: number) => box(-92, y, 184, 20, 8, '#cf9048') + box(-86, y + 5, 172, 10, 5, '#f6e2b8');
  const filling = (y: number, colour: string) =>
    wave(y, 96, 14, '#7fb547') +
    box(-90, y + 10, 180, 16, 6, colour) +
    wave(y + 22, 92, 12, '#f6b73c') +
    box(-88, y + 30, 176, 12, 5, '#dd4a36');
  return still([
    groundShadow(shop, 96) +
      toast(-20) +
      filling(-62, '#f0d3a0') +
      toast(-82) +
      filling(-124, '#eaa08e') +
      toast(-144) +
      at(-40, -150, pick('#4f9140')) +
      at(44, -150, pick('#d8402e')),
    0,
    -20,
    1.12,
  ]);
};
