/** Devices of many shops are told of what has left them, shop by shop. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sweepingProcess, sweepTogether } from '../support/background/sweeper.ts';
import { anOrder, placed } from '../support/people/guests.ts';
import { aStaffedShop } from '../support/people/staff.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops, shopId, thingId } from '../support/shops/cafe.ts';

const DAYS_OF_A_GUEST = 91;
const DAY = 24 * 60 * 60_000;
const SHOPS = ['fanous', 'kashk', 'zaytoun'];

let world: World;
beforeAll(async () => {
  world = await makeWorld({ limitScale: 100_000 });
  await openShops(world, ...SHOPS.map((slug) => aStaffedShop(slug)));
});
afterAll(() => world.close());

beforeEach(async () => {
  await sweepTogether(world);
  for (const slug of SHOPS)
    await placed(
      world,
      anOrder({
        branch_id: branchId('zamalek', slug),
        items: [{ menu_item_id: thingId('item', 'turkish', slug), quantity: 1 }],
      }),
    );
  world.now += DAYS_OF_A_GUEST * DAY;
});

interface Told {
  readonly shop: string;
  readonly transaction: string;
}

/** Departures of guests that the logs tell of at the present moment. */
const told = async (): Promise<readonly Told[]> => {
  const { rows } = await sql<Told>`
    select org_id as shop, transaction_id::text as transaction from change
    where type = 'customer' and at = ${new Date(world.now)}
  `.execute(world.db.kysely);
  return rows;
};
const all = SHOPS.map((slug) => shopId(slug)).sort();

test('the log of each shop is written in a transaction of its own', async () => {
  await sweepTogether(world);
  const departures = await told();
  expect([...new Set(departures.map(({ shop }) => shop))].sort()).toEqual(all);
  const shopOfTransaction = new Map(departures.map(({ shop, transaction }) => [transaction, shop]));
  expect(departures.filter(({ shop, transaction }) => shopOfTransaction.get(transaction) !== shop)).toEqual(
    [],
  );
});

test('a sweep that is stopped between two shops is made up for by the next one', async () => {
  const first = sweepingProcess(world);
  let stopped = Promise.resolve();
  first.app.changePublisher.subscribe({
    changed: () => {
      stopped = first.sweeper.stop();
    },
  });
  await first.sweeper.sweep();
  await stopped;
  await first.close();
  expect(await told()).toHaveLength(1);
  await sweepTogether(world);
  expect([...new Set((await told()).map(({ shop }) => shop))].sort()).toEqual(all);
});
