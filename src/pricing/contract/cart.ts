/** The cart in a request body (Shapes, Ordering shapes). */
import Type, { type Static, type TObjectOptions, type TProperties } from 'typebox';
import { HIGHEST_TOTAL } from '../../kernel/money.ts';
import { MAX_LINES, MAX_LINE_QUANTITY, MAX_ADDON_QUANTITY } from '../domain/cart/limits.ts';
import { IdInput, Int32, optionalNullable } from '../../platform/contract/scalars.ts';

/** Unknown fields are refused by name (Decisions 7). */
const strict = { additionalProperties: false } as const;

/** Decisions 8. */
const shortText = (description: string) => Type.String({ maxLength: 120, description });
const notes = optionalNullable(Type.String({ maxLength: 500, description: 'For the kitchen.' }));
/** A price, which only the replay of an offline sale reads (Decisions 7). */
const ignored = () =>
  Type.Optional(
    Type.Unknown({ description: 'Ignored, whatever it is: the service prices everything itself.' }),
  );
const recorded = (description: string) =>
  optionalNullable(Int32({ minimum: 0, maximum: HIGHEST_TOTAL, description }));

/** The field of a price, which is ignored or recorded. */
type PriceField = typeof ignored | typeof recorded;

const quantity = (description: string) => Int32({ minimum: 1, maximum: MAX_LINE_QUANTITY, description });

/** Here and below: a body is strict, a reply allows unknown fields. */
const addon = <Price extends PriceField>(options: TObjectOptions, price: Price) =>
  Type.Object(
    {
      addon_item_id: IdInput("An add-on's id, or a modifier option's."),
      quantity: Type.Optional(
        Int32({
          minimum: 1,
          maximum: MAX_ADDON_QUANTITY,
          description: 'Per unit of what it is added to; 1 when left out.',
        }),
      ),
      unit_price: price(
        'What each costs, as the device charged it; of a swap the difference.',
      ) as ReturnType<Price>,
    },
    options,
  );

const sizeLabel = (description: string) => optionalNullable(shortText(description));

const making = <Price extends PriceField>(options: TObjectOptions, price: Price) => ({
  notes,
  optional_field_ids: Type.Optional(Type.Array(IdInput("An optional's id."))),
  addons: Type.Optional(Type.Array(addon(options, price))),
});

const comboPick = <Price extends PriceField>(options: TObjectOptions, price: Price) =>
  Type.Object(
    {
      slot_id: IdInput("The combo's slot that it fills."),
      menu_item_id: IdInput('One of the choices of that slot.'),
      quantity: Type.Optional(quantity('Units per unit of the combo; 1 when left out.')),
      size_label: sizeLabel(
        "A size's label, in any of its languages; without one, the size that the combo includes.",
      ),
      ...making(options, price),
      share: price('Its share of the price of one combo, for all units of the pick.') as ReturnType<Price>,
      surcharge: price('Of its choice and its size, for all units of the pick.') as ReturnType<Price>,
    },
    options,
  );

const combo = <Price extends PriceField>(options: TObjectOptions, price: Price) =>
  Type.Object({ picks: Type.Array(comboPick(options, price)) }, options);

const orderItem = <Price extends PriceField, More extends TProperties>(
  options: TObjectOptions,
  price: Price,
  more: More,
) =>
  Type.Object(
    {
      ...more,
      menu_item_id: optionalNullable(IdInput('The item or combo; a public cart needs one on every line.')),
      quantity: quantity('Units of the line.'),
      size_label: sizeLabel(
        "A size's label, in any of its languages; without one, the cheapest. A combo has none: its picks do.",
      ),
      ...making(options, price),
      combo: optionalNullable(combo(options, price)),
      staff_drink: Type.Optional(
        Type.Unsafe<object | null>({
          type: ['object', 'null'],
          description:
            'A drink of the staff: `{id, note}`, free up to the allowance of the branch, in a counter sale of who has the permission ' +
            '`orders.staff_drink.record`. An object in a public body is refused with `NOT_PERMITTED`.',
        }),
      ),
      unit_price: price('Of one unit in its size, as the device charged it.') as ReturnType<Price>,
    },
    options,
  );

/** Shapes, AddonInput. */
export const AddonInput = addon(strict, ignored);
/** Shapes, ComboPickInput. */
export const ComboPickInput = comboPick(strict, ignored);
/** Shapes, ComboInput. */
export const ComboInput = combo(strict, ignored);
/** Shapes, OrderItemInput. */
export const OrderItemInput = orderItem(strict, ignored, {});
export type OrderItemInput = Static<typeof OrderItemInput>;

/** An item as it was ordered, in a reply. */
export const OrderedItem = orderItem({}, ignored, {});

/** An item as a device sold it, with the prices that it charged (Decisions 13). */
const RecordedItem = orderItem(strict, recorded, {});
export const RecordedItems = Type.Array(RecordedItem, { minItems: 1, maxItems: MAX_LINES });

/** An item of a ticket's round, with the id that the device gave its line. */
export const RecordedLine = orderItem(strict, recorded, {
  item_id: IdInput('The id of the line, made by the device.'),
});

export const CartItems = Type.Array(OrderItemInput, { minItems: 1, maxItems: MAX_LINES });

/** Decisions 11; additive. */
export const RewardInput = Type.Object(
  {
    reward_id: IdInput("A reward of the shop's loyalty programme."),
    line_index: Int32({ minimum: 0, description: 'The place of a line in `items`, from 0.' }),
    units: quantity('Units of the line that the card pays for, with their add-ons and optionals.'),
  },
  strict,
);
export const cartRewards = (description: string) =>
  Type.Optional(Type.Array(RewardInput, { maxItems: MAX_LINES, description }));

/** Of a guest's cart. */
export const CartRewards = cartRewards(
  'Loyalty rewards to spend, with `member_token` and a proof of the phone of the card.',
);

/** Longer than any real token. */
export const TokenInput = (description: string) =>
  optionalNullable(Type.String({ maxLength: 200, description }));
