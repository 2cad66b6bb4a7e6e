/** One drink alone in its cup or glass. */
import { cup, type CupShape } from './cups.ts';
import { steam } from './garnish.ts';
import { glassOf, type Drink } from './glasses.ts';
import { type ShopPalette } from './palette.ts';
import { still, type Drawing } from './scene.ts';
import { type Art } from './svg.ts';

/** A drink in a porcelain cup of its own shape, colour and surface. */
export const inCup =
  (
    shape: CupShape,
    options: {
      readonly second?: boolean;
      readonly liquid: string;
      readonly on?: Art;
      readonly above?: Art;
      readonly beside?: Art;
      readonly band?: boolean;
      readonly size?: number;
      readonly steam?: boolean;
      readonly noSaucer?: boolean;
    },
  ): Drawing =>
  (shop) => {
    const colour = options.second === true ? shop.cupSecond : shop.cup;
    const other = options.second === true ? shop.cup : shop.cupSecond;
    const size = options.size ?? 1.2;
    return still(
      [options.steam === false ? '' : steam(0, -shape.height * size - 14, 78), 0],
      [
        cup(shop, {
          shape,
          colour,
          liquid: options.liquid,
          ...(options.on === undefined ? {} : { on: options.on }),
          ...(options.above === undefined ? {} : { above: options.above }),
          ...(options.band === true ? { band: other } : {}),
          ...(options.noSaucer === true ? {} : { saucer: shop.saucer }),
        }),
        0,
        -8,
        size,
      ],
      [options.beside ?? '', 0, 12],
    );
  };

/** A drink in a glass that stands alone. */
export const inGlass =
  (
    drink: Drink,
    options: {
      readonly size?: number;
      readonly steam?: boolean;
      readonly beside?: (shop: ShopPalette) => Art;
      readonly x?: number;
    } = {},
  ): Drawing =>
  (shop) => {
    const size = options.size ?? 1.08;
    const top = -(drink.glass.height + drink.glass.stem) * size - 14;
    return still(
      [options.steam === true ? steam(0, top, 70) : '', options.x ?? 0],
      [glassOf(shop, drink), options.x ?? 0, -2, size],
      [options.beside === undefined ? '' : options.beside(shop), 0, 14],
    );
  };
