/** The database or a backup of it contains no secret that would allow a sign-in. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addWebhook } from '../../src/messaging/app/webhook.ts';
import { aBranch, aShopFile, aTable, branchId, openShops, shopId } from '../support/shops/cafe.ts';
import { booked } from '../support/people/bookings.ts';
import { aCard, MONA, proveOn } from '../support/people/guests.ts';
import { done, post } from '../support/server/requests.ts';
import { mentions, mentionsNumber } from '../support/people/personal-data.ts';
import {
  aStaffedShop,
  bearer,
  PASSWORD,
  personId,
  PIN,
  setCredentials,
  signInAs,
} from '../support/people/staff.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  const branch = aBranch({ tables: [aTable('t1', 4)], booking: { enabled: true } });
  await openShops(world, aStaffedShop(), aShopFile({ slug: 'kashk', branches: [branch] }));
  await setCredentials(world);
});
afterAll(() => world.close());

/** The encodings of a secret that a column could hold: the text, its bytes, or the bytes it denotes. */
const formsOf = (secret: string): string[] => {
  const random = secret.replace(/^[a-z]+_(?:[0-9a-f]{10}_)?/, '');
  const written = [secret, random].map((text) => Buffer.from(text).toString('hex'));
  const decoded = random.length < 40 ? [] : [Buffer.from(random, 'base64').toString('hex')];
  return [secret, ...written, ...decoded];
};

const isNumber = (form: string): boolean => /^\d+$/.test(form);

/** A number matches only without adjacent digits, since timestamps contain many six-digit runs. */
const isIn = (text: string, form: string): boolean =>
  isNumber(form) ? new RegExp(`(?<!\\d)${form}(?!\\d)`).test(text) : text.includes(form);

test('no password, code, token or secret is readable in the database or the log', async () => {
  const owner = await signInAs(world, 'owner');
  const pairing = { branch_id: branchId(), label: 'till' };
  const unused = done('makePairingCode', await post(world, '/staff/devices', pairing, owner));
  const used = done('makePairingCode', await post(world, '/staff/devices', pairing, owner));
  const till = done(
    'pairDevice',
    await post(world, '/staff/devices/pair', { pairing_code: used.pairing_code }),
  );
  const byPin = done(
    'pinSignIn',
    await post(
      world,
      '/staff/pin',
      { staff_id: personId('teller'), pin: PIN },
      { authorization: `Bearer ${till.device_token}` },
    ),
  );
  const proof = await proveOn(world);
  world.now += 61_000;
  await post(world, '/public/otp/request', { phone: MONA.typed });
  const booking = await booked(world, { branch_id: branchId(undefined, 'kashk') });
  const told = await world.db.kysely.selectFrom('outbox').select('subject').execute();
  expect(told).toEqual([{ subject: 'booking' }]);
  const secrets: Record<string, string> = {
    'a password': PASSWORD,
    'the token of a sign-in': owner.authorization.replace('Bearer ', ''),
    'the token of a PIN sign-in': bearer(byPin.token).authorization.replace('Bearer ', ''),
    'a pairing code that waits': unused.pairing_code,
    'the token of a device': till.device_token,
    'the token of a phone that was proven': proof,
    'a one-time code that waits': world.phones.codeOf(MONA.phone),
    'the token of a card': await aCard(world),
    'the token of a booking': booking.manage_token,
    'the secret of a webhook': (await addWebhook(world.app, shopId(), 'https://hooks.example/ahwa')).secret,
  };
  expect(await mentionsNumber(world, MONA.phone)).toContain('otp_phone');
  const found: string[] = [];
  for (const [what, secret] of Object.entries(secrets))
    for (const form of formsOf(secret)) {
      const tablesWith = isNumber(form) ? mentionsNumber : mentions;
      for (const table of await tablesWith(world, form)) found.push(`${what} in ${table}`);
      if (isIn(world.logged.join('\n'), form)) found.push(`${what} in the log`);
    }
  expect(found).toEqual([]);
});

test('the same PIN of several people has a different hash for each', async () => {
  const rows = await world.db.kysely.selectFrom('staff').select('pin_hash').execute();
  const hashes = rows.flatMap(({ pin_hash }) => pin_hash ?? []);
  expect(hashes.length).toBeGreaterThan(3);
  expect(new Set(hashes).size).toBe(hashes.length);
});
