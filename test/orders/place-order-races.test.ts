/** POST /public/delivery-orders: changes that others commit between decision and write. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { at } from '../../src/platform/store/db.ts';
import { branchId, openShops, shopId } from '../support/shops/cafe.ts';
import { aGuest, anOrder, place, placed, proveOn } from '../support/people/guests.ts';
import { waitingForLocks } from '../support/database/test-database.ts';
import { aQuotingBranch, aQuotingShop, item } from '../support/shops/quoting-shop.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;

const shop = (slug: string, more = {}) =>
  aQuotingShop({
    slug,
    branches: [aQuotingBranch({ otp_required: false, channels: { pickup: {} } })],
    ...more,
  });

beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, shop('bunn'), shop('kashk'));
});
afterAll(() => world.close());

/** Runs `order` while another transaction holds `written` uncommitted. */
const whileUncommitted = async <T>(written: ReturnType<typeof sql>, order: () => Promise<T>): Promise<T> => {
  const { answer } = await world.db.tx(async (tx) => {
    await written.execute(tx);
    const answer = order();
    await waitingForLocks(world.db, 1);
    return { answer };
  });
  return answer;
};

const insertUnprovenCustomer = (phone: string, slug: string) => sql`
  insert into customer (org_id, id, phone, name, language, created_at, updated_at)
  values (${shopId(slug)}, ${world.app.random.uuid()}, ${phone}, 'غريب', 'ar', ${at(world.now)}, ${at(world.now)})`;

test('the first proven order sets the customer’s name, also when another transaction adds the customer', async () => {
  const guest = aGuest();
  const order = anOrder({
    branch_id: branchId('zamalek', 'bunn'),
    customer_phone: guest.typed,
    customer_name: 'سلمى',
    items: [{ menu_item_id: item('turkish', 'bunn'), quantity: 1 }],
    device_token: await proveOn(world, guest),
  });
  await whileUncommitted(insertUnprovenCustomer(guest.phone, 'bunn'), () => placed(world, order));
  const { rows } = await sql`select name, phone_proven_at is not null as proven from customer
                             where phone = ${guest.phone}`.execute(world.db.kysely);
  expect(rows).toEqual([{ name: 'سلمى', proven: true }]);
});

test('a duplicate that waited for the first is 404 when the shop was switched off meanwhile', async () => {
  const order = anOrder({
    branch_id: branchId('zamalek', 'kashk'),
    items: [{ menu_item_id: item('turkish', 'kashk'), quantity: 1 }],
  });
  await placed(world, order);
  const first = sql`
    with off as (update shop set is_active = false where org_id = ${shopId('kashk')})
    insert into idempotency_key (org_id, operation, key, body_hash, subject_id, created_at)
    values (${shopId('kashk')}, 'order', 'tapped twice', '\\x00', ${world.app.random.uuid()}, ${at(world.now)})`;
  const answer = await whileUncommitted(first, () =>
    place(world, order, { 'idempotency-key': 'tapped twice' }),
  );
  expect(answer).toMatchObject({ status: 404, body: { error: expect.any(String) as string } });
  expect(answer.body).not.toHaveProperty('code');
});
