/** What an import of the shop file changes reaches the devices of its branches (Decisions 13, 16). */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { aStaffedShop, pairedTill, setPasswordAndSignIn } from '../support/people/staff.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { anyShopFile } from '../support/shops/any-shop-file.ts';
import { branchId, openShops, shopId } from '../support/shops/cafe.ts';
import { Replica } from '../support/sync/replica.ts';

const SHOP = 'often-imported';
/** Of every file of `anyShopFile`. */
const BRANCH = 'branch-0';

let world: World;
beforeAll(async () => {
  world = await makeWorld({ limitScale: 100_000 });
});
afterAll(() => world.close());

/** The owner who pairs the device stays. */
const withOwner = ({ staff = [], ...file }: ShopFile): ShopFile => {
  const owners = (aStaffedShop(SHOP).staff ?? []).filter(({ role }) => role === 'owner');
  const others = staff.filter(({ role }) => role !== 'owner');
  return { ...file, id: shopId(SHOP), slug: SHOP, former_slugs: [], staff: [...owners, ...others] };
};

test('after any import a device that follows the changes has what a new device gets', async () => {
  let replica: Replica | null = null;
  await fc.assert(
    fc.asyncProperty(anyShopFile(), async (file) => {
      await openShops(world, withOwner(file));
      if (replica === null) {
        await setPasswordAndSignIn(world, 'owner', SHOP);
        const { device } = await pairedTill(world, BRANCH, SHOP);
        replica = new Replica(world, { branchId: branchId(BRANCH, SHOP), device, limit: 40 });
        await replica.begin();
      }
      await replica.catchUp();
      const fresh = replica.another();
      await fresh.begin();
      expect(replica.rows).toEqual(fresh.rows);
    }),
    { numRuns: 40, endOnFailure: true },
  );
});
