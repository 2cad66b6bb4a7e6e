/** Hot coffee and chocolate, each a picture of an item. */
import {
  cup,
  CUP,
  chemex,
  dallah,
  dripper,
  frenchPress,
  kanaka,
  LATTE_ART,
  latteArt,
  paperCup,
  sandTray,
  spoon,
} from './cups.ts';
import {
  bean,
  cardamom,
  date,
  hazelnut,
  starAnise,
  steam,
  sugarCube,
  whipped,
  zigzag,
  drizzle,
} from './garnish.ts';
import { GLASS } from './glasses.ts';
import { FOOD } from './palette.ts';
import { still, type Drawing } from './scene.ts';
import { at, circle, darker, grains, lighter, oval, path, scatter, stroke, type Art } from './svg.ts';
import { inCup, inGlass } from './servings.ts';

/** The face of a Turkish coffee: a paler ring of froth. */
const face = (froth: string): Art =>
  circle(0, 0, 92, froth) +
  circle(6, 4, 62, darker(froth, 0.24)) +
  stroke('M-40 -30a10 10 0 1 0 1 0M30 34a7 7 0 1 0 1 0', lighter(froth, 0.25), 7);

/** A small cup before its kanaka, with something that tells the blend on the ground. */
export const turkish =
  (
    options: {
      readonly pot?: string;
      readonly froth?: string;
      readonly beside?: Art;
      readonly cup?: 'first' | 'second';
    } = {},
  ): Drawing =>
  (shop) => {
    const froth = options.froth ?? FOOD.crema;
    const colour = options.cup === 'second' ? shop.cupSecond : shop.cup;
    const band = options.cup === 'second' ? undefined : shop.cup === '#fbf5e6' ? shop.ring : shop.cupSecond;
    const small = cup(shop, {
      shape: CUP.demitasse,
      colour,
      liquid: froth,
      on: face(froth),
      saucer: shop.saucer,
      ...(band === undefined ? {} : { band }),
    });
    return still(
      [kanaka(shop, options.pot ?? FOOD.copper, darker(froth, 0.2)), -16, -34, 1.18],
      [steam(0, -76, 76), 66, 14, 1],
      [small, 64, 16, 1.12],
      [options.beside ?? '', -52, 18],
    );
  };

export const SPICES: Art =
  at(-24, -2, cardamom(34), 62) + at(8, 8, cardamom(30), 100) + at(-62, 6, starAnise(20));

export const HAZELNUTS: Art =
  at(-58, 0, hazelnut(17), -30) + at(-24, 8, hazelnut(18), 20) + at(6, 2, hazelnut(14), 70);

const BEANS: Art = at(-50, 2, bean(15), 60) + at(-18, 10, bean(14), 110) + at(10, 2, bean(12), 20);

/** French coffee: Turkish coffee with milk under a cream, with hazelnuts. */
export const frenchCoffee: Drawing = (shop) =>
  still(
    [steam(0, -104, 84), 4],
    [
      cup(shop, {
        shape: CUP.flat,
        colour: shop.cupSecond,
        liquid: '#b98153',
        on: circle(0, 0, 92, '#d9ad7c') + LATTE_ART.swirl,
        saucer: shop.saucer,
      }),
      0,
      -6,
      1.25,
    ],
    [at(0, 0, hazelnut(20), -30) + at(36, 10, hazelnut(17), 40), -112, 20],
  );

/** Coffee with chocolate spread running down its cup. */
export const spreadCoffee: Drawing = (shop) => {
  const runs = path(
    'M-88 -88C-70 -52 -66 -92 -54 -62C-48 -34 -34 -44 -34 -66C-26 -50 -8 -52 -4 -58C6 -22 26 -26 26 -58C40 -50 44 -60 50 -64C58 -40 78 -56 88 -88Q0 -52 -88 -88Z',
    FOOD.chocolate,
  );
  return still(
    [steam(0, -104, 84), 0],
    [
      cup(shop, {
        shape: CUP.flat,
        colour: shop.cup,
        liquid: FOOD.cremaDark,
        on: circle(0, 0, 92, '#9c6234') + zigzag(70, 40, FOOD.chocolate, 15),
        saucer: shop.saucer,
      }) + at(0, 3, runs, 0, 0.95),
      0,
      -6,
      1.25,
    ],
    [at(0, 0, hazelnut(20), 30) + at(-36, 12, hazelnut(16), -40), 116, 20],
  );
};

/** The dallah, two cups without handles, and dates. */
export const arabicCoffee: Drawing = (shop) => {
  const small = (x: number, front: number): readonly [Art, number, number, number] => [
    cup(shop, {
      shape: CUP.demitasse,
      colour: shop.cup,
      liquid: '#c9962f',
      plain: true,
      band: FOOD.brass,
      on: circle(0, 0, 60, '#d9ad4b'),
    }),
    x,
    front,
    0.92,
  ];
  return still([dallah(shop), -22, -26, 1.12], small(68, 10), [
    at(-16, 2, date(40), 14) + at(20, 12, date(38), -12) + at(-54, 14, cardamom(26), 74),
    -66,
    10,
  ]);
};

export const sandCoffee: Drawing = (shop) =>
  still(
    [sandTray(shop), 0, -14, 0.98],
    [steam(0, -160, 60), -18, -44],
    [
      cup(shop, {
        shape: CUP.demitasse,
        colour: shop.cup,
        liquid: FOOD.crema,
        on: face(FOOD.crema),
        band: shop.cupSecond,
      }),
      92,
      26,
      0.94,
    ],
  );

const crema =
  circle(0, 0, 90, FOOD.crema) + oval(-20, -14, 46, 32, '#d09a4f', 0.75) + circle(40, 30, 14, '#d09a4f', 0.6);

export const espresso = inCup(CUP.espresso, {
  liquid: FOOD.cremaDark,
  on: crema,
  size: 1.5,
  beside: at(104, 6, sugarCube(20)),
});

export const macchiato = inCup(CUP.espresso, {
  second: true,
  liquid: FOOD.cremaDark,
  on: crema + LATTE_ART.dot,
  size: 1.5,
  beside: at(-110, 8, spoon(70), -14),
});

export const americano = inCup(CUP.mug, {
  liquid: '#2e170c',
  on: stroke('M-78 -30A86 86 0 0 1 40 -72', '#a8672e', 12),
  size: 1.3,
  noSaucer: true,
  band: true,
});

export const flatWhite = inCup(CUP.flat, {
  second: true,
  liquid: FOOD.latte,
  on: circle(0, 0, 94, '#b97f4b') + LATTE_ART.rosetta,
  size: 1.35,
});

export const cappuccino = inCup(CUP.wide, {
  liquid: FOOD.latte,
  on: LATTE_ART.cocoa,
  size: 1.2,
  beside: at(-128, 12, spoon(74), -10),
});

export const mocha = inCup(CUP.mug, {
  second: true,
  liquid: FOOD.cocoa,
  above: whipped(56) + at(0, -66, drizzle(52, FOOD.chocolate)),
  size: 1.25,
  steam: false,
  noSaucer: true,
});

export const whiteMocha = inCup(CUP.wide, {
  liquid: '#e4c69a',
  size: 1.16,
  steam: false,
  band: true,
  above:
    whipped(74, '#fffdf6') +
    grains(
      scatter('white mocha', 11, 44, 26).map((spot) => ({ ...spot, y: spot.y - 34 })),
      13,
      '#e2c48f',
      6,
    ),
});

const marshmallow = (x: number, y: number, turn: number, colour: string) =>
  at(
    x,
    y,
    path('M-15 -10Q0 -16 15 -10V10Q0 16 -15 10Z', colour) + oval(0, -10, 15, 5, lighter(colour, 0.6)),
    turn,
  );

export const hotChocolate = inCup(CUP.mug, {
  liquid: '#5a2d18',
  size: 1.3,
  noSaucer: true,
  steam: true,
  on: circle(0, 0, 92, '#6e3a20'),
  above:
    marshmallow(-24, -6, -14, '#fff4e8') +
    marshmallow(22, -8, 18, '#ffe3dc') +
    marshmallow(0, 2, 4, '#fffaf2'),
});

/** Layers of milk and coffee in a tall glass. */
export const latte = inGlass(
  {
    glass: GLASS.latte,
    liquid: [
      ['#8a5530', 16],
      ['#c89566', 46],
      ['#ecd3b0', 100],
    ],
    froth: [FOOD.foam, 0.16],
    on: latteArt('#c08a55').heart,
    saucer: true,
  },
  { size: 1.14, steam: true },
);

export const spanishLatte = inGlass(
  {
    glass: GLASS.latte,
    liquid: [
      ['#8a5530', 20],
      ['#b37f50', 70],
      ['#fff3d6', 71],
      ['#fff3d6', 100],
    ],
    froth: ['#f6dfb8', 0.1],
    on: latteArt('#a8642c').swirl,
    saucer: true,
  },
  { size: 1.14, steam: true },
);

export const caramelLatte = inGlass(
  {
    glass: GLASS.latte,
    liquid: [
      ['#a96e3d', 14],
      ['#d7ab7c', 80],
      [FOOD.caramel, 81],
      [FOOD.caramel, 100],
    ],
    above: whipped(54) + at(0, -64, drizzle(50, FOOD.caramel)),
    saucer: true,
  },
  { size: 1.12 },
);

export const pistachioLatte = inGlass(
  {
    glass: GLASS.latte,
    liquid: [
      ['#a98a50', 16],
      ['#c6c07c', 56],
      [FOOD.pistachio, 100],
    ],
    froth: ['#e4e6b4', 0.17],
    on: grains(scatter('pistachio', 15, 66), 12, '#6f8f2e', 15),
    saucer: true,
  },
  { size: 1.14, steam: true },
);

export const cortado = inGlass(
  {
    glass: GLASS.short,
    liquid: [
      ['#7a4526', 24],
      ['#b98455', 70],
      ['#e0bd92', 100],
    ],
    froth: ['#e9c99d', 0.12],
    on: LATTE_ART.dot,
    saucer: true,
  },
  { size: 1.5, steam: true },
);

export const v60: Drawing = (shop) =>
  still([steam(0, -226, 50), 0], [dripper(shop), -6, 0, 1.02], [BEANS, 110, 12]);

export const chemexForTwo: Drawing = (shop) => {
  const small = cup(shop, {
    shape: CUP.demitasse,
    colour: shop.cup,
    liquid: FOOD.coffee,
    plain: true,
    band: shop.cupSecond,
  });
  return still([chemex(shop), -48, -22, 1.04], [small, 34, 18, 1.05], [small, 102, 0, 1.05]);
};

export const press: Drawing = (shop) => still([frenchPress(shop), -16, -2, 1.06], [BEANS, 108, 14]);

export const coffeeOfTheDay: Drawing = (shop) =>
  still(
    [steam(0, -222, 46), 0],
    [
      paperCup(shop, shop.cupSecond, circle(0, 0, 24, shop.cup) + at(0, 0, bean(17, shop.accent), 24)),
      0,
      0,
      1.1,
    ],
    [BEANS, 112, 12],
  );
