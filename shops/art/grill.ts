/** Meat and birds from the grill and the oven, on platters seen from above. */
import {
  halfLoaf,
  lemonWedge,
  onionRing,
  onPlate,
  parsley,
  plate,
  ramekin,
  table,
  tomatoSlice,
} from './dishes.ts';
import { leaf } from './garnish.ts';
import { FOOD, type ShopPalette } from './palette.ts';
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

/** Green herbs and onion rings that lie under grilled meat. */
const bed: Art =
  strew(scatter('parsley bed', 8, 96, 66), leaf(30, FOOD.leafDark)) +
  at(-58, 50, onionRing(19)) +
  at(62, -46, onionRing(17));

const platter = (shop: ShopPalette): Art => plate(shop, 158, 128);
const grilled = (art: (shop: ShopPalette) => Art): Drawing =>
  table((shop) => platter(shop) + bed + art(shop));

/** A finger of kofta on its skewer; 190 long, lying from left to right. */
export const koftaFinger = (skewer = true): Art =>
  (skewer ? stroke('M-132 0H132', '#a9b0b5', 6) : '') +
  path(
    'M-96 0C-98 -20 -80 -22 -64 -20Q-32 -25 0 -20T64 -20C82 -22 98 -18 96 0C98 20 80 21 64 19Q32 25 0 20T-64 20C-82 22 -98 18 -96 0Z',
    vertical(['#a5602f', 0], ['#7c4120', 55], ['#54270f', 100]),
  ) +
  stroke('M-66 -14L-72 12M-34 -16L-40 14M-2 -15L-8 14M30 -16L24 14M62 -14L56 12', '#381809', 6, 0.65);

const cube = (colour: string): Art =>
  box(-22, -21, 44, 43, 11, darker(colour, 0.4)) +
  box(-22, -21, 42, 38, 11, radial([lighter(colour, 0.22), 0], [colour, 60], [darker(colour, 0.22), 100])) +
  stroke('M-12 -12L6 8M2 -14L14 0', darker(colour, 0.6), 5, 0.6);

/** Cubes of one meat on a skewer with pieces of vegetable between them. */
const skewer = (colour: string, between: readonly string[]): Art =>
  stroke('M-134 0H134', '#a9b0b5', 6) +
  [-84, -28, 28, 84].map((x) => at(x, 0, shared(cube(colour)))).join('') +
  [-56, 0, 56]
    .map((x, i) =>
      between.length === 0 ? '' : at(x, 0, box(-7, -22, 14, 44, 6, between[i % between.length] ?? '#ffffff')),
    )
    .join('');

const LAMB = '#8a4a2a';
const TAWOOK = '#eeae48';

/** Three skewers, one before the other. */
const skewers = (back: Art, middle: Art, front: Art): Art =>
  at(-2, -48, shared(back), -6) + at(2, 4, shared(middle), -6) + at(-2, 56, shared(front), -6);

export const kofta = grilled(
  (shop) =>
    at(-4, -48, shared(koftaFinger()), -6) +
    at(2, 2, shared(koftaFinger()), -6) +
    at(-2, 54, shared(koftaFinger()), -6) +
    at(100, 66, lemonWedge(26), -40) +
    at(-104, -54, ramekin(shop.plate, FOOD.tahini, 28)),
);
const lamb = skewer(LAMB, []);
export const kebab = grilled(
  () => skewers(lamb, lamb, lamb) + at(-104, -62, tomatoSlice(24)) + at(104, 66, parsley(1.2), 30),
);
export const kebabKofta = grilled(
  () =>
    skewers(skewer(LAMB, ['#d8402e', '#4f9140']), koftaFinger(), skewer(LAMB, ['#4f9140', '#d8402e'])) +
    at(106, 70, lemonWedge(26), -30),
);
/** Kofta in a lace of fat. */
export const tarb: Drawing = grilled(() => {
  const roll =
    path(
      'M-60 0C-62 -30 -44 -34 0 -34S62 -30 60 0S44 34 0 34S-62 30 -60 0Z',
      radial(['#b5703c', 0], ['#80441f', 60], ['#552810', 100]),
    ) +
    stroke(
      'M-48 -22L-20 28M-20 -32L16 32M14 -33L44 22M-50 16L-10 -32M-24 32L26 -32M10 33L52 -12',
      '#f3d9ac',
      5,
      0.9,
    );
  return (
    at(-62, -44, shared(roll), -10) +
    at(66, -36, shared(roll), 8) +
    at(-58, 46, shared(roll), 8) +
    at(68, 50, shared(roll), -10) +
    at(2, 4, parsley(1.3))
  );
});
export const lambChops: Drawing = grilled(() => {
  const chop =
    stroke('M10 -4C40 -16 60 -46 70 -66', '#b9915c', 20) +
    circle(72, -70, 14, '#b9915c') +
    stroke('M10 -4C40 -16 60 -46 70 -66', '#f4e2bd', 13) +
    circle(72, -70, 10, '#fff0d2') +
    path('M-46 8C-54 -34 -8 -54 22 -36C50 -20 42 18 20 34C-6 54 -40 44 -46 8Z', '#f0d9b0') +
    path(
      'M-38 8C-44 -26 -6 -44 18 -28C40 -14 34 14 14 28C-8 42 -34 36 -38 8Z',
      radial(['#a25a35', 0], ['#7a3a20', 60], ['#532411', 100]),
    ) +
    stroke('M-24 -12L10 18M-8 -24L22 4M-30 6L-4 28', '#34140a', 6, 0.7);
  return (
    at(-84, -24, shared(chop), -10) +
    at(-14, 10, shared(chop), 0) +
    at(56, 42, shared(chop), 10) +
    at(-84, 66, leaf(46, '#6f8f5a'), 60) +
    at(-84, 66, leaf(40, '#5a7a48'), 100) +
    at(96, -64, lemonWedge(24), 20)
  );
});
const tawook = skewer(TAWOOK, ['#4f9140', '#d8402e', '#f3e7d0']);
export const shishTawook = grilled(
  (shop) => skewers(tawook, tawook, tawook) + at(106, 72, ramekin(shop.plate, '#fffdf4', 27)),
);

/** A roast bird on its back: breast up, both legs to the right. */
const bird = (colour: string): Art => {
  const skin = radial([lighter(colour, 0.34), 0], [colour, 50], [darker(colour, 0.36), 100]);
  const bone =
    stroke('M64 -40L92 -62M92 -70v.1M102 -60v.1', '#b9915c', 23) +
    stroke('M64 -40L92 -62', '#f4e2bd', 14) +
    stroke('M92 -70v.1M102 -60v.1', '#fff0d2', 16);
  const leg =
    bone +
    path('M-26 12C-34 -24 4 -50 40 -48C62 -48 76 -34 68 -22C50 -12 48 18 30 34C8 50 -22 40 -26 12Z', skin);
  return (
    at(34, -16, leg, -6, 0.96) +
    path(
      'M-104 14C-112 -44 -62 -84 -6 -80C52 -78 92 -44 92 4C90 54 40 74 -12 72C-62 72 -98 54 -104 14Z',
      skin,
    ) +
    path(
      'M-72 20C-74 -4 -42 -18 -22 -4C-4 10 -18 28 -30 40C-44 54 -58 44 -56 34C-66 34 -72 30 -72 20Z',
      darker(colour, 0.2),
    ) +
    path(
      'M-68 16C-68 -6 -42 -16 -24 -4C-8 8 -22 24 -34 34C-46 44 -54 38 -52 28C-62 30 -66 26 -68 16Z',
      colour,
    ) +
    stroke('M-56 -44L-26 -18M-24 -58L2 -34M10 -62L32 -44', darker(colour, 0.62), 8, 0.55) +
    stroke('M-86 -14Q-74 -54 -32 -66', '#ffffff', 7, 0.5) +
    at(46, 34, leg, 24)
  );
};
export const grilledChicken: Drawing = grilled(
  () =>
    at(-14, -2, bird('#dc8a36')) +
    at(-112, 66, lemonWedge(27), 30) +
    at(-116, -56, tomatoSlice(22)) +
    at(76, 84, parsley(1.1)),
);
export const vealFillet: Drawing = table((shop) => {
  const piece =
    path(
      'M-52 0C-56 -34 -24 -46 8 -40C42 -36 58 -12 50 16C42 40 6 44 -18 38C-42 34 -50 22 -52 0Z',
      '#4f2612',
    ) +
    path(
      'M-50 -6C-52 -36 -22 -46 8 -42C40 -38 54 -16 46 8C38 30 6 34 -16 30C-40 26 -48 14 -50 -6Z',
      '#87492a',
    ) +
    stroke('M-34 -18L16 -36M-36 4L36 -22M-20 20L40 -2', '#3d1a0c', 7, 0.75);
  return (
    plate(shop) +
    path('M-100 20C-60 80 60 100 108 30C90 96 -70 110 -100 20Z', '#6b3a1e', 0.85) +
    at(-36, 26, shared(piece), -8, 1.1) +
    at(40, -14, shared(piece), 16, 1.1) +
    [-74, -50, -26].map((x, i) => stroke(`M${x} -40L${x + 26} ${-96 + i * 5}`, '#5f9440', 11)).join('') +
    stroke('M-64 -44L-42 -90', '#8fbf5f', 4) +
    at(66, 62, oval(0, 0, 30, 20, '#e9c069') + oval(-4, -5, 18, 9, '#f7dc9a')) +
    at(6, -58, leaf(40, '#56733f'), 20)
  );
});
export const mixedGrill: Drawing = table((shop) => {
  const chop =
    stroke('M8 -4C30 -14 44 -34 56 -48h.1', '#b9915c', 17) +
    stroke('M8 -4C30 -14 44 -34 56 -48', '#f4e2bd', 10) +
    oval(-6, 2, 34, 29, '#f0d9b0') +
    oval(-6, 2, 28, 23, '#7d3c22') +
    stroke('M-22 -6L4 16M-10 -14L14 6', '#34140a', 5, 0.7);
  return (
    plate(shop, 166, 146) +
    strew(scatter('grill bed', 6, 110, 90), leaf(32, FOOD.leafDark)) +
    at(0, -76, shared(skewer(TAWOOK, ['#4f9140', '#d8402e'])), -5, 0.9) +
    at(0, -28, shared(lamb), -5, 0.9) +
    at(0, 20, shared(koftaFinger()), -5, 0.94) +
    at(-62, 78, shared(chop)) +
    at(26, 84, shared(chop), 10) +
    at(108, 62, lemonWedge(26), -30)
  );
});
export const grilledLiver: Drawing = grilled(() => {
  const piece =
    path(
      'M-44 2C-48 -24 -16 -34 8 -28C38 -28 50 -8 42 10C30 30 4 22 -12 28C-30 32 -42 20 -44 2Z',
      radial(['#93503a', 0], ['#6b3020', 60], ['#451a10', 100]),
    ) + stroke('M-22 -12L-4 16M2 -18L18 10', '#2c0f08', 6, 0.6);
  return (
    at(-66, -34, shared(piece)) +
    at(12, -48, shared(piece), 30) +
    at(76, -8, shared(piece), -20) +
    at(-20, 18, shared(piece), 10) +
    at(-80, 42, shared(piece), -30) +
    at(46, 54, shared(piece), 14) +
    at(-14, 70, lemonWedge(25), 10) +
    at(106, 52, lemonWedge(22), -40)
  );
});
export const alexLiver: Drawing = onPlate(
  strew(
    scatter('liver', 11, 82),
    path('M-26 -8Q0 -22 26 -8Q30 6 20 14Q0 4 -20 14Q-32 4 -26 -8Z', '#7d3d28') +
      stroke('M-14 -4Q0 -12 14 -4', '#b06a4c', 4),
  ) +
    strew(scatter('liver pepper', 9, 84), path('M-22 -5Q0 -15 22 -5L18 5Q0 -4 -18 5Z', FOOD.pepper)) +
    strew(scatter('liver chilli', 5, 74), path('M-16 -4Q0 -12 18 0Q0 0 -14 5Z', '#d8402e')) +
    grains(scatter('garlic', 16, 84), 3, '#f7e9c9', 8) +
    at(84, 76, halfLoaf(44), -40) +
    at(-88, 70, lemonWedge(26), 30),
);
export const chickenWings: Drawing = table((shop) => {
  const wing =
    path(
      'M-56 12C-62 -14 -40 -30 -16 -24C-2 -30 16 -34 30 -26C50 -34 66 -22 60 -6C54 6 40 0 28 8C14 20 0 12 -10 18C-30 34 -52 30 -56 12Z',
      radial(['#f0b45c', 0], ['#d07f2c', 55], ['#9a4f18', 100]),
    ) + stroke('M-36 -8L-20 12M-6 -16L4 4M24 -18L32 0', '#5a2a0e', 6, 0.65);
  return (
    plate(shop) +
    at(-46, -60, shared(wing), 12) +
    at(50, -44, shared(wing), 70) +
    at(-58, 20, shared(wing), -30) +
    at(20, 14, shared(wing), 8) +
    at(-14, 74, shared(wing), -10) +
    at(74, 66, ramekin(shop.cup, '#fffdf4', 30)) +
    at(-92, 68, parsley(1.1), -20)
  );
});
export const sogok: Drawing = table((shop) => {
  const sausage =
    path(
      'M-50 -4C-52 -22 -36 -24 0 -16S52 -22 50 -2C48 18 34 12 0 14S-48 16 -50 -4Z',
      radial(['#c05a38', 0], ['#8e3320', 60], ['#5e1d12', 100]),
    ) + stroke('M-34 -12Q0 -4 30 -10', '#ec9a78', 4, 0.8);
  return (
    plate(shop) +
    path('M-96 -16C-90 -84 20 -104 76 -60C120 -10 90 84 10 88C-60 92 -104 40 -96 -16Z', '#6a1024', 0.85) +
    at(-40, -54, shared(sausage), -20) +
    at(44, -40, shared(sausage), 30) +
    at(-48, 4, shared(sausage), 24) +
    at(34, 14, shared(sausage), -14) +
    at(-14, 56, shared(sausage), 6) +
    strew(scatter('sogok seeds', 14, 84), oval(0, 0, 6, 8, '#d8243f') + circle(-1, -3, 2, '#f7b0b8')) +
    at(76, 66, parsley(1.1))
  );
});
export const chickenPane: Drawing = table((shop) => {
  const cutlet = (seed: string) =>
    path(
      'M-84 4C-92 -36 -40 -58 6 -48C52 -52 92 -22 82 12C74 44 22 48 -16 44C-54 46 -80 32 -84 4Z',
      radial(['#f2b95a', 0], ['#d9902f', 60], ['#a9641c', 100]),
    ) +
    grains(scatter(seed, 34, 66, 34), 3, '#f8d488', 6) +
    grains(scatter(`${seed} dark`, 18, 66, 34), 3, '#9c5c1c', 5);
  return (
    plate(shop) +
    at(-2, -36, cutlet('pane back'), -8) +
    at(4, 34, cutlet('pane'), 8) +
    at(-92, 66, lemonWedge(28), 20) +
    at(88, -66, parsley(1.2)) +
    at(-86, -62, leaf(30, FOOD.leaf), 30)
  );
});
/** A small roast bird from the side of its breast, tied at the legs. */
const pigeon = (): Art =>
  path(
    'M-58 22C-70 -30 -30 -62 6 -58C46 -54 66 -20 56 18C48 48 -48 52 -58 22Z',
    radial(['#dd9a4c', 0], ['#b06a28', 55], ['#72390f', 100]),
  ) +
  path('M22 14C44 -6 74 2 80 22L92 14L88 30L96 36L78 38C60 56 30 44 22 14Z', '#b87430') +
  path('M-22 -6C-40 -18 -58 0 -46 22C-32 38 -8 20 -22 -6Z', '#a4611f') +
  stroke('M-34 -34Q-20 -50 4 -50', '#ffe0a8', 6, 0.7);
export const stuffedPigeon: Drawing = table(
  (shop) =>
    platter(shop) +
    strew(scatter('freek bed', 26, 100, 74), oval(0, 0, 12, 5, '#b98d4a')) +
    at(-48, -28, pigeon(), -6, 1.16) +
    at(46, 30, pigeon(), 6, 1.16) +
    at(-92, 62, lemonWedge(25), 20) +
    at(100, -58, parsley(1.2)),
);
export const stuffedDuck: Drawing = table(
  (shop) =>
    platter(shop) +
    grains(scatter('duck rice', 70, 104, 76), 9, '#d9b36a', 8) +
    strew(scatter('duck leaves', 6, 104, 78), leaf(30, FOOD.leafDark)) +
    path(
      'M-96 10C-104 -50 -50 -84 0 -76C60 -72 98 -30 92 14C86 58 20 66 -24 60C-66 56 -92 44 -96 10Z',
      radial(['#d98a3a', 0], ['#a9561c', 55], ['#6a2c0c', 100]),
    ) +
    path(
      'M26 6C56 -22 98 -6 100 26C98 50 84 54 96 74L84 80C70 62 30 60 26 6Z',
      radial(['#e09a4a', 0], ['#a9561c', 100]),
    ) +
    circle(90, 82, 10, '#f4e6c8') +
    circle(102, 76, 8, '#f4e6c8') +
    path('M-30 -8C-66 -28 -92 4 -74 32C-50 52 -18 24 -30 -8Z', '#98480f', 0.8) +
    stroke('M-66 -42Q-40 -66 0 -64', '#ffd9a0', 8, 0.65) +
    stroke('M-10 -40l16 6M20 -52l16 8M-4 20l16 4M-20 44l14 2', '#6a2c0c', 5, 0.6) +
    at(
      -110,
      50,
      `${circle(0, 0, 24, '#f0971f')}${circle(0, 0, 19, '#ffd48a')}${circle(0, 0, 16, '#f9b04a')}`,
    ),
);
export const halloumi: Drawing = table((shop) => {
  const slab =
    box(-52, -30, 104, 62, 12, '#d9b878') +
    box(-52, -32, 104, 58, 12, '#fbeec8') +
    stroke('M-34 -30L-46 20M-6 -31L-20 25M22 -31L8 25M46 -26L36 25', '#a9682c', 7, 0.85);
  return (
    plate({ ...shop, plate: '#3c6f9c', ring: '#9cc0da' }) +
    at(-22, -50, shared(slab), -10) +
    at(20, 4, shared(slab), 8) +
    at(-18, 58, shared(slab), -6) +
    at(80, -58, tomatoSlice(23)) +
    at(88, 58, leaf(46, FOOD.mint), -40) +
    at(88, 58, leaf(42, FOOD.mintLight), 10) +
    at(-88, 4, oval(0, 0, 12, 15, '#4b4a22'))
  );
});
export const grilledVegetables: Drawing = table((shop) => {
  const marks = stroke('M-24 -14L-30 14M0 -16L-6 16M24 -14L18 14', '#3d2412', 6, 0.65);
  const courgette = oval(0, 0, 44, 24, '#3f7a35') + oval(0, -2, 40, 20, '#dbe6a4') + marks;
  const aubergine = oval(0, 0, 46, 28, '#3c1f3f') + oval(0, -2, 40, 22, '#e6cfa0') + marks;
  const pepper = (colour: string) =>
    path(
      'M-40 -14C-20 -30 24 -28 40 -12C44 10 30 24 14 20C0 12 -12 12 -24 20C-42 22 -46 2 -40 -14Z',
      colour,
    ) +
    stroke('M-28 -12Q0 -24 26 -12', '#ffffff', 5, 0.4) +
    stroke('M-14 -8L-18 10M10 -10L6 10', '#3d1608', 5, 0.6);
  return (
    plate(shop) +
    at(-48, -58, courgette, -14) +
    at(44, -62, pepper('#e0492f'), 10) +
    at(-64, 4, pepper('#f2b42f'), -20) +
    at(12, -6, aubergine, 12) +
    at(76, 8, courgette, 40) +
    at(-34, 62, aubergine, -8) +
    at(48, 62, pepper('#4f9140'), 6) +
    at(-4, 34, tomatoSlice(20)) +
    at(96, -46, onionRing(18))
  );
});
