/** Arbitrary menus for property tests. */
import fc from 'fast-check';
import type { AvailabilityEntry } from './availability.ts';
import { BRANCH, NOON, ZONE } from './menu.test-support.ts';
import type {
  Addon,
  ChannelDiscount,
  ChannelToggles,
  Combo,
  ComboChoice,
  ComboSlot,
  Deal,
  DealPoolEntry,
  MenuBook,
  ModifierGroup,
  OptionalField,
  PlainItem,
} from './menubook.ts';
import type { PriceEntry, SalePoint } from './price.ts';
import { CHANNELS, ONLINE_CHANNELS } from '../../shops/domain/shop.ts';
import type { SaleWindow } from '../../kernel/sale-windows.ts';

// Short lists of ids, some without an entity, so that references are sometimes broken.
const CATEGORIES = ['حار', 'بارد', 'archived'];
const ITEMS = ['i0', 'i1', 'i2', 'i3'];
const COMBOS = ['c0', 'c1'];
const ADDONS = ['a0', 'a1', 'a2', 'a3', 'a4'];
const GROUPS = ['g0', 'g1'];
const SIZES = ['صغير', 'كبير'];
export const HOUR = 3_600_000;

const branch = fc.constantFrom(null, null, BRANCH, BRANCH, 'maadi');
const online = fc.constantFrom(...ONLINE_CHANNELS.slice(0, 2));
const sometimes = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 2 });
const mostly = fc.integer({ min: 0, max: 9 }).map((n) => n > 0);
const id = (ids: readonly string[]) => fc.constantFrom(...ids);
const named = (name: string) => ({ id: name, name: `اسم ${name}`, nameTranslations: { en: name } });
const sorted = (name: string) => ({ ...named(name), sort: 0 });

const window: fc.Arbitrary<SaleWindow> = fc
  .record({
    branchId: branch,
    weekdays: fc.constantFrom(127, 127, 16, 48, 1),
    times: sometimes(
      fc
        .tuple(fc.constantFrom(0, 600, 720, 780), fc.constantFrom(60, 720, 900, 1439))
        .filter(([from, to]) => from !== to),
    ),
    validFrom: sometimes(fc.constantFrom('2026-07-01', '2026-07-02', '2026-07-03')),
    validTo: sometimes(fc.constantFrom('2026-07-03', '2026-07-04')),
  })
  .map(({ times, ...rest }) => ({ ...rest, startsAt: times?.[0] ?? null, endsAt: times?.[1] ?? null }));
export const windows = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  fc.array(window, { maxLength: 2 }),
);

const priceEntry = (sizeLabel: fc.Arbitrary<string>): fc.Arbitrary<PriceEntry> =>
  fc.record({
    sizeLabel,
    branchId: branch,
    channel: fc.oneof(fc.constant(null), online),
    amount: fc.integer({ min: 0, max: 6 }).map((n) => n * 500),
  });
const prices = (labels: readonly string[] = ['']): fc.Arbitrary<PriceEntry[]> =>
  fc
    .tuple(
      fc.subarray([...labels], { minLength: labels.length - 1 }),
      fc.uniqueArray(priceEntry(id(labels)), {
        maxLength: 4,
        selector: (p) => `${p.sizeLabel} ${p.branchId ?? ''} ${p.channel ?? ''}`,
      }),
    )
    .map(([listed, rungs]) => [
      ...rungs,
      ...listed
        .filter(
          (label) => !rungs.some((p) => p.sizeLabel === label && p.branchId === null && p.channel === null),
        )
        .map((sizeLabel) => ({ sizeLabel, branchId: null, channel: null, amount: 1500 })),
    ]);

const switches: fc.Arbitrary<AvailabilityEntry> = fc.oneof(
  fc.record({
    branchId: branch,
    channel: fc.oneof(fc.constant(null), fc.constantFrom(...CHANNELS.slice(0, 3))),
    isOn: mostly,
    soldOutUntil: fc.constant(null),
    stock: fc.constant(null),
  }),
  fc.record({
    branchId: fc.constantFrom(BRANCH, 'maadi'),
    channel: fc.constant(null),
    isOn: fc.constant(true),
    soldOutUntil: sometimes(fc.constantFrom(NOON - HOUR, NOON, NOON + HOUR, NOON + 30 * HOUR, Infinity)),
    stock: sometimes(fc.constantFrom(0, 3)),
  }),
);
const availability = fc.oneof(fc.constant([]), fc.array(switches, { maxLength: 2 }));

const toggles: fc.Arbitrary<ChannelToggles> = fc.record({
  pos: fc.boolean(),
  qr: mostly,
  online: mostly,
  delivery: fc.boolean(),
});

const addon = (name: string): fc.Arbitrary<Addon> =>
  fc
    .record({
      type: fc.constantFrom('milk_type', 'coffee_type', 'extra'),
      isLive: mostly,
      prices: prices(),
      availability,
    })
    .map((rest) => ({ ...sorted(name), ...rest }));

const group: fc.Arbitrary<ModifierGroup> = fc
  .record({
    name: id(GROUPS),
    selectionType: fc.constantFrom('single', 'multi'),
    minSelections: fc.integer({ min: 0, max: 3 }),
    isRequired: fc.boolean(),
    addonIds: fc.subarray(ADDONS, { minLength: 1, maxLength: 2 }),
  })
  .map(({ name, ...rest }) => ({ ...named(name), maxSelections: null, addonType: null, ...rest }));

const optional: fc.Arbitrary<OptionalField> = fc
  .record({ sizeLabel: fc.option(id(SIZES)), prices: prices() })
  .map((rest) => ({ ...named('o'), ...rest }));

const sellable = (labels: readonly string[]) => ({
  categoryId: fc.option(id(CATEGORIES), { freq: 4 }),
  isLive: mostly,
  prices: prices(labels),
  availability,
  windows,
});
const words = { description: null, descriptionTranslations: {}, imageUrl: null, pictureId: null };

const item = (name: string): fc.Arbitrary<PlainItem> =>
  fc
    .record({
      ...sellable(['', ...SIZES]),
      sizes: fc.subarray(SIZES).map((labels) => labels.map((label) => ({ label, labelTranslations: {} }))),
      optionals: fc.array(optional, { maxLength: 1 }),
      allowedAddonIds: fc.oneof(fc.constant(null), fc.subarray([...ADDONS, 'unknown'])),
      groups: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(group, { maxLength: 2 })),
      defaults: fc.record({ milk_type: fc.option(id(ADDONS)), coffee_type: fc.option(id(ADDONS)) }),
      meal: fc.option(
        fc.record({ comboId: id([...COMBOS, 'unknown']), slotId: id(['c0-0', 'c0-1', 'c1-0']) }),
      ),
    })
    .map((rest) => ({ ...sorted(name), ...words, kind: 'item', ...rest }));

const choice: fc.Arbitrary<ComboChoice> = fc.record({
  itemId: id([...ITEMS, ...ITEMS, 'c1']),
  includedSizeLabel: id(['', ...SIZES]),
  surcharge: fc.constantFrom(0, 500),
  sizeExtras: fc.subarray(SIZES).map((labels) => new Map(labels.map((label) => [label, 700]))),
});
const slot = (name: string): fc.Arbitrary<ComboSlot> =>
  fc
    .record({
      min: fc.constantFrom(0, 1, 1, 2),
      choices: fc.uniqueArray(choice, { maxLength: 3, selector: (c) => c.itemId }),
      defaultItemId: fc.option(id(ITEMS)),
    })
    .map((rest) => ({
      ...named(name),
      sort: 1,
      max: Math.max(1, rest.min),
      defaultSizeLabel: null,
      ...rest,
    }));
const combo = (name: string): fc.Arbitrary<Combo> =>
  fc
    .record({ ...sellable(['']), sell: toggles, slots: fc.tuple(slot(`${name}-0`), slot(`${name}-1`)) })
    .map((rest) => ({ ...sorted(name), ...words, kind: 'combo', ...rest }));

const poolEntry: fc.Arbitrary<DealPoolEntry> = fc.oneof(
  fc.record({
    categoryId: id(CATEGORIES),
    menuItemId: fc.constant(null),
    sizeLabel: sometimes(id(SIZES)),
  }),
  fc.record({
    categoryId: fc.constant(null),
    menuItemId: id([...ITEMS, 'c0']),
    sizeLabel: sometimes(id(SIZES)),
  }),
);
const pool = fc.array(poolEntry, { maxLength: 3 });
const deal = (name: string): fc.Arbitrary<Deal> =>
  fc
    .record({
      terms: fc.constantFrom(
        { kind: 'n_for_price', price: 5000 } as const,
        { kind: 'buy_get', getQty: 1, getPercent: 50 } as const,
      ),
      isActive: mostly,
      sell: toggles,
      pool,
      rewardPool: pool,
      windows,
      branchOverrides: fc.constantFrom(
        [],
        [],
        [{ branchId: BRANCH, isActive: true }],
        [
          { branchId: BRANCH, isActive: false },
          { branchId: 'maadi', isActive: true },
        ],
      ),
    })
    .map((rest) => ({
      ...named(name),
      qty: 2,
      maxPerOrder: null,
      sort: 1,
      createdAt: 0,
      updatedAt: 0,
      ...rest,
    }));

const discount = (branchId: string | null): fc.Arbitrary<ChannelDiscount> =>
  fc
    .record({
      channel: online,
      isActive: mostly,
      validFrom: sometimes(fc.constantFrom('2026-07-02', '2026-07-03')),
      validTo: sometimes(fc.constantFrom('2026-07-01', '2026-07-03')),
    })
    .map((rest) => ({
      ...named(`discount ${branchId ?? 'shop'}`),
      branchId,
      cut: { dtype: 'fixed', amount: 100 },
      ...rest,
    }));

export const book: fc.Arbitrary<MenuBook> = fc
  .record({
    plain: fc.tuple(...ITEMS.map(item)),
    combos: fc.tuple(...COMBOS.map(combo)),
    addons: fc.tuple(...ADDONS.map(addon)),
    deals: fc.tuple(deal('d0'), deal('d1')),
    discounts: fc.tuple(discount(null), discount(BRANCH), discount('maadi')),
  })
  .map(({ plain, combos, ...rest }) => ({
    ...rest,
    categories: CATEGORIES.filter((name) => name !== 'archived').map((name) => ({
      ...sorted(name),
      imageUrl: null,
      pictureId: null,
    })),
    items: [...combos, ...plain],
    groups: [],
  }));

/** A test of the next change is strict only if few parts depend on the clock. */
const TIMED = ['items', 'addons', 'deals', 'discounts'] as const;
const untimed = <T extends { availability: readonly AvailabilityEntry[] }>(thing: T): T => ({
  ...thing,
  availability: thing.availability.map((entry) => ({ ...entry, soldOutUntil: null })),
});
const still = (b: MenuBook, moving: (typeof TIMED)[number]): MenuBook => ({
  ...b,
  items: moving === 'items' ? b.items : b.items.map((i) => ({ ...untimed(i), windows: [] })),
  addons: moving === 'addons' ? b.addons : b.addons.map(untimed),
  deals: moving === 'deals' ? b.deals : b.deals.map((d) => ({ ...d, windows: [] })),
  discounts:
    moving === 'discounts' ? b.discounts : b.discounts.map((d) => ({ ...d, validFrom: null, validTo: null })),
});
export const oneThingMoves = fc.tuple(book, fc.constantFrom(...TIMED)).map(([b, moving]) => still(b, moving));

export const point: fc.Arbitrary<SalePoint> = fc
  .record({
    branchId: fc.constantFrom(BRANCH, BRANCH, BRANCH, 'maadi'),
    zone: fc.constant(ZONE),
    outlet: fc.constantFrom(...CHANNELS.slice(0, 3), 'till' as const),
  })
  .map(({ outlet, ...place }): SalePoint =>
    outlet === 'till' ? { ...place, channel: 'dine_in', toggle: 'pos' } : { ...place, channel: outlet },
  );
export const now = fc.integer({ min: -30, max: 60 }).map((quarters) => NOON + quarters * (HOUR / 4));
