/** Re-authentication with a second factor, and the changes of second factors that require it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openShops } from '../support/shops/cafe.ts';
import {
  aStaffedShop,
  emailOf,
  pairedTill,
  PASSWORD,
  setCredentials,
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
import { makeWorld, type World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

const STEP = 30_000;
const MINUTE = 60_000;

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, aStaffedShop());
  await setCredentials(world);
});
beforeEach(() => withoutFactors(world));
afterAll(() => world.close());

const owned = (): Promise<SignedIn> => signInAs(world, 'owner');

describe('the password once more', () => {
  const again = (who: SignedIn, secondFactor?: object): Promise<Reply> =>
    post(
      world,
      '/staff/re-authenticate',
      {
        ...{ email: emailOf('owner'), password: PASSWORD },
        ...(secondFactor && { second_factor: secondFactor }),
      },
      who,
    );

  test('asks for the second factor too, and elevates with it', async () => {
    const till = await pairedTill(world);
    const { key } = await addPasskey(world, await owned());
    const who = await till.signIn('owner');
    const asked = await again(who);
    expect(refusalOf(asked)).toMatchObject({ status: 401, code: 'SECOND_FACTOR_REQUIRED' });
    isWrong(await again(who, { totp: '000000' }));
    expect((await world.get('/staff/devices', { ...who })).status).toBe(403);
    done('reauthenticate', await again(who, { passkey: key.get(passkeyOptionsOf(asked)) }));
    expect((await world.get('/staff/devices', { ...who })).status).toBe(200);
  });

  test('is wanted of whoever adds, removes or renews, and not of whoever looks', async () => {
    const owner = await owned();
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
    done('reauthenticate', await again(owner, { totp: app.code() }));
    done('removeSecondFactor', await world.send('POST', `${FACTORS}/${app.id}/remove`, { ...owner }));
  });

  test('without it, given before there was a second factor, elevates no other sign-in any more', async () => {
    const [here, there] = [await owned(), await owned()];
    expect((await world.get('/staff/devices', { ...there })).status).toBe(200);
    const { id } = await addApp(world, here);
    expect((await world.get('/staff/devices', { ...here })).status).toBe(200);
    expect(refusalOf(await world.get('/staff/devices', { ...there }))).toMatchObject({
      ...{ status: 403, code: 'REAUTHENTICATION_REQUIRED' },
    });
    expect((await world.send('POST', `${FACTORS}/${id}/remove`, { ...there })).status).toBe(403);
  });

  test('and a recovery code remove a lost app', async () => {
    const app = await addApp(world, await owned());
    const [first, second] = app.recoveryCodes;
    const who = bearerOf(await signInWith(world, 'owner', { recovery_code: first }));
    world.now += 10 * MINUTE;
    done('reauthenticate', await again(who, { recovery_code: second }));
    done('removeSecondFactor', await world.send('POST', `${FACTORS}/${app.id}/remove`, { ...who }));
    expect((await signInWith(world, 'owner')).status).toBe(200);
  });

  test('becomes another with the second factor alone', async () => {
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
