/** What devices learn of sales and tills from the change log (Decisions 12, 13). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { anOrder, placed } from '../support/people/guests.ts';
import { aMember, aProgramme } from '../support/people/reward-members.ts';
import { aStaffedShop, changed, setCredentials, signInAs, type SignedIn } from '../support/people/staff.ts';
import { coffees, ticketsBy, type Ticket } from '../support/people/tickets.ts';
import { aCounterSale, anOpenTill } from '../support/people/tills.ts';
import { done, post } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops, shopId } from '../support/shops/cafe.ts';

let world: World;
let teller: SignedIn;
let owner: SignedIn;
/** The tills of the teller and of the owner. */
let tills: readonly [string, string];

beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  await openShops(world, aStaffedShop(undefined, { loyalty: aProgramme() }));
  await setCredentials(world);
  [teller, owner] = [await signInAs(world, 'teller'), await signInAs(world, 'owner')];
});
afterAll(() => world.close());
beforeEach(async () => {
  tills = [await anOpenTill(world, 'teller'), await anOpenTill(world, 'owner')];
});

const logged = async () => {
  const rows = await world.db.kysely
    .selectFrom('change')
    .select(['seq', 'scope', 'type', 'id'])
    .where('org_id', '=', shopId())
    .orderBy('seq')
    .execute();
  return rows;
};

/** The changes of sales and tills that the work leads to. */
const changesOf = async <T>(work: () => Promise<T>) => {
  const before = (await logged()).length;
  const result = await work();
  const after = (await logged()).slice(before);
  const sales = after.filter(({ type }) => type === 'sale').map(({ id }) => id);
  const tillIds = after.filter(({ type }) => type === 'till').map(({ id }) => id);
  // Menus and prices of the branch do not depend on them.
  for (const { scope, type, id } of after)
    if (type === 'sale' || type === 'till') expect(scope).toBe(`${type}:${id}`);
  return { result, sales, tillIds };
};

const payPart = async (ticket: Ticket, who: SignedIn, amount: number): Promise<Ticket> => {
  const body = { revision: ticket.revision, method: 'cash', amount };
  return done('payTicketPart', await post(world, `/staff/tickets/${ticket.id}/payments`, body, who));
};
const settle = (ticket: Ticket, amount: number) => {
  const body = { revision: ticket.revision, payments: [{ method: 'cash', amount }] };
  return post(world, `/staff/tickets/${ticket.id}/settle`, body, teller);
};
const sell = async () =>
  done('sellOverCounter', await post(world, '/staff/sales', aCounterSale(), teller)).id;

test('a counter sale is a change of the sale, and of the till of who made it', async () => {
  const { result, sales, tillIds } = await changesOf(sell);
  expect([sales, tillIds]).toEqual([[result], [tills[0]]]);
});

test('a delivered order is a change of its sale, and of the till of who delivered it', async () => {
  const { id } = await placed(world, anOrder());
  const body = { payment_method: 'cash', from: 'received' };
  const { sales, tillIds } = await changesOf(() => changed(world, owner, id, 'finalize', body));
  expect([sales, tillIds]).toEqual([[id], [tills[1]]]);
});

test('a ticket that is paid in parts is a change of each till, and one of its sale when it is settled', async () => {
  const ticket = await ticketsBy(world, teller).open({ items: coffees(2) });
  const half = ticket.due / 2;
  const part = await changesOf(() => payPart(ticket, owner, half));
  expect([part.sales, part.tillIds]).toEqual([[], [tills[1]]]);
  const settled = await changesOf(() => settle(part.result, half));
  expect(settled.sales).toEqual([ticket.id]);
  expect(settled.tillIds.toSorted()).toEqual([...tills].toSorted());
});

test('a part-payment that is undone is a change of the till that took it', async () => {
  const ticket = await ticketsBy(world, teller).open();
  const paid = await payPart(ticket, owner, 1_000);
  const payment = paid.payments[0]?.id ?? '';
  const { sales, tillIds } = await changesOf(() =>
    post(world, `/staff/tickets/${ticket.id}/payments/${payment}/undo`, { revision: paid.revision }, owner),
  );
  expect([sales, tillIds]).toEqual([[], [tills[1]]]);
});

test('a refund is a change of the sale, and of the till that the money came out of', async () => {
  const id = await sell();
  const body = { all: true, method: 'cash', reason: 'quality' };
  const { sales, tillIds } = await changesOf(() => post(world, `/staff/sales/${id}/refund`, body, owner));
  expect([sales, tillIds]).toEqual([[id], [tills[1]]]);
});

test('a sale that is given to a card is a change of it', async () => {
  const [id, member] = [await sell(), await aMember(world, 10)];
  const { sales, tillIds } = await changesOf(() =>
    post(world, `/staff/sales/${id}/award`, { member_id: member.cardId }, owner),
  );
  expect([sales, tillIds]).toEqual([[id], []]);
});

test('a sale changes no board of its branch', async () => {
  const before = await logged();
  await sell();
  const scopes = (await logged()).slice(before.length).map(({ scope }) => scope);
  expect(scopes).not.toContain(`branch:${branchId()}`);
});
