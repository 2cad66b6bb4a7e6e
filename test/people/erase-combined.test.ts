/** Export and erasure of a person whose cards were combined. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aMemberWith, combinedWith, orderNowOf } from '../support/people/identity.ts';
import {
  mentions,
  openPersonalDataFixture,
  type PersonalDataFixture,
} from '../support/people/personal-data.ts';

let fixture: PersonalDataFixture;
beforeAll(async () => {
  fixture = await openPersonalDataFixture();
});
afterAll(() => fixture.close());

test('an export has both cards, with the ledger of each', async () => {
  const { world } = fixture;
  const older = await aMemberWith(world, { points: 8 }, 'شيرين فهمي');
  const newer = await aMemberWith(world, { points: 3 }, 'شيري');
  await combinedWith(world, newer, older);
  const { cards, loyalty_entries, customer } = await fixture.exportOf(older);
  expect(customer?.id).toBe(older.customerId);
  expect(cards.map(({ id, points, merged_into }) => ({ id, points, merged_into }))).toEqual([
    { id: older.cardId, points: 11, merged_into: null },
    { id: newer.cardId, points: 0, merged_into: older.cardId },
  ]);
  const amounts = (cardId: string) =>
    loyalty_entries
      .filter((entry) => entry.card_id === cardId && entry.amount !== 0)
      .map(({ amount }) => amount);
  expect([amounts(older.cardId), amounts(newer.cardId)]).toEqual([
    [8, 3],
    [3, -3],
  ]);
});

test('an erasure ends the tokens of both cards and leaves no name, phone or address', async () => {
  const { world } = fixture;
  const older = await aMemberWith(world, { points: 8 }, 'كاميليا');
  const newer = await aMemberWith(world, {}, 'كوكي');
  const order = await fixture.orderDelivery(
    { ...newer, token: newer.device },
    { customer_name: 'كوكي', address_line: '٧ حارة القنديل' },
  );
  await combinedWith(world, newer, older, { name: 'كاميليا' });
  expect(await orderNowOf(world, newer.token, older.device)).toMatchObject({
    full: { name: 'كاميليا', addresses: [{ address_line: '٧ حارة القنديل' }] },
  });
  await fixture.deliver(order.id);
  expect(await fixture.erase(older)).toMatchObject({ erased: true, orders: 1 });
  for (const { token } of [older, newer])
    for (const address of [`/public/order-now/${token}`, `/public/loyalty/card/${token}/orders`])
      expect(await world.refused(address, { 'x-device-token': older.device })).toMatchObject({ status: 404 });
  for (const words of ['كاميليا', 'كوكي', 'القنديل']) expect(await mentions(world, words)).toEqual([]);
  const hashes = [older, newer].map(({ token }) => world.app.tokens.hashOf(token));
  const kept = await world.db.kysely
    .selectFrom('loyalty_card')
    .select('id')
    .where('token_hash', 'in', hashes)
    .execute();
  expect(kept).toEqual([]);
});
