/** Pairing devices of a branch, and ending them, on a real database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deviceOf } from '../../src/staff/app/access.ts';
import {
  listDevices,
  listPinStaff,
  makePairingCode,
  pairDevice,
  revokeDevice,
} from '../../src/staff/app/devices.ts';
import type { Actor } from '../../src/staff/app/access.ts';
import { at } from '../../src/platform/store/db.ts';
import {
  BEANS,
  ELSEWHERE,
  MAADI,
  openStaffHouse,
  OTHERS,
  PEOPLE,
  ZAMALEK,
  type StaffHouse,
} from '../support/staff.ts';

const MINUTE = 60_000;

let house: StaffHouse;
beforeAll(async () => {
  house = await openStaffHouse();
});
beforeEach(() => house.reset());
afterAll(() => house.close());

const nobody = { refusal: 'SIGN_IN_REQUIRED' };

const codeFrom = async (actor: Actor, branchId = ZAMALEK): Promise<string> =>
  (await makePairingCode(house.deps)(actor, { branch_id: branchId, label: 'الكاشير' })).pairing_code;

const pair = (code: string) => pairDevice(house.deps)({ pairing_code: code });

const manager = async (): Promise<Actor> => {
  const actor = await house.who((await house.byPassword('manager@beans.example')).token);
  if (actor === null) throw new Error('the manager’s new token names nobody');
  return actor;
};

describe('a pairing code', () => {
  test.each(['', '   ', '\n', '\u200f'])(
    'is for a device that is called something: %j is nothing',
    async (label) => {
      const asked = makePairingCode(house.deps)(await house.owner(), { branch_id: ZAMALEK, label });
      await expect(asked).rejects.toMatchObject({
        ...{ refusal: 'INVALID_INPUT', faults: [{ path: 'label', problem: 'is required' }] },
      });
    },
  );

  test('is for a device whose name is tidied', async () => {
    await makePairingCode(house.deps)(await house.owner(), { branch_id: ZAMALEK, label: ' كاشير\n ١ ' });
    expect(await listDevices(house.deps)(await house.owner())).toMatchObject([{ label: 'كاشير ١' }]);
  });

  test('is eight letters and digits that are not taken for others, for ten minutes', async () => {
    const made = await makePairingCode(house.deps)(await house.owner(), {
      branch_id: ZAMALEK,
      label: 'كاشير',
    });
    expect(made.pairing_code).toMatch(/^[34679ACDEFGHJKMNPQRTWXY]{8}$/);
    expect(made.expires_at).toBe('2026-11-20T18:10:00.000Z');
    house.now += 10 * MINUTE - 1;
    expect(await pair(made.pairing_code)).toMatchObject({ device_id: made.device_id, label: 'كاشير' });
  });

  test('runs out', async () => {
    const code = await codeFrom(await house.owner());
    house.now += 10 * MINUTE;
    await expect(pair(code)).rejects.toMatchObject(nobody);
  });

  test('may be typed in small letters and in groups', async () => {
    const code = await codeFrom(await house.owner());
    await pair(`${code.slice(0, 4).toLowerCase()} - ${code.slice(4)}`);
  });

  test('makes a device of its branch, which hears who signs in there with a PIN, by name', async () => {
    const paired = await pair(await codeFrom(await house.owner()));
    expect(paired.branch_id).toBe(ZAMALEK);
    expect(paired.staff).toEqual([
      { id: PEOPLE.manager, name: 'manager', role: 'manager' },
      { id: PEOPLE.owner, name: 'owner', role: 'owner' },
      { id: PEOPLE.teller, name: 'teller', role: 'teller' },
      { id: PEOPLE.waiter, name: 'waiter', role: 'waiter' },
    ]);
    expect(await deviceOf(house.deps)(paired.device_token)).toEqual({
      orgId: BEANS,
      deviceId: paired.device_id,
      branchId: ZAMALEK,
      label: 'الكاشير',
    });
  });

  test('is spent by its use', async () => {
    const code = await codeFrom(await house.owner());
    await pair(code);
    await expect(pair(code)).rejects.toMatchObject(nobody);
  });

  test('pairs one of ten devices that send it at once', async () => {
    const code = await codeFrom(await house.owner());
    const ends = await Promise.allSettled(Array.from({ length: 10 }, () => pair(code)));
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    expect(refused).toHaveLength(9);
    for (const reason of refused) expect(reason).toMatchObject(nobody);
    const devices = await house.db.kysely.selectFrom('staff_device').select('token_hash').execute();
    expect(devices).toHaveLength(1);
  });

  test.each(['', 'AAAAAAAA', '00000000', 'AAAA', 'A'.repeat(5000)])(
    'guessed as %.8s pairs nothing',
    async (guess) => {
      await codeFrom(await house.owner());
      await expect(pair(guess)).rejects.toMatchObject({ ...nobody, figures: {} });
    },
  );

  test('is nowhere to be read', async () => {
    const code = await codeFrom(await house.owner());
    const stored = [
      await house.db.kysely.selectFrom('staff_device').selectAll().execute(),
      await house.db.kysely.selectFrom('audit').selectAll().execute(),
    ];
    expect(JSON.stringify(stored)).not.toContain(code);
  });
});

describe('who pairs', () => {
  test('a manager does at their own branch, and sees no other', async () => {
    await pair(await codeFrom(await manager()));
    await expect(codeFrom(await manager(), MAADI)).rejects.toMatchObject({ refusal: 'NOT_FOUND' });
  });

  test('an owner does at every branch of their shop, and sees no other', async () => {
    await pair(await codeFrom(await house.owner(), MAADI));
    await expect(codeFrom(await house.owner(), ELSEWHERE)).rejects.toMatchObject({ refusal: 'NOT_FOUND' });
  });

  test('nobody does at a branch that was archived', async () => {
    const code = await codeFrom(await house.owner(), MAADI);
    const { device_token } = await pair(await codeFrom(await house.owner(), MAADI));
    await house.db.kysely
      .updateTable('branch')
      .set({ archived_at: at(house.now) })
      .where('id', '=', MAADI)
      .execute();
    try {
      await expect(codeFrom(await house.owner(), MAADI)).rejects.toMatchObject({ refusal: 'NOT_FOUND' });
      await expect(pair(code)).rejects.toMatchObject(nobody);
      expect(await deviceOf(house.deps)(device_token)).toBeNull();
    } finally {
      await house.db.kysely
        .updateTable('branch')
        .set({ archived_at: null })
        .where('id', '=', MAADI)
        .execute();
    }
  });

  test('nobody does while the shop is switched off, and the code is not lost by trying', async () => {
    const code = await codeFrom(await house.owner());
    const set = (isActive: boolean) =>
      house.db.kysely.updateTable('shop').set({ is_active: isActive }).where('org_id', '=', BEANS).execute();
    await set(false);
    await expect(pair(code)).rejects.toMatchObject({ refusal: 'ORG_SUSPENDED' });
    await set(true);
    await pair(code);
  });
});

describe('a device that is revoked', () => {
  test('ends with every sign-in on it, and once is enough', async () => {
    const [lost, kept] = [await house.paired(), await house.paired()];
    const [there, here] = [
      await house.byPin(lost.device, PEOPLE.teller),
      await house.byPin(kept.device, PEOPLE.teller),
    ];
    const end = async () => revokeDevice(house.deps)(await manager(), lost.device.deviceId);
    const first = await end();
    expect(first).toMatchObject({ id: lost.device.deviceId, revoked_at: '2026-11-20T18:00:00.000Z' });
    house.now += MINUTE;
    expect(await end()).toEqual(first);
    expect(await house.who(there.token)).toBeNull();
    expect(await house.who(here.token)).not.toBeNull();
    expect(await deviceOf(house.deps)(lost.token)).toBeNull();
    await expect(house.byPin(lost.device, PEOPLE.teller)).rejects.toMatchObject(nobody);
    expect((await house.audited()).filter((action) => action === 'device.revoked')).toHaveLength(1);
  });

  test('before it was paired cannot be paired any more', async () => {
    const made = await makePairingCode(house.deps)(await house.owner(), { branch_id: ZAMALEK, label: 'x' });
    await revokeDevice(house.deps)(await house.owner(), made.device_id);
    await expect(pair(made.pairing_code)).rejects.toMatchObject(nobody);
  });

  test('is one of one’s own shop and branches', async () => {
    const { device, token } = await house.paired(MAADI);
    const missing = { refusal: 'NOT_FOUND' };
    await expect(revokeDevice(house.deps)(await manager(), device.deviceId)).rejects.toMatchObject(missing);
    const stranger = { ...(await house.owner()), orgId: OTHERS };
    await expect(revokeDevice(house.deps)(stranger, device.deviceId)).rejects.toMatchObject(missing);
    expect(await deviceOf(house.deps)(token)).not.toBeNull();
  });
});

describe('the list of devices', () => {
  test('has those of one’s branches that are paired or wait, the latest first', async () => {
    const [till, other] = [await house.paired(), await house.paired(MAADI)];
    const gone = await house.paired();
    await revokeDevice(house.deps)(await house.owner(), gone.device.deviceId);
    house.now += MINUTE;
    const waiting = await makePairingCode(house.deps)(await house.owner(), {
      branch_id: ZAMALEK,
      label: 'جديد',
    });
    const view = (id: string, branchId: string) => ({
      id,
      branch_id: branchId,
      label: 'الكاشير',
      paired_at: '2026-11-20T18:00:00.000Z',
      revoked_at: null,
      last_used_at: '2026-11-20T18:00:00.000Z',
      expired: false,
    });
    const pending = {
      id: waiting.device_id,
      branch_id: ZAMALEK,
      label: 'جديد',
      paired_at: null,
      revoked_at: null,
      last_used_at: null,
      expired: false,
    };
    expect(await listDevices(house.deps)(await manager())).toEqual([
      pending,
      view(till.device.deviceId, ZAMALEK),
    ]);
    const all = await listDevices(house.deps)(await house.owner());
    expect(all[0]).toEqual(pending);
    expect(all).toContainEqual(view(other.device.deviceId, MAADI));
    expect(all).toHaveLength(3);
    house.now += 10 * MINUTE;
    expect(await listDevices(house.deps)(await house.owner())).toHaveLength(2);
  });
});

test('a device is told again who signs in on it, those who came since among them', async () => {
  const { device } = await house.paired(MAADI);
  const names = async (): Promise<string[]> =>
    (await listPinStaff(house.deps)(device)).map(({ name }) => name);
  expect(await names()).toEqual(['kitchen', 'owner', 'waiter']);
  await house.db.kysely
    .updateTable('staff')
    .set({ branch_ids: null })
    .where('id', '=', PEOPLE.teller)
    .execute();
  expect(await names()).toEqual(['kitchen', 'owner', 'teller', 'waiter']);
});
