/** The code of a shop, in the database and in a process. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { giveShopCode, ShopCodes } from '../../src/shops/app/shop-codes.ts';
import { newId } from '../support/database/ids.ts';
import { aShopFile, openShops, shopId } from '../support/shops/cafe.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;
/** That has read nothing yet. */
const aProcess = (): ShopCodes => new ShopCodes(world.app.changePublisher);
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

test('an imported shop has a code, and keeps it when it is imported again', async () => {
  await openShops(world, aShopFile());
  const code = await aProcess().codeOf(world.db.kysely, shopId());
  expect(code).toMatch(/^[0-9a-f]{10}$/);
  await openShops(world, aShopFile({ name: { ar: 'بيت البن', en: 'House of Beans' } }));
  expect(await aProcess().codeOf(world.db.kysely, shopId())).toBe(code);
  expect(await aProcess().shopOf(world.db.kysely, code)).toBe(shopId());
});

test('a code that another shop has is drawn again', async () => {
  const { kysely } = world.db;
  const draws = [1, 1, 2].map((byte) => new Uint8Array(5).fill(byte));
  const random = { bytes: () => draws.shift() ?? new Uint8Array(5) };
  const [one, other] = [newId(), newId()];
  for (const orgId of [one, other]) await giveShopCode(kysely, random, orgId);
  expect(await aProcess().codeOf(kysely, one)).toBe('0101010101');
  expect(await aProcess().codeOf(kysely, other)).toBe('0202020202');
});

test('transactions that give one shop a code at once agree on one', async () => {
  const orgId = newId();
  await Promise.all(
    Array.from({ length: 8 }, () => world.db.tx((tx) => giveShopCode(tx, world.app.random, orgId))),
  );
  const code = await aProcess().codeOf(world.db.kysely, orgId);
  expect(await aProcess().shopOf(world.db.kysely, code)).toBe(orgId);
});

test('an unknown code leads to no shop, and a shop without a code is a fault', async () => {
  expect(await world.app.shopCodes.shopOf(world.db.kysely, 'ffffffffff')).toBeNull();
  await expect(world.app.shopCodes.codeOf(world.db.kysely, newId())).rejects.toThrow('has no code');
});
