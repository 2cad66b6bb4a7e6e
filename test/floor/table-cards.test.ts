/** Sheets of QR cards (Decisions 12, Table QR). */
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tableCards } from '../../src/floor/app/table-cards.ts';
import { aStaffedShop } from '../support/people/staff.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { aBranch, aTable, openShops, shopId } from '../support/shops/cafe.ts';

let world: World;
const TABLES = Array.from({ length: 14 }, (_, n) => aTable(`t${n + 1}`, 4));
beforeAll(async () => {
  world = await makeWorld();
  const zamalek = aBranch({ code: 'ZML', name: 'الزمالك & <صالة>', tables: TABLES });
  const branches = [zamalek, aBranch({ key: 'maadi', code: 'MAD' })];
  await openShops(world, aStaffedShop(undefined, { branches, staff: [] }));
});
afterAll(() => world.close());

test('has a card for each table in the order of their labels, twelve on an A4 page, in both languages', async () => {
  const [sheet, ...others] = await tableCards(world.app, shopId(), 'zml');
  expect([others.length, sheet?.branch, sheet?.pages.length]).toEqual([0, 'ZML', 2]);
  const labels = (sheet?.pages ?? []).flatMap((page) =>
    [...page.matchAll(/>(T\d+)</g)].map(([, label]) => label),
  );
  expect(labels).toEqual(TABLES.map(({ label }) => label));
  const [first = ''] = sheet?.pages ?? [];
  expect(first.match(/اطلب من هنا/g)).toHaveLength(12);
  expect(first.match(/Order here/g)).toHaveLength(12);
  expect(first).toContain('الزمالك &amp; &lt;صالة&gt;');
  const { width, height } = await sharp(Buffer.from(first)).metadata();
  expect(height / width).toBeCloseTo(297 / 210, 2);
});

test('has none for a branch without tables', async () => {
  expect((await tableCards(world.app, shopId(), null)).map(({ branch }) => branch)).toEqual(['ZML']);
  expect(await tableCards(world.app, shopId(), 'MAD')).toEqual([]);
});
