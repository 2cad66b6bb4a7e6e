/** Tea, herbs and other hot drinks, each a picture of an item. */
import { CUP, LATTE_ART, teapot } from './cups.ts';
import {
  almond,
  cardamom,
  cinnamon,
  citrus,
  ginger,
  hazelnut,
  hibiscusFlower,
  mint,
  starAnise,
  steam,
  sugarCube,
} from './garnish.ts';
import { GLASS, glassOf, type Drink } from './glasses.ts';
import { FOOD } from './palette.ts';
import { still, type Drawing } from './scene.ts';
import { at, circle, darker, grains, lighter, oval, path, scatter, stroke, type Art } from './svg.ts';
import { inCup, inGlass } from './servings.ts';

/** Tea in a waisted glass on a saucer. */
const tea = (colour: string, more: Partial<Drink>, beside?: Art): Drawing =>
  inGlass(
    {
      glass: GLASS.tea,
      liquid: [
        [lighter(colour, 0.1), 0],
        [colour, 60],
        [darker(colour, 0.22), 100],
      ],
      saucer: true,
      ...more,
    },
    { size: 1.5, steam: true, ...(beside === undefined ? {} : { beside: () => beside }) },
  );

const leaves = (colour: string) =>
  grains(
    scatter('tea leaves', 22, 32, 6).map((spot) => ({ ...spot, y: spot.y - 12 })),
    6,
    colour,
    6,
  );

export const koshary = tea(
  FOOD.tea,
  { inside: leaves('#3a140a') + oval(0, -6, 40, 8, '#3a140a') },
  at(106, 4, sugarCube(17)) + at(124, 14, sugarCube(15)),
);

export const mintTea = tea('#b0561a', { inside: at(6, -30, mint(1.3), 10), above: at(6, 4, mint(1.05), 16) });

export const greenTea = tea(
  '#b5b03c',
  { inside: leaves('#5f6b1e') },
  at(-122, 6, path('M-14 -18H14L18 14H-18Z', '#fffaf0') + path('M-10 -4H10V8H-10Z', FOOD.leaf)) +
    stroke('M-110 -10C-96 -60 -90 -120 -66 -168', '#fffaf0', 3),
);

export const milkTea = tea('#c98a55', { froth: ['#e8c39a', 0.08] });

export const karak = inGlass(
  {
    glass: GLASS.mug,
    liquid: [
      ['#cf8a48', 0],
      ['#b56a2c', 100],
    ],
    froth: ['#e9bd86', 0.1],
    handle: true,
  },
  { size: 1.3, steam: true, beside: () => at(-110, 6, cardamom(30), 40) + at(-84, 14, cardamom(26), 100) },
);

export const anise = tea('#e3c25e', {}, at(-112, 0, starAnise(24)) + at(-82, 16, starAnise(15), 30));

export const hotHibiscus = tea(FOOD.hibiscus, {}, at(-104, -2, hibiscusFlower(34)));

export const teaForTwo: Drawing = (shop) => {
  const glass = glassOf(shop, {
    glass: GLASS.tea,
    liquid: [
      [FOOD.tea, 0],
      [darker(FOOD.tea, 0.25), 100],
    ],
    saucer: true,
  });
  return still(
    [steam(-150, -160, 50), 60, -40],
    [teapot(shop, shop.cupSecond), -4, -48, 1.16],
    [glass, -58, 18, 0.82],
    [glass, 66, 18, 0.82],
  );
};

export const gingerLemonHoney = inGlass(
  {
    glass: GLASS.mug,
    liquid: [
      ['#f1cf63', 0],
      ['#e0a52c', 100],
    ],
    handle: true,
    inside: at(-8, -66, citrus(38, FOOD.lemon)) + at(20, -20, citrus(26, FOOD.lemon)),
  },
  { size: 1.3, steam: true, beside: () => at(-104, 2, ginger()) },
);

export const cinnamonMilk = inGlass(
  {
    glass: GLASS.mug,
    liquid: [
      ['#ecd2ab', 0],
      ['#dcb586', 100],
    ],
    handle: true,
    froth: [FOOD.foam, 0.1],
    on: grains(scatter('cinnamon', 20, 64), 3, '#9c5526', 12),
  },
  { size: 1.3, steam: true, beside: () => at(-104, 6, cinnamon(66), -24) + at(-96, 14, cinnamon(62), 8) },
);

export const cinnamonGinger = inGlass(
  {
    glass: GLASS.mug,
    liquid: [
      ['#d07a2e', 0],
      ['#a8521c', 100],
    ],
    handle: true,
    inside: at(-16, -50, cinnamon(104), -70),
  },
  { size: 1.3, steam: true, beside: () => at(-106, 4, ginger()) },
);

const nuts = (seed: string): Art =>
  grains(scatter(`${seed} coconut`, 14, 78), 26, '#ffffff', 8) +
  grains(scatter(`${seed} pistachio`, 10, 70), 12, '#7f9a3a', 16) +
  grains(scatter(`${seed} raisin`, 6, 64), 10, '#5e2f1c', 20);

export const sahlab = inGlass(
  {
    glass: GLASS.mug,
    liquid: [
      ['#fffaf0', 0],
      ['#f3e6cf', 100],
    ],
    surface: '#fff6e4',
    level: 0.06,
    handle: true,
    on: circle(0, 0, 58, '#b8763c', 0.55) + nuts('sahlab'),
  },
  {
    size: 1.3,
    steam: true,
    beside: () => at(-108, 8, almond(26), 70) + at(-84, 16, almond(22), 30) + at(-124, 20, hazelnut(11)),
  },
);

export const sahlabPlain = inGlass(
  {
    glass: GLASS.mug,
    liquid: [
      ['#fffaf0', 0],
      ['#f3e6cf', 100],
    ],
    surface: '#fff6e4',
    level: 0.06,
    handle: true,
    on: circle(0, 0, 62, '#b8763c', 0.6) + grains(scatter('sahlab', 14, 78), 24, '#ffffff', 8),
  },
  { size: 1.3, steam: true, beside: () => at(-104, 10, cinnamon(62), -16) },
);

export const matchaLatte = inCup(CUP.wide, {
  second: false,
  liquid: FOOD.matcha,
  on: circle(0, 0, 94, '#7d9f3e') + LATTE_ART.tulip,
  size: 1.2,
});
