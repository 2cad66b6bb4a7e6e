/** An arbitrary of carts for `aQuotingShop`. */
import fc from 'fast-check';
import { addon, line, meal, optional, pick, type Line } from './quoting-shop.ts';

const quantity = fc.integer({ min: 1, max: 7 });
const milks = fc
  .constantFrom('oat', 'whole', null)
  .map((key) => (key === null ? [] : [{ addon_item_id: addon(key) }]));
const syrups = fc
  .integer({ min: 0, max: 3 })
  .map((count) => (count === 0 ? [] : [{ addon_item_id: addon('syrup'), quantity: count }]));
const size = fc.constantFrom('صغير', 'كبير');

const latte = fc.record({ quantity, milks, syrups, size, isInCup: fc.boolean() }).map((made) =>
  line('latte', {
    ...{ quantity: made.quantity, size_label: made.size, addons: [...made.milks, ...made.syrups] },
    optional_field_ids: made.isInCup && made.size === 'كبير' ? [optional('latte', 'cup')] : [],
  }),
);
const sandwich = fc
  .record({ quantity, sauces: fc.constantFrom(['ketchup'], ['tahini'], ['ketchup', 'tahini']) })
  .map((made) =>
    line('sandwich', {
      quantity: made.quantity,
      addons: made.sauces.map((key) => ({ addon_item_id: addon(key) })),
    }),
  );
const breakfast = fc
  .record({ quantity, milks, size, cakes: fc.integer({ min: 1, max: 2 }), isTurkish: fc.boolean() })
  .map((made) =>
    meal(
      [
        made.isTurkish
          ? pick('drink', 'turkish')
          : pick('drink', 'latte', { size_label: made.size, addons: made.milks }),
        pick('sweet', 'cake', { quantity: made.cakes }),
      ],
      { quantity: made.quantity },
    ),
  );
const plain = fc
  .record({ quantity, key: fc.constantFrom('turkish', 'cake') })
  .map((made) => line(made.key, { quantity: made.quantity }));
/** One to six lines of everything that `aQuotingMenu` sells. */
export const anyCart: fc.Arbitrary<Line[]> = fc.array(
  fc.oneof(latte, sandwich, breakfast, { weight: 3, arbitrary: plain }),
  { minLength: 1, maxLength: 6 },
);
