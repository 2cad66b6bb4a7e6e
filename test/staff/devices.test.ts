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
  openStaffFixture,
  OTHERS,
  PEOPLE,
  ZAMALEK,
  type StaffFixture,
} from '../support/people/staff-use-cases.ts';

const MINUTE = 60_000;

let fixture: StaffFixture;
beforeAll(async () => {
  fixture = await openStaffFixture();
});
beforeEach(() => fixture.reset());
afterAll(() => fixture.close());

const denied = { refusal: 'PAIRING_CODE_INVALID' };

const codeFrom = async (actor: Actor, branchId = ZAMALEK): Promise<string> =>
  (await makePairingCode(fixture.deps)(actor, { branch_id: branchId, label: 'الكاشير' })).pairing_code;

const pair = (code: string) => pairDevice(fixture.deps)({ pairing_code: code });

const manager = async (): Promise<Actor> => {
  const actor = await fixture.who((await fixture.byPassword('manager@beans.example')).token);
  if (actor === null) throw new Error('the manager’s new token names nobody');
  return actor;
};

describe('a pairing code', () => {
  test.each(['', '   ', '\n', '\u200f'])(
    'a pairing code for the blank device label %j is refused',
    async (label) => {
      const asked = makePairingCode(fixture.deps)(await fixture.owner(), { branch_id: ZAMALEK, label });
      await expect(asked).rejects.toMatchObject({
        ...{ refusal: 'INVALID_INPUT', faults: [{ path: 'label', problem: 'is required' }] },
      });
    },
  );

  test('the device label is stored without extra white space', async () => {
    await makePairingCode(fixture.deps)(await fixture.owner(), { branch_id: ZAMALEK, label: ' كاشير\n ١ ' });
    expect(await listDevices(fixture.deps)(await fixture.owner())).toMatchObject([{ label: 'كاشير ١' }]);
  });

  test('a pairing code has eight unambiguous characters and is valid for ten minutes', async () => {
    const made = await makePairingCode(fixture.deps)(await fixture.owner(), {
      branch_id: ZAMALEK,
      label: 'كاشير',
    });
    expect(made.pairing_code).toMatch(/^[34679ACDEFGHJKMNPQRTWXY]{8}$/);
    expect(made.expires_at).toBe('2026-11-20T18:10:00.000Z');
    fixture.now += 10 * MINUTE - 1;
    expect(await pair(made.pairing_code)).toMatchObject({ device_id: made.device_id, label: 'كاشير' });
  });

  test('is refused after ten minutes', async () => {
    const code = await codeFrom(await fixture.owner());
    fixture.now += 10 * MINUTE;
    await expect(pair(code)).rejects.toMatchObject(denied);
  });

  test('is accepted in lower case and in groups', async () => {
    const code = await codeFrom(await fixture.owner());
    await pair(`${code.slice(0, 4).toLowerCase()} - ${code.slice(4)}`);
  });

  test('a pairing code pairs a device with its branch and returns the PIN staff', async () => {
    const paired = await pair(await codeFrom(await fixture.owner()));
    expect(paired.branch_id).toBe(ZAMALEK);
    expect(paired.staff).toEqual([
      { id: PEOPLE.manager, name: 'manager', role: 'manager' },
      { id: PEOPLE.owner, name: 'owner', role: 'owner' },
      { id: PEOPLE.teller, name: 'teller', role: 'teller' },
      { id: PEOPLE.waiter, name: 'waiter', role: 'waiter' },
    ]);
    expect(await deviceOf(fixture.deps)(paired.device_token)).toEqual({
      orgId: BEANS,
      deviceId: paired.device_id,
      branchId: ZAMALEK,
      label: 'الكاشير',
      hasEnded: false,
    });
  });

  test('is accepted once', async () => {
    const code = await codeFrom(await fixture.owner());
    await pair(code);
    await expect(pair(code)).rejects.toMatchObject(denied);
  });

  test('a pairing code pairs one of ten devices that send it concurrently', async () => {
    const code = await codeFrom(await fixture.owner());
    const ends = await Promise.allSettled(Array.from({ length: 10 }, () => pair(code)));
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    expect(refused).toHaveLength(9);
    for (const reason of refused) expect(reason).toMatchObject(denied);
    const devices = await fixture.db.kysely.selectFrom('staff_device').select('token_hash').execute();
    expect(devices).toHaveLength(1);
  });

  test.each(['', 'AAAAAAAA', '00000000', 'AAAA', 'A'.repeat(5000)])(
    'the wrong pairing code %.8s is refused',
    async (guess) => {
      await codeFrom(await fixture.owner());
      await expect(pair(guess)).rejects.toMatchObject({ ...denied, figures: {} });
    },
  );

  test('is not stored in clear text', async () => {
    const code = await codeFrom(await fixture.owner());
    const stored = [
      await fixture.db.kysely.selectFrom('staff_device').selectAll().execute(),
      await fixture.db.kysely.selectFrom('audit').selectAll().execute(),
    ];
    expect(JSON.stringify(stored)).not.toContain(code);
  });
});

describe('pairing devices', () => {
  test('a manager pairs at their own branch; another branch is NOT_FOUND', async () => {
    await pair(await codeFrom(await manager()));
    await expect(codeFrom(await manager(), MAADI)).rejects.toMatchObject({ refusal: 'NOT_FOUND' });
  });

  test('an owner pairs at every branch of the shop; a branch of another shop is NOT_FOUND', async () => {
    await pair(await codeFrom(await fixture.owner(), MAADI));
    await expect(codeFrom(await fixture.owner(), ELSEWHERE)).rejects.toMatchObject({ refusal: 'NOT_FOUND' });
  });

  test('an archived branch pairs no device and ends its paired devices', async () => {
    const code = await codeFrom(await fixture.owner(), MAADI);
    const { device_token } = await pair(await codeFrom(await fixture.owner(), MAADI));
    await fixture.db.kysely
      .updateTable('branch')
      .set({ archived_at: at(fixture.now) })
      .where('id', '=', MAADI)
      .execute();
    try {
      await expect(codeFrom(await fixture.owner(), MAADI)).rejects.toMatchObject({ refusal: 'NOT_FOUND' });
      await expect(pair(code)).rejects.toMatchObject(denied);
      expect(await deviceOf(fixture.deps)(device_token)).toBeNull();
    } finally {
      await fixture.db.kysely
        .updateTable('branch')
        .set({ archived_at: null })
        .where('id', '=', MAADI)
        .execute();
    }
  });

  test('a suspended shop pairs no device; its pairing code stays valid', async () => {
    const code = await codeFrom(await fixture.owner());
    const set = (isActive: boolean) =>
      fixture.db.kysely
        .updateTable('shop')
        .set({ is_active: isActive })
        .where('org_id', '=', BEANS)
        .execute();
    await set(false);
    await expect(pair(code)).rejects.toMatchObject({ refusal: 'ORG_SUSPENDED' });
    await set(true);
    await pair(code);
  });
});

describe('revoking a device', () => {
  test('revoking a device ends every session on it; a repeat changes nothing', async () => {
    const [lost, kept] = [await fixture.paired(), await fixture.paired()];
    const [there, here] = [
      await fixture.byPin(lost.device, PEOPLE.teller),
      await fixture.byPin(kept.device, PEOPLE.teller),
    ];
    const end = async () => revokeDevice(fixture.deps)(await manager(), lost.device.deviceId);
    const first = await end();
    expect(first).toMatchObject({ id: lost.device.deviceId, revoked_at: '2026-11-20T18:00:00.000Z' });
    fixture.now += MINUTE;
    expect(await end()).toEqual(first);
    expect(await fixture.who(there.token)).toBeNull();
    expect(await fixture.who(here.token)).not.toBeNull();
    expect(await deviceOf(fixture.deps)(lost.token)).toBeNull();
    await expect(fixture.byPin(lost.device, PEOPLE.teller)).rejects.toMatchObject({
      refusal: 'DEVICE_REVOKED',
    });
    expect((await fixture.audited()).filter((action) => action === 'device.revoked')).toHaveLength(1);
  });

  test('a device revoked before pairing cannot be paired', async () => {
    const made = await makePairingCode(fixture.deps)(await fixture.owner(), {
      branch_id: ZAMALEK,
      label: 'x',
    });
    await revokeDevice(fixture.deps)(await fixture.owner(), made.device_id);
    await expect(pair(made.pairing_code)).rejects.toMatchObject(denied);
  });

  test('a device of another branch or shop cannot be revoked', async () => {
    const { device, token } = await fixture.paired(MAADI);
    const missing = { refusal: 'NOT_FOUND' };
    await expect(revokeDevice(fixture.deps)(await manager(), device.deviceId)).rejects.toMatchObject(missing);
    const outsider = { ...(await fixture.owner()), orgId: OTHERS };
    await expect(revokeDevice(fixture.deps)(outsider, device.deviceId)).rejects.toMatchObject(missing);
    expect(await deviceOf(fixture.deps)(token)).not.toBeNull();
  });
});

describe('the list of devices', () => {
  test('has the paired and pairable devices of own branches, latest first', async () => {
    const [till, other] = [await fixture.paired(), await fixture.paired(MAADI)];
    const gone = await fixture.paired();
    await revokeDevice(fixture.deps)(await fixture.owner(), gone.device.deviceId);
    fixture.now += MINUTE;
    const waiting = await makePairingCode(fixture.deps)(await fixture.owner(), {
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
    expect(await listDevices(fixture.deps)(await manager())).toEqual([
      pending,
      view(till.device.deviceId, ZAMALEK),
    ]);
    const all = await listDevices(fixture.deps)(await fixture.owner());
    expect(all[0]).toEqual(pending);
    expect(all).toContainEqual(view(other.device.deviceId, MAADI));
    expect(all).toHaveLength(3);
    fixture.now += 10 * MINUTE;
    expect(await listDevices(fixture.deps)(await fixture.owner())).toHaveLength(2);
  });
});

test('a device lists the people who may sign in on it, including newly assigned ones', async () => {
  const { device } = await fixture.paired(MAADI);
  const names = async (): Promise<string[]> =>
    (await listPinStaff(fixture.deps)(device)).map(({ name }) => name);
  expect(await names()).toEqual(['kitchen', 'owner', 'waiter']);
  await fixture.db.kysely
    .updateTable('staff')
    .set({ branch_ids: null })
    .where('id', '=', PEOPLE.teller)
    .execute();
  expect(await names()).toEqual(['kitchen', 'owner', 'teller', 'waiter']);
});
