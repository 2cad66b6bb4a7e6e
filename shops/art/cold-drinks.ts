/** Coolers, juices and what comes in bottles and cans, each a picture of an item. */
import { apricot, coconutHalf, fruitHalf, mangoCubes, pomegranate, tamarindPod, umbrella } from './fruit.ts';
import {
  bananaFruit,
  blueberry,
  citrus,
  hibiscusFlower,
  leaf,
  mangoFruit,
  melonWedge,
  mint,
  roundFruit,
  strawberry,
} from './garnish.ts';
import { bottle, can, GLASS } from './glasses.ts';
import { inGlass } from './servings.ts';
import { FOOD } from './palette.ts';
import { still, type Drawing } from './scene.ts';
import { across, at, circle, grains, oval, path, scatter, stroke, type Art } from './svg.ts';
import { tall, layered } from './iced-coffee.ts';

export const peachIcedTea = inGlass({
  glass: tall,
  liquid: layered(['#e39a4a', 0], ['#b8551c', 100]),
  ice: 4,
  straw: true,
  rim: at(0, -2, circle(0, 0, 30, '#e8803c') + circle(-1, 1, 26, '#ffc46b') + circle(0, 2, 10, '#b5502a')),
});

export const lemonMintIcedTea = inGlass({
  glass: tall,
  liquid: layered(['#d9a23c', 0], ['#a8641c', 100]),
  ice: 3,
  straw: true,
  inside: at(-16, -70, citrus(36, FOOD.lemon)),
  above: at(-22, 0, mint(1)),
  rim: at(0, -4, citrus(30, FOOD.lemon)),
});

export const icedHibiscus = inGlass({
  glass: tall,
  liquid: layered(['#d63a5c', 0], [FOOD.hibiscus, 60], ['#6d0a28', 100]),
  ice: 4,
  straw: true,
  rim: at(-4, -4, hibiscusFlower(34)),
});

export const hibiscusGlass = inGlass(
  { glass: GLASS.tumbler, liquid: layered(['#c92a50', 0], [FOOD.hibiscus, 60], ['#6d0a28', 100]), ice: 3 },
  { size: 1.4, beside: () => at(-118, -6, hibiscusFlower(32)) },
);

export const icedMatchaLatte = inGlass({
  glass: tall,
  liquid: layered(['#7d9f3e', 14], ['#b9c98a', 42], ['#f7f1df', 64]),
  surface: '#8fae4f',
  ice: 3,
  straw: true,
});

const bubbles = (seed: string): Art =>
  grains(
    scatter(seed, 12, 42, 80).map((spot) => ({ ...spot, y: spot.y - 100 })),
    0,
    '#ffffff',
    6,
  );

export const lemonMintMojito = inGlass({
  glass: tall,
  liquid: layered(['#e3efc0', 0], ['#c5dd96', 100]),
  ice: 3,
  straw: true,
  inside:
    at(-22, -58, citrus(34, FOOD.lime)) +
    at(26, -24, leaf(40, FOOD.mint), 40) +
    at(-10, -110, leaf(38, FOOD.mint), -50) +
    bubbles('mojito'),
  above: at(-20, 0, mint(1.1)),
  rim: at(0, -4, citrus(28, FOOD.lime)),
});

export const berryMojito = inGlass({
  glass: tall,
  liquid: layered(['#e8c3d4', 0], ['#c2528f', 50], ['#7b2a5e', 100]),
  ice: 3,
  straw: true,
  inside:
    at(-24, -40, blueberry(14)) +
    at(16, -30, strawberry(34), 20) +
    at(-2, -66, blueberry(13)) +
    bubbles('berry'),
  above: at(-20, 0, mint(1)),
});

export const mangoSmoothie = inGlass(
  {
    glass: GLASS.shake,
    liquid: layered(['#ffc24a', 0], [FOOD.mango, 100]),
    level: 0.05,
    straw: true,
    above: at(-14, -14, mangoCubes()) + at(-34, -6, mint(0.7), -20),
  },
  { size: 1 },
);

export const berrySmoothie = inGlass(
  {
    glass: GLASS.shake,
    liquid: layered(['#a84a86', 0], ['#8a2f6a', 45], ['#f6ebf0', 62], ['#e9cadd', 100]),
    level: 0.05,
    straw: true,
    above: at(-26, -8, blueberry(15)) + at(0, -14, strawberry(34)) + at(-10, -28, blueberry(13)),
  },
  { size: 1 },
);

export const beachCoconut: Drawing = (shop) =>
  still([
    oval(16, 3, 100, 20, shop.shadow, shop.shadowOpacity) +
      path(
        'M-104 -92C-110 -20 -54 4 0 4S110 -20 104 -92C100 -150 60 -176 0 -176S-100 -150 -104 -92Z',
        across(['#8a5a34', 0], ['#7a4a28', 50], ['#4a2814', 100]),
      ) +
      stroke(
        'M-86 -60q14 30 34 44M80 -70q-6 30 -26 48M-20 -20q20 10 46 2M-60 -96q4 30 18 46',
        '#5e3719',
        5,
        0.6,
      ) +
      oval(0, -144, 74, 30, '#fffaf0') +
      oval(0, -141, 56, 20, '#e9ecdf') +
      oval(0, -138, 50, 15, '#f8fbf4') +
      at(14, -140, stroke('M0 0V-120', shop.straw, 13), 18) +
      at(-64, -146, umbrella(shop.straw)),
    0,
    0,
    1.08,
  ]);

/** A juice in its footed glass with its fruit beside it. */
const juice = (
  top: string,
  bottom: string,
  fruit: Art,
  more: {
    readonly inside?: Art;
    readonly above?: Art;
    readonly rim?: Art;
    readonly ice?: number;
    readonly surface?: string;
    readonly on?: Art;
  } = {},
): Drawing =>
  inGlass(
    { glass: GLASS.juice, liquid: layered([top, 0], [bottom, 100]), straw: true, ...more },
    { size: 1.12, x: 14, beside: (shop) => oval(-86, 18, 56, 9, shop.shadow, shop.shadowOpacity) + fruit },
  );

export const orangeJuice = juice('#ffb63a', '#f08c12', at(-98, -26, citrus(42, FOOD.orange)));

export const mangoJuice = juice('#ffc64c', '#f39a14', at(-96, -24, mangoFruit(46)));

export const strawberryJuice = juice(
  '#f0616a',
  '#cf2a3c',
  at(-112, -20, strawberry(56), -12) + at(-72, -10, strawberry(44), 14),
);

export const guavaJuice = juice('#fbd0bd', '#f0a892', at(-98, -26, fruitHalf(40, '#c9d977', '#f58f8a')));

export const lemonJuice = juice(
  '#f6efb0',
  '#ebdf86',
  at(-98, -24, citrus(38, FOOD.lemon)) + at(-64, 2, roundFruit(22, FOOD.lemon)),
  { ice: 3 },
);

export const lemonMintJuice = juice('#b9d884', '#93c05c', at(-92, -14, roundFruit(34, FOOD.lime)), {
  above: at(-24, 2, mint(1.05)),
  inside: grains(
    scatter('mint bits', 26, 50, 80).map((spot) => ({ ...spot, y: spot.y - 110 })),
    5,
    '#4f8a3a',
    6,
  ),
});

export const bananaMilk = juice('#fdf0c0', '#f5dd8c', at(-86, -12, bananaFruit(108), -14));

export const fruitCocktail = juice(
  '#ff8a4a',
  '#e33f55',
  at(-106, -24, citrus(36, FOOD.orange)) + at(-70, -8, strawberry(42), 10),
  {
    inside: path('M-80 -120Q-30 -136 10 -118T80 -124V-70Q30 -86 0 -70T-80 -74Z', '#ffc24a'),
    rim: at(-2, -6, citrus(26, FOOD.orange)),
    above: at(-20, -8, strawberry(34), -14),
  },
);

export const watermelonJuice = juice('#f4676a', '#dd3a48', at(-94, -44, melonWedge(48), -16));

export const amarEldin = juice('#f0973a', '#d06a14', at(-108, -20, apricot(28)) + at(-70, -8, apricot(22)), {
  surface: '#f4ad5a',
});

export const sobia = juice('#ffffff', '#f3ece2', at(-92, -26, coconutHalf(42)), {
  surface: '#fff8ea',
  ice: 2,
  on: grains(scatter('sobia', 14, 66), 20, '#c98d4f', 9),
});

export const tamarind = juice(
  '#8a4a22',
  '#4f230e',
  at(-98, -10, tamarindPod()) + at(-76, 8, tamarindPod(), 30),
  { ice: 3, surface: '#a8642f' },
);

export const water: Drawing = (shop) => still([bottle(shop, '#bfe0ee', '#2f7fb8', '#4aa0d0'), 0, 0, 1.12]);

export const sparklingWater: Drawing = (shop) =>
  still([bottle(shop, '#a7d7c0', '#2f7d5c', '#3f9a72', true), 0, 0, 1.12]);

const star = (colour: string): Art => circle(0, 0, 24, colour);

export const cola: Drawing = (shop) =>
  still([
    can(
      shop,
      '#8c1d24',
      '#4a1512',
      star('#fff3e6') + at(0, 0, stroke('M-12 4Q-4 -10 2 0T14 -4', '#8c1d24', 6)),
    ),
    0,
    0,
    1.3,
  ]);

export const dietCola: Drawing = (shop) =>
  still([
    can(shop, '#d9dcdf', '#b9bec3', star('#2a2a2e') + stroke('M-12 4Q-4 -10 2 0T14 -4', '#f2f2f2', 6)),
    0,
    0,
    1.3,
  ]);

export const lemonSoda: Drawing = (shop) =>
  still([can(shop, '#3f9a4a', '#f2cf3a', citrus(28, FOOD.lemon)), 0, 0, 1.3]);

export const maltDrink: Drawing = (shop) =>
  still([can(shop, '#7a1230', '#c9963a', pomegranate(26)), 0, 0, 1.3]);

/** Two cans, one behind the other. */
export const softDrinks: Drawing = (shop) =>
  still(
    [can(shop, '#3f9a4a', '#f2cf3a', citrus(28, FOOD.lemon)), 52, -22, 1.1],
    [
      can(shop, '#8c1d24', '#4a1512', star('#fff3e6') + stroke('M-12 4Q-4 -10 2 0T14 -4', '#8c1d24', 6)),
      -40,
      6,
      1.2,
    ],
  );
