/** The requests that most shops get most often, and what the program sends for them. */
import { aBooking } from '../support/people/bookings.ts';
import {
  aCard,
  aGuest,
  anOrder,
  orderOn,
  placed,
  place,
  proveOn,
  type OrderInput,
} from '../support/people/guests.ts';
import { openDesk } from '../support/people/staff-bookings.ts';
import { changed, signInAs } from '../support/people/staff.ts';
import { ticketsBy, type Ticket } from '../support/people/tickets.ts';
import { aCounterSale } from '../support/people/tills.ts';
import { done, post, postOk } from '../support/server/requests.ts';
import type { World } from '../support/server/world.ts';
import { aBranch, aShopFile, aTable, branchId, daily, openShops, thingId } from '../support/shops/cafe.ts';
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

/** What each of the requests sends. */
export type SentFor = Readonly<Record<string, readonly Sent[]>>;

/** Of a process that has served the shop before. */
const sentForGuests = async (world: World): Promise<SentFor> => {
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
  return {
    order: await sentDuring(() => placed(world, anOrderHere(), { 'idempotency-key': 'new' })),
    'repeated order': await sentDuring(() => place(world, repeated, key)),
    'refused order': await sentDuring(() => refuse('second')),
    quote: await sentDuring(() => quote(world)),
    menu: await sentDuring(menu),
    tracking: await sentDuring(track),
    'repeated tracking': await sentDuring(track),
  };
};

/** Of a member of the programme: who is proven, has a card, and gets what was ordered at an address. */
const sentForMember = async (world: World): Promise<SentFor> => {
  const guest = aGuest();
  const [member_token, device_token] = [await aCard(world, guest), await proveOn(world, guest)];
  const owner = await signInAs(world, 'owner');
  const body = orderOn('outside', { customer_phone: guest.typed, member_token, device_token });
  const order = await sentDuring(() => placed(world, body, { 'idempotency-key': 'member' }));
  const { id } = await placed(world, body);
  const deliver = () => changed(world, owner, id, 'finalize', { payment_method: 'cash', from: 'received' });
  return { 'order of a member': order, delivery: await sentDuring(deliver) };
};

const sentForStaff = async (world: World): Promise<SentFor> => {
  const owner = await signInAs(world, 'owner');
  const tickets = ticketsBy(world, owner);
  const serve = async (): Promise<Ticket> => tickets.settle(await tickets.fire(await tickets.open()));
  const book = async () =>
    done('bookTable', await post(world, '/public/bookings', aBooking({ phone: aGuest().typed })));
  return {
    'counter sale': await sentDuring(async () =>
      done('sellOverCounter', await post(world, '/staff/sales', aCounterSale(), owner)),
    ),
    ticket: await sentDuring(serve),
    booking: await sentDuring(book),
  };
};

export const sentForHotRequests = async (world: World): Promise<SentFor> => {
  const guests = await sentForGuests(world);
  await openDesk(world, [aTable('t1', 2), aTable('t2', 4)]);
  return { ...guests, ...(await sentForMember(world)), ...(await sentForStaff(world)) };
};
