/** Reports for owners: from the sales alone (Decisions 12). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { anOrder, orderOn, placed } from '../support/people/guests.ts';
import { aMember } from '../support/people/reward-members.ts';
import {
  aStaffedShop,
  changed,
  pairedTill,
  setCredentials,
  signInAs,
  type SignedIn,
  type StaffReply,
} from '../support/people/staff.ts';
import { coffees, ticketsBy } from '../support/people/tickets.ts';
import { newId } from '../support/database/ids.ts';
import { bookedCoffee, refundedCoffee, tillEventsOn } from '../support/people/device-tills.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops, tableId, thingId } from '../support/shops/cafe.ts';

type Sale = StaffReply<'getSale'>;

let world: World;
let owner: SignedIn;
const sales: Sale[] = [];

const MENU: ShopFile['menu'] = {
  categories: [{ key: 'coffee', name: { ar: 'قهوة', en: 'Coffee' } }],
  items: [
    { key: 'turkish', name: { ar: 'قهوة تركي', en: 'Turkish coffee' }, category: 'coffee', price: 4_500 },
    { key: 'odd', name: { ar: '=cmd|"x"', en: 'Odd' }, category: 'coffee', price: 3_333 },
  ],
  discounts: [
    { key: 'friends', name: { ar: 'أصحاب', en: 'Friends' }, percent: 10, on: [{ channel: 'till' }] },
  ],
  deals: [
    {
      ...{
        key: 'pair',
        name: { ar: 'اتنين بـ ٦٠', en: 'Two for 60' },
        kind: 'n_for_price',
        qty: 2,
        price: 6_000,
      },
      pool: [{ category: 'coffee' }],
    },
  ],
};
const SPAN = 'from=2026-11-19&to=2026-11-22';

const address = (report: string, more = SPAN): string =>
  `/staff/reports/${report}?branch_id=${branchId()}&${more}`;
const days = async (more?: string) => done('reportDays', await world.get(address('day', more), owner));
const sumOf = <T>(all: readonly T[], amountOf: (one: T) => number): number =>
  all.reduce((sum, one) => sum + amountOf(one), 0);

beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  const branches = aStaffedShop().branches.map((branch) => ({
    ...branch,
    ...{ tax: { rate: 0.14, inclusive: false }, service_charge: { rate: 0.12, taxable: true } },
    staff_drinks_per_day: 3,
  }));
  await openShops(world, aStaffedShop(undefined, { menu: MENU, branches }), aStaffedShop('kashk'));
  await setCredentials(world);
  for (const [day, hour] of [
    ['20', '18:05'],
    ['20', '23:40'],
    // Before the business day ends, after midnight in Cairo.
    ['21', '01:30'],
    ['21', '15:10'],
  ] as const) {
    world.now = Date.parse(`2026-11-${day}T${hour}:00Z`);
    owner = await signInAs(world, 'owner');
    const opening = { branch_id: branchId(), opening_float: 0 };
    const { id } = done('openTill', await post(world, '/staff/tills', opening, owner));
    await sellAll();
    done('closeTill', await post(world, `/staff/tills/${id}/close`, { counted: { cash: 0 } }, owner));
  }
});
afterAll(() => world.close());

/** A ticket at a table with a deal, a reward, a discount, a voided unit and a part that is paid before the rest. */
const aSettledTicket = async (): Promise<string> => {
  const floor = ticketsBy(world, owner);
  const { cardId } = await aMember(world, 1_000);
  const opened = await floor.open({ table_id: tableId('t1'), items: coffees(3), guest_count: 2 });
  const fired = await floor.fire(opened, [{ menu_item_id: thingId('item', 'odd'), quantity: 2 }]);
  const [coffee, odd] = fired.items.map(({ id }) => id);
  const kept = done(
    'voidTicketLine',
    await floor.asksVoid(fired, odd ?? '', { units: 1, reason: 'quality' }),
  );
  const ticket = await floor.change(kept, { member_id: cardId, discount_id: thingId('discount', 'friends') });
  const part = { revision: ticket.revision, method: 'card', amount: 1_000 };
  const { revision } = done(
    'payTicketPart',
    await post(world, `/staff/tickets/${ticket.id}/payments`, part, owner),
  );
  // 168.33 less a coffee of 45.00 and the deal's 30.00 is 93.33; 10 % off, with 12 % service and 14 % tax 107.25.
  const settlement = {
    ...{ revision, payments: [{ method: 'cash', amount: 9_725, tip: 250 }] },
    rewards: [{ reward_id: thingId('reward', 'coffee'), item_id: coffee ?? '', units: 1 }],
  };
  done('settleTicket', await post(world, `/staff/tickets/${ticket.id}/settle`, settlement, owner));
  return ticket.id;
};

const aCounterSale = async (who: SignedIn, method: string): Promise<string> => {
  const cart = { branch_id: branchId(), items: coffees(1) };
  const { total } = done('quoteCounterSale', await post(world, '/staff/cart-quote', cart, who));
  const counter = { ...cart, payments: [{ method, amount: total }] };
  return done('sellOverCounter', await post(world, '/staff/sales', counter, who)).id;
};

/** Orders that are delivered, a ticket, counter sales with a till and without one, and a staff drink. */
const sellAll = async (): Promise<void> => {
  const orders = [
    await placed(world, anOrder({ items: [...coffees(3)] })),
    await placed(world, orderOn('outside', { items: [...coffees(1)] })),
  ].map(({ id }) => id);
  for (const id of orders)
    await changed(world, owner, id, 'finalize', { payment_method: 'card', from: 'received' });
  const [ticket, sold] = [await aSettledTicket(), await aCounterSale(owner, 'cash')];
  const back = { lines: [{ index: 0, units: 1 }], method: 'cash', reason: 'quality' };
  for (const sale of [ticket, sold])
    done('refundSale', await post(world, `/staff/sales/${sale}/refund`, back, owner));
  const [coffee] = coffees(1);
  const drink = { ...coffee, staff_drink: { id: newId(), note: 'سالي' } };
  const drunk = { branch_id: branchId(), items: [drink], payments: [] };
  const { id: drinkId } = done('sellOverCounter', await post(world, '/staff/sales', drunk, owner));
  const withoutTill = await aCounterSale(await signInAs(world, 'manager'), 'card');
  for (const sale of [...orders, ticket, sold, drinkId, withoutTill])
    sales.push(done('getSale', await world.get(`/staff/sales/${sale}`, owner)));
};

const FIGURES = [
  ...['subtotal', 'deal_discount', 'reward_discount', 'discount_amount', 'service_charge_amount'],
  ...['delivery_fee', 'tax_amount', 'recorded_difference', 'total'],
] as readonly (keyof Sale & ('subtotal' | 'total' | 'tax_amount'))[];

/** Those that the report of a till has as well. */
const TILL_FIGURES = [
  ...FIGURES,
  ...(['sales_count', 'covers', 'staff_drinks', 'staff_drink_discount'] as const),
  ...(['refunds_count', 'refunded', 'refunded_tax'] as const),
] as const;

const zReportOf = async (id: string) => {
  const { figures, ...till } = done('getTillReport', await world.get(`/staff/tills/${id}/report`, owner));
  if (figures === null) throw new Error('the till is open');
  return { ...till, figures };
};

describe('the report', () => {
  test('of days has the sums of their sales, by business date, method and channel', async () => {
    const report = await days();
    expect(report.days.map(({ date }) => date)).toEqual(
      [...new Set(sales.map((sale) => sale.business_date))].sort(),
    );
    for (const day of report.days) {
      const own = sales.filter((sale) => sale.business_date === day.date);
      expect(day.sales_count).toBe(own.length);
      for (const figure of FIGURES) expect(day[figure]).toBe(sumOf(own, (sale) => sale[figure]));
      expect(sumOf(day.methods, ({ amount }) => amount)).toBe(day.total);
      expect(day.refunded).toBe(sumOf(own, ({ refunded }) => refunded));
      expect(sumOf(day.methods, ({ refunds }) => refunds)).toBe(day.refunded);
      const refunds = own.flatMap((sale) => sale.refunds);
      expect(day.refunds_count).toBe(refunds.length);
      expect(day.refunded_tax).toBe(sumOf(refunds, ({ tax_amount: tax }) => tax));
      expect(sumOf(day.channels, ({ total }) => total)).toBe(day.total);
      expect(day.methods.find(({ method }) => method === 'cash')?.tips).toBe(
        sumOf(
          own.flatMap(({ payments }) => payments),
          ({ tip }) => tip,
        ),
      );
    }
    expect(report.total.total).toBe(sumOf(sales, ({ total }) => total));
    // Live sales have no recorded difference.
    for (const figure of FIGURES.filter((one: string) => one !== 'recorded_difference'))
      expect(report.total[figure]).toBeGreaterThan(0);
    for (const ticket of sales.filter(({ source }) => source === 'ticket'))
      expect(ticket.discount_amount).toBe(933);
    expect(report.total.covers).toBe(2 * 4);
    expect(sumOf(report.deals, ({ discount }) => discount)).toBe(report.total.deal_discount);
    expect(report.voids).toEqual([{ reason: 'quality', units: 4, total: 4 * 3_333 }]);
  });

  test('of items, hours and tills adds up to that of the days', async () => {
    const { total } = await days();
    const items = done('reportItems', await world.get(address('items'), owner));
    expect(sumOf(items, ({ subtotal }) => subtotal)).toBe(total.subtotal);
    expect(total.refunded).toBeGreaterThan(0);
    expect(sumOf(items, ({ refunded }) => refunded)).toBe(total.refunded);
    expect(sumOf(items, ({ refunded_units: units }) => units)).toBe(2 * 4);
    expect(sumOf(items, ({ deal_discount: off }) => off)).toBe(total.deal_discount);
    expect(sumOf(items, (item) => item.staff_drink_discount)).toBe(total.staff_drink_discount);
    for (const item of items)
      expect(item.subtotal - item.deal_discount - item.reward_discount - item.staff_drink_discount).toBe(
        item.total,
      );
    expect(items.map(({ name, quantity }) => [name, quantity])).toEqual([
      ['قهوة تركي', 10 * 4],
      ['=cmd|"x"', 4],
    ]);
    const hours = done('reportHours', await world.get(address('hours'), owner));
    // Cairo is two hours ahead of UTC in winter.
    expect(hours.map(({ hour }) => hour)).toEqual([1, 3, 17, 20]);
    expect(sumOf(hours, (hour) => hour.total)).toBe(total.total);
    expect(sumOf(hours, ({ refunded }) => refunded)).toBe(total.refunded);
    const tills = done('reportTills', await world.get(address('tills'), owner));
    for (const figure of [...FIGURES, 'refunded', 'refunded_tax', 'refunds_count'] as const)
      expect(sumOf(tills, (till) => till[figure])).toBe(total[figure]);
    expect(tills.map(({ z_number: number }) => number)).toEqual([1, 2, 3, 4, null]);
    for (const { till_id: id, total: sold, sales_count: count } of tills) {
      const own = sales.filter((sale) => sale.till_id === id);
      expect([sold, count]).toEqual([sumOf(own, (sale) => sale.total), own.length]);
    }
  });

  test('of a till is its Z report, and with the sales of no till that of the day', async () => {
    const { days: ofDays, voids } = await days();
    const rows = done('reportTills', await world.get(address('tills'), owner));
    const tills = await Promise.all(rows.flatMap(({ till_id: id }) => (id === null ? [] : [zReportOf(id)])));
    for (const { id, figures } of tills) {
      const row = rows.find((till) => till.till_id === id);
      for (const figure of TILL_FIGURES) expect(figures[figure]).toBe(row?.[figure]);
      expect(sumOf(figures.taxes, ({ total }) => total)).toBe(figures.total);
      expect(sumOf(figures.taxes, (tax) => tax.tax_amount)).toBe(figures.tax_amount);
      expect(sumOf(figures.methods, (method) => method.sales)).toBe(figures.total + figures.part_payments);
    }
    expect(sumOf(tills, ({ figures }) => figures.voids.total)).toBe(sumOf(voids, ({ total }) => total));
    for (const day of ofDays) {
      const own = tills.filter((till) => till.business_date === day.date).map(({ figures }) => figures);
      const others = sales.filter((sale) => sale.till_id === null && sale.business_date === day.date);
      for (const figure of FIGURES)
        expect(sumOf(own, (till) => till[figure]) + sumOf(others, (sale) => sale[figure])).toBe(day[figure]);
      const methods = own.flatMap((till) => till.methods);
      const paid = others.flatMap(({ payments }) => payments);
      for (const { method, amount, tips, refunds } of day.methods) {
        const taken = methods.filter((one) => one.method === method);
        const beside = paid.filter((one) => one.method === method);
        expect({
          amount: sumOf(taken, (one) => one.sales) + sumOf(beside, (one) => one.amount),
          tips: sumOf(taken, (one) => one.tips) + sumOf(beside, ({ tip }) => tip),
          refunds: sumOf(taken, (one) => one.refunds),
        }).toEqual({ amount, tips, refunds });
      }
    }
  });

  test('is a table too, in which no name is a formula', async () => {
    const { text, headers } = await world.get(address('items.csv'), owner);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    const [head = '', first, second] = text.split('\r\n');
    expect(head).toBe(
      '\ufeffmenu_item_id,name,size_label,quantity,reward_units,subtotal,deal_discount,reward_discount,staff_drink_discount,total,refunded_units,refunded',
    );
    expect(first).toContain(',قهوة تركي,,40,4,');
    expect(second).toContain(`,"'=cmd|""x""",,4,0,`);
    const table = (await world.get(address('day.csv'), owner)).text.split('\r\n');
    expect(table).toHaveLength(1 + (await days()).days.length + 1);
    for (const [report, read] of [
      ['hours.csv', 'hours'],
      ['tills.csv', 'tills'],
    ] as const) {
      const [columns = ''] = (await world.get(address(report), owner)).text.slice(1).split('\r\n');
      const [first = {}] = (await world.get(address(read), owner)).body as object[];
      expect(columns.split(',').toSorted()).toEqual(Object.keys(first).toSorted());
    }
  });

  test('of other days is empty, and of days that are none, too many or of another branch refused', async () => {
    expect(await days('from=2026-12-01&to=2026-12-31')).toMatchObject({
      days: [],
      deals: [],
      voids: [],
      total: { total: 0 },
    });
    for (const span of ['from=2026-11-22&to=2026-11-21', 'from=2026-01-01&to=2027-11-22'])
      expect(refusalOf(await world.get(address('day', span), owner))).toMatchObject({
        status: 400,
        fields: [{ path: 'to' }],
      });
    expect(refusalOf(await world.get(address('day', 'from=2026-02-30&to=2026-03-01'), owner)).status).toBe(
      400,
    );
    const other = `/staff/reports/day?branch_id=${branchId('zamalek', 'kashk')}&${SPAN}`;
    expect((await world.get(other, owner)).status).toBe(404);
    const teller = await signInAs(world, 'teller');
    expect(refusalOf(await world.get(address('day'), teller))).toMatchObject({
      status: 403,
      code: 'NOT_PERMITTED',
    });
  });
});

test('what came for a closed till is beside its figures, and with them adds up to the days', async () => {
  world.now = Date.parse('2026-12-02T12:00:00Z');
  owner = await signInAs(world, 'owner');
  const device = await pairedTill(world);
  const till = newId();
  const events = tillEventsOn(world, { deviceId: device.id });
  await events.open(till);
  const { id: sold } = await bookedCoffee(world, till, { recordedDifference: 250, total: 4_750 });
  await events.close(till);
  world.now = Date.parse('2026-12-03T12:00:00Z');
  owner = await signInAs(world, 'owner');
  const paid = { ...{ tip: 0, tendered: null, change: null, tillId: till }, isLate: true };
  await bookedCoffee(world, till, {
    ...{ isLate: true, recordedDifference: -500, total: 4_000 },
    payments: [
      { ...paid, method: 'cash', amount: 4_000 },
      { ...paid, method: 'card', amount: 4_000, beyond: 4_000 },
    ],
  });
  await refundedCoffee(world, sold, till, { isLate: true });
  const span = 'from=2026-12-02&to=2026-12-03';
  const tills = done('reportTills', await world.get(address('tills', span), owner));
  const { figures } = done('getTillReport', await world.get(`/staff/tills/${till}/report`, { ...owner }));
  expect(tills.map((row) => [row.till_id, row.z_number, row.late])).toEqual([
    [till, 1, false],
    [till, 1, true],
  ]);
  const report = await days(span);
  for (const figure of [...FIGURES, 'beyond', 'refunded', 'refunded_tax', 'refunds_count'] as const) {
    expect(tills[0]?.[figure]).toBe(figures?.[figure]);
    expect(sumOf(tills, (row) => row[figure])).toBe(report.total[figure]);
    expect(sumOf(report.days, (day) => day[figure])).toBe(report.total[figure]);
  }
  expect(report.total).toMatchObject({ total: 8_750, recorded_difference: -250, beyond: 4_000 });
  expect(report.days.map(({ date, total }) => [date, total])).toEqual([
    ['2026-12-02', 4_750],
    ['2026-12-03', 4_000],
  ]);
  for (const day of report.days)
    expect(sumOf(day.methods, ({ amount }) => amount)).toBe(day.total + day.beyond);
  const table = (await world.get(address('tills.csv', span), owner)).text;
  expect(table).toContain(',1,true,1,');
});
