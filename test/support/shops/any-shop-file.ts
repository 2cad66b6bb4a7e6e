/** An arbitrary of small, valid shop files. */
import fc from 'fast-check';
import type { ShopFile } from '../../../src/shopfile/contract/shopfile.ts';

type ItemEntry = NonNullable<ShopFile['menu']['items']>[number];

const letters = 'ابتثجحخدذرزسشصضطظعغفقكلمنهويabcdefghijklmnop0123456789';
const word = fc.string({ unit: fc.constantFrom(...Array.from(letters)), minLength: 1, maxLength: 8 });
const localText = fc.oneof(
  word.map((ar) => ({ ar })),
  fc.record({ ar: word, en: word }),
);
const money = fc.integer({ min: 0, max: 50_000 });
const wallTime = fc.integer({ min: 0, max: 95 }).map((quarter) => {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(quarter / 4))}:${two((quarter % 4) * 15)}`;
});
const date = fc
  .integer({ min: 0, max: 800 })
  .map((day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10));
const channel = fc.constantFrom('pickup', 'outside', 'in_mall', 'umbrella');
const flag = fc.boolean();
const WEEK = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** Entries with a key each, for references. */
const keyed = <T>(
  prefix: string,
  entry: fc.Arbitrary<T>,
  min: number,
  max: number,
): fc.Arbitrary<(T & { key: string })[]> =>
  fc
    .array(entry, { minLength: min, maxLength: max })
    .map((list) => list.map((one, at) => ({ ...one, key: `${prefix}-${at}` })));

const keysOf = (list: readonly { readonly key: string }[]): [string, ...string[]] => {
  const [first, ...others] = list.map(({ key }) => key);
  if (first === undefined) throw new RangeError('a list without entries has nothing to refer to');
  return [first, ...others];
};

const oneOf = (list: readonly { readonly key: string }[]): fc.Arbitrary<string> =>
  fc.constantFrom(...keysOf(list));
const some = (list: readonly { readonly key: string }[], max: number): fc.Arbitrary<string[]> =>
  fc.uniqueArray(oneOf(list), { maxLength: max });

/** The object without its undefined fields. */
const compact = <T extends object>(value: T): Given<T> =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as Given<T>;
/** `T` with optional fields in place of undefined ones. */
type Given<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });

const ranges = fc.uniqueArray(fc.record({ open: wallTime, close: wallTime }), {
  minLength: 1,
  maxLength: 3,
  selector: ({ open }) => open,
});

const anyBranch = fc.record({
  name: localText,
  active: flag,
  online_hours: ranges,
  location: fc.record({
    lat: fc.double({ min: -80, max: 80, noNaN: true }),
    lng: fc.double({ min: -170, max: 170, noNaN: true }),
  }),
  day_starts_at: wallTime,
  tax: fc.record({
    rate: fc.integer({ min: 0, max: 1_000_000 }).map((millionths) => millionths / 1_000_000),
    inclusive: flag,
  }),
  channels: fc.record(
    { pickup: fc.record({ enabled: flag, fee: money }), outside: fc.record({ hours: ranges }) },
    { requiredKeys: [] },
  ),
  delivery_zones: keyed(
    'zone',
    fc.record({ name: localText, fee: money, radius_meters: fc.integer({ min: 1, max: 20_000 }) }),
    0,
    3,
  ),
  tables: keyed(
    'table',
    fc.record({
      label: word,
      seats: fc.record({ min: fc.integer({ min: 1, max: 2 }), max: fc.integer({ min: 2, max: 8 }) }),
      bookable: flag,
    }),
    0,
    5,
  ),
  booking: fc.record({ enabled: flag, hours: ranges, max_party: fc.integer({ min: 1, max: 20 }) }),
});

const pricesAt = (branches: readonly { readonly key: string }[]) =>
  fc.uniqueArray(fc.record({ branch: maybe(oneOf(branches)), channel, price: money }).map(compact), {
    maxLength: 3,
    selector: ({ branch, channel: on }) => `${branch} ${on}`,
  });

const windowsAt = (branches: readonly { readonly key: string }[]) =>
  fc.array(
    fc
      .record({
        branch: maybe(oneOf(branches)),
        weekdays: maybe(fc.subarray([...WEEK], { minLength: 1 })),
        span: maybe(fc.uniqueArray(wallTime, { minLength: 2, maxLength: 2 })),
        dates: maybe(fc.tuple(date, date)),
      })
      .map(({ span, dates, ...rest }) => {
        const [valid_from, valid_to] = [...(dates ?? [])].sort();
        return compact({ ...rest, from: span?.[0], to: span?.[1], valid_from, valid_to });
      }),
    { maxLength: 2 },
  );

const availabilityAt = (branches: readonly { readonly key: string }[]) =>
  fc.uniqueArray(
    fc.oneof(
      fc.record({ branch: oneOf(branches), on: flag, stock: fc.integer({ min: 0, max: 50 }) }),
      fc.record({ channel, on: flag }),
    ),
    { maxLength: 3, selector: (entry) => ('branch' in entry ? entry.branch : entry.channel) },
  );

/** An owner, and up to four others. */
const anyStaff = (branches: readonly { readonly key: string }[]): fc.Arbitrary<ShopFile['staff']> =>
  keyed(
    'staff',
    fc.record({
      name: word,
      role: fc.constantFrom('manager' as const, 'teller' as const, 'waiter' as const, 'kitchen' as const),
      hasEmail: flag,
      branches: maybe(fc.uniqueArray(oneOf(branches), { minLength: 1, maxLength: 2 })),
      active: flag,
    }),
    0,
    4,
  ).map((list) => [
    ...list.map(({ hasEmail, ...person }) =>
      compact({ ...person, email: hasEmail ? `${person.key}@any.example` : undefined }),
    ),
    { key: 'owner', name: 'owner', role: 'owner' as const },
  ]);

interface Parts {
  readonly branches: readonly { readonly key: string }[];
  readonly categories: readonly { readonly key: string }[];
  readonly addons: readonly { readonly key: string }[];
}

const anyItems = ({ branches, categories, addons }: Parts) =>
  keyed(
    'item',
    fc
      .record({
        name: localText,
        category: maybe(oneOf(categories)),
        description: maybe(localText),
        active: flag,
        price: money,
        prices: pricesAt(branches),
        sizes: fc.uniqueArray(fc.record({ label: word, price: money, prices: pricesAt(branches) }), {
          maxLength: 3,
          selector: ({ label }) => label,
        }),
        optionals: keyed('optional', fc.record({ name: localText, price: money }), 0, 2),
        allowed_addons: some(addons, 3),
        availability: availabilityAt(branches),
        windows: windowsAt(branches),
      })
      .map(({ price, prices, sizes, ...rest }) =>
        compact({ ...rest, ...(sizes.length > 0 ? { sizes } : { price, prices }) }),
      ),
    1,
    8,
  );

const anyDeals = ({ branches, categories }: Parts, items: readonly { readonly key: string }[]) => {
  const pool = fc.array(
    fc.oneof(
      oneOf(categories).map((category) => ({ category })),
      oneOf(items).map((item) => ({ item })),
    ),
    { minLength: 1, maxLength: 3 },
  );
  const shared = {
    name: localText,
    qty: fc.integer({ min: 1, max: 9 }),
    active: flag,
    pool,
    windows: windowsAt(branches),
  };
  return keyed(
    'deal',
    fc.oneof(
      fc.record({ ...shared, kind: fc.constant('n_for_price' as const), price: money }),
      fc.record({
        ...shared,
        kind: fc.constant('buy_get' as const),
        get_qty: fc.integer({ min: 1, max: 3 }),
        get_percent: fc.integer({ min: 1, max: 100 }),
      }),
    ),
    0,
    4,
  );
};

const anyCombos = (items: readonly (ItemEntry & { readonly key: string })[], { categories }: Parts) => {
  const choice = fc.constantFrom(...keysOf(items)).map((key) => {
    const label = items.find((item) => item.key === key)?.sizes?.[0]?.label;
    return typeof label === 'string' ? { item: key, included_size: label } : { item: key };
  });
  const slot = fc.record({
    name: localText,
    choices: fc.uniqueArray(choice, { minLength: 1, maxLength: 3, selector: ({ item }) => item }),
  });
  return keyed(
    'combo',
    fc
      .record({
        name: localText,
        category: maybe(oneOf(categories)),
        price: money,
        slots: keyed('slot', slot, 1, 3),
      })
      .map(compact),
    0,
    3,
  );
};

const anyLoyalty = (
  { categories }: Parts,
  items: readonly { readonly key: string }[],
): fc.Arbitrary<ShopFile['loyalty']> => {
  const pool = fc.array(
    fc.oneof(
      oneOf(categories).map((category) => ({ category })),
      oneOf(items).map((item) => ({ item })),
    ),
    { minLength: 1, maxLength: 3 },
  );
  const amount = fc.integer({ min: 1, max: 1000 });
  const message = fc.oneof(
    word.map((ar) => ({ ar: `${ar} {name}` })),
    fc.record({ ar: word, en: word }),
  );
  const gift = { amount: maybe(amount), message: maybe(message) };
  const winBack = fc.record({ enabled: flag, after_days: fc.integer({ min: 1, max: 400 }), ...gift });
  return maybe(
    fc
      .record({
        enabled: flag,
        mode: fc.constantFrom('points' as const, 'visits' as const),
        program_name: localText,
        earn_piastres_per_point: maybe(amount),
        earn_on_tax: maybe(flag),
        visit_items: maybe(pool),
        default_reward_cost: maybe(amount),
        balance_cap: maybe(amount),
        max_rewards_per_order: maybe(fc.integer({ min: 1, max: 9 })),
        offline_limit: maybe(amount),
        require_otp: maybe(flag),
        birthday: maybe(fc.record({ enabled: flag, ...gift }).map(compact)),
        win_back: maybe(winBack.map(compact)),
        terms: maybe(fc.record({ ar: word, en: word })),
        rewards: maybe(
          keyed(
            'reward',
            fc.record({ name: localText, cost: amount, items: maybe(pool) }).map(compact),
            1,
            3,
          ),
        ),
      })
      .map(compact),
  );
};

/** Valid files; everything has a key, so names may repeat. */
export const anyShopFile = (): fc.Arbitrary<ShopFile> => {
  const parts = fc.record({
    branches: keyed('branch', anyBranch, 1, 3).map((list) =>
      list.map((branch, at) => ({ ...branch, code: `B${at}` })),
    ),
    categories: keyed('category', fc.record({ name: localText }), 1, 4),
    addons: keyed(
      'addon',
      fc.record({
        name: localText,
        type: fc.constantFrom('milk_type' as const, 'coffee_type' as const, 'extra' as const),
        price: money,
      }),
      1,
      5,
    ),
  });
  return fc
    .tuple(
      parts,
      localText,
      fc.record({
        show_branches: flag,
        digits: fc.constantFrom('latn' as const, 'arab' as const),
        order_brake: maybe(
          fc.record(
            {
              open_orders: fc.constantFrom(null, 1, 5, 40),
              orders_per_day: fc.constantFrom(null, 1, 20, 10_000),
            },
            { requiredKeys: [] },
          ),
        ),
        payment_methods: maybe(
          fc.shuffledSubarray(['cash', 'card', 'instapay', 'wallet_2'], { minLength: 1 }),
        ),
      }),
    )
    .chain(([known, name, { show_branches, ...shop }]) =>
      anyItems(known).chain((items) =>
        fc
          .tuple(
            ...([anyDeals(known, items), anyCombos(items, known), anyStaff(known.branches)] as const),
            anyLoyalty(known, items),
          )
          .map(([deals, combos, staff, loyalty]): ShopFile => ({
            format: 1,
            slug: 'any-shop',
            name,
            ...compact(shop),
            links: { show_branches },
            branches: known.branches,
            ...(staff === undefined ? {} : { staff }),
            ...(loyalty === undefined ? {} : { loyalty }),
            menu: { categories: known.categories, addons: known.addons, items, combos, deals },
          })),
      ),
    );
};
