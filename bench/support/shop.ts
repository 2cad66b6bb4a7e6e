/** Generated shop files of a given size. */
import { derivedId, shopIdOf } from '../../src/shopfile/app/entity-ids.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import type { Uuid } from '../../src/kernel/ids.ts';

export interface ShopSize {
  readonly slug: string;
  readonly items: number;
  readonly branches: number;
  /** Tables per branch; above 0 it takes bookings. */
  readonly tables: number;
}

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

const both = (ar: string, en: string) => ({ ar, en });

const ITEMS_PER_CATEGORY = 20;
const MILKS = 5;
const EXTRAS = 12;

type Branch = ShopFile['branches'][number];
type Item = NonNullable<ShopFile['menu']['items']>[number];

const SEATS = [2, 2, 4, 4, 4, 6, 4, 2, 6, 8];
const TABLES_PER_JOIN = 5;

export const tableKey = (branch: number, table: number): string => `t-${branch}-${table}`;

const branchOf = (branch: number, tables: number): Branch => ({
  key: `branch-${branch}`,
  name: both(`الفرع رقم ${branch}`, `Branch ${branch}`),
  code: `B${branch}`,
  tax: { rate: 0.14, inclusive: branch % 2 === 0 },
  online_hours: [{ open: '00:00', close: '00:00' }],
  channels: { pickup: {}, outside: { fee: 3000 }, in_mall: {}, umbrella: {} },
  tables: range(tables).map((table) => ({
    key: tableKey(branch, table),
    label: `T${table}`,
    section: table % 2 === 0 ? 'inside' : 'outside',
    seats: { min: 1, max: SEATS[table % SEATS.length] ?? 4 },
  })),
  table_joins: range(Math.floor(tables / TABLES_PER_JOIN)).map((group) =>
    range(TABLES_PER_JOIN).map((place) => tableKey(branch, group * TABLES_PER_JOIN + place)),
  ),
  booking: {
    enabled: tables > 0,
    hours: [{ open: '12:00', close: '23:00' }],
    slot_minutes: 15,
    default_duration_minutes: 90,
    min_party: 1,
    max_party: 24,
    lead_time_minutes: 60,
    horizon_days: 60,
    max_covers_per_slot: 120,
  },
});

/** Every third item has sizes, every second milk, every fifth a window, every seventh a branch price. */
const itemOf = (index: number): Item => {
  const price = 3000 + (index % 40) * 250;
  const priced =
    index % 3 === 0
      ? {
          sizes: [
            { label: both('وسط', 'Regular'), price },
            {
              label: both('كبير', 'Large'),
              price: price + 1500,
              prices: [{ channel: 'outside' as const, price: price + 2000 }],
            },
          ],
        }
      : { price, ...(index % 7 === 0 ? { prices: [{ branch: 'branch-0', price: price + 500 }] } : {}) };
  return {
    key: `item-${index}`,
    name: both(`صنف من القائمة رقم ${index}`, `Item ${index} of the menu`),
    category: `category-${Math.floor(index / ITEMS_PER_CATEGORY)}`,
    description: both('وصف قصير يكتبه صاحب المحل عن الصنف', 'A short line that the owner wrote about it'),
    ...priced,
    ...(index % 2 === 0
      ? {
          default_milk: 'milk-0',
          allowed_addons: [...range(MILKS).map((milk) => `milk-${milk}`), 'extra-0', 'extra-1'],
        }
      : { modifier_groups: ['extras'] }),
    ...(index % 5 === 0 ? { windows: [{ from: '07:00', to: '03:00' }] } : {}),
  };
};

export const shopFile = ({ slug, items, branches, tables }: ShopSize): ShopFile => ({
  format: 1,
  slug,
  name: both('محل للقياس', `Bench ${slug}`),
  branches: range(branches).map((branch) => branchOf(branch, tables)),
  menu: {
    categories: range(Math.ceil(items / ITEMS_PER_CATEGORY)).map((category) => ({
      key: `category-${category}`,
      name: both(`قسم ${category}`, `Category ${category}`),
    })),
    addons: [
      ...range(MILKS).map((milk) => ({
        key: `milk-${milk}`,
        name: both(`لبن ${milk}`, `Milk ${milk}`),
        type: 'milk_type' as const,
        price: milk * 500,
      })),
      ...range(EXTRAS).map((extra) => ({
        key: `extra-${extra}`,
        name: both(`إضافة ${extra}`, `Extra ${extra}`),
        type: 'extra' as const,
        price: 500 + extra * 100,
      })),
    ],
    modifier_groups: [
      {
        key: 'extras',
        name: both('إضافات', 'Extras'),
        selection: 'multi',
        min: 0,
        max: 4,
        options: range(EXTRAS).map((extra) => `extra-${extra}`),
      },
    ],
    items: range(items).map(itemOf),
    deals:
      items === 0
        ? []
        : [
            {
              key: 'three-for',
              name: both('تلاتة بمية', 'Three for 100'),
              kind: 'n_for_price',
              qty: 3,
              price: 10_000,
              pool: [{ category: 'category-0' }],
            },
          ],
  },
});

export const branchId = (slug: string, branch: number): Uuid =>
  derivedId(shopIdOf(slug), 'branch', shopIdOf(slug), { key: `branch-${branch}` });

export const tableId = (slug: string, branch: number, table: number): Uuid =>
  derivedId(shopIdOf(slug), 'table', branchId(slug, branch), { key: tableKey(branch, table) });
