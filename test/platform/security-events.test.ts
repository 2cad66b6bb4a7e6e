/** Security events of devices, credentials and permissions: one line and one count each, without secrets. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { revokeNamedDevice, setPassword, setPin } from '../../src/staff/app/staff.ts';
import { makePairingCode, pairDevice, revokeDevice } from '../../src/staff/app/devices.ts';
import { derivedId, shopIdOf } from '../../src/shopfile/app/entity-ids.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { aBranchEntry, aMinimalShopFile } from '../support/shops/shop-file.ts';
import { faultsOfImport, openImportFixture, type ImportFixture } from '../support/shops/shop-import.ts';
import {
  BEANS,
  openStaffFixture,
  PEOPLE,
  ZAMALEK,
  type StaffFixture,
} from '../support/people/staff-use-cases.ts';

describe('devices and credentials', () => {
  let fixture: StaffFixture;
  beforeEach(async () => {
    fixture = await openStaffFixture();
  });
  afterEach(() => fixture.close());

  test('pairing is an event without code, token or label; a wrong code is no event', async () => {
    const { deps, security } = fixture;
    const owner = await fixture.owner();
    const { pairing_code } = await makePairingCode(deps)(owner, { branch_id: ZAMALEK, label: 'كناري' });
    await expect(pairDevice(deps)({ pairing_code: 'ACDE-FGHJ' })).rejects.toThrow();
    expect(security.of('device_paired')).toEqual([]);
    const device = await pairDevice(deps)({ pairing_code });
    expect(security.of('device_paired')).toEqual([{ org_id: BEANS, device_id: device.device_id }]);
    expect(security.counts.device_paired).toBe(1);
    for (const canary of [pairing_code, device.device_token, 'كناري'])
      expect(security.lines.join('\n')).not.toContain(canary);
  });

  test('a sign-in is an event with person, method, device and client address', async () => {
    const { device } = await fixture.paired();
    await fixture.byPin(device, PEOPLE.teller);
    const client = '198.51.100.7';
    expect(fixture.security.of('signed_in')).toEqual([
      { org_id: BEANS, staff_id: PEOPLE.owner, by: 'password', device_id: null, client },
      { org_id: BEANS, staff_id: PEOPLE.teller, by: 'pin', device_id: device.deviceId, client },
    ]);
  });

  test('a wrong PIN is an event with device and client address', async () => {
    const { device } = await fixture.paired();
    await expect(fixture.byPin(device, PEOPLE.teller, '1111')).rejects.toThrow();
    await fixture.deps.backgroundTasks.settled();
    expect(fixture.security.of('pin_wrong')).toMatchObject([
      { device_id: device.deviceId, client: '198.51.100.7' },
    ]);
  });

  test('revoking a device is one event, by the owner or by the operator', async () => {
    const { deps, security } = fixture;
    const [first, second] = [(await fixture.paired()).device, (await fixture.paired()).device];
    const owner = await fixture.owner();
    await revokeDevice(deps)(owner, first.deviceId);
    await revokeDevice(deps)(owner, first.deviceId);
    await revokeNamedDevice(deps, 'beans', second.deviceId);
    expect(security.of('device_revoked')).toEqual([
      { org_id: BEANS, device_id: first.deviceId, staff_id: PEOPLE.owner },
      { org_id: BEANS, device_id: second.deviceId, staff_id: null },
    ]);
    expect(security.counts.device_revoked).toBe(2);
  });

  test('a password or PIN set by the operator is an event without secret or name', async () => {
    const { deps, security } = fixture;
    await setPassword(deps, 'beans', 'owner@beans.example', 'canary of a password');
    await setPin(deps, 'beans', 'teller', '97531864');
    await expect(setPin(deps, 'beans', 'teller', 'no PIN')).rejects.toThrow('4 to 8 digits');
    expect(security.of('credentials_changed')).toEqual([
      { org_id: BEANS, staff_id: PEOPLE.owner, what: 'password', by: 'operator' },
      { org_id: BEANS, staff_id: PEOPLE.teller, what: 'pin', by: 'operator' },
    ]);
    expect(security.counts.credentials_changed).toBe(2);
    for (const canary of ['canary', '97531864', 'owner@', 'scrypt', 'teller'])
      expect(security.lines.join('\n')).not.toContain(canary);
  });
});

describe('permissions changed by a shop file', () => {
  let fixture: ImportFixture;
  beforeAll(async () => {
    fixture = await openImportFixture();
  });
  afterAll(() => fixture.close());

  type Staff = NonNullable<ShopFile['staff']>;
  const owner: Staff[number] = { name: 'نادية', role: 'owner', email: 'canary@permissions.example' };
  const orgId = shopIdOf('permissions');
  const idOf = (name: string): string => derivedId(orgId, 'staff', orgId, { name });
  const withStaff = (...staff: Staff): ShopFile =>
    aMinimalShopFile({
      slug: 'permissions',
      branches: [aBranchEntry({ key: 'zamalek', code: 'ZML' })],
      staff: [owner, ...staff],
    });
  /** Security events of an import. */
  const eventsOf = async (file: ShopFile, options = {}): Promise<unknown[]> => {
    const before = fixture.security.of('permissions_changed').length;
    await fixture.import(file, options);
    const events = fixture.security.of('permissions_changed');
    expect(fixture.security.counts.permissions_changed).toBe(events.length);
    return events.slice(before);
  };
  const event = (name: string, change: string, aspects = '') => ({
    ...{ org_id: orgId, staff_id: idOf(name), change, aspects },
  });

  test('importing a new shop is no event; each later change of a person is an event', async () => {
    expect(await eventsOf(withStaff({ name: 'منى', role: 'teller' }))).toEqual([]);
    expect(
      await eventsOf(withStaff({ name: 'منى', role: 'teller' }, { name: 'علي', role: 'waiter' })),
    ).toEqual([event('علي', 'created')]);
    expect(
      await eventsOf(withStaff({ name: 'منى', role: 'owner' }, { name: 'علي', role: 'waiter' })),
    ).toEqual([event('منى', 'updated', 'role')]);
    expect(await eventsOf(withStaff({ name: 'منى', role: 'owner' }))).toEqual([event('علي', 'archived')]);
    const back = await eventsOf(withStaff({ name: 'منى', role: 'owner' }, { name: 'علي', role: 'manager' }));
    expect(back).toEqual([event('علي', 'updated', 'back from the archive, role')]);
    for (const canary of ['canary@', 'منى', 'علي', 'نادية'])
      expect(fixture.security.lines.join('\n')).not.toContain(canary);
  });

  test('changes of branches, activity and e-mail address are events; a change of name is none', async () => {
    const person = { key: 'laila', name: 'ليلى', role: 'teller' } as const;
    await fixture.import(withStaff(person));
    const changes: readonly [Partial<Staff[number]>, string][] = [
      [{ branches: ['zamalek'] }, 'branches'],
      [{ active: false }, 'active, branches'],
      [{ email: 'laila@permissions.example' }, 'active, email'],
    ];
    for (const [change, aspects] of changes)
      expect(await eventsOf(withStaff({ ...person, ...change }))).toMatchObject([{ aspects }]);
    await fixture.import(withStaff(person));
    expect(await eventsOf(withStaff({ ...person, name: 'ليلى علي' }))).toEqual([]);
  });

  test('a dry run and a refused file are no event', async () => {
    await fixture.import(withStaff());
    expect(await eventsOf(withStaff({ name: 'سارة', role: 'manager' }), { dryRun: true })).toEqual([]);
    const before = fixture.security.lines.length;
    await faultsOfImport(fixture.import(withStaff({ name: 'سارة', role: 'cook' as 'kitchen' })));
    expect(fixture.security.lines.length).toBe(before);
  });
});
