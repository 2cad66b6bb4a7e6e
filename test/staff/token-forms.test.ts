/** Tokens of sessions and devices carry their shop; those of older builds, which do not, go on working. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { authenticate } from '../../src/staff/app/access.ts';
import { revokeDevice } from '../../src/staff/app/devices.ts';
import { shopCodeInToken } from '../../src/platform/app/tokens.ts';
import { BEANS, openStaffFixture, OTHERS, type StaffFixture } from '../support/people/staff-use-cases.ts';

let fixture: StaffFixture;
beforeEach(async () => {
  fixture = await openStaffFixture();
});
afterEach(() => fixture.close());

const known = () => authenticate(fixture.deps);
const codeOf = (orgId: string) => fixture.deps.shopCodes.codeOf(fixture.db.kysely, orgId);

/** Stores another token instead of one that was handed out, as an older build made it. */
const olderToken = async (table: 'staff_session' | 'staff_device', token: string): Promise<string> => {
  const { tokens } = fixture.deps;
  const older = tokens.make(table === 'staff_session' ? 'staff' : 'till');
  const { numUpdatedRows } = await fixture.db.kysely
    .updateTable(table)
    .set({ token_hash: tokens.hashOf(older) })
    .where('token_hash', '=', tokens.hashOf(token))
    .executeTakeFirstOrThrow();
  expect(numUpdatedRows).toBe(1n);
  return older;
};

/** With the code of another shop, and of none. */
const moved = async (token: string): Promise<readonly string[]> => {
  const own = await codeOf(BEANS);
  expect(shopCodeInToken(token)).toBe(own);
  const other = await codeOf(OTHERS);
  const ofNone = own.startsWith('0') ? `1${own.slice(1)}` : `0${own.slice(1)}`;
  return [other, ofNone].map((code) => token.replace(own, code));
};

test('a token of a session whose shop was changed is refused', async () => {
  const { token } = await fixture.byPassword('owner@beans.example');
  expect(await known().staff(token)).toMatchObject({ orgId: BEANS });
  for (const changed of await moved(token)) expect(await known().staff(changed)).toBeNull();
});

test('a token of a device whose shop was changed is refused', async () => {
  const { token } = await fixture.paired();
  expect(await known().device(token)).toMatchObject({ orgId: BEANS, hasEnded: false });
  for (const changed of await moved(token)) {
    expect(await known().device(changed)).toBeNull();
    expect(await known().device(changed, true)).toBeNull();
  }
});

test('a session with a token of an older build goes on', async () => {
  const { token } = await fixture.byPassword('owner@beans.example');
  const older = await olderToken('staff_session', token);
  expect(await known().staff(token)).toBeNull();
  expect(await known().staff(older)).toMatchObject({ orgId: BEANS, role: 'owner' });
});

test('a device with a token of an older build goes on, and is known after its end', async () => {
  const { token, device } = await fixture.paired();
  const older = await olderToken('staff_device', token);
  expect(await known().device(older)).toMatchObject({ deviceId: device.deviceId, hasEnded: false });
  await revokeDevice(fixture.deps)(await fixture.owner(), device.deviceId);
  expect(await known().device(older)).toBeNull();
  expect(await known().device(older, true)).toMatchObject({ deviceId: device.deviceId, hasEnded: true });
});
