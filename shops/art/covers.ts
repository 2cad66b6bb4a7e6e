/** The covers (1600 × 900) and loyalty cards (1032 × 336). Their lower third is quiet: words stand on it. */
import { croissantShape } from './bakery.ts';
import { chemex, cup, CUP, dallah, kanaka, LATTE_ART } from './cups.ts';
import { bean, leaf, mint } from './garnish.ts';
import { GLASS, glassOf } from './glasses.ts';
import { hangingLantern } from './lantern.ts';
import { houseBag } from './packs.ts';
import { BEIT, FOOD, LAYALY, ZAWYA, type ShopPalette } from './palette.ts';
import { groundShadow } from './scene.ts';
import {
  at,
  box,
  circle,
  darker,
  grains,
  lighter,
  mix,
  oval,
  path,
  random,
  scatter,
  stroke,
  strew,
  vertical,
  type Art,
} from './svg.ts';

const house = (x: number, w: number, top: number, colour: string): Art =>
  path(
    `M${x} 640V${top + w * 0.4}Q${x} ${top + w * 0.34} ${x + 14} ${top + w * 0.31}L${x + w * 0.44} ${top + 10}Q${x + w / 2} ${top - 6} ${x + w * 0.56} ${top + 10}L${x + w - 14} ${top + w * 0.31}Q${x + w} ${top + w * 0.34} ${x + w} ${top + w * 0.4}V640Z`,
    colour,
  );

const cappuccino = (shop: ShopPalette, second = false): Art =>
  cup(shop, {
    shape: CUP.wide,
    colour: second ? shop.cupSecond : shop.cup,
    liquid: FOOD.latte,
    on: circle(0, 0, 94, '#b97f4b') + LATTE_ART.rosetta,
    saucer: shop.saucer,
  });
const smallCup = (shop: ShopPalette): Art =>
  cup(shop, {
    shape: CUP.demitasse,
    colour: shop.cup,
    liquid: FOOD.crema,
    on: circle(6, 4, 62, FOOD.cremaDark),
    saucer: shop.saucer,
    band: shop.cupSecond,
  });
const icedLatte = (shop: ShopPalette): Art =>
  glassOf(shop, {
    glass: GLASS.tall,
    liquid: [
      ['#7a4523', 8],
      ['#c08c5e', 40],
      [FOOD.milk, 66],
    ],
    ice: 3,
    straw: true,
  });
const mintTea = (shop: ShopPalette): Art =>
  glassOf(shop, {
    glass: GLASS.tea,
    liquid: [
      [FOOD.tea, 0],
      [darker(FOOD.tea, 0.25), 100],
    ],
    saucer: true,
    inside: at(6, -30, mint(1.2), 10),
    above: at(6, 4, mint(1), 16),
  });

/** A counter with what the house makes, houses on the wall behind it. */
export const beitCover: Art =
  path('M0 0H1600V900H0Z', '#f0d8bd') +
  house(90, 380, 150, '#f4e2cb') +
  house(1130, 380, 150, '#f4e2cb') +
  house(520, 560, 60, '#f8ecd9') +
  path('M0 620H1600V900H0Z', BEIT.foreground) +
  path('M0 596H1600V640H0Z', '#c98a55') +
  path('M0 596H1600V606H0Z', '#deab78') +
  at(240, 596, houseBag(BEIT), 0, 1) +
  at(420, 604, dallah(BEIT), 0, 0.98) +
  at(590, 600, chemex(BEIT), 0, 1.12) +
  at(820, 612, cappuccino(BEIT), 0, 1.36) +
  at(1046, 598, kanaka(BEIT, FOOD.copper), 0, 1.5) +
  at(1152, 616, smallCup(BEIT), 0, 1.2) +
  at(1330, 602, icedLatte(BEIT), 0, 0.96) +
  at(706, 624, bean(15), 60) +
  at(674, 630, bean(14), 110) +
  at(948, 630, bean(14), 30) +
  at(1460, 572, groundShadow(BEIT, 100) + at(0, -20, croissantShape()), 0, 0.9);

const waves = (y: number, colour: string, seed: string): Art => {
  const next = random(seed);
  const d = Array.from(
    { length: 9 },
    (_, i) => `M${Math.round(i * 180 + next() * 90)} ${Math.round(y + next() * 26)}q22 -12 44 0t44 0`,
  );
  return stroke(d.join(''), colour, 6, 0.55);
};

/** A corner of white walls that opens on the sea. */
export const zawyaCover: Art =
  path('M0 0H1600V900H0Z', vertical(['#cfe5e6', 0], ['#f4ead8', 62], ['#f4ead8', 100])) +
  circle(880, 250, 104, '#fbf1da') +
  path('M0 356H1600V640H0Z', vertical(['#4d9aa0', 0], ['#2a7f88', 100])) +
  oval(880, 372, 150, 8, '#e8f1e6', 0.7) +
  oval(880, 396, 110, 7, '#e8f1e6', 0.5) +
  oval(880, 420, 70, 6, '#e8f1e6', 0.4) +
  waves(400, '#9fcdce', 'far') +
  waves(480, '#8fc2c4', 'near') +
  path('M1120 356L1066 356L1110 340V200Q1172 268 1178 340H1120ZM1056 344H1190L1166 366H1078Z', '#fdfcf7') +
  path('M0 0H470L330 590H0Z', '#fbfaf5') +
  path('M330 590L470 0H500L362 590Z', '#dfe6e0') +
  path('M64 0H150L60 240H0V150Z', '#eef1ea') +
  path('M0 640L0 420L330 590L362 590V640Z', '#e7e5d8') +
  path('M0 590H1600V900H0Z', ZAWYA.foreground) +
  path('M0 590H1600V632H0Z', '#e9e1cd') +
  path('M0 590H1600V600H0Z', '#fbf6e8') +
  path('M0 900V640L260 900Z', ZAWYA.accent, 0.55) +
  path('M0 900V770L130 900Z', ZAWYA.accent, 0.8) +
  at(
    250,
    590,
    path('M-54 -96H54L40 0H-40Z', '#c9744a') +
      [-50, -24, 0, 26, 52]
        .map((turn) => at(0, -92, leaf(130 - Math.abs(turn), turn % 4 === 0 ? '#4f8f6a' : '#3c7658'), turn))
        .join(''),
  ) +
  at(560, 594, icedLatte(ZAWYA), 0, 1.12) +
  at(790, 608, cappuccino(ZAWYA, true), 0, 1.5) +
  at(
    1046,
    596,
    groundShadow(ZAWYA, 130) +
      oval(0, 2, 150, 26, '#dcdcd0') +
      oval(0, -4, 150, 26, '#fdfcf7') +
      at(0, -46, croissantShape(), -4, 0.96),
  ) +
  at(1350, 598, mintTea(ZAWYA), 0, 1.2);

const windows = (seed: string, x: number, y: number, w: number, h: number): Art =>
  grains(
    scatter(seed, 9, w / 2 - 12, h / 2 - 14).map((s) => ({ ...s, x: s.x + x + w / 2, y: s.y + y + h / 2 })),
    0,
    '#f2c769',
    8,
  );
const tower = (seed: string, x: number, w: number, h: number): Art =>
  box(x, 470 - h, w, h + 10, 4, '#172750') + windows(seed, x, 470 - h, w, h);
const palm = (x: number, y: number, size: number): Art =>
  at(
    x,
    y,
    stroke('M0 0C-6 -70 4 -120 -2 -180', '#0e1830', 13) +
      [-100, -64, -28, 12, 50, 86]
        .map((turn) => at(-2, -178, path('M0 0C-16 -40 -6 -84 10 -104C20 -70 18 -30 0 0Z', '#0e1830'), turn))
        .join(''),
    0,
    size,
  );
const felucca = (x: number, y: number, size: number): Art =>
  at(
    x,
    y,
    path('M-70 0H80L56 24H-48Z', '#0e1830') +
      path('M-6 -8C-20 -70 6 -140 62 -190C66 -120 56 -50 70 -8Z', '#f3e7cb') +
      path('M-6 -8C-20 -70 6 -140 62 -190C30 -120 24 -60 26 -8Z', '#cdbf9f') +
      stroke('M-8 2V-60', '#0e1830', 5),
    0,
    size,
  );
const crescent = path('M40 -96A104 104 0 1 0 96 40A84 84 0 1 1 40 -96Z', '#f6dfa0');
const redTea = (shop: ShopPalette): Art =>
  glassOf(shop, {
    glass: GLASS.tea,
    liquid: [
      ['#c2481a', 0],
      ['#7a230a', 100],
    ],
    saucer: true,
  });

/** Night on the corniche: the other bank, feluccas, lanterns above the ledge. */
export const layalyCover: Art =
  path('M0 0H1600V900H0Z', vertical(['#0f1a33', 0], ['#2f4c86', 54], ['#2f4c86', 100])) +
  grains(
    scatter('stars', 60, 800, 190).map((s) => ({ ...s, x: s.x + 800, y: s.y + 190 })),
    0,
    '#f8f1e1',
    4,
  ) +
  at(860, 196, crescent, 0, 0.9) +
  tower('one', 40, 90, 120) +
  tower('two', 150, 120, 84) +
  tower('three', 300, 70, 170) +
  tower('four', 392, 130, 100) +
  tower('five', 560, 96, 64) +
  tower('six', 930, 90, 76) +
  tower('seven', 1040, 130, 130) +
  tower('eight', 1190, 80, 190) +
  tower('nine', 1290, 140, 96) +
  tower('ten', 1460, 100, 150) +
  path('M0 470H1600V640H0Z', vertical(['#1a2d58', 0], ['#132143', 100])) +
  stroke(
    'M90 492v50M210 490v34M336 492v76M456 490v40M606 488v30M972 488v36M1100 490v56M1230 492v84M1360 490v40M1510 492v64',
    '#f2c769',
    7,
    0.4,
  ) +
  stroke('M880 498h74M890 522h54M896 546h32', '#f6dfa0', 7, 0.55) +
  felucca(766, 546, 1.05) +
  felucca(200, 514, 0.6) +
  palm(60, 610, 1.6) +
  palm(1540, 612, 1.75) +
  palm(1450, 612, 1.2) +
  hangingLantern(300, 60, 0.92, '#d8402e') +
  hangingLantern(520, 0, 0.66, '#2f8f8a') +
  hangingLantern(1110, 10, 0.74, '#e08a2a') +
  hangingLantern(1330, 80, 0.96, '#7a3fa0') +
  path('M0 600H1600V900H0Z', '#0c152b') +
  path('M0 586H1600V622H0Z', '#2f426f') +
  path('M0 586H1600V594H0Z', LAYALY.accent) +
  at(500, 590, kanaka(LAYALY, FOOD.brass), 0, 1.15) +
  at(606, 600, smallCup(LAYALY), 0, 1.04) +
  at(1164, 592, redTea(LAYALY), 0, 1.06) +
  at(1034, 600, redTea(LAYALY), 0, 1.06);

/** Cards: a mark of the house on the right, room for words on the left. */
export const beitCard: Art =
  path('M0 0H1032V336H0Z', BEIT.accent) +
  at(0, 0, house(640, 360, 20, lighter(BEIT.accent, 0.14))) +
  at(0, 120, house(480, 240, 20, lighter(BEIT.accent, 0.07))) +
  strew(
    scatter('card beans', 9, 250, 130).map((s) => ({ ...s, x: s.x + 250, y: s.y + 168 })),
    oval(0, 0, 15, 22, BEIT.foreground, 0.14) + stroke('M2 -20C-10 -8 10 8 -2 20', BEIT.accent, 4),
  ) +
  path('M0 300H1032V336H0Z', BEIT.foreground) +
  at(730, 302, kanaka(BEIT, FOOD.brass), 0, 1.3) +
  at(880, 312, cappuccino(BEIT), 0, 0.98);

export const zawyaCard: Art =
  path('M0 0H1032V336H0Z', ZAWYA.accent) +
  path('M696 336L1032 0V336Z', lighter(ZAWYA.accent, 0.16)) +
  path('M864 336L1032 168V336Z', lighter(ZAWYA.accent, 0.3)) +
  stroke(
    [70, 150, 230].map((y, i) => `M${40 + i * 30} ${y}${'q30 -18 60 0t60 0'.repeat(2)}`).join(''),
    mix(ZAWYA.accent, '#ffffff', 0.2),
    8,
    0.6,
  ) +
  path('M0 302H1032V336H0Z', ZAWYA.foreground) +
  at(706, 306, icedLatte({ ...ZAWYA, straw: ZAWYA.background }), 0, 0.96) +
  at(858, 314, cappuccino(ZAWYA, true), 0, 0.98);

export const layalyCard: Art =
  path('M0 0H1032V336H0Z', vertical(['#0f1a33', 0], ['#22386b', 100])) +
  grains(
    scatter('card stars', 30, 500, 130).map((s) => ({ ...s, x: s.x + 516, y: s.y + 140 })),
    0,
    '#f8f1e1',
    4,
  ) +
  at(560, 120, crescent, 0, 0.62) +
  hangingLantern(820, 20, 0.62, '#d8402e') +
  hangingLantern(940, 0, 0.44, '#2f8f8a') +
  path('M0 304H1032V336H0Z', '#0c152b') +
  path('M0 302H1032V307H0Z', LAYALY.accent) +
  at(690, 306, redTea(LAYALY), 0, 0.86);
