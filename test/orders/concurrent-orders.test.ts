/** Concurrent orders, codes and steps of several shops over two processes do not deadlock. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aMenu, branchId, openShops, thingId } from '../support/shops/cafe.ts';
import { aGuest, anOrder, type Order, place } from '../support/people/guests.ts';
import { post } from '../support/server/requests.ts';
import { aStaffedShop, change, setCredentials, signInAs } from '../support/people/staff.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const SHOPS = ['beit-el-bunn', 'kashk', 'layaly'] as const;
const WIDE = 100_000;

let worlds: readonly [World, World];
beforeAll(async () => {
  const first = await makeWorld({ limitScale: WIDE });
  worlds = [first, await makeWorld({ limitScale: WIDE, database: first.database })];
  const { categories = [], items = [] } = aMenu();
  const counted = ['zamalek', 'maadi'].map((branch) => ({ branch, stock: 100_000 }));
  const menu = { categories, items: items.map((item) => ({ ...item, availability: counted })) };
  await openShops(first, ...SHOPS.map((slug) => aStaffedShop(slug, { menu })));
  for (const slug of SHOPS) await setCredentials(first, slug);
});
afterAll(async () => {
  await worlds[1].close();
  await worlds[0].close();
});

test('concurrent orders, changes and codes of three shops succeed without a deadlock', async () => {
  const owners = await Promise.all(SHOPS.map((slug) => signInAs(worlds[0], 'owner', slug)));
  const guests = Array.from({ length: 6 }, aGuest);
  const refused: string[] = [];
  await Promise.all(
    Array.from({ length: 16 }, async (_, client) => {
      const world = worlds[client % 2] ?? worlds[0];
      for (let turn = 0; turn < 15; turn += 1) {
        const shop = (client + turn) % SHOPS.length;
        const slug = SHOPS[shop] ?? SHOPS[0];
        const { typed } = guests[(client * 5 + turn) % guests.length] ?? aGuest();
        const reply = await place(
          world,
          anOrder({
            branch_id: branchId(turn % 2 ? 'zamalek' : 'maadi', slug),
            customer_phone: typed,
            items: [{ menu_item_id: thingId('item', 'turkish', slug), quantity: 1 }],
          }),
          { 'idempotency-key': `${client % 12}-${turn}` },
        );
        if (reply.status !== 201) {
          if (reply.status !== 200 && reply.status !== 422) refused.push(reply.text);
          continue;
        }
        const { id } = reply.body as Order;
        const owner = owners[shop] ?? { authorization: '' };
        const ended = await (turn % 3 === 0
          ? change(world, owner, id, 'cancel', { reason: 'too_busy', from: 'received' })
          : change(world, owner, id, 'finalize', { payment_method: 'cash', from: 'received' }));
        if (ended.status !== 200) refused.push(ended.text);
        const code = await post(world, '/public/otp/request', { phone: aGuest().typed });
        if (code.status !== 200) refused.push(code.text);
      }
    }),
  );
  expect(refused).toEqual([]);
  const { rows } = await sql<{ deadlocks: number }>`
    select pg_stat_force_next_flush(), deadlocks from pg_stat_database where datname = current_database()
  `.execute(worlds[0].db.kysely);
  expect(rows[0]?.deadlocks).toBe(0);
});
