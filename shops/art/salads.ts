/** Salads, fries and crisps. */
import { cucumberSlice, inBowl, lemonWedge, olive, onionRing, tomatoSlice } from './dishes.ts';
import { pomegranateSeeds } from './fruit.ts';
import { leaf } from './garnish.ts';
import { FOOD, type ShopPalette } from './palette.ts';
import { groundShadow, still, type Drawing } from './scene.ts';
import {
  at,
  box,
  grains,
  lighter,
  path,
  radial,
  rounded,
  scatter,
  shared,
  stroke,
  strew,
  type Art,
} from './svg.ts';

const leafBed = (seed: string, count: number, r: number, colours: readonly string[]): Art =>
  strew(
    scatter(seed, count, r),
    (spot) =>
      path(
        'M-32 6C-38 -16 -14 -30 4 -24C24 -30 40 -10 32 8C28 26 6 22 -4 26C-18 30 -30 20 -32 6Z',
        colours[Math.floor(spot.chance * colours.length)] ?? FOOD.leaf,
      ) + stroke('M-18 8L16 -8', '#dcebb0', 3, 0.7),
  );

const GREENS = ['#6fae3f', '#89c054', '#4f9440'];

const crouton = box(-12, -12, 24, 24, 5, '#b87a35') + box(-12, -12, 21, 20, 5, '#e3b066');

const chickenStrip =
  path('M-34 -8Q0 -22 34 -8Q38 6 30 10Q0 0 -30 12Q-38 4 -34 -8Z', '#e5b36a') +
  stroke('M-18 -8l6 10M2 -12l4 10M20 -9l2 9', '#7f4a1e', 5);

export const caesar: Drawing = inBowl(
  (shop) => shop.cup,
  '#8bb95a',
  leafBed('caesar', 12, 78, GREENS) +
    at(-34, -34, shared(chickenStrip), 20) +
    at(24, -10, shared(chickenStrip), -24) +
    at(-20, 36, shared(chickenStrip), 8) +
    at(50, -48, shared(crouton), 20) +
    at(-62, 14, shared(crouton), 50) +
    at(40, 48, shared(crouton), 10) +
    at(0, -70, shared(crouton), 70) +
    strew(scatter('parmesan', 8, 76), path('M-14 -3L12 -6L14 4L-12 5Z', '#fff3cf')),
  142,
);

export const greek: Drawing = inBowl(
  '#3f78a8',
  '#8bb95a',
  leafBed('greek', 9, 76, GREENS) +
    at(-52, -34, shared(tomatoSlice(26))) +
    at(50, -50, shared(tomatoSlice(24))) +
    at(-24, 58, shared(tomatoSlice(26))) +
    at(2, -72, shared(cucumberSlice(22))) +
    at(68, 12, shared(cucumberSlice(22))) +
    at(-74, 26, shared(cucumberSlice(21))) +
    at(28, 62, onionRing(20)) +
    at(-6, -18, box(-24, -20, 48, 42, 6, '#e3dcc8') + box(-24, -22, 44, 38, 6, '#fffdf5')) +
    at(34, 6, box(-20, -18, 40, 36, 6, '#e3dcc8') + box(-20, -20, 36, 33, 6, '#fffdf5'), 24) +
    at(-30, 14, shared(olive())) +
    at(58, -18, shared(olive())) +
    at(10, 36, shared(olive())) +
    at(-28, -62, shared(olive())),
  142,
);

export const quinoa: Drawing = inBowl(
  (shop) => shop.cupSecond,
  '#e9d3a0',
  grains(scatter('quinoa', 90, 100), 0, '#fbefcf', 11) +
    grains(scatter('quinoa dark', 34, 98), 0, '#bf9458', 8) +
    pomegranateSeeds('quinoa pom', 17, 88) +
    strew(scatter('quinoa herbs', 10, 84), leaf(26, FOOD.leaf)) +
    at(54, 62, lemonWedge(28), -36),
  142,
);

const rod = (x: number, top: number, turn: number, long: number): Art =>
  at(x, top, box(-10, 0, 20, long, 4, '#c98d2f') + box(-10, 0, 15, long - 2, 4, '#f7cf62'), turn);

export const friesArt = (shop: ShopPalette): Art =>
  groundShadow(shop, 80) +
  rod(-64, -214, -14, 140) +
  rod(70, -208, 14, 140) +
  rod(-34, -240, -6, 150) +
  rod(38, -236, 7, 150) +
  rod(0, -228, 1, 150) +
  rod(-52, -196, -10, 130) +
  rod(56, -190, 9, 130) +
  rod(-18, -206, -3, 130) +
  rod(20, -210, 4, 130) +
  path('M-88 -132L-64 -6Q-62 4 -50 4H50Q62 4 64 -6L88 -132Q44 -98 0 -98T-88 -132Z', rounded(shop.napkin)) +
  path('M-74 -58Q0 -34 74 -58L70 -36Q0 -12 -70 -36Z', lighter(shop.napkin, 0.55), 0.7);

export const fries: Drawing = (shop) => still([friesArt(shop), 0, -8, 1.1]);

const chip = (turn: number, x: number, y: number): Art =>
  at(
    x,
    y,
    shared(
      path(
        'M-46 -10C-40 -40 30 -46 46 -14C54 14 20 40 -14 34C-40 30 -50 10 -46 -10Z',
        radial(['#ffe08a', 0], ['#eeb548', 60], ['#c9862a', 100]),
      ) +
        stroke('M-26 -12C-6 -24 20 -22 32 -6', '#fff0bc', 5, 0.9) +
        stroke('M-34 4C-14 -8 14 -6 30 10M-24 20C-8 10 6 12 16 22', '#b9752a', 4, 0.55),
    ),
    turn,
  );

export const kettleChips: Drawing = inBowl(
  (shop) => shop.cup,
  '#b9742c',
  chip(20, -46, -40) +
    chip(80, 44, -52) +
    chip(150, -58, 32) +
    chip(-30, 56, 30) +
    chip(200, 0, 62) +
    chip(110, -4, -2),
  142,
);
