/** The events of a branch, as the EventSource of a real browser receives them. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useBrowser } from '../support/browser/browser.ts';
import { branchId } from '../support/shops/cafe.ts';
import { aStaffedWorld, emailOf, PASSWORD, signInAs, streamAddress } from '../support/people/staff.ts';
import { placed } from '../support/people/guests.ts';
import type { World } from '../support/server/world.ts';

let world: World;
beforeAll(async () => {
  world = await aStaffedWorld({ baseUrl: 'http://localhost:8080' });
});
afterAll(() => world.close());
const browser = useBrowser();

const openPage = async (): Promise<Page> => {
  const { page, go } = await browser.open(world);
  await go('/beit-el-bunn');
  return page;
};

/** Opens an EventSource; `heard` gets what happens to it. */
const listen = (page: Page, address: string): Promise<void> =>
  page.evaluate(
    (url) =>
      new Promise<void>((resolve) => {
        const source = new EventSource(url);
        const heard: string[] = [];
        Object.assign(window, { heard });
        source.addEventListener('open', () => resolve());
        source.addEventListener('delivery', ({ data }) => heard.push(String(data)));
        source.addEventListener('error', () => {
          if (source.readyState === EventSource.CLOSED) heard.push('closed');
        });
      }),
    address,
  );

const untilHeard = async (page: Page, text: string): Promise<void> => {
  await page.waitForFunction(
    (part) => (window as unknown as { heard: string[] }).heard.some((each) => each.includes(part)),
    text,
  );
};

test('the cookie of a sign-in opens the stream', async () => {
  const page = await openPage();
  const credentials = { email: emailOf('owner'), password: PASSWORD, session: 'cookie' };
  const token = await page.evaluate(async (body) => {
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch('/staff/sign-in', { method: 'POST', headers, body: JSON.stringify(body) });
    return ((await reply.json()) as { token: string | null }).token;
  }, credentials);
  expect(token).toBeNull();
  expect(await page.evaluate(() => document.cookie)).not.toContain('stf_');
  await listen(page, `/staff/events?branch_id=${branchId()}`);
  const { id } = await placed(world);
  await untilHeard(page, id);
});

test('a stream token opens the stream, and the browser stops when its session has ended', async () => {
  const page = await openPage();
  const teller = await signInAs(world, 'teller');
  await listen(page, await streamAddress(world, teller, branchId()));
  const { id } = await placed(world);
  await untilHeard(page, id);
  await world.send('POST', '/staff/sign-out', { ...teller });
  await untilHeard(page, 'closed');
});
