/** What the calls of every operation are about: a shop, a cart, a device, a member and a booking. */
import { makeCard } from '../../../src/loyalty/app/card.ts';
import type { ShopFile } from '../../../src/shopfile/contract/shopfile.ts';
import { booked, manageAddress } from '../people/bookings.ts';
import { aGuest, proveOn, type Guest } from '../people/guests.ts';
import { aProgramme } from '../people/members.ts';
import { aStaffedShop } from '../people/staff.ts';
import type { World } from '../server/world.ts';
import { aTable, shopId } from '../shops/cafe.ts';
import { addon, aQuotingMenu, line, meal, optional, pick } from '../shops/quoting-shop.ts';

export const aShop = (slug: string): ShopFile => {
  const shop = aStaffedShop(slug, {
    menu: aQuotingMenu(),
    loyalty: aProgramme({ birthday: { enabled: true }, offline_limit: 200 }),
  });
  const [first, ...others] = shop.branches;
  if (first === undefined) throw new Error('a shop at work has branches');
  return {
    ...shop,
    branches: [{ ...first, tables: [aTable('t1', 4)], booking: { enabled: true } }, ...others],
  };
};

/** A cart with every kind of line and addition. */
export const cart = () => [
  line('latte', {
    ...{ size_label: 'كبير', quantity: 2, notes: 'سخن', optional_field_ids: [optional('latte', 'cup')] },
    addons: [{ addon_item_id: addon('oat'), quantity: 1, unit_price: 5 }],
  }),
  line('sandwich', { addons: [{ addon_item_id: addon('ketchup') }], combo: null, unit_price: 1 }),
  meal([pick('drink', 'latte', { size_label: 'صغير', notes: null, share: 1 }), pick('sweet', 'cake')], {
    notes: 'من غير سكر',
  }),
];

export const aDevice = async (world: World): Promise<{ readonly guest: Guest; readonly token: string }> => {
  const guest = aGuest();
  return { guest, token: await proveOn(world, guest) };
};

export const newMember = async (world: World): Promise<string> => {
  const card = await makeCard(world.app, shopId(), { phone: aGuest().typed, name: 'هدى' });
  if (card === null) throw new Error('there is a card already');
  return card.id;
};

/** The only table is free again. */
export const withoutBookings = async (world: World): Promise<void> => {
  for (const table of ['booking', 'booking_hold', 'booking_block'] as const)
    await world.db.kysely.deleteFrom(table).execute();
};

export const newBooking = async (world: World): Promise<string> => {
  await withoutBookings(world);
  return manageAddress(await booked(world));
};
