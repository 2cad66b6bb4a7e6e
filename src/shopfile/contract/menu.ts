import Type from 'typebox';
import { MAX_ITEMS, MAX_SIZES } from '../domain/limits.ts';
import { ADDON_TYPES } from '../../menu/contract/menu.ts';
import { Deal, Discount } from './deals.ts';
import { priced, availability, windows, sell } from './sale.ts';
import {
  strict,
  localText,
  integer,
  money,
  reference,
  word,
  pictureReference,
  optional,
  identity,
} from './values.ts';

const Category = Type.Object(
  { ...identity, name: localText(120), image_url: optional(pictureReference) },
  strict,
);

const Addon = Type.Object(
  {
    ...identity,
    name: localText(120),
    type: word(ADDON_TYPES),
    active: optional(Type.Boolean({ default: true })),
    ...priced,
    availability,
  },
  strict,
);

const ModifierGroup = Type.Object(
  {
    ...identity,
    name: localText(120),
    selection: word(['single', 'multi']),
    required: optional(Type.Boolean({ default: false })),
    min: optional(integer(0, 99)),
    max: optional(integer(1, 99)),
    addon_type: optional(word(ADDON_TYPES)),
    options: Type.Array(reference('an add-on'), { minItems: 1, maxItems: 100, uniqueItems: true }),
  },
  strict,
);

const Size = Type.Object({ label: localText(60), ...priced }, strict);
const OptionalField = Type.Object(
  { ...identity, name: localText(120), size: optional(reference('a size of this item')), ...priced },
  strict,
);

const itemFields = {
  ...identity,
  name: localText(120),
  category: optional(reference('a category')),
  description: optional(localText(1000)),
  image_url: optional(pictureReference),
  active: optional(Type.Boolean({ default: true })),
  availability,
  windows,
};

const Item = Type.Object(
  {
    ...itemFields,
    ...priced,
    sizes: optional(Type.Array(Size, { maxItems: MAX_SIZES })),
    optionals: optional(Type.Array(OptionalField, { maxItems: 50 })),
    default_milk: optional(reference('an add-on of type milk_type')),
    default_coffee: optional(reference('an add-on of type coffee_type')),
    allowed_addons: optional(
      Type.Array(reference('an add-on'), {
        maxItems: 200,
        uniqueItems: true,
        description:
          'What may be added; left out: every add-on; empty: none. Where there are modifier groups they alone say so.',
      }),
    ),
    modifier_groups: optional(Type.Array(reference('a modifier group'), { maxItems: 20, uniqueItems: true })),
    meal: optional(
      Type.Object({ combo: reference('a combo'), slot: reference('a slot of that combo') }, strict),
    ),
  },
  strict,
);

const Choice = Type.Object(
  {
    item: reference('an item'),
    included_size: optional(reference('a size of that item')),
    surcharge: optional(money()),
    size_extras: optional(
      Type.Array(Type.Object({ size: reference('a size of that item'), extra: money() }, strict), {
        maxItems: 20,
      }),
    ),
  },
  strict,
);
const Slot = Type.Object(
  {
    ...identity,
    name: localText(120),
    min: optional(integer(0, 50)),
    max: optional(integer(1, 50)),
    default: optional(reference('an item among the choices')),
    default_size: optional(reference('a size of that item')),
    choices: Type.Array(Choice, { minItems: 1, maxItems: 100 }),
  },
  strict,
);
const Combo = Type.Object(
  { ...itemFields, ...priced, sell, slots: Type.Array(Slot, { minItems: 1, maxItems: 20 }) },
  strict,
);

export const Menu = Type.Object(
  {
    categories: optional(Type.Array(Category, { maxItems: 500 })),
    addons: optional(Type.Array(Addon, { maxItems: 2000 })),
    modifier_groups: optional(Type.Array(ModifierGroup, { maxItems: 1000 })),
    items: optional(Type.Array(Item, { maxItems: MAX_ITEMS })),
    combos: optional(Type.Array(Combo, { maxItems: 1000 })),
    deals: optional(Type.Array(Deal, { maxItems: 200 })),
    discounts: optional(Type.Array(Discount, { maxItems: 200 })),
  },
  strict,
);
