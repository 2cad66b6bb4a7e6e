import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBranch, aShopFile, branchId, openShops } from '../support/cafe.ts';
import { refusalOf } from '../support/mcp.ts';
import { makeWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const ASKED = { branch_id: branchId(), date: '2026-12-04', party_size: 4 };

test('a branch that takes no bookings names those of the shop that do, with the ids that the next call needs', async () => {
  const names = ['المعادي', 'الدقي', 'المقطم'];
  const others = names.map((name, index) =>
    aBranch({
      key: `other-${index}`,
      code: `O${index}`,
      name: { ar: name },
      booking: { enabled: index !== 1 },
    }),
  );
  await openShops(world, aShopFile({ branches: [aBranch(), ...others] }));
  expect(await refusalOf(world, 'get_booking_slots', ASKED)).toContain(
    `Branches of the shop that take them, with their ids: المعادي ${branchId('other-0')}, المقطم ${branchId('other-2')}. `,
  );
  const many = Array.from({ length: 23 }, (_, index) =>
    aBranch({
      key: `many-${index}`,
      code: `M${index}`,
      name: { ar: `فرع ${100 + index}` },
      booking: { enabled: true },
    }),
  );
  await openShops(world, aShopFile({ branches: [aBranch(), ...many] }));
  expect(await refusalOf(world, 'get_booking_slots', ASKED)).toMatch(/فرع 119 [0-9a-f-]{36} and 3 more\./);
});
