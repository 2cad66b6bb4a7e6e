/** `ahwa shop remove`: a shop that has moved away is removed whole, and nothing of other shops is touched. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeShop, type ShopMark } from '../../src/platform/store/backup.ts';
import { codeInId } from '../../src/kernel/shop-code.ts';
import { closeShop, openShop } from '../../src/shopfile/app/move-shop.ts';
import { shopChange } from '../../src/shopfile/app/plan.ts';
import { ShopCodes } from '../../src/shops/app/shop-codes.ts';
import { backupOf, refusalMessage, restored, rowsOf, run } from '../support/database/backups.ts';
import { rowsOfShop, shopsOf, shopTables } from '../support/database/shop-rows.ts';
import { anOrder, placed } from '../support/people/guests.ts';
import type { World } from '../support/server/world.ts';
import { aBranch, aShopFile, branchId, openShops, shopId, thingId } from '../support/shops/cafe.ts';
import { makeDemo } from '../support/shops/demo.ts';

let world: World;
let moved: ShopMark;
let others: readonly ShopMark[];
beforeAll(async () => {
  ({ world } = await makeDemo());
  const [first, ...rest] = await shopsOf(world.database);
  if (first === undefined) throw new Error('The demo has no shops.');
  [moved, others] = [first, rest];
});
afterAll(() => world.close());

const remove = (shop = moved) =>
  removeShop({
    ...{ connection: world.database.owner, shop, change: shopChange(shop.orgId) },
    now: world.now,
  });

const rowsOfOthers = (): Promise<unknown> =>
  Promise.all(others.map((shop) => rowsOfShop(world.database, shop)));

const statusOfPage = async (): Promise<number> => (await world.get(`/${moved.slug}`)).status;

test('an open shop is not removed', async () => {
  const before = await rowsOfShop(world.database, moved);
  expect(await refusalMessage(remove())).toMatch(/ is open; nothing was changed\. /);
  expect(await rowsOfShop(world.database, moved)).toEqual(before);
});

test('a shop that is closed leaves no row, is forgotten by servers, and comes back from its backup', async () => {
  const ofOthers = await rowsOfOthers();
  expect(await statusOfPage()).toBe(200);
  await closeShop(world.app, moved);
  await world.hearOfChanges();
  const before = await rowsOfShop(world.database, moved);
  const backup = await backupOf(world.database.owner, undefined, undefined, moved);
  const { rows } = await remove();
  expect(rows).toBeGreaterThan(Object.values(before).flat().length);
  for (const table of await shopTables(world.database)) {
    const left = await rowsOf(world.database, `select 1 from "${table}" where org_id = '${moved.orgId}'`);
    expect(left, table).toHaveLength(table === 'change' ? 1 : 0);
  }
  expect(await rowsOfOthers()).toEqual(ofOthers);
  await world.hearOfChanges();
  expect(await statusOfPage()).toBe(404);

  await restored(world.database.owner, backup);
  expect(await rowsOfShop(world.database, moved)).toEqual(before);
  await openShop(world.app, moved);
  await world.hearOfChanges();
  expect(await statusOfPage()).toBe(200);
});

test('a shop that is removed and imported anew takes changes, with ids by its new code', async () => {
  const slug = 'rehearsal';
  const shop = { orgId: shopId(slug), slug };
  const file = aShopFile({ slug, branches: [aBranch({ otp_required: false })] });
  const order = anOrder({
    branch_id: branchId('zamalek', slug),
    items: [{ menu_item_id: thingId('item', 'turkish', slug), quantity: 1 }],
  });
  await openShops(world, file);
  await placed(world, order);
  const { app, db } = world;
  const before = await app.shopCodes.codeOf(db.kysely, shop.orgId);
  await closeShop(app, shop);
  await remove(shop);
  // Of a process that was changing it.
  await run(world.database, `insert into change_counter (org_id, seq) values ('${shop.orgId}', 1)`);
  await world.hearOfChanges();
  await openShops(world, file);
  const { id } = await placed(world, order);
  await placed(world, order);
  const code = codeInId(id) ?? before;
  expect(code).not.toBe(before);
  expect(await new ShopCodes(app.changePublisher).shopOf(db.kysely, code)).toBe(shop.orgId);
  expect((await world.get(`/public/delivery-orders/${id}/track`)).status).toBe(200);
});

test('what a process writes of a shop while it is removed is removed by its id', async () => {
  await closeShop(world.app, moved);
  await remove();
  await run(world.database, `insert into change_counter (org_id, seq) values ('${moved.orgId}', 1)`);
  expect(await remove()).toMatchObject({ rows: 2 });
  expect(await rowsOf(world.database, `select from change_counter where org_id = '${moved.orgId}'`)).toEqual(
    [],
  );
});

/** Of which a shop has few, or few rows refer to them, so that a look at all rows of the shop costs little. */
const FEW: readonly string[] = [
  ...['addon', 'branch', 'category', 'discount', 'menu_item', 'modifier_group'],
  ...['dining_table', 'kitchen_station', 'staff', 'staff_device', 'till'],
  // Of a table that is occupied now.
  'ticket_check',
];

test('rows that refer to one of many are found by an index, so that a removal takes time by its rows', async () => {
  const unindexed = (await rowsOf(
    world.database,
    `select distinct f.confrelid::regclass::text as parent
     from pg_constraint f
     where f.contype = 'f' and f.connamespace = 'public'::regnamespace and f.confrelid <> 'shop'::regclass
       and not exists (
         select from pg_index i
         where i.indrelid = f.conrelid and i.indpred is null
           and (i.indkey::int2[])[0:cardinality(f.conkey) - 1] @> f.conkey)
     order by 1`,
  )) as { parent: string }[];
  expect(unindexed.map(({ parent }) => parent)).toEqual(FEW.toSorted());
});
