/** Two shops with people who work in them, and the use cases of signing in on a real database. */
import { commonPasswordsIn } from '../../src/adapters/common-passwords.ts';
import { createSecurityEvents } from '../../src/adapters/security-events.ts';
import { systemRandom } from '../../src/adapters/system.ts';
import { createPasskeys } from '../../src/adapters/passkeys.ts';
import { Aside } from '../../src/platform/app/aside.ts';
import { createKeyring } from '../../src/platform/app/keyring.ts';
import { createPasswords } from '../../src/staff/app/passwords.ts';
import { authenticate, type Actor, type PairedDevice, type StaffDeps } from '../../src/staff/app/access.ts';
import { makePairingCode, pairDevice } from '../../src/staff/app/devices.ts';
import { pinSignIn, signIn, type SignedIn } from '../../src/staff/app/sign-in.ts';
import { createTokens } from '../../src/platform/app/tokens.ts';
import { connect, type Db } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { PATIENT } from './patience.ts';
import { asOwner, freshDatabase } from './postgres.ts';
import { insert, insertShop, type Row } from './rows.ts';
import { watchEvents, type WatchedEvents } from './security.ts';

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

export const BEANS = id(1);
export const OTHERS = id(2);
export const ZAMALEK = id(11);
export const MAADI = id(12);
export const ELSEWHERE = id(13);
/** Of the first shop, but for the stranger. */
export const PEOPLE = {
  owner: id(21),
  manager: id(22),
  teller: id(23),
  waiter: id(24),
  /** Works at the other branch. */
  kitchen: id(25),
  /** Has no PIN. */
  trainee: id(26),
  /** Was archived. */
  former: id(27),
  /** Works in the other shop. */
  stranger: id(28),
} as const;

export const PASSWORD = 'ahwa-demo';
export const PIN = '2468';

/** Quick to hash, so that tests are. */
export const CHEAP = { N: 2 ** 10, r: 8, p: 1 } as const;
const KEYS = ['a key of the tests'];
/** The keys of a staff house, and of its cheap hashes. */
export const keyring = createKeyring(KEYS);
export const cheapPasswords = createPasswords({ random: systemRandom, keyring, cost: CHEAP });

/** What signing in needs besides a database and a clock. */
export const staffParts = (): Omit<StaffDeps, 'db' | 'clock'> => ({
  random: systemRandom,
  tokens: createTokens(KEYS, systemRandom),
  keyring,
  passwords: cheapPasswords,
  passkeys: createPasskeys({ name: 'Ahwa', baseUrl: 'https://ahwa.example' }),
  security: createSecurityEvents({ warn: () => undefined }),
  aside: new Aside((fault) => {
    throw fault;
  }),
  commonPasswords: commonPasswordsIn('lists/common-passwords.txt.br'),
});

export interface StaffHouse {
  readonly db: Db<Database>;
  readonly deps: StaffDeps;
  readonly security: WatchedEvents;
  now: number;
  /** Signs in by e-mail from an address. */
  byPassword(email: string, password?: string, client?: string): Promise<SignedIn>;
  byPin(device: PairedDevice, staffId: string, pin?: string): Promise<SignedIn>;
  /** Who a token names. */
  who(token: string): Promise<Actor | null>;
  /** The owner, signed in. */
  owner(): Promise<Actor>;
  /** A device of a branch, newly paired. */
  paired(branchId?: string): Promise<{ readonly token: string; readonly device: PairedDevice }>;
  /** As it was at first: same people, no sign-ins, no devices. */
  reset(): Promise<void>;
  /** Actions of the audit log of the first shop, in order. */
  audited(): Promise<string[]>;
  close(): Promise<void>;
}

const addShops = async (db: Db<Database>): Promise<void> => {
  await insertShop(db.kysely, BEANS, 'beans');
  await insertShop(db.kysely, OTHERS, 'others');
  await insert(
    db.kysely,
    'branch',
    { org_id: BEANS, id: ZAMALEK, name: 'الزمالك', code: 'ZML' },
    { org_id: BEANS, id: MAADI, name: 'المعادي', code: 'MAD' },
    { org_id: OTHERS, id: ELSEWHERE, name: 'هناك', code: 'ELS' },
  );
};

const addPeople = async (db: Db<Database>): Promise<void> => {
  const [password, pin] = [await cheapPasswords.hash(PASSWORD), await cheapPasswords.hash(PIN)];
  const person = (who: keyof typeof PEOPLE, row: Row): Row => ({
    org_id: BEANS,
    id: PEOPLE[who],
    name: who,
    role: who,
    email: null,
    password_hash: null,
    pin_hash: pin,
    branch_ids: [ZAMALEK],
    is_active: true,
    created_at: '2026-01-01T00:00:00Z',
    archived_at: null,
    ...row,
  });
  await insert(
    db.kysely,
    'staff',
    person('owner', { email: 'owner@beans.example', password_hash: password, branch_ids: null }),
    person('manager', { email: 'Manager@beans.example', password_hash: password }),
    person('teller', {}),
    person('waiter', { branch_ids: null }),
    person('kitchen', { branch_ids: [MAADI] }),
    person('trainee', { role: 'teller', pin_hash: null, email: 'trainee@beans.example' }),
    person('former', {
      role: 'manager',
      email: 'former@beans.example',
      password_hash: password,
      archived_at: '2026-02-01T00:00:00Z',
    }),
    person('stranger', { org_id: OTHERS, role: 'teller', branch_ids: null }),
  );
};

const TABLES = [
  'staff_session',
  'staff_device',
  'sign_in_failure',
  'account_failure',
  'known_device',
  'wrong_tries',
  'staff',
] as const;

const START = Date.parse('2026-11-20T18:00:00Z');

export const openStaffHouse = async (): Promise<StaffHouse> => {
  const database = await freshDatabase();
  const db = connect<Database>(database.connection, PATIENT);
  await addShops(db);
  await addPeople(db);
  const time = { now: START };
  const security = watchEvents();
  const deps: StaffDeps = {
    db,
    clock: { now: () => time.now },
    ...staffParts(),
    security,
  };
  const known = authenticate(deps);
  const byPassword: StaffHouse['byPassword'] = (email, password = PASSWORD, client = '198.51.100.7') =>
    signIn(deps)({ email, password, client });
  const owner = async (): Promise<Actor> => {
    const actor = await known.staff((await byPassword('owner@beans.example')).token);
    if (actor === null) throw new Error('the owner’s new token names nobody');
    return actor;
  };
  return {
    db,
    deps,
    security,
    get now() {
      return time.now;
    },
    set now(instant) {
      time.now = instant;
    },
    byPassword,
    byPin: (device, staffId, pin = PIN) =>
      pinSignIn(deps)(device, { staff_id: staffId, pin, client: '198.51.100.7' }),
    who: known.staff,
    owner,
    paired: async (branchId = ZAMALEK) => {
      const code = await makePairingCode(deps)(await owner(), { branch_id: branchId, label: 'الكاشير' });
      const { device_token: token } = await pairDevice(deps)(code);
      const device = await known.device(token);
      if (device === null) throw new Error('a new device’s token names none');
      return { token, device };
    },
    reset: async () => {
      await deps.aside.settled();
      for (const table of TABLES) await db.kysely.deleteFrom(table).execute();
      await asOwner(database, 'delete from audit');
      await db.kysely.updateTable('shop').set({ is_active: true }).execute();
      await addPeople(db);
      time.now = START;
    },
    audited: async () => {
      await deps.aside.settled();
      const rows = await db.kysely
        .selectFrom('audit')
        .select('action')
        .where('org_id', '=', BEANS)
        .orderBy('at')
        .execute();
      return rows.map(({ action }) => action);
    },
    close: async () => {
      await deps.aside.settled();
      await db.close();
      await database.drop();
    },
  };
};

/** How each of several tries ended: the token's kind, or the refusal. */
export const outcomes = async (tries: readonly Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(tries)).map((tried) => {
    if (tried.status === 'fulfilled') return 'in';
    const { refusal } = tried.reason as { refusal?: string };
    if (refusal === undefined) throw tried.reason;
    return refusal;
  });

export const countOf = (all: readonly string[], one: string): number =>
  all.filter((each) => each === one).length;

/** Switches the shop off, or on again. */
export const switchShop = async (house: StaffHouse, isActive: boolean): Promise<void> => {
  await house.db.kysely
    .updateTable('shop')
    .set({ is_active: isActive })
    .where('org_id', '=', BEANS)
    .execute();
};
