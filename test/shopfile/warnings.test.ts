/** Warnings about valid values that look like mistakes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bestDeals } from '../../src/pricing/domain/deals/best.ts';
import { priceBookOf } from '../../src/pricing/domain/pricebook.ts';
import { CHANNELS } from '../../src/shops/domain/shop.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { loadMenuBook } from '../../src/menu/store/menu.ts';
import {
  aBranchEntry,
  aMinimalShopFile,
  anItemEntry,
  type DealEntry,
  type ItemEntry,
} from '../support/shops/shop-file.ts';
import { anyShopFile } from '../support/shops/any-shop-file.ts';
import { useMenuImport, csv } from '../support/shops/menu-import.ts';

const { fixture, open, load } = useMenuImport();

let shops = 0;
const warningsOf = async (overrides: Partial<ShopFile>): Promise<readonly string[]> => {
  const file = aMinimalShopFile({ slug: `warnings-${(shops += 1)}`, ...overrides });
  const dry = await fixture().import(file, { dryRun: true });
  const { warnings } = await fixture().import(file);
  expect(dry.warnings).toEqual(warnings);
  expect((await fixture().import(file)).warnings).toEqual([]);
  return warnings;
};

const priced = (...prices: readonly number[]): ItemEntry[] =>
  prices.map((price, at) => ({ name: `صنف ${at}`, category: 'قهوة', price }));
const menuOf = (items: ItemEntry[], deals: DealEntry[] = []): Partial<ShopFile> => ({
  menu: { categories: [{ name: 'قهوة' }], items, deals },
});

describe('a price', () => {
  test('a hundred times above or below its neighbours is reported; twice as high is not', async () => {
    expect(await warningsOf(menuOf(priced(4500, 5000, 9000, 600_000, 45)))).toEqual([
      '‘صنف 3’ costs 6000.00, where others of its kind cost about 50.00: are the pounds piastres, or the other way round?',
      '‘صنف 4’ costs 0.45, where others of its kind cost about 90.00: are the pounds piastres, or the other way round?',
    ]);
    expect(await warningsOf(menuOf(priced(4500, 5000, 9000, 0, 2500)))).toEqual([]);
  });

  test('far from its old value is reported even if all others changed too; many in one warning', async () => {
    const slug = `warnings-${(shops += 1)}`;
    const fileOf = (...prices: readonly number[]) => aMinimalShopFile({ slug, ...menuOf(priced(...prices)) });
    const warned = async (...prices: readonly number[]) =>
      (await fixture().import(fileOf(...prices))).warnings;
    expect(await warned(4000, 4500, 5000)).toEqual([]);
    expect(await warned(4000, 4500, 9000)).toEqual([]);
    expect(await warned(400_000, 450_000, 900_000)).toEqual([
      '‘صنف 0’ costs 4000.00, and until now it cost 40.00: are the pounds piastres, or the other way round?',
      '‘صنف 1’ costs 4500.00, and until now it cost 45.00: are the pounds piastres, or the other way round?',
      '‘صنف 2’ costs 9000.00, and until now it cost 90.00: are the pounds piastres, or the other way round?',
    ]);
    const column = [40, 45, 50, 55, 60, 65];
    expect(await warned(...column.map((pounds) => pounds * 10_000))).toEqual([]);
    expect(await warned(...column.map((pounds) => pounds * 100))).toEqual([
      '6 prices are not what they were by far: ‘صنف 0’ costs 40.00, and until now it cost 4000.00: are the pounds piastres, or the other way round?',
    ]);
  });

  test('that becomes zero is reported', async () => {
    const slug = `warnings-${(shops += 1)}`;
    const fileOf = (...prices: readonly number[]) => aMinimalShopFile({ slug, ...menuOf(priced(...prices)) });
    expect((await fixture().import(fileOf(4500, 0))).warnings).toEqual([]);
    expect((await fixture().import(fileOf(0, 0))).warnings).toEqual([
      '‘صنف 0’ costs nothing, and until now it cost 45.00: is it given away?',
    ]);
  });

  test('of a size, an add-on or one channel is reported too', async () => {
    const items: ItemEntry[] = [
      ...priced(4500, 5000, 6000),
      {
        name: 'لاتيه',
        category: 'قهوة',
        sizes: [
          { label: 'كبير', price: 850_000 },
          { label: 'وسط', price: 7000 },
        ],
      },
      anItemEntry({ prices: [{ channel: 'pickup', price: 45 }] }),
    ];
    const addons = [500, 600, 700, 50_000].map((price, at) => ({
      name: `إضافة ${at}`,
      type: 'extra' as const,
      price,
    }));
    const found = await warningsOf({ menu: { categories: [{ name: 'قهوة' }], items, addons } });
    expect(found.map((text) => /^(.*?), (?:where|on)/.exec(text)?.[1])).toEqual([
      '‘لاتيه’ كبير costs 8500.00',
      '‘قهوة تركي’ costs 0.45',
      '‘إضافة 3’ costs 500.00',
    ]);
  });

  test('in a menu CSV is reported once, and imported', async () => {
    const slug = await open(menuOf([...priced(4000, 5000, 6000), anItemEntry()]));
    const file = csv('name_ar,price_egp', 'قهوة تركي,"4500,5"');
    const { warnings } = await load(slug, file);
    expect(warnings).toEqual([
      'row 2, price_egp: ‘4500,5’ is read as 4500.50',
      expect.stringContaining('‘قهوة تركي’ costs 4500.50, where others of its kind cost about 50.00'),
    ]);
    const semicolons = 'name_ar;price_egp\r\nصنف 0;40,00\r\nصنف 1;50,00\r\nصنف 2;60,00\r\n';
    expect((await load(slug, semicolons)).warnings).toEqual([
      'row 2, price_egp: ‘40,00’ is read as 40.00, as 2 more are',
    ]);
  });
});

describe('a deal that saves nothing on any cart', () => {
  test('is reported at the prices of 20 branches, among 5,000 items and 100 deals', async () => {
    const codes = Array.from({ length: 20 }, (_, at) => `B${at}`);
    const items: ItemEntry[] = Array.from({ length: 5000 }, (_, at) => ({
      ...{ name: `صنف ${at}`, category: 'قهوة', price: 4500 },
      ...(at < codes.length ? { prices: [{ branch: codes[at] ?? '', price: 4600 }] } : {}),
    }));
    const deals: DealEntry[] = Array.from({ length: 100 }, (_, at) => ({
      ...{ name: `عرض ${at}`, kind: 'n_for_price', qty: 3, price: 13_800 + (at === 7 ? -1 : at) },
      pool: [{ category: 'قهوة' }],
    }));
    const branches = codes.map((code) => aBranchEntry({ name: code, code }));
    const file = aMinimalShopFile({
      slug: 'many-deals',
      branches,
      menu: { categories: [{ name: 'قهوة' }], items, deals },
    });
    const { warnings } = await fixture().import(file, { dryRun: true });
    expect(warnings).toHaveLength(99);
    expect(warnings).not.toContainEqual(expect.stringContaining('‘عرض 7’'));
    expect(warnings[0]).toContain('the dearest 3 that it counts cost 138.00');
  }, 60_000);

  const three: DealEntry = {
    name: 'تلاتة',
    kind: 'n_for_price',
    qty: 3,
    price: 15_000,
    pool: [{ category: 'قهوة' }],
  };
  const dealText =
    '‘تلاتة’ saves nothing on any cart: it is 3 for 150.00, and the dearest 3 that it counts cost';

  test('is reported with its prices; a deal that saves one piastre is not', async () => {
    expect(await warningsOf(menuOf(priced(4500, 5000), [three]))).toEqual([`the deal ${dealText} 150.00`]);
    expect(await warningsOf(menuOf(priced(4500, 5001), [three]))).toEqual([]);
  });

  test('is reported if it saves nothing at every branch and on every channel where it is on', async () => {
    const dear = (exception: NonNullable<ItemEntry['prices']>[number]): ItemEntry[] => [
      anItemEntry({ prices: [{ ...exception, price: 9000 }] }),
    ];
    const branches = [
      aBranchEntry({ channels: { pickup: {}, outside: { enabled: false } } }),
      aBranchEntry({ name: 'المعادي', code: 'MAD', active: false }),
    ];
    const withDeal = (items: ItemEntry[], deal: Partial<DealEntry> = {}) =>
      warningsOf({ ...menuOf(items, [{ ...three, ...deal }]), branches });
    expect(await withDeal(dear({ channel: 'pickup', price: 0 }))).toEqual([]);
    expect(await withDeal(dear({ channel: 'pickup', price: 0 }), { sell: { online: false } })).toHaveLength(
      1,
    );
    expect(await withDeal(dear({ channel: 'outside', price: 0 }))).toHaveLength(1);
    expect(await withDeal(dear({ branch: 'الزمالك', price: 0 }))).toEqual([]);
    expect(await withDeal(dear({ branch: 'المعادي', price: 0 }))).toHaveLength(1);
    const notThere = { branches: [{ branch: 'الزمالك', active: false }] };
    expect(await withDeal(dear({ branch: 'الزمالك', price: 0 }), notThere)).toEqual([]);
    expect(await withDeal([anItemEntry()], { active: false })).toEqual([]);
  });

  test('is reported for a reward below one piastre, and for a pool that is not sold', async () => {
    const free: DealEntry = {
      name: 'هدية',
      kind: 'buy_get',
      qty: 1,
      get_qty: 1,
      get_percent: 1,
      pool: [{ category: 'قهوة' }],
      reward_pool: [{ item: 'صنف 1' }],
    };
    expect(await warningsOf(menuOf(priced(4500, 49), [free]))).toContain(
      'the deal ‘هدية’ saves nothing on any cart: 1 % of what it rewards is less than a piastre',
    );
    expect(await warningsOf(menuOf(priced(4500, 5000), [free]))).toEqual([]);
    const nothing = { ...menuOf(priced(4500, 5000)).menu, categories: [{ name: 'قهوة' }, { name: 'شاي' }] };
    expect(
      await warningsOf({ menu: { ...nothing, deals: [{ ...three, pool: [{ category: 'شاي' }] }] } }),
    ).toEqual(['the deal ‘تلاتة’ saves nothing on any cart: where it is on, nothing is sold that it counts']);
  });

  test('saves nothing according to the pricing engine, on a large cart of any shop', async () => {
    await fc.assert(
      fc.asyncProperty(anyShopFile(), async (made) => {
        const slug = `warnings-${(shops += 1)}`;
        const deals = (made.menu.deals ?? []).map((deal, at) => ({ ...deal, name: `deal ${at}` }));
        const file = { ...made, slug, staff: [], menu: { ...made.menu, deals } };
        const { orgId, warnings } = await fixture().import(file);
        const flagged = new Set(warnings.map((text) => /^the deal ‘(.*)’ saves/.exec(text)?.[1]));
        for (const branch of (await fixture().rows(orgId)).branch) {
          const book = await loadMenuBook(fixture().db.kysely, orgId, branch.id);
          for (const channel of CHANNELS) {
            const point = { branchId: branch.id, zone: branch.time_zone, channel };
            const { menu } = priceBookOf(book, point, fixture().clock.now());
            const units = menu.entries.flatMap((entry) =>
              entry.kind === 'combo'
                ? []
                : (entry.item.sizes.length > 0 ? entry.sizes : [{ label: '', price: entry.price }]).map(
                    ({ label, price }, sizeOrder) => ({
                      itemId: entry.item.id,
                      categoryId: entry.categoryId,
                      sizeLabel: label,
                      sizeOrder,
                      price,
                      quantity: 12,
                    }),
                  ),
            );
            const cart = units.map((unit, line) => ({ ...unit, line }));
            for (const deal of menu.deals.filter(({ name }) => flagged.has(name)))
              expect(bestDeals(cart, [deal]).saving).toBe(0);
          }
        }
      }),
      { numRuns: 15 },
    );
  });
});

describe('a phone', () => {
  test.each(['+20227350000', '02 2735 0000', '٠١٠٠١٢٣٤٥٦٧', '19777', '+971 50 123 4567'])(
    '%s is valid',
    async (phone) => {
      expect(await warningsOf({ branches: [aBranchEntry({ phone })] })).toEqual([]);
    },
  );

  test.each(['0100123456', '12', 'اسألوا عند الباب', '+20 100 12'])('%s is reported', async (phone) => {
    expect(await warningsOf({ branches: [aBranchEntry({ phone })] })).toEqual([
      `the phone of ‘الزمالك’ is none that can be rung: ${phone}`,
    ]);
  });

  test('in a WhatsApp link is checked too', async () => {
    const social = (url: string): Partial<ShopFile> => ({
      links: { socials: [{ key: 'whatsapp', url }] },
    });
    expect(await warningsOf(social('https://wa.me/201001234567'))).toEqual([]);
    expect(await warningsOf(social('https://wa.me/01001234567'))).toEqual([
      'the link to WhatsApp has no number that can be rung: 01001234567',
    ]);
  });
});

describe('items', () => {
  test('of one category with spelling variants of one name are reported, others are not', async () => {
    const named = (...names: readonly string[]): ItemEntry[] =>
      names.map((name) => ({ name, category: 'قهوة', price: 4000 }));
    expect(await warningsOf(menuOf(named('قهوة سادة', 'قهوه ساده', 'شاي', 'شاى', 'أناناس', 'تين')))).toEqual([
      '‘قهوه ساده’ and ‘قهوة سادة’ of one category are one name in two spellings: is one of them the other?',
      '‘شاى’ and ‘شاي’ of one category are one name in two spellings: is one of them the other?',
    ]);
    const apart: Partial<ShopFile> = {
      menu: {
        categories: [{ name: 'قهوة' }, { name: 'مثلجات' }],
        items: [...named('قهوة سادة'), { name: 'قهوه ساده', category: 'مثلجات', price: 4000 }],
      },
    };
    expect(await warningsOf(apart)).toEqual([]);
  });

  test('that a menu CSV renames to an existing name are reported', async () => {
    const slug = await open(menuOf([anItemEntry(), anItemEntry({ name: 'قهوة فرنساوي' })]));
    const id = (await fixture().export(slug)).menu.items?.[1]?.id ?? '';
    const { warnings } = await load(slug, csv('id,name_ar', `${id},قهوة تركي`));
    expect(warnings).toEqual(['two items of one category are called ‘قهوة تركي’: is one of them the other?']);
  });

  test('with modifier groups but no allowed add-ons are reported', async () => {
    const addons = [{ name: 'حليب', type: 'extra' as const, price: 500 }];
    const modifier_groups = [{ name: 'إضافات', selection: 'multi' as const, options: ['حليب'] }];
    const item = (more: Partial<ItemEntry>) => anItemEntry({ modifier_groups: ['إضافات'], ...more });
    const menu = (more: Partial<ItemEntry>): Partial<ShopFile> => ({
      menu: { categories: [{ name: 'قهوة' }], addons, modifier_groups, items: [item(more)] },
    });
    expect(await warningsOf(menu({}))).toEqual([]);
    expect(await warningsOf(menu({ allowed_addons: [] }))).toEqual([
      '‘قهوة تركي’ has modifier groups and an empty list of allowed add-ons, so that nothing of them is offered',
    ]);
  });
});

describe('a loyalty programme', () => {
  type Programme = NonNullable<ShopFile['loyalty']>;
  const programme = (more: Partial<Programme>, items = priced(4500, 5000, 9000)): Partial<ShopFile> => ({
    ...menuOf(items),
    loyalty: { enabled: true, mode: 'points', program_name: { ar: 'نقط' }, ...more },
  });
  const reward = (more: object = {}) => ({ name: 'قهوة علينا', cost: 90, ...more });

  test('that is on and has no reward is reported; one that is off is not', async () => {
    expect(await warningsOf(programme({}))).toEqual([
      'the loyalty programme is on and has no reward, so that nobody can spend what they earn',
    ]);
    expect(await warningsOf(programme({ enabled: false }))).toEqual([]);
    expect(await warningsOf(programme({ rewards: [reward()], birthday: { enabled: true } }))).toEqual([]);
  });

  test('is reported for a reward that the cheapest item earns at once', async () => {
    expect(await warningsOf(programme({ rewards: [reward({ cost: 4 })] }))).toEqual([
      'the reward ‘قهوة علينا’ costs 4 points, which one item earns at once: is the cost complete?',
    ]);
    expect(await warningsOf(programme({ rewards: [reward({ cost: 5 })] }))).toEqual([]);
    expect(await warningsOf(programme({ mode: 'visits', rewards: [reward({ cost: 1 })] }))).toEqual([
      'the reward ‘قهوة علينا’ costs 1 visits, which one item earns at once: is the cost complete?',
    ]);
  });

  test('is reported for a reward that a card can never pay for', async () => {
    expect(await warningsOf(programme({ balance_cap: 80, rewards: [reward()] }))).toEqual([
      'the reward ‘قهوة علينا’ costs 90 points, and a card never holds more than 80',
    ]);
  });

  test('is reported for a pool without a live item, and for two rewards of one name', async () => {
    const [first, ...others] = priced(4500, 5000, 9000);
    const items: ItemEntry[] = [{ name: 'قديم', price: 4500, ...first, active: false }, ...others];
    const gone = { items: [{ item: 'صنف 0' }] };
    expect(await warningsOf(programme({ visit_items: gone.items, rewards: [reward(gone)] }, items))).toEqual([
      'the reward ‘قهوة علينا’ pays for nothing: no item that it names is on the menu',
      'nothing counts as a visit: no item of `visit_items` is on the menu',
    ]);
    const twice = [reward({ key: 'one' }), reward({ key: 'two' })];
    expect(await warningsOf(programme({ rewards: twice }))).toEqual([
      'two rewards are called ‘قهوة علينا’: is one of them the other?',
    ]);
  });
});

test('a greeting that the shop wrote in one language alone is reported while it is on', async () => {
  const programme = (words: object, isOn = true, enabled = true): Partial<ShopFile> => ({
    loyalty: {
      ...{ enabled, mode: 'points', program_name: 'نقاط' },
      rewards: [{ name: 'قهوة علينا', cost: 90 }],
      birthday: { enabled: isOn, message: words },
      win_back: { enabled: isOn, after_days: 60 },
    },
  });
  expect(await warningsOf(programme({ ar: 'عيد سعيد' }))).toEqual([
    'the message of loyalty.birthday has no English: guests who read English get words of ours',
  ]);
  expect(await warningsOf(programme({ en: 'Happy birthday' }))).toEqual([
    'the message of loyalty.birthday has no Arabic: guests who read Arabic get words of ours',
  ]);
  expect(await warningsOf(programme({ ar: 'عيد سعيد', en: 'Happy birthday' }))).toEqual([]);
  expect(await warningsOf(programme({ ar: 'عيد سعيد' }, false))).toEqual([]);
  expect(await warningsOf(programme({ ar: 'عيد سعيد' }, true, false))).toEqual([]);
});
