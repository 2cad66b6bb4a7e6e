/** Every operation of the staff's side as it can be asked about things of a shop, for tests that are about all of them. */
import type { StaffOperationId } from '../../src/service/contract/index.ts';
import { branchId, thingId } from './cafe.ts';
import { elevateAll, OWN_FACTORS, withoutFactors } from './factors.ts';
import { anOrder, placed, post } from './guests.ts';
import {
  done,
  emailOf,
  pairedTill,
  PASSWORD,
  personId,
  PIN,
  rehire,
  signInAs,
  type Person,
} from './shift.ts';
import type { World } from './world.ts';

export interface Asked {
  readonly method?: 'POST' | 'PUT';
  readonly address: string;
  readonly body?: object;
}

export interface Case {
  /** What is asked about things of a shop. */
  readonly ask: (world: World, slug: string) => Asked | Promise<Asked>;
  /** What comes of it when the things are another shop's; null: it names none. */
  readonly elsewhere: 404 | 401 | null;
  /** What is asked instead, where that is about the one who asks, wherever they work. */
  readonly own?: (world: World, person: Person, slug: string) => Asked | Promise<Asked>;
  /** Puts things back that others ask with. */
  readonly undo?: (world: World, slug: string) => Promise<void>;
  /** Whether it ends other sign-ins of the one who asks. */
  readonly endsOthers?: boolean;
  /** Whether what was asked, or who asked, is used up by it. */
  readonly isOnce?: boolean;
}

/** What someone asks about their own second factors; made ready in another sign-in of theirs. */
const ownFactors = (operation: keyof typeof OWN_FACTORS): Case => {
  const asking = async (world: World, person: Person, slug: string): Promise<Asked> => {
    const ready = await OWN_FACTORS[operation](world, await signInAs(world, person, slug));
    await elevateAll(world);
    return ready;
  };
  return {
    ask: (world, slug) => asking(world, 'owner', slug),
    ...{ own: asking, elsewhere: null, undo: withoutFactors },
  };
};

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

const reauthenticating = (_: World, person: Person, slug: string): Asked => ({
  ...{ method: 'POST', address: '/staff/re-authenticate' },
  body: { email: emailOf(person, slug), password: PASSWORD },
});

/** Another sign-in of someone. */
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
  reauthenticate: { ask: ofOwner(reauthenticating), own: reauthenticating, elsewhere: null },
  staffSignOut: {
    ask: () => ({ method: 'POST', address: '/staff/sign-out' }),
    ...{ elsewhere: null, isOnce: true },
  },
  changePassword: {
    ask: () => ({
      ...{ method: 'POST', address: '/staff/me/password' },
      body: { current_password: PASSWORD, new_password: 'another password of the tests' },
    }),
    ...{ elsewhere: null, undo: rehire, isOnce: true, endsOthers: true },
  },
  changePin: {
    ask: () => ({
      ...{ method: 'POST', address: '/staff/me/pin', body: { current_pin: PIN, new_pin: '3805' } },
    }),
    ...{ elsewhere: null, undo: rehire, isOnce: true, endsOthers: true },
  },
  listSessions: { ask: () => ({ address: '/staff/me/sessions' }), elsewhere: null },
  endOwnSession: { ask: ofOwner(sessionOf), own: sessionOf, elsewhere: 404, isOnce: true },
  endOtherSessions: {
    ask: () => ({ method: 'POST', address: '/staff/me/sessions/end-others' }),
    ...{ elsewhere: null, isOnce: true, endsOthers: true },
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
  listSecondFactors: ownFactors('listSecondFactors'),
  beginTotp: ownFactors('beginTotp'),
  confirmTotp: ownFactors('confirmTotp'),
  beginPasskey: ownFactors('beginPasskey'),
  confirmPasskey: ownFactors('confirmPasskey'),
  makeRecoveryCodes: ownFactors('makeRecoveryCodes'),
  removeSecondFactor: ownFactors('removeSecondFactor'),
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
