/** POST /staff/people/erase, of what was said at counters and tables (Decisions 12). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../support/database/ids.ts';
import { aCard } from '../support/people/guests.ts';
import {
  mentions,
  openPersonalDataFixture,
  type PersonalDataFixture,
  type ProvenGuest,
} from '../support/people/personal-data.ts';
import { aProgramme } from '../support/people/reward-members.ts';
import { aFreeTable, orderedAt } from '../support/people/table-guests.ts';
import { coffees, ticketsBy } from '../support/people/tickets.ts';
import { aCounterSale } from '../support/people/tills.ts';
import type { Reply } from '../support/server/http-client.ts';
import { done, post } from '../support/server/requests.ts';
import { branchId } from '../support/shops/cafe.ts';

let fixture: PersonalDataFixture;
beforeAll(async () => {
  fixture = await openPersonalDataFixture({ loyalty: { ...aProgramme(), rewards: [] } });
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

test('leaves what is paid for and not made on the kitchen’s board, which hears that its name went', async () => {
  const { world, owner } = fixture;
  const guest = await fixture.newGuest();
  const body = { ...aCounterSale(), member_id: await cardOf(guest), customer_name: 'علاء الدين' };
  const { id } = done('sellOverCounter', await post(world, '/staff/sales', body, owner));
  const { seq } = await world.db.kysely
    .selectFrom('change')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .executeTakeFirstOrThrow();
  await fixture.erase(guest);
  const heard = await world.db.kysely.selectFrom('change').select('type').where('seq', '>', seq).execute();
  expect(heard.map(({ type }) => type)).toEqual(expect.arrayContaining(['kitchen_ticket', 'sale']));
  const { tickets } = done(
    'getKitchen',
    await world.get(`/staff/kitchen?branch_id=${branchId()}&source_id=${id}`, owner),
  );
  expect(tickets).toMatchObject([{ name: null, items: [{ quantity: 1 }] }]);
  expect(await mentions(world, 'علاء الدين')).toEqual([]);
});

test('waits for what was split off a ticket of the card and has no card itself', async () => {
  const { world, owner } = fixture;
  const guest = await fixture.newGuest();
  const floor = ticketsBy(world, owner);
  const items = coffees(2).map((one) => ({ ...one, notes: 'لياسمين' }));
  const ticket = await floor.change(await floor.open({ items }), { member_id: await cardOf(guest) });
  const part = await floor.split(ticket, [{ item_id: ticket.items[0]?.id ?? '', units: 1 }]);
  await floor.void(await floor.get(ticket.id));
  expect(await fixture.erase(guest)).toMatchObject({ open_tickets: 1 });
  await floor.void(await floor.get(part.id));
  expect(await fixture.erase(guest)).toMatchObject({ erased: true, open_tickets: 0 });
  expect(await mentions(world, 'ياسمين')).toEqual([]);
});

test('finds the ticket of a card that was named when it was settled, and one of a sale that was awarded', async () => {
  const { world, owner } = fixture;
  const guest = await fixture.newGuest();
  const member_id = await cardOf(guest);
  const floor = ticketsBy(world, owner);
  const settled = async (more: object): Promise<string> => {
    const { id, revision, due } = await floor.open({ notes: 'لشهريار', items: coffees(1) });
    const body = { revision, payments: [{ method: 'card', amount: due }], ...more };
    return done('settleTicket', await post(world, `/staff/tickets/${id}/settle`, body, owner)).id;
  };
  const [named, awarded] = [await settled({ member_id }), await settled({})];
  done('awardSale', await post(world, `/staff/sales/${awarded}/award`, { member_id }, owner));
  const found = (await fixture.exportOf(guest)).tickets.map(({ id }) => id);
  expect(found.toSorted()).toEqual([named, awarded].toSorted());
  await fixture.erase(guest);
  expect(await mentions(world, 'شهريار')).toEqual([]);
});

test('exports the parts of the person’s tickets, and no ticket of another guest with whom they were merged', async () => {
  const { world, owner } = fixture;
  const [guest, other] = [await fixture.newGuest(), await fixture.newGuest()];
  const floor = ticketsBy(world, owner);
  const ticket = await floor.change(await floor.open({ items: coffees(3) }), {
    member_id: await cardOf(guest),
  });
  const part = await floor.split(ticket, [{ item_id: ticket.items[0]?.id ?? '', units: 1 }]);
  const [theirs, nobodys] = [
    await floor.change(await floor.open(), { member_id: await cardOf(other) }),
    await floor.open(),
  ];
  await floor.merge(
    theirs,
    (await floor.split(await floor.get(ticket.id), [{ item_id: ticket.items[0]?.id ?? '', units: 1 }])).id,
  );
  await floor.merge(nobodys, part.id);
  const lines = await floor.get(theirs.id);
  const theirPart = await floor.split(lines, [{ item_id: lines.items[0]?.id ?? '', units: 1 }]);
  const found = (await fixture.exportOf(guest)).tickets.map(({ id }) => id);
  expect(found).toEqual(expect.arrayContaining([ticket.id, part.id, nobodys.id]));
  for (const { id } of [theirs, theirPart]) expect(found).not.toContain(id);
});

test('exports no ticket that is of two guests, by card and by phone, to either of them', async () => {
  const { world, owner } = fixture;
  const [guest, other] = [await fixture.newGuest(), await fixture.newGuest()];
  const floor = ticketsBy(world, owner);
  const member = { member_id: await cardOf(guest) };
  const own = await floor.change(await floor.open(), member);
  const order = { customer_phone: other.typed, customer_name: 'سمسم' };
  const theirs = await orderedAt(world, await aFreeTable(world), order);
  await floor.merge(own, theirs.id);
  const [alone, card] = [
    await orderedAt(world, await aFreeTable(world), order),
    await floor.change(await floor.open(), member),
  ];
  const exported = async (who: ProvenGuest) =>
    (await fixture.exportOf(who)).tickets.map(({ id }) => id).sort();
  expect([await exported(guest), await exported(other)]).toEqual([[card.id], [theirs.id, alone.id].sort()]);
  expect(JSON.stringify(await fixture.exportOf(guest))).not.toContain('سمسم');
});

test('removes what was said of a counter sale that called out no name, and of a ticket that was merged into theirs', async () => {
  const { world, owner } = fixture;
  const guest = await fixture.newGuest();
  const member_id = await cardOf(guest);
  const floor = ticketsBy(world, owner);
  const items = coffees(1).map((one) => ({ ...one, notes: 'لبدر البدور' }));
  done('sellOverCounter', await post(world, '/staff/sales', { ...aCounterSale(), items, member_id }, owner));
  const [own, other] = [await floor.open(), await floor.open({ notes: 'لبدر البدور', items })];
  const merged = await floor.merge(await floor.change(own, { member_id }), other.id);
  await floor.void(merged);
  expect((await fixture.exportOf(guest)).tickets.map(({ id }) => id)).toContain(other.id);
  await fixture.erase(guest);
  expect(await mentions(world, 'بدر البدور')).toEqual([]);
});

test('is waited for by a ticket that gets the card at the same moment, or finds the ticket', async () => {
  const { world, owner } = fixture;
  const floor = ticketsBy(world, owner);
  for (let n = 0; n < 8; n += 1) {
    const guest = await fixture.newGuest();
    const member_id = await cardOf(guest);
    const ticket = await floor.open();
    const [changed, erasure] = await Promise.all([
      floor.asksChange(ticket, { member_id }),
      fixture.erase(guest),
    ]);
    if (changed.status === 200) expect(erasure).toMatchObject({ open_tickets: 1 });
    else expect(changed.status).toBe(400);
  }
});

describe('of a person with whom, at the same moment,', () => {
  type Ask = () => Promise<Reply>;
  const sell = (more: object) =>
    post(fixture.world, '/staff/sales', { ...aCounterSale(), ...more }, fixture.owner);
  /** By what is done with the card: how it is asked for. */
  const WAYS: Readonly<Record<string, (customer_name: string, member_id: string) => Promise<Ask>>> = {
    'a counter sale is made': (customer_name, member_id) =>
      Promise.resolve(() => sell({ customer_name, member_id })),
    'a sale is awarded': async (customer_name, member_id) => {
      const { id } = done('sellOverCounter', await sell({ customer_name }));
      return () => post(fixture.world, `/staff/sales/${id}/award`, { member_id }, fixture.owner);
    },
    'a ticket is settled': async (customer_name, member_id) => {
      const { id, revision, due } = await ticketsBy(fixture.world, fixture.owner).open({ customer_name });
      const body = { revision, payments: [{ method: 'card', amount: due }], member_id };
      return () => post(fixture.world, `/staff/tickets/${id}/settle`, body, fixture.owner);
    },
  };

  test.each(Object.entries(WAYS))('%s, leaves no name of it', async (_, way) => {
    for (let n = 0; n < 6; n += 1) {
      const [guest, name] = [await fixture.newGuest(), newId()];
      const ask = await way(name, await cardOf(guest));
      const asked = ask();
      // The first one comes before.
      if (n === 0) expect((await asked).status).toBeLessThan(300);
      const [{ status }] = await Promise.all([asked, fixture.erase(guest)]);
      expect([200, 201, 400]).toContain(status);
      if (status !== 400) expect(await mentions(fixture.world, name)).toEqual([]);
    }
  });
});
