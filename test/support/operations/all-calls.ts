/** A successful call of every operation, on two open shops: the start of a fuzzing run. */
import type { Endpoint } from '../../../src/platform/contract/endpoint.ts';
import {
  allEndpoints,
  type OperationId,
  type StaffOperationId,
} from '../../../src/service/contract/endpoints.ts';
import { aSaleToAward } from '../people/reward-members.ts';
import { insertOrder } from '../database/orders-and-bookings.ts';
import { branchId, openShops, shopId, SLUG, tableId, thingId } from '../shops/cafe.ts';
import { OWN_FACTORS, withoutFactors } from '../people/second-factors.ts';
import { aJoin, cardAddress } from '../people/members.ts';
import { aCard, aGuest, aMemberOf, anOrder, orderOn, placed, proveOn } from '../people/guests.ts';
import { aBooking } from '../people/bookings.ts';
import { aStaffBooking, begun, bookedByStaff, soon, walkIn } from '../people/staff-bookings.ts';
import { eventCalls } from './event-requests.ts';
import { kitchenCalls } from './kitchen-requests.ts';
import { reportCalls } from './report-requests.ts';
import { tableOrderCall, ticketCalls } from './ticket-requests.ts';
import { syncCalls } from './sync-requests.ts';
import { saleCalls } from './sale-calls.ts';
import { tillCalls } from './till-calls.ts';
import { voucherCalls } from './voucher-calls.ts';
import { done, post } from '../server/requests.ts';
import { addon, combo, item, optional, slot } from '../shops/quoting-shop.ts';
import {
  emailOf,
  pairedTill,
  PASSWORD,
  personId,
  PIN,
  resetCredentials,
  setCredentials,
  signInAs,
} from '../people/staff.ts';
import type { World } from '../server/world.ts';
import { aDevice, aShop, cart, newBooking, newMember, withoutBookings } from './call-subjects.ts';

/** Another shop: its ids exist, and the first shop's staff may not see them. */
export const OTHER = 'kashk';

export interface Call {
  readonly address: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

export interface OpenCalls {
  readonly ids: readonly string[];
  /** Authorization headers of people and devices of both shops; one belongs to an ended session. */
  readonly authorizations: readonly string[];
  readonly tokens: readonly string[];
  readonly calls: readonly {
    readonly id: string;
    readonly endpoint: Endpoint;
    /** Builds a fresh call: some calls consume their subject. */
    readonly call: () => Promise<Call>;
  }[];
}

const publicCalls = (world: World): Readonly<Record<OperationId, () => Promise<Call>>> => {
  const fixed = (address: string) => () => Promise.resolve({ address });
  const branch = branchId();
  const newIdentity = async (what: string, isKnown: boolean): Promise<Call> => {
    const [before, after] = [await aDevice(world), await aDevice(world)];
    if (isKnown) await aCard(world, after.guest);
    const address = `/public/order-now/${await aCard(world, before.guest)}/${what}`;
    const proofs = { device_token: before.token, new_phone_device_token: after.token };
    return { address, body: { ...proofs, new_phone: after.guest.typed, name: 'منى' } };
  };
  return {
    about: fixed('/'),
    openapi: fixed('/openapi.json'),
    health: fixed('/health'),
    ready: fixed('/ready'),
    getBrand: fixed(`/public/orgs/brand?slug=${SLUG}`),
    getLinks: fixed(`/public/orgs/links?org_id=${shopId()}`),
    listBranches: fixed(`/public/branches?org_id=${shopId()}&browse=true`),
    getBranchMenu: fixed(`/public/branches/${branch}/menu?channel=pickup&preview=true`),
    getBookingSlots: fixed(`/public/branches/${branch}/booking-slots?date=2026-11-21&party_size=2`),
    getBookingInfo: fixed(`/public/branches/${branch}/booking-info`),
    listBookingBranches: fixed(`/public/booking-branches?org_id=${shopId()}`),
    bookTable: async () => {
      await withoutBookings(world);
      const { guest, token } = await aDevice(world);
      const body = aBooking({ phone: guest.typed, device_token: token, locale: 'ar', notes: 'جنب الشباك' });
      return { address: '/public/bookings', body };
    },
    getBooking: async () => ({ address: await newBooking(world) }),
    getBookingCalendar: async () => ({ address: `${await newBooking(world)}/calendar.ics` }),
    getBookingChangeSlots: async () => ({
      address: `${await newBooking(world)}/slots?date=2026-11-21&party_size=2`,
    }),
    changeBooking: async () => ({
      address: await newBooking(world),
      body: { party_size: 3, starts_at: null, notes: 'عيد ميلاد' },
    }),
    cancelBooking: async () => ({ address: `${await newBooking(world)}/cancel` }),
    holdStart: async () => {
      await withoutBookings(world);
      const { starts_at, party_size } = aBooking();
      const body = { starts_at, party_size, hold_token: null };
      return { address: `/public/branches/${branch}/booking-holds`, body };
    },
    getPass: async () => ({
      address: `/public/loyalty/pass/${await aCard(world, aGuest())}.pkpass`,
    }),
    releaseHold: async () => {
      await withoutBookings(world);
      const { starts_at, party_size } = aBooking();
      const address = `/public/branches/${branch}/booking-holds`;
      const { hold_token } = done('holdStart', await post(world, address, { starts_at, party_size }));
      return { address: `${address}/release`, body: { hold_token } };
    },
    trackOrder: async () => ({ address: `/public/delivery-orders/${await insertOrder(world)}/track` }),
    getJoinInfo: fixed(`/public/loyalty/join-info?branch_id=${branch}`),
    joinLoyalty: async () => {
      const { guest, token } = await aDevice(world);
      const chosen = { locale: 'ar', birth_month: 2, birth_day: 29, branch_id: branch } as const;
      const body = aJoin({ phone: guest.typed, device_token: token, ...chosen });
      return { address: '/public/loyalty/join', body };
    },
    getCard: async () => ({ address: cardAddress(await aCard(world, aGuest())) }),
    setCardPreferences: async () => ({
      address: cardAddress(await aCard(world, aGuest()), '/preferences'),
      body: { locale: 'en', marketing_opt_out: true },
    }),
    getCardQr: async () => ({ address: cardAddress(await aCard(world, aGuest()), '/qr.svg') }),
    ...voucherCalls(world),
    getTable: fixed(`/public/tables/${tableId('t1')}`),
    getTableMenu: fixed(`/public/tables/${tableId('t1')}/menu`),
    quoteDelivery: fixed(`/public/branches/${branch}/delivery-quote?channel=outside&lat=30.061&lng=31.221`),
    quoteCart: () =>
      Promise.resolve({
        address: `/public/branches/${branch}/cart-quote`,
        body: { channel: 'pickup', items: cart(), hints: true },
      }),
    orderAtTable: () => tableOrderCall(world),
    quoteTableCart: () =>
      Promise.resolve({ address: `/public/tables/${tableId('t1')}/cart-quote`, body: { items: cart() } }),
    requestOtp: () => Promise.resolve({ address: '/public/otp/request', body: { phone: aGuest().typed } }),
    verifyOtp: async () => {
      const { typed, phone } = aGuest();
      await post(world, '/public/otp/request', { phone: typed });
      return { address: '/public/otp/verify', body: { phone: typed, code: world.phones.codeOf(phone) } };
    },
    placeOrder: async () => {
      const { guest, token } = await aDevice(world);
      const body = orderOn('outside', {
        ...{ items: cart(), customer_phone: guest.typed, device_token: token },
        ...{ member_token: await aCard(world, guest), identity_change: null, save_address: true },
        ...{ floor: '٢', unit_number: 'B14', landmark: 'السوق', place_name: null, delivery_notes: 'رن' },
        ...{ contact_device_token: null, quoted_total: null, quoted_reward_cost: null, locale: 'ar' },
      });
      return { address: '/public/delivery-orders', body };
    },
    orderHistory: async () => ({
      address: `/public/delivery-orders/history?org_id=${shopId()}`,
      headers: { 'x-device-token': (await aDevice(world)).token },
    }),
    pastLocations: async () => ({
      address: `/public/delivery-orders/past-locations?org_id=${shopId()}&branch_id=${branch}`,
      headers: { 'x-device-token': (await aDevice(world)).token },
    }),
    pastOrders: async () => ({
      address: `/public/loyalty/card/${await aCard(world, aGuest())}/orders`,
    }),
    orderNow: async () => {
      const { guest, token } = await aDevice(world);
      const address = `/public/order-now/${await aCard(world, guest)}`;
      return { address, headers: { 'x-device-token': token } };
    },
    replaceIdentity: () => newIdentity('replace-identity', false),
    combineCards: () => newIdentity('combine', true),
    getDevice: async () => ({
      address: `/public/otp/device?org_id=${shopId()}`,
      headers: { 'x-device-token': (await aDevice(world)).token },
    }),
  };
};

const ownFactors = (world: World) => {
  const call = (id: keyof typeof OWN_FACTORS) => async (): Promise<Call> => {
    await withoutFactors(world);
    const who = await signInAs(world, 'kitchen');
    const { address, body } = await OWN_FACTORS[id](world, who);
    return { address, headers: { ...who }, ...(body && { body }) };
  };
  return {
    listSecondFactors: call('listSecondFactors'),
    beginTotp: call('beginTotp'),
    confirmTotp: call('confirmTotp'),
    beginPasskey: call('beginPasskey'),
    confirmPasskey: call('confirmPasskey'),
    makeRecoveryCodes: call('makeRecoveryCodes'),
    removeSecondFactor: call('removeSecondFactor'),
  };
};

const staffCalls = (
  world: World,
  owner: Readonly<Record<string, string>>,
): Readonly<Record<StaffOperationId, () => Promise<Call>>> => {
  const branch = branchId();
  const asOwner = (address: string, body?: object) => () =>
    Promise.resolve({ address, headers: owner, ...(body === undefined ? {} : { body }) });
  const onOrder = (what: string, body?: object) => async (): Promise<Call> => {
    return {
      address: `/staff/orders/${await insertOrder(world)}/${what}`,
      headers: owner,
      ...(body === undefined ? {} : { body: { ...body, from: 'received', revision: 1 } }),
    };
  };
  const onBooking =
    (what: string, input: typeof aStaffBooking, body: object = {}) =>
    async (): Promise<Call> => {
      await withoutBookings(world);
      const { id, revision } = await bookedByStaff(world, input(world));
      return { address: `/staff/bookings/${id}${what}`, headers: owner, body: { ...body, revision } };
    };
  const aBlock = {
    ...{ branch_id: branch, starts_at: '2026-11-22T17:00:00Z', ends_at: '2026-11-22T19:00:00Z' },
    ...{ table_ids: [tableId('t1')], reason: 'عيد ميلاد' },
  };
  const pairing = { branch_id: branch, label: 'الكاشير' };
  return {
    staffSignIn: () =>
      Promise.resolve({ address: '/staff/sign-in', body: { email: emailOf('owner'), password: PASSWORD } }),
    reauthenticate: asOwner('/staff/re-authenticate', { email: emailOf('owner'), password: PASSWORD }),
    staffSignOut: async () => ({
      address: '/staff/sign-out',
      headers: { ...(await signInAs(world, 'teller')) },
    }),
    changePassword: async () => {
      await resetCredentials(world);
      const body = { current_password: PASSWORD, new_password: 'another password of the tests' };
      return { address: '/staff/me/password', headers: { ...(await signInAs(world, 'kitchen')) }, body };
    },
    changePin: async () => ({
      ...{ address: '/staff/me/pin', headers: { ...(await signInAs(world, 'waiter')) } },
      body: { new_pin: '3805' },
    }),
    endOwnSession: async () => {
      const headers = { ...(await signInAs(world, 'waiter')) };
      const sessions = done('listSessions', await world.get('/staff/me/sessions', headers));
      const own = sessions.find(({ current }) => current);
      return { address: `/staff/me/sessions/${own?.id}/end`, headers };
    },
    endOtherSessions: async () => ({
      address: '/staff/me/sessions/end-others',
      headers: { ...(await signInAs(world, 'waiter')) },
    }),
    makePairingCode: asOwner('/staff/devices', pairing),
    pairDevice: async () => {
      const reply = await post(world, '/staff/devices', pairing, { ...owner });
      const { pairing_code } = done('makePairingCode', reply);
      return { address: '/staff/devices/pair', body: { pairing_code } };
    },
    ...{ listSessions: asOwner('/staff/me/sessions'), listDevices: asOwner('/staff/devices') },
    revokeDevice: async () => ({
      address: `/staff/devices/${(await pairedTill(world)).id}/revoke`,
      headers: owner,
    }),
    listPinStaff: async () => ({
      ...{ address: '/staff/pin', headers: { ...(await pairedTill(world)).device } },
    }),
    ...syncCalls(world, owner),
    pinSignIn: async () => ({
      ...{ address: '/staff/pin', headers: { ...(await pairedTill(world)).device } },
      body: { staff_id: personId('teller'), pin: PIN },
    }),
    ...ownFactors(world),
    listOrders: asOwner(`/staff/orders?branch_id=${branch}&status=received&limit=3`),
    getOrder: async () => ({
      address: `/staff/orders/${await insertOrder(world)}`,
      headers: owner,
    }),
    moveOrder: onOrder('move', { to: 'confirmed' }),
    cancelOrder: onOrder('cancel', { reason: 'too_busy', note: 'زحمة', restock: true }),
    finalizeOrder: onOrder('finalize', { payment_method: 'cash' }),
    setPrepTime: onOrder('prep-time', { extra_prep_minutes: 10 }),
    markPrinted: onOrder('printed'),
    awardSale: async () => {
      const { sale, member } = await aSaleToAward(world);
      return { address: `/staff/sales/${sale}/award`, headers: owner, body: { member_id: member } };
    },
    setOrderBrake: asOwner('/staff/phones/brake', {
      ...{ phone: '0155 000 0000', lifted: true, branch_id: branch },
    }),
    findLoyaltyMember: async () => {
      const guest = aGuest();
      await aCard(world, guest);
      return { address: `/staff/loyalty/members?branch_id=${branch}&phone=${guest.phone}`, headers: owner };
    },
    joinLoyaltyMember: () =>
      Promise.resolve({
        ...{ address: '/staff/loyalty/members', headers: owner },
        body: { branch_id: branch, name: 'هدى', phone: aGuest().typed },
      }),
    adjustLoyaltyMember: async () => ({
      ...{ address: `/staff/loyalty/members/${await newMember(world)}/adjust`, headers: owner },
      body: { amount: 5, note: 'اعتذار' },
    }),
    listMemberEntries: async () => ({
      ...{ address: `/staff/loyalty/members/${await newMember(world)}/ledger?limit=3`, headers: owner },
    }),
    listStaffBookings: asOwner(`/staff/bookings?branch_id=${branch}&date=2026-11-21`),
    getStaffBooking: async () => {
      await withoutBookings(world);
      return { address: `/staff/bookings/${(await bookedByStaff(world)).id}`, headers: owner };
    },
    createStaffBooking: async () => {
      await withoutBookings(world);
      const more = {
        duration_minutes: 60,
        phone: '0155 000 0000',
        locale: 'en',
        notes: 'جنب الشباك',
      } as const;
      const body = aStaffBooking(world, SLUG, { ...more, table_ids: [tableId('t1')] });
      return { address: '/staff/bookings', headers: owner, body };
    },
    changeStaffBooking: onBooking('', aStaffBooking, {
      ...{ starts_at: '2026-11-22T17:00:00Z', duration_minutes: 120, party_size: 3 },
      ...{ guest_name: 'هدى', phone: null, notes: null },
    }),
    seatBooking: onBooking('/seat', soon, { table_ids: [tableId('t1')] }),
    moveBooking: onBooking('/tables', aStaffBooking, { table_ids: [tableId('t1')] }),
    completeBooking: onBooking('/complete', walkIn),
    markNoShow: onBooking('/no-show', begun),
    cancelStaffBooking: onBooking('/cancel', aStaffBooking, { note: 'مكرر' }),
    blockTimes: async () => {
      await withoutBookings(world);
      return { address: '/staff/booking-blocks', headers: owner, body: aBlock };
    },
    liftBlock: async () => {
      await withoutBookings(world);
      const { id } = done('blockTimes', await post(world, '/staff/booking-blocks', aBlock, owner));
      return { address: `/staff/booking-blocks/${id}/lift`, headers: owner };
    },
    ...eventCalls(world, owner),
    ...saleCalls({ ...owner }),
    ...tillCalls(world, owner),
    ...ticketCalls(world, { ...owner }),
    ...kitchenCalls(world, { ...owner }),
    ...reportCalls({ ...owner }),
    mergeCustomers: async () => ({
      address: `/staff/customers/${await aMemberOf(world)}/merge`,
      headers: owner,
      body: { customer_id: await aMemberOf(world) },
    }),
    exportPerson: asOwner('/staff/people/export', { phone: '0155 000 0000' }),
    erasePerson: async () => {
      const { typed, phone } = aGuest();
      // Inserted directly: an earlier call may have closed the shop.
      await insertOrder(world, { row: { customer_phone: phone } });
      return { address: '/staff/people/erase', headers: owner, body: { phone: typed } };
    },
    listAudit: asOwner('/staff/audit?limit=3'),
  };
};

/** Opens both shops and signs people and devices in. */
export const openCalls = async (world: World): Promise<OpenCalls> => {
  await openShops(world, aShop(SLUG), aShop(OTHER));
  for (const slug of [SLUG, OTHER]) await setCredentials(world, slug);
  const owner = { ...(await signInAs(world, 'owner')) };
  const ended = await signInAs(world, 'waiter');
  await post(world, '/staff/sign-out', {}, { ...ended });
  const [mine, theirs] = [await pairedTill(world), await pairedTill(world, 'zamalek', OTHER)];
  const guest = aGuest();
  const elsewhere = anOrder({
    branch_id: branchId('zamalek', OTHER),
    items: [{ menu_item_id: thingId('item', 'turkish', OTHER), quantity: 1 }],
  });
  const orders = [await placed(world, anOrder()), await placed(world, elsewhere)];
  const table: Readonly<Record<string, Endpoint>> = allEndpoints;
  return {
    ids: [
      ...[SLUG, OTHER].flatMap((slug) => [
        ...[shopId(slug), branchId('zamalek', slug), branchId('maadi', slug), tableId('t1', 'zamalek', slug)],
        ...[thingId('item', 'turkish', slug), thingId('combo', 'breakfast', slug), personId('teller', slug)],
      ]),
      ...[item('latte'), item('cake'), addon('oat'), addon('ketchup'), combo(), slot('drink'), slot('sweet')],
      ...[optional('latte', 'ice'), mine.id, theirs.id, ...orders.map(({ id }) => id)],
    ],
    authorizations: [
      // Sessions that no call depends on: a fuzzed call may end them.
      (await signInAs(world, 'owner')).authorization,
      ended.authorization,
      ...[mine.device.authorization, theirs.device.authorization],
      (await signInAs(world, 'owner', OTHER)).authorization,
      (await signInAs(world, 'kitchen')).authorization,
      (await signInAs(world, 'ramy')).authorization,
      (await mine.signIn('teller')).authorization,
    ],
    tokens: [
      await proveOn(world, guest),
      await aCard(world, guest),
      await aCard(world, aGuest(), 'هدى', OTHER),
    ],
    calls: Object.entries({ ...publicCalls(world), ...staffCalls(world, owner) }).flatMap(([id, call]) => {
      const endpoint = table[id];
      return endpoint === undefined ? [] : [{ id, endpoint, call }];
    }),
  };
};
