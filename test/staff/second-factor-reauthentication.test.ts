/** Re-authentication with a second factor, and the changes of second factors that require it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  aStaffedWorld,
  emailOf,
  pairedTill,
  PASSWORD,
  type SignedIn,
  signInAs,
} from '../support/people/staff.ts';
import {
  addApp,
  addPasskey,
  passkeyOptionsOf,
  bearerOf,
  signInWith,
  FACTORS,
  expectWrongFactor as isWrong,
  withoutFactors,
} from '../support/people/second-factors.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import type { World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

const STEP = 30_000;
const MINUTE = 60_000;

let world: World;
beforeAll(async () => {
  world = await aStaffedWorld();
});
beforeEach(() => withoutFactors(world));
afterAll(() => world.close());

const signInOwner = (): Promise<SignedIn> => signInAs(world, 'owner');

describe('re-authentication of a person with a second factor', () => {
  const reauthenticate = (who: SignedIn, secondFactor?: object): Promise<Reply> =>
    post(
      world,
      '/staff/re-authenticate',
      {
        ...{ email: emailOf('owner'), password: PASSWORD },
        ...(secondFactor && { second_factor: secondFactor }),
      },
      who,
    );

  test('re-authentication requires the second factor, then elevates the session', async () => {
    const till = await pairedTill(world);
    const { key } = await addPasskey(world, await signInOwner());
    const who = await till.signIn('owner');
    const asked = await reauthenticate(who);
    expect(refusalOf(asked)).toMatchObject({ status: 401, code: 'SECOND_FACTOR_REQUIRED' });
    isWrong(await reauthenticate(who, { totp: '000000' }));
    expect((await world.get('/staff/devices', { ...who })).status).toBe(403);
    done('reauthenticate', await reauthenticate(who, { passkey: key.get(passkeyOptionsOf(asked)) }));
    expect((await world.get('/staff/devices', { ...who })).status).toBe(200);
  });

  test('adding, removing or renewing a second factor requires elevation, listing does not', async () => {
    const owner = await signInOwner();
    const app = await addApp(world, owner);
    world.now += 10 * MINUTE;
    for (const [path, body] of [
      ['totp', {}],
      ['totp/confirm', { code: app.code() }],
      ['passkeys', undefined],
      ['recovery-codes', undefined],
      [`${app.id}/remove`, undefined],
    ] as const) {
      const address = `${FACTORS}/${path}`;
      const reply = await (body === undefined
        ? world.send('POST', address, { ...owner })
        : post(world, address, body, owner));
      expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'REAUTHENTICATION_REQUIRED' });
    }
    const { factors } = done('listSecondFactors', await world.get(FACTORS, { ...owner }));
    expect(factors).toHaveLength(1);
    done('reauthenticate', await reauthenticate(owner, { totp: app.code() }));
    done('removeSecondFactor', await world.send('POST', `${FACTORS}/${app.id}/remove`, { ...owner }));
  });

  test('adding a second factor ends the elevation of the other sessions', async () => {
    const [here, there] = [await signInOwner(), await signInOwner()];
    expect((await world.get('/staff/devices', { ...there })).status).toBe(200);
    const { id } = await addApp(world, here);
    expect((await world.get('/staff/devices', { ...here })).status).toBe(200);
    expect(refusalOf(await world.get('/staff/devices', { ...there }))).toMatchObject({
      ...{ status: 403, code: 'REAUTHENTICATION_REQUIRED' },
    });
    expect((await world.send('POST', `${FACTORS}/${id}/remove`, { ...there })).status).toBe(403);
  });

  test('password and recovery code remove a lost authenticator app', async () => {
    const app = await addApp(world, await signInOwner());
    const [first, second] = app.recoveryCodes;
    const who = bearerOf(await signInWith(world, 'owner', { recovery_code: first }));
    world.now += 10 * MINUTE;
    done('reauthenticate', await reauthenticate(who, { recovery_code: second }));
    done('removeSecondFactor', await world.send('POST', `${FACTORS}/${app.id}/remove`, { ...who }));
    expect((await signInWith(world, 'owner')).status).toBe(200);
  });

  test('changing the password requires the second factor', async () => {
    const app = await addApp(world, await signInAs(world, 'waiter'));
    world.now += STEP;
    const who = bearerOf(await signInWith(world, 'waiter', { totp: app.code() }));
    const change = (secondFactor?: object): Promise<Reply> =>
      post(
        world,
        '/staff/me/password',
        {
          ...{ current_password: PASSWORD, new_password: 'another one of the tests' },
          ...(secondFactor && { second_factor: secondFactor }),
        },
        who,
      );
    expect(refusalOf(await change())).toMatchObject({ status: 401, code: 'SECOND_FACTOR_REQUIRED' });
    isWrong(await change({ totp: app.code() }));
    world.now += STEP;
    done('changePassword', await change({ totp: app.code() }));
    expect((await signInWith(world, 'waiter', undefined, 'another one of the tests')).status).toBe(401);
    world.now += STEP;
    const shown = { totp: app.code() };
    expect((await signInWith(world, 'waiter', shown, 'another one of the tests')).status).toBe(200);
  });
});
