/** A shop at work: people of every role at two branches, their devices, and what they do over HTTP. */
import { sql } from 'kysely';
import { setPassword, setPin } from '../../src/staff/app/staff.ts';
import type { BodyOf, ReplyOf } from '../../src/platform/contract/endpoint.ts';
import type { EndpointOf, OperationId, StaffOperationId } from '../../src/service/contract/index.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import type { Uuid } from '../../src/kernel/ids.ts';
import { ROLES, type Role } from '../../src/kernel/permission.ts';
import { setSecret } from '../../src/staff/store/staff.ts';
import { aBranch, aShopFile, branchId, shopId, SLUG, thingId } from './cafe.ts';
import { aMember, type SignedIn } from './crew.ts';
import { post } from './guests.ts';
import type { Reply, World } from './world.ts';

export type StaffReply<Id extends StaffOperationId> = ReplyOf<EndpointOf<Id>>;
export type StaffBody<Id extends StaffOperationId> = BodyOf<EndpointOf<Id>>;
export type StaffOrder = StaffReply<'getOrder'>;

export const PASSWORD = 'a password of the tests';
export const PIN = '7294';

/** Someone of each role, who has its name; `ramy` is a teller of the other branch. */
export type Person = Role | 'ramy';
export const PEOPLE: readonly Person[] = [...ROLES, 'ramy'];

const openBranch = (key: string, code: string) =>
  aBranch({
    ...{ key, code, name: { ar: key, en: key }, otp_required: false, location: { lat: 30.06, lng: 31.22 } },
    channels: { pickup: {}, in_mall: { fee: 1000 }, umbrella: { fee: 1500 }, outside: { fee: 2500 } },
    online_hours: [{ open: '00:00', close: '00:00' }],
  });

/** Two branches that take every kind of order without codes; the owner works at both, ramy at `maadi`, the rest at `zamalek`. */
export const aShopAtWork = (slug = SLUG, overrides: Partial<ShopFile> = {}): ShopFile =>
  aShopFile({
    slug,
    branches: [openBranch('zamalek', 'ZML'), openBranch('maadi', 'MAD')],
    staff: [
      ...ROLES.map((role) => aMember(role, role, role === 'owner' ? {} : { branches: ['zamalek'] }, slug)),
      aMember('ramy', 'teller', { branches: ['maadi'] }, slug),
    ],
    ...overrides,
  });

export const personId = (person: string, slug = SLUG): Uuid => thingId('staff', person, slug);
export const emailOf = (person: string, slug = SLUG): string => `${person}@${slug}.example`;

/** Gives everybody of the shop a password and a PIN. */
export const hire = async (world: World, slug = SLUG): Promise<void> => {
  for (const person of PEOPLE) {
    await setPassword(world.app, slug, emailOf(person, slug), PASSWORD);
    await setPin(world.app, slug, personId(person, slug), PIN);
  }
};

/** Gives everybody the same password and PIN again, whose sign-ins go on. */
export const rehire = async (world: World, slug = SLUG): Promise<void> => {
  const [orgId, ids] = [shopId(slug), PEOPLE.map((person) => personId(person, slug))];
  await setSecret(world.db.kysely, orgId, ids, 'password_hash', await world.app.passwords.hash(PASSWORD));
  await setSecret(world.db.kysely, orgId, ids, 'pin_hash', await world.app.passwords.hash(PIN));
};

const bearer = (token: string): SignedIn => ({ authorization: `Bearer ${token}` });

/** The 200 (or 201) of an operation. */
export const done = <Id extends OperationId | StaffOperationId>(
  _: Id,
  { status, body, text }: Reply,
): ReplyOf<EndpointOf<Id>> => {
  if (status !== 200 && status !== 201) throw new Error(`answered ${status}: ${text}`);
  // The shape was checked against the document.
  return body as ReplyOf<EndpointOf<Id>>;
};

/** Someone signed in by e-mail. */
export const signInAs = async (world: World, person: Person, slug = SLUG): Promise<SignedIn> => {
  const given = { email: emailOf(person, slug), password: PASSWORD };
  const { token } = done('staffSignIn', await post(world, '/staff/sign-in', given));
  return bearer(token);
};

/** Someone who is signed in gives their password once more; the same session. */
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
  /** The header line of the device itself. */
  readonly device: SignedIn;
  /** Someone signs in on it with their PIN. */
  signIn(person: Person): Promise<SignedIn>;
}

/** A device of a branch, newly paired by the owner. */
export const pairedTill = async (world: World, branch = 'zamalek', slug = SLUG): Promise<Till> => {
  const owner = await signInAs(world, 'owner', slug);
  const wanted = { branch_id: branchId(branch, slug), label: 'الكاشير' };
  const { pairing_code } = done('makePairingCode', await post(world, '/staff/devices', wanted, owner));
  const { device_token, device_id } = done(
    'pairDevice',
    await post(world, '/staff/devices/pair', { pairing_code }),
  );
  const device = bearer(device_token);
  return {
    id: device_id,
    device,
    signIn: async (person) => {
      const given = { staff_id: personId(person, slug), pin: PIN };
      return bearer(done('pinSignIn', await post(world, '/staff/pin', given, device)).token);
    },
  };
};

/** What someone does to an order: `change(world, who, order, 'move', { to, from })`. */
export const change = (
  world: World,
  who: SignedIn,
  orderId: Uuid,
  what: 'move' | 'cancel' | 'finalize' | 'prep-time' | 'printed',
  body?: unknown,
): Promise<Reply> => {
  const address = `/staff/orders/${orderId}/${what}`;
  return body === undefined
    ? world.send('POST', address, { ...who })
    : post(world, address, body, { ...who });
};

/** The same, done: the order as it is then. */
export const changed = async (...asked: Parameters<typeof change>): Promise<StaffOrder> =>
  done('getOrder', await change(...asked));

export const orderOf = async (world: World, who: SignedIn, orderId: Uuid): Promise<StaffOrder> =>
  done('getOrder', await world.get(`/staff/orders/${orderId}`, { ...who }));

export interface Audited {
  readonly action: string;
  readonly subject: string;
  readonly subject_id: Uuid | null;
  readonly staff_id: Uuid | null;
  readonly device_id: Uuid | null;
  readonly branch_id: Uuid | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** What the audit log has of a thing, oldest first. */
export const auditOf = (world: World, subjectId: Uuid): Promise<Audited[]> =>
  world.db.kysely
    .selectFrom('audit')
    .select(['action', 'subject', 'subject_id', 'staff_id', 'device_id', 'branch_id', 'detail'])
    .where('subject_id', '=', subjectId)
    .orderBy('at')
    // Transactions in their order: the clock is set by hand, and a row may lie where another was cleaned away.
    .orderBy(sql`xmin::text::bigint, cmin::text::bigint`)
    .execute();

/** The messages to the guest of an order that wait to be sent, in their order. */
export const messagesOf = async (world: World, orderId: Uuid): Promise<string[]> => {
  const rows = await world.db.kysely
    .selectFrom('outbox')
    .select('payload')
    .where('subject_id', '=', orderId)
    .where('kind', '=', 'message')
    .orderBy('position')
    .execute();
  return rows.map(({ payload }) => (payload as { template: string }).template);
};
