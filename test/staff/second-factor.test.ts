import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { branchId } from '../support/shops/cafe.ts';
import { aStaffedWorld, pairedTill, personId, type SignedIn, signInAs } from '../support/people/staff.ts';
import { auditOf } from '../support/database/stored-rows.ts';
import {
  addApp,
  addPasskey,
  passkeyOptionsOf,
  bearerOf,
  creationFor,
  signInWith,
  FACTORS,
  expectWrongFactor as isWrong,
  withoutFactors,
} from '../support/people/second-factors.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { softPasskey } from '../support/people/authenticators.ts';
import { asOwner } from '../support/database/test-database.ts';
import { PUBLIC_ADDRESS, type World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

const STEP = 30_000;
const MINUTE = 60_000;

let world: World;
let counts: World['app']['security']['counts'];
beforeAll(async () => {
  world = await aStaffedWorld();
});
beforeEach(async () => {
  await withoutFactors(world);
  for (const table of ['sign_in_failure', 'account_failure'] as const)
    await world.db.kysely.deleteFrom(table).execute();
  await asOwner(world.database, 'delete from audit');
  counts = { ...world.app.security.counts };
});
afterAll(() => world.close());

const eventsOf = (kind: keyof typeof counts): number => world.app.security.counts[kind] - counts[kind];

const statusesOf = (replies: readonly Reply[]): number[] =>
  replies.map(({ status }) => status).sort((a, b) => a - b);

/** What distinguishes two responses, apart from the request id. */
const comparable = ({ status, text, headers }: Reply): unknown => ({
  status,
  text,
  lines: Object.keys(headers).filter((name) => name !== 'date'),
});

const signInOwner = async (): Promise<SignedIn> => signInAs(world, 'owner');
const listed = async (who: SignedIn) => done('listSecondFactors', await world.get(FACTORS, { ...who }));

describe('an authenticator app', () => {
  test('an app code is requested after the right password and completes the sign-in', async () => {
    const app = await addApp(world, await signInOwner());
    const asked = await signInWith(world, 'owner');
    expect(refusalOf(asked)).toMatchObject({ status: 401, code: 'SECOND_FACTOR_REQUIRED' });
    expect(asked.body).toMatchObject({ vars: { kinds: ['totp', 'recovery_code'] } });
    expect(asked.body).not.toHaveProperty('vars.passkey');
    world.now += STEP;
    const who = bearerOf(await signInWith(world, 'owner', { totp: app.code() }));
    const { factors, recovery_codes_left } = await listed(who);
    expect(recovery_codes_left).toBe(10);
    expect(factors).toEqual([
      {
        ...{ id: app.id, kind: 'totp', label: 'TOTP', created_at: new Date(world.now - STEP).toISOString() },
        last_used_at: new Date(world.now).toISOString(),
      },
    ]);
  });

  test('is required of its owner only; a colleague signs in without a code', async () => {
    await addApp(world, await signInOwner());
    expect((await signInWith(world, 'manager')).status).toBe(200);
    expect((await signInWith(world, 'manager', { totp: '123456' })).status).toBe(200);
  });

  test('is not required until its first code is confirmed within ten minutes', async () => {
    const owner = await signInOwner();
    done('beginTotp', await post(world, `${FACTORS}/totp`, { label: 'app' }, owner));
    isWrong(await post(world, `${FACTORS}/totp/confirm`, { code: '000000' }, owner));
    expect((await signInWith(world, 'owner')).status).toBe(200);
    expect(await listed(owner)).toEqual({ factors: [], recovery_codes_left: 0 });
    world.now += 10 * MINUTE;
    const late = await post(world, `${FACTORS}/totp/confirm`, { code: '000000' }, await signInOwner());
    expect(late.status).toBe(404);
  });

  test('a code works once: of 20 concurrent sign-ins with one code one succeeds', async () => {
    const app = await addApp(world, await signInOwner());
    expect(refusalOf(await signInWith(world, 'owner', { totp: app.code() }))).toMatchObject({
      ...{ status: 400, code: 'SECOND_FACTOR_WRONG' },
    });
    world.now += STEP;
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => signInWith(world, 'owner', { totp: app.code() })),
    );
    expect(statusesOf(replies).filter((status) => status === 200)).toHaveLength(1);
    world.now += 15 * MINUTE;
    isWrong(await signInWith(world, 'owner', { totp: app.code(-31) }));
  });

  test('the codes 30 seconds before and after are accepted, but none older than a used code', async () => {
    const app = await addApp(world, await signInOwner());
    world.now += 10 * STEP;
    for (const by of [-2, 2]) isWrong(await signInWith(world, 'owner', { totp: app.code(by) }));
    expect((await signInWith(world, 'owner', { totp: app.code(-1) })).status).toBe(200);
    expect((await signInWith(world, 'owner', { totp: app.code(1) })).status).toBe(200);
    isWrong(await signInWith(world, 'owner', { totp: app.code(0) }));
  });

  test('five wrong app codes in 15 minutes are verified, then every code is 429', async () => {
    const app = await addApp(world, await signInOwner());
    world.now += STEP;
    const guesses = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        signInWith(world, 'owner', { totp: String(at).padStart(6, '0') }),
      ),
    );
    expect(statusesOf(guesses)).toEqual([...Array<number>(5).fill(400), ...Array<number>(15).fill(429)]);
    expect(refusalOf(await signInWith(world, 'owner', { totp: app.code() }))).toMatchObject({
      ...{ status: 429, code: 'RATE_LIMITED', retry_after_seconds: 15 * 60 },
    });
    expect(eventsOf('second_factor_wrong')).toBe(5);
    await world.app.backgroundTasks.settled();
    const written = (await auditOf(world, personId('owner'))).filter(
      ({ action }) => action === 'staff.second_factor_wrong',
    );
    expect(written).toHaveLength(5);
    world.now += 15 * MINUTE;
    expect((await signInWith(world, 'owner', { totp: app.code() })).status).toBe(200);
  });

  test('too many wrong app codes block neither a passkey nor a recovery code', async () => {
    const owner = await signInOwner();
    const app = await addApp(world, owner);
    const { key } = await addPasskey(world, owner);
    for (let wrong = 0; wrong < 5; wrong += 1) isWrong(await signInWith(world, 'owner', { totp: '000000' }));
    world.now += STEP;
    expect((await signInWith(world, 'owner', { totp: app.code() })).status).toBe(429);
    const asked = async () => passkeyOptionsOf(await signInWith(world, 'owner'));
    expect((await signInWith(world, 'owner', { passkey: key.get(await asked()) })).status).toBe(200);
    const [code = ''] = app.recoveryCodes;
    expect((await signInWith(world, 'owner', { recovery_code: code })).status).toBe(200);
    expect((await signInWith(world, 'owner', { totp: app.code() })).status).toBe(429);
  });

  test('a right code neither clears nor adds to the count of wrong codes', async () => {
    const app = await addApp(world, await signInOwner());
    for (let wrong = 0; wrong < 4; wrong += 1) isWrong(await signInWith(world, 'owner', { totp: '000000' }));
    for (let right = 0; right < 5; right += 1) {
      world.now += STEP;
      expect((await signInWith(world, 'owner', { totp: app.code() })).status).toBe(200);
    }
    isWrong(await signInWith(world, 'owner', { totp: '000000' }));
    expect((await signInWith(world, 'owner', { totp: '000000' })).status).toBe(429);
  });

  test('each person may have one app, and another one after its removal', async () => {
    const owner = await signInOwner();
    const app = await addApp(world, owner);
    expect(refusalOf(await post(world, `${FACTORS}/totp`, {}, owner))).toMatchObject({
      ...{ status: 409, code: 'SECOND_FACTOR_LIMIT', vars: { kind: 'totp', max: 1 } },
    });
    await world.send('POST', `${FACTORS}/${app.id}/remove`, { ...owner });
    await addApp(world, owner);
  });
});

describe('the password of a person with a second factor', () => {
  test('a wrong password gets the same answer whether or not a second factor exists or is sent', async () => {
    const app = await addApp(world, await signInOwner());
    world.now += STEP;
    const plain = comparable(await signInWith(world, 'manager', undefined, 'not the password'));
    for (const shown of [undefined, { totp: app.code() }, { totp: '000000' }])
      expect(comparable(await signInWith(world, 'owner', shown, 'not the password'))).toEqual(plain);
    // A factor sent with a wrong password was not verified.
    expect((await signInWith(world, 'owner', { totp: app.code() })).status).toBe(200);
  });

  test('a right password without the second factor does not count as wrong', async () => {
    const app = await addApp(world, await signInOwner());
    for (let asked = 0; asked < 12; asked += 1) expect((await signInWith(world, 'owner')).status).toBe(401);
    world.now += STEP;
    expect((await signInWith(world, 'owner', { totp: app.code() })).status).toBe(200);
  });
});

test('a sign-in with no, two or an unknown second factor is refused with its field', async () => {
  await addApp(world, await signInOwner());
  for (const shown of [{}, { totp: '123456', recovery_code: 'x' }])
    expect(refusalOf(await signInWith(world, 'owner', shown))).toMatchObject({
      ...{ status: 400, fields: [{ path: 'second_factor' }] },
    });
  expect(refusalOf(await signInWith(world, 'owner', { sms: '1' }))).toMatchObject({
    ...{ status: 400, fields: [{ path: 'second_factor.sms' }] },
  });
});

describe('a passkey', () => {
  test('a passkey is requested with the options of a browser and completes the sign-in', async () => {
    const { key } = await addPasskey(world, await signInOwner());
    const asked = await signInWith(world, 'owner');
    expect(refusalOf(asked)).toMatchObject({ status: 401, code: 'SECOND_FACTOR_REQUIRED' });
    expect(asked.body).toMatchObject({
      vars: {
        kinds: ['passkey', 'recovery_code'],
        passkey: { rpId: 'ahwa.example', allowCredentials: [{ id: key.id, type: 'public-key' }] },
      },
    });
    const who = bearerOf(await signInWith(world, 'owner', { passkey: key.get(passkeyOptionsOf(asked)) }));
    expect((await listed(who)).factors).toMatchObject([{ kind: 'passkey', label: 'موبايل' }]);
  });

  test('a challenge is answered once: of five concurrent sign-ins with one answer one succeeds', async () => {
    const { key } = await addPasskey(world, await signInOwner(), false);
    const passkey = key.get(passkeyOptionsOf(await signInWith(world, 'owner')));
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => signInWith(world, 'owner', { passkey })),
    );
    expect(statusesOf(replies)).toEqual([200, 400, 400, 400, 400]);
  });

  test('an answer is refused five minutes after its challenge', async () => {
    const { key } = await addPasskey(world, await signInOwner());
    const [inTime, late] = [
      passkeyOptionsOf(await signInWith(world, 'owner')),
      passkeyOptionsOf(await signInWith(world, 'owner')),
    ];
    world.now += 5 * MINUTE - 1;
    expect((await signInWith(world, 'owner', { passkey: key.get(inTime) })).status).toBe(200);
    world.now += 1;
    isWrong(await signInWith(world, 'owner', { passkey: key.get(late) }));
  });

  test('a passkey works for its own person only, a challenge for its own purpose only', async () => {
    const [owner, manager] = [await signInOwner(), await signInAs(world, 'manager')];
    const [mine, theirs] = [await addPasskey(world, owner), await addPasskey(world, manager)];
    // The manager's key on the owner's challenge, and the owner's key on the manager's.
    isWrong(
      await signInWith(world, 'owner', {
        passkey: theirs.key.get(passkeyOptionsOf(await signInWith(world, 'owner'))),
      }),
    );
    isWrong(
      await signInWith(world, 'owner', {
        passkey: mine.key.get(passkeyOptionsOf(await signInWith(world, 'manager'))),
      }),
    );
    // Registration challenges cannot sign in, and sign-in challenges cannot register.
    const { challenge } = await creationFor(world, owner);
    isWrong(await signInWith(world, 'owner', { passkey: mine.key.get({ challenge, rpId: 'ahwa.example' }) }));
    const another = softPasskey(PUBLIC_ADDRESS);
    const asked = passkeyOptionsOf(await signInWith(world, 'owner'));
    const credential = another.create({ challenge: asked.challenge, rp: { id: 'ahwa.example' } });
    isWrong(await post(world, `${FACTORS}/passkeys/confirm`, { credential }, owner));
  });

  test('a copied or forged passkey, or one from another site, is refused', async () => {
    const { key } = await addPasskey(world, await signInOwner());
    const asked = async () => passkeyOptionsOf(await signInWith(world, 'owner'));
    for (const odd of [{ signCount: 1 }, { isForged: true }, { origin: 'https://evil.example' }])
      isWrong(await signInWith(world, 'owner', { passkey: key.get(await asked(), odd) }));
    expect(eventsOf('second_factor_wrong')).toBe(3);
    expect((await signInWith(world, 'owner', { passkey: key.get(await asked()) })).status).toBe(200);
  });

  test('a passkey belongs to one person, and each person has five at most', async () => {
    const [owner, manager] = [await signInOwner(), await signInAs(world, 'manager')];
    const key = softPasskey(PUBLIC_ADDRESS);
    const confirm = async (who: SignedIn): Promise<Reply> =>
      post(
        world,
        `${FACTORS}/passkeys/confirm`,
        { credential: key.create(await creationFor(world, who)) },
        who,
      );
    expect((await confirm(owner)).status).toBe(200);
    isWrong(await confirm(manager));
    for (let more = 1; more < 5; more += 1) await addPasskey(world, owner);
    const sixth = await world.send('POST', `${FACTORS}/passkeys`, { ...owner });
    expect(refusalOf(sixth)).toMatchObject({
      ...{ status: 409, code: 'SECOND_FACTOR_LIMIT', vars: { kind: 'passkey', max: 5 } },
    });
  });

  test.each([
    ['nothing', {}],
    ['another type', { type: 'password' }],
    ['no JSON', { response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' } }],
  ])('a passkey answer of %s is refused with 400', async (_, odd) => {
    const { key } = await addPasskey(world, await signInOwner());
    const shown = key.get(passkeyOptionsOf(await signInWith(world, 'owner')));
    const reply = await signInWith(world, 'owner', {
      passkey: Object.keys(odd).length === 0 ? {} : { ...shown, ...odd },
    });
    expect(reply.status).toBe(400);
  });
});

describe('recovery codes', () => {
  test('recovery codes are shown with the first factor only, and each works once', async () => {
    const owner = await signInOwner();
    const app = await addApp(world, owner);
    const { added } = await addPasskey(world, owner);
    expect(added.recovery_codes).toBeNull();
    expect(new Set(app.recoveryCodes).size).toBe(10);
    const [first = ''] = app.recoveryCodes;
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => signInWith(world, 'owner', { recovery_code: first.toLowerCase() })),
    );
    expect(statusesOf(replies)).toEqual([200, 400, 400, 400, 400]);
    expect((await listed(owner)).recovery_codes_left).toBe(9);
    isWrong(await signInWith(world, 'owner', { recovery_code: first }));
  });

  test('new recovery codes invalidate the earlier ones', async () => {
    const owner = await signInOwner();
    expect((await world.send('POST', `${FACTORS}/recovery-codes`, { ...owner })).status).toBe(404);
    const { recoveryCodes } = await addApp(world, owner);
    const reply = await world.send('POST', `${FACTORS}/recovery-codes`, { ...owner });
    const { recovery_codes } = done('makeRecoveryCodes', reply);
    isWrong(await signInWith(world, 'owner', { recovery_code: recoveryCodes[1] }));
    expect((await signInWith(world, 'owner', { recovery_code: recovery_codes[1] })).status).toBe(200);
  });

  test('recovery codes, challenges and TOTP secrets are not readable in database or log', async () => {
    const owner = await signInOwner();
    const { secret } = done('beginTotp', await post(world, `${FACTORS}/totp`, {}, owner));
    const { recoveryCodes } = await addApp(world, owner);
    await addPasskey(world, owner);
    const { challenge } = passkeyOptionsOf(await signInWith(world, 'owner'));
    const stored = JSON.stringify([
      await world.db.kysely.selectFrom('staff_factor').selectAll().execute(),
      await world.db.kysely.selectFrom('staff_recovery_code').selectAll().execute(),
      await world.db.kysely.selectFrom('staff_challenge').selectAll().execute(),
      await world.db.kysely.selectFrom('audit').selectAll().execute(),
      world.logged,
    ]);
    const bytesOf = (text: string) => JSON.stringify(Buffer.from(text)).slice(24, -2);
    for (const hidden of [secret, challenge, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
      for (const form of [hidden, bytesOf(hidden)]) expect(stored.includes(form)).toBe(false);
  });
});

describe('a removed second factor', () => {
  test('a removed factor is no longer requested; the last one removes the recovery codes', async () => {
    const owner = await signInOwner();
    const app = await addApp(world, owner);
    const { key, added } = await addPasskey(world, owner);
    const remove = (id: string): Promise<Reply> =>
      world.send('POST', `${FACTORS}/${id}/remove`, { ...owner });
    expect(done('removeSecondFactor', await remove(app.id))).toMatchObject({ recovery_codes_left: 10 });
    expect((await signInWith(world, 'owner')).body).toMatchObject({
      vars: { kinds: ['passkey', 'recovery_code'] },
    });
    const passkey = added.factors.find(({ kind }) => kind === 'passkey')?.id ?? '';
    expect(done('removeSecondFactor', await remove(passkey))).toEqual({
      factors: [],
      recovery_codes_left: 0,
    });
    expect((await remove(passkey)).status).toBe(404);
    expect((await signInWith(world, 'owner')).status).toBe(200);
    expect(key.id).not.toBe('');
    const actions = (await auditOf(world, personId('owner'))).map(({ action }) => action);
    expect(actions.filter((action) => action.startsWith('staff.second_factor'))).toEqual([
      ...['staff.second_factor_begun', 'staff.second_factor_added', 'staff.second_factor_begun'],
      ...['staff.second_factor_added', 'staff.second_factor_removed', 'staff.second_factor_removed'],
    ]);
    expect(eventsOf('credentials_changed')).toBe(4);
  });

  test('removing the second factor of a colleague is 404', async () => {
    const app = await addApp(world, await signInOwner());
    const manager = await signInAs(world, 'manager');
    expect((await world.send('POST', `${FACTORS}/${app.id}/remove`, { ...manager })).status).toBe(404);
    expect((await signInWith(world, 'owner')).status).toBe(401);
  });
});

test('a PIN sign-in requires no second factor', async () => {
  const till = await pairedTill(world);
  await addApp(world, await signInOwner());
  const who = await till.signIn('owner');
  expect((await world.get('/staff/orders?branch_id=' + branchId(), { ...who })).status).toBe(200);
});
