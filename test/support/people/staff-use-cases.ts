/** The sign-in use cases on a real database, without HTTP: two shops and their staff, inserted as rows. */
import { loadCommonPasswords } from '../../../src/adapters/common-passwords.ts';
import { createSecurityEvents } from '../../../src/adapters/security-events.ts';
import { systemRandom } from '../../../src/adapters/system.ts';
import { createPasskeys } from '../../../src/adapters/passkeys.ts';
import { ShopCodes } from '../../../src/shops/app/shop-codes.ts';
import { BackgroundTasks } from '../../../src/platform/app/background-tasks.ts';
import { createKeyring } from '../../../src/platform/app/keyring.ts';
import { createPasswords } from '../../../src/staff/app/passwords.ts';
import {
  authenticate,
  type Actor,
  type PairedDevice,
  type StaffDeps,
} from '../../../src/staff/app/access.ts';
import { makePairingCode, pairDevice } from '../../../src/staff/app/devices.ts';
import { pinSignIn, signIn, type SignedIn } from '../../../src/staff/app/sign-in.ts';
import { createTokens } from '../../../src/platform/app/tokens.ts';
import { connect, type Db } from '../../../src/platform/store/db.ts';
import type { Database } from '../../../src/platform/store/schema.ts';
import { PATIENT } from '../database/patient-options.ts';
import { asOwner, freshDatabase } from '../database/test-database.ts';
import { insert, insertShop, type Row } from '../database/rows.ts';
import { watchEvents, type WatchedEvents } from '../server/security-events.ts';

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

export const BEANS = id(1);
export const OTHERS = id(2);
export const ZAMALEK = id(11);
export const MAADI = id(12);
export const ELSEWHERE = id(13);
/** Staff of the first shop, except `stranger`. */
export const PEOPLE = {
  owner: id(21),
  manager: id(22),
  teller: id(23),
  waiter: id(24),
  /** Works at the other branch. */
  kitchen: id(25),
  /** Has no PIN. */
  trainee: id(26),
  former: id(27),
  /** Works in the other shop. */
  stranger: id(28),
} as const;

export const PASSWORD = 'ahwa-demo';
export const PIN = '2468';

export const CHEAP = { N: 2 ** 10, r: 8, p: 1 } as const;
const KEYS = ['a key of the tests'];
export const keyring = createKeyring(KEYS);
export const cheapPasswords = createPasswords({ random: systemRandom, keyring, cost: CHEAP });

/** `StaffDeps` without database and clock. */
export const staffParts = (): Omit<StaffDeps, 'db' | 'clock'> => ({
  random: systemRandom,
  tokens: createTokens(KEYS, systemRandom),
  keyring,
  passwords: cheapPasswords,
  passkeys: createPasskeys({ name: 'Ahwa', baseUrl: 'https://ahwa.example' }),
  security: createSecurityEvents({ warn: () => undefined }),
  backgroundTasks: new BackgroundTasks((fault) => {
    throw fault;
  }),
  commonPasswords: loadCommonPasswords('lists/common-passwords.txt.br'),
  shopCodes: new ShopCodes({ subscribe: () => () => undefined }),
});

export interface StaffFixture {
  readonly db: Db<Database>;
  readonly deps: StaffDeps;
  readonly security: WatchedEvents;
  now: number;
  byPassword(email: string, password?: string, client?: string): Promise<SignedIn>;
  byPin(device: PairedDevice, staffId: string, pin?: string): Promise<SignedIn>;
  who(token: string): Promise<Actor | null>;
  owner(): Promise<Actor>;
  paired(branchId?: string): Promise<{ readonly token: string; readonly device: PairedDevice }>;
  /** Restores the initial state: the same people, no sessions, no devices. */
  reset(): Promise<void>;
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

export const openStaffFixture = async (): Promise<StaffFixture> => {
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
  const byPassword: StaffFixture['byPassword'] = (email, password = PASSWORD, client = '198.51.100.7') =>
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
      await deps.backgroundTasks.settled();
      for (const table of TABLES) await db.kysely.deleteFrom(table).execute();
      await asOwner(database, 'delete from audit');
      await db.kysely.updateTable('shop').set({ is_active: true }).execute();
      await addPeople(db);
      time.now = START;
    },
    audited: async () => {
      await deps.backgroundTasks.settled();
      const rows = await db.kysely
        .selectFrom('audit')
        .select('action')
        .where('org_id', '=', BEANS)
        .orderBy('at')
        .execute();
      return rows.map(({ action }) => action);
    },
    close: async () => {
      await deps.backgroundTasks.settled();
      await db.close();
      await database.release();
    },
  };
};

/** The outcome of each try: `in`, or the name of the refusal. */
export const outcomes = async (tries: readonly Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(tries)).map((tried) => {
    if (tried.status === 'fulfilled') return 'in';
    const { refusal } = tried.reason as { refusal?: string };
    if (refusal === undefined) throw tried.reason;
    return refusal;
  });

export const countOf = (all: readonly string[], one: string): number =>
  all.filter((each) => each === one).length;

export const setShopActive = async (house: StaffFixture, isActive: boolean): Promise<void> => {
  await house.db.kysely
    .updateTable('shop')
    .set({ is_active: isActive })
    .where('org_id', '=', BEANS)
    .execute();
};
