import type { ShopPalette } from './palette.ts';
import { at, circle, lighter, mix, oval, path, type Art } from './svg.ts';

/** A picture of an item in a shop's colours, without its background. */
export type Drawing = (shop: ShopPalette) => Art;

const quiet = (shop: ShopPalette, tint: string): Art => {
  switch (shop.behind) {
    case 'house':
      return path(
        'M56 400V176Q56 160 70 149L184 62Q200 50 216 62L330 149Q344 160 344 176V400Z',
        lighter(tint, 0.3),
      );
    case 'angle':
      return (
        path('M0 400V0L400 400Z', lighter(tint, 0.32)) +
        path('M0 400V232L168 400Z', mix(tint, shop.accent, 0.1))
      );
    case 'moon':
      return (
        circle(200, 196, 164, mix(tint, shop.foreground, 0.09)) +
        circle(200, 196, 126, mix(tint, shop.foreground, 0.14))
      );
  }
};

/** The background of an item's picture: a flat tint and the shop's quiet shape. */
export const backdrop = (shop: ShopPalette, tint: string): Art =>
  path('M0 0H400V400H0Z', tint) + quiet(shop, tint);

/** The shadow on the ground of a thing seen from the side; its foot is the origin. */
export const groundShadow = (shop: ShopPalette, halfWidth: number): Art =>
  oval(halfWidth * 0.14, 3, halfWidth * 1.1, halfWidth * 0.22, shop.shadow, shop.shadowOpacity);

/** A round thing's shadow, seen from above. */
export const dropShadow = (shop: ShopPalette, rx: number, ry = rx): Art =>
  oval(rx * 0.05, ry * 0.09, rx * 1.02, ry * 1.02, shop.shadow, shop.shadowOpacity);

/** Things that stand on one ground, each at its x and how far before (+) or behind (-) the middle of the ground. */
export const still = (
  ...things: readonly (readonly [art: Art, x: number, front?: number, size?: number])[]
): Art => things.map(([art, x, front = 0, size = 1]) => at(200 + x, 312 + front, art, 0, size)).join('');
