/** `/card/{member_token}` where the till has no internet: a voucher on demand, in a real browser. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectSound, untilFocused, useBrowser, VIEWS } from '../support/browser/browser.ts';
import { aMember, aProgramme } from '../support/people/reward-members.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { aShopFile, openShops } from '../support/shops/cafe.ts';

const WORDS = {
  ar: {
    ...{
      offer: 'الكاشير بلا إنترنت؟',
      title: 'قسيمة للكاشير بلا إنترنت',
      code: 'كود القسيمة',
      close: 'أغلق',
    },
    ...{ limit: 'صالحة لـ 60 نقطة', until: /^حتى 12:30 م، باقٍ (30:00|29:\d\d)$/, again: 'قسيمة جديدة' },
    ...{
      over: 'انتهت صلاحية هذه القسيمة.',
      none: 'هذا المحل لا يصرف المكافآت عندما يكون الكاشير بلا إنترنت.',
    },
    offline: 'لا يوجد اتصال. تأكد من الإنترنت ثم حاول مرة أخرى.',
  },
  en: {
    ...{ offer: 'The till has no internet?', title: 'Voucher for a till without internet' },
    ...{ code: 'Voucher code', close: 'Close', limit: 'Good for 60 points', again: 'A new voucher' },
    ...{ until: /^Until 12:30 pm, (30:00|29:\d\d) left$/, over: 'This voucher has expired.' },
    none: 'This shop gives no rewards while its till has no internet.',
    offline: 'No connection. Check your internet and try again.',
  },
} as const;

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  // Friday noon in Cairo.
  world.now = Date.parse('2026-11-20T10:00:00Z');
});
afterAll(() => world.close());
const browser = useBrowser();

const openProgramme = (overrides: Parameters<typeof aProgramme>[0] = {}): Promise<void> =>
  openShops(world, aShopFile({ loyalty: aProgramme({ offline_limit: 60, ...overrides }) }));
beforeEach(() => openProgramme());

describe.each(VIEWS)('a card in $language', (view) => {
  const t = WORDS[view.language];
  const openOn = async (balance: number) => {
    const opened = await browser.open(world, view);
    const { memberToken } = await aMember(world, balance);
    return { ...opened, memberToken, offer: opened.page.getByRole('button', { name: t.offer }) };
  };

  test('shows a voucher with its limit and its end, and a new one after that', async () => {
    const opened = await openOn(113);
    const { page, offer, memberToken } = opened;
    await page.clock.install();
    await opened.go(`/card/${memberToken}`);
    await expectSound(opened);
    await offer.click();
    const dialog = page.getByRole('dialog', { name: t.offer });
    await dialog.getByRole('heading', { name: t.title }).waitFor();
    await dialog.getByText(t.limit, { exact: true }).waitFor();
    expect(await dialog.getByText(t.until).isVisible()).toBe(true);
    const code = dialog.getByRole('img', { name: t.code });
    const isDrawn = () =>
      code.locator('path').evaluate((path) => (path.getAttribute('d') ?? '').length > 5_000);
    await expect.poll(isDrawn).toBe(true);
    // 3 pixels for each of the 89 squares of the largest code, so that any camera reads it.
    expect(await code.evaluate((image) => image.clientWidth)).toBeGreaterThanOrEqual(3 * 89);
    await expectSound(opened);

    world.now += 31 * 60_000;
    await page.clock.fastForward('31:00');
    await dialog.getByText(t.over).waitFor();
    expect(await code.count()).toBe(0);
    await dialog.getByRole('button', { name: t.again }).click();
    await dialog.getByText(t.limit, { exact: true }).waitFor();
    await expect.poll(isDrawn).toBe(true);
    world.now -= 31 * 60_000;

    await dialog.getByRole('button', { name: t.close }).click();
    await dialog.waitFor({ state: 'detached' });
    await untilFocused(offer);
  });

  test('says why there is no voucher', async () => {
    const opened = await openOn(113);
    const { page, offer, memberToken } = opened;
    await opened.go(`/card/${memberToken}`);
    await openShops(world, aShopFile({ loyalty: aProgramme() }));
    await offer.click();
    await page.getByRole('status').getByText(t.none).waitFor();
    await expectSound(opened);
    await page.getByRole('button', { name: t.close }).click();

    await openProgramme();
    await page.route('**/voucher', (route) => route.abort());
    await offer.click();
    await page.getByText(t.offline).waitFor();
    await page.unroute('**/voucher');
    await page.getByRole('button', { name: t.again }).click();
    await page.getByText(t.limit, { exact: true }).waitFor();
  });

  test('offers no voucher for a balance without a reward, nor where the shop gives none', async () => {
    const poor = await openOn(9);
    await poor.go(`/card/${poor.memberToken}`);
    expect(await poor.offer.count()).toBe(0);
    await openShops(world, aShopFile({ loyalty: aProgramme() }));
    const rich = await openOn(113);
    await rich.go(`/card/${rich.memberToken}`);
    expect(await rich.offer.count()).toBe(0);
  });
});
