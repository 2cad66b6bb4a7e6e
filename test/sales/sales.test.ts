/** Every delivered order is one sale (Decisions 4, 12). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MIGRATIONS } from '../../src/wiring.ts';
import { newId } from '../support/database/ids.ts';
import { asOwner } from '../support/database/test-database.ts';
import { anOrder, placed, type OrderInput } from '../support/people/guests.ts';
import { aMember, aProgramme } from '../support/people/reward-members.ts';
import {
  aStaffedShop,
  change,
  changed,
  setCredentials,
  signInAs,
  type SignedIn,
} from '../support/people/staff.ts';
import { done, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops, thingId } from '../support/shops/cafe.ts';

let world: World;
let owner: SignedIn;
beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  await openShops(world, aStaffedShop(undefined, { loyalty: aProgramme() }), aStaffedShop('kashk'));
  await setCredentials(world);
  owner = await signInAs(world, 'owner');
});
afterAll(() => world.close());

const saleOf = async (id: string) => done('getSale', await world.get(`/staff/sales/${id}`, { ...owner }));
const listed = async (query: string) =>
  done('listSales', await world.get(`/staff/sales?branch_id=${branchId()}${query}`, { ...owner }));
const deliver = (id: string, method = 'cash') =>
  changed(world, owner, id, 'finalize', { payment_method: method, from: 'received' });
const delivered = async (order: Partial<OrderInput> = {}) => {
  world.now += 1_000;
  return deliver((await placed(world, anOrder(order))).id);
};

describe('a delivered order', () => {
  test('is one sale at its amounts, under its id, without the guest', async () => {
    const order = await delivered({
      items: [{ menu_item_id: thingId('item', 'turkish'), quantity: 3, notes: 'سادة' }],
    });
    const sale = await saleOf(order.id);
    expect(sale).toMatchObject({
      ...{ id: order.id, source: 'online', channel: 'pickup' },
      ...{ total: order.total, tax_amount: order.tax_amount, discount_amount: order.discount_amount },
      payments: [{ method: 'cash', amount: order.total, tip: 0 }],
    });
    expect(sale.subtotal - sale.deal_discount - sale.reward_discount).toBe(order.subtotal);
    const text = JSON.stringify(sale);
    for (const canary of ['سادة', order.customer_name, order.customer_phone])
      expect(text).not.toContain(canary);
    expect(sale.sale_ref).toMatch(/^ZML-\d{6}-\d{4}$/);
  });

  test('says what its rewards would have cost', async () => {
    const member = await aMember(world, 10);
    const order = await delivered({
      ...{ customer_phone: member.typed, member_token: member.memberToken, device_token: member.deviceToken },
      items: [{ menu_item_id: thingId('item', 'turkish'), quantity: 2 }],
      rewards: [{ reward_id: thingId('reward', 'coffee'), line_index: 0, units: 1 }],
    });
    const sale = await saleOf(order.id);
    expect(sale.reward_discount).toBeGreaterThan(0);
    expect(sale.subtotal - sale.reward_discount).toBe(order.subtotal);
  });

  test('is one sale however often and by whom it is delivered at once', async () => {
    world.now += 1_000;
    const { id } = await placed(world, anOrder());
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        change(world, owner, id, 'finalize', { payment_method: 'card', from: 'received' }),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await listed('')).filter((sale) => sale.id === id)).toHaveLength(1);
  });

  test('that is cancelled, or under way, is no sale', async () => {
    const { id } = await placed(world, anOrder());
    expect((await world.get(`/staff/sales/${id}`, { ...owner })).status).toBe(404);
    await changed(world, owner, id, 'cancel', { reason: 'too_busy', from: 'received' });
    expect((await world.get(`/staff/sales/${id}`, { ...owner })).status).toBe(404);
  });
});

describe('the sales of a day', () => {
  test('are numbered by the branch and its business date, and listed page by page', async () => {
    const first = await delivered();
    const [second, third] = [await delivered(), await delivered()];
    const [newest, before] = await listed('&limit=2');
    expect([newest?.id, before?.id]).toEqual([third.id, second.id]);
    expect((await listed(`&limit=1&after=${second.id}`)).map(({ id }) => id)).toEqual([first.id]);
    const number = async (id: string) => Number((await saleOf(id)).sale_ref.slice(-4));
    expect([await number(second.id), await number(third.id)]).toEqual([
      (await number(first.id)) + 1,
      (await number(first.id)) + 2,
    ]);
  });

  test('are those of the business date, which ends in the morning', async () => {
    world.now = Date.parse('2027-01-10T00:30:00Z');
    owner = await signInAs(world, 'owner');
    const { id: atNight } = await delivered();
    world.now = Date.parse('2027-01-10T04:00:00Z');
    const { id: inTheMorning } = await delivered();
    expect((await saleOf(atNight)).business_date).toBe('2027-01-09');
    expect((await listed('&date=2027-01-09')).map(({ id }) => id)).toEqual([atNight]);
    expect((await listed('&date=2027-01-10')).map(({ id }) => id)).toEqual([inTheMorning]);
    expect((await listed('')).map(({ id }) => id)).toEqual([inTheMorning]);
  });

  test('of another shop or branch are not there', async () => {
    const { id } = await delivered();
    const ramy = await signInAs(world, 'ramy');
    expect((await world.get(`/staff/sales/${id}`, { ...ramy })).status).toBe(404);
    expect((await world.get(`/staff/sales?branch_id=${branchId()}`, { ...ramy })).status).toBe(404);
    expect((await world.get(`/staff/sales/${newId()}`, { ...owner })).status).toBe(404);
    const after = await world.get(`/staff/sales?branch_id=${branchId()}&after=${newId()}`, { ...owner });
    expect(refusalOf(after)).toMatchObject({ status: 400, fields: [{ path: 'after' }] });
  });
});

test('the upgrade books the orders that were delivered before as the program does', async () => {
  await delivered({ items: [{ menu_item_id: thingId('item', 'turkish'), quantity: 2, notes: 'سادة' }] });
  const stored = async () => {
    const { rows } = await sql`
      select to_jsonb(s) - 'staff_id' as sale, (select json_agg(p order by position) from sale_payment p where p.org_id = s.org_id and p.sale_id = s.id) as payments
      from sale s order by s.at, s.id
    `.execute(world.db.kysely);
    const { rows: numbers } = await sql`select * from sale_number order by branch_code, date`.execute(
      world.db.kysely,
    );
    return { rows, numbers };
  };
  const before = await stored();
  const after = (file: string, words: string): string =>
    readFileSync(join(MIGRATIONS, file), 'utf8').split(words)[1] ?? '';
  const backfill =
    after('0021_tills_and_sales.sql', '-- The orders that were delivered before.') +
    after('0022_payments.sql', '-- The cards of the orders that were delivered before.');
  await asOwner(world.database, `truncate sale, sale_payment, sale_number cascade; ${backfill}`);
  expect(await stored()).toEqual(before);
  expect(before.rows.length).toBeGreaterThan(0);
});
