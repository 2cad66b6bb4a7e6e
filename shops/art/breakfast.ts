/** Breakfasts, seen from above; pancakes from the side. */
import {
  baladi,
  bowl,
  cherryTomato,
  cucumberSlice,
  friedEgg,
  halfLoaf,
  inBowl,
  inPan,
  onPlate,
  parsley,
  plate,
  ramekin,
  taameyaBall,
  table,
  tomatoSlice,
} from './dishes.ts';
import { bananaSlice } from './fruit.ts';
import { blueberry, leaf, strawberry } from './garnish.ts';
import { FOOD } from './palette.ts';
import { groundShadow, still, type Drawing } from './scene.ts';
import {
  at,
  circle,
  clip,
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
  type Art,
} from './svg.ts';

const beans = (seed: string, count: number, r: number, colour: string): Art =>
  strew(
    scatter(seed, count, r),
    path('M-13 4C-16 -10 12 -14 14 -1C15 11 4 8 0 5C-4 10 -12 12 -13 4Z', colour) +
      stroke('M-6 -3Q0 -7 6 -5', lighter(colour, 0.35), 3),
  );

const dice = (seed: string, count: number, r: number, colour: string, size = 12): Art =>
  grains(scatter(seed, count, r), 2, colour, size);

export const foul: Drawing = table(
  (shop) =>
    at(78, -84, baladi(64)) +
    at(
      -16,
      18,
      bowl(
        shop,
        FOOD.clay,
        '#96562d',
        beans('foul', 13, 80, '#7a3f1d') +
          dice('foul tomato', 8, 66, FOOD.tomato) +
          dice('foul pepper', 6, 70, FOOD.pepper, 10) +
          stroke('M-60 -20C-30 -50 10 10 50 -30M-50 30C-10 0 20 50 60 20', '#f0e0bb', 10) +
          at(0, 2, parsley(0.9)),
        120,
      ),
    ),
);

export const eggsWithBasterma: Drawing = inPan(
  '#e9b75a',
  strew(
    scatter('basterma', 6, 72),
    path('M-26 -14Q0 -26 26 -12Q30 6 20 16Q-6 8 -26 14Q-32 0 -26 -14Z', '#8e2630') +
      stroke('M-16 -4Q0 -10 16 -2', '#d9868a', 4),
  ) +
    at(-30, -22, friedEgg(0.92)) +
    at(36, 28, friedEgg(0.92), 50) +
    grains(scatter('pepper', 14, 90), 0, '#3a2416', 5),
);

export const shakshouka: Drawing = inPan(
  '#cf3f24',
  dice('shak pepper', 9, 88, FOOD.pepper) +
    dice('shak onion', 8, 84, '#f0a08a', 9) +
    at(-36, -30, friedEgg(0.72)) +
    at(42, -14, friedEgg(0.72), 90) +
    at(-4, 48, friedEgg(0.72), 200) +
    strew(scatter('shak parsley', 5, 84), leaf(16, FOOD.leaf)),
);

export const omelette: Drawing = onPlate(
  path('M-98 20C-104 -50 -40 -84 20 -72C78 -62 108 -20 96 22Q60 -2 0 4T-98 20Z', '#22100a', 0.14) +
    path(
      'M-100 14C-106 -56 -40 -90 20 -78C78 -68 108 -26 96 16C84 44 44 26 0 34C-40 40 -90 54 -100 14Z',
      radial(['#ffe08a', 0], ['#f6bf3f', 60], ['#d9952a', 100]),
    ) +
    stroke('M-98 14C-60 -14 50 -16 94 10', '#d9952a', 6) +
    path(
      'M-60 24C-50 36 -54 52 -40 50C-30 46 -34 34 -22 34C-10 36 -14 60 2 56C14 50 8 34 20 30C34 30 34 44 46 40C54 34 50 24 60 20Z',
      '#fff0b8',
    ) +
    grains(
      scatter('omelette', 12, 60, 24).map((s) => ({ ...s, y: s.y - 36 })),
      7,
      FOOD.leaf,
      6,
    ) +
    at(-56, 70, cherryTomato(18)) +
    at(-18, 84, cherryTomato(18)) +
    at(50, 74, parsley(1.2), 20),
);

export const granola: Drawing = inBowl(
  (shop) => shop.cupSecond,
  '#fffaf2',
  grains(
    scatter('oats', 54, 42, 86).map((s) => ({ ...s, x: s.x - 58 })),
    9,
    '#c98d45',
    11,
  ) +
    grains(
      scatter('oats dark', 16, 38, 76).map((s) => ({ ...s, x: s.x - 58 })),
      9,
      '#8f5a2a',
      10,
    ) +
    at(34, -62, strawberry(44), 20) +
    at(66, -20, strawberry(40), -30) +
    at(24, -8, shared(bananaSlice(24))) +
    at(50, 30, shared(bananaSlice(24))) +
    at(14, 48, blueberry(15)) +
    at(40, 68, blueberry(15)) +
    at(4, 78, blueberry(13)) +
    at(78, 8, leaf(32, FOOD.mint), 30),
  142,
);

export const pancakes: Drawing = (shop) => {
  const one = (y: number, w: number) =>
    path(`M${-w} ${y - 10}Q${-w} ${y + 22} 0 ${y + 24}T${w} ${y - 10}Z`, '#b9722c') +
    oval(0, y - 8, w, 26, '#f0c373') +
    oval(0, y - 9, w - 10, 21, '#dc9a48');
  return still([
    groundShadow(shop, 130) +
      oval(0, -6, 148, 38, darker(shop.plate, 0.14)) +
      oval(0, -12, 148, 38, shop.plate) +
      oval(0, -11, 134, 32, shop.ring, 0.6) +
      oval(0, -11, 130, 30, shop.plate) +
      one(-30, 106) +
      one(-62, 104) +
      one(-94, 102) +
      path(
        'M-66 -106C-40 -126 50 -124 70 -104C88 -98 84 -60 74 -62C64 -64 70 -84 58 -84C48 -82 54 -34 42 -34C30 -34 36 -78 22 -80C6 -80 0 -64 -12 -66C-26 -68 -20 -84 -36 -84C-52 -84 -44 -50 -56 -50C-68 -50 -62 -96 -66 -106Z',
        '#b5601a',
      ) +
      path('M-24 -114L8 -128L34 -114L4 -100Z', '#ffe9a0') +
      path('M-24 -114L4 -100V-88L-24 -102Z', '#f2c95c') +
      path('M34 -114L4 -100V-88L34 -102Z', '#e0b040') +
      at(-110, -24, strawberry(34)) +
      at(112, -20, blueberry(14)) +
      at(90, -8, blueberry(13)),
    0,
    -14,
    1.06,
  ]);
};

export const waffle: Drawing = table((shop) => {
  const outline = 'M0 -108A108 108 0 1 1 -1 -108Z';
  return (
    plate(shop) +
    circle(4, 7, 108, '#22100a', 0.15) +
    path(outline, '#e2a551') +
    clip(
      outline,
      stroke(
        'M-72 -110V110M-36 -110V110M0 -110V110M36 -110V110M72 -110V110M-110 -72H110M-110 -36H110M-110 0H110M-110 36H110M-110 72H110',
        '#b9742c',
        9,
      ),
    ) +
    at(0, 0, stroke('M-80 -20C-40 -70 -30 40 6 -20S50 50 84 0', FOOD.chocolate, 11)) +
    at(-14, -14, circle(0, 0, 34, '#fffaf0') + circle(-6, -8, 18, '#ffffff')) +
    at(18, -34, strawberry(40), 20) +
    at(30, 22, strawberry(36), -40) +
    at(-40, 34, shared(bananaSlice(22))) +
    at(-4, 50, blueberry(14))
  );
});

/** Breakfast of the house: small dishes around a plate. */
export const houseBreakfast: Drawing = table(
  (shop) =>
    plate(shop, 158) +
    at(-54, -60, ramekin(FOOD.clay, '#96562d', 52, at(0, 0, beans('house foul', 6, 28, '#7a3f1d'), 0, 0.8))) +
    at(62, -62, friedEgg(1)) +
    at(-84, 40, shared(taameyaBall(25))) +
    at(-44, 76, shared(taameyaBall(25, true))) +
    at(-34, 26, shared(taameyaBall(25))) +
    at(34, 92, path('M-34 8L-10 -22L34 -6L14 22Z', '#fff8e6') + path('M-34 8L14 22V32L-34 18Z', '#e4d7b8')) +
    at(40, 44, shared(tomatoSlice(21))) +
    at(68, 66, shared(cucumberSlice(19))) +
    at(106, 20, halfLoaf(44), 70) +
    at(0, -4, parsley(1)),
);
