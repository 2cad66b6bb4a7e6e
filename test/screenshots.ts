/**
 * Pictures of the pages in both languages, from the built program with the demo shops on a fixed evening. Writes
 * `docs/screenshots`. Run by `npm run screenshots`, or with names of pages for those alone.
 */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { launchBrowser } from './support/browser/launch.ts';
import { fillContact, placeIt, toCheckout, WORDS } from './support/browser/ordering.ts';
import { branchId, tableId, thingId } from './support/shops/cafe.ts';
import { MAIN, portIn, UNREFUSED, withDataFolder } from '../bench/support/ahwa.ts';
import { lineOf, spawnNode, stop } from '../bench/support/processes.ts';

const FOLDER = resolve(import.meta.dirname, '../docs/screenshots');
/** A Thursday evening, when every demo shop is open. */
const CLOCK_START = '2026-11-26T18:00:00Z';

type Language = 'ar' | 'en';

interface Shot {
  readonly name: string;
  readonly address: string;
  readonly width: number;
  readonly height: number;
  readonly isDark?: boolean;
  /** What a guest does before the picture is taken. */
  readonly act?: (page: Page, language: Language) => Promise<void>;
}

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 860 };
/** Of a receipt printer. */
const PAPER = { width: 460, height: 640 };

const openItem = async (page: Page): Promise<void> => {
  await page.locator('a.item').nth(12).click();
  await page.locator('dialog[open] h1').waitFor();
};

const ITEMS = {
  ar: [/^قهوة تركي/, /^سبانيش لاتيه/, /^تشيز كيك لوتس/],
  en: [/^Turkish coffee/, /^Spanish latte/, /^Lotus cheesecake/],
} as const;
const GUEST = { name: { ar: 'سارة محمود', en: 'Sara Mahmoud' }, typed: '01012345678' };

/** The first choice where one is needed. */
const choose = async (page: Page): Promise<void> => {
  for (const group of await page.locator('dialog fieldset:has([type=radio])').all())
    if ((await group.locator(':checked').count()) === 0) await group.locator('[type=radio]').first().check();
};

const fillCart = async (page: Page, language: Language): Promise<void> => {
  const { add } = WORDS[language];
  for (const name of ITEMS[language]) {
    await page.locator('a.item').and(page.getByRole('link', { name })).first().click();
    await page.getByRole('button', { name: add }).waitFor();
    await choose(page);
    await page.getByRole('button', { name: add }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await page.evaluate(() => scrollTo(0, 0));
};

const openCart = async (page: Page, language: Language): Promise<void> => {
  await fillCart(page, language);
  await page.getByRole('button', { name: WORDS[language].cart }).click();
  await page.getByRole('button', { name: WORDS[language].checkout }).waitFor();
};

const fillCheckout = async (page: Page, language: Language): Promise<void> => {
  await fillCart(page, language);
  await toCheckout(page, WORDS[language]);
  await fillContact(page, GUEST, WORDS[language], GUEST.name[language]);
};

const placeOrder = async (page: Page, language: Language): Promise<void> => {
  await fillCheckout(page, language);
  await placeIt(page, WORDS[language]);
  await page.waitForURL(/\/track\//);
};

/** Nour of the demo shops, who has a card. */
const MEMBER_PHONE = '01590000101';
const OTP_FILE = join(mkdtempSync(join(tmpdir(), 'ahwa-codes-')), 'codes.jsonl');

interface MemberProof {
  readonly device_token: string;
  readonly member_token: string;
}

/** Proves the member's phone by the code that the server wrote. */
const proveMember = async (page: Page): Promise<MemberProof> => {
  const post = async (address: string, data: object): Promise<unknown> => {
    const reply = await page.request.post(new URL(address, page.url()).href, { data });
    if (!reply.ok()) throw new Error(`${address} answered ${reply.status()}: ${await reply.text()}`);
    return reply.json();
  };
  await post('/public/otp/request', { phone: MEMBER_PHONE });
  const { code } = JSON.parse(readFileSync(OTP_FILE, 'utf8').trim().split('\n').at(-1) ?? '') as {
    code: string;
  };
  const proven = await post('/public/otp/verify', { phone: MEMBER_PHONE, code });
  const { device_token } = proven as Pick<MemberProof, 'device_token'>;
  const { org_id } = (await (
    await page.request.get(new URL('/public/orgs/brand?slug=beit-el-bunn', page.url()).href)
  ).json()) as { org_id: string };
  const joined = await post('/public/loyalty/join', {
    org_id,
    name: 'نور',
    phone: MEMBER_PHONE,
    device_token,
  });
  const { member_token } = joined as Pick<MemberProof, 'member_token'>;
  return { device_token, member_token };
};

let proof: Promise<MemberProof> | null = null;

/** The page as the member's own phone shows it. */
const asMember = async (page: Page): Promise<void> => {
  const { device_token, member_token } = await (proof ??= proveMember(page));
  await page.evaluate(
    ([device, card]) => {
      localStorage.setItem('ahwa-card beit-el-bunn', JSON.stringify(card));
      localStorage.setItem('ahwa-device', JSON.stringify({ token: device, until: Date.now() + 86_400_000 }));
    },
    [device_token, member_token] as const,
  );
  await page.reload();
  await page.locator('.greeting').waitFor();
};

const orderAgain = async (page: Page): Promise<void> => {
  await asMember(page);
  await page.locator('.last-order button').click();
  await page.locator('#order-checkout').waitFor();
  await page.locator('.forecast').waitFor();
};

const openMembersCart = async (page: Page, language: Language): Promise<void> => {
  await asMember(page);
  await openCart(page, language);
  await page.locator('.line-reward button').first().click();
  await page.locator('.cart-line del').waitFor();
};

interface Answered {
  readonly id: string;
  readonly token: string;
  readonly revision: number;
  readonly due: number;
}

/** What the owner of Beit El Bunn asks of the API. */
const ownerOf = async (page: Page) => {
  const address = (path: string): string => new URL(path, page.url()).href;
  const ask = async (path: string, data: object, headers: Record<string, string> = {}): Promise<Answered> => {
    const reply = await page.request.post(address(path), { data, headers });
    if (!reply.ok()) throw new Error(`${path} answered ${reply.status()}: ${await reply.text()}`);
    return (await reply.json()) as Answered;
  };
  const credentials = { email: 'owner@beit-el-bunn.example', password: 'ahwa-demo' };
  const headers = { authorization: `Bearer ${(await ask('/staff/sign-in', credentials)).token}` };
  return {
    post: (path: string, data: object) => ask(path, data, headers),
    text: async (path: string): Promise<string> =>
      (await page.request.get(address(path), { headers })).text(),
  };
};
type Owner = Awaited<ReturnType<typeof ownerOf>>;

/** The id of what guests at a table ate, with a deal, service and tax, and paid in cash with a tip and change. */
const aPaidTable = async ({ post }: Owner): Promise<string> => {
  const branch_id = branchId('maadi');
  await post('/staff/tills', { branch_id, opening_float: 50_000 });
  const items = [
    {
      ...{ menu_item_id: thingId('item', 'turkish'), size_label: 'سنجل', quantity: 3 },
      addons: [{ addon_item_id: thingId('addon', 'sugar-mazbout'), quantity: 1 }],
    },
    { menu_item_id: thingId('item', 'san-sebastian'), quantity: 2 },
  ];
  const table_id = tableId('maadi-1', 'maadi');
  const { id, revision, due } = await post('/staff/tickets', { branch_id, items, table_id, guest_count: 3 });
  const tendered = Math.ceil((due + 2_000) / 10_000) * 10_000;
  const payments = [{ method: 'cash', amount: due, tip: 2_000, tendered }];
  await post(`/staff/tickets/${id}/settle`, { revision, payments });
  return id;
};

/** A receipt, as a printer of 80 mm would print its text. */
const drawReceipt =
  (refund: object | null) =>
  async (page: Page, language: Language): Promise<void> => {
    const owner = await ownerOf(page);
    const sale = await aPaidTable(owner);
    if (refund !== null) await owner.post(`/staff/sales/${sale}/refund`, refund);
    const text = await owner.text(`/staff/sales/${sale}/receipt.txt?lang=${language}`);
    await page.evaluate(
      ([shown, direction]) => {
        const paper = document.createElement('pre');
        paper.textContent = shown;
        paper.dir = direction;
        paper.style.cssText =
          "margin:16px auto;width:48ch;font:13px/1.35 'DejaVu Sans Mono',monospace;color:#000;background:#fff";
        document.body.replaceChildren(paper);
        document.body.style.background = '#fff';
      },
      [text, language === 'ar' ? 'rtl' : 'ltr'] as const,
    );
  };

const chooseTime = async (page: Page): Promise<void> => {
  await page.locator('button.time:not(.gone)').nth(4).click();
  await page.locator('#details').waitFor();
};

const book = async (page: Page, language: Language): Promise<void> => {
  await chooseTime(page);
  await page.locator('form.details [autocomplete=name]').fill(GUEST.name[language]);
  await page.locator('form.details [type=tel]').fill(GUEST.typed);
  await page.locator('form.details button[type=submit]').click();
  await page.waitForURL(/\/manage\//);
};

const ORDER = `/beit-el-bunn/order?branch=${branchId('maadi')}&channel=pickup`;
const DELIVERY = `/beit-el-bunn/order?branch=${branchId('zamalek')}&channel=outside`;
/** The branch that asks for no code. */
const BOOK = `/layaly/book?branch=${branchId('zayed', 'layaly')}&party=4&date=2026-11-27`;

/** Goes back to the guests at the table. */
const ONE_CAKE = { lines: [{ index: 1, units: 1 }], method: 'cash', reason: 'quality' };

/** Stands for the token of a demo card. */
const CARD = '{card}';

const scrollToLedger = async (page: Page): Promise<void> => {
  await page.locator('#ledger').evaluate((heading) => heading.scrollIntoView());
};

const SHOTS: readonly Shot[] = [
  { name: 'landing', address: '/', ...DESK },
  { name: 'links', address: '/beit-el-bunn', ...PHONE },
  { name: 'links-wide', address: '/layaly', ...DESK },
  { name: 'menu', address: '/beit-el-bunn/menu', ...PHONE },
  { name: 'menu-night', address: '/layaly/menu', ...PHONE, isDark: true },
  { name: 'menu-wide', address: '/zawya/menu', ...DESK },
  { name: 'item', address: '/beit-el-bunn/menu', ...PHONE, act: openItem },
  { name: 'table', address: `/t/${tableId('zamalek-4')}`, ...PHONE },
  { name: 'branches', address: '/beit-el-bunn/order', ...PHONE },
  { name: 'order', address: ORDER, ...PHONE, act: fillCart },
  { name: 'order-wide', address: ORDER, ...DESK, act: fillCart },
  { name: 'cart', address: ORDER, ...PHONE, act: openCart },
  { name: 'checkout', address: ORDER, ...PHONE, act: fillCheckout },
  { name: 'branches-card', address: '/beit-el-bunn/order', ...PHONE, act: asMember },
  { name: 'order-card', address: DELIVERY, ...PHONE, act: asMember },
  { name: 'cart-card', address: ORDER, ...PHONE, act: openMembersCart },
  { name: 'checkout-card', address: DELIVERY, ...PHONE, isDark: true, act: orderAgain },
  { name: 'track', address: ORDER, ...PHONE, act: placeOrder },
  { name: 'book', address: BOOK, ...PHONE },
  { name: 'book-details', address: BOOK, ...PHONE, act: chooseTime },
  { name: 'book-wide', address: BOOK, ...DESK },
  { name: 'manage', address: BOOK, ...PHONE, act: book },
  { name: 'join', address: '/beit-el-bunn/join', ...PHONE },
  { name: 'card', address: `/card/${CARD}`, ...PHONE },
  { name: 'card-night', address: `/card/${CARD}`, ...PHONE, isDark: true },
  { name: 'card-ledger', address: `/card/${CARD}`, ...PHONE, act: scrollToLedger },
  { name: 'receipt', address: '/no-such-shop', ...PAPER, act: drawReceipt(null) },
  { name: 'receipt-refunded', address: '/no-such-shop', ...PAPER, act: drawReceipt(ONE_CAKE) },
  { name: 'docs', address: '/docs', ...DESK },
  { name: 'not-found', address: '/no-such-shop', ...PHONE },
];

/** Pictures that are loaded, fonts too: the next frame is the page as it stays. */
const settle = async (page: Page): Promise<void> => {
  await page.waitForLoadState('networkidle');
  await page.evaluate(async () => {
    await document.fonts.ready;
    const shown = [...document.images].filter((image) => {
      const { top, bottom, width } = image.getBoundingClientRect();
      return width > 0 && bottom > 0 && top < innerHeight;
    });
    await Promise.all(shown.map((image) => image.decode().catch(() => undefined)));
  });
};

const take = async (page: Page, origin: string, shot: Shot, language: Language): Promise<Buffer> => {
  await page.goto(`${origin}${shot.address}`);
  await page.waitForFunction(
    () =>
      document.getElementById('island-data') === null ||
      document.documentElement.dataset['alive'] !== undefined,
  );
  await shot.act?.(page, language);
  await settle(page);
  return page.screenshot();
};

const chosen = process.argv.slice(2);
const shots = chosen.length === 0 ? SHOTS : SHOTS.filter(({ name }) => chosen.includes(name));
mkdirSync(FOLDER, { recursive: true });

/** Where the built program answers, and what it says of its demo. */
interface Served {
  readonly origin: string;
  readonly card: string;
}

/** Of the banner. */
const cardIn = (line: string): string | null => /\/card\/(M[\w-]+) +beit-el-bunn,/.exec(line)?.[1] ?? null;

const serving = async (dataDir: string, work: (served: Served) => Promise<void>): Promise<void> => {
  const child = spawnNode([MAIN], {
    ...{ NODE_ENV: 'development', METRICS_PORT: 'off', HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir },
    ...{ RATE_LIMIT_SCALE: UNREFUSED, CLOCK_START, OTP_SENDER: 'file', OTP_FILE },
  });
  try {
    const [port, card] = await Promise.all([lineOf(child, portIn), lineOf(child, cardIn)]);
    await work({ origin: `http://127.0.0.1:${port}`, card });
  } finally {
    await stop(child);
  }
};

await withDataFolder((dataDir) =>
  serving(dataDir, async ({ origin, card }) => {
    const browser = await launchBrowser();
    for (const language of ['ar', 'en'] as const)
      for (const shot of shots) {
        const context = await browser.newContext({
          viewport: { width: shot.width, height: shot.height },
          deviceScaleFactor: shot.width < 800 ? 2 : 1,
          timezoneId: 'Africa/Cairo',
          locale: language === 'ar' ? 'ar-EG' : 'en-GB',
          colorScheme: shot.isDark === true ? 'dark' : 'light',
          reducedMotion: 'reduce',
        });
        const address = shot.address.replace(CARD, card);
        const picture = await take(await context.newPage(), origin, { ...shot, address }, language);
        const file = `${shot.name}-${language}.webp`;
        writeFileSync(join(FOLDER, file), await sharp(picture).webp({ quality: 82 }).toBuffer());
        console.log(file);
        await context.close();
      }
    await browser.close();
  }),
);
