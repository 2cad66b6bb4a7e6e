/** Plates, bowls, boards and pans seen from above, with the middle of the dish as the origin. */
import { FOOD, type ShopPalette } from './palette.ts';
import { dropShadow, type Drawing } from './scene.ts';
import { at, box, circle, clip, darker, lighter, mix, oval, path, radial, stroke, type Art } from './svg.ts';

/** A picture of one dish in the middle of the square. */
export const table =
  (art: (shop: ShopPalette) => Art, size = 1): Drawing =>
  (shop) =>
    at(200, 202, art(shop), 0, size);

/** A flat plate with a thin ring. */
export const plate = (shop: ShopPalette, r = 142, ry = r): Art =>
  dropShadow(shop, r, ry) +
  oval(0, 0, r, ry, shop.plate) +
  oval(0, 0, r - 7, ry - 7, shop.ring, 0.75) +
  oval(0, 0, r - 11, ry - 11, shop.plate) +
  oval(0, 0, r * 0.74, ry * 0.74, darker(shop.plate, 0.1)) +
  oval(2, 3, r * 0.73, ry * 0.72, darker(shop.plate, 0.04));

export const onPlate = (art: Art): Drawing => table((shop) => plate(shop) + art);

/** A bowl filled to near its rim with one colour; `art` lies on it. */
export const bowl = (shop: ShopPalette, colour: string, filling: string, art: Art, r = 128): Art =>
  dropShadow(shop, r) +
  circle(0, 0, r, colour) +
  circle(r * 0.03, r * 0.04, r * 0.9, darker(colour, 0.22)) +
  circle(0, 0, r * 0.85, radial([lighter(filling, 0.16), 0], [filling, 60], [darker(filling, 0.16), 100])) +
  at(0, 0, art, 0, r / 128) +
  stroke(
    `M${-r * 0.94} ${-r * 0.14}A${r * 0.95} ${r * 0.95} 0 0 1 ${-r * 0.3} ${-r * 0.9}`,
    '#ffffff',
    r * 0.035,
    0.6,
  );

/** `colour`: of the bowl. */
export const inBowl = (
  colour: string | ((shop: ShopPalette) => string),
  filling: string,
  art: Art,
  r?: number,
): Drawing =>
  table((shop) => bowl(shop, typeof colour === 'string' ? colour : colour(shop), filling, art, r));

/** A round dish of red clay with two ears, as it comes out of the oven. */
export const inClayDish = (filling: string, art: Art): Drawing =>
  table(
    (shop) =>
      path(
        'M-122 -34H-152Q-166 -34 -166 -20V20Q-166 34 -152 34H-122ZM122 -34H152Q166 -34 166 -20V20Q166 34 152 34H122Z',
        darker(FOOD.clay, 0.14),
      ) + bowl(shop, FOOD.clay, filling, art, 134),
  );

/** A shallow black pan with a handle to the lower right. */
export const inPan = (filling: string, art: Art): Drawing =>
  table(
    (shop) =>
      at(0, 0, box(112, -15, 96, 30, 15, '#2c2a2b') + circle(188, 0, 6, lighter('#2c2a2b', 0.4)), 36) +
      at(-14, -10, bowl(shop, '#3b393a', filling, art, 124)),
  );

/** A board of wood. */
export const board = (shop: ShopPalette, w = 290, h = 200): Art =>
  at(6, 9, box(-w / 2, -h / 2, w, h, 26, shop.shadow, shop.shadowOpacity)) +
  box(-w / 2, -h / 2, w, h, 26, darker(FOOD.wood, 0.24)) +
  box(-w / 2, -h / 2, w, h - 7, 26, FOOD.wood) +
  stroke(
    `M${-w / 2 + 26} ${-h * 0.28}H${w * 0.1}M${-w * 0.2} ${h * 0.02}H${w / 2 - 30}M${-w / 2 + 30} ${h * 0.3}H${w * 0.24}`,
    darker(FOOD.wood, 0.14),
    5,
    0.7,
  );

/** A dip with the swirl of the spoon's back, and what is in its middle. */
export const swirl = (colour: string): Art =>
  stroke(
    'M-84 14C-80 -72 30 -104 76 -34C104 22 42 82 -20 66C-66 52 -64 -16 -14 -32C24 -40 48 -6 26 18',
    darker(colour, 0.13),
    15,
  ) + stroke('M-86 8C-82 -78 28 -108 74 -40', lighter(colour, 0.45), 6, 0.8);

/** Oil that lies in the grooves of a dip. */
export const oil = (opacity = 0.8): Art =>
  path(
    'M-66 6C-66 -52 18 -84 58 -34C76 -8 66 20 48 34C56 0 42 -32 6 -38C-28 -42 -50 -20 -66 6Z',
    '#c9a227',
    opacity,
  ) +
  circle(-30, 40, 9, '#c9a227', opacity) +
  circle(-8, 52, 5, '#c9a227', opacity);

/** A sprig of parsley. */
export const parsley = (size = 1): Art =>
  at(
    0,
    0,
    stroke('M0 22V-4M0 8L-13 -4M0 8L13 -4', FOOD.leafDark, 4) +
      path('M0 -4C-14 -2 -16 -16 -8 -18C-10 -28 10 -28 8 -18C16 -16 14 -2 0 -4Z', FOOD.leaf) +
      path(
        'M-12 -2C-24 4 -30 -8 -24 -14C-16 -20 -8 -12 -12 -2ZM12 -2C24 4 30 -8 24 -14C16 -20 8 -12 12 -2Z',
        mix(FOOD.leaf, FOOD.leafDark, 0.4),
      ),
    0,
    size,
  );

export const lemonWedge = (r = 26): Art =>
  path(`M${-r} 0A${r} ${r} 0 0 0 ${r} 0Z`, '#e8b71f') +
  path(`M${-r * 0.86} 0A${r * 0.86} ${r * 0.86} 0 0 0 ${r * 0.86} 0Z`, '#fff3c0') +
  path(`M${-r * 0.72} 1A${r * 0.72} ${r * 0.74} 0 0 0 ${r * 0.72} 1Z`, FOOD.lemon) +
  stroke(`M0 2V${r * 0.7}M0 2L${-r * 0.44} ${r * 0.5}M0 2L${r * 0.44} ${r * 0.5}`, '#fff3c0', r * 0.08);

/** A flat round loaf of baladi bread. */
export const baladi = (r = 60): Art =>
  circle(0, 0, r, darker(FOOD.bread, 0.2)) +
  circle(
    -r * 0.03,
    -r * 0.04,
    r * 0.94,
    radial([lighter('#e2b06b', 0.3), 0], ['#d9a35c', 60], ['#bd7f3c', 100]),
  ) +
  stroke(
    `M${-r * 0.4} ${-r * 0.3}v.1M${r * 0.3} ${-r * 0.4}v.1M${r * 0.1} ${r * 0.4}v.1M${-r * 0.3} ${r * 0.34}v.1M${r * 0.5} ${r * 0.16}v.1M0 0v.1`,
    '#9a5f2a',
    r * 0.2,
    0.5,
  );

/** A round loaf cut in half. */
export const halfLoaf = (r = 60): Art =>
  clip(`M${-r * 1.1} ${-r * 1.1}H${r * 1.1}V0H${-r * 1.1}Z`, baladi(r)) +
  path(`M${-r} 0Q0 ${-r * 0.16} ${r} 0Q0 ${r * 0.16} ${-r} 0Z`, '#f3dcae') +
  stroke(`M${-r * 0.8} 0H${r * 0.8}`, '#b98648', r * 0.05);

export const tomatoSlice = (r = 24): Art =>
  circle(0, 0, r, '#c5321f') +
  circle(0, 0, r * 0.88, '#ea5a45') +
  [0, 90, 180, 270]
    .map((turn) => at(0, 0, oval(0, -r * 0.45, r * 0.22, r * 0.26, '#f9a58b'), turn + 45))
    .join('');

export const cherryTomato = (r = 13): Art =>
  circle(0, 0, r, radial(['#f4715a', 0], ['#cc2f22', 100])) +
  circle(-r * 0.3, -r * 0.35, r * 0.2, '#ffffff', 0.6);

export const cucumberSlice = (r = 20): Art =>
  circle(0, 0, r, '#3f7f3a') +
  circle(0, 0, r * 0.86, '#dcedb4') +
  stroke(`M0 ${-r * 0.4}v.1M${r * 0.36} ${r * 0.2}v.1M${-r * 0.36} ${r * 0.2}v.1`, '#b4cf85', r * 0.24);

export const onionRing = (r = 20): Art =>
  `<circle cx="0" cy="0" r="${r}" fill="none" stroke="#b0568a" stroke-width="${r * 0.3}"/><circle cx="0" cy="0" r="${r * 0.95}" fill="none" stroke="#f1d3e2" stroke-width="${r * 0.16}"/>`;

export const olive = (colour: string = '#3a2b38', r = 10): Art =>
  circle(0, 0, r, colour) +
  circle(0, 0, r * 0.4, darker(colour, 0.5)) +
  circle(-r * 0.4, -r * 0.45, r * 0.2, '#ffffff', 0.6);

/** A fried egg. */
export const friedEgg = (size = 1): Art =>
  at(
    0,
    0,
    path(
      'M-48 -8C-54 -44 -14 -52 6 -44C40 -56 60 -22 48 2C60 34 22 50 2 40C-30 54 -58 26 -48 -8Z',
      '#fffaf0',
    ) +
      circle(0, -2, 21, radial(['#ffd560', 0], ['#f29f1a', 100])) +
      circle(-7, -9, 5, '#ffffff', 0.7),
    0,
    size,
  );

/** A ball of falafel; `cut` shows the green inside. */
export const taameyaBall = (r = 26, cut = false): Art =>
  circle(0, 0, r, radial(['#b97b3a', 0], ['#7f4a1e', 100])) +
  (cut
    ? circle(0, 0, r * 0.82, '#7fa348') +
      stroke(`M${-r * 0.3} ${-r * 0.2}l6 4M${r * 0.2} ${-r * 0.3}l4 6M0 ${r * 0.3}l7 -3`, '#557a2b', r * 0.14)
    : stroke(
        `M${-r * 0.4} ${-r * 0.2}v.1M${r * 0.2} ${-r * 0.5}v.1M${r * 0.4} ${r * 0.2}v.1M${-r * 0.1} ${r * 0.4}v.1M0 0v.1`,
        '#f0d9a6',
        r * 0.16,
      ));

/** A small bowl that stands on a plate or a board. */
export const ramekin = (colour: string, filling: string, r = 40, art: Art = ''): Art =>
  circle(3, 5, r, '#22100a', 0.2) +
  circle(0, 0, r, colour) +
  circle(0, 0, r * 0.84, darker(colour, 0.2)) +
  circle(0, 0, r * 0.78, filling) +
  stroke(
    `M${-r * 0.4} ${-r * 0.3}Q0 ${-r * 0.66} ${r * 0.42} ${-r * 0.24}`,
    lighter(filling, 0.4),
    r * 0.1,
    0.7,
  ) +
  art;
