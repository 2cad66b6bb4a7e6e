/** Iced coffee, frappés and shakes, each a picture of an item. */
import { latteArt } from './cups.ts';
import {
  bean,
  biscuit,
  blackBiscuit,
  citrus,
  scoop,
  strawberry,
  whipped,
  zigzag,
  drizzle,
} from './garnish.ts';
import { bottle, GLASS, glassOf } from './glasses.ts';
import { inGlass } from './servings.ts';
import { FOOD } from './palette.ts';
import { still, type Drawing } from './scene.ts';
import { at, circle, grains, lighter, path, scatter, stroke, type Art, type Stop } from './svg.ts';

export const tall = GLASS.tall;

/** Sauce that runs down the inside of a tall glass. */
const drips = (colour: string): Art =>
  stroke(
    'M-52 -196C-40 -150 -60 -130 -46 -80M-18 -206C-8 -160 -26 -140 -16 -100M22 -206C14 -150 34 -140 24 -90M52 -196C40 -160 56 -120 44 -70',
    colour,
    10,
    0.9,
  );

export const layered = (...liquid: Stop[]) => liquid;

export const icedAmericano = inGlass({
  glass: tall,
  liquid: layered(['#6b3716', 0], ['#3a1a0c', 60], ['#2a1109', 100]),
  surface: '#8a4f24',
  ice: 4,
  straw: true,
});

export const icedLatte = inGlass({
  glass: tall,
  liquid: layered(['#7a4523', 8], ['#c08c5e', 40], [FOOD.milk, 66]),
  ice: 3,
  straw: true,
});

export const icedSpanishLatte = inGlass({
  glass: tall,
  liquid: layered(['#5e3018', 8], ['#a8703f', 36], ['#e3bf90', 66], ['#e3bf90', 78], ['#fff4d8', 79]),
  ice: 3,
  straw: true,
  froth: ['#f4dcb2', 0.1],
  on: latteArt('#b5722f').swirl,
});

export const icedMocha = inGlass(
  {
    glass: tall,
    liquid: layered(['#7d4a2c', 10], ['#a77350', 60], [FOOD.chocolate, 86]),
    inside: drips(FOOD.chocolate),
    straw: true,
    above: whipped(58) + at(0, -68, drizzle(54, FOOD.chocolate)),
    level: 0.06,
  },
  { size: 1 },
);

export const icedWhiteMocha = inGlass(
  {
    glass: tall,
    liquid: layered(['#b88a5c', 8], ['#e2c59c', 45], ['#fff6e2', 75]),
    ice: 3,
    straw: true,
    above:
      whipped(58, '#fffdf8') +
      grains(
        scatter('curls', 9, 38, 20).map((spot) => ({ ...spot, y: spot.y - 34 })),
        14,
        '#e6cc9c',
        6,
      ),
    level: 0.06,
  },
  { size: 1 },
);

export const icedCaramelMacchiato = inGlass({
  glass: tall,
  liquid: layered(['#6b3818', 12], ['#8f5a30', 34], [FOOD.milk, 48], [FOOD.milk, 84], [FOOD.caramel, 96]),
  inside: drips(FOOD.caramel),
  ice: 3,
  straw: true,
  froth: ['#f8e6c4', 0.1],
  on: zigzag(70, 44, FOOD.caramel, 18),
});

export const icedPistachioLatte = inGlass({
  glass: tall,
  liquid: layered(['#84552c', 8], ['#bba46a', 40], ['#b9c877', 72], [FOOD.pistachio, 92]),
  ice: 3,
  straw: true,
  froth: ['#e6e9b9', 0.09],
  on: grains(scatter('iced pistachio', 15, 66), 12, '#6f8f2e', 15),
});

export const coldBrew: Drawing = (shop) =>
  still(
    [
      glassOf(shop, {
        glass: GLASS.tumbler,
        liquid: layered(['#4a220f', 0], ['#1f0c06', 100]),
        surface: '#6b3a1a',
        ice: 4,
      }),
      0,
      0,
      1.4,
    ],
    [at(0, 0, bean(15), 60) + at(28, 10, bean(14), 110), -122, 14],
  );

/** A brown bottle beside a glass with one big cube. */
export const bottledColdBrew: Drawing = (shop) =>
  still(
    [bottle(shop, '#3a1a0c', '#e7d9bf', shop.accent), -48, -16, 1],
    [
      glassOf(shop, {
        glass: GLASS.tumbler,
        liquid: layered(['#4a220f', 0], ['#1f0c06', 100]),
        surface: '#6b3a1a',
        ice: 3,
      }),
      56,
      10,
      0.96,
    ],
  );

export const freddoEspresso = inGlass({
  glass: GLASS.straight,
  liquid: layered(['#4f2611', 30], ['#2c1209', 100]),
  froth: ['#b37840', 0.24],
  surface: '#c98f55',
  ice: 4,
  straw: true,
});

export const freddoCappuccino = inGlass({
  glass: GLASS.straight,
  liquid: layered(['#6b3a1c', 30], ['#36180b', 100]),
  froth: [FOOD.foam, 0.32],
  ice: 4,
  straw: true,
  on: grains(scatter('freddo', 16, 60), 2, FOOD.cocoa, 13),
});

export const espressoTonic = inGlass({
  glass: tall,
  liquid: layered(['#3a1a0c', 20], ['#8a5426', 42], ['#e8efe6', 56], ['#dfeae6', 100]),
  surface: '#6b3a1a',
  ice: 4,
  inside: grains(
    scatter('tonic', 14, 40, 44).map((spot) => ({ ...spot, y: spot.y - 62 })),
    0,
    '#ffffff',
    6,
  ),
  rim: at(-6, -6, citrus(30, FOOD.orange)),
});

export const affogato = inGlass(
  {
    glass: { ...GLASS.goblet, stem: 34 },
    liquid: layered(['#4a2412', 0], ['#2e150a', 100]),
    surface: '#7a4523',
    level: 0.32,
    above:
      at(-26, -18, scoop(38, '#f6e3b4')) +
      at(28, -20, scoop(38, '#fbeecb')) +
      path(
        'M-30 -58C-10 -70 30 -70 44 -52C34 -44 40 -24 30 -18C22 -34 12 -44 2 -40C-4 -22 -18 -26 -18 -40Q-30 -44 -30 -58Z',
        '#5a2c14',
      ),
  },
  { size: 1.3 },
);

const frappe = (colour: string, foot: string, above: Art, inside = ''): Drawing =>
  inGlass(
    {
      glass: GLASS.shake,
      liquid: layered([lighter(colour, 0.12), 0], [colour, 60], [foot, 100]),
      level: 0.05,
      inside,
      straw: true,
      above,
    },
    { size: 0.96 },
  );

export const coffeeFrappe = frappe(
  '#b98a61',
  '#8f5f3a',
  whipped(66) + at(0, -50, grains(scatter('coffee frappe', 12, 34, 22), 2, FOOD.coffee, 8)),
);

export const caramelFrappe = frappe(
  '#d9ab72',
  FOOD.caramel,
  whipped(66) + at(0, -78, drizzle(62, FOOD.caramel)),
  drips(FOOD.caramel),
);

export const mochaFrappe = frappe(
  '#8f5f44',
  FOOD.chocolate,
  whipped(66) + at(0, -78, drizzle(62, FOOD.chocolate)),
  drips(FOOD.chocolate),
);

export const lotusFrappe = frappe(
  '#c58f5c',
  '#9a5a28',
  whipped(66, '#f7e2c0') +
    at(24, -64, biscuit(64, 30, '#b5662c'), 62) +
    at(-16, -40, grains(scatter('crumbs', 12, 36, 16), 5, '#a2561f', 8)),
);

export const vanillaShake = frappe(
  '#fbeec9',
  '#efd9a0',
  whipped(66) +
    at(
      -6,
      -72,
      circle(0, -6, 14, '#d4263a') +
        circle(-4, -11, 4, '#ffffff', 0.6) +
        stroke('M2 -18Q8 -40 22 -46', '#4f7a2f', 4),
    ),
);

export const strawberryShake = frappe(
  '#f6a9ae',
  '#e8737f',
  whipped(66, '#fff3f1') + at(-6, -76, strawberry(40), -8),
);

export const oreoShake = frappe(
  '#e3dad4',
  '#bdb1ab',
  whipped(66) +
    at(14, -76, blackBiscuit(30)) +
    at(-22, -40, grains(scatter('black crumbs', 10, 30, 14), 4, '#2b2022', 8)),
  grains(
    scatter('black bits', 26, 48, 90).map((spot) => ({ ...spot, y: spot.y - 110 })),
    5,
    '#3a2d2f',
    8,
  ),
);
