/** Statements of frequent requests on one server, and on a database that says that it is spread over nodes. */
import { expect, test } from 'vitest';
import { connect } from '../../src/platform/store/db.ts';
import { isSpread } from '../../src/platform/store/nodes/spread.ts';
import { sentForHotRequests } from '../citus/hot.ts';
import { planned, statementsIn } from '../citus/planned.ts';
import { SAYS_SPREAD } from '../support/database/says-spread.ts';
import { asOwner, freshDatabase } from '../support/database/test-database.ts';
import { makeWorld } from '../support/server/world.ts';

test('on one server, what belongs to no shop costs no statement of its own', async () => {
  const world = await makeWorld({ limitScale: 1_000 });
  const sent = await sentForHotRequests(world);
  await world.close();
  const counts = Object.entries(sent).map(([request, all]) => [request, all.length]);
  // An order: five, four each of the budgets of the client address and of the shop.
  expect(Object.fromEntries(counts)).toMatchObject({
    ...{ order: 13, 'repeated order': 2, 'refused order': 2, quote: 1, menu: 6, 'repeated tracking': 0 },
  });
});

test('a database with Citus is one server until its tables are distributed', async () => {
  const database = await freshDatabase();
  await asOwner(database, SAYS_SPREAD);
  const isSpreadNow = async (): Promise<boolean> => {
    const db = connect(database.connection);
    const is = await isSpread(db.kysely);
    await db.close();
    return is;
  };
  expect(await isSpreadNow()).toBe(true);
  await asOwner(database, 'delete from pg_dist_partition');
  expect(await isSpreadNow()).toBe(false);
  await database.release();
});

const OF_NO_SHOP = /\b(?:guest_phone|device_token|locator|shop_slug)\b/;
const OF_A_SHOP = /\b(?:idempotency_key|order_number|customer|shop s|delivery_order|change_counter)\b/;

test('frequent requests to a spread database are those that Citus has planned', async () => {
  const database = await freshDatabase();
  await asOwner(database, SAYS_SPREAD);
  const world = await makeWorld({ limitScale: 1_000, database });
  const statements = statementsIn(await sentForHotRequests(world));
  await world.close();
  await database.release();
  const texts = [...statements.values()].map(({ text }) => text);
  expect(texts.some((text) => OF_NO_SHOP.test(text))).toBe(true);
  expect(texts.filter((text) => OF_NO_SHOP.test(text) && OF_A_SHOP.test(text))).toEqual([]);
  const known = new Set([...planned().planned, ...planned().unplanned]);
  const changed = [...statements].filter(([hash]) => !known.has(hash));
  const how = 'CITUS_URL=… npm run test:citus records them; without Citus, add the hash to `unplanned`';
  expect(
    changed.map(([hash, { request, text }]) => `${hash}, ${request}: ${text}`),
    how,
  ).toEqual([]);
});
