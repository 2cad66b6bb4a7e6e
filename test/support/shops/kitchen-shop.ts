/** A café with a bar and a grill at one branch, and no stations at the other. */
import { derivedId, shopIdOf } from '../../../src/shopfile/app/entity-ids.ts';
import type { ShopFile } from '../../../src/shopfile/contract/shopfile.ts';
import { aStaffedShop } from '../people/staff.ts';
import { SLUG, thingId } from './cafe.ts';
import type { BranchEntry } from './shop-file.ts';

/** The name of the combo of a burger and a coffee. */
export const MEAL = 'وجبة';

/** The id of a slot of the combo. */
export const SLOT = (key: 'main' | 'cup'): string =>
  derivedId(shopIdOf(SLUG), 'slot', thingId('combo', 'meal'), { key });

/** A line of the combo. */
export const meals = (quantity: number) => ({
  ...{ menu_item_id: thingId('combo', 'meal'), quantity },
  combo: {
    picks: [
      { slot_id: SLOT('main'), menu_item_id: thingId('item', 'burger') },
      { slot_id: SLOT('cup'), menu_item_id: thingId('item', 'turkish') },
    ],
  },
});

const MENU: ShopFile['menu'] = {
  categories: [
    { key: 'coffee', name: { ar: 'قهوة', en: 'Coffee' } },
    { key: 'food', name: { ar: 'أكل', en: 'Food' } },
  ],
  items: [
    { key: 'turkish', name: { ar: 'قهوة تركي', en: 'Turkish coffee' }, category: 'coffee', price: 4_500 },
    { key: 'burger', name: { ar: 'برجر', en: 'Burger' }, category: 'food', price: 12_000 },
  ],
  combos: [
    {
      ...{ key: 'meal', name: { ar: MEAL, en: 'Meal' }, category: 'food', price: 14_000 },
      slots: [
        { key: 'main', name: { ar: 'طبق', en: 'Main' }, min: 1, max: 1, choices: [{ item: 'burger' }] },
        { key: 'cup', name: { ar: 'كوب', en: 'Cup' }, min: 1, max: 1, choices: [{ item: 'turkish' }] },
      ],
    },
  ],
};

const STATIONS: NonNullable<BranchEntry['stations']> = [
  { key: 'bar', name: { ar: 'البار', en: 'Bar' }, categories: ['coffee'] },
  { key: 'grill', name: { ar: 'الشواية', en: 'Grill' }, categories: ['food'] },
];

/** `more`: fields of the branch with stations. */
export const aKitchenShop = (more: Partial<BranchEntry> = {}): ShopFile => {
  const file = aStaffedShop(undefined, { menu: MENU });
  const branches = file.branches.map((branch) =>
    branch.key === 'zamalek' ? { ...branch, stations: STATIONS, ...more } : branch,
  );
  return { ...file, branches };
};
