/** Signing in over HTTP: by e-mail, by pairing code, by PIN; and signing out. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { permissionsOf } from '../../src/kernel/permission.ts';
import { branchId, openShops, shopId } from '../support/shops/cafe.ts';
import {
  aStaffedShop,
  change,
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
import { auditOf } from '../support/database/stored-rows.ts';
import { placed } from '../support/people/guests.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let world: World;
beforeAll(async () => {
  world = await makeWorld({ trustedProxies: ['127.0.0.1'] });
  await openShops(world, aStaffedShop(), aStaffedShop('kashk'));
  await setCredentials(world);
  await setCredentials(world, 'kashk');
});
afterAll(() => world.close());

const signIn = (email: string, password: string, from = '203.0.113.7'): Promise<Reply> =>
  post(world, '/staff/sign-in', { email, password }, { 'x-forwarded-for': from });

const readOrders = (who: Readonly<Record<string, string>>): Promise<Reply> =>
  world.get('/staff/orders?branch_id=' + branchId(), who);

const isIn = async (who: SignedIn): Promise<boolean> => {
  const reply = await readOrders(who);
  if (reply.status === 200) return true;
  expect(refusalOf(reply).code).toMatch(/^(SESSION_ENDED|SIGN_IN_REQUIRED)$/);
  return false;
};

/** What distinguishes two responses, apart from the request id. */
const comparable = ({ status, text, headers }: Reply): unknown => ({
  status,
  text,
  lines: Object.keys(headers).filter((name) => name !== 'date'),
});

/** A refusal whose header and body give the same wait. */
const waitIn = (reply: Reply, code: string): number => {
  const refusal = refusalOf(reply);
  expect(refusal).toMatchObject({ status: 429, code });
  expect(reply.headers['retry-after']).toBe(String(refusal.retry_after_seconds));
  return refusal.retry_after_seconds ?? 0;
};

const countOf = (replies: readonly Reply[], status: number): number =>
  replies.filter((reply) => reply.status === status).length;

describe('sign-in by e-mail and password', () => {
  test('returns the owner a token, their identity and their permissions', async () => {
    const reply = await signIn(emailOf('owner'), PASSWORD);
    expect(reply.headers['cache-control']).toBe('no-store');
    const session = done('staffSignIn', reply);
    expect(session).toMatchObject({
      expires_at: new Date(world.now + 12 * HOUR).toISOString(),
      permissions: permissionsOf('owner'),
      staff: { id: personId('owner'), name: 'owner', role: 'owner' },
      org_id: shopId(),
      branch_ids: null,
    });
    expect(session.token).toMatch(/^stf_[0-9a-f]{10}_[\w-]{43}$/);
    expect(await isIn({ authorization: `Bearer ${session.token}` })).toBe(true);
    expect(await isIn({ authorization: `bearer  ${session.token}` })).toBe(true);
  });

  test('a wrong password and an unknown account get the same answer', async () => {
    const wrong = await signIn(emailOf('owner'), 'not the password');
    expect(refusalOf(wrong)).toMatchObject({ status: 401, code: 'WRONG_PASSWORD' });
    for (const [email, password] of [
      ['nobody@beit-el-bunn.example', PASSWORD],
      [emailOf('owner'), 'short'],
      [emailOf('owner', 'kashk'), 'not the password'],
      ['not an address', PASSWORD],
    ] as const)
      expect(comparable(await signIn(email, password)), email).toEqual(comparable(wrong));
  });

  test('five wrong passwords in 15 minutes delay this account from this address only', async () => {
    const email = emailOf('manager');
    for (let wrong = 0; wrong < 5; wrong += 1)
      expect((await signIn(email, `wrong ${wrong}`)).status).toBe(401);
    expect(waitIn(await signIn(email, PASSWORD), 'RATE_LIMITED')).toBe(15 * 60);
    expect((await signIn(email, PASSWORD, '203.0.113.8')).status).toBe(200);
    expect((await signIn(emailOf('teller'), PASSWORD)).status).toBe(200);
    world.now += 15 * MINUTE - 1;
    expect(waitIn(await signIn(email, PASSWORD), 'RATE_LIMITED')).toBe(1);
    world.now += 1;
    expect((await signIn(email, PASSWORD)).status).toBe(200);
  });

  test('of 20 concurrent wrong passwords five are verified', async () => {
    const guesses = await Promise.all(
      Array.from({ length: 20 }, (_, at) => signIn(emailOf('kitchen'), `guess ${at}`)),
    );
    expect([countOf(guesses, 401), countOf(guesses, 429)]).toEqual([5, 15]);
  });

  test('the session lasts exactly twelve hours', async () => {
    const owner = await signInAs(world, 'owner');
    world.now += 12 * HOUR - 1;
    expect(await isIn(owner)).toBe(true);
    world.now += 1;
    expect(await isIn(owner)).toBe(false);
  });

  test('signing out ends this session only', async () => {
    const [one, two] = [await signInAs(world, 'owner'), await signInAs(world, 'owner')];
    const reply = await world.send('POST', '/staff/sign-out', { ...one });
    expect(done('staffSignOut', reply)).toEqual({ signed_out: true });
    expect([await isIn(one), await isIn(two)]).toEqual([false, true]);
    expect((await world.send('POST', '/staff/sign-out', { ...one })).status).toBe(401);
  });

  test('a missing password and an unknown field are refused with their paths', async () => {
    const reply = await post(world, '/staff/sign-in', { email: emailOf('owner'), pin: PIN });
    expect(refusalOf(reply)).toMatchObject({
      status: 400,
      fields: [{ path: 'password' }, { path: 'pin' }],
    });
  });
});

test.each([
  ['no header line', {}],
  ['an empty one', { authorization: '' }],
  ['no token in it', { authorization: 'Bearer' }],
  ['another scheme', { authorization: 'Basic b3duZXI6YWh3YS1kZW1v' }],
  ['a token of another length', { authorization: `Bearer stf_${'a'.repeat(42)}` }],
  ['a token of a device', { authorization: `Bearer till_${'a'.repeat(43)}` }],
  ['garbage', { authorization: "Bearer '; drop table staff; --" }],
  ['a token without end', { authorization: `Bearer ${'a'.repeat(5_000)}` }],
])('%s is refused with SIGN_IN_REQUIRED', async (_, headers) => {
  const reply = await readOrders(headers);
  expect(refusalOf(reply)).toMatchObject({ status: 401, code: 'SIGN_IN_REQUIRED' });
});

test('a session that ended and one that never was get the same answer', async () => {
  const ended = await signInAs(world, 'owner');
  await world.send('POST', '/staff/sign-out', { ...ended });
  const answer = await readOrders({ ...ended });
  expect(refusalOf(answer)).toMatchObject({ status: 401, code: 'SESSION_ENDED' });
  const ofNobody = await readOrders({ authorization: `Bearer stf_${'a'.repeat(43)}` });
  expect(comparable(ofNobody)).toEqual(comparable(answer));
});

test('a device that was revoked and one that never was get the same answer', async () => {
  const till = await pairedTill(world);
  const owner = await signInAs(world, 'owner');
  await world.send('POST', `/staff/devices/${till.id}/revoke`, { ...owner });
  const answer = await world.get('/staff/pin', { ...till.device });
  expect(refusalOf(answer)).toMatchObject({ status: 401, code: 'DEVICE_REVOKED' });
  const ofNone = await world.get('/staff/pin', { authorization: `Bearer till_${'a'.repeat(43)}` });
  expect(comparable(ofNone)).toEqual(comparable(answer));
  const ofPerson = await world.get('/staff/pin', { ...owner });
  expect(refusalOf(ofPerson)).toMatchObject({ status: 401, code: 'SIGN_IN_REQUIRED' });
});

test('a token in the query string is ignored', async () => {
  const { authorization } = await signInAs(world, 'owner');
  const token = authorization.slice('Bearer '.length);
  const address = `/staff/orders?branch_id=${branchId()}&token=${token}&access_token=${token}`;
  expect((await world.get(address)).status).toBe(401);
});

describe('a device', () => {
  const codeFor = async (who: SignedIn, branch = 'zamalek'): Promise<StaffReply<'makePairingCode'>> => {
    const reply = await post(world, '/staff/devices', { branch_id: branchId(branch), label: 'الكاشير' }, who);
    expect(reply.status).toBe(201);
    return done('makePairingCode', reply);
  };
  const pair = (pairing_code: string): Promise<Reply> => post(world, '/staff/devices/pair', { pairing_code });

  test('is paired by a code and lists the people who may use a PIN there', async () => {
    const owner = await signInAs(world, 'owner');
    const code = await codeFor(owner);
    expect(code.expires_at).toBe(new Date(world.now + 10 * MINUTE).toISOString());
    const typed = `${code.pairing_code.slice(0, 4)} ${code.pairing_code.slice(4)}`.toLowerCase();
    const paired = done('pairDevice', await pair(typed));
    expect(paired).toMatchObject({ device_id: code.device_id, branch_id: branchId() });
    expect(paired.staff.map(({ id }) => id).toSorted()).toEqual(
      (['owner', 'manager', 'teller', 'waiter', 'kitchen'] as const).map((each) => personId(each)).toSorted(),
    );
    const device = { authorization: `Bearer ${paired.device_token}` };
    expect(done('listPinStaff', await world.get('/staff/pin', device))).toEqual(paired.staff);
    const listed = done('listDevices', await world.get('/staff/devices', { ...owner }));
    expect(listed.find(({ id }) => id === code.device_id)).toMatchObject({
      branch_id: branchId(),
      label: 'الكاشير',
      paired_at: new Date(world.now).toISOString(),
      revoked_at: null,
    });
    expect(await auditOf(world, code.device_id)).toMatchObject([
      { action: 'device.code_made', staff_id: personId('owner'), branch_id: branchId() },
      { action: 'device.paired', staff_id: null, device_id: code.device_id, branch_id: branchId() },
    ]);
  });

  test('a pairing code works once', async () => {
    const { pairing_code } = await codeFor(await signInAs(world, 'manager'));
    expect((await pair(pairing_code)).status).toBe(200);
    for (const code of [pairing_code, 'AAAAAAAA', 'no code at all'])
      expect(refusalOf(await pair(code))).toMatchObject({ status: 401, code: 'PAIRING_CODE_INVALID' });
  });

  test('a pairing code is valid for ten minutes', async () => {
    const owner = await signInAs(world, 'owner');
    const [inTime, late] = [await codeFor(owner), await codeFor(owner)];
    world.now += 10 * MINUTE - 1;
    expect((await pair(inTime.pairing_code)).status).toBe(200);
    world.now += 1;
    expect(refusalOf(await pair(late.pairing_code))).toMatchObject({
      status: 401,
      code: 'PAIRING_CODE_INVALID',
    });
  });

  test('of ten devices that send one code concurrently one is paired', async () => {
    const { pairing_code, device_id } = await codeFor(await signInAs(world, 'owner'));
    const replies = await Promise.all(Array.from({ length: 10 }, () => pair(pairing_code)));
    expect([countOf(replies, 200), countOf(replies, 401)]).toEqual([1, 9]);
    const paired = (await auditOf(world, device_id)).filter(({ action }) => action === 'device.paired');
    expect(paired).toHaveLength(1);
  });

  test('a manager cannot add, list or revoke a device of another branch or shop', async () => {
    const manager = await signInAs(world, 'manager');
    const [there, elsewhere] = [
      await pairedTill(world, 'maadi'),
      await pairedTill(world, 'zamalek', 'kashk'),
    ];
    for (const branch of [branchId('maadi'), branchId('zamalek', 'kashk')])
      expect((await post(world, '/staff/devices', { branch_id: branch, label: 'x' }, manager)).status).toBe(
        404,
      );
    const listed = done('listDevices', await world.get('/staff/devices', { ...manager }));
    expect(new Set(listed.map(({ branch_id }) => branch_id))).toEqual(new Set([branchId()]));
    for (const { id } of [there, elsewhere])
      expect((await world.send('POST', `/staff/devices/${id}/revoke`, { ...manager })).status).toBe(404);
    expect(await isIn(await there.signIn('owner'))).toBe(true);
  });

  test('revoking a device ends its sessions and is idempotent', async () => {
    const owner = await signInAs(world, 'owner');
    const [lost, kept] = [await pairedTill(world), await pairedTill(world)];
    const [there, here] = [await lost.signIn('teller'), await kept.signIn('teller')];
    const revoke = (): Promise<Reply> =>
      world.send('POST', `/staff/devices/${lost.id.toUpperCase()}/revoke`, { ...owner });
    const first = done('revokeDevice', await revoke());
    expect(first.revoked_at).toBe(new Date(world.now).toISOString());
    world.now += MINUTE;
    expect(done('revokeDevice', await revoke())).toEqual(first);
    expect([await isIn(there), await isIn(here)]).toEqual([false, true]);
    expect((await world.get('/staff/pin', { ...lost.device })).status).toBe(401);
    expect(
      (await post(world, '/staff/pin', { staff_id: personId('teller'), pin: PIN }, lost.device)).status,
    ).toBe(401);
    const ends = (await auditOf(world, lost.id)).filter(({ action }) => action === 'device.revoked');
    expect(ends).toMatchObject([{ staff_id: personId('owner'), branch_id: branchId() }]);
  });
});

describe('a PIN', () => {
  const byPin = (device: SignedIn, person: string, pin: string): Promise<Reply> =>
    post(world, '/staff/pin', { staff_id: personId(person), pin }, device);

  test('signs in staff of the branch; the audit log records their device', async () => {
    const till = await pairedTill(world);
    const reply = await byPin(till.device, 'teller', '٧٢٩٤');
    const session = done('pinSignIn', reply);
    expect(session).toMatchObject({
      permissions: permissionsOf('teller'),
      staff: { id: personId('teller'), role: 'teller' },
      branch_ids: [branchId()],
    });
    const { id } = await placed(world);
    const teller = { authorization: `Bearer ${session.token}` };
    expect((await change(world, teller, id, 'move', { to: 'confirmed', revision: 1 })).status).toBe(200);
    expect(await auditOf(world, id)).toMatchObject([
      { action: 'order.moved', staff_id: personId('teller'), device_id: till.id, branch_id: branchId() },
    ]);
  });

  test.each([
    ['a wrong PIN', personId('teller'), '1111'],
    ['no PIN', personId('teller'), 'abc'],
    ['someone of another branch', personId('ramy'), PIN],
    ['someone of another shop', personId('teller', 'kashk'), PIN],
    ['nobody', '00000000-0000-4000-8000-00000000dead', PIN],
  ])('a PIN sign-in with %s gets the same 401 answer', async (_, staff_id, pin) => {
    const { device } = await pairedTill(world);
    const wrong = await post(world, '/staff/pin', { staff_id: personId('teller'), pin: '9999' }, device);
    expect(refusalOf(wrong)).toMatchObject({ status: 401, code: 'WRONG_PIN' });
    expect(comparable(await post(world, '/staff/pin', { staff_id, pin }, device))).toEqual(comparable(wrong));
  });

  test('wrong PINs make this device wait longer each time, not another device', async () => {
    const [one, two] = [await pairedTill(world), await pairedTill(world)];
    for (let free = 0; free < 3; free += 1)
      expect((await byPin(one.device, 'teller', '1111')).status).toBe(401);
    for (const wait of [5, 15, 60, 300, 900, 900]) {
      expect((await byPin(one.device, 'teller', '1111')).status).toBe(401);
      expect(waitIn(await byPin(one.device, 'teller', PIN), 'PIN_THROTTLED')).toBe(wait);
      expect(waitIn(await byPin(one.device, 'waiter', PIN), 'PIN_THROTTLED')).toBe(wait);
      expect((await byPin(two.device, 'teller', PIN)).status).toBe(200);
      world.now += wait * SECOND;
    }
    expect((await byPin(one.device, 'teller', PIN)).status).toBe(200);
  });

  test('of 20 concurrent wrong PINs four are verified', async () => {
    const { device } = await pairedTill(world);
    const guesses = await Promise.all(
      Array.from({ length: 20 }, (_, at) => byPin(device, 'teller', String(1000 + at))),
    );
    expect([countOf(guesses, 401), countOf(guesses, 429)]).toEqual([4, 16]);
    for (const guess of guesses) if (guess.status === 429) expect(waitIn(guess, 'PIN_THROTTLED')).toBe(5);
  });

  test('a PIN sign-in needs a device token; the token of a person is refused', async () => {
    const owner = await signInAs(world, 'owner');
    expect((await byPin(owner, 'owner', PIN)).status).toBe(401);
    const { device } = await pairedTill(world);
    expect(await isIn(device)).toBe(false);
  });
});

describe('a session', () => {
  test('a session of a suspended shop gets ORG_SUSPENDED and works again afterwards', async () => {
    const owner = await signInAs(world, 'owner', 'kashk');
    const till = await pairedTill(world, 'zamalek', 'kashk');
    const teller = await till.signIn('teller');
    const code = done(
      'makePairingCode',
      await post(world, '/staff/devices', { branch_id: branchId('zamalek', 'kashk'), label: 'x' }, owner),
    );
    const switchTo = (isActive: boolean) =>
      world.db.kysely
        .updateTable('shop')
        .set({ is_active: isActive })
        .where('org_id', '=', shopId('kashk'))
        .execute();
    const orders = `/staff/orders?branch_id=${branchId('zamalek', 'kashk')}`;
    await switchTo(false);
    for (const reply of [
      await world.get(orders, { ...owner }),
      await world.get(orders, { ...teller }),
      await world.get('/staff/pin', { ...till.device }),
      await signIn(emailOf('owner', 'kashk'), PASSWORD),
      await post(world, '/staff/devices/pair', { pairing_code: code.pairing_code }),
    ])
      expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'ORG_SUSPENDED' });
    expect((await signIn(emailOf('owner', 'kashk'), 'not the password')).status).toBe(401);
    await switchTo(true);
    expect((await world.get(orders, { ...teller })).status).toBe(200);
    expect((await post(world, '/staff/devices/pair', { pairing_code: code.pairing_code })).status).toBe(200);
  });

  test('a session of a suspended shop can be signed out and stays ended afterwards', async () => {
    const [leaves, stays] = [await signInAs(world, 'owner'), await signInAs(world, 'owner')];
    const switchTo = (isActive: boolean) =>
      world.db.kysely
        .updateTable('shop')
        .set({ is_active: isActive })
        .where('org_id', '=', shopId())
        .execute();
    await switchTo(false);
    const signOut = () => world.send('POST', '/staff/sign-out', { ...leaves });
    const [first, again] = [await signOut(), await signOut()];
    await switchTo(true);
    expect(done('staffSignOut', first)).toEqual({ signed_out: true });
    expect(refusalOf(again)).toMatchObject({ status: 401, code: 'SESSION_ENDED' });
    expect([await isIn(leaves), await isIn(stays)]).toEqual([false, true]);
  });

  test('leaves no token, pairing code or password in the database or the log', async () => {
    const owner = await signInAs(world, 'owner');
    const reply = await post(world, '/staff/devices', { branch_id: branchId(), label: 'x' }, owner);
    const { pairing_code } = done('makePairingCode', reply);
    const till = await pairedTill(world);
    const teller = await till.signIn('teller');
    await world.get('/staff/orders?branch_id=nonsense', { ...teller });
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = current_schema()
    `.execute(world.db.kysely);
    const stored: string[] = [];
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(
        world.db.kysely,
      );
      stored.push(...rows.map(({ row }) => row));
    }
    const storedText = [...stored, ...world.logged].join('\n');
    expect(storedText).toContain('scrypt$');
    const tokens = [owner, teller, till.device].map(({ authorization }) =>
      authorization.slice('Bearer '.length),
    );
    for (const secret of [...tokens, pairing_code, PASSWORD])
      for (const form of [secret, secret.replace(/^[a-z]+_/, ''), Buffer.from(secret).toString('hex')])
        expect(storedText.includes(form), form).toBe(false);
  });
});
