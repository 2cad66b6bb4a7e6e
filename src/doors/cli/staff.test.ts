/** `ahwa staff` on a real database. */
import { Command } from 'commander';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { confirmOwnTotp, beginTotp } from '../../staff/app/second-factor.ts';
import { createKeyring } from '../../platform/app/keyring.ts';
import { authenticate } from '../../staff/app/access.ts';
import { fromBase32, totpAt } from '../../../test/support/people/authenticators.ts';
import { staffOf } from '../../staff/store/staff.ts';
import {
  BEANS,
  keyring,
  openStaffFixture,
  PEOPLE,
  type StaffFixture,
} from '../../../test/support/people/staff-use-cases.ts';
import { staffCommands } from './staff.ts';

let fixture: StaffFixture;
beforeAll(async () => {
  fixture = await openStaffFixture();
});
beforeEach(() => fixture.reset());
afterAll(() => fixture.close());

/** Runs `ahwa staff …` with `typed` as the secret; returns the output. */
const ahwa = async (words: readonly string[], typed = ''): Promise<string> => {
  const printed: string[] = [];
  const program = new Command('ahwa');
  staffCommands(
    program,
    (work) => work({ app: fixture.deps }),
    (text) => printed.push(text),
    () => Promise.resolve(typed),
  );
  await program.parseAsync(['staff', ...words], { from: 'user' });
  return printed.join('\n');
};

describe('ahwa staff', () => {
  test('lists the staff of a shop with role, branch and sign-in methods', async () => {
    const { device } = await fixture.paired();
    const list = await ahwa(['list', 'beans']);
    expect(list).toContain(
      `${PEOPLE.owner}  owner: owner; owner@beans.example; every branch; signs in with password and PIN`,
    );
    expect(list).toContain(`${PEOPLE.kitchen}  kitchen: kitchen; المعادي; signs in with PIN`);
    expect(list).toContain(
      `${PEOPLE.trainee}  teller: trainee; trainee@beans.example; الزمالك; cannot sign in yet`,
    );
    expect(list).toContain(`${device.deviceId}  الكاشير; الزمالك; paired 2026-11-20T18:00:00.000Z`);
    expect(list).not.toContain('former');
    expect(list).not.toContain('stranger');
    expect(list).not.toContain('scrypt');
  });

  test('sets a password and ends the person’s earlier sessions', async () => {
    const { token } = await fixture.byPassword('owner@beans.example');
    expect(await ahwa(['password', 'beans', 'Owner@beans.example'], 'a new password')).toContain(
      'owner has a new password',
    );
    expect(await fixture.who(token)).toBeNull();
    await expect(fixture.byPassword('owner@beans.example')).rejects.toMatchObject({
      refusal: 'WRONG_PASSWORD',
    });
    await fixture.byPassword('owner@beans.example', 'a new password');
    expect(await fixture.audited()).toContain('staff.password_set');
  });

  test('sets a PIN by name or id, also in Arabic digits, and ends earlier sessions', async () => {
    const { device } = await fixture.paired();
    const { token } = await fixture.byPin(device, PEOPLE.teller);
    await ahwa(['pin', 'beans', 'teller'], '١٣٥٨');
    expect(await fixture.who(token)).toBeNull();
    await expect(fixture.byPin(device, PEOPLE.teller)).rejects.toMatchObject({ refusal: 'WRONG_PIN' });
    await fixture.byPin(device, PEOPLE.teller, '1358');
    await ahwa(['pin', 'beans', PEOPLE.trainee], '8643');
    await fixture.byPin(device, PEOPLE.trainee, '8643');
  });

  test('revokes a device by its label', async () => {
    const { token } = await fixture.paired();
    expect(await ahwa(['revoke-device', 'beans', 'الكاشير'])).toContain('الكاشير (الزمالك)');
    expect(await authenticate(fixture.deps).device(token)).toBeNull();
  });

  test.each([
    [['password', 'beans', 'owner@beans.example'], 'short', 'A password has 8 to 128 characters.'],
    [['password', 'beans', 'who@beans.example'], 'long enough', '‘who@beans.example’'],
    [['password', 'beans', 'owner@beans.example'], 'password1', 'most people choose'],
    [['password', 'beans', 'owner@beans.example'], ' '.repeat(10), 'must not be blank'],
    [['password', 'beans', 'owner@beans.example'], 'owner@beans.example', 'must not be the e-mail address'],
    [['password', 'beans', 'owner@beans.example'], 'بيت البن', 'or the name of the person or shop'],
    [['pin', 'beans', 'owner'], '1234', 'must not be a row'],
    [['pin', 'beans', 'owner'], '12', 'A PIN has 4 to 8 digits.'],
    [['pin', 'beans', 'former'], '2468', 'This shop has no member of staff ‘former’.'],
    [['pin', 'beans', 'stranger'], '2468', 'This shop has no member of staff ‘stranger’.'],
    [['pin', 'nobody-s', 'owner'], '2468', 'There is no shop with the address name ‘nobody-s’.'],
    [['reset-factor', 'beans', 'who@beans.example'], '', '‘who@beans.example’'],
    [['revoke-device', 'beans', 'x'], '', 'This shop has no device ‘x’.'],
  ])('%j is refused with a sentence that names the fault', async (words, input, sentence) => {
    await expect(ahwa(words, input)).rejects.toThrow(sentence);
  });

  test('removes a person’s second factors and reports whether there were any', async () => {
    const owner = await fixture.owner();
    const deps = { ...fixture.deps, service: { name: 'Ahwa' } };
    const { secret } = await beginTotp(deps)(owner, {});
    await confirmOwnTotp(deps)(owner, { code: totpAt(fromBase32(secret), fixture.now) });
    expect(await ahwa(['list', 'beans'])).toContain('second factor: an authenticator app');
    await expect(fixture.byPassword('owner@beans.example')).rejects.toMatchObject({
      refusal: 'SECOND_FACTOR_REQUIRED',
    });
    const before = fixture.deps.security.counts.credentials_changed;
    expect(await ahwa(['reset-factor', 'beans', 'Owner@beans.example'])).toContain('the password alone');
    expect(await ahwa(['reset-factor', 'beans', 'owner@beans.example'])).toContain('no second factor');
    expect(fixture.deps.security.counts.credentials_changed).toBe(before + 1);
    await fixture.byPassword('owner@beans.example');
    expect(await fixture.audited()).toContain('staff.second_factor_reset');
  });

  test('lists how many secrets of all shops each key protects, also unknown keys', async () => {
    expect(await ahwa(['keys'])).toBe(
      `${keyring.first}, key 1 of SECRET_KEY, used for what is new: 6 people (2 passwords, 6 PINs, 0 authenticator apps)`,
    );
    const other = createKeyring(['another key']).first;
    await fixture.db.kysely
      .updateTable('staff')
      .set({ pin_hash: `scrypt$2$1$1$AA$AA$${other}` })
      .where('id', '=', PEOPLE.teller)
      .execute();
    await fixture.db.kysely
      .updateTable('staff')
      .set({ pin_hash: 'scrypt$2$1$1$AA$AA' })
      .where('id', '=', PEOPLE.waiter)
      .execute();
    const keys = await ahwa(['keys']);
    expect(keys).toContain('under no key yet, from before keys were used: 1 people');
    expect(keys).toContain(
      `${other}, which SECRET_KEY does not have: of no use, and nobody signs in by it: 1`,
    );
  });

  test('lists a device that was not used for 90 days as ended', async () => {
    await fixture.paired();
    fixture.now += 90 * 24 * 60 * 60_000;
    expect(await ahwa(['list', 'beans'])).toContain('ended, since nobody used it for 90 days');
  });

  test('asks for the id when two people have the same name', async () => {
    await fixture.db.kysely
      .updateTable('staff')
      .set({ name: 'منى' })
      .where('id', 'in', [PEOPLE.teller, PEOPLE.waiter])
      .execute();
    await expect(ahwa(['pin', 'beans', 'منى'], '7294')).rejects.toThrow(PEOPLE.waiter);
    await ahwa(['pin', 'beans', PEOPLE.waiter], '7294');
    expect((await staffOf(fixture.db.kysely, BEANS)).filter(({ name }) => name === 'منى')).toHaveLength(2);
  });
});
