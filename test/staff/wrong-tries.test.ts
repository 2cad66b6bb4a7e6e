/** Wrong PINs and passwords: written down, counted, and told to the owner. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addWebhook } from '../../src/messaging/app/webhook.ts';
import { at } from '../../src/platform/store/db.ts';
import { openShops, shopId } from '../support/cafe.ts';
import { post } from '../support/guests.ts';
import {
  aShopAtWork,
  done,
  emailOf,
  hire,
  pairedTill,
  PASSWORD,
  personId,
  PIN,
  type Till,
} from '../support/shift.ts';
import { makeWorld, type Reply, type World } from '../support/world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let world: World;
let tills: readonly Till[];
let till: Till;
beforeAll(async () => {
  world = await makeWorld({ trustedProxies: ['127.0.0.1'] });
  await openShops(world, aShopAtWork(), aShopAtWork('kashk'));
  await hire(world);
  await hire(world, 'kashk');
  tills = [
    await pairedTill(world),
    await pairedTill(world),
    await pairedTill(world),
    await pairedTill(world),
  ];
});
beforeEach(async () => {
  await world.app.aside.settled();
  // Nothing of an earlier test counts any more.
  world.now += 24 * HOUR;
  [till] = tills as [Till];
});
afterAll(() => world.close());

const byPin = (person: string, pin = '5555', on = till): Promise<Reply> =>
  post(world, '/staff/pin', { staff_id: personId(person), pin }, on.device);
const byPassword = (email: string, password = 'not the password', from = '203.0.113.7'): Promise<Reply> =>
  post(world, '/staff/sign-in', { email, password }, { 'x-forwarded-for': from });

const audited = async (action: string, slug?: string) => {
  await world.app.aside.settled();
  return world.db.kysely
    .selectFrom('audit')
    .selectAll()
    .where('org_id', '=', shopId(slug))
    .where('action', '=', action)
    .where('at', '>=', at(world.now - 2 * HOUR))
    .orderBy('at')
    .execute();
};

const told = async (slug?: string): Promise<number> => (await audited('security.wrong_tries', slug)).length;

/** So many wrong PINs, 12 at most, at two people on two devices: so few of each that none has to wait. */
const wrongPins = async (count: number, from = 0): Promise<void> => {
  for (let at = 0; at < count; at += 1) {
    const person = at % 4 < 2 ? 'owner' : 'teller';
    expect((await byPin(person, '5555', tills[from + (at % 2)])).status).toBe(401);
  }
};

describe('a wrong PIN', () => {
  test('is in the audit log, with whose it was and on which device; what was typed is nowhere', async () => {
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

  test('of somebody who may not sign in there is nobody’s', async () => {
    await byPin('ramy');
    expect(await audited('staff.pin_wrong')).toMatchObject([{ subject_id: null, device_id: till.id }]);
  });

  test('that is refused in a wait was not judged, and is not written down', async () => {
    for (let tried = 0; tried < 8; tried += 1) await byPin('owner');
    expect(await audited('staff.pin_wrong')).toHaveLength(4);
  });
});

describe('a wrong password', () => {
  test('is in the audit log of the shop whose account it was, with the address it came from', async () => {
    const before = world.app.security.counts.password_wrong;
    await byPassword(emailOf('manager'), 'my other password');
    expect(await audited('staff.password_wrong')).toMatchObject([
      { staff_id: null, subject_id: personId('manager'), device_id: null, detail: { client: '203.0.113.7' } },
    ]);
    expect(world.app.security.counts.password_wrong).toBe(before + 1);
    expect(world.logged.join('\n')).not.toContain('my other password');
  });

  test('of an account that nobody has is in the log alone, without the address that was typed', async () => {
    const before = world.app.security.counts.password_wrong;
    await byPassword('somebody@example.com');
    expect(await audited('staff.password_wrong')).toEqual([]);
    expect(world.app.security.counts.password_wrong).toBe(before + 1);
    expect(world.logged.join('\n')).not.toContain('somebody@example.com');
  });
});

describe('ten wrong tries within an hour', () => {
  test('are told to the owner, and nine are not; each shop has its own', async () => {
    await wrongPins(6);
    for (let at = 0; at < 3; at += 1) await byPassword(emailOf('manager'));
    expect(await told()).toBe(0);
    await byPassword(emailOf('owner', 'kashk'));
    expect(await told()).toBe(0);
    await byPassword(emailOf('owner'));
    expect(await told()).toBe(1);
    expect(await told('kashk')).toBe(0);
  });

  test('however many come, and however many at once, are told once an hour', async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        byPassword(emailOf(at % 2 === 0 ? 'owner' : 'manager'), 'not the password', `198.51.100.${at + 1}`),
      ),
    );
    expect(await told()).toBe(1);
    world.now += HOUR - 1;
    await wrongPins(10);
    expect(await told()).toBe(1);
    world.now += 1;
    await byPin('waiter', '5555', tills[2]);
    expect(await told()).toBe(2);
  });

  test('stand in what the owner is answered at the next sign-in with their password, once; others hear nothing', async () => {
    const notices = async (person: string) =>
      done('staffSignIn', await byPassword(emailOf(person), PASSWORD)).notices;
    await notices('owner');
    world.now += MINUTE;
    await wrongPins(10);
    await world.app.aside.settled();
    const news = [{ kind: 'wrong_tries', at: new Date(world.now).toISOString(), tries: 10 }];
    world.now += MINUTE;
    expect(await notices('manager')).toEqual([]);
    // A PIN shows it too, and does not take it away: it may be the guesser's.
    for (let tried = 0; tried < 2; tried += 1)
      expect(done('pinSignIn', await byPin('owner', PIN, tills[2])).notices).toEqual(news);
    expect(await notices('owner')).toEqual(news);
    world.now += MINUTE;
    expect(await notices('owner')).toEqual([]);
  });

  test('are an event for the shop’s own systems, without anybody’s name', async () => {
    await addWebhook(world.app, shopId(), 'https://till.example/hooks');
    await wrongPins(10);
    expect(await told()).toBe(1);
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
