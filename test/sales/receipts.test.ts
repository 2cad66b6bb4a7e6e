/** Receipts of sales (Decisions 12, Sale). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aStaffedWorld, signInAs, type SignedIn } from '../support/people/staff.ts';
import { coffees, ticketsBy } from '../support/people/tickets.ts';
import { aCounterSale, aDeliveredOrder } from '../support/people/tills.ts';
import { done, post } from '../support/server/requests.ts';
import type { World } from '../support/server/world.ts';

let world: World;
let owner: SignedIn;
beforeAll(async () => {
  world = await aStaffedWorld({ limitScale: 0 });
  owner = await signInAs(world, 'owner');
});
afterAll(() => world.close());

const receiptOf = async (id: string, lang = '') =>
  done('getReceipt', await world.get(`/staff/sales/${id}/receipt${lang}`, owner));

test('the receipt of a counter sale says what was sold and paid, in the language that is asked for', async () => {
  const body = { ...aCounterSale(), payments: [{ method: 'card', amount: 4_500, tip: 500 }] };
  const sale = done('sellOverCounter', await post(world, '/staff/sales', body, owner));
  const [arabic, english] = [await receiptOf(sale.id), await receiptOf(sale.id, '?lang=en')];
  expect(arabic).toMatchObject({
    language: 'ar',
    shop: 'بيت البن',
    lines: [{ name: 'قهوة تركي', quantity: 1 }],
  });
  expect(english).toMatchObject({
    ...{ language: 'en', shop: 'Beit El Bunn', sale_ref: sale.sale_ref, total: 4_500 },
    lines: [{ name: 'Turkish coffee', quantity: 1, total: 4_500 }],
    payments: [{ label: 'Card', amount: 4_500, tip: 500, change: null }],
  });
  expect(english.at).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/);
});

test.each(['ar', 'en'])(
  'its text in %s is that of the file, and the same bytes when it is printed again',
  async (lang) => {
    const id = await aDeliveredOrder(world);
    const file = await world.get(`/staff/sales/${id}/receipt.txt?lang=${lang}`, owner);
    expect(file.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect((await receiptOf(id, `?lang=${lang}`)).text).toBe(file.text);
    expect((await world.get(`/staff/sales/${id}/receipt.txt?lang=${lang}`, owner)).text).toBe(file.text);
    expect(file.text).toContain('45.00');
  },
);

test('the receipt of a ticket has its service and change', async () => {
  const floor = ticketsBy(world, owner);
  const ticket = await floor.open({ items: coffees(2) });
  const body = { revision: 1, payments: [{ method: 'cash', amount: 9_000, tendered: 10_000 }] };
  const till = await post(world, '/staff/tills', { branch_id: ticket.branch_id, opening_float: 0 }, owner);
  done('openTill', till);
  done('settleTicket', await post(world, `/staff/tickets/${ticket.id}/settle`, body, owner));
  const { text } = await receiptOf(ticket.id, '?lang=en');
  expect(text).toMatch(/Change\u2069 +\u2068 +10\.00\u2069/);
});
