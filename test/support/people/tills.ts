/** Tills of the staff. */
import { sql } from 'kysely';
import { insert } from '../database/rows.ts';
import { newId } from '../database/ids.ts';
import type { World } from '../server/world.ts';
import { branchId, shopId, SLUG, thingId } from '../shops/cafe.ts';
import { anOrder, MONA, placed } from './guests.ts';
import { changed, personId, signInAs, type Person } from './staff.ts';

/** As before the person ever opened one. */
export const withoutTills = async (world: World, person: Person, slug = SLUG): Promise<void> => {
  const own = sql`select id from till where staff_id = ${personId(person, slug)}`;
  await sql`delete from till_cash where till_id in (${own})`.execute(world.db.kysely);
  for (const table of ['sale', 'sale_payment', 'part_payment', 'sale_refund'])
    await sql`update ${sql.table(table)} set till_id = null where till_id in (${own})`.execute(
      world.db.kysely,
    );
  await sql`update part_payment set given_back_till_id = null where given_back_till_id in (${own})`.execute(
    world.db.kysely,
  );
  await sql`delete from till where staff_id = ${personId(person, slug)}`.execute(world.db.kysely);
};

/** Where the person works, of `aStaffedShop`. */
export const workplaceOf = (person: Person): string => (person === 'ramy' ? 'maadi' : 'zamalek');

/** The id of the one till of the person, which is open. */
export const anOpenTill = async (world: World, person: Person, slug = SLUG): Promise<string> => {
  await withoutTills(world, person, slug);
  const [id, staff_id, now] = [newId(), personId(person, slug), new Date(world.now)];
  await insert(world.db.kysely, 'till', {
    ...{
      org_id: shopId(slug),
      id,
      branch_id: branchId(workplaceOf(person), slug),
      staff_id,
      register_id: staff_id,
    },
    ...{ opened_at: now, business_date: now.toISOString().slice(0, 10) },
  });
  return id;
};

/** The id of an order that the owner has delivered. */
export const aDeliveredOrder = async (world: World, slug = SLUG, guest = MONA): Promise<string> => {
  const items = [{ menu_item_id: thingId('item', 'turkish', slug), quantity: 1 }];
  const order = { branch_id: branchId('zamalek', slug), items, customer_phone: guest.typed };
  const { id } = await placed(world, anOrder(order));
  const owner = await signInAs(world, 'owner', slug);
  await changed(world, owner, id, 'finalize', { payment_method: 'cash', from: 'received' });
  return id;
};

/** One coffee over the counter of `zamalek`. */
export const aCounterCart = (slug = SLUG) => ({
  branch_id: branchId('zamalek', slug),
  items: [{ menu_item_id: thingId('item', 'turkish', slug), quantity: 1 }],
});

/** Paid by card, which needs no open till. */
export const aCounterSale = (slug = SLUG) => ({
  ...aCounterCart(slug),
  payments: [{ method: 'card', amount: 4_500 }],
});
