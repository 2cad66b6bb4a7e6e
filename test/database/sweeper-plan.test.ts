/** How the sweeper finds what is due where there is much that is not. */
import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findingUnconfirmed, unconfirmedOrders } from '../../src/store/sweep.ts';
import { newId, placeOrder } from '../support/activity.ts';
import { aBranch, aShopFile, branchId, openShops, shopId } from '../support/cafe.ts';
import { makeWorld, type World } from '../support/world.ts';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly Plan[];
}

let world: World;

beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, aShopFile({ branches: [aBranch({ auto_reject_minutes: 10 })] }));
});
afterAll(() => world.close());

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

const explained = async (statement: RawBuilder<unknown>): Promise<Plan[]> => {
  const { rows } = await sql<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>`
    explain (format json) ${statement}
  `.execute(world.db.kysely);
  return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan: plan }) => nodesOf(plan)));
};

test('beside 50,000 orders, what waits is found by the index of what waits', async () => {
  const late = await placeOrder(world, { createdAt: '2026-11-20T17:00:00Z' });
  await sql`
    insert into delivery_order (org_id, id, branch_id, channel, status, customer_name, base_prep_minutes, cart, subtotal,
                                tax_rate_applied, tax_inclusive, tax_amount, total, created_at, updated_at)
    select ${shopId()}::uuid, md5(n::text)::uuid, ${branchId()}::uuid, 'pickup', 'cancelled', 'منى', 20,
           '{}', 0, 0.14, true, 0, 0, to_timestamp(n), to_timestamp(n)
    from generate_series(1, 50000) n
  `.execute(world.db.kysely);
  const look = { now: world.now, without: [newId()], limit: 200 };
  for (const isKnown of [false, true]) {
    if (isKnown) await sql`analyze delivery_order`.execute(world.db.kysely);
    const nodes = await explained(findingUnconfirmed(look));
    const indexes = nodes.flatMap((node) => node['Index Name'] ?? []);
    expect(indexes.filter((name) => name.startsWith('delivery_order'))).toEqual(['delivery_order_received']);
    expect(nodes.filter((node) => node['Relation Name'] === 'delivery_order')).not.toContainEqual(
      expect.objectContaining({ 'Node Type': 'Seq Scan' }),
    );
  }
  expect(await unconfirmedOrders(world.db.kysely, look)).toEqual([
    { orgId: shopId(), id: late, minutes: 10 },
  ]);
});
