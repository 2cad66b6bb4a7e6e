/** Every operation of the staff's side as it can be asked about things of a shop, for tests that are about all of them. */
import type { StaffOperationId } from '../../src/contract/index.ts';
import { branchId, thingId } from './cafe.ts';
import { FACTORS, OWN_FACTORS, withoutFactors } from './factors.ts';
import { anOrder, placed, post } from './guests.ts';
import { done, emailOf, pairedTill, PASSWORD, personId, PIN, signInAs, type Person } from './shift.ts';
import type { World } from './world.ts';

export interface Asked {
  readonly method?: 'POST' | 'PUT';
  readonly address: string;
  readonly body?: object;
}

export interface Case {
  /** What is asked about things of a shop; `lines` are of whoever asks, for what is their own. */
  readonly ask: (world: World, slug: string, lines: Lines) => Asked | Promise<Asked>;
  /** What comes of it when the things are another shop's; null: it names none. */
  readonly elsewhere: 404 | 401 | null;
  /** What it takes instead, where that is each person's own. */
  readonly own?: (person: Person, slug: string) => object;
  /** Whether what was asked, or who asked, is used up by it. */
  readonly isOnce?: boolean;
  /** Makes it as it was before. */
  readonly undo?: (world: World) => Promise<void>;
}

type Lines = Readonly<Record<string, string>>;

/** Someone of a shop who signs in for themself; whoever is nobody asks as they would. */
const own = (operation: keyof typeof OWN_FACTORS): Case => ({
  ask: async (world, slug, lines) => {
    const { status } = await world.get(FACTORS, { ...lines });
    const who = await signInAs(world, 'owner', slug);
    return OWN_FACTORS[operation](world, status === 200 ? { ...who, ...lines } : who);
  },
  ...{ elsewhere: null, isOnce: true, undo: withoutFactors },
});

const orderAt = async (world: World, slug: string): Promise<string> => {
  const items = [{ menu_item_id: thingId('item', 'turkish', slug), quantity: 1 }];
  return (await placed(world, anOrder({ branch_id: branchId('zamalek', slug), items }))).id;
};

const onOrder =
  (what: string, body?: object): Case['ask'] =>
  async (world, slug) => ({
    method: 'POST',
    address: `/staff/orders/${await orderAt(world, slug)}/${what}`,
    ...(body && { body: { ...body, from: 'received' } }),
  });

const aCode = async (world: World, slug: string): Promise<string> => {
  const wanted = { branch_id: branchId('zamalek', slug), label: 'الكاشير' };
  const reply = await post(world, '/staff/devices', wanted, await signInAs(world, 'owner', slug));
  return done('makePairingCode', reply).pairing_code;
};

const credentialsOf = (person: Person, slug: string): object => ({
  email: emailOf(person, slug),
  password: PASSWORD,
});

const aPhone = { phone: '0155 000 0000' };
const branchOf = (slug: string): string => branchId('zamalek', slug);

/** Every operation of the staff's side, with what it takes; done for the first time, it succeeds. */
export const CASES: Readonly<Record<StaffOperationId, Case>> = {
  staffSignIn: {
    ask: (_, slug) => ({
      ...{
        method: 'POST',
        address: '/staff/sign-in',
        body: { email: emailOf('owner', slug), password: PASSWORD },
      },
    }),
    elsewhere: null,
  },
  reauthenticate: {
    ask: (_, slug) => ({
      ...{ method: 'POST', address: '/staff/re-authenticate', body: credentialsOf('owner', slug) },
    }),
    ...{ elsewhere: null, own: credentialsOf },
  },
  staffSignOut: {
    ask: () => ({ method: 'POST', address: '/staff/sign-out' }),
    ...{ elsewhere: null, isOnce: true },
  },
  makePairingCode: {
    ask: (_, slug) => ({
      ...{ method: 'POST', address: '/staff/devices', body: { branch_id: branchOf(slug), label: 'الكاشير' } },
    }),
    elsewhere: 404,
  },
  pairDevice: {
    ask: async (world, slug) => ({
      ...{ method: 'POST', address: '/staff/devices/pair', body: { pairing_code: await aCode(world, slug) } },
    }),
    ...{ elsewhere: null, isOnce: true },
  },
  listDevices: { ask: () => ({ address: '/staff/devices' }), elsewhere: null },
  revokeDevice: {
    ask: async (world, slug) => ({
      ...{
        method: 'POST',
        address: `/staff/devices/${(await pairedTill(world, 'zamalek', slug)).id}/revoke`,
      },
    }),
    elsewhere: 404,
  },
  listPinStaff: { ask: () => ({ address: '/staff/pin' }), elsewhere: null },
  pinSignIn: {
    ask: (_, slug) => ({
      ...{ method: 'POST', address: '/staff/pin', body: { staff_id: personId('teller', slug), pin: PIN } },
    }),
    elsewhere: 401,
  },
  listSecondFactors: own('listSecondFactors'),
  beginTotp: own('beginTotp'),
  confirmTotp: own('confirmTotp'),
  beginPasskey: own('beginPasskey'),
  confirmPasskey: own('confirmPasskey'),
  makeRecoveryCodes: own('makeRecoveryCodes'),
  removeSecondFactor: own('removeSecondFactor'),
  listOrders: {
    ask: (_, slug) => ({ address: `/staff/orders?branch_id=${branchOf(slug)}` }),
    elsewhere: 404,
  },
  getOrder: {
    ask: async (world, slug) => ({ address: `/staff/orders/${await orderAt(world, slug)}` }),
    elsewhere: 404,
  },
  moveOrder: { ask: onOrder('move', { to: 'confirmed' }), elsewhere: 404 },
  cancelOrder: { ask: onOrder('cancel', { reason: 'other' }), elsewhere: 404 },
  finalizeOrder: { ask: onOrder('finalize', { payment_method: 'cash' }), elsewhere: 404 },
  setPrepTime: { ask: onOrder('prep-time', { extra_prep_minutes: 5 }), elsewhere: 404 },
  markPrinted: { ask: onOrder('printed'), elsewhere: 404 },
  setOrderBrake: {
    ask: (_, slug) => ({
      method: 'PUT',
      address: '/staff/phones/brake',
      body: { ...aPhone, lifted: true, branch_id: branchOf(slug) },
    }),
    elsewhere: 404,
  },
  boardEvents: {
    ask: (_, slug) => ({ address: `/staff/events?branch_id=${branchOf(slug)}` }),
    elsewhere: 404,
  },
  setChannelMode: {
    ask: (_, slug) => ({
      ...{
        method: 'PUT',
        address: `/staff/branches/${branchOf(slug)}/channels/pickup`,
        body: { mode: 'auto' },
      },
    }),
    elsewhere: 404,
  },
  setAvailability: {
    ask: (_, slug) => ({
      method: 'PUT',
      address: `/staff/branches/${branchOf(slug)}/items/${thingId('item', 'turkish', slug)}/availability`,
      body: { available: true },
    }),
    elsewhere: 404,
  },
  exportPerson: {
    ask: () => ({ method: 'POST', address: '/staff/people/export', body: aPhone }),
    elsewhere: null,
  },
  erasePerson: {
    ask: () => ({ method: 'POST', address: '/staff/people/erase', body: aPhone }),
    elsewhere: null,
  },
  listAudit: { ask: () => ({ address: '/staff/audit' }), elsewhere: null },
};
