/** get_shop: details, links and branches of a shop. */
import { Value } from 'typebox/value';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import type { ShopDetails } from '../../src/shops/contract/tools.ts';
import { tools } from '../../src/service/contract/tools.ts';
import { MAX_CHARACTERS } from '../../src/doors/mcp/shorten.ts';
import { aBranch, aShopFile, branchId, openShops, shopId, SLUG } from '../support/shops/cafe.ts';
import type { BranchEntry } from '../support/shops/shop-file.ts';
import { callTool, toolRefusal } from '../support/server/mcp-client.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const PAGE = `https://ahwa.example/${SLUG}`;
const NAME = 'بيت البن (Beit El Bunn)';
/** URL of all active branches. */
const LIST = `https://ahwa.example/public/branches?org_id=${shopId()}&browse=true`;

let world: World;

const open = (overrides: Partial<ShopFile> = {}): Promise<void> => openShops(world, aShopFile(overrides));

const checkedDetails = (structured: unknown): ShopDetails => {
  const shape = tools.get_shop.result;
  if (!Value.Check(shape, structured)) throw new Error(JSON.stringify(Value.Errors(shape, structured)));
  return structured;
};
const details = async (shop = SLUG): Promise<{ text: string; lines: string[]; shop: ShopDetails }> => {
  const { text, structured, isError } = await callTool(world, 'get_shop', { shop });
  expect(isError, text).toBe(false);
  return { text, lines: text.split('\n'), shop: checkedDetails(structured) };
};
const refused = (shop: string): Promise<string> => toolRefusal(world, 'get_shop', { shop });

const zamalek = (overrides: Partial<BranchEntry> = {}): BranchEntry =>
  aBranch({
    address: { ar: '١٢ شارع البرازيل', en: '12 Brazil St.' },
    phone: '+20 2 2735 0000',
    map_url: 'https://maps.example/zamalek',
    ...overrides,
  });
const maadi = (overrides: Partial<BranchEntry> = {}): BranchEntry =>
  aBranch({ key: 'maadi', code: 'MDI', name: { ar: 'المعادي', en: 'Maadi' }, channels: {}, ...overrides });

beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

describe('the answer of get_shop', () => {
  beforeEach(() =>
    open({
      links: {
        tagline: { ar: 'بن محمص كل صباح', en: 'Roasted every morning' },
        modules: [{ kind: 'order' }, { kind: 'menu' }, { kind: 'book' }, { kind: 'rewards' }],
        custom: [
          {
            key: 'jobs',
            title: { ar: 'اشتغل معانا', en: 'Work with us' },
            href: 'https://bunn.example/jobs',
          },
          { key: 'hidden', title: { en: 'Hidden' }, href: 'https://bunn.example/hidden', visible: false },
        ],
        socials: [{ key: 'instagram', url: 'https://instagram.com/beit.el.bunn' }],
      },
      branches: [
        zamalek({ channels: { pickup: {}, outside: { fee: 2000 } }, booking: { enabled: true } }),
        maadi({ booking: { enabled: true } }),
        aBranch({ key: 'closed', code: 'OFF', name: 'الدقي', active: false }),
      ],
      loyalty: {
        enabled: true,
        mode: 'visits',
        program_name: { ar: 'نادي البن', en: 'Bean club' },
        default_reward_cost: 10,
      },
    }),
  );

  test('has an object with what the links page shows', async () => {
    expect((await details()).shop).toEqual({
      shop: SLUG,
      name: 'بيت البن',
      name_translations: { en: 'Beit El Bunn' },
      tagline_ar: 'بن محمص كل صباح',
      tagline_en: 'Roasted every morning',
      links: [
        { kind: 'order', href: `${PAGE}/order`, branch_names: ['الزمالك'], channels: ['pickup', 'delivery'] },
        { kind: 'menu', href: `${PAGE}/menu` },
        { kind: 'book', href: `${PAGE}/book`, branch_names: ['الزمالك', 'المعادي'] },
        { kind: 'rewards', href: `${PAGE}/join` },
        {
          kind: 'custom',
          href: 'https://bunn.example/jobs',
          title_ar: 'اشتغل معانا',
          title_en: 'Work with us',
        },
      ],
      socials: [{ label: 'Instagram', url: 'https://instagram.com/beit.el.bunn' }],
      branches: [
        {
          id: branchId(),
          name: 'الزمالك',
          name_translations: { en: 'Zamalek' },
          address: '١٢ شارع البرازيل',
          address_translations: { en: '12 Brazil St.' },
          phone: '+20 2 2735 0000',
          directions_url: 'https://maps.example/zamalek',
        },
        { id: branchId('maadi'), name: 'المعادي', name_translations: { en: 'Maadi' } },
      ],
    });
  });

  test('has a text with the name first, then links and branches, ids last', async () => {
    expect((await details()).lines).toEqual([
      `${NAME}: 2 branches. بن محمص كل صباح (Roasted every morning)`,
      `Order online (at "الزمالك"; pickup, delivery): ${PAGE}/order`,
      `Menu: ${PAGE}/menu`,
      `Book a table (at every branch): ${PAGE}/book`,
      `Rewards: ${PAGE}/join`,
      'Link of the shop\'s own, "اشتغل معانا (Work with us)": https://bunn.example/jobs',
      'Social, "Instagram": https://instagram.com/beit.el.bunn',
      'Branches:',
      `- "الزمالك (Zamalek)", branch_id ${branchId()}: "١٢ شارع البرازيل (12 Brazil St.)"; phone "+20 2 2735 0000"; directions https://maps.example/zamalek`,
      `- "المعادي (Maadi)", branch_id ${branchId('maadi')}`,
      `shop: ${SLUG}`,
    ]);
  });

  test('is found by a slug with capitals and spaces around it', async () => {
    expect((await details(' Beit-El-Bunn ')).shop.shop).toBe(SLUG);
  });

  test('shows a changed name', async () => {
    await open({ name: { ar: 'بيت القهوة', en: 'Coffee House' } });
    expect((await details()).lines[0]).toMatch(/^بيت القهوة \(Coffee House\)/);
  });
});

describe('a shop with few details', () => {
  test('with branches hidden on the links page lists each branch with id and name only', async () => {
    await open({ links: { show_branches: false }, branches: [zamalek(), maadi()] });
    const { text, shop } = await details();
    expect(shop.branches).toEqual([
      { id: branchId(), name: 'الزمالك', name_translations: { en: 'Zamalek' } },
      { id: branchId('maadi'), name: 'المعادي', name_translations: { en: 'Maadi' } },
    ]);
    expect(text).not.toContain('phone');
    expect(text).not.toContain('maps.example');
    expect(text).toContain(`- "المعادي (Maadi)", branch_id ${branchId('maadi')}`);
  });

  test('with one branch has links without branch names', async () => {
    await open({ links: {}, branches: [aBranch()] });
    const { lines } = await details();
    expect(lines[0]).toBe(`${NAME}: 1 branch.`);
    expect(lines).toContain(`Order online (pickup): ${PAGE}/order`);
  });

  test('without branches and links is described in sentences, without empty headings', async () => {
    await open({ slug: 'empty-shop', name: 'فاضي', branches: [], menu: {} });
    const { text, shop } = await details('empty-shop');
    expect(text).toBe(
      'فاضي: no branch at the moment.\nIts page leads to no online ordering, table booking, menu or rewards.\nshop: empty-shop',
    );
    expect(shop).toEqual({ shop: 'empty-shop', name: 'فاضي', links: [], socials: [], branches: [] });
  });

  test('with titles and a tagline in one language has only that language', async () => {
    await open({
      links: {
        tagline: { en: 'On the corner' },
        custom: [{ key: 'jobs', title: { en: 'Jobs' }, href: 'https://bunn.example/jobs' }],
      },
    });
    const { lines, shop } = await details();
    expect(lines[0]).toBe(`${NAME}: 1 branch. On the corner`);
    expect(lines).toContain('Link of the shop\'s own, "Jobs": https://bunn.example/jobs');
    expect(shop.links.at(-1)).toEqual({
      kind: 'custom',
      href: 'https://bunn.example/jobs',
      title_en: 'Jobs',
    });
  });

  test('with a line break in its address has the address on one line', async () => {
    await open({ branches: [zamalek({ address: '١٢ شارع البرازيل\nالدور الأول' })] });
    const { lines, shop } = await details();
    expect(shop.branches[0]?.address).toBe('١٢ شارع البرازيل الدور الأول');
    expect(lines.filter((line) => line.startsWith('الدور'))).toEqual([]);
  });
});

describe('an unknown address name', () => {
  test('is refused with its expected form and where to find it', async () => {
    const refusal = await refused('beit-el-ban');
    expect(refusal).toContain('no shop with the address name "beit-el-ban"');
    expect(refusal).toContain('what follows https://ahwa.example/');
    expect(refusal).toContain('lower-case letters a to z, digits and hyphens');
    expect(refusal).toContain('no list of shops');
    expect(refusal).toContain('ask the person for the link');
    expect(refusal).not.toContain('Perhaps');
  });

  test('gets the same refusal as a shop that is switched off', async () => {
    await open({ slug: 'switched-off', active: false });
    const words = (refusal: string, slug: string): string => refusal.replaceAll(slug, '…');
    expect(words(await refused('switched-off'), 'switched-off')).toBe(
      words(await refused('never-was'), 'never-was'),
    );
  });

  test.each([
    ['https://ahwa.example/beit-el-bunn', 'a link'],
    ['https://ahwa.example/beit-el-bunn/menu?lang=ar', 'a link to a page of it'],
    ['ahwa.example/beit-el-bunn', 'a link without its scheme'],
    ['http://localhost:8080/beit-el-bunn', 'a link to a machine of one’s own'],
    ['Beit El Bunn', 'its name with spaces'],
    ['localhost:8080/beit-el-bunn', 'the same without its scheme'],
    ['beit el bunn/menu', 'its name with spaces and a page'],
    ['/beit-el-bunn', 'a path'],
    ['@beit_el_bunn', 'a handle'],
  ])('%s: the address name in it is suggested (%s)', async (given) => {
    expect(await refused(given)).toContain('Perhaps "beit-el-bunn" is meant.');
  });

  test.each([
    'بيت البن',
    'https://ahwa.example/',
    'https://ahwa.example/never-was',
    'https://ahwa.example/switched-off/menu',
    'never was',
    '../..',
    '-',
    'a',
    '?x=beit',
    'x'.repeat(70),
    '.'.repeat(60_000),
  ])('%.70s: no address name is suggested', async (given) => {
    const refusal = await refused(given);
    expect(refusal).toContain('There is no shop');
    expect(refusal).not.toContain('Perhaps');
    expect(refusal.length).toBeLessThan(600);
  });

  test('of a service below a path: that path is never suggested as a shop', async () => {
    const below = await makeWorld({ baseUrl: 'https://example.com/ahwa' });
    await openShops(below, aShopFile());
    const suggestedFor = async (shop: string): Promise<string | undefined> =>
      /Perhaps "(.*)" is meant/.exec(await toolRefusal(below, 'get_shop', { shop }))?.[1];
    expect(await suggestedFor('https://example.com/ahwa/beit-el-bunn/menu')).toBe('beit-el-bunn');
    expect(await suggestedFor('https://example.com/ahwa/')).toBeUndefined();
    await below.close();
  });

  test('that a shop had before leads to the shop under its present one', async () => {
    await openShops(world, aShopFile({ slug: 'new-name', former_slugs: ['old-name'] }));
    const { shop } = await details('old-name');
    expect(shop.shop).toBe('new-name');
    expect(shop.links[0]?.href).toBe('https://ahwa.example/new-name/order');
  });
});

describe('a shop over the size limit', () => {
  type CustomLinks = NonNullable<NonNullable<ShopFile['links']>['custom']>;
  const customLinks = (amount: number, length: number): CustomLinks =>
    Array.from({ length: amount }, (_, at) => ({
      key: `link-${at}`,
      title: { ar: `رابط ${at}`, en: `Link ${at}` },
      href: `https://bunn.example/${at}/`.padEnd(length, 'x'),
    }));
  const branches = (amount: number, overrides: Partial<BranchEntry> = {}): BranchEntry[] =>
    Array.from({ length: amount }, (_, at) => {
      const number = String(at).padStart(3, '0');
      return zamalek({
        key: `branch-${number}`,
        code: `B${number}`,
        name: { ar: `فرع ${number}`, en: `Branch ${number}` },
        ...overrides,
      });
    });
  const within = ({ text, shop }: { text: string; shop: ShopDetails }): void => {
    expect(text.length).toBeLessThanOrEqual(MAX_CHARACTERS);
    expect(JSON.stringify(shop).length).toBeLessThanOrEqual(MAX_CHARACTERS);
  };

  test('first leaves out its last custom links and states how many', async () => {
    await open({ links: { custom: customLinks(50, 2000) }, branches: branches(5) });
    const answer = await details();
    within(answer);
    const { shop, lines } = answer;
    const kept = shop.links.filter(({ kind }) => kind === 'custom');
    expect(kept.length).toBeGreaterThan(15);
    expect(kept.map(({ title_en }) => title_en)).toEqual(kept.map((_, at) => `Link ${at}`));
    expect(shop.links.slice(0, 2).map(({ kind }) => kind)).toEqual(['order', 'menu']);
    expect(shop.branches.map(({ phone }) => phone)).toEqual(Array(5).fill('+20 2 2735 0000'));
    expect(shop.truncated).toBe(true);
    expect(shop.left_out).toBe(
      `Left out, to stay short: ${50 - kept.length} of 50 links of the shop's own. See the shop's page: ${PAGE}`,
    );
    expect(lines.slice(0, 2)).toEqual([`${NAME}: 5 branches listed here.`, shop.left_out]);
  });

  test('then leaves out details of its last branches, but no branch', async () => {
    await open({ links: { custom: customLinks(50, 2000) }, branches: branches(200) });
    const answer = await details();
    within(answer);
    const { shop, text } = answer;
    expect(shop.branches).toHaveLength(200);
    const bare = shop.branches.findIndex(({ phone }) => phone === undefined);
    expect(bare).toBeGreaterThan(0);
    expect(shop.branches.slice(bare).every((branch) => branch.address === undefined)).toBe(true);
    expect(shop.left_out).toBe(
      `Left out, to stay short: address, phone and directions of ${200 - bare} of 200 branches; the branches that each link is for; all 50 links of the shop's own. See the shop's page: ${PAGE}`,
    );
    for (const { id, name } of shop.branches) {
      expect(text).toContain(id);
      expect(text).toContain(name);
    }
    expect(JSON.stringify(shop).length).toBeGreaterThan(MAX_CHARACTERS - 400);
  });

  test('leaves out branches only where ids and names alone exceed the limit', async () => {
    const long = { ar: 'ف'.repeat(115), en: 'b'.repeat(115) };
    const named = branches(500, { address: { ar: 'ش'.repeat(500), en: 's'.repeat(500) } }).map(
      (branch, at) => ({ ...branch, name: { ar: `${long.ar}${at}`, en: `${long.en}${at}` } }),
    );
    await open({ links: { custom: customLinks(50, 2000) }, branches: named });
    const answer = await details();
    within(answer);
    const { shop, lines } = answer;
    const kept = shop.branches.length;
    expect(kept).toBeGreaterThan(90);
    expect(lines[0]).toBe(`${NAME}: ${kept} branches listed here.`);
    expect(shop.left_out).toContain(
      `${500 - kept} of 500 branches; address, phone and directions of all 500`,
    );
    expect(shop.left_out?.endsWith(`. See the shop's page: ${PAGE} and every branch as JSON: ${LIST}`)).toBe(
      true,
    );
    expect(JSON.stringify(shop).length).toBeGreaterThan(MAX_CHARACTERS - 400);
  });

  test('states where all branches are listed when the links page hides them', async () => {
    const long = branches(400).map((branch, at) => ({ ...branch, name: `${'ف'.repeat(100)} ${at}` }));
    await open({ links: { show_branches: false, modules: [{ kind: 'menu' }] }, branches: long });
    const { shop } = await details();
    const left = 400 - shop.branches.length;
    expect(left).toBeGreaterThan(50);
    expect(shop.left_out).toBe(
      `Left out, to stay short: ${left} of 400 branches. See every branch as JSON: ${LIST}`,
    );
    const listed = await world.read('listBranches', LIST.replace('https://ahwa.example', ''));
    expect(listed).toHaveLength(400);
    await open({ links: { show_branches: false, custom: customLinks(50, 2000) }, branches: long });
    expect((await details()).shop.left_out).toMatch(
      / links of the shop's own\. See the shop's page: \S+ and every branch as JSON: \S+$/,
    );
  });

  test('has names in at most six other languages', async () => {
    const codes = Array.from(
      { length: 400 },
      (_, at) => `z${String.fromCharCode(97 + (at % 26))}-x${100 + at}`,
    );
    const name = { ar: 'بن', ...Object.fromEntries(codes.map((code) => [code, code.repeat(15)])) };
    await open({ slug: 'babel', name, branches: [aBranch({ name })] });
    const answer = await details('babel');
    within(answer);
    expect(Object.keys(answer.shop.name_translations ?? {})).toHaveLength(6);
  });
});
