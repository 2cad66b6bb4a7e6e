/** Staff over HTTP: a shop with every role at two branches, sign-in, devices, changes of orders. */
import { aProgramme } from './members.ts';
import { setPassword, setPin } from '../../../src/staff/app/staff.ts';
import type { BodyOf, ReplyOf } from '../../../src/platform/contract/endpoint.ts';
import type { EndpointOf, StaffOperationId } from '../../../src/service/contract/endpoints.ts';
import type { ShopFile } from '../../../src/shopfile/contract/shopfile.ts';
import type { Uuid } from '../../../src/kernel/ids.ts';
import { ROLES, type Role } from '../../../src/kernel/permission.ts';
import { setSecret } from '../../../src/staff/store/staff.ts';
import { aBranch, aShopFile, aTable, branchId, openShops, shopId, SLUG, thingId } from '../shops/cafe.ts';
import { done, post } from '../server/requests.ts';
import { makeWorld, type World } from '../server/world.ts';
import type { Reply } from '../server/http-client.ts';

export type StaffReply<Id extends StaffOperationId> = ReplyOf<EndpointOf<Id>>;
export type StaffBody<Id extends StaffOperationId> = BodyOf<EndpointOf<Id>>;
export type StaffOrder = StaffReply<'getOrder'>;

type Member = NonNullable<ShopFile['staff']>[number];

export const PASSWORD = 'a password of the tests';
export const PIN = '7294';

/** One person per role, named like it; `ramy` is a teller of the other branch. */
export type Person = Role | 'ramy';
export const PEOPLE: readonly Person[] = [...ROLES, 'ramy'];

export const emailOf = (person: string, slug = SLUG): string => `${person}@${slug}.example`;

export const aMember = (
  key: string,
  role: Member['role'],
  more: Partial<Member> = {},
  slug = SLUG,
): Member => ({
  key,
  name: key,
  role,
  email: emailOf(key, slug),
  ...more,
});

const TABLES = ['t1', 't2', 't3', 't4'].map((key) => aTable(key, 4));

const openBranch = (key: string, code: string, tables = [] as typeof TABLES) =>
  aBranch({
    tables,
    ...{ key, code, name: { ar: key, en: key }, otp_required: false, location: { lat: 30.06, lng: 31.22 } },
    channels: { pickup: {}, in_mall: { fee: 1000 }, umbrella: { fee: 1500 }, outside: { fee: 2500 } },
    online_hours: [{ open: '00:00', close: '00:00' }],
    confirm_table_orders: true,
  });

/**
 * Two branches that take orders on every channel without codes, and confirm those of tables, `zamalek` with four tables; the owner works at both, ramy at `maadi`, the others at
 * `zamalek`.
 */
export const aStaffedShop = (slug = SLUG, overrides: Partial<ShopFile> = {}): ShopFile =>
  aShopFile({
    slug,
    loyalty: aProgramme(),
    branches: [openBranch('zamalek', 'ZML', TABLES), openBranch('maadi', 'MAD')],
    staff: [
      ...ROLES.map((role) => aMember(role, role, role === 'owner' ? {} : { branches: ['zamalek'] }, slug)),
      aMember('ramy', 'teller', { branches: ['maadi'] }, slug),
    ],
    ...overrides,
  });

export const personId = (person: string, slug = SLUG): Uuid => thingId('staff', person, slug);

/** Sets the password and PIN of everybody in `aStaffedShop`, or of some. */
export const setCredentials = async (
  world: World,
  slug = SLUG,
  people: readonly Person[] = PEOPLE,
): Promise<void> => {
  for (const person of people) {
    await setPassword(world.app, slug, emailOf(person, slug), PASSWORD);
    await setPin(world.app, slug, personId(person, slug), PIN);
  }
};

/** The world with `aStaffedShop`, whose people have their passwords and PINs. */
export const aStaffedWorld = async (options?: Parameters<typeof makeWorld>[0]): Promise<World> => {
  const world = await makeWorld(options);
  await openShops(world, aStaffedShop());
  await setCredentials(world);
  return world;
};

/** Restores all passwords and PINs; sessions stay valid. */
export const resetCredentials = async (world: World, slug = SLUG): Promise<void> => {
  const [orgId, ids] = [shopId(slug), PEOPLE.map((person) => personId(person, slug))];
  await setSecret(world.db.kysely, orgId, ids, 'password_hash', await world.app.passwords.hash(PASSWORD));
  await setSecret(world.db.kysely, orgId, ids, 'pin_hash', await world.app.passwords.hash(PIN));
};

/** The Authorization header of a session or device. */
export type SignedIn = Readonly<Record<'authorization', string>>;

export const bearer = (token: string | null): SignedIn => ({ authorization: `Bearer ${token}` });

/** Signs a member of staff in by e-mail, once `setCredentials` has run. */
export const signInAs = async (world: World, person: string, slug = SLUG): Promise<SignedIn> => {
  const credentials = { email: emailOf(person, slug), password: PASSWORD };
  const { token } = done('staffSignIn', await post(world, '/staff/sign-in', credentials));
  return bearer(token);
};

/** Gives one member of staff a password and signs them in: for shops of a test's own. */
export const setPasswordAndSignIn = async (world: World, person: string, slug = SLUG): Promise<SignedIn> => {
  await setPassword(world.app, slug, emailOf(person, slug), PASSWORD);
  return signInAs(world, person, slug);
};

/** Re-authenticates a session by password; returns the same session. */
export const elevate = async (
  world: World,
  who: SignedIn,
  person: Person,
  slug = SLUG,
): Promise<SignedIn> => {
  const given = { email: emailOf(person, slug), password: PASSWORD };
  done('reauthenticate', await post(world, '/staff/re-authenticate', given, who));
  return who;
};

export interface Till {
  readonly id: Uuid;
  readonly device: SignedIn;
  signIn(person: Person): Promise<SignedIn>;
}

/** A device that an owner pairs at a branch. */
export const deviceAt = async (
  world: World,
  owner: SignedIn,
  branch: Uuid,
): Promise<Omit<Till, 'signIn'>> => {
  const wanted = { branch_id: branch, label: 'الكاشير' };
  const { pairing_code } = done('makePairingCode', await post(world, '/staff/devices', wanted, owner));
  const paired = done('pairDevice', await post(world, '/staff/devices/pair', { pairing_code }));
  return { id: paired.device_id, device: bearer(paired.device_token) };
};

/** Pairs a device of a branch, as the owner. */
export const pairedTill = async (world: World, branch = 'zamalek', slug = SLUG): Promise<Till> => {
  const owner = await signInAs(world, 'owner', slug);
  const { id, device } = await deviceAt(world, owner, branchId(branch, slug));
  return {
    ...{ id, device },
    signIn: async (person) => {
      const given = { staff_id: personId(person, slug), pin: PIN };
      return bearer(done('pinSignIn', await post(world, '/staff/pin', given, device)).token);
    },
  };
};

/** The address of a stream of a branch's events, with a new token. */
export const streamAddress = async (world: World, who: SignedIn, branch: Uuid): Promise<string> => {
  const reply = await post(world, '/staff/events/token', { branch_id: branch }, who);
  return `/staff/events/${done('makeStreamToken', reply).stream_token}`;
};

/** Changes an order: `change(world, who, order, 'move', { to, from })`; returns the reply. */
export const change = (
  world: World,
  who: SignedIn,
  orderId: Uuid,
  what: 'move' | 'cancel' | 'finalize' | 'reopen' | 'prep-time' | 'printed',
  body?: unknown,
): Promise<Reply> => {
  const address = `/staff/orders/${orderId}/${what}`;
  return body === undefined
    ? world.send('POST', address, { ...who })
    : post(world, address, body, { ...who });
};

/** As `change`; must succeed, returns the changed order. */
export const changed = async (...asked: Parameters<typeof change>): Promise<StaffOrder> =>
  done('getOrder', await change(...asked));

export const orderOf = async (world: World, who: SignedIn, orderId: Uuid): Promise<StaffOrder> =>
  done('getOrder', await world.get(`/staff/orders/${orderId}`, { ...who }));
