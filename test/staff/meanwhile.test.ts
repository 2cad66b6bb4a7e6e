/** What happens to a person, their secret or their device while they sign in: whoever may not enter any more does not. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemRandom } from '../../src/adapters/system.ts';
import { createPasswords } from '../../src/staff/app/passwords.ts';
import type { PairedDevice, StaffDeps } from '../../src/staff/app/access.ts';
import { revokeDevice } from '../../src/staff/app/devices.ts';
import { pinSignIn, signIn } from '../../src/staff/app/sign-in.ts';
import { setPassword, setPin } from '../../src/staff/app/staff.ts';
import { Refusal } from '../../src/kernel/refusal.ts';
import { at, DatabaseUnavailable } from '../../src/platform/store/db.ts';
import { endSessionsOf } from '../../src/staff/store/sessions.ts';
import { waitingForLocks } from '../support/postgres.ts';
import {
  BEANS,
  CHEAP,
  keyring,
  MAADI,
  openStaffHouse,
  PASSWORD,
  PEOPLE,
  PIN,
  switchShop,
  type StaffHouse,
} from '../support/staff.ts';

let house: StaffHouse;
beforeAll(async () => {
  house = await openStaffHouse();
});
beforeEach(() => house.reset());
afterAll(() => house.close());

type Deed = () => Promise<unknown>;

/** Each sign-in is judged, and then this happens before it goes on. */
const onceJudged = (deed: Deed, passwords = house.deps.passwords): StaffDeps => ({
  ...house.deps,
  passwords: {
    ...passwords,
    verify: async (...given) => {
      const isRight = await passwords.verify(...given);
      await deed();
      return isRight;
    },
  },
});

/** Each sign-in has entered but for the commit, and then this begins, and ends or waits for it. */
const onceEntered = (begin: Deed): { readonly deps: StaffDeps; readonly ended: Promise<unknown> } => {
  let ending: (work: Promise<unknown>) => void = () => undefined;
  const ended = new Promise((resolve) => (ending = resolve));
  let transactions = 0;
  const tx: StaffDeps['db']['tx'] = (work) => {
    transactions += 1;
    const isEntering = transactions === 2;
    return house.db.tx(async (inside) => {
      const result = await work(inside);
      if (isEntering) {
        const deed = begin();
        ending(deed);
        await Promise.race([deed, waitingForLocks(house.db, 1)]);
      }
      return result;
    });
  };
  return { deps: { ...house.deps, db: { ...house.db, tx } }, ended };
};

const byPassword = (deps: StaffDeps) =>
  signIn(deps)({ email: 'manager@beans.example', password: PASSWORD, client: '198.51.100.7' });
const byPin = (deps: StaffDeps, device: PairedDevice) =>
  pinSignIn(deps)(device, { staff_id: PEOPLE.manager, pin: PIN, client: '198.51.100.7' });

const NEW_PASSWORD = 'another password';
const newPassword: Deed = () => setPassword(house.deps, 'beans', 'manager@beans.example', NEW_PASSWORD);
const newPin: Deed = () => setPin(house.deps, 'beans', PEOPLE.manager, '97042');

/** As an import does it to whoever it leaves out, or sends elsewhere. */
const changed = (change: object, endsSessions: boolean): Deed => {
  return () =>
    house.db.tx(async (tx) => {
      await tx.updateTable('staff').set(change).where('id', '=', PEOPLE.manager).execute();
      if (endsSessions) await endSessionsOf(tx, BEANS, [PEOPLE.manager]);
    });
};
const archived: Deed = () => changed({ archived_at: at(house.now) }, true)();
const switchedOff = changed({ is_active: false }, true);

const sessionsOfManager = async (): Promise<number> =>
  (
    await house.db.kysely
      .selectFrom('staff_session')
      .select('token_hash')
      .where('staff_id', '=', PEOPLE.manager)
      .execute()
  ).length;

const refused = { refusal: 'SIGN_IN_REQUIRED' };

describe('while a password is judged', () => {
  test.each<[string, Deed]>([
    ['a new one', newPassword],
    ['the archive', archived],
    ['being switched off', switchedOff],
  ])('%s keeps them out', async (_, deed) => {
    await expect(byPassword(onceJudged(deed))).rejects.toMatchObject(refused);
    expect(await sessionsOfManager()).toBe(0);
  });

  test('a new PIN does not matter', async () => {
    const { token } = await byPassword(onceJudged(newPin));
    expect(await house.who(token)).toMatchObject({ staffId: PEOPLE.manager });
  });

  test('another sign-in that stores it at today’s cost does not matter, also where the two come together', async () => {
    const dearer = createPasswords({ random: systemRandom, keyring, cost: { ...CHEAP, N: 2 ** 11 } });
    const quicker = byPassword.bind(null, { ...house.deps, passwords: dearer });
    const { token } = await byPassword(onceJudged(quicker, dearer));
    expect(await house.who(token)).toMatchObject({ staffId: PEOPLE.manager });
    await house.reset();
    const together = Array.from({ length: 4 }, quicker);
    for (const signedIn of await Promise.all(together))
      expect(await house.who(signedIn.token)).not.toBeNull();
  });

  test('and stored at today’s cost, a new one keeps them out', async () => {
    const dearer = createPasswords({ random: systemRandom, keyring, cost: { ...CHEAP, N: 2 ** 11 } });
    await expect(byPassword(onceJudged(newPassword, dearer))).rejects.toMatchObject(refused);
    expect(await sessionsOfManager()).toBe(0);
    await signIn(house.deps)({ email: 'manager@beans.example', password: NEW_PASSWORD, client: 'here' });
  });
});

describe('while a PIN is judged', () => {
  test.each<[string, Deed]>([
    ['a new one', newPin],
    ['the archive', archived],
    ['being switched off', switchedOff],
    ['work at another branch than the device’s', changed({ branch_ids: [MAADI] }, false)],
  ])('%s keeps them out, and counts as a wrong one', async (_, deed) => {
    const { device } = await house.paired();
    await expect(byPin(onceJudged(deed), device)).rejects.toMatchObject(refused);
    expect(await sessionsOfManager()).toBe(0);
    const { pin_failures } = await house.db.kysely
      .selectFrom('staff_device')
      .select('pin_failures')
      .where('id', '=', device.deviceId)
      .executeTakeFirstOrThrow();
    expect(pin_failures).toBe(1);
  });

  test('the end of the device keeps them out', async () => {
    const { device } = await house.paired();
    const owner = await house.owner();
    const revoked = () => revokeDevice(house.deps)(owner, device.deviceId);
    await expect(byPin(onceJudged(revoked), device)).rejects.toMatchObject(refused);
    expect(await sessionsOfManager()).toBe(0);
  });
});

describe('while somebody enters', () => {
  test.each<[string, Deed]>([
    ['a new password', newPassword],
    ['the archive', archived],
    ['being switched off', switchedOff],
  ])('%s waits, and ends the sign-in', async (_, deed) => {
    const { deps, ended } = onceEntered(deed);
    const { token } = await byPassword(deps);
    await ended;
    expect(await sessionsOfManager()).toBe(0);
    expect(await house.who(token)).toBeNull();
  });

  test.each(['a new PIN', 'the end of the device'])('%s waits, and ends the sign-in', async (which) => {
    const { device } = await house.paired();
    const owner = await house.owner();
    const revoked: Deed = () => revokeDevice(house.deps)(owner, device.deviceId);
    const { deps, ended } = onceEntered(which === 'a new PIN' ? newPin : revoked);
    const { token } = await byPin(deps, device);
    await ended;
    expect(await sessionsOfManager()).toBe(0);
    expect(await house.who(token)).toBeNull();
  });
});

describe('a right secret does not count as wrong', () => {
  const said = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'in',
      (fault: unknown) =>
        fault instanceof Refusal
          ? fault.refusal
          : fault instanceof DatabaseUnavailable
            ? fault.reason
            : fault,
    );
  const often = async (enter: () => Promise<unknown>): Promise<ReadonlySet<unknown>> => {
    const all = new Set<unknown>();
    for (let times = 0; times < 12; times += 1) all.add(await said(enter()));
    await house.deps.aside.settled();
    return all;
  };
  const WAYS: Readonly<Record<string, (deps: StaffDeps) => Promise<() => Promise<unknown>>>> = {
    password: (deps) => Promise.resolve(() => byPassword(deps)),
    PIN: async (deps) => {
      const { device } = await house.paired();
      return () => byPin(deps, device);
    },
  };

  test.each(Object.entries(WAYS))('while the shop is switched off: a %s', async (_, way) => {
    const enter = await way(house.deps);
    await switchShop(house, false);
    expect(await often(enter)).toEqual(new Set(['ORG_SUSPENDED']));
    await switchShop(house, true);
    expect(await said(enter())).toBe('in');
  });

  test.each(Object.entries(WAYS))('while the database is busy: a %s', async (_, way) => {
    let turn = 0;
    const tx: StaffDeps['db']['tx'] = (work) =>
      (turn += 1) % 3 === 2 ? Promise.reject(new DatabaseUnavailable('busy')) : house.db.tx(work);
    // Counted, then busy, then taken back.
    const enter = await way({ ...house.deps, db: { ...house.db, tx } });
    turn = 0;
    const settled = async () => {
      try {
        return await enter();
      } finally {
        await house.deps.aside.settled();
      }
    };
    expect(await often(settled)).toEqual(new Set(['busy']));
    expect(await said((await way(house.deps))())).toBe('in');
  });
});
