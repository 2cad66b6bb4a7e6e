import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectSoundInEveryView, useBrowser } from '../support/browser/browser.ts';
import { openProxy, type DatabaseProxy } from '../support/database/proxy.ts';
import { freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { aShopFile, openShops } from '../support/shops/cafe.ts';

const WORDS = {
  ar: {
    missing: 'لا توجد صفحة هنا',
    toPlace: 'إلى صفحة المكان',
    busy: 'طلبات كثيرة',
    wait: /انتظر .*ثم حاول مرة أخرى/,
    down: 'الخدمة غير متاحة الآن',
    retry: 'حاول مرة أخرى',
  },
  en: {
    missing: 'There is no page here',
    toPlace: 'To the page of this place',
    busy: 'Too many requests',
    wait: /Wait .*, then try again/,
    down: 'The service is not available now',
    retry: 'Try again',
  },
} as const;

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, aShopFile(), aShopFile({ slug: 'kashk', active: false }));
});
afterAll(() => world.close());
const browser = useBrowser();

describe.each(['ar', 'en'] as const)('an address that nothing has, in %s', (language) => {
  const words = WORDS[language];

  test('is a sound page on a phone and a desk, by day and by night', async () => {
    const opened = await browser.open(world, { language });
    await opened.go('/no-such-place');
    expect(await opened.page.getByRole('heading', { level: 1 }).innerText()).toBe(words.missing);
    await expectSoundInEveryView(opened);
  });

  test('leads to the place when it is below one', async () => {
    const { page, go } = await browser.open(world, { language, hasScript: false });
    await go('/beit-el-bunn/nope');
    await page.getByRole('link', { name: words.toPlace }).click();
    expect(new URL(page.url()).pathname).toBe('/beit-el-bunn');
  });

  test('is changed to the other language by one tap, which is remembered', async () => {
    const { page, go } = await browser.open(world, { language });
    await go('/no-such-place');
    const other = language === 'ar' ? 'en' : 'ar';
    await page.getByRole('link', { name: other === 'en' ? 'English' : 'العربية' }).click();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(WORDS[other].missing);
    await go('/another');
    expect(await page.locator('html').getAttribute('lang')).toBe(other);
  });

  test('too many requests say how long to wait', async () => {
    const limited = await makeWorld({ database: world.database, limitScale: 0.001 });
    try {
      const opened = await browser.open(limited, { language, hasScript: false });
      for (let asked = 0; asked < 3; asked += 1) await limited.get('/health-of-nothing');
      await opened.go('/beit-el-bunn');
      expect(await opened.page.getByRole('heading', { level: 1 }).innerText()).toBe(words.busy);
      expect(await opened.page.locator('main').innerText()).toMatch(words.wait);
      expect(await opened.page.getByRole('link', { name: words.retry }).getAttribute('href')).toBe('');
    } finally {
      await limited.close();
    }
  });
});

describe('while the database is away', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let cut: World;
  beforeAll(async () => {
    database = await freshDatabase();
    proxy = await openProxy(database.connection);
    cut = await makeWorld({ database, connection: proxy.connection, hasDemo: false });
    proxy.cut();
  });
  afterAll(async () => {
    await cut.close();
    await proxy.close();
    await database.release();
  });

  test.each(['ar', 'en'] as const)('a page says so in %s and offers to try again', async (language) => {
    const opened = await browser.open(cut, { language, hasScript: false });
    await opened.go('/beit-el-bunn');
    expect(await opened.page.getByRole('heading', { level: 1 }).innerText()).toBe(WORDS[language].down);
    expect(await opened.page.getByRole('link', { name: WORDS[language].retry }).count()).toBe(1);
    expect(await opened.page.getByRole('link', { name: WORDS[language].toPlace }).count()).toBe(0);
  });

  test('the service’s own pages stay', async () => {
    for (const path of ['/', '/docs', '/sitemap.xml', '/robots.txt', '/icon.svg'])
      expect([path, (await cut.get(path, { accept: 'text/html' })).status]).toEqual([path, 200]);
  });
});

test('a switched-off shop answers like an unknown one', async () => {
  const textOf = async (slug: string) => {
    const { status, text } = await world.get(`/${slug}`, { accept: 'text/html' });
    return `${status} ${text.replace(/[\da-f]{16}-\w+/, '')}`;
  };
  expect(await textOf('kashk')).toBe(await textOf('never-there'));
});

test('programs, unknown methods and unknown addresses of the API get JSON', async () => {
  const html = { accept: 'text/html' };
  const typeAndStatus = async (method: string, path: string, headers: Record<string, string> = html) => {
    const reply = await world.send(method, path, headers);
    return `${reply.status} ${String(reply.headers['content-type'])}`;
  };
  const json = 'application/json; charset=utf-8';
  expect(await typeAndStatus('GET', '/nope', { accept: '*/*' })).toBe(`404 ${json}`);
  expect(await typeAndStatus('GET', '/nope', {})).toBe(`404 ${json}`);
  expect(await typeAndStatus('POST', '/beit-el-bunn')).toBe(`404 ${json}`);
  expect(await typeAndStatus('DELETE', '/')).toBe(`405 ${json}`);
  expect(await typeAndStatus('POST', '/docs')).toBe(`405 ${json}`);
  expect(await typeAndStatus('GET', '/public/nope')).toBe(`404 ${json}`);
  expect(await typeAndStatus('GET', '/staff/nope')).toBe(`404 ${json}`);
});

describe('a page that is asked for again', () => {
  const html = { accept: 'text/html', 'accept-language': 'ar' };

  test.each(['/', '/docs', '/beit-el-bunn'])('%s is not sent twice while it stays the same', async (path) => {
    const first = await world.get(path, html);
    expect(first.headers['cache-control']).toBe('no-cache');
    const again = await world.get(path, { ...html, 'if-none-match': String(first.headers.etag) });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers.vary).toBe(first.headers.vary);
    expect(again.headers.vary).toContain('Accept-Encoding, Accept-Language, Cookie');
    const other = await world.get(path, {
      ...{ accept: 'text/html', 'accept-language': 'en' },
      'if-none-match': String(first.headers.etag),
    });
    expect(other.status).toBe(200);
  });

  test.each(['/', '/docs', '/beit-el-bunn', '/nope'])('HEAD of %s has the head of GET', async (path) => {
    const head = await world.send('HEAD', path, html);
    const get = await world.get(path, html);
    expect(head.text).toBe('');
    for (const name of Object.keys(get.headers).filter((each) => !/^(x-request-id|date)$/.test(each)))
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
    expect(head.status).toBe(get.status);
  });

  test('is in the language of the cookie that pages set, and of no cookie that another host of the domain could set', async () => {
    const inEnglish = '<html lang="en"';
    const over = async (at: World, cookie: string) => (await at.get('/', { ...html, cookie })).text;
    expect(await over(world, '__Host-lang=en')).toContain(inEnglish);
    expect(await over(world, 'lang=en')).not.toContain(inEnglish);
    const plain = await makeWorld({ baseUrl: 'http://ahwa.example' });
    try {
      expect(await over(plain, 'lang=en')).toContain(inEnglish);
    } finally {
      await plain.close();
    }
  });

  test('remembers a language also when the browser holds the page in it already', async () => {
    const choose = (language: string, held: Record<string, string> = {}) =>
      world.get(`/beit-el-bunn?lang=${language}`, { ...html, ...held });
    const english = await choose('en');
    const arabic = await choose('ar', { cookie: '__Host-lang=en' });
    const again = await choose('en', {
      ...{ cookie: '__Host-lang=ar', 'if-none-match': String(english.headers.etag) },
    });
    expect(again.status).toBe(304);
    expect(again.headers['set-cookie']).toEqual(english.headers['set-cookie']);
    expect(again.headers['set-cookie']).not.toEqual(arabic.headers['set-cookie']);
  });

  test.each(['/', '/docs', '/beit-el-bunn'])(
    '%s remembers a language that its address names',
    async (path) => {
      const reply = await world.get(`${path}?lang=en`, html);
      expect(reply.headers['set-cookie']).toEqual([
        '__Host-lang=en; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly; Secure',
      ]);
      expect(reply.text).toContain('<html lang="en" dir="ltr">');
      expect((await world.get(path, { ...html, cookie: 'a=b; __Host-lang=en' })).text).toContain(
        '<html lang="en"',
      );
      expect((await world.get(`${path}?lang=fr&lang=xx`, html)).text).toContain('<html lang="ar"');
    },
  );
});
