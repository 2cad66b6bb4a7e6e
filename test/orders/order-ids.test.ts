/** The id of an order carries its shop; those of before are in the locator. */
import { sql, type KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeInId, ID_BYTES, idOfShop } from '../../src/kernel/shop-code.ts';
import { trackOrder } from '../../src/orders/app/tracking.ts';
import type { App } from '../../src/platform/app/app.ts';
import { ShopCodes } from '../../src/shops/app/shop-codes.ts';
import { newId } from '../support/database/ids.ts';
import { insertOrder } from '../support/database/orders-and-bookings.ts';
import { openShops, shopId } from '../support/shops/cafe.ts';
import { anOrder, placed } from '../support/people/guests.ts';
import { aQuotingBranch, aQuotingShop } from '../support/shops/quoting-shop.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const OTHER = 'kashk';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  const branches = [aQuotingBranch({ otp_required: false })];
  await openShops(world, aQuotingShop({ branches }), aQuotingShop({ slug: OTHER, branches }));
});
afterAll(() => world.close());

const codeOf = (slug?: string) => world.app.shopCodes.codeOf(world.db.kysely, shopId(slug));
const random = () => world.app.random.bytes(ID_BYTES);

const track = (id: string) => world.get(`/public/delivery-orders/${id}/track`);

test('the id of a new order leads to its shop without a row in the locator', async () => {
  const { id } = await placed(world, anOrder());
  expect(codeInId(id)).toBe(await codeOf());
  const { rows } = await sql`select from locator where id = ${id}`.execute(world.db.kysely);
  expect(rows).toEqual([]);
  expect((await track(id.toUpperCase())).status).toBe(200);
});

test('an order with an id of an older build is found by the locator', async () => {
  const id = await insertOrder(world);
  expect(codeInId(id)).toBeNull();
  expect((await track(id)).status).toBe(200);
});

test('the id of an order with the code of another shop leads to no order', async () => {
  const { id } = await placed(world, anOrder());
  const other = await codeOf(OTHER);
  const moved = `${other.slice(0, 8)}-${other.slice(8)}${id.slice(11)}`;
  expect(codeInId(moved)).toBe(other);
  expect((await track(moved)).status).toBe(404);
});

/** As a process that has just started. */
const counting = (): { readonly app: App; readonly takeCount: () => number } => {
  let count = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      count += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const db: App['db'] = {
    ...world.app.db,
    snapshot: (work) => world.app.db.snapshot((tx) => work(tx.withPlugin(plugin))),
  };
  return {
    app: { ...world.app, db, shopCodes: new ShopCodes(world.app.changePublisher) },
    takeCount: () => {
      const taken = count;
      count = 0;
      return taken;
    },
  };
};

test('an unknown order id costs one statement, whatever its form', async () => {
  const { app, takeCount } = counting();
  const track = (id: string) => trackOrder(app)({ path: { id } });
  const { id } = await placed(world, anOrder());
  await track(id);
  expect(takeCount()).toBe(3);
  await track(id);
  expect(takeCount()).toBe(2);
  for (const unknown of [newId(), idOfShop(await codeOf(), random()), idOfShop('0123456789', random())]) {
    await expect(track(unknown)).rejects.toThrow('Not found.');
    expect([unknown, takeCount()]).toEqual([unknown, 1]);
  }
});
