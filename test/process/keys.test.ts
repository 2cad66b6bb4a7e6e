/** Secrets under the secret key: hashes of an older release, and a start without the key. */
import { scryptSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { aShopFile, SLUG } from '../support/shops/cafe.ts';
import { aMember, emailOf } from '../support/people/staff.ts';
import { httpRequest } from '../support/server/http-client.ts';
import { useProgram, connectTo, type Server } from '../support/programs/program.ts';

const bench = useProgram('test', 'embedded');
const OWNER = emailOf('owner');
const PASSWORD = 'a password of the tests';
const KEY = { SECRET_KEY: 'a key of the tests' };

const shop = JSON.stringify(aShopFile({ staff: [aMember('owner', 'owner')] }));

/** As an older release stored it, with a low cost. */
const bareHash = (secret: string): string => {
  const salt = Buffer.from('SodiumChloride');
  const hash = scryptSync(secret, salt, 32, { N: 2 ** 10, r: 8, p: 1 });
  return `scrypt$1024$8$1$${salt.toString('base64url')}$${hash.toString('base64url')}`;
};

const keys = async (): Promise<string> => (await bench.ahwa(['staff', 'keys'], KEY)).stdout;

const signInStatus = async ({ port }: Server, password = PASSWORD): Promise<number> => {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email: OWNER, password });
  return (await httpRequest(port, '/staff/sign-in', { method: 'POST', headers, body })).status;
};

const warnings = (server: Server): Record<string, unknown>[] =>
  server
    .log()
    .filter(({ msg }) => typeof msg === 'string' && msg.includes('under a secret key that is missing'));

test('the start adds the pepper to hashes of an older release, and staff still sign in', async () => {
  const first = await bench.serve(KEY);
  expect((await bench.ahwa(['import', '-'], KEY, shop)).code).toBe(0);
  const client = await connectTo(bench.dataDir());
  await client.query('update staff set password_hash = $1, pin_hash = $2', [
    bareHash(PASSWORD),
    bareHash('7294'),
  ]);
  await client.end();
  first.signal('SIGTERM');
  await first.ended;
  const server = await bench.serve(KEY);
  expect(await keys()).toMatch(
    /^[0-9a-f]{12}, key 1 of SECRET_KEY, .*: 1 people \(1 passwords, 1 PINs, 0 authenticator apps\)\n$/,
  );
  expect(warnings(server)).toEqual([]);
  expect([await signInStatus(server, 'another password'), await signInStatus(server)]).toEqual([401, 200]);
});

test('a start without a former key warns with the key id and the affected counts', async () => {
  expect((await bench.ahwa(['import', '-'], KEY, shop)).code).toBe(0);
  expect((await bench.ahwa(['staff', 'password', SLUG, OWNER], KEY, PASSWORD)).code).toBe(0);
  const [keyId] = (await keys()).split(',');
  const server = await bench.serve({ SECRET_KEY: 'another key of the tests' });
  expect(await signInStatus(server)).toBe(401);
  expect(warnings(server)).toMatchObject([
    { key_ids: [keyId], passwords: 1, pins: 0, authenticator_apps: 0 },
  ]);
});
