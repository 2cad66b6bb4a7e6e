/** The requests that most shops get most often, and what the program sends for them. */
import { anOrder, aGuest, placed, place, type OrderInput } from '../support/people/guests.ts';
import { postOk } from '../support/server/requests.ts';
import type { World } from '../support/server/world.ts';
import { aBranch, aShopFile, branchId, daily, openShops, thingId } from '../support/shops/cafe.ts';
import { sentDuring, type Sent } from '../support/statements/sent.ts';

const SLUG = 'kashk';
const anOrderHere = (more: Partial<OrderInput> = {}): OrderInput =>
  anOrder({
    ...{ branch_id: branchId('zamalek', SLUG), customer_phone: aGuest().typed },
    ...{ items: [{ menu_item_id: thingId('item', 'turkish', SLUG), quantity: 1 }], ...more },
  });

const quote = (world: World): Promise<unknown> =>
  postOk(world, {}, `/public/branches/${branchId('zamalek', SLUG)}/cart-quote`, {
    ...{ channel: 'pickup', items: [{ menu_item_id: thingId('item', 'turkish', SLUG), quantity: 1 }] },
  });

export type HotRequest = 'order' | 'repeated order' | 'refused order' | 'quote' | 'menu' | 'tracking';

/** Of a process that has served the shop before. */
export const sentForHotRequests = async (
  world: World,
): Promise<Readonly<Record<HotRequest, readonly Sent[]>>> => {
  const branch = aBranch({ online_hours: daily('00:00', '00:00'), otp_required: false });
  await openShops(world, aShopFile({ slug: SLUG, branches: [branch] }));
  const [repeated, key] = [anOrderHere(), { 'idempotency-key': 'repeated' }];
  const { id } = await placed(world, repeated, key);
  await quote(world);
  const dear = anOrderHere({ quoted_total: 1 });
  const refuse = (name: string) => place(world, dear, { 'idempotency-key': name });
  await refuse('first');
  const menu = () => world.get(`/public/branches/${branchId('zamalek', SLUG)}/menu?channel=pickup`);
  const track = () => world.get(`/public/delivery-orders/${id}`);
  await track();
  return {
    order: await sentDuring(() => placed(world, anOrderHere(), { 'idempotency-key': 'new' })),
    'repeated order': await sentDuring(() => place(world, repeated, key)),
    'refused order': await sentDuring(() => refuse('second')),
    quote: await sentDuring(() => quote(world)),
    menu: await sentDuring(menu),
    tracking: await sentDuring(track),
  };
};
