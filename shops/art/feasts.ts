/** Platters for sharing, bread and fruit, seen from above. */
import { baladi, halfLoaf, onionRing, parsley, plate, table, tomatoSlice } from './dishes.ts';
import { bananaSlice, grape, kiwiSlice, pomegranateSeeds } from './fruit.ts';
import { citrus, leaf, melonWedge, strawberry } from './garnish.ts';
import { koftaFinger } from './grill.ts';
import { FOOD, type ShopPalette } from './palette.ts';
import type { Drawing } from './scene.ts';
import { at, box, circle, darker, grains, oval, path, scatter, shared, stroke, type Art } from './svg.ts';
import { WHITE, BLUE, chickpea, vineLeaf, halfMoon } from './mezze.ts';

export const breadBasket: Drawing = table(
  (shop) =>
    circle(8, 12, 138, shop.shadow, shop.shadowOpacity) +
    circle(0, 0, 138, '#8a5a2a') +
    `<circle cx="0" cy="0" r="130" fill="none" stroke="#c99452" stroke-width="12" stroke-dasharray="16 11"/>` +
    circle(0, 0, 120, '#a9713a') +
    path('M-118 -20L-60 -100L30 -116L110 -40L100 60L20 118L-80 90Z', shop.napkin) +
    stroke('M-100 -14L-54 -84L28 -98L92 -36L84 52', '#ffffff', 4, 0.35) +
    at(-44, -32, shared(baladi(58))) +
    at(46, -40, shared(baladi(56))) +
    at(40, 44, shared(halfLoaf(58)), 160) +
    at(-40, 48, shared(halfLoaf(58)), -14),
);

export const fruitPlatter: Drawing = table(
  (shop) =>
    plate(shop, 156) +
    at(-2, -74, melonWedge(58), 180) +
    at(-74, -44, shared(citrus(36, FOOD.orange))) +
    at(-88, 22, shared(citrus(34, FOOD.orange))) +
    at(76, -40, shared(kiwiSlice(32))) +
    at(92, 22, shared(kiwiSlice(30))) +
    at(-46, 78, strawberry(46), 160) +
    at(-4, 96, strawberry(44), 190) +
    at(50, 84, bananaSlice(26)) +
    at(84, 68, bananaSlice(22)) +
    [
      [-20, -18],
      [10, -22],
      [34, -4],
      [-34, 8],
      [-6, 4],
      [20, 18],
      [-18, 30],
      [4, 38],
    ]
      .map(([x = 0, y = 0]) => at(x, y, shared(grape(17))))
      .join('') +
    at(0, -34, leaf(34, FOOD.leaf), 20),
);

/** A tray full of small plates. */
const tray = (shop: ShopPalette, art: Art): Art =>
  at(8, 12, box(-162, -150, 324, 300, 40, shop.shadow, shop.shadowOpacity)) +
  box(-162, -150, 324, 300, 40, darker(FOOD.wood, 0.3)) +
  box(-154, -142, 308, 284, 34, FOOD.wood) +
  stroke('M-120 -96H60M-40 0H120M-120 100H30', darker(FOOD.wood, 0.14), 5, 0.6) +
  art;

const small = (rim: string, filling: string, art: Art): Art =>
  circle(4, 6, 48, '#22100a', 0.22) + circle(0, 0, 48, rim) + circle(0, 0, 39, filling) + art;

const dot = (colour: string): Art =>
  stroke('M-18 6C-18 -18 18 -22 20 2C16 20 -6 18 -8 6', darker(colour, 0.14), 6);

const vines =
  at(0, -14, shared(vineLeaf), 0, 0.5) +
  at(0, 4, shared(vineLeaf), 0, 0.5) +
  at(0, 20, shared(vineLeaf), 0, 0.46);

const smallTahini = small(BLUE, '#ecdab2', dot('#ecdab2'));

const smallBaba = small(FOOD.clay, '#b99c74', dot('#b99c74') + pomegranateSeeds('small baba', 4, 22));

export const mezzeTable: Drawing = table(
  (shop) =>
    tray(
      shop,
      at(-98, -80, smallTahini, 0, 1.04) +
        at(0, -80, small(WHITE, '#e9c88c', dot('#e9c88c') + at(0, 0, shared(chickpea), 0, 0.7)), 0, 1.04) +
        at(98, -80, smallBaba, 0, 1.04) +
        at(-98, 24, small(WHITE, shop.plate, vines), 0, 1.04) +
        at(
          0,
          24,
          small(
            shop.plate,
            '#f3e3c0',
            at(-12, 4, shared(halfMoon('#b5742a', '#f0bd62')), -10, 0.4) +
              at(14, 14, shared(halfMoon('#b5742a', '#f0bd62')), 10, 0.4),
          ),
        ) +
        at(
          98,
          24,
          small(
            FOOD.clay,
            '#8fb552',
            grains(scatter('small salad', 7, 26), 2, '#d8402e', 9) +
              grains(scatter('small cucumber', 6, 26), 2, '#dcedb4', 8),
          ),
        ) +
        at(-52, 116, shared(halfLoaf(34)), -8) +
        at(48, 116, shared(halfLoaf(34)), 8),
    ),
  0.98,
);

export const familyFeast: Drawing = table(
  (shop) =>
    tray(
      shop,
      at(
        0,
        -18,
        oval(4, 6, 108, 66, '#22100a', 0.2) +
          oval(0, 0, 108, 66, shop.plate) +
          oval(0, 0, 94, 54, darker(shop.plate, 0.08)) +
          at(0, -28, shared(koftaFinger()), -4, 0.68) +
          at(0, 4, shared(koftaFinger()), -4, 0.68) +
          at(0, 36, shared(koftaFinger()), -4, 0.68) +
          at(66, -30, parsley(0.8), 20),
      ) +
        at(-108, -94, smallTahini, 0, 0.86) +
        at(0, -104, smallBaba, 0, 0.8) +
        at(
          108,
          -94,
          small(FOOD.clay, '#8fb552', grains(scatter('feast salad', 9, 26), 2, '#d8402e', 9)),
          0,
          0.86,
        ) +
        at(
          -84,
          94,
          small(WHITE, '#fbf1d8', grains(scatter('feast rice', 10, 28), 9, '#a9682c', 5)),
          0,
          1.02,
        ) +
        at(20, 102, shared(baladi(40))) +
        at(
          104,
          86,
          small(
            FOOD.clay,
            '#f6dca6',
            circle(0, 0, 14, '#fffaf0') + grains(scatter('feast om ali', 8, 28), 8, '#c98032', 8),
          ),
          0,
          0.96,
        ),
    ),
  0.98,
);

export const lunchForOne: Drawing = table(
  (shop) =>
    tray(
      shop,
      at(
        -40,
        14,
        circle(4, 7, 96, '#22100a', 0.2) +
          circle(0, 0, 96, shop.plate) +
          circle(0, 0, 80, darker(shop.plate, 0.07)) +
          at(
            -2,
            30,
            path('M-62 -14A64 64 0 0 0 62 -14Q0 -34 -62 -14Z', '#fbf1d8') +
              grains(scatter('lunch rice', 16, 46, 16), 10, '#a9682c', 5),
          ) +
          at(0, -38, shared(koftaFinger(false)), -6, 0.74) +
          at(0, -8, shared(koftaFinger(false)), -6, 0.74) +
          at(52, -44, parsley(0.9)),
      ) +
        at(100, -84, smallTahini, 0, 1.02) +
        at(
          106,
          16,
          small(
            FOOD.clay,
            '#8fb552',
            grains(scatter('lunch salad', 9, 26), 2, '#d8402e', 9) +
              grains(scatter('lunch cucumber', 8, 26), 2, '#dcedb4', 8),
          ),
          0,
          0.96,
        ) +
        at(92, 104, shared(halfLoaf(44)), -10) +
        at(-112, -104, tomatoSlice(22)) +
        at(-70, -112, onionRing(18)),
    ),
  0.98,
);
