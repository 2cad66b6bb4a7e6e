/** Things from the oven. */
import { onPlate, plate, table } from './dishes.ts';
import { almond, blueberry, date, leaf } from './garnish.ts';
import { FOOD } from './palette.ts';
import { groundShadow, still, type Drawing } from './scene.ts';
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
  rounded,
  scatter,
  shared,
  stroke,
  strew,
  vertical,
  type Art,
} from './svg.ts';

/** A croissant, its belly up; about 230 wide around the origin. */
export const croissantShape = (colour: string = FOOD.crust): Art => {
  const dark = darker(colour, 0.3);
  const light = lighter(colour, 0.34);
  return (
    path(
      'M-118 46C-136 22 -112 -22 -82 -34C-66 -50 -58 -54 -46 -60C-30 -76 30 -76 46 -60C58 -54 66 -50 82 -34C112 -22 136 22 118 46C112 58 94 54 84 40C70 26 52 22 36 26Q0 14 -36 26C-52 22 -70 26 -84 40C-94 54 -112 58 -118 46Z',
      vertical([light, 0], [colour, 55], [darker(colour, 0.22), 100]),
    ) +
    path(
      'M-46 -60C-56 -30 -48 8 -36 26Q0 14 36 26C48 8 56 -30 46 -60C30 -76 -30 -76 -46 -60Z',
      vertical([lighter(colour, 0.5), 0], [lighter(colour, 0.08), 70], [darker(colour, 0.1), 100]),
    ) +
    stroke(
      'M-46 -60C-56 -30 -48 8 -36 26M46 -60C56 -30 48 8 36 26M-82 -34C-94 -12 -92 20 -84 40M82 -34C94 -12 92 20 84 40',
      dark,
      5,
      0.75,
    ) +
    stroke(
      'M-20 -58C-24 -40 -24 -22 -20 -4M14 -60C18 -44 18 -24 14 -6M-66 -34C-70 -18 -70 -4 -66 10M66 -34C70 -18 70 -4 66 10M-104 -8Q-110 6 -108 22',
      light,
      5,
      0.8,
    )
  );
};

const croissant =
  (on: Art, colour: string = FOOD.crust, beside: Art = ''): Drawing =>
  (shop) =>
    still(
      [groundShadow(shop, 128) + at(0, -64, croissantShape(colour) + on, -5, 1.2), 0, -34],
      [beside, 0, 10],
    );

const onTop = (seed: string, count: number) =>
  scatter(seed, count, 72, 24).map((spot) => ({ ...spot, y: spot.y - 26 }));

export const butterCroissant = croissant(
  '',
  FOOD.crust,
  at(
    104,
    -6,
    path('M-34 -8L10 -22L36 -8V12L-8 24L-34 10Z', '#f2d060') + path('M-34 -8L10 -22L36 -8L-8 6Z', '#fbe79b'),
  ),
);

export const cheeseCroissant = croissant(
  path(
    'M-34 24C-32 2 -28 -8 -24 -2C-16 10 -8 -2 0 8C10 -4 18 8 26 -4C30 -6 34 6 36 24C38 44 26 44 22 34C14 48 4 46 0 34C-8 50 -20 46 -22 34C-28 42 -36 40 -34 24Z',
    FOOD.cheese,
  ),
  FOOD.crust,
  at(
    106,
    -10,
    path('M-40 18L34 -24Q44 -10 42 18Z', '#ffe08a') +
      path('M-40 18H42V30H-40Z', '#f0bd45') +
      circle(10, 6, 7, '#e8b23a') +
      circle(28, -4, 4, '#e8b23a'),
  ),
);

export const chocolateCroissant = croissant(
  stroke(
    'M-88 -8L-70 -38M-58 6L-34 -52M-24 8L-4 -62M10 8L26 -62M44 4L56 -46M76 10L86 -24',
    FOOD.chocolate,
    10,
  ),
  '#b9702c',
  at(
    104,
    4,
    box(-30, -18, 60, 30, 5, FOOD.chocolate) + stroke('M-10 -18V12M10 -18V12M-30 -3H30', '#6d3a22', 4),
  ),
);

export const zaatarCroissant = croissant(
  grains(onTop('zaatar', 42), 6, '#5d7a2e', 7) + grains(onTop('sesame', 16), 3, '#fdf0cf', 6),
  FOOD.crust,
  at(96, 4, leaf(40, '#6f8f3f'), -60) +
    at(98, 4, leaf(42, '#5d7a2e'), 50) +
    at(98, 6, leaf(38, '#7fa04a'), -4),
);

export const almondCroissant = croissant(
  strew(
    scatter('flakes', 12, 80, 22).map((spot) => ({ ...spot, y: spot.y - 26 })),
    oval(0, 0, 15, 8, '#f6dfae') + stroke('M-10 0H9', '#c98d4f', 2),
  ) + grains(onTop('sugar', 24), 0, '#ffffff', 6),
  '#c68a45',
  at(96, 6, almond(34), 60) + at(124, 16, almond(30), 100),
);

export const cinnamonRoll: Drawing = onPlate(
  circle(4, 6, 98, '#22100a', 0.16) +
    circle(0, 0, 98, radial(['#e8b56c', 0], ['#cf8c40', 60], ['#a9642a', 100])) +
    stroke(
      'M8 -2C-6 -14 -26 6 -10 22C14 42 44 8 26 -22C2 -56 -58 -38 -58 12C-54 66 36 80 66 26C84 -22 60 -78 0 -82',
      '#7a3d18',
      11,
    ) +
    stroke(
      'M-70 -30C-54 -78 20 -92 56 -54C80 -26 70 16 48 40M-64 34C-40 76 10 84 34 66M-26 -14C-14 -40 24 -34 28 -8C30 10 16 24 4 26',
      '#fff6e6',
      13,
    ) +
    circle(-70, -12, 7, '#fff6e6') +
    circle(34, 54, 8, '#fff6e6') +
    circle(4, 34, 7, '#fff6e6'),
);

const muffin =
  (top: string, on: Art, wrap: string): Drawing =>
  (shop) =>
    still([
      groundShadow(shop, 84) +
        path('M-80 -108L-58 -4Q0 14 58 -4L80 -108Z', rounded(wrap)) +
        stroke('M-52 -96L-38 4M-20 -92L-14 8M52 -96L38 4M20 -92L14 8', darker(wrap, 0.22), 6, 0.8) +
        path(
          'M-104 -110C-126 -150 -88 -186 -62 -184C-46 -226 46 -226 62 -184C88 -186 126 -150 104 -110C96 -84 62 -90 50 -98C28 -80 -28 -80 -50 -98C-62 -90 -96 -84 -104 -110Z',
          radial([lighter(top, 0.36), 0], [top, 55], [darker(top, 0.22), 100]),
        ) +
        on,
      0,
      -10,
      1.12,
    ]);

export const blueberryMuffin = muffin(
  '#dba95c',
  at(-46, -150, blueberry(17)) +
    at(8, -180, blueberry(18)) +
    at(56, -138, blueberry(16)) +
    at(4, -122, blueberry(17)) +
    at(-84, -116, blueberry(12)) +
    grains(
      scatter('muffin sugar', 14, 70, 30).map((s) => ({ ...s, y: s.y - 150 })),
      0,
      '#fff6e0',
      6,
    ),
  '#f4e3c4',
);

export const chocolateMuffin = muffin(
  '#6b3a22',
  strew(
    scatter('chips', 11, 74, 34).map((s) => ({ ...s, y: s.y - 148 })),
    path('M-10 7Q0 -16 10 7Q0 12 -10 7Z', '#2f160c'),
  ),
  '#a9683f',
);

/** A pâté: a rectangle of puff pastry with cheese that runs out. */
export const pate: Drawing = (shop) =>
  still([
    groundShadow(shop, 128) +
      path(
        'M-124 -62L-116 -14Q-114 -2 -100 -2H100Q114 -2 116 -14L124 -62Z',
        vertical(['#d99b4d', 0], ['#a9662a', 100]),
      ) +
      stroke('M-118 -44H118M-116 -30H116M-114 -16H114', '#8a4d1c', 4, 0.6) +
      path(
        'M30 -24C46 -36 80 -34 104 -22C120 -8 96 8 84 -2C70 12 44 8 44 -8C30 -6 20 -16 30 -24Z',
        FOOD.cheese,
      ) +
      path(
        'M-124 -62C-132 -78 -110 -118 -84 -122Q0 -136 84 -122C110 -118 132 -78 124 -62Q0 -44 -124 -62Z',
        vertical(['#f0c27a', 0], ['#d28b3c', 100]),
      ) +
      stroke(
        'M-78 -112L-96 -66M-34 -118L-44 -60M12 -120L8 -60M56 -116L62 -60M96 -108L106 -70',
        '#a9662a',
        6,
        0.7,
      ) +
      grains(
        scatter('pate sesame', 22, 96, 20).map((s) => ({ ...s, y: s.y - 92 })),
        4,
        '#fff3d6',
        7,
      ),
    0,
    -26,
    1.06,
  ]);

/** A round biscuit: a pinched edge and a stamped star. */
const kors = (): Art => {
  const marks = Array.from({ length: 12 }, (_, i) => {
    const [x, y] = [Math.cos((i * Math.PI) / 6), Math.sin((i * Math.PI) / 6)];
    return `M${x * 40} ${y * 40}L${x * 49} ${y * 49}`;
  });
  return (
    circle(3, 6, 54, '#22100a', 0.16) +
    circle(0, 0, 54, radial(['#f2cf94', 0], ['#d9a255', 60], ['#b87a36', 100])) +
    stroke(marks.join(''), '#a9682c', 5, 0.8) +
    stroke('M0 -26V26M-22 -13L22 13M-22 13L22 -13', '#a9682c', 6, 0.75) +
    circle(0, 0, 7, '#5b2b14')
  );
};

const halfKors = (): Art =>
  path('M-54 0A54 50 0 0 1 54 0Q50 24 0 26Q-50 24 -54 0Z', '#d9a255') +
  path('M-46 2Q0 -14 46 2Q36 16 0 18Q-36 16 -46 2Z', '#5b2b14') +
  stroke('M-26 2Q0 -4 24 2', '#8a4a24', 4);

export const dateBiscuits: Drawing = onPlate(
  at(-44, -44, shared(kors())) +
    at(54, -30, shared(kors()), 50) +
    at(-30, 54, shared(kors()), 140) +
    at(60, 60, halfKors(), 10) +
    at(2, 6, date(34), 30),
);

export const feteer: Drawing = table(
  (shop) =>
    plate(shop) +
    circle(3, 6, 106, '#22100a', 0.16) +
    circle(0, 0, 106, radial(['#f6d793', 0], ['#e2ac56', 60], ['#bd7d33', 100])) +
    stroke(
      'M-70 -60C-20 -96 60 -80 84 -16M-88 -8C-70 -60 20 -72 52 -18M-60 52C-80 10 -20 -40 20 -6M-20 84C40 88 84 40 76 10M-40 66C0 74 50 50 50 16M-12 24C4 36 26 26 24 8',
      '#a9692a',
      6,
      0.75,
    ) +
    stroke(
      'M-58 -64C-20 -86 30 -84 60 -54M-66 28C-70 0 -40 -24 -10 -20M-8 72C20 74 50 60 60 40',
      '#fbe9b8',
      6,
      0.8,
    ) +
    path('M0 0L74 108A132 132 0 0 1 8 131Z', shop.plate) +
    stroke('M0 0L74 104M0 0L8 112', '#a9692a', 5),
);

const cookie = (colour: string, chips: Art): Art =>
  circle(4, 7, 74, '#22100a', 0.16) +
  path(
    'M-72 -8C-76 -46 -40 -76 -4 -74C38 -78 76 -44 74 -4C78 38 42 74 2 74C-40 78 -76 38 -72 -8Z',
    radial([lighter(colour, 0.3), 0], [colour, 60], [darker(colour, 0.25), 100]),
  ) +
  chips;

const chipsOf = (seed: string, colour: string): Art =>
  strew(
    scatter(seed, 10, 54),
    path('M-11 6Q-8 -11 4 -10Q14 -4 10 8Q0 13 -11 6Z', colour) + circle(-2, -4, 3, '#ffffff', 0.3),
  );

export const chocChipCookie: Drawing = onPlate(
  at(30, -34, cookie('#c98d4a', chipsOf('cookie back', '#4a2413'))) +
    at(-28, 30, cookie('#cf9450', chipsOf('cookie', '#4a2413'))),
);

export const redVelvetCookie: Drawing = onPlate(
  at(30, -34, cookie('#a3202c', chipsOf('velvet back', '#fff3e4'))) +
    at(-28, 30, cookie('#ad2430', chipsOf('velvet', '#fff3e4'))),
);
