/** Soups, tagines and what is stuffed, seen from above. */
import { baladi, bowl, inClayDish, lemonWedge, onPlate, parsley, table } from './dishes.ts';
import { almond, leaf } from './garnish.ts';
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
import { scorched } from './spoon-desserts.ts';
import { WHITE, BLUE, aubergineSlice } from './mezze.ts';

const soup = (rim: string, filling: string, art: Art): Drawing =>
  table(
    (shop) =>
      circle(8, 12, 156, shop.shadow, shop.shadowOpacity) +
      circle(0, 0, 156, darker(shop.plate, 0.06)) +
      circle(0, 0, 148, shop.plate) +
      bowl({ ...shop, shadowOpacity: 0.14 }, rim, filling, art, 120),
  );

export const lentilSoup = soup(
  FOOD.clay,
  '#e6a52c',
  stroke('M-60 10C-50 -50 40 -70 66 -10C76 40 10 66 -24 38', '#f7cf6a', 12) +
    strew(
      scatter('soup croutons', 5, 50),
      box(-12, -12, 24, 24, 5, '#b0702c') + box(-12, -13, 21, 20, 5, '#e6b263'),
    ) +
    grains(scatter('soup cumin', 16, 74), 0, '#8f4a1c', 6) +
    at(56, 46, lemonWedge(24), -30),
);

export const orzoSoup = soup(
  BLUE,
  '#eecb78',
  grains(scatter('orzo', 46, 88), 15, '#fff2cc', 9) +
    grains(scatter('orzo toasted', 14, 84), 14, '#c98a3c', 8) +
    grains(scatter('orzo parsley', 14, 84), 5, FOOD.leaf, 8) +
    circle(-40, -46, 10, '#f9e3a6', 0.9) +
    circle(52, 20, 8, '#f9e3a6', 0.9),
);

export const molokhia: Drawing = table(
  (shop) =>
    at(78, -84, shared(baladi(58))) +
    at(
      -14,
      16,
      bowl(
        shop,
        FOOD.clay,
        '#3f6b22',
        stroke('M-74 10C-60 -50 10 -80 60 -40M-40 50C-10 70 50 60 70 10', '#5c8f33', 10) +
          grains(scatter('molokhia', 60, 92), 4, '#2a4d16', 7) +
          circle(-6, -6, 34, '#6f9440', 0.7) +
          grains(scatter('taqliya', 22, 30), 5, '#e6bf72', 8),
        126,
      ),
    ),
);

export const kawareh = soup(
  WHITE,
  '#c98d48',
  circle(-8, -4, 84, '#b5722f', 0.4) +
    strew(
      scatter('kawareh', 5, 58),
      path('M-28 -8C-24 -24 20 -26 30 -8C34 10 12 22 -8 18C-26 18 -34 6 -28 -8Z', '#efd9b4') +
        path('M-16 -6C-12 -14 10 -16 16 -6Q6 6 -10 4Z', '#a9643a'),
    ) +
    circle(40, -50, 10, '#f2c677') +
    circle(-60, 30, 12, '#f2c677') +
    circle(10, 66, 8, '#f2c677') +
    grains(scatter('kawareh herbs', 12, 80), 5, FOOD.leaf, 7) +
    at(58, 40, lemonWedge(24), -30),
);

const meatCube =
  path(
    'M-26 -14C-20 -28 18 -28 26 -12C32 8 18 24 -4 22C-24 22 -32 4 -26 -14Z',
    radial(['#9a5a38', 0], ['#74391f', 60], ['#4a200f', 100]),
  ) + stroke('M-12 -10Q4 -16 14 -6', '#c98a64', 4, 0.8);

const okra =
  path('M-30 0C-26 -12 6 -14 30 -2L40 0L30 4C6 14 -26 12 -30 0Z', '#5f8a35') +
  stroke('M-20 0H26', '#93b85c', 4) +
  circle(-29, 0, 7, '#466b25');

export const okraTagine: Drawing = inClayDish(
  '#b8371d',
  strew(scatter('okra', 13, 82), okra) +
    at(-46, -34, shared(meatCube), -20) +
    at(-8, -2, shared(meatCube), 60, 1.1) +
    at(50, -40, shared(meatCube), 50) +
    at(34, 50, shared(meatCube), 100),
);

export const torlyTagine: Drawing = inClayDish(
  '#bd4a22',
  strew(scatter('carrot coins', 5, 80), circle(0, 0, 19, '#e8842c') + circle(0, 0, 8, '#f4ab5a')) +
    strew(scatter('peas', 12, 88), circle(0, 0, 9, '#7fae45')) +
    strew(scatter('potato', 5, 72), path('M-22 -12L10 -20L24 2L4 20L-22 12Z', '#f0cf7c')) +
    strew(scatter('courgette', 4, 76), circle(0, 0, 19, '#477a35') + circle(0, 0, 16, '#d6e6a6')) +
    at(-8, 0, shared(meatCube)) +
    at(44, 44, shared(meatCube), 60),
);

const oxtail =
  path(
    'M-34 -6C-36 -30 -12 -38 0 -26C14 -38 38 -26 32 -4C40 16 20 36 2 26C-16 38 -38 20 -34 -6Z',
    radial(['#a5633c', 0], ['#74381c', 60], ['#43190b', 100]),
  ) +
  path('M-14 -2C-12 -12 12 -14 14 -3C18 8 4 12 0 6C-8 12 -18 8 -14 -2Z', '#efdcb8') +
  stroke('M-22 -14Q-16 -24 -6 -22M14 20Q22 16 24 8', '#d39a70', 5, 0.7);

export const akawiTagine: Drawing = inClayDish(
  '#8f4a1f',
  strew(scatter('onion strips', 16, 94), stroke('M-24 8Q0 -14 24 8', '#e6b877', 7)) +
    at(-44, -36, shared(oxtail)) +
    at(40, -44, shared(oxtail), 30) +
    at(-30, 46, shared(oxtail), 60) +
    at(50, 36, shared(oxtail), 100),
);

export const moussakaTagine: Drawing = inClayDish(
  '#b83c20',
  at(-46, -46, shared(aubergineSlice)) +
    at(32, -56, shared(aubergineSlice)) +
    at(-68, 22, shared(aubergineSlice)) +
    at(70, 10, shared(aubergineSlice)) +
    at(-14, 66, shared(aubergineSlice)) +
    at(50, 66, shared(aubergineSlice), 0, 0.9) +
    circle(2, 2, 46, '#6b3018') +
    grains(scatter('moussaka mince', 34, 42), 4, '#96532f', 9) +
    at(0, -4, leaf(28, FOOD.leaf), -30) +
    at(0, -4, leaf(26, FOOD.leafDark), 40),
);

export const milkRice: Drawing = inClayDish(
  '#f6e3b4',
  circle(0, 0, 104, '#e0a040', 0.45) +
    scorched('milk rice skin', 8, '#dc9f52', 1.6) +
    scorched('milk rice burnt', 6, '#b06a2a', 0.7) +
    grains(scatter('milk rice', 46, 94), 9, '#fffbea', 6),
);

export const fattah: Drawing = onPlate(
  circle(2, 3, 104, '#e9c987') +
    strew(scatter('fried baladi', 10, 92), path('M-20 12L-4 -18L22 8Z', '#b8772c')) +
    circle(0, 0, 86, '#fbf3de') +
    grains(scatter('fattah rice', 60, 82), 9, '#ffffff', 6) +
    grains(scatter('fattah rice shade', 26, 80), 9, '#e6d3a8', 5) +
    path('M-56 -20C-50 -66 40 -70 60 -24C76 10 40 60 0 58C-44 56 -66 20 -56 -20Z', '#c9371f') +
    at(-30, -28, shared(meatCube), -20) +
    at(22, -32, shared(meatCube), 60) +
    at(38, 16, shared(meatCube), 20) +
    at(-10, 10, shared(meatCube), 110) +
    at(-34, 34, shared(meatCube), 200, 0.8) +
    grains(scatter('fattah garlic', 14, 70), 4, '#f0cf86', 8) +
    at(12, 44, parsley(0.8)),
);

const stuffed = (colour: string): Art =>
  box(-50, -19, 100, 38, 18, darker(colour, 0.34)) +
  box(-50, -20, 100, 34, 17, vertical([lighter(colour, 0.22), 0], [colour, 100])) +
  oval(-44, -2, 10, 15, '#f3dfae') +
  stroke('M-46 -6v.1M-42 2v.1', '#c9542e', 5) +
  stroke('M-20 -11H36', '#ffffff', 5, 0.35);

export const mahshi: Drawing = onPlate(
  at(-46, -66, stuffed('#4c2550'), -8) +
    at(48, -62, stuffed('#7f9f4a'), 6) +
    at(-56, -20, stuffed('#6f9440'), -4) +
    at(52, -14, stuffed('#4c2550'), 4) +
    at(-50, 26, stuffed('#cfdc9a'), 4) +
    at(
      56,
      32,
      circle(0, 0, 36, '#b5321f') +
        circle(-2, -3, 33, '#dd4f38') +
        circle(0, 0, 20, '#f3dfae') +
        grains(scatter('mahshi rice', 9, 13), 5, '#c9542e', 4),
    ) +
    at(-30, 70, stuffed('#56702c'), -6) +
    at(34, 84, stuffed('#cfdc9a'), 6, 0.84),
);

export const rice: Drawing = onPlate(
  circle(4, 7, 98, '#22100a', 0.12) +
    circle(0, 0, 98, radial(['#fffdf4', 0], ['#f9edd0', 60], ['#e0c795', 100])) +
    grains(scatter('rice shade', 46, 88), 11, '#e3cfa0', 5) +
    grains(scatter('rice white', 46, 86), 11, '#ffffff', 6) +
    grains(scatter('vermicelli', 26, 82), 13, '#b5783a', 4) +
    at(20, 10, almond(26), 40) +
    at(-34, -20, almond(26), 110) +
    at(8, -48, almond(24), -30),
);
