/** Sales over the counter and online orders in the kitchen (Decisions 12, Kitchen). */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sweepingProcess } from '../support/background/sweeper.ts';
import { aGuest, anOrder, MONA, placed } from '../support/people/guests.ts';
import { kitchenBy, type KitchenTicket } from '../support/people/kitchen.ts';
import { changed, setCredentials, signInAs, type SignedIn } from '../support/people/staff.ts';
import { aCounterSale, anOpenTill } from '../support/people/tills.ts';
import { done, post } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops, thingId } from '../support/shops/cafe.ts';
import { aKitchenShop } from '../support/shops/kitchen-shop.ts';

const HOUR = 60 * 60_000;

let world: World;
let owner: SignedIn;
let kitchen: ReturnType<typeof kitchenBy>;
beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  await openShops(world, aKitchenShop());
  await setCredentials(world);
  owner = await signInAs(world, 'owner');
  kitchen = kitchenBy(world, await signInAs(world, 'kitchen'));
});
afterAll(() => world.close());
beforeEach(() => openShops(world, aKitchenShop()));

const item = (key: string, quantity: number, more: object = {}) => ({
  ...{ menu_item_id: thingId('item', key), quantity, ...more },
});
/** A coffee and a burger: a ticket of each station. */
const anOrderOfTwo = async (): Promise<string> => {
  const items = [item('turkish', 1), item('burger', 2, { notes: 'بدون بصل' })];
  return (await placed(world, anOrder({ items }))).id;
};
const statusOf = async (id: string): Promise<string> =>
  done('getOrder', await world.get(`/staff/orders/${id}`, owner)).status;
const firedTo = (tickets: readonly KitchenTicket[]): string[] =>
  tickets.map(({ station }) => station.name).toSorted();
const move = (id: string, from: string, to: string) => changed(world, owner, id, 'move', { to, from });

describe('a sale over the counter', () => {
  test('is fired in one step with its notes and the name to call out', async () => {
    await anOpenTill(world, 'owner');
    const body = {
      ...aCounterSale(),
      ...{ items: [item('turkish', 1, { notes: 'سكر زيادة' })], customer_name: 'منى' },
      payments: [{ method: 'cash', amount: 4_500 }],
    };
    const sale = done('sellOverCounter', await post(world, '/staff/sales', body, owner));
    expect(await kitchen.of(sale.id)).toMatchObject([
      {
        ...{ source: 'sale', reference: sale.sale_ref, name: 'منى', round: 1 },
        items: [{ name: 'قهوة تركي', notes: 'سكر زيادة', tables: [] }],
      },
    ]);
  });
});

describe('an online order', () => {
  test('is fired when it is confirmed, with what its guest was promised, and once', async () => {
    const id = await anOrderOfTwo();
    expect(await kitchen.of(id)).toEqual([]);
    const order = await move(id, 'received', 'confirmed');
    const fired = await kitchen.of(id);
    expect(firedTo(fired)).toEqual(['البار', 'الشواية']);
    const promised = Date.parse(order.created_at) + order.estimated_prep_minutes * 60_000;
    expect(fired[0]).toMatchObject({
      ...{ source: 'order', reference: order.delivery_ref, name: null },
      promised_at: new Date(promised).toISOString(),
    });
    await move(id, 'confirmed', 'preparing');
    await move(id, 'preparing', 'confirmed');
    expect((await kitchen.of(id)).map((ticket) => ticket.id)).toEqual(fired.map((ticket) => ticket.id));
    await changed(world, owner, id, 'prep-time', { extra_prep_minutes: 15, from: 'confirmed' });
    expect((await kitchen.of(id))[0]?.promised_at).toBe(new Date(promised + 15 * 60_000).toISOString());
  });

  test('that is cancelled shows as void', async () => {
    const id = await anOrderOfTwo();
    await move(id, 'received', 'preparing');
    await changed(world, owner, id, 'cancel', { reason: 'guest_asked', from: 'preparing' });
    const voided = (await kitchen.of(id)).flatMap(({ items }) =>
      items.map((one) => [one.quantity, one.voided]),
    );
    expect(voided).toEqual(
      expect.arrayContaining([
        [1, 1],
        [2, 2],
      ]),
    );
  });

  test('that was rejected before it was confirmed never reaches the kitchen', async () => {
    const id = await anOrderOfTwo();
    await changed(world, owner, id, 'cancel', { reason: 'guest_asked', from: 'received' });
    expect(await kitchen.of(id)).toEqual([]);
  });

  test('that staff say is ready leaves the board; after a mis-tap it is on it again', async () => {
    const id = await anOrderOfTwo();
    await move(id, 'received', 'confirmed');
    await move(id, 'confirmed', 'ready');
    expect(await kitchen.of(id)).toEqual([]);
    await move(id, 'ready', 'preparing');
    expect(firedTo(await kitchen.of(id))).toEqual(['البار', 'الشواية']);
  });

  test('moves to ready with the last item that is bumped, and stays there after a recall', async () => {
    const id = await anOrderOfTwo();
    await move(id, 'received', 'confirmed');
    const [first, second] = await kitchen.of(id);
    await kitchen.bump(first?.id ?? '');
    expect(await statusOf(id)).toBe('confirmed');
    world.now += 60_000;
    await kitchen.bump(second?.id ?? '');
    const order = done('getOrder', await world.get(`/staff/orders/${id}`, owner));
    expect(order).toMatchObject({ status: 'ready', ready_at: new Date(world.now).toISOString() });
    await kitchen.recall(second?.id ?? '');
    expect(await statusOf(id)).toBe('ready');
    expect(await kitchen.of(id)).toHaveLength(1);
  });

  test('is moved once, however many screens bump both of its tickets at once', async () => {
    const id = await anOrderOfTwo();
    const { revision } = await move(id, 'received', 'confirmed');
    const fired = await kitchen.of(id);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => kitchen.ask(fired[n % 2]?.id ?? '', 'bump', {})),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const order = done('getOrder', await world.get(`/staff/orders/${id}`, owner));
    expect(order).toMatchObject({ status: 'ready', revision: revision + 1 });
  });

  test('and its cancelling at the same moment as the last bump: one of them comes first', async () => {
    for (let n = 0; n < 5; n++) {
      const id = await anOrderOfTwo();
      await move(id, 'received', 'confirmed');
      const fired = await kitchen.of(id);
      const cancel = { reason: 'guest_asked', from: 'confirmed' };
      const replies = await Promise.all([
        ...fired.map((ticket) => kitchen.ask(ticket.id, 'bump', {})),
        post(world, `/staff/orders/${id}/cancel`, cancel, owner),
      ]);
      const cancelled = replies.at(-1)?.status === 200;
      expect(replies.map(({ status }) => status)).toEqual([200, 200, cancelled ? 200 : 409]);
      expect(await statusOf(id)).toBe(cancelled ? 'cancelled' : 'ready');
    }
  });

  test('stays where it is at a branch with `kitchen_moves_orders: false`', async () => {
    await openShops(world, aKitchenShop({ kitchen_moves_orders: false }));
    const id = await anOrderOfTwo();
    await move(id, 'received', 'confirmed');
    for (const ticket of await kitchen.of(id)) await kitchen.bump(ticket.id);
    expect(await statusOf(id)).toBe('confirmed');
  });
});

describe('the promises of a kitchen', () => {
  test('are compared with what it took, and the estimate of a branch that learns follows', async () => {
    await openShops(world, aKitchenShop({ learns_prep_minutes: true, base_prep_minutes: 10 }));
    const today = new Date(world.now).toISOString().slice(0, 10);
    for (let n = 0; n < 20; n++) {
      const id = (
        await placed(world, anOrder({ items: [item('turkish', 1)], customer_phone: aGuest().typed }))
      ).id;
      await move(id, 'received', 'confirmed');
      world.now += 23 * 60_000;
      owner = await signInAs(world, 'owner');
      kitchen = kitchenBy(world, owner);
      for (const ticket of await kitchen.of(id)) await kitchen.bump(ticket.id);
    }
    const span = `branch_id=${branchId()}&from=${today}&to=${new Date(world.now).toISOString().slice(0, 10)}`;
    const report = done('reportKitchen', await world.get(`/staff/reports/kitchen?${span}`, owner));
    const learnable = report.reduce((sum, hour) => sum + hour.orders_count, 0);
    expect(learnable).toBeGreaterThanOrEqual(20);
    expect(report.reduce((sum, hour) => sum + hour.late_count, 0)).toBeGreaterThanOrEqual(20);
    expect(report.at(-1)).toMatchObject({ promised_minutes: 10, actual_minutes: 23 });
    const process = sweepingProcess(world);
    await process.sweeper.sweep();
    expect(process.logged).toEqual([]);
    await process.close();
    await world.hearOfChanges();
    const next = await placed(
      world,
      anOrder({ items: [item('turkish', 1)], customer_phone: aGuest().typed }),
    );
    expect(next.estimated_prep_minutes).toBe(25);
    await openShops(world, aKitchenShop({ base_prep_minutes: 10 }));
    const plain = await placed(
      world,
      anOrder({ items: [item('turkish', 1)], customer_phone: aGuest().typed }),
    );
    expect(plain.estimated_prep_minutes).toBe(10);
  });
});

describe('the words of a guest', () => {
  const stored = async (sourceId: string): Promise<string> => {
    const { rows } = await sql`
      select f.*, (select json_agg(l) from kitchen_ticket k join kitchen_line l on l.org_id = k.org_id and l.ticket_id = k.id
                   where k.org_id = f.org_id and k.firing_id = f.id) as lines
      from kitchen_firing f where f.source_id = ${sourceId}
    `.execute(world.db.kysely);
    return JSON.stringify(rows);
  };

  test('leave the kitchen when the person is erased', async () => {
    const id = await anOrderOfTwo();
    await move(id, 'received', 'confirmed');
    await changed(world, owner, id, 'finalize', { payment_method: 'card', from: 'confirmed' });
    expect(await stored(id)).toContain('بدون بصل');
    await post(world, '/staff/people/erase', { phone: MONA.typed }, owner);
    expect(await stored(id)).not.toContain('بدون بصل');
  });

  test('are forgotten a day after they were fired, and what nobody bumped leaves the board', async () => {
    const id = await anOrderOfTwo();
    await move(id, 'received', 'confirmed');
    const process = sweepingProcess(world);
    const signInAgain = async (): Promise<void> => {
      owner = await signInAs(world, 'owner');
      kitchen = kitchenBy(world, owner);
    };
    world.now += 23 * HOUR;
    await process.sweeper.sweep();
    await signInAgain();
    expect([(await kitchen.of(id)).length, (await stored(id)).includes('بدون بصل')]).toEqual([2, true]);
    world.now += 2 * HOUR;
    await process.sweeper.sweep();
    expect(process.logged).toEqual([]);
    await process.close();
    await signInAgain();
    expect([(await kitchen.of(id)).length, (await stored(id)).includes('بدون بصل')]).toEqual([0, false]);
  });
});
