/** SECRET_KEY with a new key before the old one, and later without it. */
import { randomBytes, scryptSync } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKeyring } from '../../src/platform/app/keyring.ts';
import { createPasswords } from '../../src/staff/app/passwords.ts';
import { pepperHashes } from '../../src/staff/app/rehash.ts';
import { beginTotp, confirmOwnTotp } from '../../src/staff/app/second-factor.ts';
import type { StaffDeps } from '../../src/staff/app/access.ts';
import { pinSignIn, signIn, type SignedInByPassword } from '../../src/staff/app/sign-in.ts';
import { secretKeyUses } from '../../src/staff/app/staff.ts';
import { endStoredSilence, startSilence } from '../../src/platform/store/sending.ts';
import { fromBase32, totpAt } from '../support/people/authenticators.ts';
import {
  CHEAP,
  openStaffFixture,
  PASSWORD,
  PEOPLE,
  PIN,
  type StaffFixture,
} from '../support/people/staff-use-cases.ts';

const OLD = 'a key of the tests';
const NEW = 'a new key of the tests';
const [oldId, newId] = [createKeyring([OLD]).first, createKeyring([NEW]).first];

let fixture: StaffFixture;
beforeAll(async () => {
  fixture = await openStaffFixture();
});
beforeEach(async () => {
  for (const table of ['staff_factor', 'staff_recovery_code', 'staff_factor_failure'] as const)
    await fixture.db.kysely.deleteFrom(table).execute();
  await fixture.reset();
});
afterAll(() => fixture.close());

const withKeys = (...keys: string[]): StaffDeps => {
  const keyring = createKeyring(keys);
  const { random } = fixture.deps;
  return { ...fixture.deps, keyring, passwords: createPasswords({ random, keyring, cost: CHEAP }) };
};

const enter = (deps: StaffDeps, totp?: string): Promise<SignedInByPassword> =>
  signIn(deps)({
    ...{ email: 'owner@beans.example', password: PASSWORD, client: '198.51.100.7' },
    ...(totp !== undefined && { second_factor: { totp } }),
  });

const stored = async (): Promise<{ password: string | null; pin: string | null; app: string | null }> => {
  const { rows } = await sql<{ password: string | null; pin: string | null; app: string | null }>`
    select password_hash as password, pin_hash as pin,
           (select key_id from staff_factor f where f.org_id = s.org_id and f.staff_id = s.id) as app
    from staff s where id = ${PEOPLE.owner}
  `.execute(fixture.db.kysely);
  const [row] = rows;
  if (row === undefined) throw new Error('there is no owner');
  return row;
};

/** What an operator sees, by the key's place in SECRET_KEY: 1, 2 … or null. */
const keyUses = (...keys: string[]) => secretKeyUses(withKeys(...keys));

const wrongPassword = { refusal: 'WRONG_PASSWORD' };

describe('a new key before the old key in SECRET_KEY', () => {
  test('a sign-in rehashes password and PIN under the new key; the old key is then not needed', async () => {
    const { device } = await fixture.paired();
    const rotated = withKeys(NEW, OLD);
    await enter(rotated);
    await pinSignIn(rotated)(device, { staff_id: PEOPLE.owner, pin: PIN, client: '198.51.100.7' });
    const { password, pin } = await stored();
    for (const hash of [password, pin]) expect(hash?.endsWith(`$${newId}`)).toBe(true);
    await enter(withKeys(NEW));
    await pinSignIn(withKeys(NEW))(device, { staff_id: PEOPLE.owner, pin: PIN, client: '198.51.100.7' });
  });

  test('concurrent sign-ins all succeed and leave a hash under the new key', async () => {
    const rotated = withKeys(NEW, OLD);
    expect(await Promise.all(Array.from({ length: 5 }, () => enter(rotated)))).toHaveLength(5);
    expect((await stored()).password?.endsWith(`$${newId}`)).toBe(true);
  });

  test('a sign-in adds the pepper to a hash made without one', async () => {
    const { pin_hash: legacy } = await fixture.db.kysely
      .selectFrom('staff')
      .select('pin_hash')
      .where('pin_hash', 'is not', null)
      .where('id', '<>', PEOPLE.owner)
      .executeTakeFirstOrThrow();
    expect(legacy?.endsWith(`$${oldId}`)).toBe(true);
    const plain = plainHash(PASSWORD);
    await fixture.db.kysely
      .updateTable('staff')
      .set({ password_hash: plain })
      .where('id', '=', PEOPLE.owner)
      .execute();
    expect((await keyUses(OLD))[0]).toEqual({
      ...{ keyId: null, position: null, people: 1, passwords: 1, pins: 0, factors: 0 },
    });
    await enter(withKeys(OLD));
    expect((await stored()).password?.endsWith(`$${oldId}`)).toBe(true);
  });

  test('the start adds the pepper to all hashes once, also during concurrent sign-ins', async () => {
    const all = await fixture.db.kysely.selectFrom('staff').selectAll().execute();
    const [bare, barePin] = [plainHash(PASSWORD), plainHash(PIN)];
    await fixture.db.kysely.updateTable('staff').set({ password_hash: bare, pin_hash: barePin }).execute();
    const rotated = withKeys(NEW, OLD);
    await Promise.all([pepperHashes(rotated), pepperHashes(rotated), enter(rotated), enter(rotated)]);
    expect(await pepperHashes(rotated)).toBe(0);
    expect(await keyUses(NEW)).toMatchObject([{ keyId: newId, position: 1, passwords: all.length - 1 }]);
    await enter(withKeys(NEW));
    await expect(enter(withKeys(OLD))).rejects.toMatchObject(wrongPassword);
  });

  test('the start adds no pepper in a restored copy until its silence ends', async () => {
    await startSilence(fixture.db.kysely, { reason: 'restored', since: fixture.now });
    await fixture.db.kysely
      .updateTable('staff')
      .set({ password_hash: plainHash(PASSWORD) })
      .execute();
    expect(await pepperHashes(withKeys(NEW))).toBe(0);
    await endStoredSilence(fixture.db.kysely, ['restored']);
    expect(await pepperHashes(withKeys(OLD))).toBeGreaterThan(0);
    await enter(withKeys(OLD));
  });

  test('a used authenticator app is encrypted again under the new key', async () => {
    const code = await appOfOwner();
    await enter(withKeys(NEW, OLD), code());
    expect((await stored()).app).toBe(newId);
    fixture.now += 30_000;
    await enter(withKeys(NEW), code());
  });
});

describe('a key removed from SECRET_KEY', () => {
  test('passwords and PINs hashed under the removed key are refused as wrong', async () => {
    const { device } = await fixture.paired();
    await expect(enter(withKeys(NEW))).rejects.toMatchObject(wrongPassword);
    const byPin = pinSignIn(withKeys(NEW))(device, {
      staff_id: PEOPLE.owner,
      pin: PIN,
      client: '198.51.100.7',
    });
    await expect(byPin).rejects.toMatchObject({ refusal: 'WRONG_PIN' });
    await enter(withKeys(OLD));
  });

  test('app codes under the removed key are refused, recovery codes still work', async () => {
    const { code, recovery } = await appWithCodes();
    // The password was renewed before the key was removed; the app was not used since.
    await enter(withKeys(NEW, OLD)).catch(() => undefined);
    await expect(enter(withKeys(NEW), code())).rejects.toMatchObject({ refusal: 'SECOND_FACTOR_WRONG' });
    await signIn(withKeys(NEW))({
      ...{ email: 'owner@beans.example', password: PASSWORD, client: '198.51.100.7' },
      second_factor: { recovery_code: recovery },
    });
  });

  test('the operator sees how many people, passwords, PINs and factors each key still protects', async () => {
    await appOfOwner();
    await enter(withKeys(NEW, OLD)).catch(() => undefined);
    // Everybody in both shops but the owner, whose password was renewed; the archived person no longer
    // counts.
    const renewed = { keyId: newId, people: 1, passwords: 1, pins: 0, factors: 0 };
    const waiting = { keyId: oldId, people: 6, passwords: 1, pins: 6, factors: 1 };
    const sortedUses = async (...keys: string[]) =>
      (await keyUses(...keys)).toSorted((a, b) => (a.keyId === newId ? -1 : b.keyId === newId ? 1 : 0));
    expect(await sortedUses(NEW, OLD)).toEqual([
      { ...renewed, position: 1 },
      { ...waiting, position: 2 },
    ]);
    expect(await sortedUses(NEW)).toEqual([
      { ...renewed, position: 1 },
      { ...waiting, position: null },
    ]);
    expect((await keyUses('a third key', NEW, OLD)).find(({ position }) => position === 1)).toMatchObject({
      ...{ people: 0, passwords: 0, pins: 0, factors: 0 },
    });
  });
});

// ── Fixtures ────────────────────────────────────────────────────────────────────────────────────

async function appWithCodes(): Promise<{ code: () => string; recovery: string }> {
  const deps = { ...withKeys(OLD), service: { name: 'Ahwa' } };
  const owner = await fixture.owner();
  const { secret } = await beginTotp(deps)(owner, {});
  const code = (): string => totpAt(fromBase32(secret), fixture.now);
  const { recovery_codes } = await confirmOwnTotp(deps)(owner, { code: code() });
  fixture.now += 30_000;
  return { code, recovery: recovery_codes?.[0] ?? '' };
}

async function appOfOwner(): Promise<() => string> {
  return (await appWithCodes()).code;
}

function plainHash(secret: string): string {
  const salt = randomBytes(16);
  const hash = scryptSync(secret, salt, 32, CHEAP);
  return `scrypt$1024$8$1$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}
