/** A lantern of brass and coloured glass; the origin is its ring. About 150 wide and 300 high. */
import { FOOD } from './palette.ts';
import { at, circle, darker, glow, lighter, path, radial, rounded, stroke, type Art } from './svg.ts';

export const lantern = (glass: string): Art =>
  stroke('M0 -12a14 14 0 1 1 -.1 0', FOOD.brass, 6) +
  path('M-10 14H10L20 34C40 44 52 62 56 84H-56C-52 62 -40 44 -20 34Z', rounded(FOOD.brass)) +
  path('M-62 84H62L74 100H-74Z', darker(FOOD.brass, 0.12)) +
  path('M-66 100H66L46 232H-46Z', radial([lighter(glass, 0.75), 0], [glass, 55], [darker(glass, 0.3), 100])) +
  path('M0 124C18 150 18 172 0 196C-18 172 -18 150 0 124Z', '#fff3c4', 0.9) +
  stroke('M-66 100L-46 232M66 100L46 232M-24 100L-16 232M24 100L16 232', FOOD.brass, 7) +
  stroke('M-58 150H58', FOOD.brass, 5) +
  path('M-56 232H56L44 250H-44ZM-30 250H30L40 272H-40Z', rounded(FOOD.brass)) +
  stroke('M-40 58Q-30 44 -14 40', '#fff1c9', 5, 0.8);

/** A lantern's chain, and the light around it. */
export const hangingLantern = (x: number, length: number, size: number, glass: string): Art =>
  stroke(`M${x} 0V${length}`, darker(FOOD.brass, 0.3), 4) +
  circle(x, length + 160 * size, 190 * size, glow(['#f6c96a66', 0], ['#f6c96a00', 100])) +
  at(x, length + 12, lantern(glass), 0, size);
