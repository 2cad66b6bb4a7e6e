/** The floor of the demo shops: every read of the staff shows something, on any day. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_PASSWORD } from '../../src/service/app/demo.ts';
import { demoActivity } from '../../src/wiring.ts';
import type { SignedIn } from '../support/people/staff.ts';
import { done, post } from '../support/server/requests.ts';
import type { World } from '../support/server/world.ts';
import { branchId } from '../support/shops/cafe.ts';
import { makeDemo, startDay } from '../support/shops/demo.ts';
import { tableView } from '../support/people/table-guests.ts';

/** A Friday, 20:00 in Cairo. */
const START = '2026-11-20T18:00:00Z';
const DAY = 86_400_000;

let world: World;

beforeAll(async () => {
  ({ world } = await makeDemo({ now: START, limitScale: 0 }));
});
afterAll(() => world.close());

const ownerOf = async (slug: string): Promise<SignedIn> => {
  const credentials = { email: `owner@${slug}.example`, password: DEMO_PASSWORD };
  const { token } = done('staffSignIn', await post(world, '/staff/sign-in', credentials));
  return { authorization: `Bearer ${token}` };
};

/** What the staff of a branch sees. */
const seen = async (slug: string, branch: string) => {
  const who = await ownerOf(slug);
  const at = `branch_id=${branchId(branch, slug)}`;
  const tills = done('listTills', await world.get(`/staff/tills?${at}`, who));
  const open = tills.find(({ status }) => status === 'open');
  if (open === undefined) throw new Error('no till is open');
  const span = `${at}&from=${open.business_date}&to=${open.business_date}`;
  const { figures } = done('getTillReport', await world.get(`/staff/tills/${open.id}/report`, who));
  if (figures === null) throw new Error('an owner sees no figures');
  return {
    tickets: done('listTickets', await world.get(`/staff/tickets?${at}`, who)),
    kitchen: done('getKitchen', await world.get(`/staff/kitchen?${at}`, who)).tickets,
    honesty: done('reportKitchen', await world.get(`/staff/reports/kitchen?${span}`, who)),
    tills,
    figures,
    day: done('reportDays', await world.get(`/staff/reports/day?${span}`, who)),
    hours: done('reportHours', await world.get(`/staff/reports/hours?${span}`, who)),
    items: done('reportItems', await world.get(`/staff/reports/items?${span}`, who)),
    byTill: done('reportTills', await world.get(`/staff/reports/tills?${span}`, who)),
    itemsTable: (await world.get(`/staff/reports/items.csv?${span}`, who)).text,
    sales: done('listSales', await world.get(`/staff/sales?${at}&date=${open.business_date}`, who)),
  };
};

const receiptOf = async (slug: string, sale: string) =>
  done('getReceipt', await world.get(`/staff/sales/${sale}/receipt`, await ownerOf(slug)));

const FLOORS = demoActivity().floors;
/** Those of the staff, and that of guests who ordered by the code of theirs. */
const ticketsAt = ({ tables }: (typeof FLOORS)[number]): number => tables.length + 1;
/** Whose guests wait until their rounds are accepted. */
const CONFIRMING = 'layaly';

describe.each(FLOORS)('the floor of $shop', (floor) => {
  const { shop, branch } = floor;

  test('has a table that is served, one that waits for its second round, and one that shares its bill', async () => {
    const { tickets, kitchen } = await seen(shop, branch);
    expect(tickets.map(({ table_id: id }) => id)).not.toContain(null);
    expect(tickets.length).toBe(ticketsAt(floor));
    const ofStaff = tickets.filter(({ opened_via: via }) => via === 'staff');
    const made = ofStaff.map(({ items }) => items.map(({ ready_at: at }) => at !== null));
    expect(made.filter((each) => each.every(Boolean)).length).toBe(1);
    expect(made.filter((each) => each.some(Boolean) && !each.every(Boolean)).length).toBe(1);
    expect(made.filter((each) => !each.some(Boolean)).length).toBe(1);
    const shared = tickets.filter(({ parts }) => parts !== null);
    expect(shared).toMatchObject([{ payments: [{ method: 'cash' }] }]);
    expect(shared[0]?.parts?.length).toBe(3);
    expect(kitchen.length).toBeGreaterThan(0);
    expect(kitchen.map(({ station }) => station.id)).not.toContain(null);
  });

  test('has guests who ordered by the code of their table, and see their bill', async () => {
    const { tickets, kitchen } = await seen(shop, branch);
    const byGuests = tickets.filter(({ opened_via: via }) => via === 'qr');
    expect(byGuests.length).toBe(1);
    const [{ id, table_id: table, items } = { id: '', table_id: null, items: [] }] = byGuests;
    const waits = shop === CONFIRMING;
    expect(items.map(({ accepted }) => accepted)).toEqual(items.map(() => !waits));
    expect(kitchen.some(({ source_id: source }) => source === id)).toBe(!waits);
    const { bill } = await tableView(world, table ?? '');
    const state = waits ? 'waiting' : 'fired';
    expect(bill).toMatchObject({ ticket_id: id, rounds: [{ state, lines: [{}, {}] }] });
  });

  test('has reports, sales and receipts that show something', async () => {
    const { items, byTill, itemsTable, sales, day, tills } = await seen(shop, branch);
    expect(items.length).toBeGreaterThan(2);
    expect(itemsTable.trimEnd().split('\r\n').length).toBe(1 + items.length);
    const open = tills.find(({ status }) => status === 'open');
    expect(byTill.find(({ till_id: id }) => id === open?.id)?.total).toBeGreaterThan(0);
    expect(sales.length).toBe(day.total.sales_count);
    const ofTicket = sales.find(({ source }) => source === 'ticket');
    const receipt = await receiptOf(shop, ofTicket?.id ?? '');
    expect(receipt.total).toBe(ofTicket?.total);
    expect(receipt.text).toContain(ofTicket?.sale_ref);
  });

  test('has a till with sales of several hours in cash and by card, a tip and a void', async () => {
    const { figures, day, hours } = await seen(shop, branch);
    const sold = figures.methods.filter(({ sales }) => sales > 0).map(({ method }) => method);
    expect(sold.toSorted()).toEqual(['card', 'cash']);
    expect(figures.methods.reduce((sum, { tips }) => sum + tips, 0)).toBe(1_000);
    expect(day.voids.length).toBeGreaterThan(0);
    expect(day.total.total).toBeGreaterThan(0);
    expect(hours.filter(({ total }) => total > 0).length).toBeGreaterThanOrEqual(5);
  });
});

test('the kitchen has the online orders, and the report says what those took that are made', async () => {
  const who = await ownerOf('beit-el-bunn');
  const board = await world.get(`/staff/kitchen?branch_id=${branchId('maadi', 'beit-el-bunn')}`, who);
  expect(done('getKitchen', board).tickets).toMatchObject([
    { source: 'order', items: [{ void_reason: 'guest_asked' }, {}] },
    { source: 'order', items: [{ voided: 0, bumped_at: null }, {}, {}] },
  ]);
  const { honesty } = await seen('beit-el-bunn', 'zamalek');
  expect(honesty.map(({ actual_minutes: minutes }) => minutes)).toEqual([17]);
});

test('a refund of an order’s sale stays after a restart on the same day', async () => {
  const who = await ownerOf('beit-el-bunn');
  const order = (await startDay(world)).orders.find(
    ({ shop, status }) => shop === 'beit-el-bunn' && status === 'delivered',
  );
  const delivered = order?.id ?? '';
  const refund = { all: true, method: 'card', reason: 'quality' };
  const refunded = done('refundSale', await post(world, `/staff/sales/${delivered}/refund`, refund, who));
  await startDay(world);
  expect(done('getSale', await world.get(`/staff/sales/${delivered}`, who))).toEqual(refunded);
});

/** The demo's orders, what the kitchen has of them and the numbers of their sales are new with every start. */
const stable = ({ kitchen, sales, ...others }: Awaited<ReturnType<typeof seen>>) => ({
  ...others,
  sales: sales.map((sale) => (sale.source === 'online' ? { ...sale, sale_ref: null } : sale)),
  kitchen: kitchen.filter(({ source }) => source !== 'order'),
  ordersInKitchen: kitchen.filter(({ source }) => source === 'order').length,
});

const allSeen = () => Promise.all(FLOORS.map(({ shop, branch }) => seen(shop, branch)));

test('the floors are the same after a restart on the same day', async () => {
  const before = await allSeen();
  await startDay(world);
  const after = await allSeen();
  expect(after.map(stable)).toEqual(before.map(stable));
});

test('a till that is closed stays so after a restart on the same day', async () => {
  const [{ shop, branch } = { shop: '', branch: '' }] = FLOORS;
  const who = await ownerOf(shop);
  const open = (await seen(shop, branch)).tills.find(({ status }) => status === 'open');
  done('forceCloseTill', await post(world, `/staff/tills/${open?.id}/force-close`, { note: 'late' }, who));
  await startDay(world);
  const tills = await world.get(`/staff/tills?branch_id=${branchId(branch, shop)}`, who);
  expect(done('listTills', tills).map(({ status }) => status)).not.toContain('open');
});

test('the floors are made anew on the next day, and the tills of the day before are closed', async () => {
  world.now += DAY;
  await startDay(world);
  for (const [n, { tickets, tills }] of (await allSeen()).entries()) {
    expect(tickets.length).toBe(FLOORS.map(ticketsAt)[n]);
    expect(tills.filter(({ status }) => status === 'open').length).toBe(1);
    expect(tills.filter(({ status }) => status === 'force_closed').length).toBeGreaterThan(0);
  }
});
