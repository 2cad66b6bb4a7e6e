/** Changes to a person, secret or device during a sign-in: whoever may no longer sign in does not. */
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
import { waitingForLocks } from '../support/database/test-database.ts';
import {
  BEANS,
  CHEAP,
  keyring,
  MAADI,
  openStaffFixture,
  PASSWORD,
  PEOPLE,
  PIN,
  setShopActive,
  type StaffFixture,
} from '../support/people/staff-use-cases.ts';

let fixture: StaffFixture;
beforeAll(async () => {
  fixture = await openStaffFixture();
});
beforeEach(() => fixture.reset());
afterAll(() => fixture.close());

type Action = () => Promise<unknown>;

/** Each sign-in is verified, then this runs before it continues. */
const afterVerification = (action: Action, passwords = fixture.deps.passwords): StaffDeps => ({
  ...fixture.deps,
  passwords: {
    ...passwords,
    verify: async (...given) => {
      const isRight = await passwords.verify(...given);
      await action();
      return isRight;
    },
  },
});

/** Each sign-in has run up to its commit, then this starts, and ends or waits for it. */
const beforeCommit = (begin: Action): { readonly deps: StaffDeps; readonly ended: Promise<unknown> } => {
  let ending: (work: Promise<unknown>) => void = () => undefined;
  const ended = new Promise((resolve) => (ending = resolve));
  let transactions = 0;
  const tx: StaffDeps['db']['tx'] = (work) => {
    transactions += 1;
    const isEntering = transactions === 2;
    return fixture.db.tx(async (inside) => {
      const result = await work(inside);
      if (isEntering) {
        const action = begin();
        ending(action);
        await Promise.race([action, waitingForLocks(fixture.db, 1)]);
      }
      return result;
    });
  };
  return { deps: { ...fixture.deps, db: { ...fixture.db, tx } }, ended };
};

const byPassword = (deps: StaffDeps) =>
  signIn(deps)({ email: 'manager@beans.example', password: PASSWORD, client: '198.51.100.7' });
const byPin = (deps: StaffDeps, device: PairedDevice) =>
  pinSignIn(deps)(device, { staff_id: PEOPLE.manager, pin: PIN, client: '198.51.100.7' });

const NEW_PASSWORD = 'another password';
const newPassword: Action = () => setPassword(fixture.deps, 'beans', 'manager@beans.example', NEW_PASSWORD);
const newPin: Action = () => setPin(fixture.deps, 'beans', PEOPLE.manager, '97042');

/** As an import archives or moves a person. */
const changed = (change: object, endsSessions: boolean): Action => {
  return () =>
    fixture.db.tx(async (tx) => {
      await tx.updateTable('staff').set(change).where('id', '=', PEOPLE.manager).execute();
      if (endsSessions) await endSessionsOf(tx, BEANS, [PEOPLE.manager]);
    });
};
const archived: Action = () => changed({ archived_at: at(fixture.now) }, true)();
const switchedOff = changed({ is_active: false }, true);

const sessionsOfManager = async (): Promise<number> =>
  (
    await fixture.db.kysely
      .selectFrom('staff_session')
      .select('token_hash')
      .where('staff_id', '=', PEOPLE.manager)
      .execute()
  ).length;

const wrongPassword = { refusal: 'WRONG_PASSWORD' };

describe('while a password is verified', () => {
  test.each<[string, Action]>([
    ['a new one', newPassword],
    ['the archive', archived],
    ['being switched off', switchedOff],
  ])('a sign-in is refused after this change: %s', async (_, action) => {
    await expect(byPassword(afterVerification(action))).rejects.toMatchObject(wrongPassword);
    expect(await sessionsOfManager()).toBe(0);
  });

  test('a new PIN does not affect the sign-in', async () => {
    const { token } = await byPassword(afterVerification(newPin));
    expect(await fixture.who(token)).toMatchObject({ staffId: PEOPLE.manager });
  });

  test('a concurrent sign-in that rehashes the password does not affect the sign-in', async () => {
    const dearer = createPasswords({ random: systemRandom, keyring, cost: { ...CHEAP, N: 2 ** 11 } });
    const quicker = byPassword.bind(null, { ...fixture.deps, passwords: dearer });
    const { token } = await byPassword(afterVerification(quicker, dearer));
    expect(await fixture.who(token)).toMatchObject({ staffId: PEOPLE.manager });
    await fixture.reset();
    const together = Array.from({ length: 4 }, quicker);
    for (const signedIn of await Promise.all(together))
      expect(await fixture.who(signedIn.token)).not.toBeNull();
  });

  test('a new password refuses a sign-in that rehashes the old one', async () => {
    const dearer = createPasswords({ random: systemRandom, keyring, cost: { ...CHEAP, N: 2 ** 11 } });
    await expect(byPassword(afterVerification(newPassword, dearer))).rejects.toMatchObject(wrongPassword);
    expect(await sessionsOfManager()).toBe(0);
    await signIn(fixture.deps)({ email: 'manager@beans.example', password: NEW_PASSWORD, client: 'here' });
  });
});

describe('while a PIN is verified', () => {
  test.each<[string, Action]>([
    ['a new one', newPin],
    ['the archive', archived],
    ['being switched off', switchedOff],
    ['work at another branch than the device’s', changed({ branch_ids: [MAADI] }, false)],
  ])('a sign-in is refused and counts as a wrong PIN after this change: %s', async (_, action) => {
    const { device } = await fixture.paired();
    await expect(byPin(afterVerification(action), device)).rejects.toMatchObject({ refusal: 'WRONG_PIN' });
    expect(await sessionsOfManager()).toBe(0);
    const { pin_failures } = await fixture.db.kysely
      .selectFrom('staff_device')
      .select('pin_failures')
      .where('id', '=', device.deviceId)
      .executeTakeFirstOrThrow();
    expect(pin_failures).toBe(1);
  });

  test('revoking the device refuses the sign-in', async () => {
    const { device } = await fixture.paired();
    const owner = await fixture.owner();
    const revoked = () => revokeDevice(fixture.deps)(owner, device.deviceId);
    await expect(byPin(afterVerification(revoked), device)).rejects.toMatchObject({
      refusal: 'DEVICE_REVOKED',
    });
    expect(await sessionsOfManager()).toBe(0);
  });
});

describe('during the commit of a sign-in', () => {
  test.each<[string, Action]>([
    ['a new password', newPassword],
    ['the archive', archived],
    ['being switched off', switchedOff],
  ])('this change waits for the commit, then ends the session: %s', async (_, action) => {
    const { deps, ended } = beforeCommit(action);
    const { token } = await byPassword(deps);
    await ended;
    expect(await sessionsOfManager()).toBe(0);
    expect(await fixture.who(token)).toBeNull();
  });

  test.each(['a new PIN', 'the end of the device'])(
    'this change waits for the commit, then ends the session: %s',
    async (which) => {
      const { device } = await fixture.paired();
      const owner = await fixture.owner();
      const revoked: Action = () => revokeDevice(fixture.deps)(owner, device.deviceId);
      const { deps, ended } = beforeCommit(which === 'a new PIN' ? newPin : revoked);
      const { token } = await byPin(deps, device);
      await ended;
      expect(await sessionsOfManager()).toBe(0);
      expect(await fixture.who(token)).toBeNull();
    },
  );
});

describe('a refused sign-in with the right password or PIN', () => {
  const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'in',
      (fault: unknown) =>
        fault instanceof Refusal
          ? fault.refusal
          : fault instanceof DatabaseUnavailable
            ? fault.reason
            : fault,
    );
  const repeat = async (enter: () => Promise<unknown>): Promise<ReadonlySet<unknown>> => {
    const all = new Set<unknown>();
    for (let times = 0; times < 12; times += 1) all.add(await outcomeOf(enter()));
    await fixture.deps.backgroundTasks.settled();
    return all;
  };
  const METHODS: Readonly<Record<string, (deps: StaffDeps) => Promise<() => Promise<unknown>>>> = {
    password: (deps) => Promise.resolve(() => byPassword(deps)),
    PIN: async (deps) => {
      const { device } = await fixture.paired();
      return () => byPin(deps, device);
    },
  };

  test.each(Object.entries(METHODS))(
    'a right %s does not count as wrong while the shop is suspended',
    async (_, method) => {
      const enter = await method(fixture.deps);
      await setShopActive(fixture, false);
      expect(await repeat(enter)).toEqual(new Set(['ORG_SUSPENDED']));
      await setShopActive(fixture, true);
      expect(await outcomeOf(enter())).toBe('in');
    },
  );

  test.each(Object.entries(METHODS))(
    'a right %s does not count as wrong while the database is busy',
    async (_, method) => {
      let turn = 0;
      const tx: StaffDeps['db']['tx'] = (work) =>
        (turn += 1) % 3 === 2 ? Promise.reject(new DatabaseUnavailable('busy')) : fixture.db.tx(work);
      // Counted, then busy, then reverted.
      const enter = await method({ ...fixture.deps, db: { ...fixture.db, tx } });
      turn = 0;
      const settled = async () => {
        try {
          return await enter();
        } finally {
          await fixture.deps.backgroundTasks.settled();
        }
      };
      expect(await repeat(settled)).toEqual(new Set(['busy']));
      expect(await outcomeOf((await method(fixture.deps))())).toBe('in');
    },
  );
});
