/** Tickets that are merged on the floor (Decisions 4, Ticket; 12, Tickets). */
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../support/database/ids.ts';
import { aStaffedShop, setCredentials, signInAs, type SignedIn } from '../support/people/staff.ts';
import { ticketsBy, type Ticket } from '../support/people/tickets.ts';
import { refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { openShops, tableId, thingId } from '../support/shops/cafe.ts';

let world: World;
let waiter: SignedIn;
let floor: ReturnType<typeof ticketsBy>;
let teller: ReturnType<typeof ticketsBy>;

const MENU: ShopFile['menu'] = {
  categories: [
    { key: 'coffee', name: { ar: 'قهوة', en: 'Coffee' } },
    { key: 'food', name: { ar: 'أكل', en: 'Food' } },
  ],
  items: [
    { key: 'turkish', name: { ar: 'قهوة تركي', en: 'Turkish coffee' }, category: 'coffee', price: 4_500 },
    {
      ...{ key: 'cake', name: { ar: 'كيك', en: 'Cake' }, category: 'food', price: 3_333 },
      availability: [{ branch: 'zamalek', stock: 5 }],
    },
  ],
  combos: [
    {
      ...{ key: 'breakfast', name: { ar: 'فطار', en: 'Breakfast' }, category: 'food', price: 7_000 },
      slots: [{ key: 'cup', name: { ar: 'كوب', en: 'Cup' }, min: 1, max: 1, choices: [{ item: 'turkish' }] }],
    },
  ],
  discounts: [
    { key: 'friends', name: { ar: 'أصحاب', en: 'Friends' }, percent: 12.5, on: [{ channel: 'till' }] },
    { key: 'other', name: { ar: 'آخر', en: 'Other' }, percent: 50, on: [{ channel: 'pickup' }] },
  ],
};

beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  await openShops(world, aStaffedShop(undefined, { menu: MENU }), aStaffedShop('kashk'));
  await setCredentials(world);
  waiter = await signInAs(world, 'waiter');
  floor = ticketsBy(world, waiter);
  teller = ticketsBy(world, await signInAs(world, 'teller'));
});
afterAll(() => world.close());

const cakes = (quantity: number) => [{ menu_item_id: thingId('item', 'cake'), quantity }];
describe('tickets that are merged', () => {
  test('are one, with all rounds and guests, and the other table is free', async () => {
    const [first, second] = [
      await floor.open({ table_id: tableId('t1'), guest_count: 2 }),
      await floor.open({ table_id: tableId('t2'), guest_count: 1_000, items: cakes(1) }),
    ];
    const merged = await floor.merge(first, second.id);
    expect(merged).toMatchObject({ subtotal: 12_333, guest_count: 1_000, table_id: tableId('t1') });
    expect(merged.items.map(({ round_number: round }) => round)).toEqual([1, 2]);
    const again = await floor.open({ table_id: tableId('t2') });
    await teller.void(again);
    await teller.void(merged);
  });

  test('in both directions at once are merged once', async () => {
    const [first, second] = [await floor.open(), await floor.open({ items: cakes(1) })];
    const replies = await Promise.all([
      floor.ask(first.id, 'mergeTickets', { revision: 1, ticket_id: second.id }),
      floor.ask(second.id, 'mergeTickets', { revision: 1, ticket_id: first.id }),
    ]);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const after = [await floor.get(first.id), await floor.get(second.id)];
    expect(after.map(({ subtotal }) => subtotal).sort((a, b) => a - b)).toEqual([0, 12_333]);
    for (const ticket of after) if (ticket.status === 'open') await teller.void(ticket);
  });

  test('take a discount that only one of them has to the lines of the other from a manager alone', async () => {
    const manager = ticketsBy(world, await signInAs(world, 'manager'));
    const friends = { discount_id: thingId('discount', 'friends') };
    const [ticket, dear] = [await floor.open(), await floor.open({ items: cakes(1) })];
    const cheap = await manager.change(ticket, friends);
    const asks = ({ id, revision }: Ticket, other: Ticket) =>
      floor.ask(id, 'mergeTickets', { revision, ticket_id: other.id });
    for (const reply of [await asks(cheap, dear), await asks(dear, cheap)])
      expect(refusalOf(reply)).toMatchObject({ status: 403, vars: { permission: 'tickets.discount' } });
    const { bill } = await manager.merge(dear, cheap.id);
    expect(bill).toMatchObject({ subtotal: 12_333, discount_amount: 1_542 });
  });

  test('do not make a bill that int32 cannot hold', async () => {
    const dear = { key: 'cake', name: { ar: 'كيك', en: 'Cake' }, price: 100_000_000 };
    await openShops(world, aStaffedShop(undefined, { menu: { items: [dear] } }));
    const [ticket, other] = [await floor.open({ items: cakes(12) }), await floor.open({ items: cakes(12) })];
    const merging = { revision: ticket.revision, ticket_id: other.id };
    expect(refusalOf(await floor.ask(ticket.id, 'mergeTickets', merging))).toMatchObject({
      status: 400,
      error: 'ticket_id would make a total of more than 2147483647 piastres with service and tax.',
    });
    for (const one of [ticket, other]) await teller.void(one);
    await openShops(world, aStaffedShop(undefined, { menu: MENU }));
  });

  test('are of one branch, two, and open', async () => {
    const ticket = await floor.open();
    const merge = (other: string) => floor.ask(ticket.id, 'mergeTickets', { revision: 1, ticket_id: other });
    for (const other of [ticket.id, newId()])
      expect(refusalOf(await merge(other))).toMatchObject({ status: 400, fields: [{ path: 'ticket_id' }] });
    const ended = await teller.void(await floor.open());
    expect(refusalOf(await merge(ended.id)).code).toBe('TICKET_ENDED');
  });
});
