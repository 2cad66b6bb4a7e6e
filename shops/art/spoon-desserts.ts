/** Desserts in bowls and clay dishes, and kunafa. */
import { inBowl, inClayDish, plate, swirl, table } from './dishes.ts';
import { mangoCubes } from './fruit.ts';
import { almond, hazelnut, leaf } from './garnish.ts';
import { FOOD, type ShopPalette } from './palette.ts';
import { groundShadow, still, type Drawing } from './scene.ts';
import {
  at,
  circle,
  darker,
  grains,
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

export const ricePudding: Drawing = inBowl(
  (shop) => shop.cupSecond,
  '#fff6e2',
  swirl('#fff1d6') +
    grains(scatter('cinnamon powder', 34, 40), 0, '#a9622c', 8) +
    at(-26, -44, almond(30), 40) +
    at(40, -18, almond(28), -50) +
    at(-6, 52, almond(28), 100),
  132,
);

/** Spots of a milk skin that the oven browned. */
export const scorched = (seed: string, count: number, colour: string, size: number): Art =>
  strew(
    scatter(seed, count, 74),
    path('M-22 -4C-20 -18 12 -20 22 -6C28 8 8 16 -4 14C-18 14 -26 6 -22 -4Z', colour, 0.7),
    size,
  );

export const bakedRicePudding: Drawing = inClayDish(
  '#f9e6bc',
  circle(0, 0, 92, '#e8b766', 0.6) +
    scorched('pudding skin', 9, '#d08f45', 1.3) +
    scorched('pudding burnt', 5, '#8a4a1c', 0.9) +
    stroke('M-70 -50C-40 -84 10 -88 40 -76', '#fffaf0', 8, 0.7),
);

export const omAli: Drawing = inClayDish(
  '#f6dca6',
  strew(
    scatter('om ali pastry', 9, 80),
    path('M-30 -12L-4 -24L30 -10L22 16L-16 20Z', '#d9943f') +
      stroke('M-18 -6L14 -2M-12 8L12 8', '#a9622c', 4),
  ) +
    circle(6, -4, 36, '#fff6e0') +
    circle(-2, -12, 18, '#ffffff') +
    at(-52, 34, hazelnut(14)) +
    at(52, 40, almond(30), 60) +
    at(-40, -50, almond(28), 130) +
    grains(scatter('om ali pistachio', 14, 84), 5, '#7f9a3a', 9) +
    grains(scatter('om ali raisins', 7, 80), 5, '#5e2f1c', 11),
);

const strands = (seed: string, r: number, colour: string): Art => grains(scatter(seed, 70, r), 24, colour, 5);

const kunafaDisc = (shop: ShopPalette): Art =>
  plate(shop) +
  circle(4, 7, 104, '#22100a', 0.16) +
  circle(0, 0, 104, radial(['#f6bf55', 0], ['#e2922a', 60], ['#b5661a', 100])) +
  strands('kunafa', 90, '#f9d27a') +
  grains(scatter('kunafa dark', 34, 92), 20, '#b5661a', 4);

const cut = (shop: ShopPalette): Art =>
  path('M0 0L104 52A116 116 0 0 1 48 106Z', darker(shop.plate, 0.06)) +
  path('M0 0L48 106L36 110L-6 8Z', '#fff6e0') +
  stroke('M0 0L104 52M0 0L46 106', '#a9581a', 5);

export const kunafaCream: Drawing = table(
  (shop) =>
    kunafaDisc(shop) +
    cut(shop) +
    circle(-18, -22, 40, '#fff6e2') +
    circle(-26, -32, 20, '#ffffff') +
    grains(
      scatter('kunafa pistachio', 22, 34).map((s) => ({ ...s, x: s.x - 18, y: s.y - 22 })),
      4,
      '#6f9030',
      9,
    ),
);

export const kunafaMango: Drawing = table(
  (shop) =>
    kunafaDisc(shop) +
    at(0, -44, shared(mangoCubes()), 0, 1.1) +
    at(-44, 22, shared(mangoCubes()), 60, 1) +
    at(48, 22, shared(mangoCubes()), -40, 1) +
    circle(0, 0, 26, '#fffaf0') +
    at(0, 8, leaf(34, FOOD.mint), -30) +
    at(0, 8, leaf(34, FOOD.mintLight), 30),
);

const CREAM = vertical(['#fff8ee', 0], ['#f3dfe2', 100]);

export const mehalabia: Drawing = (shop) =>
  still([
    groundShadow(shop, 60) +
      path('M-9 -54L-6 -8Q-10 -2 -48 2Q0 16 48 2Q10 -2 6 -8L9 -54Z', '#ffffff', 0.55) +
      path('M-92 -172C-90 -88 -40 -50 0 -50S90 -88 92 -172Z', '#ffffff', 0.35) +
      path('M-84 -152C-78 -86 -36 -58 0 -58S78 -86 84 -152Z', CREAM) +
      oval(0, -152, 84, 19, '#fffdf8') +
      grains(
        scatter('mehalabia', 18, 54, 10).map((s) => ({ ...s, y: s.y - 152 })),
        3,
        '#7f9a3a',
        9,
      ) +
      at(-18, -154, circle(0, 0, 13, '#c3214e')) +
      at(14, -158, circle(0, 0, 13, '#d8405e')) +
      at(0, -166, circle(0, 0, 11, '#b3142f')) +
      at(28, -154, leaf(30, FOOD.mint), 60) +
      path('M-78 -148Q-66 -96 -34 -74l7 -6Q-54 -100 -62 -146Z', '#ffffff', 0.8) +
      stroke('M-92 -172A92 20 0 0 1 92 -172A92 20 0 0 1 -92 -172Z', '#ffffff', 3, 0.75),
    0,
    0,
    1.2,
  ]);
