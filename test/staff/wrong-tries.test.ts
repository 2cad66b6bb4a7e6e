import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addWebhook } from '../../src/messaging/app/webhook.ts';
import { at } from '../../src/platform/store/db.ts';
import { openShops, shopId } from '../support/shops/cafe.ts';
import { done, post } from '../support/server/requests.ts';
import {
  aStaffedShop,
  emailOf,
  pairedTill,
  PASSWORD,
  personId,
  PIN,
  setCredentials,
  type Till,
} from '../support/people/staff.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let world: World;
let tills: readonly Till[];
let till: Till;
beforeAll(async () => {
  world = await makeWorld({ trustedProxies: ['127.0.0.1'] });
  await openShops(world, aStaffedShop(), aStaffedShop('kashk'));
  await setCredentials(world);
  await setCredentials(world, 'kashk');
  tills = [
    await pairedTill(world),
    await pairedTill(world),
    await pairedTill(world),
    await pairedTill(world),
  ];
});
beforeEach(async () => {
  await world.app.backgroundTasks.settled();
  world.now += 24 * HOUR;
  [till] = tills as [Till];
});
afterAll(() => world.close());

const byPin = (person: string, pin = '5555', on = till): Promise<Reply> =>
  post(world, '/staff/pin', { staff_id: personId(person), pin }, on.device);
const byPassword = (email: string, password = 'not the password', from = '203.0.113.7'): Promise<Reply> =>
  post(world, '/staff/sign-in', { email, password }, { 'x-forwarded-for': from });

const audited = async (action: string, slug?: string) => {
  await world.app.backgroundTasks.settled();
  return world.db.kysely
    .selectFrom('audit')
    .selectAll()
    .where('org_id', '=', shopId(slug))
    .where('action', '=', action)
    .where('at', '>=', at(world.now - 2 * HOUR))
    .orderBy('at')
    .execute();
};

const notifications = async (slug?: string): Promise<number> =>
  (await audited('security.wrong_tries', slug)).length;

/** At most 12 wrong PINs, spread over two people on two devices so that none has to wait. */
const wrongPins = async (count: number, from = 0): Promise<void> => {
  for (let at = 0; at < count; at += 1) {
    const person = at % 4 < 2 ? 'owner' : 'teller';
    expect((await byPin(person, '5555', tills[from + (at % 2)])).status).toBe(401);
  }
};

describe('a wrong PIN', () => {
  test('a wrong PIN is in the audit log with person and device, without the typed digits', async () => {
    const before = world.app.security.counts.pin_wrong;
    await byPin('owner', '918273');
    const [entry, ...others] = await audited('staff.pin_wrong');
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      staff_id: null,
      subject: 'staff',
      subject_id: personId('owner'),
      device_id: till.id,
      detail: {},
    });
    expect(entry?.branch_id).not.toBeNull();
    expect(world.app.security.counts.pin_wrong).toBe(before + 1);
    const line = world.logged.findLast((each) => each.includes('pin_wrong')) ?? '';
    expect(JSON.parse(line)).toMatchObject({
      org_id: shopId(),
      staff_id: personId('owner'),
      device_id: till.id,
    });
    expect([JSON.stringify(entry), ...world.logged].join('\n')).not.toContain('918273');
  });

  test('a wrong PIN for a person of another branch is recorded without the person', async () => {
    await byPin('ramy');
    expect(await audited('staff.pin_wrong')).toMatchObject([{ subject_id: null, device_id: till.id }]);
  });

  test('a PIN refused during a wait is not in the audit log', async () => {
    for (let tried = 0; tried < 8; tried += 1) await byPin('owner');
    expect(await audited('staff.pin_wrong')).toHaveLength(4);
  });
});

describe('a wrong password', () => {
  test('a wrong password is in the audit log of its shop with the client address', async () => {
    const before = world.app.security.counts.password_wrong;
    await byPassword(emailOf('manager'), 'my other password');
    expect(await audited('staff.password_wrong')).toMatchObject([
      { staff_id: null, subject_id: personId('manager'), device_id: null, detail: { client: '203.0.113.7' } },
    ]);
    expect(world.app.security.counts.password_wrong).toBe(before + 1);
    expect(world.logged.join('\n')).not.toContain('my other password');
  });

  test('a wrong password of an unknown account is counted, not audited, without the typed address', async () => {
    const before = world.app.security.counts.password_wrong;
    await byPassword('somebody@example.com');
    expect(await audited('staff.password_wrong')).toEqual([]);
    expect(world.app.security.counts.password_wrong).toBe(before + 1);
    expect(world.logged.join('\n')).not.toContain('somebody@example.com');
  });
});

describe('ten wrong tries within an hour', () => {
  test('ten wrong tries notify the owner, nine do not; each shop counts its own', async () => {
    await wrongPins(6);
    for (let at = 0; at < 3; at += 1) await byPassword(emailOf('manager'));
    expect(await notifications()).toBe(0);
    await byPassword(emailOf('owner', 'kashk'));
    expect(await notifications()).toBe(0);
    await byPassword(emailOf('owner'));
    expect(await notifications()).toBe(1);
    expect(await notifications('kashk')).toBe(0);
  });

  test('wrong tries notify the owner once an hour, also 60 concurrent ones', async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        byPassword(emailOf(at % 2 === 0 ? 'owner' : 'manager'), 'not the password', `198.51.100.${at + 1}`),
      ),
    );
    expect(await notifications()).toBe(1);
    world.now += HOUR - 1;
    await wrongPins(10);
    expect(await notifications()).toBe(1);
    world.now += 1;
    await byPin('waiter', '5555', tills[2]);
    expect(await notifications()).toBe(2);
  });

  test('wrong tries are a notice to the owner until a password sign-in; a manager gets none', async () => {
    const notices = async (person: string) =>
      done('staffSignIn', await byPassword(emailOf(person), PASSWORD)).notices;
    await notices('owner');
    world.now += MINUTE;
    await wrongPins(10);
    await world.app.backgroundTasks.settled();
    const expectedNotices = [{ kind: 'wrong_tries', at: new Date(world.now).toISOString(), tries: 10 }];
    world.now += MINUTE;
    expect(await notices('manager')).toEqual([]);
    // A PIN sign-in shows it but does not clear it: it may be the guesser's.
    for (let tried = 0; tried < 2; tried += 1)
      expect(done('pinSignIn', await byPin('owner', PIN, tills[2])).notices).toEqual(expectedNotices);
    expect(await notices('owner')).toEqual(expectedNotices);
    world.now += MINUTE;
    expect(await notices('owner')).toEqual([]);
  });

  test('wrong tries send the webhook event security.wrong_tries without names', async () => {
    await addWebhook(world.app, shopId(), 'https://till.example/hooks');
    await wrongPins(10);
    expect(await notifications()).toBe(1);
    const rows = await world.db.kysely
      .selectFrom('outbox')
      .selectAll()
      .where('kind', '=', 'webhook')
      .execute();
    expect(rows).toMatchObject([
      { org_id: shopId(), subject_id: shopId(), payload: { type: 'security.wrong_tries', tries: 10 } },
    ]);
  });
});
