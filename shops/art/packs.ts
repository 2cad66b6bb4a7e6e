/** Coffee to take home, and combos of several things. */
import { croissantShape } from './bakery.ts';
import { cup, CUP, kanaka, LATTE_ART, paperCup } from './cups.ts';
import { bean, cardamom, hazelnut, starAnise } from './garnish.ts';
import { can, GLASS, glassOf } from './glasses.ts';
import { FOOD, type ShopPalette } from './palette.ts';
import { friesArt } from './salads.ts';
import { sandwichArt } from './sandwiches.ts';
import { groundShadow, still, type Drawing } from './scene.ts';
import { at, box, circle, darker, lighter, oval, path, rounded, shared, stroke, type Art } from './svg.ts';

const bag = (shop: ShopPalette, colour: string, label: string, mark: Art): Art =>
  groundShadow(shop, 88) +
  path(
    'M-84 -206C-80 -140 -94 -70 -90 -10Q-90 0 -78 2Q0 10 78 2Q90 0 90 -10C94 -70 80 -140 84 -206Z',
    rounded(colour),
  ) +
  path('M-86 -232H86V-204H-86Z', darker(colour, 0.2)) +
  stroke('M-86 -204H86', lighter(colour, 0.3), 4, 0.5) +
  box(-60, -170, 120, 128, 14, label) +
  at(0, -106, mark) +
  circle(0, -188, 7, darker(colour, 0.35)) +
  path('M-76 -196C-74 -140 -82 -80 -80 -16l12 2C-68 -80 -62 -140 -64 -196Z', '#ffffff', 0.22);

const bagOf =
  (colour: string, label: string, mark: Art, beside: Art): Drawing =>
  (shop) =>
    still([bag(shop, colour, label, mark), -4, -4, 1.08], [beside, 104, 14]);
const beside = (colour: string): Art => at(0, 0, bean(16, colour), 50) + at(28, 8, bean(14, colour), 120);
const house = path('M-36 36V-8L0 -38L36 -8V36Z', '#a4521f') + at(0, 10, bean(18, '#f7f0e6'), 24);

export const houseBlend = bagOf('#3a2416', '#f7ecda', house, beside('#6b3a1e'));
const cezve = (colour: string): Art =>
  path('M-22 -20C-14 -6 -30 8 -24 28H24C30 8 14 -6 22 -20Z', colour) + stroke('M-22 -18L-46 -30', colour, 8);
export const turkishMedium = bagOf(
  '#a4521f',
  '#f7ecda',
  at(8, 0, cezve('#a4521f'), 0, 1.1),
  beside('#5a3018'),
);
export const turkishSpiced = bagOf(
  '#6f7d45',
  '#f4ecd2',
  at(-2, 0, starAnise(38)),
  at(-8, 0, cardamom(34), 60) + at(22, 12, cardamom(30), 110),
);
export const ethiopia = bagOf(
  '#e0a93c',
  '#fff4d6',
  at(
    0,
    0,
    circle(0, 0, 34, '#e58a2c') +
      path('M-40 12Q0 -20 40 12V40H-40Z', '#6f9a4a') +
      path('M-34 16L-6 -14L14 8L24 0L38 18V40H-38Z', '#3f7448'),
  ),
  beside('#8a4f28'),
);
export const colombia = bagOf(
  '#2f6f73',
  '#e9f1ea',
  at(0, 0, bean(26, '#a4521f'), -20) +
    at(-26, 24, bean(17, '#c77a3a'), 40) +
    at(28, 22, bean(17, '#c77a3a'), -60),
  beside('#4a2614'),
);
export const dripBags: Drawing = (shop) => {
  const sachet = (x: number, turn: number) =>
    at(
      x,
      -150,
      box(-34, -60, 68, 100, 5, '#fffaf1') +
        box(-34, -60, 68, 14, 4, shop.ring) +
        at(0, -6, bean(16, shop.accent), 20),
      turn,
    );
  return still([
    groundShadow(shop, 120) +
      path('M-104 -120L-120 -160H120L104 -120Z', darker(shop.accent, 0.4)) +
      sachet(-58, -7) +
      sachet(56, 7) +
      sachet(0, 0) +
      box(-112, -124, 224, 124, 10, rounded(shop.accent)) +
      box(-78, -94, 156, 64, 10, '#f7ecda') +
      at(-40, -62, bean(19, shop.accent), 24) +
      stroke('M-6 -72H54M-6 -52H34', shop.accent, 8),
    0,
    -8,
    1.1,
  ]);
};

const cappuccinoCup = (shop: ShopPalette): Art =>
  cup(shop, {
    shape: CUP.wide,
    colour: shop.cup,
    liquid: FOOD.latte,
    on: LATTE_ART.cocoa,
    saucer: shop.saucer,
  });
export const quickBreakfast: Drawing = (shop) =>
  still(
    [cappuccinoCup(shop), -64, -50, 0.94],
    [groundShadow(shop, 90) + at(0, -36, croissantShape(), -4, 0.86), 62, 14],
  );
export const sandwichMeal: Drawing = (shop) =>
  still(
    [can(shop, '#8c1d24', '#4a1512', circle(0, 0, 22, '#fff3e6')), 104, -52, 0.98],
    [friesArt(shop), -96, -44, 0.8],
    [
      sandwichArt(shop, 'ciabatta', [
        ['#7fb547', 17, true],
        ['#eaa08e', 14, true],
        ['#f6b73c', 14, true],
        ['#dd4a36', 14],
      ]),
      0,
      20,
      0.88,
    ],
  );
export const forTwo: Drawing = (shop) => {
  const glass = (liquid: string) =>
    glassOf(shop, {
      glass: GLASS.latte,
      liquid: [
        ['#8a5530', 16],
        [liquid, 60],
        ['#ecd3b0', 100],
      ],
      froth: [FOOD.foam, 0.14],
    });
  const cake =
    path('M-80 -62L76 -44V0L-80 -18Z', '#5a2f1c') +
    stroke('M-78 -40L74 -22', '#f6e2c4', 10) +
    path('M-80 -62L76 -44L84 -84Q0 -104 -80 -62Z', '#6f3d26') +
    path('M76 -44L84 -84V-30L76 0Z', '#3a1a0e');
  return still(
    [glass('#c89566'), -72, -58, 0.94],
    [glass('#b98455'), 64, -58, 0.94],
    [
      oval(0, -2, 118, 27, darker(shop.plate, 0.16)) +
        oval(0, -7, 118, 27, shop.plate) +
        oval(0, -6, 106, 22, darker(shop.plate, 0.05)) +
        at(2, -8, cake, 0, 0.92),
      0,
      14,
    ],
  );
};
export const turkishAndSweet: Drawing = (shop) =>
  still(
    [kanaka(shop, FOOD.copper), -40, -66, 1.06],
    [
      cup(shop, {
        shape: CUP.demitasse,
        colour: shop.cup,
        liquid: FOOD.crema,
        on: circle(6, 4, 62, '#8a5220'),
        saucer: shop.saucer,
        band: shop.cupSecond,
      }),
      -50,
      18,
      1.06,
    ],
    [
      oval(0, 2, 76, 20, darker(shop.plate, 0.16)) +
        oval(0, -3, 76, 20, shop.plate) +
        at(
          0,
          -4,
          path('M-50 -14L0 -34L50 -14V14L0 34L-50 14Z', '#a9641d') +
            path('M-50 -14L0 -36L50 -14L0 8Z', '#eab04c') +
            at(0, -15, hazelnut(12)) +
            path('M0 8L50 -14V14L0 34Z', '#8f5216'),
          0,
          0.96,
        ),
      82,
      6,
    ],
  );
export const officeBox: Drawing = (shop) => {
  const coffee = (x: number, front: number): readonly [Art, number, number, number] => [
    shared(paperCup(shop, shop.cupSecond, at(0, 0, bean(20, '#fff3df'), 24))),
    x,
    front,
    0.72,
  ];
  const front = path('M-150 -74H150L142 0Q142 8 132 8H-132Q-142 8 -142 0Z', rounded('#c99a66'));
  return still(coffee(-96, -66), coffee(-32, -74), coffee(32, -74), coffee(96, -66), [
    groundShadow(shop, 150) +
      path('M-150 -74L-132 -104H132L150 -74Z', '#8f6539') +
      at(-84, -82, shared(croissantShape()), -10, 0.5) +
      at(4, -84, croissantShape('#a9602a'), 6, 0.5) +
      at(88, -82, shared(croissantShape()), -4, 0.5) +
      front +
      stroke('M-150 -74H150', lighter('#c99a66', 0.35), 6) +
      box(-48, -52, 96, 40, 10, '#f7ecda') +
      at(0, -32, bean(14, shop.accent), 60),
    0,
    22,
  ]);
};

/** The bag of the house blend without its background. */
export const houseBag = (shop: ShopPalette): Art => bag(shop, '#3a2416', '#f7ecda', house);
