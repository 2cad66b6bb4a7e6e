/** A valid request of every staff operation, for tests about all of them. */
import type { StaffOperationId } from '../../../src/service/contract/endpoints.ts';
import { makeCard } from '../../../src/loyalty/app/card.ts';
import { aSaleToAward } from '../people/reward-members.ts';
import { branchId, shopId, thingId } from '../shops/cafe.ts';
import { elevateAll, OWN_FACTORS, withoutFactors } from '../people/second-factors.ts';
import { aCard, aGuest, aMemberOf, anOrder, placed } from '../people/guests.ts';
import { done, post } from '../server/requests.ts';
import {
  aCounterCart,
  aCounterSale,
  aDeliveredOrder,
  anOpenTill,
  workplaceOf,
  withoutTills,
} from '../people/tills.ts';
import {
  aStaffBooking,
  begun,
  bookedByStaff,
  soon,
  walkIn,
  type StaffBookingInput,
} from '../people/staff-bookings.ts';
import {
  emailOf,
  pairedTill,
  PASSWORD,
  type Person,
  personId,
  PIN,
  resetCredentials,
  signInAs,
} from '../people/staff.ts';
import type { World } from '../server/world.ts';
import { EVENT_CASES } from './event-requests.ts';
import { REPORT_CASES } from './report-requests.ts';
import { KITCHEN_CASES } from './kitchen-requests.ts';
import { SYNC_CASES } from './sync-requests.ts';
import { TICKET_CASES } from './ticket-requests.ts';

export interface Asked {
  readonly method?: 'POST' | 'PUT' | 'PATCH';
  readonly address: string;
  readonly body?: object;
}

export interface Case {
  readonly ask: (world: World, slug: string) => Asked | Promise<Asked>;
  /** The status when the things are another shop's; null where the request names none. */
  readonly otherShopStatus: 404 | 401 | null;
  /** Of 404 or 401, where it has one. */
  readonly otherShopCode?: string;
  /** The request instead, where it is about the caller. */
  readonly own?: (world: World, person: Person, slug: string) => Asked | Promise<Asked>;
  /** Restores what other requests need. */
  readonly undo?: (world: World, slug: string) => Promise<void>;
  /** About what belongs to the shop and to none of its branches. */
  readonly isShopWide?: boolean;
  /** Whether it ends the caller's other sessions. */
  readonly endsOthers?: boolean;
  /** Whether it succeeds only once. */
  readonly isOnce?: boolean;
}

/** A request about the caller's second factors, prepared in another session of theirs. */
const ownFactors = (operation: keyof typeof OWN_FACTORS): Case => {
  const asking = async (world: World, person: Person, slug: string): Promise<Asked> => {
    const ready = await OWN_FACTORS[operation](world, await signInAs(world, person, slug));
    await elevateAll(world);
    return ready;
  };
  return {
    ask: (world, slug) => asking(world, 'owner', slug),
    ...{ own: asking, otherShopStatus: null, undo: withoutFactors },
  };
};

const orderAt = async (world: World, slug: string): Promise<string> => {
  const items = [{ menu_item_id: thingId('item', 'turkish', slug), quantity: 1 }];
  return (await placed(world, anOrder({ branch_id: branchId('zamalek', slug), items }))).id;
};

const memberAt = async (world: World, slug: string): Promise<string> => {
  const card = await makeCard(world.app, shopId(slug), { phone: aGuest().typed, name: 'منى السيد' });
  if (card === null) throw new Error('there is a card already');
  return card.id;
};

const onOrder =
  (what: string, body?: object): Case['ask'] =>
  async (world, slug) => ({
    method: 'POST',
    address: `/staff/orders/${await orderAt(world, slug)}/${what}`,
    ...(body && { body: { ...body, from: 'received' } }),
  });

const reopening: Case['ask'] = async (world, slug) => ({
  method: 'POST',
  address: `/staff/orders/${await aDeliveredOrder(world, slug)}/reopen`,
  body: { from: 'delivered' },
});

const awarding: Case['ask'] = async (world, slug) => {
  const { sale, member } = await aSaleToAward(world, slug);
  return { method: 'POST', address: `/staff/sales/${sale}/award`, body: { member_id: member } };
};

type StaffBookingOf = (world: World, slug: string) => StaffBookingInput;

/** About a new booking. */
const onBooking =
  (what: string, input: StaffBookingOf, body: object = {}): Case['ask'] =>
  async (world, slug) => {
    const { id, revision } = await bookedByStaff(world, input(world, slug), slug);
    return { method: 'POST', address: `/staff/bookings/${id}/${what}`, body: { ...body, revision } };
  };

const aBlock = (world: World, slug: string): Asked => {
  const { starts_at, branch_id } = aStaffBooking(world, slug);
  const ends_at = new Date(Date.parse(starts_at ?? '') + 60_000).toISOString();
  return { method: 'POST', address: '/staff/booking-blocks', body: { branch_id, starts_at, ends_at } };
};

const aCode = async (world: World, slug: string): Promise<string> => {
  const wanted = { branch_id: branchId('zamalek', slug), label: 'الكاشير' };
  const reply = await post(world, '/staff/devices', wanted, await signInAs(world, 'owner', slug));
  return done('makePairingCode', reply).pairing_code;
};

const reauthenticating = (_: World, person: Person, slug: string): Asked => ({
  ...{ method: 'POST', address: '/staff/re-authenticate' },
  body: { email: emailOf(person, slug), password: PASSWORD },
});

const sessionOf = async (world: World, person: Person, slug: string): Promise<Asked> => {
  const lines = await signInAs(world, person, slug);
  const sessions = done('listSessions', await world.get('/staff/me/sessions', { ...lines }));
  const own = sessions.find(({ current }) => current);
  return { method: 'POST', address: `/staff/me/sessions/${own?.id}/end` };
};

const ofOwner =
  (own: NonNullable<Case['own']>): Case['ask'] =>
  (world, slug) =>
    own(world, 'owner', slug);

const opening = async (world: World, person: Person, slug: string): Promise<Asked> => {
  await withoutTills(world, person, slug);
  const body = { branch_id: branchId(workplaceOf(person), slug), opening_float: 50_000 };
  return { method: 'POST', address: '/staff/tills', body };
};

/** About the caller's open till. */
const onTill = (what: string, body?: object): Pick<Case, 'ask' | 'own'> => {
  const own = async (world: World, person: Person, slug: string): Promise<Asked> => ({
    ...(body === undefined ? {} : { method: 'POST', body }),
    address: `/staff/tills/${await anOpenTill(world, person, slug)}/${what}`,
  });
  return { own, ask: ofOwner(own) };
};

const aPhone = { phone: '0155 000 0000' };
const branchOf = (slug: string): string => branchId('zamalek', slug);

/** Every staff operation; the first call succeeds. */
export const CASES: Readonly<Record<StaffOperationId, Case>> = {
  staffSignIn: {
    ask: (_, slug) => ({
      ...{
        method: 'POST',
        address: '/staff/sign-in',
        body: { email: emailOf('owner', slug), password: PASSWORD },
      },
    }),
    otherShopStatus: null,
  },
  reauthenticate: { ask: ofOwner(reauthenticating), own: reauthenticating, otherShopStatus: null },
  staffSignOut: {
    ask: () => ({ method: 'POST', address: '/staff/sign-out' }),
    ...{ otherShopStatus: null, isOnce: true },
  },
  changePassword: {
    ask: () => ({
      ...{ method: 'POST', address: '/staff/me/password' },
      body: { current_password: PASSWORD, new_password: 'another password of the tests' },
    }),
    ...{ otherShopStatus: null, undo: resetCredentials, isOnce: true, endsOthers: true },
  },
  changePin: {
    ask: () => ({
      ...{ method: 'POST', address: '/staff/me/pin', body: { current_pin: PIN, new_pin: '3805' } },
    }),
    ...{ otherShopStatus: null, undo: resetCredentials, isOnce: true, endsOthers: true },
  },
  listSessions: { ask: () => ({ address: '/staff/me/sessions' }), otherShopStatus: null },
  endOwnSession: { ask: ofOwner(sessionOf), own: sessionOf, otherShopStatus: 404, isOnce: true },
  endOtherSessions: {
    ask: () => ({ method: 'POST', address: '/staff/me/sessions/end-others' }),
    ...{ otherShopStatus: null, isOnce: true, endsOthers: true },
  },
  makePairingCode: {
    ask: (_, slug) => ({
      ...{ method: 'POST', address: '/staff/devices', body: { branch_id: branchOf(slug), label: 'الكاشير' } },
    }),
    otherShopStatus: 404,
  },
  pairDevice: {
    ask: async (world, slug) => ({
      ...{ method: 'POST', address: '/staff/devices/pair', body: { pairing_code: await aCode(world, slug) } },
    }),
    ...{ otherShopStatus: null, isOnce: true },
  },
  listOwnBranches: { ask: () => ({ address: '/staff/branches' }), otherShopStatus: null },
  listDevices: { ask: () => ({ address: '/staff/devices' }), otherShopStatus: null },
  revokeDevice: {
    ask: async (world, slug) => ({
      ...{
        method: 'POST',
        address: `/staff/devices/${(await pairedTill(world, 'zamalek', slug)).id}/revoke`,
      },
    }),
    otherShopStatus: 404,
  },
  listPinStaff: { ask: () => ({ address: '/staff/pin' }), otherShopStatus: null },
  ...SYNC_CASES,
  pinSignIn: {
    ask: (_, slug) => ({
      ...{ method: 'POST', address: '/staff/pin', body: { staff_id: personId('teller', slug), pin: PIN } },
    }),
    ...{ otherShopStatus: 401, otherShopCode: 'WRONG_PIN' },
  },
  listSecondFactors: ownFactors('listSecondFactors'),
  beginTotp: ownFactors('beginTotp'),
  confirmTotp: ownFactors('confirmTotp'),
  beginPasskey: ownFactors('beginPasskey'),
  confirmPasskey: ownFactors('confirmPasskey'),
  makeRecoveryCodes: ownFactors('makeRecoveryCodes'),
  removeSecondFactor: ownFactors('removeSecondFactor'),
  listOrders: {
    ask: (_, slug) => ({ address: `/staff/orders?branch_id=${branchOf(slug)}` }),
    otherShopStatus: 404,
  },
  getOrder: {
    ask: async (world, slug) => ({ address: `/staff/orders/${await orderAt(world, slug)}` }),
    otherShopStatus: 404,
  },
  moveOrder: { ask: onOrder('move', { to: 'confirmed' }), otherShopStatus: 404 },
  cancelOrder: { ask: onOrder('cancel', { reason: 'other' }), otherShopStatus: 404 },
  finalizeOrder: { ask: onOrder('finalize', { payment_method: 'cash' }), otherShopStatus: 404 },
  reopenOrder: { ask: reopening, otherShopStatus: 404 },
  setPrepTime: { ask: onOrder('prep-time', { extra_prep_minutes: 5 }), otherShopStatus: 404 },
  markPrinted: { ask: onOrder('printed'), otherShopStatus: 404 },
  awardSale: { ask: awarding, otherShopStatus: 404 },
  setOrderBrake: {
    ask: (_, slug) => ({
      method: 'PUT',
      address: '/staff/phones/brake',
      body: { ...aPhone, lifted: true, branch_id: branchOf(slug) },
    }),
    otherShopStatus: 404,
  },
  findLoyaltyMember: {
    ask: async (world, slug) => {
      const guest = aGuest();
      await aCard(world, guest, 'منى السيد', slug);
      return { address: `/staff/loyalty/members?branch_id=${branchOf(slug)}&phone=${guest.phone}` };
    },
    otherShopStatus: 404,
  },
  joinLoyaltyMember: {
    ask: (_, slug) => ({
      ...{ method: 'POST', address: '/staff/loyalty/members' },
      body: { branch_id: branchOf(slug), name: 'منى السيد', phone: aGuest().typed },
    }),
    ...{ otherShopStatus: 404, isOnce: true },
  },
  adjustLoyaltyMember: {
    ask: async (world, slug) => ({
      ...{ method: 'POST', address: `/staff/loyalty/members/${await memberAt(world, slug)}/adjust` },
      body: { amount: 5, note: 'اعتذار' },
    }),
    ...{ otherShopStatus: 404, isShopWide: true },
  },
  listMemberEntries: {
    ask: async (world, slug) => ({
      address: `/staff/loyalty/members/${await memberAt(world, slug)}/ledger`,
    }),
    ...{ otherShopStatus: 404, isShopWide: true },
  },
  listStaffBookings: {
    ask: (_, slug) => ({ address: `/staff/bookings?branch_id=${branchOf(slug)}&date=2026-11-21` }),
    otherShopStatus: 404,
  },
  getStaffBooking: {
    ask: async (world, slug) => ({
      address: `/staff/bookings/${(await bookedByStaff(world, aStaffBooking(world, slug), slug)).id}`,
    }),
    otherShopStatus: 404,
  },
  createStaffBooking: {
    ask: (world, slug) => ({
      method: 'POST',
      address: '/staff/bookings',
      body: aStaffBooking(world, slug),
    }),
    ...{ otherShopStatus: 404, isOnce: true },
  },
  changeStaffBooking: {
    ask: async (world, slug) => {
      const { id, revision } = await bookedByStaff(world, aStaffBooking(world, slug), slug);
      return { method: 'PATCH', address: `/staff/bookings/${id}`, body: { revision, party_size: 3 } };
    },
    ...{ otherShopStatus: 404, isOnce: true },
  },
  seatBooking: { ask: onBooking('seat', soon), otherShopStatus: 404 },
  moveBooking: {
    ask: onBooking('tables', aStaffBooking, { table_ids: [] }),
    ...{ otherShopStatus: 404, isOnce: true },
  },
  completeBooking: { ask: onBooking('complete', walkIn), otherShopStatus: 404 },
  markNoShow: { ask: onBooking('no-show', begun), otherShopStatus: 404 },
  cancelStaffBooking: { ask: onBooking('cancel', aStaffBooking), otherShopStatus: 404 },
  blockTimes: { ask: aBlock, otherShopStatus: 404 },
  liftBlock: {
    ask: async (world, slug) => {
      const { address, body } = aBlock(world, slug);
      const reply = await post(world, address, body ?? {}, await signInAs(world, 'owner', slug));
      return { method: 'POST', address: `${address}/${done('blockTimes', reply).id}/lift` };
    },
    otherShopStatus: 404,
  },
  ...EVENT_CASES,
  setChannelMode: {
    ask: (_, slug) => ({
      ...{
        method: 'PUT',
        address: `/staff/branches/${branchOf(slug)}/channels/pickup`,
        body: { mode: 'auto' },
      },
    }),
    otherShopStatus: 404,
  },
  setAvailability: {
    ask: (_, slug) => ({
      method: 'PUT',
      address: `/staff/branches/${branchOf(slug)}/items/${thingId('item', 'turkish', slug)}/availability`,
      body: { available: true },
    }),
    otherShopStatus: 404,
  },
  setStock: {
    ask: (_, slug) => ({
      method: 'PUT',
      address: `/staff/branches/${branchOf(slug)}/items/${thingId('item', 'turkish', slug)}/stock`,
      body: { stock: null },
    }),
    otherShopStatus: 404,
  },
  getBranchSale: {
    ask: (_, slug) => ({ address: `/staff/branches/${branchOf(slug)}/sale` }),
    otherShopStatus: 404,
  },
  mergeCustomers: {
    ask: async (world, slug) => ({
      method: 'POST',
      address: `/staff/customers/${await aMemberOf(world, slug)}/merge`,
      body: { customer_id: await aMemberOf(world, slug) },
    }),
    otherShopStatus: 404,
  },
  exportPerson: {
    ask: () => ({ method: 'POST', address: '/staff/people/export', body: aPhone }),
    otherShopStatus: null,
  },
  erasePerson: {
    ask: () => ({ method: 'POST', address: '/staff/people/erase', body: aPhone }),
    otherShopStatus: null,
  },
  listAudit: { ask: () => ({ address: '/staff/audit' }), otherShopStatus: null },
  openTill: { ask: ofOwner(opening), own: opening, otherShopStatus: 404 },
  listTills: {
    ask: (_, slug) => ({ address: `/staff/tills?branch_id=${branchOf(slug)}` }),
    otherShopStatus: 404,
  },
  getTillReport: { ...onTill('report'), otherShopStatus: 404 },
  moveCash: { ...onTill('cash', { kind: 'pay_in', amount: 500, reason: 'فكة' }), otherShopStatus: 404 },
  closeTill: { ...onTill('close', { counted: { cash: 0 } }), otherShopStatus: 404 },
  forceCloseTill: { ...onTill('force-close', { note: 'نسي إغلاقها' }), otherShopStatus: 404 },
  listSales: {
    ask: (_, slug) => ({ address: `/staff/sales?branch_id=${branchOf(slug)}` }),
    otherShopStatus: 404,
  },
  getSale: {
    ask: async (world, slug) => ({ address: `/staff/sales/${await aDeliveredOrder(world, slug)}` }),
    otherShopStatus: 404,
  },
  refundSale: {
    ask: async (world, slug) => ({
      ...{ method: 'POST', address: `/staff/sales/${await aDeliveredOrder(world, slug)}/refund` },
      body: { all: true, method: 'card', reason: 'quality' },
    }),
    ...{ otherShopStatus: 404, isOnce: true },
  },
  getReceipt: {
    ask: async (world, slug) => ({ address: `/staff/sales/${await aDeliveredOrder(world, slug)}/receipt` }),
    otherShopStatus: 404,
  },
  getReceiptText: {
    ask: async (world, slug) => ({
      address: `/staff/sales/${await aDeliveredOrder(world, slug)}/receipt.txt`,
    }),
    otherShopStatus: 404,
  },
  quoteCounterSale: {
    ask: (_, slug) => ({ method: 'POST', address: '/staff/cart-quote', body: aCounterCart(slug) }),
    otherShopStatus: 404,
  },
  sellOverCounter: {
    ask: (_, slug) => ({ method: 'POST', address: '/staff/sales', body: aCounterSale(slug) }),
    otherShopStatus: 404,
  },
  ...TICKET_CASES,
  ...KITCHEN_CASES,
  ...REPORT_CASES,
};
