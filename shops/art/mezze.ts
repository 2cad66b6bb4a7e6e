/** Mezze and salads, seen from above. */
import {
  board,
  cherryTomato,
  cucumberSlice,
  inBowl,
  lemonWedge,
  oil,
  olive,
  onPlate,
  parsley,
  ramekin,
  swirl,
  taameyaBall,
  table,
  tomatoSlice,
} from './dishes.ts';
import { pomegranateSeeds } from './fruit.ts';
import { almond, citrus, leaf } from './garnish.ts';
import { FOOD } from './palette.ts';
import type { Drawing } from './scene.ts';
import {
  at,
  box,
  circle,
  darker,
  grains,
  lighter,
  oval,
  path,
  radial,
  scatter,
  shared,
  stroke,
  strew,
  vertical,
  type Art,
} from './svg.ts';

export const WHITE = '#fbf5e6';

export const BLUE = '#3c6f9c';

const dip = (rim: string, filling: string, art: Art): Drawing =>
  inBowl(rim, filling, swirl(filling) + art, 134);

export const chickpea =
  circle(0, 0, 13, radial(['#f5d79a', 0], ['#d9a755', 100])) + stroke('M-4 -6q4 -4 8 0', '#a9783a', 3);

export const tahini = dip(
  BLUE,
  '#ecdab2',
  oil(0.65) + at(30, 18, parsley(1)) + grains(scatter('tahini cumin', 14, 60), 0, '#a9622c', 7),
);

export const babaGhanoug = dip(
  FOOD.clay,
  '#c3a67c',
  grains(scatter('char', 22, 84), 5, '#4a3626', 6) +
    oil(0.75) +
    pomegranateSeeds('baba', 12, 52) +
    at(0, -14, leaf(30, FOOD.mint), -30) +
    at(0, -14, leaf(28, FOOD.mintLight), 30),
);

export const hummus = dip(
  WHITE,
  '#e9c88c',
  oil(0.85) +
    at(-12, -8, shared(chickpea)) +
    at(16, -14, shared(chickpea)) +
    at(4, 14, shared(chickpea)) +
    at(-34, 12, shared(chickpea)) +
    grains(scatter('paprika', 26, 88), 0, '#b8431f', 8) +
    at(42, 22, parsley(0.9)),
);

export const tomeya = dip(
  '#7a8f4a',
  '#fffdf2',
  at(
    10,
    4,
    path('M0 -34C14 -18 34 -6 30 18C24 38 -24 38 -30 18C-34 -6 -14 -18 0 -34Z', '#efe3d0') +
      stroke('M0 -30V32M-12 -12Q-20 10 -10 30M12 -12Q20 10 10 30', '#c5a9b4', 4),
  ) + at(-56, 34, lemonWedge(20), 20),
);

export const besara = dip(
  FOOD.clay,
  '#7f9a3f',
  grains(scatter('fried onion', 34, 46), 26, '#8f5220', 7) +
    grains(scatter('fried onion light', 16, 40), 20, '#cf8f3f', 6) +
    stroke('M-80 -20C-70 -60 -40 -80 -6 -84', '#d9b43a', 6, 0.8),
);

export const labneh = dip(
  BLUE,
  '#fffdf6',
  oil(0.75) +
    grains(scatter('zaatar', 60, 74), 4, '#6b7f33', 7) +
    grains(scatter('zaatar sesame', 18, 66), 3, '#f0d79c', 6) +
    at(42, 44, olive('#4b4a22', 14)) +
    at(14, 58, olive('#4b4a22', 14)),
);

export const pickles: Drawing = inBowl(
  WHITE,
  '#e6dcae',
  strew(scatter('turnip', 8, 80), box(-24, -8, 48, 16, 6, '#d6407e') + stroke('M-16 -3H14', '#f39ac0', 4)) +
    at(-52, -30, cucumberSlice(26)) +
    at(44, 44, cucumberSlice(24)) +
    at(30, -58, oval(0, 0, 34, 15, '#6f8f35') + stroke('M-22 -5Q0 -12 20 -6', '#a5bf62', 5), 30) +
    at(-30, 52, oval(0, 0, 36, 15, '#6f8f35') + stroke('M-22 -5Q0 -12 20 -6', '#a5bf62', 5), -20) +
    at(0, -4, box(-20, -17, 40, 34, 9, '#f0973a')) +
    at(66, -6, box(-16, -14, 32, 28, 8, '#f0973a'), 20) +
    at(-76, 20, olive('#3a2b38', 13)) +
    at(6, 78, olive('#4b4a22', 13)) +
    at(-8, -78, path('M-34 0Q0 -18 40 -2Q4 2 -30 10Z', '#4f9140'), 10),
  138,
);

export const oldCheese: Drawing = inBowl(
  FOOD.clay,
  '#dcae5f',
  swirl('#dcae5f') +
    strew(
      scatter('cheese tomato', 13, 78),
      box(-13, -12, 26, 24, 6, '#d8402e') + box(-10, -10, 14, 9, 4, '#ef7a60'),
    ) +
    grains(scatter('cheese chilli', 20, 90), 4, '#8f3a1c', 6) +
    at(44, -40, parsley(0.9)) +
    stroke('M-70 30C-40 70 30 80 66 40', '#c9a227', 8, 0.7),
  134,
);

export const aubergineSlice =
  circle(0, 0, 34, '#3c1f3f') +
  circle(0, -1, 30, '#d9ac6a') +
  stroke('M-10 -8v.1M10 -10v.1M0 8v.1M-14 10v.1M14 8v.1', '#a9743a', 6);

export const mesaqaa: Drawing = onPlate(
  path('M-98 -10C-90 -84 30 -104 82 -52C118 0 80 86 0 90C-70 90 -104 50 -98 -10Z', '#c43a22') +
    at(-42, -42, shared(aubergineSlice)) +
    at(34, -48, shared(aubergineSlice)) +
    at(-56, 26, shared(aubergineSlice)) +
    at(10, 12, shared(aubergineSlice)) +
    at(66, 22, shared(aubergineSlice)) +
    at(-2, 68, shared(aubergineSlice), 0, 0.9) +
    at(-8, -28, path('M-30 -5Q0 -18 32 -4Q0 2 -26 8Z', '#4f9140'), 20) +
    at(40, 54, path('M-30 -5Q0 -18 32 -4Q0 2 -26 8Z', '#4f9140'), -30) +
    grains(scatter('mesaqaa garlic', 14, 78), 3, '#f7e3b8', 8),
);

export const vineLeaf =
  path(
    'M-62 0C-64 -16 -50 -18 0 -18S64 -16 62 0S50 18 0 18S-64 16 -62 0Z',
    vertical(['#7f9440', 0], ['#566a26', 60], ['#37461a', 100]),
  ) +
  stroke('M-34 -15L-22 15M0 -16L10 16M30 -15L40 12', '#3c4c1b', 4, 0.8) +
  stroke('M-50 -7H44', '#b5c46a', 4, 0.5);

export const vineLeaves: Drawing = onPlate(
  at(-2, -70, shared(vineLeaf)) +
    at(-62, -30, shared(vineLeaf)) +
    at(64, -30, shared(vineLeaf)) +
    at(-68, 10, shared(vineLeaf)) +
    at(62, 10, shared(vineLeaf)) +
    at(-60, 50, shared(vineLeaf)) +
    at(60, 50, shared(vineLeaf)) +
    at(0, 88, shared(vineLeaf), 0, 0.9) +
    at(0, 10, shared(citrus(36, FOOD.lemon))),
);

/** Bread full of minced meat, cut in four. */
export const hawawshi: Drawing = table((shop) => {
  const quarter =
    path('M0 0V-112A112 112 0 0 1 112 0Z', '#a9682c') +
    path('M4 -6V-108A106 106 0 0 1 108 -6Z', radial(['#ecc07a', 0], ['#d79a4b', 60], ['#b5722f', 100])) +
    path('M0 0V-20H20V-8L112 -8V0Z', '#6b3018') +
    stroke('M4 -104V-6H104', '#7a3a1c', 11) +
    stroke('M30 -70v.1M62 -50v.1M34 -32v.1M78 -26v.1', '#8a5020', 12, 0.5);
  return (
    board(shop, 300, 270) +
    at(6, -8, shared(quarter)) +
    at(-6, -6, shared(quarter), -90) +
    at(8, 6, shared(quarter), 90) +
    at(-6, 8, shared(quarter), 180) +
    at(0, 0, parsley(1))
  );
});

export const halfMoon = (edge: string, colour: string): Art =>
  path(
    'M-58 14C-58 -30 -26 -48 0 -48S58 -30 58 14Q0 34 -58 14Z',
    radial([lighter(colour, 0.35), 0], [colour, 60], [darker(colour, 0.25), 100]),
  ) + stroke('M-54 12L-44 -4M-40 18L-32 0M-22 22L-18 4M-2 24V6M18 23L15 5M36 19L30 1M52 13L42 -3', edge, 5);

export const sambousekCheese: Drawing = onPlate(
  at(-50, -46, shared(halfMoon('#b5742a', '#f0bd62')), -12) +
    at(54, -34, shared(halfMoon('#b5742a', '#f0bd62')), 14) +
    at(-44, 42, shared(halfMoon('#b5742a', '#f0bd62')), 8) +
    at(50, 58, shared(halfMoon('#b5742a', '#f0bd62')), -10) +
    at(0, 8, ramekin('#3c6f9c', '#fffdf2', 30)) +
    grains(scatter('nigella', 14, 90), 0, '#2b2022', 6),
);

const triangle =
  path('M0 -56L60 44Q0 62 -60 44Z', radial(['#e9b25c', 0], ['#c27f2e', 60], ['#8f5218', 100])) +
  stroke('M0 -44L-30 40M0 -44L30 40', '#8f5218', 5, 0.7) +
  stroke('M-4 -40L-44 30', '#fbe0a4', 5, 0.7);

export const sambousekMeat: Drawing = onPlate(
  at(-50, -40, shared(triangle), -10) +
    at(54, -42, shared(triangle), 24) +
    at(-40, 56, shared(triangle), 170) +
    at(
      56,
      50,
      path('M0 -56L60 44Q0 62 -60 44Z', '#c27f2e') +
        path('M0 -38L40 34Q0 46 -40 34Z', '#6b3018') +
        grains(scatter('mince', 12, 22), 3, '#a9603a', 7),
      140,
    ) +
    at(4, 4, parsley(1)),
);

const kobebaPiece =
  path(
    'M0 -62C24 -40 40 -10 30 22C24 44 8 56 0 66C-8 56 -24 44 -30 22C-40 -10 -24 -40 0 -62Z',
    radial(['#c98a4c', 0], ['#9a5a26', 60], ['#623210', 100]),
  ) + stroke('M-10 -34Q-22 -10 -18 16', '#f0c68c', 6, 0.6);

export const kobeba: Drawing = onPlate(
  at(-58, -36, shared(kobebaPiece), -40) +
    at(10, -58, shared(kobebaPiece), 70) +
    at(70, 6, shared(kobebaPiece), 10) +
    at(-52, 46, shared(kobebaPiece), 40) +
    at(
      22,
      58,
      path('M-30 -10C-30 20 -14 50 0 62C14 50 30 20 30 -10Q0 4 -30 -10Z', '#8f5020') +
        oval(0, -10, 30, 14, '#b97b42') +
        oval(0, -10, 24, 10, '#5b2a14') +
        grains(
          scatter('kobeba pine', 4, 14, 5).map((s) => ({ ...s, y: s.y - 10 })),
          5,
          '#f4dca6',
          6,
        ),
      -60,
    ) +
    at(0, 4, parsley(0.9)),
);

export const taameya: Drawing = onPlate(
  at(-50, -54, shared(taameyaBall(38))) +
    at(42, -60, shared(taameyaBall(36))) +
    at(-74, 26, shared(taameyaBall(36))) +
    at(72, 18, shared(taameyaBall(38, true))) +
    at(-8, 4, shared(taameyaBall(38, true))) +
    at(-14, 82, shared(taameyaBall(34))) +
    at(54, 78, tomatoSlice(22)) +
    at(92, -44, parsley(1)),
);

const chopped = (
  seed: string,
  pieces: readonly (readonly [colour: string, count: number, size: number])[],
): Art =>
  pieces
    .map(([colour, count, size]) => grains(scatter(`${seed} ${colour}`, count, 92), 4, colour, size))
    .join('');

export const baladiSalad: Drawing = inBowl(
  FOOD.clay,
  '#8fb552',
  chopped('baladi', [
    ['#d8402e', 26, 19],
    ['#f3a08a', 12, 8],
    ['#4f9140', 20, 16],
    ['#dcedb4', 18, 13],
    ['#f1d3e2', 10, 11],
  ]) +
    at(-2, -4, parsley(1.2)) +
    at(62, 52, lemonWedge(26), -30),
  138,
);

export const fattoush: Drawing = inBowl(
  WHITE,
  '#8fb552',
  strew(
    scatter('fattoush leaves', 9, 80),
    path('M-28 6C-34 -14 -12 -26 4 -20C22 -26 36 -8 28 8C20 24 -20 24 -28 6Z', '#6fae3f') +
      stroke('M-14 6L14 -6', '#dcebb0', 3),
  ) +
    strew(scatter('fattoush tomato', 5, 76), cherryTomato(16)) +
    strew(scatter('radish', 4, 70), circle(0, 0, 18, '#d6407e') + circle(0, 0, 15, '#fff4f6')) +
    strew(
      scatter('fried bread', 8, 80),
      path('M-22 12L-2 -20L24 10Z', '#b8772c') + path('M-18 9L-2 -15L19 7Z', '#e8b45e'),
    ) +
    pomegranateSeeds('fattoush', 10, 84),
  138,
);

export const tabbouleh: Drawing = inBowl(
  BLUE,
  '#4f8a35',
  grains(scatter('tab parsley', 70, 98), 10, '#6fae3f', 9) +
    grains(scatter('tab dark', 36, 96), 10, '#2f6a2a', 8) +
    grains(scatter('bulgur', 34, 94), 0, '#f0dca6', 9) +
    grains(scatter('tab tomato', 20, 90), 2, '#d8402e', 13) +
    at(50, 50, lemonWedge(28), -36),
  138,
);

export const roccaSalad: Drawing = inBowl(
  WHITE,
  '#7fae4a',
  strew(
    scatter('rocket', 14, 84),
    path(
      'M0 36Q-4 20 -14 22Q-8 12 -18 6Q-8 2 -14 -10Q-4 -8 0 -32Q4 -8 14 -10Q8 2 18 6Q8 12 14 22Q4 20 0 36Z',
      '#4f8f38',
    ) + stroke('M0 30V-18', '#9fcf75', 3),
  ) +
    strew(
      scatter('beetroot', 7, 74),
      path('M-26 8A28 28 0 0 1 26 8Q0 20 -26 8Z', '#8a1546') +
        stroke('M-14 4A16 16 0 0 1 14 4', '#b8386c', 4),
    ) +
    strew(scatter('white cheese', 7, 76), box(-11, -10, 22, 20, 6, '#fffdf5')) +
    at(14, -8, almond(24), 40) +
    at(-30, 34, almond(24), 100),
  138,
);
