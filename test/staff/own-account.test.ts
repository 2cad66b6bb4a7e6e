import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { branchId, openShops, shopId } from '../support/shops/cafe.ts';
import {
  aStaffedShop,
  elevate,
  emailOf,
  pairedTill,
  PASSWORD,
  personId,
  PIN,
  setCredentials,
  type SignedIn,
  signInAs,
  type StaffReply,
} from '../support/people/staff.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { asOwner } from '../support/database/test-database.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NEW_PASSWORD = 'another password of the tests';
const NEW_PIN = '3805';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, aStaffedShop());
});
beforeEach(async () => {
  world.now += 24 * HOUR;
  await setCredentials(world);
});
afterAll(() => world.close());

const isIn = async (who: SignedIn): Promise<boolean> =>
  (await world.get(`/staff/orders?branch_id=${branchId()}`, { ...who })).status === 200;
const signsIn = async (person: 'owner' | 'teller', password: string): Promise<boolean> =>
  (await post(world, '/staff/sign-in', { email: emailOf(person), password })).status === 200;
const newPassword = (who: SignedIn, new_password: string, current_password = PASSWORD): Promise<Reply> =>
  post(world, '/staff/me/password', { current_password, new_password }, who);
const newPin = (who: SignedIn, new_pin: string, current_pin?: string): Promise<Reply> =>
  post(world, '/staff/me/pin', { new_pin, ...(current_pin !== undefined && { current_pin }) }, who);
const sessionsOf = async (who: SignedIn): Promise<StaffReply<'listSessions'>> =>
  done('listSessions', await world.get('/staff/me/sessions', { ...who }));
const wrong = (reply: Reply): void =>
  expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'CREDENTIALS_WRONG' });

describe('POST /staff/me/password', () => {
  test('a new password works at once and ends the other sessions of this person only', async () => {
    const [here, there] = [await signInAs(world, 'teller'), await signInAs(world, 'teller')];
    const till = await pairedTill(world);
    const [onTill, colleague] = [await till.signIn('teller'), await till.signIn('waiter')];
    const before = { ...world.app.security.counts };
    expect(done('changePassword', await newPassword(here, NEW_PASSWORD))).toMatchObject({
      sessions_ended: 2,
    });
    expect([await isIn(here), await isIn(there), await isIn(onTill), await isIn(colleague)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect([await signsIn('teller', PASSWORD), await signsIn('teller', NEW_PASSWORD)]).toEqual([false, true]);
    const { credentials_changed, sessions_ended } = world.app.security.counts;
    expect(credentials_changed - before.credentials_changed).toBe(1);
    expect(sessions_ended - before.sessions_ended).toBe(2);
  });

  test('a wrong current password counts with the other wrong passwords of the account', async () => {
    const teller = await signInAs(world, 'teller');
    for (let tried = 0; tried < 5; tried += 1)
      wrong(await newPassword(teller, NEW_PASSWORD, `wrong password ${tried}`));
    expect((await newPassword(teller, NEW_PASSWORD)).status).toBe(429);
    expect(await signsIn('teller', PASSWORD)).toBe(false);
    world.now += 15 * MINUTE;
    expect(await signsIn('teller', PASSWORD)).toBe(true);
  });

  test.each([
    ['too short', 'seven77'],
    ['blank', ' '.repeat(12)],
    ['what most people choose', 'Password1'],
    ['what most people choose, in capitals', 'QWERTYUIOP'],
    ['the e-mail address', emailOf('teller')],
    ['the shop’s name', 'Beit El Bunn'],
    ['the shop’s Arabic name, written otherwise', 'بيت-البن!'],
    ['the shop’s address name', 'beit_el_bunn'],
    ['the one that it was', PASSWORD],
  ])('a new password that is %s is refused with the field new_password', async (_, password) => {
    const teller = await signInAs(world, 'teller');
    const reply = await newPassword(teller, password, 'not the password');
    if (password === PASSWORD) wrong(reply);
    else expect(refusalOf(reply)).toMatchObject({ status: 400, fields: [{ path: 'new_password' }] });
    const same = await newPassword(teller, password);
    expect(refusalOf(same)).toMatchObject({ status: 400, fields: [{ path: 'new_password' }] });
    expect(await signsIn('teller', PASSWORD)).toBe(true);
  });

  test('a common password is refused in Arabic', async () => {
    const teller = await signInAs(world, 'teller');
    const body = { current_password: PASSWORD, new_password: 'password' };
    const reply = await post(world, '/staff/me/password', body, { ...teller, 'accept-language': 'ar' });
    expect(refusalOf(reply).error).toContain('كلمات المرور الشائعة');
  });

  test('of ten concurrent password changes one is accepted', async () => {
    const teller = await signInAs(world, 'teller');
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, at) => newPassword(teller, `${NEW_PASSWORD} ${at}`)),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.every((status) => [200, 401, 403, 429].includes(status))).toBe(true);
    const taken = statuses.indexOf(200);
    world.now += 15 * MINUTE;
    expect(await signsIn('teller', `${NEW_PASSWORD} ${taken}`)).toBe(true);
  });
});

describe('POST /staff/me/pin', () => {
  test('the current PIN sets a new PIN and ends the other sessions of the person', async () => {
    const till = await pairedTill(world);
    const [here, there] = [await till.signIn('teller'), await signInAs(world, 'teller')];
    expect(done('changePin', await newPin(here, NEW_PIN, PIN))).toEqual({ sessions_ended: 1 });
    expect([await isIn(here), await isIn(there)]).toEqual([true, false]);
    const byPin = (pin: string) =>
      post(world, '/staff/pin', { staff_id: personId('teller'), pin }, till.device);
    expect((await byPin(PIN)).status).toBe(401);
    expect((await byPin(NEW_PIN)).status).toBe(200);
  });

  test('the current PIN is required; wrong ones make the device wait as at sign-in', async () => {
    const till = await pairedTill(world);
    const teller = await till.signIn('teller');
    expect(refusalOf(await newPin(teller, NEW_PIN))).toMatchObject({
      status: 400,
      fields: [{ path: 'current_pin' }],
    });
    for (let tried = 0; tried < 4; tried += 1) wrong(await newPin(teller, NEW_PIN, '5555'));
    expect(refusalOf(await newPin(teller, NEW_PIN, PIN))).toMatchObject({
      status: 429,
      code: 'PIN_THROTTLED',
      retry_after_seconds: 5,
    });
  });

  test('an elevated session needs no current PIN, on a till or elsewhere', async () => {
    const till = await pairedTill(world);
    const onTill = await elevate(world, await till.signIn('teller'), 'teller');
    expect((await newPin(onTill, NEW_PIN)).status).toBe(200);
    const byMail = await signInAs(world, 'teller');
    expect((await newPin(byMail, '9058')).status).toBe(200);
    world.now += 10 * MINUTE;
    expect(refusalOf(await newPin(byMail, NEW_PIN, '9058'))).toMatchObject({
      status: 400,
      fields: [{ path: 'current_pin' }],
    });
  });

  test.each(['0000', '1234', '2468', '4321', '9753', '7890', '1212', '123123', '1122', '1990', '2026', '12'])(
    'the easily guessed PIN %s is refused',
    async (pin) => {
      const teller = await signInAs(world, 'teller');
      expect(refusalOf(await newPin(teller, pin))).toMatchObject({
        status: 400,
        fields: [{ path: 'new_pin' }],
      });
    },
  );
});

describe('the own sessions', () => {
  test('own sessions are listed with device and start, without tokens or hashes', async () => {
    const till = await pairedTill(world);
    const teller = await signInAs(world, 'teller');
    const since = new Date(world.now).toISOString();
    world.now += MINUTE;
    const onTill = await till.signIn('teller');
    const later = new Date(world.now).toISOString();
    const sessions = await sessionsOf(onTill);
    expect(sessions).toMatchObject([
      { device: { id: till.id, label: 'الكاشير' }, since: later, last_used_at: later, current: true },
      { device: null, since, last_used_at: since, current: false },
    ]);
    const tokens = [teller, onTill].map(({ authorization }) => authorization.slice('Bearer '.length));
    const hashes = tokens.map((token) => world.app.tokens.hashOf(token));
    const text = JSON.stringify(sessions);
    for (const secret of [
      ...tokens,
      ...hashes.flatMap((hash) => [hash.toString('hex'), hash.toString('base64')]),
    ])
      expect(text).not.toContain(secret);
    expect(await sessionsOf(await till.signIn('waiter'))).toHaveLength(1);
  });

  test('own sessions show the last use to within a minute', async () => {
    const teller = await signInAs(world, 'teller');
    for (const seconds of [59, 1, 30, 40]) {
      world.now += seconds * 1_000;
      await isIn(teller);
      await world.app.backgroundTasks.settled();
      const [session] = await sessionsOf(teller);
      const age = world.now - Date.parse(session?.last_used_at ?? '');
      expect(age).toBeLessThan(MINUTE);
    }
  });

  test('own sessions are ended by id; a session of a colleague is 404', async () => {
    const [here, there] = [await signInAs(world, 'teller'), await signInAs(world, 'teller')];
    const colleague = await signInAs(world, 'waiter');
    const idOf = async (who: SignedIn) => (await sessionsOf(who)).find(({ current }) => current)?.id ?? '';
    const [own, other, theirs] = [await idOf(here), await idOf(there), await idOf(colleague)];
    const end = (id: string): Promise<Reply> =>
      world.send('POST', `/staff/me/sessions/${id}/end`, { ...here });
    expect((await end(theirs)).status).toBe(404);
    expect(done('endOwnSession', await end(other.toUpperCase()))).toEqual({ sessions_ended: 1 });
    expect((await end(other)).status).toBe(404);
    expect([await isIn(here), await isIn(there), await isIn(colleague)]).toEqual([true, false, true]);
    expect((await end(own)).status).toBe(200);
    expect(await isIn(here)).toBe(false);
  });

  test('a person has at most 1,000 sessions; sequential and concurrent sign-ins end the oldest', async () => {
    const oldest = await signInAs(world, 'teller');
    world.now += 1;
    const second = await signInAs(world, 'teller');
    await asOwner(
      world.database,
      `insert into staff_session
       select (jsonb_populate_record(s, jsonb_build_object('token_hash', sha256(n::text::bytea),
         'id', gen_random_uuid(), 'created_at', s.created_at + n * interval '1 microsecond'))).*
       from staff_session s, generate_series(1, 998) n
       where s.created_at = (select max(created_at) from staff_session)`,
    );
    expect([await isIn(oldest), await isIn(second)]).toEqual([true, true]);
    world.now += 1_000;
    const latest = await signInAs(world, 'teller');
    expect([await isIn(oldest), await isIn(second), await isIn(latest)]).toEqual([false, true, true]);
    world.now += 1;
    await Promise.all(Array.from({ length: 10 }, () => signInAs(world, 'teller')));
    world.now += 1;
    expect(await sessionsOf(await signInAs(world, 'teller'))).toHaveLength(1_000);
  });

  test('end-others ends all other sessions of this person only', async () => {
    const till = await pairedTill(world);
    const others = [await signInAs(world, 'teller'), await till.signIn('teller')];
    const [here, colleague] = [await signInAs(world, 'teller'), await till.signIn('waiter')];
    const reply = await world.send('POST', '/staff/me/sessions/end-others', { ...here });
    expect(done('endOtherSessions', reply)).toEqual({ sessions_ended: 2 });
    for (const other of others) expect(await isIn(other)).toBe(false);
    expect([await isIn(here), await isIn(colleague)]).toEqual([true, true]);
  });
});

describe('a sign-in by e-mail on a paired till', () => {
  const byMailOn = async (till: { device: SignedIn }): Promise<SignedIn> => {
    const lines = { 'x-known-device': till.device.authorization.slice('Bearer '.length) };
    const given = { email: emailOf('manager'), password: PASSWORD };
    const { token } = done('staffSignIn', await post(world, '/staff/sign-in', given, lines));
    return { authorization: `Bearer ${token}` };
  };

  test('an e-mail sign-in on a till is listed with the till and ends after 30 unused minutes', async () => {
    const till = await pairedTill(world);
    const manager = await byMailOn(till);
    expect(await sessionsOf(manager)).toMatchObject([{ device: { id: till.id, label: 'الكاشير' } }]);
    world.now += 30 * MINUTE;
    expect(await isIn(manager)).toBe(false);
  });

  test('an e-mail sign-in on a till ends when the till is revoked', async () => {
    const [till, other] = [await pairedTill(world), await pairedTill(world)];
    const [manager, elsewhere] = [await byMailOn(till), await byMailOn(other)];
    const owner = await signInAs(world, 'owner');
    const reply = await world.send('POST', `/staff/devices/${till.id}/revoke`, { ...owner });
    expect(reply.status).toBe(200);
    expect([await isIn(manager), await isIn(elsewhere)]).toEqual([false, true]);
  });

  test('an e-mail sign-in on a till returns the owner their notices once', async () => {
    const till = await pairedTill(world);
    const wrong = { email: emailOf('manager'), password: 'not the password' };
    const lines = { 'x-known-device': till.device.authorization.slice('Bearer '.length) };
    for (let tried = 0; tried < 10; tried += 1) {
      await post(world, '/staff/sign-in', wrong, lines);
      await world.app.backgroundTasks.settled();
      world.now += 5 * MINUTE;
    }
    const given = { email: emailOf('owner'), password: PASSWORD };
    const notices = async () =>
      done('staffSignIn', await post(world, '/staff/sign-in', given, lines)).notices;
    expect((await notices()).length).toBe(1);
    world.now += 1;
    expect((await notices()).length).toBe(0);
  });
});

describe('an unused session', () => {
  test('a session unused for 30 minutes ends on a paired device, but not by e-mail', async () => {
    const till = await pairedTill(world);
    const [onTill, byMail] = [await till.signIn('teller'), await signInAs(world, 'teller')];
    world.now += 30 * MINUTE - 1;
    expect([await isIn(onTill), await isIn(byMail)]).toEqual([true, true]);
    await world.app.backgroundTasks.settled();
    world.now += 30 * MINUTE - 1;
    expect(await isIn(onTill)).toBe(true);
    await world.app.backgroundTasks.settled();
    world.now += 30 * MINUTE;
    expect([await isIn(onTill), await isIn(byMail)]).toEqual([false, true]);
    expect(await sessionsOf(byMail)).toHaveLength(1);
  });

  test('a constantly used session ends after twelve hours', async () => {
    const till = await pairedTill(world);
    const onTill = await till.signIn('teller');
    for (let minute = 0; minute < 12 * 60; minute += 20) {
      expect(await isIn(onTill), `after ${minute} minutes`).toBe(true);
      await world.app.backgroundTasks.settled();
      world.now += 20 * MINUTE;
    }
    expect(await isIn(onTill)).toBe(false);
  });

  test('the last use of a session is written at most once a minute', async () => {
    const teller = await signInAs(world, 'teller');
    const stored = async (): Promise<string[]> => {
      await world.app.backgroundTasks.settled();
      const rows = await world.db.kysely
        .selectFrom('staff_session')
        .select(['last_used_at', 'token_hash'])
        .where('org_id', '=', shopId())
        .where('token_hash', '=', world.app.tokens.hashOf(teller.authorization.slice('Bearer '.length)))
        .execute();
      return rows.map(({ last_used_at }) => new Date(last_used_at ?? 0).toISOString());
    };
    const first = await stored();
    world.now += MINUTE - 1;
    await Promise.all(Array.from({ length: 20 }, () => isIn(teller)));
    expect(await stored()).toEqual(first);
    world.now += 1;
    await Promise.all(Array.from({ length: 20 }, () => isIn(teller)));
    expect(await stored()).toEqual([new Date(world.now).toISOString()]);
  });
});
