/** Brand and links page over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aBranch, aMenu, aShopFile, branchId, openShops, shopId } from '../support/shops/cafe.ts';
import type { BranchEntry } from '../support/shops/shop-file.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

let world: World;

const BRANDED = aShopFile({
  brand: {
    logo_url: 'https://pictures.example/logo.svg',
    logo_is_mark: true,
    card_image_url: 'https://pictures.example/card.jpg',
    colors: { background: '#F6EFE6', foreground: '#3B2417', accent: '#B4622D' },
  },
});

/** Each test opens a shop with its own slug. */
let shops = 0;
const open = async (overrides: Parameters<typeof aShopFile>[0] = {}): Promise<string> => {
  const slug = `shop-${(shops += 1)}`;
  await openShops(world, aShopFile({ slug, ...overrides }));
  return slug;
};
const links = (slug: string) => world.read('getLinks', `/public/orgs/links?slug=${slug}`);
const kinds = async (slug: string): Promise<string[]> => (await links(slug)).items.map(({ kind }) => kind);

beforeAll(async () => {
  world = await makeWorld();
  await openShops(
    world,
    BRANDED,
    aShopFile({ slug: 'zawya', name: 'زاوية' }),
    aShopFile({ slug: 'kashk', active: false }),
  );
});
afterAll(() => world.close());

describe('naming a shop', () => {
  const brandAt = (query: string) => world.get(`/public/orgs/brand?${query}`);

  test('a slug and an id name the same shop', async () => {
    for (const path of ['brand', 'links']) {
      const bySlug = await world.get(`/public/orgs/${path}?slug=beit-el-bunn`);
      const byId = await world.get(`/public/orgs/${path}?org_id=${shopId()}`);
      const byBoth = await world.get(`/public/orgs/${path}?slug=beit-el-bunn&org_id=${shopId()}`);
      expect(bySlug.status).toBe(200);
      expect(byId.text).toBe(bySlug.text);
      expect(byBoth.text).toBe(bySlug.text);
    }
  });

  test('a slug is trimmed and lower-cased; an id is read in upper and lower case', async () => {
    const { text } = await brandAt('slug=beit-el-bunn');
    for (const query of [
      'slug=%20%20Beit-El-BUNN%09',
      'slug=+BEIT-EL-BUNN+',
      `org_id=${shopId().toUpperCase()}`,
    ])
      expect((await brandAt(query)).text).toBe(text);
  });

  test('a request without slug and id is refused with slug named', async () => {
    for (const path of ['brand', 'links'])
      for (const query of ['', '?slug=', '?slug=%20']) {
        const refusal = await world.refused(`/public/orgs/${path}${query}`);
        expect(refusal.status).toBe(400);
        expect(refusal.error).toContain('slug');
        expect(refusal).not.toHaveProperty('code');
      }
  });

  test('a slug and an id of different shops are refused', async () => {
    for (const path of ['brand', 'links']) {
      const refusal = await world.refused(`/public/orgs/${path}?slug=beit-el-bunn&org_id=${shopId('zawya')}`);
      expect(refusal).toMatchObject({ status: 400, fields: [{ path: 'org_id' }] });
    }
  });

  /** A response without its request id and date. */
  const comparable = ({ status, headers, text }: Reply): unknown => {
    const kept = Object.entries(headers).filter(([name]) => !['x-request-id', 'date'].includes(name));
    return { status, headers: kept.map(([name, value]) => `${name}: ${String(value)}`), text };
  };

  test('a switched-off shop answers like an unknown shop, byte for byte', async () => {
    for (const path of ['orgs/brand', 'orgs/links']) {
      const unknown = await world.get(`/public/${path}?slug=never-was`);
      expect(unknown.status).toBe(404);
      expect(Object.keys(unknown.body as object)).toEqual(['error']);
      for (const query of [
        'slug=kashk',
        'slug=KASHK',
        `org_id=${shopId('kashk')}`,
        `slug=kashk&org_id=${shopId()}`,
        'slug=no--%2Fname',
        'slug=x',
      ])
        expect(comparable(await world.get(`/public/${path}?${query}`))).toEqual(comparable(unknown));
    }
    const unknown = comparable(await world.get(`/public/branches?org_id=${shopId('never-was')}`));
    expect(comparable(await world.get(`/public/branches?org_id=${shopId('kashk')}`))).toEqual(unknown);
    expect(comparable(await world.get(`/public/branches/${branchId('zamalek', 'kashk')}/menu`))).toEqual(
      unknown,
    );
    expect(
      comparable(
        await world.get(
          `/public/branches/${branchId('zamalek', 'kashk')}/booking-slots?date=2026-11-21&party_size=2`,
        ),
      ),
    ).toEqual(unknown);
  });

  test('a switched-off shop answers like an unknown shop in Arabic too', async () => {
    const arabic = { 'accept-language': 'ar-EG,ar;q=0.9,en;q=0.5' };
    const [off, never] = [
      await world.get('/public/orgs/brand?slug=kashk', arabic),
      await world.get('/public/orgs/brand?slug=never-was', arabic),
    ];
    expect(off.text).toBe(never.text);
    expect(off.text).toMatch(/[\u0600-\u06ff]/);
    expect(comparable(off)).toEqual(comparable(never));
  });

  test('a shop switched off and on again leaves no stale answer in the response cache', async () => {
    const slug = await open();
    expect((await world.get(`/public/orgs/brand?slug=${slug}`)).status).toBe(200);
    await openShops(world, aShopFile({ slug, active: false }));
    expect((await world.get(`/public/orgs/brand?slug=${slug}`)).status).toBe(404);
    await openShops(world, aShopFile({ slug }));
    expect((await world.get(`/public/orgs/brand?slug=${slug}`)).status).toBe(200);
  });

  test('a former slug leads to the shop, and the answer has the present slug', async () => {
    const slug = await open();
    await openShops(
      world,
      aShopFile({ id: shopId(slug), slug: 'renamed-house', former_slugs: [slug], name: 'البيت' }),
    );
    const [before, after] = [await links(slug), await links('renamed-house')];
    expect(before).toEqual(after);
    expect(before.brand).toMatchObject({ slug: 'renamed-house', name: 'البيت', org_id: shopId(slug) });
    expect(before.items[0]?.href).toBe('https://ahwa.example/renamed-house/order');
  });
});

describe('the brand', () => {
  test('has name, translations, pictures and the shop’s own colours', async () => {
    expect(await world.read('getBrand', '/public/orgs/brand?slug=beit-el-bunn')).toEqual({
      org_id: shopId(),
      name: 'بيت البن',
      name_translations: { en: 'Beit El Bunn' },
      slug: 'beit-el-bunn',
      custom_branding: true,
      logo_is_mark: true,
      logo_url: 'https://pictures.example/logo.svg',
      background_color: '#F6EFE6',
      foreground_color: '#3B2417',
      accent_color: '#B4622D',
      card_image_url: 'https://pictures.example/card.jpg',
      main_language: 'ar',
      digits: 'latn',
    });
  });

  test('of a shop without colours has default colours and custom_branding: false', async () => {
    const brand = await world.read('getBrand', '/public/orgs/brand?slug=zawya');
    expect(brand).toMatchObject({
      custom_branding: false,
      logo_is_mark: false,
      logo_url: null,
      card_image_url: null,
    });
    expect(brand.background_color).toMatch(/^#[0-9A-F]{6}$/i);
    expect(brand.name_translations).toEqual({});
  });
});

const bookable: Partial<BranchEntry> = { booking: { enabled: true } };
const browseOnly: Partial<BranchEntry> = { channels: {} };

describe('the links page', () => {
  test('shows modules in the shop’s order, then custom links in theirs, without hidden ones', async () => {
    const slug = await open({
      branches: [aBranch(bookable)],
      loyalty: { enabled: true, mode: 'visits', program_name: { ar: 'أصحاب البيت', en: 'Friends' } },
      links: {
        modules: [{ kind: 'book' }, { kind: 'rewards' }, { kind: 'menu' }, { kind: 'order' }],
        custom: [
          { key: 'b', title: { en: 'Beans' }, href: 'https://b.example/' },
          { key: 'h', title: { en: 'Hidden' }, href: 'https://h.example/', visible: false },
          { key: 'a', title: { ar: 'أكواب', en: 'Cups' }, href: 'https://a.example/' },
        ],
      },
    });
    const { items } = await links(slug);
    expect(items.map(({ kind }) => kind)).toEqual(['book', 'rewards', 'menu', 'order', 'custom', 'custom']);
    expect(items.slice(4)).toEqual([
      {
        kind: 'custom',
        href: 'https://b.example/',
        branch_names: [],
        channels: [],
        path: null,
        title_en: 'Beans',
        title_ar: null,
      },
      {
        kind: 'custom',
        href: 'https://a.example/',
        branch_names: [],
        channels: [],
        path: null,
        title_en: 'Cups',
        title_ar: 'أكواب',
      },
    ]);
    for (const item of items.slice(0, 4)) {
      expect(item.href).toBe(`https://ahwa.example/${slug}${item.path ?? ''}`);
      expect([item.title_en ?? null, item.title_ar ?? null]).toEqual([null, null]);
    }
    expect(items.map(({ path }) => path).slice(0, 4)).toEqual(['/book', '/join', '/menu', '/order']);
  });

  test('shows a module only when its page has content', async () => {
    const rewards = { enabled: true, mode: 'points', program_name: 'نقاط' } as const;
    expect(await kinds(await open())).toEqual(['order', 'menu']);
    expect(await kinds(await open({ branches: [aBranch(browseOnly)] }))).toEqual(['menu']);
    expect(await kinds(await open({ branches: [aBranch({ ...browseOnly, ...bookable })] }))).toEqual([
      'menu',
      'book',
    ]);
    expect(await kinds(await open({ menu: {} }))).toEqual(['order']);
    expect(await kinds(await open({ loyalty: rewards }))).toEqual(['order', 'menu', 'rewards']);
    expect(await kinds(await open({ loyalty: { ...rewards, enabled: false } }))).toEqual(['order', 'menu']);
    expect(await kinds(await open({ branches: [] }))).toEqual([]);
    expect(await kinds(await open({ branches: [aBranch({ ...bookable, active: false })] }))).toEqual([]);
    expect(
      await kinds(await open({ links: { modules: [{ kind: 'menu' }, { kind: 'order', visible: false }] } })),
    ).toEqual(['menu']);
  });

  test('hides the menu module when every item is switched off', async () => {
    const menu = aMenu();
    const off = { ...menu, items: (menu.items ?? []).map((item) => ({ ...item, active: false })) };
    expect(await kinds(await open({ menu: off }))).toEqual(['order']);
  });

  test('shows the order module also while the channel is paused', async () => {
    const paused = aBranch({ channels: { pickup: { state: { mode: 'closed' } } } });
    const [order] = (await links(await open({ branches: [paused] }))).items;
    expect(order).toMatchObject({ kind: 'order', channels: ['pickup'], branch_names: ['الزمالك'] });
  });

  test('lists the channels of order that any branch offers, pickup first, with outside as delivery', async () => {
    const slug = await open({
      branches: [
        aBranch({ channels: { umbrella: {}, outside: {} } }),
        aBranch({
          key: 'mall',
          name: 'المول',
          code: 'MLL',
          channels: { in_mall: {}, pickup: { enabled: false } },
        }),
        aBranch({ key: 'old', name: 'قديم', code: 'OLD', active: false, channels: { pickup: {} } }),
      ],
    });
    const order = (await links(slug)).items.find(({ kind }) => kind === 'order');
    expect(order?.channels).toEqual(['delivery', 'in_mall', 'umbrella']);
    const every = aBranch({ channels: { umbrella: {}, in_mall: {}, outside: {}, pickup: {} } });
    const [first] = (await links(await open({ branches: [every] }))).items;
    expect(first?.channels).toEqual(['pickup', 'delivery', 'in_mall', 'umbrella']);
  });

  test('lists the branches of order and book by name, and none for menu and rewards', async () => {
    const slug = await open({
      branches: [
        aBranch({ key: 'c', name: 'ج', code: 'C', ...bookable }),
        aBranch({ key: 'b', name: 'ب', code: 'B', channels: {}, ...bookable }),
        aBranch({ key: 'a', name: 'ا', code: 'A' }),
      ],
      loyalty: { enabled: true, mode: 'points', program_name: 'نقاط' },
    });
    const { items } = await links(slug);
    const names = Object.fromEntries(items.map(({ kind, branch_names }) => [kind, branch_names]));
    expect(names).toEqual({ order: ['ا', 'ج'], book: ['ب', 'ج'], menu: [], rewards: [] });
    expect(items.filter(({ kind }) => kind !== 'order').flatMap(({ channels }) => channels)).toEqual([]);
  });

  test('has the loyalty mode only while the rewards module is shown', async () => {
    const loyalty = { enabled: true, mode: 'visits', program_name: 'زيارات' } as const;
    expect((await links(await open({ loyalty }))).loyalty_mode).toBe('visits');
    const hidden = { modules: [{ kind: 'menu' as const }, { kind: 'rewards' as const, visible: false }] };
    expect((await links(await open({ loyalty, links: hidden }))).loyalty_mode ?? null).toBeNull();
    expect((await links(await open())).loyalty_mode ?? null).toBeNull();
  });

  test('lists socials in a fixed order with key, label and url only', async () => {
    const keys = ['website', 'whatsapp', 'youtube', 'x', 'tiktok', 'facebook', 'instagram'] as const;
    const socials = keys.map((key) => ({ key, url: `https://${key}.example/shop` }));
    const hidden = socials.map((social) => (social.key === 'x' ? { ...social, visible: false } : social));
    const page = await links(await open({ links: { socials: hidden } }));
    expect(page.socials.map(({ key }) => key)).toEqual([
      'instagram',
      'facebook',
      'tiktok',
      'youtube',
      'whatsapp',
      'website',
    ]);
    for (const social of page.socials) {
      expect(Object.keys(social)).toEqual(['key', 'label', 'url']);
      expect(social.url).toMatch(/^https:/);
      expect(social.label).not.toBe('');
    }
  });

  test('has cover and taglines, or null', async () => {
    const tagline = { ar: 'بن محمص كل صباح', en: 'Roasted every morning' };
    const full = await links(
      await open({ links: { tagline, cover_image_url: 'https://pictures.example/c.jpg' } }),
    );
    expect(full).toMatchObject({
      tagline_ar: tagline.ar,
      tagline_en: tagline.en,
      cover_image_url: 'https://pictures.example/c.jpg',
    });
    expect(await links(await open())).toMatchObject({
      tagline_ar: null,
      tagline_en: null,
      cover_image_url: null,
    });
  });
});

describe('the branches of the links page', () => {
  const branch = (key: string, name: string, overrides: Partial<BranchEntry> = {}): BranchEntry =>
    aBranch({ key, name, code: key.toUpperCase(), ...overrides });

  test('are the active ones by name, also without online channels; none with show_branches: false', async () => {
    const branches = [branch('b', 'ب'), branch('off', 'ت', { active: false }), branch('a', 'ا', browseOnly)];
    expect((await links(await open({ branches }))).branches.map(({ name }) => name)).toEqual(['ا', 'ب']);
    expect((await links(await open({ branches, links: { show_branches: false } }))).branches).toEqual([]);
  });

  test('leave out a branch that the shop file no longer has', async () => {
    const slug = await open({ branches: [branch('a', 'ا'), branch('b', 'ب')] });
    await openShops(world, aShopFile({ slug, branches: [branch('b', 'ب')] }));
    expect((await links(slug)).branches.map(({ name }) => name)).toEqual(['ب']);
  });

  test('link directions to map link, else coordinates, else address, else null', async () => {
    const location = { lat: 30.0626, lng: 31.2197 };
    const address = { ar: '١٢ شارع البرازيل & جاره، الزمالك', en: '12 Brazil St' };
    const slug = await open({
      branches: [
        branch('a', 'ا', { map_url: 'https://maps.example/a', location, address }),
        branch('b', 'ب', { location, address }),
        branch('c', 'ت', { address, phone: '+20 2 2735 0000' }),
        branch('d', 'ث'),
        branch('e', 'ج', { location: { lat: 0, lng: 0 } }),
      ],
    });
    const { branches } = await links(slug);
    expect(branches.map(({ directions_url }) => directions_url)).toEqual([
      'https://maps.example/a',
      'https://www.google.com/maps/search/?api=1&query=30.0626,31.2197',
      `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(address.ar)}`,
      null,
      'https://www.google.com/maps/search/?api=1&query=0,0',
    ]);
    expect(branches[2]).toMatchObject({
      address: address.ar,
      address_translations: { en: address.en },
      phone: '+20 2 2735 0000',
    });
    expect(branches[3]).toMatchObject({ address: null, phone: null });
  });
});
