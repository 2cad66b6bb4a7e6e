import Type from 'typebox';
import { SLUG_PATTERN } from '../../kernel/ids.ts';
import { DEFAULT_BRAKE } from '../../orders/domain/brake.ts';
import { DEFAULT_PAYMENT_METHODS, DIGITS, PAYMENT_METHOD_PATTERN } from '../../shops/domain/shop.ts';
import { Brand, Links } from './brand.ts';
import { Loyalty } from './loyalty.ts';
import { Branch } from './branch.ts';
import { Menu } from './menu.ts';
import { Staff } from './staff.ts';
import { localText, optional, strict, word } from './values.ts';

export { WEEKDAYS } from './values.ts';

/**
 * The shop file (Decisions 16): one whole shop as JSON. An unknown field is a fault.
 *
 * - A name is text in the shop's main language, or an object of language code to text that includes it.
 * - A reference is an `id`, a `key` or a main-language name.
 * - A missing `id` is derived from the shop's id and the `key`, or the name without a `key`.
 * - Money is an integer number of piastres.
 */

const brakeLimit = (standard: number, description: string) =>
  optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: 10_000,
      default: standard,
      description,
    }),
  );

const OrderBrake = Type.Object(
  {
    open_orders: brakeLimit(
      DEFAULT_BRAKE.openOrders,
      'Orders under way at once; null: as many as they like.',
    ),
    orders_per_day: brakeLimit(
      DEFAULT_BRAKE.ordersPerDay,
      'Orders in any 24 hours; null: as many as they like.',
    ),
  },
  { ...strict, description: 'How much one phone may order here; staff can lift it for a phone.' },
);

export const MAX_FORMER_SLUGS = 50;

export const ShopFile = Type.Object(
  {
    $schema: optional(Type.String()),
    format: Type.Unsafe<1>({ type: 'integer', const: 1, description: 'The version of this format.' }),
    id: optional(
      Type.String({ format: 'uuid', description: 'The shop’s id; derived from the slug when left out.' }),
    ),
    slug: Type.String({ pattern: SLUG_PATTERN }),
    former_slugs: optional(
      Type.Array(Type.String({ pattern: SLUG_PATTERN }), { maxItems: MAX_FORMER_SLUGS }),
    ),
    name: localText(120),
    main_language: optional(Type.String({ pattern: '^[a-z]{2,3}$', default: 'ar' })),
    active: optional(Type.Boolean({ default: true })),
    digits: optional(word(DIGITS)),
    payment_methods: optional(
      Type.Array(Type.String({ pattern: PAYMENT_METHOD_PATTERN }), {
        minItems: 1,
        maxItems: 20,
        uniqueItems: true,
        default: [...DEFAULT_PAYMENT_METHODS],
        description:
          'What is taken for orders, tickets and sales, in words of the shop’s own; `cash` is what tills count.',
      }),
    ),
    order_brake: optional(OrderBrake),
    brand: optional(Brand),
    links: optional(Links),
    loyalty: optional(Loyalty),
    branches: Type.Array(Branch, { maxItems: 500 }),
    staff: optional(Staff),
    menu: Menu,
  },
  {
    ...strict,
    title: 'Ahwa shop file',
    description: 'One whole shop. The order of every list is the order in which it is shown.',
  },
);

export type ShopFile = Type.Static<typeof ShopFile>;
