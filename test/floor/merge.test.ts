/** Tickets that are merged on the floor, and changes that are sent twice under one key (Decisions 4, Ticket; 12, Tickets). */
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../support/database/ids.ts';
import { aStaffedShop, setCredentials, signInAs, type SignedIn } from '../support/people/staff.ts';
import { aFreeTable, orderedAt } from '../support/people/table-guests.ts';
import { coffees, ticketsBy, type Ticket } from '../support/people/tickets.ts';
import { anOpenTill } from '../support/people/tills.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
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

/** What one person sends twice: to which ticket, to do what, and what differs from it. */
interface Sent {
  readonly ticket: Ticket;
  /** Below the ticket. */
  readonly path: string;
  /** Besides the revision; null: the request has no body. */
  readonly body: object | null;
  readonly other: { readonly path?: string; readonly body: object | null };
}

const lineOf = ({ items }: Ticket): string => items[0]?.id ?? '';

const ofRounds =
  (decision: 'accept' | 'reject') =>
  async (owner: SignedIn): Promise<Sent> => {
    const table = await aFreeTable(world);
    const { id } = await orderedAt(world, table);
    await orderedAt(world, table);
    return {
      ...{ ticket: await ticketsBy(world, owner).get(id), path: `rounds/1/${decision}`, body: null },
      other: { path: `rounds/2/${decision}`, body: null },
    };
  };

const SENT: Readonly<Record<string, (owner: SignedIn) => Promise<Sent>>> = {
  'a split': async () => {
    const ticket = await floor.open({ items: coffees(3) });
    const units = (n: number) => ({ body: { items: [{ item_id: lineOf(ticket), units: n }] } });
    return { ticket, path: 'split', ...units(1), other: units(2) };
  },
  'a split into equal parts': async () => ({
    ...{ ticket: await floor.open(), path: 'split', body: { parts: 3 }, other: { body: { parts: 2 } } },
  }),
  'a merge': async () => {
    const [ticket, one, two] = [await floor.open(), await floor.open(), await floor.open()];
    return { ticket, path: 'merge', body: { ticket_id: one.id }, other: { body: { ticket_id: two.id } } };
  },
  'a void': async () => ({
    ...{ ticket: await floor.open(), path: 'void', body: { reason: 'mistake' } },
    other: { body: { reason: 'quality' } },
  }),
  'a void of units of a line': async () => {
    const ticket = await floor.open({ items: coffees(3) });
    const units = (n: number) => ({ body: { units: n, reason: 'mistake' } });
    return { ticket, path: `items/${lineOf(ticket)}/void`, ...units(1), other: units(2) };
  },
  'a part-payment that goes back': async (owner) => {
    await anOpenTill(world, 'owner');
    const { id, revision } = await floor.open();
    const paying = { revision, method: 'cash', amount: 1_000 };
    const paid = await post(world, `/staff/tickets/${id}/payments`, paying, owner);
    const ticket = done('payTicketPart', paid);
    const path = `payments/${ticket.payments[0]?.id}/undo`;
    return { ticket, path, body: {}, other: { body: { revision: 1 } } };
  },
  'an accepted round of guests': ofRounds('accept'),
  'a rejected round of guests': ofRounds('reject'),
};

test.each(Object.entries(SENT))(
  '%s under one key is done once, and another body refused',
  async (_, make) => {
    const owner = await signInAs(world, 'owner');
    const { ticket, path, body, other } = await make(owner);
    const headers = { ...owner, 'idempotency-key': newId() };
    const { id, revision } = ticket;
    const send = (to: string, sent: object | null) => {
      const address = `/staff/tickets/${id}/${to}`;
      if (sent === null) return world.send('POST', address, headers);
      return post(world, address, { revision, ...sent }, headers);
    };
    const [first, again] = [await send(path, body), await send(path, body)];
    expect([first.status, again.status]).toEqual([path === 'split' ? 201 : 200, 200]);
    expect(again.body).toEqual(first.body);
    const differs = refusalOf(await send(other.path ?? path, other.body));
    expect(differs).toMatchObject({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' });
    expect((await floor.get(id)).revision).toBe(revision + 1);
  },
);
