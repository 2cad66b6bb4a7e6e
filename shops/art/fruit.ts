/** Fruit that lies beside or on a drink or a dessert. Each is drawn around its origin. */
import { FOOD } from './palette.ts';
import { leaf } from './garnish.ts';
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
  stroke,
  strew,
  type Art,
} from './svg.ts';

/** Half a fruit with its seeds in the middle. */
export const fruitHalf = (r: number, skin: string, flesh: string): Art =>
  circle(0, 0, r, skin) +
  circle(0, 0, r * 0.88, lighter(flesh, 0.5)) +
  circle(0, 0, r * 0.7, flesh) +
  grains(scatter('seeds', 11, r * 0.46), 0, '#fff0d0', r * 0.15);

export const apricot = (r: number): Art =>
  circle(0, 0, r, radial(['#ffc871', 0], ['#f0923a', 60], ['#d96a2a', 100])) +
  stroke(`M${r * 0.1} ${-r * 0.94}Q${-r * 0.4} 0 ${r * 0.05} ${r * 0.9}`, '#c9661f', r * 0.09, 0.7) +
  at(r * 0.1, -r * 0.9, leaf(r * 0.8, FOOD.leaf), 60);

export const coconutHalf = (r: number): Art =>
  circle(0, 0, r, '#6b4327') +
  circle(0, 0, r * 0.86, '#fffdf6') +
  circle(r * 0.04, r * 0.05, r * 0.62, '#e4e2d8') +
  circle(r * 0.07, r * 0.09, r * 0.54, '#f3f3ec');

export const pomegranate = (r: number): Art =>
  path(
    `M${-r * 0.28} ${-r * 0.86}L${-r * 0.34} ${-r * 1.3}L0 ${-r * 1.12}L${r * 0.34} ${-r * 1.3}L${r * 0.28} ${-r * 0.86}Z`,
    '#c9303a',
  ) + circle(0, 0, r, radial(['#ee6a5a', 0], ['#c9303a', 60], ['#96182b', 100]));

export const tamarindPod = (): Art =>
  path(
    'M-52 12C-58 -4 -40 -10 -30 -6C-22 -16 -6 -18 0 -10C10 -20 26 -18 30 -8C44 -14 58 -4 50 8C40 16 30 12 24 10C14 18 2 16 -2 12C-12 20 -24 18 -28 14C-38 20 -48 20 -52 12Z',
    '#a9703a',
  ) + stroke('M-44 4Q-36 -2 -28 2M-16 0Q-6 -8 2 -2M14 -2Q24 -10 34 -2', '#cf9a5e', 4);

export const mangoCubes = (): Art => {
  const cube = box(-15, -15, 30, 30, 6, '#f39a14') + box(-15, -15, 26, 24, 6, '#ffca58');
  return at(-22, 4, cube, 12) + at(14, 0, cube, -16) + at(-4, -20, cube, 34);
};

/** A little paper umbrella on its stick. */
export const umbrella = (colour: string): Art =>
  at(
    0,
    0,
    stroke('M0 0V-86', '#d9b27a', 5) +
      path(
        'M-46 -70Q-40 -108 0 -112Q40 -108 46 -70Q34 -80 23 -71Q12 -80 0 -71Q-12 -80 -23 -71Q-34 -80 -46 -70Z',
        colour,
      ) +
      path('M-23 -71Q-20 -100 0 -112Q20 -100 23 -71Q12 -80 0 -71Q-12 -80 -23 -71Z', lighter(colour, 0.35)),
    -24,
  );

export const grape = (r: number): Art =>
  circle(0, 0, r, radial(['#a77ac0', 0], ['#54276b', 100])) +
  circle(-r * 0.3, -r * 0.35, r * 0.2, '#ffffff', 0.5);

export const kiwiSlice = (r: number): Art =>
  circle(0, 0, r, '#7a5a34') +
  circle(0, 0, r * 0.9, '#8fc04a') +
  circle(0, 0, r * 0.3, '#eef5cf') +
  grains(
    [0, 45, 90, 135, 180, 225, 270, 315].map((turn) => ({
      x: Math.cos((turn * Math.PI) / 180) * r * 0.5,
      y: Math.sin((turn * Math.PI) / 180) * r * 0.5,
      turn,
      chance: 0,
    })),
    r * 0.14,
    '#2b2a1a',
    r * 0.1,
  );

/** Seeds of a pomegranate. */
export const pomegranateSeeds = (seed: string, count: number, rx: number, ry = rx): Art =>
  strew(scatter(seed, count, rx, ry), oval(0, 0, 6, 8, FOOD.pomegranate) + circle(-1, -3, 2, '#f0a0a8'));

/** A strip of banana slices seen from above. */
export const bananaSlice = (r: number): Art =>
  circle(0, 0, r, darker('#f5dd8c', 0.08)) +
  circle(0, 0, r * 0.84, '#fbeebb') +
  stroke(`M${-r * 0.25} 0v.1M${r * 0.2} ${-r * 0.2}v.1M${r * 0.16} ${r * 0.24}v.1`, '#c9a14a', r * 0.18);
