/** What tickets refuse: others' tickets, what a body names of others, taken tables, rewards (Decisions 5, 12). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { staffEndpoints, type StaffOperationId } from '../../src/service/contract/endpoints.ts';
import type { Endpoint } from '../../src/platform/contract/endpoint.ts';
import { TICKET_CASES } from '../support/operations/ticket-requests.ts';
import { aMember, aProgramme, balanceOf } from '../support/people/reward-members.ts';
import { aStaffedShop, setCredentials, signInAs, type SignedIn } from '../support/people/staff.ts';
import { aFreeTable } from '../support/people/table-guests.ts';
import { coffees, ticketsBy, type Ticket } from '../support/people/tickets.ts';
import { anOpenTill } from '../support/people/tills.ts';
import { JSON_BODY, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops, SLUG, tableId, thingId } from '../support/shops/cafe.ts';
import { aKitchenShop, meals } from '../support/shops/kitchen-shop.ts';

let world: World;
let owner: SignedIn;
/** At the other branch. */
let ramy: SignedIn;
let floor: ReturnType<typeof ticketsBy>;
let strangers: ReturnType<typeof ticketsBy>;

beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  await openShops(world, { ...aKitchenShop(), loyalty: aProgramme() }, aStaffedShop('kashk'));
  for (const slug of [SLUG, 'kashk']) await setCredentials(world, slug);
  [owner, ramy] = [await signInAs(world, 'owner'), await signInAs(world, 'ramy')];
  floor = ticketsBy(world, owner);
  strangers = ticketsBy(world, await signInAs(world, 'owner', 'kashk'));
});
afterAll(() => world.close());

describe('a ticket of another shop or another branch', () => {
  const POSTS = Object.entries<Endpoint>(staffEndpoints)
    .filter(([, { method, path }]) => method !== 'GET' && path.startsWith('/staff/tickets/{id}'))
    .map(([id]) => id as StaffOperationId & keyof typeof TICKET_CASES);

  test.each(POSTS)('is 404 for %s, and stays as it is', async (operation) => {
    for (const [slug, who, theirs] of [
      ['kashk', owner, strangers],
      [SLUG, ramy, floor],
    ] as const) {
      const { method = 'GET', address, body } = await TICKET_CASES[operation].ask(world, slug);
      const id = address.split('/')[3] ?? '';
      const before = await theirs.get(id);
      const reply = await world.send(method, address, { ...JSON_BODY, ...who }, JSON.stringify(body ?? {}));
      expect(refusalOf(reply)).toMatchObject({ status: 404, error: 'Not found.' });
      expect(await theirs.get(id)).toEqual(before);
    }
  });
});

test('what a change names of another shop or branch is refused by its field', async () => {
  const ticket = await floor.open({ items: coffees(2) });
  const theirs = await strangers.open({
    branch_id: branchId('zamalek', 'kashk'),
    items: coffees(1, 'kashk'),
  });
  const elsewhere = await floor.open({ branch_id: branchId('maadi') });
  const { revision } = ticket;
  const items = [{ item_id: ticket.items[0]?.id, units: 1 }];
  for (const { id } of [theirs, elsewhere])
    expect(refusalOf(await floor.ask(ticket.id, 'mergeTickets', { revision, ticket_id: id }))).toMatchObject({
      ...{ status: 400, fields: [{ path: 'ticket_id' }] },
    });
  const table_id = tableId('t1', 'zamalek', 'kashk');
  const split = await floor.ask(ticket.id, 'splitTicket', { revision, items, table_id });
  expect(refusalOf(split)).toMatchObject({ status: 400, fields: [{ path: 'table_id' }] });
  for (const [path, named] of Object.entries({ table_id, discount_id: thingId('discount', 'x', 'kashk') }))
    expect(refusalOf(await floor.asksChange(ticket, { [path]: named }))).toMatchObject({
      ...{ status: 400, fields: [{ path }] },
    });
  const theirLine = { revision, items: [{ item_id: theirs.items[0]?.id }] };
  expect(refusalOf(await floor.ask(ticket.id, 'splitTicket', theirLine))).toMatchObject({
    ...{ status: 400, fields: [{ path: 'items[0].item_id' }] },
  });
  expect((await floor.asksVoid(ticket, theirs.items[0]?.id ?? '')).status).toBe(404);
  expect(await floor.get(ticket.id)).toEqual(ticket);
  expect(await strangers.get(theirs.id)).toEqual(theirs);
});

test('a ticket is opened at, moved to and split to no table with a bill of others, which is named', async () => {
  const [here, there] = [await aFreeTable(world), await aFreeTable(world)];
  const [ticket, other] = [await floor.open({ table_id: here }), await floor.open({ table_id: there })];
  const items = [{ item_id: ticket.items[0]?.id, units: 1 }];
  const { revision } = ticket;
  for (const reply of [
    await floor.asksOpen({ branch_id: branchId(), items: coffees(1), table_id: there }),
    await floor.asksChange(ticket, { table_id: there }),
    await floor.ask(ticket.id, 'splitTicket', { revision, items, table_id: there }),
  ])
    expect(refusalOf(reply)).toMatchObject({
      ...{ status: 409, code: 'TABLE_TAKEN', vars: { ticket_id: other.id } },
    });
  expect([await floor.get(ticket.id), await floor.get(other.id)]).toEqual([ticket, other]);
});

describe('a reward', () => {
  beforeEach(() => anOpenTill(world, 'owner'));

  const asksSettle = ({ id, revision, due }: Ticket, member_id: string, rewards: object[], paid = due) =>
    post(
      world,
      `/staff/tickets/${id}/settle`,
      { revision, member_id, rewards, payments: paid === 0 ? [] : [{ method: 'cash', amount: paid }] },
      owner,
    );
  const on = ({ items }: Ticket, at: number, units = 1, reward = 'coffee') => ({
    ...{ reward_id: thingId('reward', reward), item_id: items[at]?.id, units },
  });

  test('that costs more than the balance is refused with both, and nothing is spent or paid', async () => {
    const { cardId } = await aMember(world, 19);
    const ticket = await floor.open({ items: coffees(2) });
    expect(refusalOf(await asksSettle(ticket, cardId, [on(ticket, 0, 2)], 0))).toMatchObject({
      ...{ status: 409, code: 'REWARD_UNAVAILABLE', vars: { balance: 19, cost: 20 } },
      faults: [{ path: 'rewards', code: 'REWARD_UNAVAILABLE' }],
    });
    expect([await floor.get(ticket.id), await balanceOf(world, cardId)]).toEqual([ticket, 19]);
  });

  test('that the shop gave up is refused with its id and the figures', async () => {
    const { cardId } = await aMember(world, 50);
    const ticket = await floor.open();
    const gone = thingId('reward', 'gone');
    expect(refusalOf(await asksSettle(ticket, cardId, [on(ticket, 0, 1, 'gone')]))).toMatchObject({
      ...{ status: 409, code: 'REWARD_UNAVAILABLE', vars: { reward_id: gone, balance: 50, cost: 0 } },
    });
  });

  test('pays for no combo: every line with one is named, and the ticket stays as it is', async () => {
    const { cardId } = await aMember(world, 500);
    const ticket = await floor.open({ items: [...coffees(1), meals(1), meals(1)] });
    const asked = [on(ticket, 0), on(ticket, 1, 1, 'any'), on(ticket, 2, 1, 'any')];
    expect(refusalOf(await asksSettle(ticket, cardId, asked))).toMatchObject({
      ...{ status: 409, code: 'REWARD_IN_COMBO' },
      faults: [
        { path: 'rewards[1].item_id', code: 'REWARD_IN_COMBO' },
        { path: 'rewards[2].item_id', code: 'REWARD_IN_COMBO' },
      ],
    });
    expect([await floor.get(ticket.id), await balanceOf(world, cardId)]).toEqual([ticket, 500]);
  });

  test('of one balance that two bills spend at once pays for one, and the other hears of both figures', async () => {
    const { cardId } = await aMember(world, 15);
    const bills = [await floor.open({ items: coffees(1) }), await floor.open({ items: coffees(1) })];
    const replies = await Promise.all(bills.map((bill) => asksSettle(bill, cardId, [on(bill, 0)], 0)));
    const [refused, ...others] = replies.filter(({ status }) => status !== 200);
    expect(others).toEqual([]);
    if (refused === undefined) throw new Error('one is refused');
    expect(refusalOf(refused)).toMatchObject({
      ...{ status: 409, code: 'REWARD_UNAVAILABLE', vars: { balance: 5, cost: 10 } },
    });
    expect(await balanceOf(world, cardId)).toBe(5);
  });
});
