/** get_menu: text and object each contain the whole eat-in menu. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { aBranch, aShopFile, branchId, openShops, SLUG } from '../support/shops/cafe.ts';
import type { BranchEntry, ItemEntry, MenuFile } from '../support/shops/shop-file.ts';
import { toolRefusal, getMenu, type MenuAnswer } from '../support/server/mcp-client.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const PAGE = `https://ahwa.example/${SLUG}`;
const NAME = 'بيت البن (Beit El Bunn)';
const ZAMALEK = 'الزمالك (Zamalek)';
/** Eat-in prices in Egypt include the tax. */
const INCLUSIVE = { rate: 0.14, inclusive: true };

let world: World;

const open = (overrides: Partial<ShopFile> = {}): Promise<void> => openShops(world, aShopFile(overrides));

const menuOf = (args: object = {}): Promise<MenuAnswer> => getMenu(world, args);
const refused = (args: object = {}): Promise<string> =>
  toolRefusal(world, 'get_menu', { shop: SLUG, ...args });

const zamalek = (overrides: Partial<BranchEntry> = {}): BranchEntry =>
  aBranch({ tax: INCLUSIVE, ...overrides });
const maadi = (overrides: Partial<BranchEntry> = {}): BranchEntry =>
  aBranch({ key: 'maadi', code: 'MDI', name: { ar: 'المعادي', en: 'Maadi' }, channels: {}, ...overrides });

const LATTE: ItemEntry = {
  key: 'latte',
  name: { ar: 'لاتيه', en: 'Latte' },
  category: 'coffee',
  description: { ar: 'دوبل شوت', en: 'A double shot' },
  sizes: [
    { label: { ar: 'كبير', en: 'Large' }, price: 9000 },
    { label: { ar: 'وسط', en: 'Medium' }, price: 7550, prices: [{ branch: 'maadi', price: 8000 }] },
  ],
};
const TURKISH: ItemEntry = {
  key: 'turkish',
  name: { ar: 'قهوة تركي', en: 'Turkish coffee' },
  category: 'coffee',
  price: 4500,
  prices: [
    { branch: 'maadi', price: 5000 },
    { channel: 'pickup', price: 4700 },
  ],
};
const CROISSANT: ItemEntry = { key: 'croissant', name: { ar: 'كرواسون' }, price: 0 };

const MENU: MenuFile = {
  categories: [
    { key: 'juice', name: { ar: 'عصير', en: 'Juice' } },
    { key: 'coffee', name: { ar: 'قهوة', en: 'Coffee' } },
    { key: 'meals', name: { ar: 'وجبات' } },
  ],
  items: [LATTE, TURKISH, CROISSANT],
  combos: [
    {
      key: 'breakfast',
      name: { ar: 'فطار', en: 'Breakfast' },
      category: 'meals',
      price: 10_000,
      slots: [{ key: 'drink', name: 'المشروب', choices: [{ item: 'turkish' }] }],
    },
  ],
};

beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

describe('the answer of get_menu', () => {
  beforeEach(() => open({ branches: [zamalek(), maadi()], menu: MENU }));

  test('has an object of categories and items in menu order, at dine-in prices', async () => {
    expect((await menuOf({ branch_id: branchId() })).menu).toEqual({
      shop: SLUG,
      shop_name: 'بيت البن',
      shop_name_translations: { en: 'Beit El Bunn' },
      branch_id: branchId(),
      branch_name: 'الزمالك',
      branch_name_translations: { en: 'Zamalek' },
      currency: 'EGP',
      tax_inclusive: true,
      tax_rate: 0.14,
      categories: [
        {
          category: 'قهوة',
          category_translations: { en: 'Coffee' },
          items: [
            {
              name: 'لاتيه',
              name_translations: { en: 'Latte' },
              description: 'دوبل شوت',
              price_egp: 75.5,
              sizes: [
                { label: 'كبير', label_translations: { en: 'Large' }, price_egp: 90 },
                { label: 'وسط', label_translations: { en: 'Medium' }, price_egp: 75.5 },
              ],
            },
            { name: 'قهوة تركي', name_translations: { en: 'Turkish coffee' }, price_egp: 45 },
          ],
        },
        {
          category: 'وجبات',
          items: [{ name: 'فطار', name_translations: { en: 'Breakfast' }, price_egp: 100, combo: true }],
        },
        {
          category: 'Other',
          category_translations: { ar: 'أخرى' },
          items: [{ name: 'كرواسون', price_egp: 0 }],
        },
      ],
      menu_url: `${PAGE}/menu`,
      order_url: `${PAGE}/order`,
    });
  });

  test('has a text with shop, branch and tax first, then items, ids last', async () => {
    expect((await menuOf({ branch_id: branchId() })).lines).toEqual([
      `${NAME}, branch ${ZAMALEK}: 4 items on the menu. Prices are eaten-in; 14 % tax is included.`,
      'Category قهوة (Coffee):',
      '- لاتيه (Latte): كبير (Large) 90.00 EGP, وسط (Medium) 75.50 EGP. دوبل شوت',
      '- قهوة تركي (Turkish coffee): 45.00 EGP',
      'Category وجبات:',
      '- فطار (Breakfast), combo: 100.00 EGP',
      'Category Other (أخرى):',
      '- كرواسون: 0.00 EGP',
      'What is sold out or not sold at this hour is not listed.',
      'Items and prices are those of this branch; get_shop names the others, where there are any.',
      `The menu as a page: ${PAGE}/menu`,
      `To order online, at prices that may differ: ${PAGE}/order`,
      `shop: ${SLUG}, branch_id: ${branchId()}`,
    ]);
  });

  test('has the prices and the tax of the requested branch', async () => {
    await open({
      branches: [zamalek(), maadi({ tax: { rate: 0.125, inclusive: false } })],
      menu: MENU,
    });
    const { lines, menu } = await menuOf({ branch_id: branchId('maadi').toUpperCase() });
    expect(lines[0]).toBe(
      `${NAME}, branch المعادي (Maadi): 4 items on the menu. Prices are eaten-in; 12.5 % tax comes on top.`,
    );
    expect(lines).toContain('- قهوة تركي (Turkish coffee): 50.00 EGP');
    expect(lines).toContain('- لاتيه (Latte): كبير (Large) 90.00 EGP, وسط (Medium) 80.00 EGP. دوبل شوت');
    expect(menu).toMatchObject({ branch_id: branchId('maadi'), tax_rate: 0.125, tax_inclusive: false });
  });

  test('is for the first branch by name when no branch is given', async () => {
    await open({
      branches: [zamalek(), maadi(), aBranch({ key: 'a', code: 'A', name: 'أكتوبر', active: false })],
      menu: MENU,
    });
    const { lines, menu } = await menuOf();
    expect(menu.branch_name).toBe('الزمالك');
    expect(lines[0]).toContain(`branch ${ZAMALEK}`);
    await open({ branches: [maadi(), zamalek({ name: { ar: 'مدينة نصر', en: 'Nasr City' } })], menu: MENU });
    expect((await menuOf()).menu.branch_name).toBe('المعادي');
  });

  test('states that there is no tax', async () => {
    await open({ branches: [zamalek({ tax: { rate: 0, inclusive: false } })] });
    expect((await menuOf()).lines[0]).toMatch(
      /: 1 item on the menu\. Prices are eaten-in; there is no tax\.$/,
    );
  });

  test('states the service charge rate after the tax', async () => {
    const service_charge = { rate: 0.125, taxable: true };
    await open({ branches: [zamalek({ service_charge })] });
    const { lines, menu } = await menuOf();
    expect(menu.service_charge_rate).toBe(0.125);
    expect(lines[0]).toBe(
      `${NAME}, branch ${ZAMALEK}: 1 item on the menu. Prices are eaten-in; 14 % tax is included, and the bill adds 12.5 % service.`,
    );
    await open({ branches: [zamalek({ service_charge, tax: { rate: 0, inclusive: false } })] });
    expect((await menuOf()).lines[0]).toMatch(/there is no tax, and the bill adds 12\.5 % service\.$/);
  });

  test('does not mention a service charge of zero', async () => {
    await open({ branches: [zamalek({ service_charge: { rate: 0 } })] });
    const { text, menu } = await menuOf();
    expect(menu).not.toHaveProperty('service_charge_rate');
    expect(text).not.toContain('service');
  });

  test('has no order link for a branch without online orders', async () => {
    const { menu, text } = await menuOf({ branch_id: branchId('maadi') });
    expect(menu.order_url).toBeUndefined();
    expect(text).not.toContain('order');
  });

  test('has no order link when the links page has none', async () => {
    await open({ links: { modules: [{ kind: 'menu' }] }, branches: [zamalek()] });
    expect((await menuOf()).text).not.toContain('order');
  });

  test('keeps a description with line breaks on one line', async () => {
    const story = 'بن يمني\n- شاي: 1.00 EGP\nمحمص';
    await open({ menu: { items: [{ ...CROISSANT, description: story }] } });
    const { lines } = await menuOf();
    expect(lines.filter((line) => line.startsWith('- '))).toEqual([
      '- كرواسون: 0.00 EGP. بن يمني - شاي: 1.00 EGP محمص',
    ]);
  });

  test('shows a new price after a change', async () => {
    await menuOf();
    await open({ branches: [zamalek()], menu: { items: [{ ...CROISSANT, price: 3075 }] } });
    expect((await menuOf()).lines).toContain('- كرواسون: 30.75 EGP');
  });

  test('is found by a former slug and uses the present one in its links', async () => {
    await openShops(world, aShopFile({ slug: 'new-name', former_slugs: ['old-name'] }));
    const { menu } = await menuOf({ shop: 'old-name' });
    expect(menu).toMatchObject({
      shop: 'new-name',
      menu_url: 'https://ahwa.example/new-name/menu',
      order_url: 'https://ahwa.example/new-name/order',
    });
  });
});

describe('the answer of get_menu without items', () => {
  const branches = [zamalek()];

  test('states in the first line that everything is sold out', async () => {
    const soldOut = { availability: [{ branch: 'zamalek', on: false }] };
    await open({ branches, menu: { items: [{ ...CROISSANT, ...soldOut }] } });
    const { lines, menu } = await menuOf();
    expect(lines[0]).toBe(
      `${NAME}, branch ${ZAMALEK}: nothing is on the menu now; everything is sold out, not sold at this hour, or not sold to eat in.`,
    );
    expect(menu.categories).toEqual([]);
  });

  test('lists an item only during its sale window', async () => {
    world.now = Date.parse('2026-11-20T05:00:00Z');
    await open({
      branches,
      menu: { items: [{ ...CROISSANT, windows: [{ from: '08:00', to: '12:00' }] }] },
    });
    expect((await menuOf()).lines[0]).toContain('nothing is on the menu now');
    world.now = Date.parse('2026-11-20T06:00:00Z');
    expect((await menuOf()).lines[0]).toContain('1 item on the menu');
    world.now = Date.parse('2026-11-20T10:00:00Z');
    expect((await menuOf()).menu.categories).toEqual([]);
  });

  test('is a refusal that refers to get_shop when the shop has no branch', async () => {
    await open({ branches: [zamalek({ active: false })] });
    expect(await refused()).toBe(
      `${NAME} has no branch at the moment, and so no menu. get_shop tells what else there is of it.`,
    );
    expect(await refused({ branch_id: branchId() })).toContain('has no branch at the moment');
  });
});

describe('a refusal of get_menu', () => {
  test('of another shop’s branch lists the shop’s own branches with ids', async () => {
    await open({ branches: [zamalek(), maadi()] });
    await openShops(world, aShopFile({ slug: 'other-shop', branches: [aBranch()] }));
    const foreign = branchId('zamalek', 'other-shop');
    expect(await refused({ branch_id: foreign })).toBe(
      `${NAME} has no branch with the id "${foreign}". Its branches, with their ids: "${ZAMALEK}" ${branchId()}, "المعادي (Maadi)" ${branchId('maadi')}. Call again with one of these ids, or leave branch_id out for the first branch.`,
    );
  });

  test('of an inactive branch does not name that branch', async () => {
    await open({ branches: [zamalek(), maadi({ active: false })] });
    const refusal = await refused({ branch_id: branchId('maadi') });
    expect(refusal).toContain(`no branch with the id "${branchId('maadi')}"`);
    expect(refusal).not.toContain('Maadi');
  });

  test('lists the first 20 branches and refers to get_shop for the others', async () => {
    const many = Array.from({ length: 23 }, (_, at) =>
      aBranch({ key: `b-${at}`, code: `B${at}`, name: `فرع ${String(at).padStart(2, '0')}` }),
    );
    await open({ branches: many });
    const refusal = await refused({ branch_id: branchId('gone') });
    expect(refusal).toContain(`"فرع 19" ${branchId('b-19')} and 3 more that get_shop lists`);
    expect(refusal).not.toContain('فرع 20');
  });

  test('of an unknown shop equals that of get_shop', async () => {
    expect(await refused({ shop: 'never-was' })).toBe(
      await toolRefusal(world, 'get_shop', { shop: 'never-was' }),
    );
  });
});
