/** Cakes on a plate, and basbousa. */
import { plate, table } from './dishes.ts';
import { blueberry, leaf } from './garnish.ts';
import { FOOD, type ShopPalette } from './palette.ts';
import { groundShadow, still, type Drawing } from './scene.ts';
import {
  at,
  box,
  circle,
  clip,
  darker,
  grains,
  oval,
  path,
  radial,
  rounded,
  scatter,
  shared,
  stroke,
  type Art,
} from './svg.ts';

/** A plate seen from the side, and a slice of cake of the given layers standing on it. */
const slicePlate = (shop: ShopPalette): Art =>
  groundShadow(shop, 140) +
  oval(0, -4, 150, 36, darker(shop.plate, 0.14)) +
  oval(0, -10, 150, 36, shop.plate) +
  oval(0, -9, 138, 31, shop.ring, 0.7) +
  oval(0, -9, 134, 29, shop.plate);

/** Layers from the top: a colour and its height. The slice shows its cut side and, on top, `top`. */
export const slice =
  (
    layers: readonly (readonly [colour: string, height: number])[],
    top: string,
    on: Art = '',
    side: Art = '',
  ): Drawing =>
  (shop) => {
    const height = layers.reduce((sum, [, h]) => sum + h, 0);
    let y = -height;
    const cut = layers.map(([colour, h]) => {
      const band = path(`M-112 ${y}L104 ${y + 26}V${y + h + 26}L-112 ${y + h}Z`, colour);
      y += h;
      return band;
    });
    const back = path(
      `M104 ${26 - height}L112 ${-34 - height}Q118 ${-30 - height} 118 ${-20 - height}V-10L104 26Z`,
      darker(layers[0]?.[0] ?? top, 0.3),
    );
    const outline = `M-112 ${-height}L104 ${26 - height}V26L-112 0Z`;
    return still([
      slicePlate(shop) +
        at(
          0,
          -34,
          back +
            clip(outline, cut.join('') + side) +
            path(outline, '#22100a', 0.05) +
            path(
              `M-112 ${-height}L104 ${26 - height}L112 ${-34 - height}Q0 ${-64 - height} -112 ${-height}Z`,
              top,
            ) +
            at(14, -height - 14, on),
        ),
      0,
      -14,
      1.06,
    ]);
  };

const cakeLayers = (cake: string, cream: string): readonly (readonly [string, number])[] => [
  [cream, 12],
  [cake, 30],
  [cream, 12],
  [cake, 30],
  [cream, 12],
  [cake, 30],
];

const crumbs = (seed: string, colour: string): Art =>
  grains(
    scatter(seed, 16, 90, 46).map((s) => ({ ...s, y: s.y - 50 })),
    0,
    colour,
    6,
  );

const rosette = (colour: string): Art =>
  circle(0, -8, 22, colour) +
  circle(0, -22, 14, colour) +
  stroke('M-18 -6Q0 8 18 -8M-11 -22Q0 -14 11 -23', darker(colour, 0.14), 4);

export const chocolateCake = slice(
  cakeLayers('#4a2616', '#7a452b'),
  '#5f3320',
  at(40, -8, rosette('#7a452b')),
  crumbs('choc', '#5f3522'),
);

export const carrotCake = slice(
  [
    ['#fff6e4', 16],
    ['#b8692c', 44],
    ['#fff6e4', 14],
    ['#b8692c', 48],
  ],
  '#fffaf0',
  at(
    36,
    -6,
    path('M-22 -6Q-8 -16 4 -8L34 8Q10 16 -8 10Q-24 6 -22 -6Z', '#f08a2a') +
      at(-20, -4, leaf(22, FOOD.leaf), -70) +
      at(-20, -4, leaf(20, FOOD.leafDark), -30),
  ),
  grains(
    scatter('carrot', 14, 90, 44).map((s) => ({ ...s, y: s.y - 50 })),
    9,
    '#e8923c',
    6,
  ),
);

export const lotusCheesecake = slice(
  [
    ['#c9803a', 14],
    ['#fbe9c4', 74],
    ['#a2602a', 26],
  ],
  '#d08a42',
  at(
    26,
    -14,
    box(-34, -12, 68, 26, 7, '#a9602a', 1) +
      box(-33, -14, 66, 23, 7, '#c67a3a') +
      stroke('M-18 -3H18', '#8f4c1c', 4),
  ),
  '',
);

export const sanSebastian = slice(
  [
    ['#6b3716', 8],
    ['#c98b3e', 10],
    ['#f9e3ae', 60],
    ['#f3d488', 26],
    ['#c98b3e', 8],
  ],
  '#5f2f14',
  oval(-10, -4, 34, 7, '#8f5224', 0.8),
  path('M60 -20C76 -30 92 -26 92 0V26H40Z', '#fbe9b4', 0.6),
);

export const plainCheesecake = slice(
  [
    ['#fbeed0', 78],
    ['#b0743a', 26],
  ],
  '#fff4da',
  at(
    24,
    -10,
    blueberry(14) +
      at(26, 3, blueberry(13)) +
      at(8, -14, blueberry(12)) +
      at(-16, 3, leaf(24, FOOD.mint), -50),
  ),
);

export const tiramisu = slice(
  [
    ['#fff3dc', 30],
    ['#a9713f', 20],
    ['#fff3dc', 32],
    ['#8f5a30', 22],
    ['#fff3dc', 10],
  ],
  '#5b3019',
  grains(scatter('tiramisu', 18, 60, 14), 0, '#7a4526', 9),
  stroke('M-100 -66Q-60 -76 -20 -60M-90 -16Q-40 -24 20 -6', '#6b3a1c', 5, 0.6),
);

export const moltenCake: Drawing = (shop) =>
  still([
    slicePlate(shop) +
      path('M-96 -18C-70 -34 40 -34 84 -20C110 -8 40 12 -20 6C-70 6 -112 -4 -96 -18Z', '#3a1a0e') +
      path('M-70 -108L-78 -26Q0 2 78 -26L70 -108Z', rounded('#5b2f1b')) +
      oval(0, -108, 70, 22, '#75412a') +
      path(
        'M-24 -110C-8 -122 34 -116 40 -104C52 -84 56 -60 50 -30C40 -8 22 -10 20 -28C18 -50 14 -62 6 -78C-4 -92 -34 -98 -24 -110Z',
        '#331509',
      ) +
      stroke('M20 -100Q36 -80 36 -50', '#8a5236', 5) +
      grains(
        scatter('molten', 14, 50, 14).map((s) => ({ ...s, y: s.y - 110 })),
        0,
        '#ffffff',
        5,
      ) +
      at(-92, -44, circle(0, 0, 26, '#fff6e0') + circle(-6, -8, 10, '#ffffff')),
    0,
    -10,
    1.1,
  ]);

export const brownie: Drawing = (shop) => {
  const block =
    path('M-84 -44L0 -74L84 -44L0 -10Z', '#6b3b24') +
    path('M-84 -44L0 -10V46L-84 10Z', '#4a2515') +
    path('M84 -44L0 -10V46L84 10Z', '#36190d') +
    stroke('M-40 -44L-10 -54M10 -30L40 -42M-14 -36l10 6M30 -52l12 4', '#8f5a3c', 5);
  const walnut = circle(0, 0, 11, '#c98d4f') + stroke('M-6 -4Q0 2 6 -5M-6 4Q0 0 5 5', '#8f5a2a', 3);
  return still([
    slicePlate(shop) +
      at(6, -118, block, 0, 0.96) +
      at(-8, -62, block + at(-20, -42, walnut) + at(26, -36, walnut), 0, 1.1),
    0,
    -16,
    1.06,
  ]);
};

const diamond = (nut: Art, turn = 0): Art =>
  path('M0 -46L40 0L0 46L-40 0Z', '#b06a1f') +
  path('M0 -46L40 0L0 40L-40 0Z', radial(['#f0bb58', 0], ['#dc9433', 100])) +
  grains(scatter('semolina', 10, 20, 24), 0, '#b9701f', 4) +
  at(0, 0, nut, turn);

const basbousaTray = (shop: ShopPalette, nut: Art): Art =>
  plate(shop) +
  at(0, -66, shared(diamond(nut)), 0, 1.24) +
  at(-56, 0, shared(diamond(nut)), 0, 1.24) +
  at(56, 0, shared(diamond(nut)), 0, 1.24) +
  at(0, 66, shared(diamond(nut)), 0, 1.24);

export const basbousaOf = (nut: Art): Drawing => table((shop) => basbousaTray(shop, nut), 1.02);
