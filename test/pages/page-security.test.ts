/** Every page that is mounted, also one that is added later. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mountPages } from '../../src/doors/web/mount.ts';
import { demoContents, markAsDemo, refreshDemo } from '../../src/service/app/demo.ts';
import { demoActivity } from '../../src/wiring.ts';
import { isPage, type Endpoint } from '../../src/platform/contract/endpoint.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { useBrowser } from '../support/browser/browser.ts';
import { makeCard } from '../../src/loyalty/app/card.ts';
import { booked } from '../support/people/bookings.ts';
import { aGuest } from '../support/people/guests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { aBranch, aShopFile, openShops, shopId } from '../support/shops/cafe.ts';
import { aHostileShop } from '../support/shops/hostile.ts';

const SHOP = 'beit-el-bunn';

/** An order of the attacked shop by a guest who attacks too. */
const placeOrder = async (): Promise<string> => {
  const orders = demoActivity()
    .orders.filter(({ shop }) => shop === SHOP)
    .map((order) => ({
      ...order,
      customer_name: '</script><script>alert(8)</script>',
      // The names of sizes are attacked, so that the lines no longer name them.
      items: order.items.filter(({ size }) => size === null),
    }))
    .filter(({ items }) => items.length > 0);
  await markAsDemo(world.app, [SHOP]);
  const activity = { orders, bookings: [], members: [], floors: [] };
  await refreshDemo(world.app, activity, world.log);
  const [order] = (await demoContents(world.app, activity)).orders;
  if (order === undefined) throw new Error('no order of the demo has an item without sizes');
  return order.id;
};

/** Shown to the guest himself and to the staff. */
const GUEST = '"><img src=x onerror=alert(10)>';
const NOTE = "'</script><script>alert(11)</script>\r\nATTACH:https://attack.example/\r\nEND:VEVENT";

const MEMBER = '</script><script>alert(12)</script>';

/** A booking at an attacked shop by a guest who attacks too. */
const bookTable = async (): Promise<string> => {
  const [branch] = await world.read(
    'listBookingBranches',
    `/public/booking-branches?org_id=${shopId('layaly')}`,
  );
  const booking = await booked(world, { branch_id: branch?.id ?? '', guest_name: GUEST, notes: NOTE });
  return booking.manage_token;
};

/** A card of an attacked shop whose owner attacks too. */
const joinProgramme = async (): Promise<string> => {
  const card = await makeCard(world.app, shopId(), { phone: aGuest().typed, name: MEMBER });
  if (card === null) throw new Error('a new guest has a card already');
  return card.memberToken;
};

/** What stands for each path parameter of a page, of the attacked shops. */
const parametersOf = async (): Promise<Readonly<Record<string, string>>> => {
  const [branch] = await world.read('listBranches', `/public/branches?org_id=${shopId()}&browse=true`);
  const { items } = await world.read('getBranchMenu', `/public/branches/${branch?.id ?? ''}/menu`);
  const table = await world.db.kysely
    .selectFrom('dining_table')
    .select('id')
    .where('org_id', '=', shopId())
    .executeTakeFirstOrThrow();
  return {
    ...{ slug: SHOP, item: items[0]?.id ?? '', table: table.id, id: await placeOrder(), width: '96' },
    ...{ token: await bookTable(), member_token: await joinProgramme(), file: 'of-no-build-ABCDEFGH' },
  };
};

/** Line separators end a line of a script, overrides turn the text around them. */
const STORED = '1\u2028alert(9)\u2029</script>\u202e\u2067<!--';

let world: World;
let endpoints: readonly Endpoint[];
let pages: readonly Endpoint[];
let parameters: Readonly<Record<string, string>>;
beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, aHostileShop(SHOP), aHostileShop('layaly'));
  // Refused in a shop file, so written beside it.
  await world.db.kysely
    .updateTable('shop')
    .set({ tagline_ar: STORED, tagline_en: STORED })
    .where('slug', '=', SHOP)
    .execute();
  endpoints = Object.values(mountPages(world.app, { assets: 'dist/web', demo: null }).pages.endpoints);
  pages = endpoints.filter(isPage);
  parameters = await parametersOf();
});
afterAll(() => world.close());
const browser = useBrowser();

const addressOf = ({ id, path }: Endpoint): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name];
    if (value === undefined) throw new Error(`${id}: say in parametersOf what stands for {${name}}`);
    return value;
  });

/** Pages that a secret address opens. */
const isSecret = ({ path }: Pick<Endpoint, 'path'>): boolean => /^\/(track|manage|card)\//.test(path);

const READER = { accept: 'text/html,application/xhtml+xml', 'accept-language': 'ar' };

/** The addresses of all pages, and of pages about errors at secret and other addresses. */
const addresses = (): readonly string[] => [
  ...pages.map(addressOf),
  ...['/nope', '/beit-el-bunn/nope', '/track/nope/nope', '/manage/x/y/z'],
];

const directives = (policy: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources];
    }),
  );

/** Pages whose parameters name something of the attacked shop. */
const isOpen = ({ params, path }: Endpoint): boolean =>
  isSecret({ path }) || Object.keys(params).every((name) => ['slug', 'item', 'table'].includes(name));

test('every page of the attacked shop opens, so that what follows is about pages and not about refusals', async () => {
  const open = endpoints.filter(isOpen);
  expect(open.length).toBeGreaterThan(3);
  for (const endpoint of open) {
    const { status } = await world.get(addressOf(endpoint), isPage(endpoint) ? READER : {});
    expect([endpoint.id, status]).toEqual([endpoint.id, 200]);
  }
});

test('a shop file cannot bring a link that is no https address', async () => {
  const custom = (href: string) =>
    aShopFile({ slug: 'other', links: { custom: [{ key: 'x', title: { en: 'x' }, href }] } });
  const social = (url: string) =>
    aShopFile({ slug: 'other', links: { socials: [{ key: 'instagram', url }] } });
  const map = (url: string) => aShopFile({ slug: 'other', branches: [aBranch({ map_url: url })] });
  const faultOf = async (file: ShopFile): Promise<string> => {
    try {
      await openShops(world, file);
      return 'none';
    } catch (fault) {
      return String(fault);
    }
  };
  for (const good of [custom, social, map]) expect(await faultOf(good('https://x.example/'))).toBe('none');
  for (const attack of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    ' https://x',
    '//x',
  ]) {
    expect(await faultOf(custom(attack))).toContain('links.custom[0].href');
    expect(await faultOf(social(attack))).toContain('links.socials[0].url');
    expect(await faultOf(map(attack))).toContain('map_url');
  }
});

test('no page may run or draw what its server did not send, nor be framed', async () => {
  for (const address of addresses()) {
    const { headers } = await world.get(address, READER);
    const policy = directives(String(headers['content-security-policy']));
    const of = (name: string) => [address, name, policy.get(name)];
    expect(of('default-src')).toEqual([address, 'default-src', ["'none'"]]);
    expect(of('script-src')).toEqual([address, 'script-src', ["'self'"]]);
    expect(of('connect-src')).toEqual([address, 'connect-src', ["'self'"]]);
    expect(of('base-uri')).toEqual([address, 'base-uri', ["'none'"]]);
    expect(of('frame-ancestors')).toEqual([address, 'frame-ancestors', ["'none'"]]);
    const styles = policy.get('style-src') ?? [];
    expect(styles.filter((source) => source !== "'self'" && !source.startsWith("'sha256-"))).toEqual([]);
    for (const sources of policy.values())
      expect(sources.filter((source) => !/^('self'|'none'|'sha256-.*')$/.test(source))).toEqual([]);
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
});

test('the one inline style of a page is that whose hash its policy names', async () => {
  for (const address of addresses()) {
    const { text, headers } = await world.get(address, READER);
    const styles = [...text.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = '']) => style);
    expect(styles).toHaveLength(1);
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(styles[0]));
    expect(headers['content-security-policy']).toContain(
      `'sha256-${Buffer.from(digest).toString('base64')}'`,
    );
    expect(text).not.toMatch(/<[^>]* style=/);
  }
});

/** Files that stand at one address, beside the endpoints. */
const FILES = ['/service-worker.js', '/icon.svg', '/sitemap.xml', '/apple-touch-icon.png'];

test('what pages load is read as no page, and by other origins only if it is a picture', async () => {
  const loaded = endpoints.filter((each) => !isPage(each));
  expect(loaded.length).toBeGreaterThan(3);
  for (const address of [...loaded.map(addressOf), ...FILES]) {
    const reply = await world.get(address);
    expect([address, reply.headers['x-content-type-options']]).toEqual([address, 'nosniff']);
    expect([address, reply.headers['content-security-policy']]).toEqual([
      address,
      expect.stringContaining("default-src 'none'"),
    ]);
    if (reply.status === 404) continue;
    const again = await world.get(address, { 'if-none-match': String(reply.headers.etag) });
    expect([address, again.status]).toEqual([address, 304]);
    const readers = address.endsWith('/preview.jpg') ? '*' : undefined;
    for (const { headers } of [reply, again])
      expect([address, headers['access-control-allow-origin']]).toEqual([address, readers]);
  }
});

test('a page that a secret address opens is kept by nobody and listed by nobody', async () => {
  for (const page of pages.filter(isSecret)) {
    expect([page.id, page.cache]).toEqual([page.id, 'no-store']);
    const { headers, text } = await world.get(addressOf(page), READER);
    expect([page.id, headers]).toMatchObject([
      page.id,
      { 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' },
    ]);
    expect(text).toContain('<meta name="robots" content="noindex, nofollow"');
    expect(text).not.toContain('rel="canonical"');
  }
});

test('a page about an error is kept and listed by nobody', async () => {
  for (const address of ['/nope', '/track/nope', '/manage/nope', '/card/nope', '/beit-el-bunn/nope']) {
    const { headers } = await world.get(address, READER);
    expect([address, headers]).toMatchObject([
      address,
      { 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' },
    ]);
  }
});

/** What a browser made of a page. */
const findings = () => {
  const attributes = [...document.querySelectorAll('*')].flatMap((element) =>
    [...element.attributes].map(({ name }) => name),
  );
  const scripts = [...document.scripts].filter(({ type }) => !/json$/.test(type)).map(({ src }) => src);
  return {
    handlers: attributes.filter((name) => name.startsWith('on') || name === 'style'),
    strayScripts: scripts.filter((src) => !new URL(src, location.href).pathname.startsWith('/assets/')),
    strayElements: document.querySelectorAll('iframe, object, embed, base, main svg[onload], img[src="x"]')
      .length,
    protocols: [...new Set([...document.links].map(({ protocol }) => protocol))],
    texts: document.body.innerText,
    data: [...document.querySelectorAll('script[type="application/ld+json"]')].map(
      (block) => JSON.parse(block.textContent) as object,
    ),
    island: JSON.parse(document.getElementById('island-data')?.textContent ?? 'null') as unknown,
  };
};

describe.each(['ar', 'en'] as const)('a shop full of attacks, in %s', (language) => {
  test('stays text on every page, in a real browser', async () => {
    const opened = await browser.open(world, { language });
    const dialogs: string[] = [];
    opened.page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    for (const address of addresses()) {
      await opened.go(address);
      const found = await opened.page.evaluate(findings);
      const { handlers, strayScripts, strayElements } = found;
      expect([address, dialogs, opened.faults]).toEqual([address, [], []]);
      expect([address, { handlers, strayScripts, strayElements }]).toEqual([
        address,
        { handlers: [], strayScripts: [], strayElements: 0 },
      ]);
      const allowed = address === '/' ? ['http:', 'https:', 'tel:', 'mailto:'] : ['http:', 'https:', 'tel:'];
      expect(found.protocols.filter((protocol) => !allowed.includes(protocol))).toEqual([]);
    }
  });

  test('is read by search engines and people in the very words that the API has', async () => {
    const opened = await browser.open(world, { language });
    await opened.go(`/${SHOP}`);
    const found = await opened.page.evaluate(findings);
    const brand = await world.read('getBrand', `/public/orgs/brand?slug=${SHOP}`);
    const name = language === 'ar' ? brand.name : brand.name_translations?.['en'];
    expect(name).toContain('alert(');
    expect(found.data).toMatchObject([{ name, description: STORED }]);
    expect(found.texts).toContain(name);
    expect(await opened.page.title()).toBe(name);
  });
});

describe('a booking by a guest who attacks', () => {
  test('shows the note in the guest’s very words, on its page', async () => {
    const opened = await browser.open(world, { language: 'en' });
    await opened.go(`/manage/${parameters['token'] ?? ''}`);
    const { texts, island } = await opened.page.evaluate(findings);
    expect(texts).toContain("'</script><script>alert(11)</script>");
    expect(island).toMatchObject({ props: { booking: { guest_name: GUEST } } });
    await opened.page.getByRole('button', { name: 'Change', exact: true }).click();
    expect(await opened.page.getByLabel('Notes (optional)').inputValue()).toContain('alert(11)');
    expect(opened.faults).toEqual([]);
  });

  test('has a calendar file of one event with nothing that the guest typed, and no line that a shop began', async () => {
    const { text, headers } = await world.get(`/public/bookings/${parameters['token'] ?? ''}/calendar.ics`);
    expect(headers).toMatchObject({
      ...{ 'content-type': 'text/calendar; charset=utf-8', 'x-content-type-options': 'nosniff' },
      'content-disposition': 'attachment; filename="booking.ics"',
    });
    const lines = text.replaceAll('\r\n ', '').trimEnd().split('\r\n');
    expect(lines.map((line) => /^[A-Z-]+/.exec(line)?.[0])).toEqual([
      ...['BEGIN', 'VERSION', 'PRODID', 'BEGIN', 'UID', 'SEQUENCE', 'DTSTAMP', 'DTSTART', 'DTEND', 'STATUS'],
      ...['SUMMARY', 'DESCRIPTION', 'LOCATION', 'URL', 'END', 'END'],
    ]);
    expect(text).toContain('alert(');
    expect(text).not.toMatch(/alert\(1[01]\)|ATTACH/);
  });
});

test('a hostile query and path appear nowhere in a page', async () => {
  const attack = '%3C/script%3E%3Cscript%3Ealert(1)%3C/script%3E';
  for (const address of addresses()) {
    const { text } = await world.get(`${address}?lang=${attack}&${attack}=${attack}`, READER);
    expect(text).not.toContain('<script>alert');
  }
  const { text, status } = await world.get(`/${attack}/${attack}`, READER);
  expect(status).toBe(404);
  expect(text).not.toContain('alert');
});
