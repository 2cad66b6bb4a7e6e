/** `ahwa shop remove`: a shop that has moved away is removed whole, and nothing of other shops is touched. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeShop, type ShopMark } from '../../src/platform/store/backup.ts';
import { closeShop, openShop } from '../../src/shopfile/app/move-shop.ts';
import { shopChange } from '../../src/shopfile/app/plan.ts';
import { backupOf, refusalMessage, restored, rowsOf } from '../support/database/backups.ts';
import { rowsOfShop, shopsOf, shopTables } from '../support/database/shop-rows.ts';
import type { World } from '../support/server/world.ts';
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

const remove = () =>
  removeShop({
    ...{ connection: world.database.owner, shop: moved, change: shopChange(moved.orgId) },
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
