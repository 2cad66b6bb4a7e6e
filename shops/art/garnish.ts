/** Small things beside, in and on drinks and plates. Each is drawn around its origin. */
import { FOOD } from './palette.ts';
import { at, box, circle, darker, lighter, mix, oval, path, radial, stroke, type Art } from './svg.ts';

/** One leaf from the origin upwards. */
export const leaf = (length: number, colour: string): Art => {
  const w = length * 0.36;
  return (
    path(
      `M0 0C${-w} ${-length * 0.3} ${-w * 0.9} ${-length * 0.8} 0 ${-length}C${w * 0.9} ${-length * 0.8} ${w} ${-length * 0.3} 0 0Z`,
      colour,
    ) + stroke(`M0 ${-length * 0.1}V${-length * 0.8}`, lighter(colour, 0.35), length * 0.05, 0.7)
  );
};

/** A sprig of mint that grows upwards from the origin. */
export const mint = (size = 1): Art =>
  at(
    0,
    0,
    at(0, -6, leaf(44, darker(FOOD.mint, 0.15)), -66) +
      at(0, -6, leaf(44, FOOD.mint), 62) +
      at(0, -16, leaf(46, FOOD.mint), -26) +
      at(0, -16, leaf(48, FOOD.mintLight), 22),
    0,
    size,
  );

/** A round slice of a citrus fruit. */
export const citrus = (r: number, colour: string): Art => {
  const spokes = [0, 60, 120].map((angle) => {
    const x = Math.cos((angle * Math.PI) / 180) * r * 0.8;
    const y = Math.sin((angle * Math.PI) / 180) * r * 0.8;
    return `M${-x} ${-y}L${x} ${y}`;
  });
  return (
    circle(0, 0, r, darker(colour, 0.06)) +
    circle(0, 0, r * 0.87, '#fff6d8') +
    circle(0, 0, r * 0.78, lighter(colour, 0.18)) +
    stroke(spokes.join(''), '#fff6d8', r * 0.09)
  );
};

/** A cube of ice seen through the glass. */
export const ice = (size: number): Art =>
  box(-size / 2, -size / 2, size, size, size * 0.2, '#ffffff', 0.34) +
  stroke(`M${-size * 0.28} ${size * 0.1}V${-size * 0.28}H${size * 0.1}`, '#ffffff', size * 0.1, 0.7);

/** A straw whose lower end is the origin. */
export const straw = (length: number, colour: string, turn = 12): Art =>
  at(0, 0, stroke(`M0 0V${-length}`, colour, 13) + stroke(`M-3 -4V${-length}`, '#ffffff', 3, 0.35), turn);

/** Whipped cream on a rim of half width `w`; the origin is the middle of the rim. */
export const whipped = (w: number, colour: string = FOOD.cream): Art => {
  const shade = mix(colour, '#c9a27a', 0.28);
  return (
    path(
      `M${-w} 4C${-w * 1.12} ${-w * 0.5} ${-w * 0.5} ${-w * 0.62} ${-w * 0.4} ${-w * 0.55}H${w * 0.4}C${w * 0.6} ${-w * 0.62} ${w * 1.12} ${-w * 0.5} ${w} 4Q0 ${w * 0.36} ${-w} 4Z`,
      colour,
    ) +
    path(
      `M${-w * 0.72} ${-w * 0.36}C${-w * 0.8} ${-w * 0.9} ${-w * 0.2} ${-w} 0 ${-w * 1.24}C${w * 0.12} ${-w} ${w * 0.86} ${-w * 0.94} ${w * 0.72} ${-w * 0.36}Q0 ${-w * 0.1} ${-w * 0.72} ${-w * 0.36}Z`,
      colour,
    ) +
    stroke(
      `M${-w * 0.66} ${-w * 0.32}Q0 ${-w * 0.06} ${w * 0.72} ${-w * 0.4}M${-w * 0.36} ${-w * 0.78}Q0 ${-w * 0.6} ${w * 0.4} ${-w * 0.82}`,
      shade,
      w * 0.07,
    )
  );
};

/** Sauce in a zigzag over something of half width `w`. */
export const zigzag = (w: number, h: number, colour: string, width = 7): Art =>
  stroke(
    `M${-w} ${h * 0.1}L${-w * 0.5} ${-h}L${-w * 0.3} ${h * 0.7}L${w * 0.1} ${-h * 1.1}L${w * 0.3} ${h * 0.7}L${w * 0.7} ${-h * 0.9}L${w} ${h * 0.2}`,
    colour,
    width,
  );

/** Sauce that runs down whipped cream; the origin is the top of the cream, `w` its half width. */
export const drizzle = (w: number, colour: string): Art =>
  path(
    `M0 ${-w * 0.1}C${w * 0.26} 0 ${w * 0.34} ${w * 0.2} ${w * 0.62} ${w * 0.34}C${w * 0.86} ${w * 0.5} ${w * 0.76} ${w * 0.8} ${w * 0.64} ${w * 0.72}C${w * 0.54} ${w * 0.64} ${w * 0.6} ${w * 0.56} ${w * 0.44} ${w * 0.52}C${w * 0.3} ${w * 0.5} ${w * 0.36} ${w * 1.04} ${w * 0.2} ${w * 1.02}C${w * 0.08} ${w} ${w * 0.14} ${w * 0.56} 0 ${w * 0.54}C${-w * 0.14} ${w * 0.54} ${-w * 0.1} ${w * 0.86} ${-w * 0.26} ${w * 0.84}C${-w * 0.4} ${w * 0.8} ${-w * 0.26} ${w * 0.52} ${-w * 0.44} ${w * 0.5}C${-w * 0.56} ${w * 0.5} ${-w * 0.56} ${w * 0.76} ${-w * 0.68} ${w * 0.7}C${-w * 0.84} ${w * 0.56} ${-w * 0.5} ${w * 0.34} ${-w * 0.4} ${w * 0.2}C${-w * 0.3} ${w * 0.06} ${-w * 0.16} ${w * 0.04} 0 ${-w * 0.1}Z`,
    colour,
  ) + stroke(`M${-w * 0.2} ${w * 0.24}Q${-w * 0.06} ${w * 0.1} 0 ${w * 0.08}`, '#ffffff', w * 0.08, 0.5);

export const steam = (x: number, y: number, height: number, colour = '#ffffff', opacity = 0.75): Art => {
  const wave = (dx: number, h: number) =>
    `M${x + dx} ${y}c-14 ${-h * 0.3} 14 ${-h * 0.45} 0 ${-h * 0.7}s4 ${-h * 0.25} 5 ${-h * 0.3}`;
  return stroke(wave(-17, height * 0.85) + wave(15, height), colour, 7, opacity);
};

export const hazelnut = (r = 13): Art =>
  path(
    `M0 ${-r}C${r} ${-r * 0.9} ${r * 1.15} ${r * 0.6} 0 ${r}C${-r * 1.15} ${r * 0.6} ${-r} ${-r * 0.9} 0 ${-r}Z`,
    radial(['#d99a58', 0], ['#9a5a28', 100]),
  ) +
  path(
    `M${-r * 0.62} ${r * 0.42}Q0 ${r * 0.05} ${r * 0.62} ${r * 0.42}Q${r * 0.3} ${r} 0 ${r}Q${-r * 0.3} ${r} ${-r * 0.62} ${r * 0.42}Z`,
    '#e8c594',
  );

export const almond = (length = 24): Art =>
  path(
    `M0 ${-length / 2}C${length * 0.34} ${-length * 0.2} ${length * 0.36} ${length * 0.42} 0 ${length / 2}C${-length * 0.36} ${length * 0.42} ${-length * 0.34} ${-length * 0.2} 0 ${-length / 2}Z`,
    '#c4813f',
  ) + stroke(`M0 ${-length * 0.3}V${length * 0.3}`, '#e6b57c', length * 0.07);

/** A peeled almond half, as it sits on basbousa. */
export const paleAlmond = (length = 22): Art =>
  path(
    `M0 ${-length / 2}C${length * 0.34} ${-length * 0.2} ${length * 0.36} ${length * 0.42} 0 ${length / 2}C${-length * 0.36} ${length * 0.42} ${-length * 0.34} ${-length * 0.2} 0 ${-length / 2}Z`,
    '#f8e3b8',
  ) + stroke(`M${length * 0.1} ${-length * 0.2}V${length * 0.28}`, '#d9b272', length * 0.08);

export const bean = (r = 12, colour = '#5a3018'): Art =>
  oval(0, 0, r * 0.72, r, colour) +
  stroke(
    `M${r * 0.1} ${-r * 0.86}Q${-r * 0.4} ${-r * 0.2} ${r * 0.08} 0T${-r * 0.06} ${r * 0.86}`,
    darker(colour, 0.5),
    r * 0.2,
  ) +
  oval(-r * 0.34, -r * 0.34, r * 0.12, r * 0.26, '#ffffff', 0.25);

/** A green pod of cardamom. */
export const cardamom = (length = 30): Art =>
  path(
    `M0 ${-length / 2}C${length * 0.42} ${-length * 0.2} ${length * 0.42} ${length * 0.3} 0 ${length / 2}C${-length * 0.42} ${length * 0.3} ${-length * 0.42} ${-length * 0.2} 0 ${-length / 2}Z`,
    '#9fb06a',
  ) +
  stroke(
    `M0 ${-length * 0.4}V${length * 0.4}M${-length * 0.13} ${-length * 0.26}Q${-length * 0.2} 0 ${-length * 0.13} ${length * 0.26}`,
    '#6f8446',
    length * 0.06,
  );

export const cinnamon = (length = 80): Art =>
  box(-length / 2, -9, length, 18, 8, '#9c5526') +
  stroke(`M${-length / 2 + 8} -3H${length / 2 - 10}`, '#c47e45', 4) +
  oval(length / 2 - 5, 0, 5, 9, '#6d3716') +
  oval(length / 2 - 5, 0, 2, 4.5, '#c47e45');

/** A star of anise, r is its arm. */
export const starAnise = (r = 20): Art => {
  const arm =
    oval(0, -r * 0.58, r * 0.22, r * 0.46, '#7a3f1a') + oval(0, -r * 0.62, r * 0.1, r * 0.22, '#d29a56');
  return (
    [0, 60, 120, 180, 240, 300].map((turn) => at(0, 0, arm, turn)).join('') + circle(0, 0, r * 0.2, '#5e2f14')
  );
};

export const date = (length = 40): Art =>
  oval(0, 0, length / 2, length * 0.27, radial(['#9a4d23', 0], ['#4d210f', 100])) +
  stroke(
    `M${-length * 0.28} ${-length * 0.1}Q0 ${-length * 0.2} ${length * 0.26} ${-length * 0.1}`,
    '#d08a52',
    3,
    0.8,
  );

export const hibiscusFlower = (r = 34): Art => {
  const petal = path(
    `M0 0C${-r * 0.8} ${-r * 0.3} ${-r * 0.6} ${-r * 1.1} 0 ${-r}C${r * 0.6} ${-r * 1.1} ${r * 0.8} ${-r * 0.3} 0 0Z`,
    '#c3214e',
  );
  const inner = path(
    `M0 0C${-r * 0.3} ${-r * 0.2} ${-r * 0.2} ${-r * 0.6} 0 ${-r * 0.6}C${r * 0.2} ${-r * 0.6} ${r * 0.3} ${-r * 0.2} 0 0Z`,
    '#8a0f33',
  );
  return (
    [0, 72, 144, 216, 288].map((turn) => at(0, 0, petal + inner, turn)).join('') +
    stroke(`M0 0L${r * 0.5} ${-r * 0.55}`, '#f2c14a', r * 0.11) +
    circle(r * 0.5, -r * 0.55, r * 0.1, '#f7dc7e')
  );
};

export const strawberry = (size = 30): Art =>
  path(
    `M0 ${size * 0.62}C${-size * 0.5} ${size * 0.3} ${-size * 0.66} ${-size * 0.5} 0 ${-size * 0.42}C${size * 0.66} ${-size * 0.5} ${size * 0.5} ${size * 0.3} 0 ${size * 0.62}Z`,
    radial(['#f2616a', 0], ['#cf2436', 100]),
  ) +
  stroke(
    `M${-size * 0.2} ${-size * 0.1}v1M${size * 0.2} ${-size * 0.1}v1M0 ${size * 0.12}v1M${-size * 0.16} ${size * 0.28}v1M${size * 0.17} ${size * 0.26}v1`,
    '#ffe2a0',
    size * 0.09,
  ) +
  path(
    `M${-size * 0.42} ${-size * 0.46}L${-size * 0.16} ${-size * 0.5}L0 ${-size * 0.74}L${size * 0.16} ${-size * 0.5}L${size * 0.42} ${-size * 0.46}L${size * 0.14} ${-size * 0.28}L0 ${-size * 0.12}L${-size * 0.14} ${-size * 0.28}Z`,
    FOOD.leaf,
  );

export const blueberry = (r = 11): Art =>
  circle(0, 0, r, radial(['#6b7bc4', 0], ['#2b3473', 100])) + circle(-r * 0.1, -r * 0.3, r * 0.3, '#232a5c');

/** A whole round fruit with a leaf: orange, guava, lemon by its colour. */
export const roundFruit = (r: number, colour: string): Art =>
  circle(0, 0, r, radial([lighter(colour, 0.3), 0], [colour, 55], [darker(colour, 0.18), 100])) +
  at(0, -r * 0.9, leaf(r * 0.75, FOOD.leaf), 62) +
  stroke(`M0 ${-r * 0.82}v${-r * 0.16}`, '#6b4a22', r * 0.12);

export const mangoFruit = (r: number): Art =>
  path(
    `M${-r} ${r * 0.1}C${-r} ${-r * 0.8} ${r * 0.1} ${-r} ${r * 0.6} ${-r * 0.5}C${r * 1.2} ${r * 0.1} ${r * 0.5} ${r * 0.8} ${-r * 0.2} ${r * 0.8}C${-r * 0.8} ${r * 0.8} ${-r} ${r * 0.5} ${-r} ${r * 0.1}Z`,
    radial(['#ffd25a', 0], ['#f2a01e', 50], ['#d8562a', 100]),
  ) + at(r * 0.4, -r * 0.66, leaf(r * 0.8, FOOD.leaf), 64);

export const bananaFruit = (length: number): Art =>
  path(
    `M${-length / 2} ${-length * 0.12}Q${-length * 0.06} ${length * 0.34} ${length / 2} ${-length * 0.16}L${length * 0.56} ${-length * 0.26}L${length * 0.49} ${-length * 0.28}Q0 ${length * 0.02} ${-length * 0.44} ${-length * 0.24}Q${-length * 0.56} ${-length * 0.2} ${-length / 2} ${-length * 0.12}Z`,
    '#f4cb3e',
  ) +
  stroke(
    `M${-length * 0.44} ${-length * 0.1}Q0 ${length * 0.18} ${length * 0.46} ${-length * 0.2}`,
    '#d39a1f',
    4,
  );

/** A wedge of watermelon with its rind below. */
export const melonWedge = (r: number): Art =>
  path(`M${-r} 0A${r} ${r} 0 0 0 ${r} 0Z`, '#3f8a45') +
  path(`M${-r * 0.9} 0A${r * 0.9} ${r * 0.9} 0 0 0 ${r * 0.9} 0Z`, '#eef2cf') +
  path(`M${-r * 0.82} 0A${r * 0.82} ${r * 0.82} 0 0 0 ${r * 0.82} 0Z`, '#e8474d') +
  stroke(
    `M${-r * 0.4} ${r * 0.2}v4M0 ${r * 0.3}v4M${r * 0.4} ${r * 0.2}v4M${-r * 0.2} ${r * 0.52}v4M${r * 0.2} ${r * 0.52}v4`,
    '#3a1a16',
    r * 0.09,
  );

/** A biscuit with a stamped border, brown or black. */
export const biscuit = (w: number, h: number, colour: string): Art =>
  box(-w / 2, -h / 2, w, h, h * 0.3, darker(colour, 0.16)) +
  box(-w / 2 + 2, -h / 2, w - 6, h - 5, h * 0.26, colour) +
  stroke(`M${-w * 0.3} ${-h * 0.08}H${w * 0.26}`, darker(colour, 0.25), h * 0.12);

/** A round black sandwich biscuit seen from the front. */
export const blackBiscuit = (r: number): Art =>
  circle(0, 0, r, '#2b2022') +
  circle(0, 0, r * 0.68, '#3d2f31') +
  stroke(`M0 ${-r * 0.4}V${r * 0.4}M${-r * 0.4} 0H${r * 0.4}`, '#574648', r * 0.12);

/** A lump of ginger. */
export const ginger = (): Art =>
  path(
    'M-34 10C-40 -8 -22 -14 -12 -8C-10 -24 8 -26 10 -10C24 -18 38 -8 34 4C30 16 12 14 4 14C-8 22 -30 22 -34 10Z',
    '#d9ae6c',
  ) +
  circle(30, -2, 7, '#f4dc9a') +
  stroke('M-20 2Q-16 6 -10 4M4 -2Q10 0 14 -4', '#a87c3f', 3);

export const sugarCube = (size = 20): Art =>
  path(
    `M0 ${-size * 0.9}L${size * 0.8} ${-size * 0.5}L0 ${-size * 0.1}L${-size * 0.8} ${-size * 0.5}Z`,
    '#ffffff',
  ) +
  path(
    `M${-size * 0.8} ${-size * 0.5}L0 ${-size * 0.1}V${size * 0.7}L${-size * 0.8} ${size * 0.3}Z`,
    '#efe6d6',
  ) +
  path(
    `M${size * 0.8} ${-size * 0.5}L0 ${-size * 0.1}V${size * 0.7}L${size * 0.8} ${size * 0.3}Z`,
    '#d9ccb6',
  );

/** A round scoop of ice cream. */
export const scoop = (r: number, colour: string): Art => {
  const outline = `M${-r} ${r * 0.3}C${-r} ${-r * 1.3} ${r} ${-r * 1.3} ${r} ${r * 0.3}Q${r * 0.8} ${r * 0.6} ${r * 0.5} ${r * 0.36}Q${r * 0.2} ${r * 0.66} ${-r * 0.1} ${r * 0.4}Q${-r * 0.5} ${r * 0.7} ${-r * 0.6} ${r * 0.36}Q${-r * 0.9} ${r * 0.6} ${-r} ${r * 0.3}Z`;
  return path(outline, radial([lighter(colour, 0.4), 0], [colour, 60], [darker(colour, 0.14), 100]));
};
