/** The page of a table: ordering by its QR code, and the running bill (Decisions 12, Table QR). */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  expectSound,
  losingFirstAnswer,
  setShown,
  useBrowser,
  type OpenedPage,
  type OpenOptions,
} from '../support/browser/browser.ts';
import { kitchenBy } from '../support/people/kitchen.ts';
import { setCredentials, signInAs, type SignedIn } from '../support/people/staff.ts';
import { aFreeTable, orderedAt, tableView } from '../support/people/table-guests.ts';
import { ticketsBy } from '../support/people/tickets.ts';
import { done, post } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { openShops, tableId, thingId } from '../support/shops/cafe.ts';
import { aKitchenShop, meals } from '../support/shops/kitchen-shop.ts';

let world: World;
let owner: SignedIn;
beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  await openShops(world, aKitchenShop({ confirm_table_orders: false, service_charge: { rate: 0.12 } }));
  await setCredentials(world);
  owner = await signInAs(world, 'owner');
});
afterAll(() => world.close());
beforeEach(async () => {
  await openShops(world, aKitchenShop({ confirm_table_orders: false, service_charge: { rate: 0.12 } }));
});
const browser = useBrowser();

const ORDERS = '**/public/table-orders';

const WORDS = {
  ar: { coffee: /قهوة تركي/, add: /أضف إلى طلبك/, cart: /اعرض طلبك/, send: /أرسل الطلب/, fired: 'يُحضَّر' },
  en: {
    coffee: /Turkish coffee/,
    add: /Add to your order/,
    cart: /View your order/,
    send: /Send the order/,
    fired: 'Being made',
  },
} as const;
type Words = (typeof WORDS)['ar' | 'en'];

const openTable = async (table: string, options: OpenOptions = {}): Promise<OpenedPage> => {
  const opened = await browser.open(world, { language: 'en', ...options });
  await opened.page.clock.install();
  await opened.go(`/t/${table}`);
  return opened;
};

const addCoffee = async ({ page }: OpenedPage, t: Words): Promise<void> => {
  await page.getByRole('link', { name: t.coffee }).click();
  await page.getByRole('button', { name: t.add }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};

const sendCoffee = async (opened: OpenedPage): Promise<void> => {
  await addCoffee(opened, WORDS.en);
  await opened.page.getByRole('button', { name: WORDS.en.cart }).click();
  await opened.page.getByRole('button', { name: WORDS.en.send }).click();
};

/** A second later: that view of the table is newer than the answers before. */
const askAgain = async (page: Page): Promise<void> => {
  await page.clock.fastForward(1_000);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
};

describe.each([
  ['ar', 320],
  ['en', 360],
  ['en', 1280],
] as const)('a table in %s at %d px', (language, width) => {
  test('orders, and shows the running bill with the state of each round, sound in every step', async () => {
    const t: Words = WORDS[language];
    const table = await aFreeTable(world);
    const opened = await openTable(table, { language, width });
    const { page } = opened;
    await page.locator('.table-bill').waitFor();
    await expectSound(opened);
    await addCoffee(opened, t);
    await page.getByRole('button', { name: t.cart }).click();
    await page.getByRole('dialog').waitFor();
    await page.locator('.sums .total').waitFor();
    await expectSound(opened);
    await page.getByRole('button', { name: t.send }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('.round', { hasText: t.fired }).waitFor();
    await expectSound(opened);
    const { bill } = await tableView(world, table);
    expect(bill).toMatchObject({ total: 5_040, rounds: [{ lines: [{ quantity: 1 }] }] });
  });
});

test('the state of a round follows the kitchen and the staff, also after it was sent elsewhere', async () => {
  await openShops(world, aKitchenShop({ confirm_table_orders: true }));
  const table = tableId('t3');
  const { id } = await orderedAt(world, table);
  const { page } = await openTable(table);
  const round = page.locator('.round');
  await page.getByText('Waiting for the staff').waitFor();
  await post(world, `/staff/tickets/${id}/rounds/1/accept`, {}, owner);
  await world.hearOfChanges();
  await askAgain(page);
  await round.filter({ hasText: 'Being made' }).waitFor();
  const kitchen = kitchenBy(world, owner);
  for (const ticket of await kitchen.of(id)) await kitchen.bump(ticket.id);
  await world.hearOfChanges();
  await askAgain(page);
  await round.filter({ hasText: 'Ready' }).waitFor();
  const floor = ticketsBy(world, owner);
  await floor.void(await floor.get(id));
  await world.hearOfChanges();
  await askAgain(page);
  await page.getByText('Nothing is ordered at this table yet.').waitFor();
});

test('what is said of the round that a guest sent follows the staff, and ends with its bill', async () => {
  await openShops(world, aKitchenShop({ confirm_table_orders: true }));
  const table = await aFreeTable(world);
  const opened = await openTable(table);
  const { page } = opened;
  const send = async (): Promise<void> => {
    await sendCoffee(opened);
    await page.getByText('We have your order. The staff will confirm it.').waitFor();
  };
  const decide = async (round: number, decision: 'accept' | 'reject'): Promise<string> => {
    const id = (await tableView(world, table)).bill?.ticket_id ?? '';
    const decided = await post(world, `/staff/tickets/${id}/rounds/${round}/${decision}`, {}, owner);
    expect(decided.status).toBeLessThan(300);
    await world.hearOfChanges();
    await askAgain(page);
    return id;
  };
  await send();
  const id = await decide(1, 'accept');
  await page.getByText('We have your order.', { exact: true }).waitFor();
  await send();
  await decide(2, 'reject');
  await page.getByText('Your order was not accepted. Please ask the staff.').waitFor();
  await send();
  await decide(3, 'accept');
  await page.getByText('We have your order.', { exact: true }).waitFor();
  const floor = ticketsBy(world, owner);
  await floor.void(await floor.get(id));
  await world.hearOfChanges();
  await askAgain(page);
  await page.getByText('Nothing is ordered at this table yet.').waitFor();
  expect(await page.getByText('We have your order').count()).toBe(0);
});

/**
 * A page whose clock stands still but for the returned function, which moves it on until the page has asked for its table
 * once more: the seconds that took.
 */
const stopClock = async (page: Page): Promise<() => Promise<number>> => {
  const answers: Promise<unknown>[] = [];
  page.on('request', (request) => {
    if (/\/public\/tables\/[^/]+$/.test(request.url())) answers.push(request.response());
  });
  /** What the page asked for before the ping is seen when the ping is answered. */
  const ping = () => page.evaluate(() => fetch('/health').then((reply) => reply.text()));
  await page.clock.pauseAt(Date.now() + 3_600_000);
  const secondsUntilAsked = async (): Promise<number> => {
    let seconds = 0;
    for (await ping(); answers.length === 0; seconds += 1) {
      await page.clock.runFor(1_000);
      await ping();
    }
    await Promise.all(answers.splice(0));
    await ping();
    return seconds;
  };
  await secondsUntilAsked();
  return secondsUntilAsked;
};

test('the table is asked for every 8 seconds, every minute while the page is hidden, at once when shown', async () => {
  const { page } = await openTable(await aFreeTable(world));
  await page.locator('.table-bill').waitFor();
  const secondsUntilAsked = await stopClock(page);
  expect(await secondsUntilAsked()).toBe(8);
  await setShown(page, false);
  expect(await secondsUntilAsked(), 'planned while the page was shown').toBe(8);
  expect(await secondsUntilAsked()).toBe(60);
  await setShown(page, true);
  expect(await secondsUntilAsked()).toBe(0);
  expect(await secondsUntilAsked()).toBe(8);
});

test('an answer that is lost is asked for again under the same key: the round is taken once', async () => {
  const table = await aFreeTable(world);
  const opened = await openTable(table);
  const { page } = opened;
  await losingFirstAnswer(page, ORDERS);
  await sendCoffee(opened);
  await page.getByText('There is no answer yet').waitFor();
  // Of the others at the table: nothing is said of it.
  await orderedAt(world, table);
  await page.getByRole('button', { name: WORDS.en.send }).click();
  await page.getByText('We already had your order').waitFor();
  expect((await tableView(world, table)).bill?.rounds).toHaveLength(2);
});

test('a guest whose round is rejected before its answer comes is told to ask', async () => {
  await openShops(world, aKitchenShop({ confirm_table_orders: true }));
  const table = await aFreeTable(world);
  const opened = await openTable(table);
  const { page } = opened;
  await losingFirstAnswer(page, ORDERS);
  await sendCoffee(opened);
  await page.getByText('There is no answer yet').waitFor();
  const id = (await tableView(world, table)).bill?.ticket_id ?? '';
  await post(world, `/staff/tickets/${id}/rounds/1/reject`, {}, owner);
  await page.getByRole('button', { name: WORDS.en.send }).click();
  await page.getByText('Your order is not in the bill of this table any more.').waitFor();
});

test('a guest whose first round is rejected, with which its bill ends, is told to ask', async () => {
  await openShops(world, aKitchenShop({ confirm_table_orders: true }));
  const table = await aFreeTable(world);
  const opened = await openTable(table);
  const { page } = opened;
  await sendCoffee(opened);
  await page.locator('.round', { hasText: 'Waiting for the staff' }).waitFor();
  const id = (await tableView(world, table)).bill?.ticket_id ?? '';
  await post(world, `/staff/tickets/${id}/rounds/1/reject`, {}, owner);
  await world.hearOfChanges();
  await askAgain(page);
  await page.getByText('Nothing is ordered at this table yet.').waitFor();
  await page.getByText('Your order is not in the bill of this table any more.').waitFor();
});

test('a guest whose answer was lost is told to ask when the round is rejected', async () => {
  await openShops(world, aKitchenShop({ confirm_table_orders: true }));
  const table = await aFreeTable(world);
  const opened = await openTable(table);
  const { page } = opened;
  await losingFirstAnswer(page, ORDERS);
  await sendCoffee(opened);
  await page.getByText('There is no answer yet').waitFor();
  await page.getByRole('button', { name: WORDS.en.send }).click();
  await page.getByText('We already had your order').waitFor();
  await page.locator('.round', { hasText: 'Waiting for the staff' }).waitFor();
  const id = (await tableView(world, table)).bill?.ticket_id ?? '';
  await post(world, `/staff/tickets/${id}/rounds/1/reject`, {}, owner);
  await world.hearOfChanges();
  await askAgain(page);
  await page.getByText('Nothing is ordered at this table yet.').waitFor();
  await page.getByText('Your order is not in the bill of this table any more.').waitFor();
});

test('a guest whose round waited when its bill was settled is told to ask', async () => {
  await openShops(world, aKitchenShop({ confirm_table_orders: true }));
  const table = await aFreeTable(world);
  const floor = ticketsBy(world, owner);
  const { id } = await floor.open({ table_id: table });
  const opened = await openTable(table);
  const { page } = opened;
  await losingFirstAnswer(page, ORDERS);
  await sendCoffee(opened);
  await page.getByText('There is no answer yet').waitFor();
  const { revision, due } = await floor.get(id);
  const payments = [{ method: 'card', amount: due }];
  const settled = await post(world, `/staff/tickets/${id}/settle`, { revision, payments }, owner);
  expect(settled.status).toBeLessThan(300);
  await page.getByRole('button', { name: WORDS.en.send }).click();
  await page.getByText('Your order is not in the bill of this table any more.').waitFor();
});

test('what is said of a round stays where an older view lacks the round', async () => {
  await openShops(world, aKitchenShop({ confirm_table_orders: true }));
  const table = await aFreeTable(world);
  const opened = await openTable(table);
  const { page } = opened;
  let view = await tableView(world, table);
  await page.route('**/public/tables/*', (route) => route.fulfill({ json: view }));
  await addCoffee(opened, WORDS.en);
  await page.getByRole('button', { name: WORDS.en.cart }).click();
  await orderedAt(world, table);
  view = await tableView(world, table);
  await page.getByRole('button', { name: WORDS.en.send }).click();
  await page.locator('.round').waitFor();
  await page.getByText('We have your order. The staff will confirm it.').waitFor();
});

test('what was said of a later round stays where the one before is sent again', async () => {
  const table = await aFreeTable(world);
  const opened = await openTable(table);
  const { page } = opened;
  const notes: unknown[] = [];
  await page.route(ORDERS, async (route) => {
    const { notes: said } = route.request().postDataJSON() as { readonly notes?: string };
    notes.push(said);
    return notes.length === 1 ? route.abort() : route.continue();
  });
  const sendWith = async (words: string): Promise<void> => {
    await addCoffee(opened, WORDS.en);
    await page.getByRole('button', { name: WORDS.en.cart }).click();
    await page.locator('textarea').fill(words);
    await page.getByRole('button', { name: WORDS.en.send }).click();
  };
  await sendWith('no sugar');
  await page.getByText('There is no answer yet').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await sendWith('nut allergy');
  await page.getByText('We have your order.').waitFor();
  await page.getByRole('button', { name: WORDS.en.cart }).click();
  expect(await page.locator('textarea').inputValue()).toBe('nut allergy');
  expect(notes).toEqual(['no sugar', 'no sugar']);
});

test('a refusal is said in the cart, which keeps what was chosen', async () => {
  const opened = await openTable(tableId('t2'));
  const { page } = opened;
  await addCoffee(opened, WORDS.en);
  await openShops(world, aKitchenShop({ accepts_table_orders: false }));
  await page.getByRole('button', { name: WORDS.en.cart }).click();
  await page.getByRole('button', { name: WORDS.en.send }).click();
  await expect.poll(() => page.getByRole('alert').count()).toBe(1);
  expect(await page.locator('.cart-line').count()).toBe(1);
});

test('the bill names sizes, options and picks of a combo as the reader reads them', async () => {
  const file = aKitchenShop({ confirm_table_orders: false });
  const latte = {
    ...{ key: 'latte', name: { ar: 'لاتيه', en: 'Latte' }, category: 'coffee' },
    sizes: [{ label: { ar: 'دوبل', en: 'Double' }, price: 6_000 }],
    optionals: [{ key: 'cup', name: { ar: 'فنجان تاني', en: 'A second cup' }, price: 500 }],
  };
  await openShops(world, { ...file, menu: { ...file.menu, items: [...(file.menu.items ?? []), latte] } });
  const table = await aFreeTable(world);
  const { items } = done('getTableMenu', await world.get(`/public/tables/${table}/menu`));
  const cup = items.find(({ name }) => name === 'لاتيه')?.optionals[0]?.id ?? '';
  await orderedAt(world, table, {
    items: [{ menu_item_id: thingId('item', 'latte'), quantity: 1, optional_field_ids: [cup] }, meals(1)],
  });
  for (const [language, details] of [
    ['en', ['Double', 'A second cup', 'Burger', 'Turkish coffee']],
    ['ar', ['دوبل', 'فنجان تاني', 'برجر', 'قهوة تركي']],
  ] as const) {
    const { page } = await openTable(table, { language });
    await page.locator('.round').waitFor();
    expect(await page.locator('.round small').allInnerTexts()).toEqual(details);
  }
});

describe.each([
  ['ar', 320, 'هذا الكود لم يعد يعمل'],
  ['en', 360, 'This code does not work any more'],
] as const)('a page whose code the staff have replaced, in %s', (language, width, words) => {
  test('says so in the place of the bill and in the cart, asks no more, and sends nothing', async () => {
    const t: Words = WORDS[language];
    const table = await aFreeTable(world);
    const opened = await openTable(table, { language, width });
    const { page } = opened;
    await page.locator('.table-bill').waitFor();
    await addCoffee(opened, t);
    await page.getByRole('button', { name: t.cart }).click();
    await page.locator('.sums .total').waitFor();
    const renewed = await post(world, `/staff/tables/${table}/new-code`, {}, owner);
    expect(renewed.status).toBeLessThan(300);
    await page.getByRole('button', { name: t.send }).click();
    await page.getByRole('dialog').getByText(words).waitFor();
    expect(await page.getByRole('button', { name: t.send }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('.table-bill', { hasText: words }).waitFor();
    await expectSound(opened);
    let asked = 0;
    page.on('request', () => (asked += 1));
    await page.clock.runFor(120_000);
    expect(asked).toBe(0);
  });
});

test('a branch that takes no orders at tables shows its menu, and how to order', async () => {
  await openShops(world, aKitchenShop({ accepts_table_orders: false }));
  const opened = await openTable(tableId('t1'));
  await opened.page.getByText('Orders from the table are not taken now.').waitFor();
  expect(await opened.page.locator('.table-bill').count()).toBe(0);
  await expectSound(opened);
});

test('without a script the menu can be read', async () => {
  const { text } = await world.get(`/t/${tableId('t1')}`, { accept: 'text/html' });
  expect(text).toContain('قهوة تركي');
});
