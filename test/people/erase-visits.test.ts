/** POST /staff/people/erase, of what was said at counters and tables (Decisions 12). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aCard } from '../support/people/guests.ts';
import {
  mentions,
  openPersonalDataFixture,
  type PersonalDataFixture,
  type ProvenGuest,
} from '../support/people/personal-data.ts';
import { aFreeTable, orderedAt } from '../support/people/table-guests.ts';
import { coffees, ticketsBy } from '../support/people/tickets.ts';
import { aCounterSale } from '../support/people/tills.ts';
import { done, post } from '../support/server/requests.ts';
import { branchId } from '../support/shops/cafe.ts';

let fixture: PersonalDataFixture;
beforeAll(async () => {
  fixture = await openPersonalDataFixture();
});
afterAll(() => fixture.close());

const cardOf = async (guest: ProvenGuest): Promise<string> => {
  await aCard(fixture.world, guest, 'ليلى');
  return (await fixture.exportOf(guest)).cards[0]?.id ?? '';
};

test('removes what the person said at counters and tables, by the card', async () => {
  const { world, owner } = fixture;
  const guest = await fixture.newGuest();
  await aCard(world, guest, 'ليلى');
  const card = await world.db.kysely
    .selectFrom('loyalty_card as l')
    .innerJoin('customer as c', (on) =>
      on.onRef('c.org_id', '=', 'l.org_id').onRef('c.id', '=', 'l.customer_id'),
    )
    .select('l.id')
    .where('c.phone', '=', guest.phone)
    .executeTakeFirst();
  const member = { member_id: card?.id ?? '' };
  const words = { customer_name: 'شهرزاد', items: coffees(1).map((one) => ({ ...one, notes: 'لشهرزاد' })) };
  const cart = { branch_id: branchId(), ...words };
  const payments = [{ method: 'card', amount: 4_500 }];
  done('sellOverCounter', await post(world, '/staff/sales', { ...cart, ...member, payments }, owner));
  const floor = ticketsBy(world, owner);
  const ticket = await floor.change(await floor.open(words), member);
  await floor.void(ticket);
  const code = { table_id: await aFreeTable(world), customer_phone: guest.typed };
  const ordered = done('orderAtTable', await post(world, '/public/table-orders', { ...code, ...words }));
  await floor.void(await floor.get(ordered.id));
  expect(await mentions(world, 'شهرزاد')).not.toEqual([]);
  await fixture.erase(guest);
  expect(await mentions(world, 'شهرزاد')).toEqual([]);
  expect(await mentions(world, guest.phone)).not.toContain('ticket');
});

test('keeps the card and the words of an open ticket until an erasure after its end', async () => {
  const { world, owner } = fixture;
  const guest = await fixture.newGuest();
  const member = { member_id: await cardOf(guest) };
  const floor = ticketsBy(world, owner);
  const ticket = await floor.change(await floor.open({ notes: 'بدون دنيازاد' }), member);
  expect(await fixture.erase(guest)).toMatchObject({ open_tickets: 1 });
  expect((await floor.get(ticket.id)).notes).toBe('بدون دنيازاد');
  await floor.void(await floor.get(ticket.id));
  expect(await fixture.erase(guest)).toMatchObject({ erased: true, open_tickets: 0 });
  expect(await mentions(world, 'دنيازاد')).toEqual([]);
});

test('removes what was said of lines that were split off or merged into another ticket', async () => {
  const { world, owner } = fixture;
  const guest = await fixture.newGuest();
  const floor = ticketsBy(world, owner);
  const order = {
    customer_phone: guest.typed,
    items: coffees(2).map((one) => ({ ...one, notes: 'لسندباد' })),
  };
  const [code, other] = [await aFreeTable(world), await floor.open()];
  const ordered = await floor.get((await orderedAt(world, code, order)).id);
  const part = await floor.split(ordered, [{ item_id: ordered.items[0]?.id ?? '', units: 1 }]);
  const merged = await floor.merge(other, ordered.id);
  for (const { id } of [part, merged]) await floor.void(await floor.get(id));
  expect(await mentions(world, 'سندباد')).not.toEqual([]);
  expect(await fixture.erase(guest)).toMatchObject({ erased: true });
  expect(await mentions(world, 'سندباد')).toEqual([]);
});

test('leaves what is paid for and not made on the kitchen’s board', async () => {
  const { world, owner } = fixture;
  const guest = await fixture.newGuest();
  const body = { ...aCounterSale(), member_id: await cardOf(guest), customer_name: 'علاء الدين' };
  const { id } = done('sellOverCounter', await post(world, '/staff/sales', body, owner));
  await fixture.erase(guest);
  const { tickets } = done(
    'getKitchen',
    await world.get(`/staff/kitchen?branch_id=${branchId()}&source_id=${id}`, owner),
  );
  expect(tickets).toMatchObject([{ name: null, items: [{ quantity: 1 }] }]);
  expect(await mentions(world, 'علاء الدين')).toEqual([]);
});

test('of a person with whom a sale is made at the same moment leaves no name', async () => {
  const { world, owner } = fixture;
  for (let n = 0; n < 6; n += 1) {
    const guest = await fixture.newGuest();
    const body = { ...aCounterSale(), member_id: await cardOf(guest), customer_name: 'مرجانة' };
    const [sold] = await Promise.all([post(world, '/staff/sales', body, owner), fixture.erase(guest)]);
    expect([201, 400]).toContain(sold.status);
    expect(await mentions(world, 'مرجانة')).toEqual([]);
  }
});
