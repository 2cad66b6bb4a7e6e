/** Signing in on a real database: by password, by PIN on a paired device, and concurrently. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPasswords } from '../../src/staff/app/passwords.ts';
import { signOut, type Actor, type StaffDeps } from '../../src/staff/app/access.ts';
import { pinSignIn, signIn } from '../../src/staff/app/sign-in.ts';
import { Refusal } from '../../src/kernel/refusal.ts';
import { systemRandom } from '../../src/adapters/system.ts';
import { permissionsOf } from '../../src/kernel/permission.ts';
import { at } from '../../src/platform/store/db.ts';
import {
  CHEAP,
  keyring,
  MAADI,
  countOf,
  openStaffFixture,
  outcomes,
  PEOPLE,
  BEANS,
  ZAMALEK,
  setShopActive,
  type StaffFixture,
} from '../support/people/staff-use-cases.ts';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
let fixture: StaffFixture;
beforeAll(async () => {
  fixture = await openStaffFixture();
});
beforeEach(() => fixture.reset());
afterAll(() => fixture.close());

const denied = { refusal: 'WRONG_PASSWORD' };
const badPin = { refusal: 'WRONG_PIN' };

const changePerson = async (id: string, change: { is_active?: boolean; role?: string }): Promise<void> => {
  await fixture.db.kysely.updateTable('staff').set(change).where('id', '=', id).execute();
};

const archive = async (id: string): Promise<void> => {
  await fixture.db.kysely
    .updateTable('staff')
    .set({ archived_at: at(fixture.now) })
    .where('id', '=', id)
    .execute();
};

describe('sign-in by e-mail and password', () => {
  test('an owner gets a twelve-hour token with every permission and branch', async () => {
    const reply = await fixture.byPassword('owner@beans.example');
    expect(reply).toMatchObject({
      expires_at: '2026-11-21T06:00:00.000Z',
      permissions: permissionsOf('owner'),
      org_id: BEANS,
      staff: { id: PEOPLE.owner, name: 'owner', role: 'owner' },
      branch_ids: null,
    });
    expect(reply.token).toMatch(/^stf_[0-9a-f]{10}_[\w-]{43}$/);
    expect(await fixture.who(reply.token)).toMatchObject({
      orgId: BEANS,
      staffId: PEOPLE.owner,
      name: 'owner',
      role: 'owner',
      permissions: permissionsOf('owner'),
      branchIds: null,
      deviceId: null,
    });
    fixture.now += 12 * HOUR - 1;
    expect(await fixture.who(reply.token)).not.toBeNull();
    fixture.now += 1;
    expect(await fixture.who(reply.token)).toBeNull();
  });

  test('the e-mail address ignores case and surrounding spaces', async () => {
    const { token } = await fixture.byPassword(' MANAGER@Beans.example ');
    expect(await fixture.who(token)).toMatchObject({ role: 'manager', branchIds: [ZAMALEK] });
  });

  test('a token is stored only as a hash', async () => {
    const { token } = await fixture.byPassword('owner@beans.example');
    const rows = await fixture.db.kysely.selectFrom('staff_session').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token.slice(4));
    expect(await fixture.who(token.toUpperCase())).toBeNull();
    expect(await fixture.who('')).toBeNull();
  });

  test.each([
    ['a wrong password', 'owner@beans.example', 'ahwa-demO'],
    ['an empty password', 'owner@beans.example', ''],
    ['an unknown address', 'nobody@beans.example', 'ahwa-demo'],
    ['an address without a password', 'trainee@beans.example', ''],
    ['someone who was archived', 'former@beans.example', 'ahwa-demo'],
    ['no address', '', 'ahwa-demo'],
  ])('%s is refused with WRONG_PASSWORD and no figures', async (_, email, password) => {
    await expect(fixture.byPassword(email, password)).rejects.toMatchObject({ ...denied, figures: {} });
  });

  test('after five wrong passwords in 15 minutes only this account and address must wait', async () => {
    for (let wrong = 0; wrong < 5; wrong += 1) {
      await expect(fixture.byPassword('owner@beans.example', `wrong ${wrong}`)).rejects.toMatchObject(denied);
      fixture.now += MINUTE;
    }
    await expect(fixture.byPassword('OWNER@beans.example')).rejects.toMatchObject({
      refusal: 'RATE_LIMITED',
      figures: { retry_after_seconds: 10 * 60 },
    });
    await fixture.byPassword('owner@beans.example', undefined, '203.0.113.9');
    await fixture.byPassword('manager@beans.example');
    fixture.now += 10 * MINUTE - 1;
    await expect(fixture.byPassword('owner@beans.example')).rejects.toMatchObject({
      figures: { retry_after_seconds: 1 },
    });
    fixture.now += 1;
    await fixture.byPassword('owner@beans.example');
  });

  test('an unknown account is limited like a known one', async () => {
    const tries = Array.from({ length: 8 }, () => fixture.byPassword('nobody@beans.example'));
    expect(countOf(await outcomes(tries), 'RATE_LIMITED')).toBe(3);
  });

  test('a right password neither adds to nor clears the count of wrong ones', async () => {
    const wrong = (): Promise<unknown> => fixture.byPassword('owner@beans.example', 'wrong password');
    for (let tried = 0; tried < 4; tried += 1) {
      await expect(wrong()).rejects.toMatchObject(denied);
      await fixture.byPassword('owner@beans.example');
    }
    await expect(wrong()).rejects.toMatchObject(denied);
    await expect(fixture.byPassword('owner@beans.example')).rejects.toMatchObject({
      refusal: 'RATE_LIMITED',
    });
  });

  test('of 20 concurrent wrong passwords five are verified', async () => {
    const tries = Array.from({ length: 20 }, (_, at) =>
      fixture.byPassword('owner@beans.example', `guess ${at}`),
    );
    const ends = await outcomes(tries);
    expect([countOf(ends, 'WRONG_PASSWORD'), countOf(ends, 'RATE_LIMITED')]).toEqual([5, 15]);
  });

  test('a sign-in rehashes a password stored at an older cost', async () => {
    const dearer = createPasswords({ random: systemRandom, keyring, cost: { ...CHEAP, N: 2 ** 11 } });
    const deps = { ...fixture.deps, passwords: dearer };
    const stored = async (): Promise<string | null | undefined> =>
      (
        await fixture.db.kysely
          .selectFrom('staff')
          .select('password_hash')
          .where('id', '=', PEOPLE.owner)
          .executeTakeFirst()
      )?.password_hash;
    expect(await stored()).toMatch(/^scrypt\$1024\$/);
    await signIn(deps)({ email: 'owner@beans.example', password: 'ahwa-demo', client: 'here' });
    expect(await stored()).toMatch(/^scrypt\$2048\$/);
    await signIn(deps)({ email: 'owner@beans.example', password: 'ahwa-demo', client: 'here' });
  });
});

describe('a sign-in refused before hashing', () => {
  const counting = () => {
    const taken = { hashings: 0, turns: 0 };
    const { passwords } = fixture.deps;
    const deps: StaffDeps = {
      ...fixture.deps,
      passwords: {
        ...passwords,
        verify: (...given) => {
          taken.hashings += 1;
          return passwords.verify(...given);
        },
        admit: (kind, waiting, signingIn) => {
          taken.turns += 1;
          return passwords.admit(kind, waiting, signingIn);
        },
      },
    };
    return { taken, deps };
  };

  test.each(['', 'owner', 'owner@', '@beans.example', 'a b@beans.example', 'a@b@c'])(
    'the malformed e-mail address ‘%s’ is refused without queueing or hashing',
    async (email) => {
      const { taken, deps } = counting();
      const tried = signIn(deps)({ email, password: 'ahwa-demo', client: 'here' });
      await expect(tried).rejects.toMatchObject(denied);
      expect(taken).toEqual({ hashings: 0, turns: 0 });
    },
  );

  test('a password that is too short is refused without hashing and counts as wrong', async () => {
    const { taken, deps } = counting();
    for (let tried = 0; tried < 5; tried += 1)
      await expect(
        signIn(deps)({ email: 'owner@beans.example', password: 'short', client: 'here' }),
      ).rejects.toMatchObject(denied);
    expect(taken.hashings).toBe(0);
    const right = signIn(deps)({ email: 'owner@beans.example', password: 'ahwa-demo', client: 'here' });
    await expect(right).rejects.toMatchObject({ refusal: 'RATE_LIMITED' });
  });

  test('an account or device that must wait is refused without queueing or hashing', async () => {
    const { device } = await fixture.paired();
    await outcomes(
      Array.from({ length: 5 }, () => fixture.byPassword('owner@beans.example', 'wrong password')),
    );
    await outcomes(Array.from({ length: 4 }, () => fixture.byPin(device, PEOPLE.teller, '1111')));
    const { taken, deps } = counting();
    const tried = { email: 'owner@beans.example', password: 'ahwa-demo', client: '198.51.100.7' };
    await expect(signIn(deps)(tried)).rejects.toMatchObject({ refusal: 'RATE_LIMITED' });
    const pin = { staff_id: PEOPLE.waiter, pin: '2468', client: '198.51.100.7' };
    await expect(pinSignIn(deps)(device, pin)).rejects.toMatchObject({ refusal: 'PIN_THROTTLED' });
    expect(taken).toEqual({ hashings: 0, turns: 0 });
  });
});

describe('sign-in with a PIN', () => {
  test('staff of the branch sign in on its device', async () => {
    const { device } = await fixture.paired();
    const reply = await fixture.byPin(device, PEOPLE.teller);
    expect(reply).toMatchObject({
      permissions: permissionsOf('teller'),
      staff: { id: PEOPLE.teller, role: 'teller' },
      branch_ids: [ZAMALEK],
      expires_at: '2026-11-21T06:00:00.000Z',
    });
    const { deviceId } = device;
    expect(await fixture.who(reply.token)).toMatchObject({ staffId: PEOPLE.teller, deviceId });
    await fixture.byPin(device, PEOPLE.waiter, '٢٤٦٨');
    await fixture.byPin(device, PEOPLE.owner);
    await fixture.byPin(device, PEOPLE.teller.toUpperCase());
  });

  test.each([
    ['a wrong PIN', PEOPLE.teller, '2469'],
    ['something that is no PIN', PEOPLE.teller, 'open sesame'],
    ['someone of another branch', PEOPLE.kitchen, '2468'],
    ['someone of another shop', PEOPLE.stranger, '2468'],
    ['someone without a PIN', PEOPLE.trainee, '2468'],
    ['someone who was archived', PEOPLE.former, '2468'],
    ['nobody', '00000000-0000-4000-8000-00000000dead', '2468'],
    ['no id', 'teller', '2468'],
  ])('%s is refused with WRONG_PIN and counts', async (_, staffId, pin) => {
    const { device } = await fixture.paired();
    for (let tried = 0; tried < 4; tried += 1)
      await expect(fixture.byPin(device, staffId, pin)).rejects.toMatchObject({ ...badPin, figures: {} });
    await expect(fixture.byPin(device, PEOPLE.teller)).rejects.toMatchObject({
      refusal: 'PIN_THROTTLED',
      figures: { retry_after_seconds: 5 },
    });
  });

  test('during a wait the right PIN is refused; after the wait it clears the count', async () => {
    const { device } = await fixture.paired();
    for (let tried = 0; tried < 4; tried += 1)
      await expect(fixture.byPin(device, PEOPLE.teller, '1111')).rejects.toMatchObject(badPin);
    fixture.now += 4 * SECOND;
    for (let tried = 0; tried < 3; tried += 1)
      await expect(fixture.byPin(device, PEOPLE.teller)).rejects.toMatchObject({
        refusal: 'PIN_THROTTLED',
        figures: { retry_after_seconds: 1 },
      });
    fixture.now += SECOND;
    await fixture.byPin(device, PEOPLE.teller);
    for (let tried = 0; tried < 3; tried += 1)
      await expect(fixture.byPin(device, PEOPLE.teller, '1111')).rejects.toMatchObject(badPin);
    await fixture.byPin(device, PEOPLE.teller);
  });

  test('a wait applies to one device; the person can sign in on another', async () => {
    const [one, two] = [await fixture.paired(), await fixture.paired()];
    for (let tried = 0; tried < 4; tried += 1)
      await expect(fixture.byPin(one.device, PEOPLE.teller, '1111')).rejects.toMatchObject(badPin);
    await expect(fixture.byPin(one.device, PEOPLE.waiter)).rejects.toMatchObject({
      refusal: 'PIN_THROTTLED',
    });
    await fixture.byPin(two.device, PEOPLE.teller);
  });

  test('of 20 concurrent wrong PINs four are verified, then one after each wait', async () => {
    const { device } = await fixture.paired();
    const guess = (): Promise<string[]> =>
      outcomes(
        Array.from({ length: 20 }, (_, at) => fixture.byPin(device, PEOPLE.teller, String(1000 + at))),
      );
    const verified: number[] = [];
    for (const wait of [5, 15, 60, 300, 900, 900]) {
      const ends = await guess();
      expect(countOf(ends, 'PIN_THROTTLED')).toBe(20 - countOf(ends, 'WRONG_PIN'));
      verified.push(countOf(ends, 'WRONG_PIN'));
      fixture.now += wait * SECOND;
    }
    expect(verified).toEqual([4, 1, 1, 1, 1, 1]);
    await fixture.byPin(device, PEOPLE.teller);
  });

  test('wrong PINs of the owner between right own PINs still make the device wait', async () => {
    const { device } = await fixture.paired();
    const waits: number[] = [];
    for (let guess = 1; guess <= 8; guess += 1) {
      await expect(fixture.byPin(device, PEOPLE.owner, String(1000 + guess))).rejects.toMatchObject(badPin);
      const own = await fixture.byPin(device, PEOPLE.teller).catch((fault: unknown) => fault as Refusal);
      const wait = own instanceof Refusal ? Number(own.figures['retry_after_seconds']) : 0;
      waits.push(wait);
      fixture.now += wait * SECOND;
      if (wait > 0) await fixture.byPin(device, PEOPLE.teller);
    }
    expect(waits).toEqual([0, 0, 0, 5, 15, 60, 300, 900]);
  });

  test('of 100 concurrent PINs for several people at most 13 wrong ones are verified', async () => {
    const { device } = await fixture.paired();
    const people = [PEOPLE.owner, PEOPLE.manager, PEOPLE.waiter, '00000000-0000-4000-8000-00000000dead'];
    const ends = await outcomes(
      Array.from({ length: 100 }, (_, at) =>
        at % 10 === 9
          ? fixture.byPin(device, PEOPLE.teller)
          : fixture.byPin(device, people[at % 4] ?? '', String(1000 + at)),
      ),
    );
    // Three wrong PINs of each cost nothing; the first person with a fourth makes the device wait.
    expect(countOf(ends, 'WRONG_PIN')).toBeLessThanOrEqual(4 * 3 + 1);
    expect(countOf(ends, 'WRONG_PIN')).toBeGreaterThanOrEqual(4);
    await expect(fixture.byPin(device, PEOPLE.teller)).rejects.toMatchObject({ refusal: 'PIN_THROTTLED' });
  });

  test('a right PIN clears only the count of its person on this device', async () => {
    const [one, two] = [await fixture.paired(), await fixture.paired()];
    for (const person of [PEOPLE.teller, PEOPLE.owner])
      for (let wrong = 0; wrong < 3; wrong += 1)
        await expect(fixture.byPin(one.device, person, '1111')).rejects.toMatchObject(badPin);
    await expect(fixture.byPin(two.device, PEOPLE.teller, '1111')).rejects.toMatchObject(badPin);
    await fixture.byPin(one.device, PEOPLE.teller);
    const counted = await fixture.db.kysely
      .selectFrom('staff_pin_failure')
      .select(['device_id', 'staff_id', 'failures'])
      .orderBy('failures')
      .execute();
    expect(counted).toEqual([
      { device_id: two.device.deviceId, staff_id: PEOPLE.teller, failures: 1 },
      { device_id: one.device.deviceId, staff_id: PEOPLE.owner, failures: 3 },
    ]);
    const devices = await fixture.db.kysely
      .selectFrom('staff_device')
      .select(['id', 'pin_failures'])
      .where('id', '=', one.device.deviceId)
      .execute();
    expect(devices).toEqual([{ id: one.device.deviceId, pin_failures: 6 }]);
  });

  test('a right PIN among concurrent wrong ones signs in', async () => {
    const { device } = await fixture.paired();
    const pins = ['1111', '2468', '2222'];
    const ends = await outcomes(pins.map((pin) => fixture.byPin(device, PEOPLE.teller, pin)));
    expect(ends).toEqual(['WRONG_PIN', 'in', 'WRONG_PIN']);
  });
});

const signedIn = async (token: string): Promise<Actor> => {
  const actor = await fixture.who(token);
  if (actor === null) throw new Error('the token names nobody');
  return actor;
};

describe('the end of a session', () => {
  test('signing out ends this session only', async () => {
    const signInOwner = () => fixture.byPassword('owner@beans.example');
    const [one, two] = [await signInOwner(), await signInOwner()];
    const actor = await signedIn(one.token);
    await signOut(fixture.deps)(actor);
    await signOut(fixture.deps)(actor);
    expect((await fixture.audited()).filter((action) => action === 'staff.signed_out')).toHaveLength(1);
    expect(await fixture.who(one.token)).toBeNull();
    expect(await fixture.who(two.token)).not.toBeNull();
  });

  test('archiving or switching off a person ends their sessions', async () => {
    const { device } = await fixture.paired();
    const teller = await fixture.byPin(device, PEOPLE.teller);
    const waiter = await fixture.byPin(device, PEOPLE.waiter);
    await archive(PEOPLE.teller);
    await changePerson(PEOPLE.waiter, { is_active: false });
    expect([await fixture.who(teller.token), await fixture.who(waiter.token)]).toEqual([null, null]);
    await expect(fixture.byPin(device, PEOPLE.waiter)).rejects.toMatchObject(badPin);
  });

  test('a new role changes the permissions of open sessions', async () => {
    const { token } = await fixture.byPassword('manager@beans.example');
    await changePerson(PEOPLE.manager, { role: 'waiter' });
    expect(await fixture.who(token)).toMatchObject({ role: 'waiter', permissions: permissionsOf('waiter') });
  });

  test('sessions of a suspended shop get ORG_SUSPENDED and work again afterwards', async () => {
    const { token: deviceToken, device } = await fixture.paired();
    const { token } = await fixture.byPin(device, PEOPLE.teller);
    await setShopActive(fixture, false);
    const suspended = { refusal: 'ORG_SUSPENDED' };
    await expect(fixture.who(token)).rejects.toMatchObject(suspended);
    await expect(fixture.paired()).rejects.toMatchObject(suspended);
    await expect(fixture.byPassword('owner@beans.example')).rejects.toMatchObject(suspended);
    await expect(fixture.byPassword('owner@beans.example', 'wrong password')).rejects.toMatchObject(denied);
    await setShopActive(fixture, true);
    expect(await fixture.who(token)).toMatchObject({ staffId: PEOPLE.teller });
    expect(deviceToken).toMatch(/^till_[0-9a-f]{10}_[\w-]{43}$/);
  });
});

test('the audit log records every sign-in with person, device and branch', async () => {
  const { device } = await fixture.paired(MAADI);
  await fixture.byPin(device, PEOPLE.kitchen);
  await expect(fixture.byPin(device, PEOPLE.kitchen, '1111')).rejects.toMatchObject(badPin);
  expect((await fixture.audited()).sort()).toEqual([
    'device.code_made',
    'device.paired',
    'staff.pin_wrong',
    'staff.signed_in',
    'staff.signed_in',
  ]);
  const { kysely } = fixture.db;
  const rows = await kysely.selectFrom('audit').selectAll().where('staff_id', '=', PEOPLE.kitchen).execute();
  expect(rows).toMatchObject([
    {
      org_id: BEANS,
      device_id: device.deviceId,
      branch_id: MAADI,
      action: 'staff.signed_in',
      subject: 'staff',
      subject_id: PEOPLE.kitchen,
      at: fixture.now,
    },
  ]);
});
