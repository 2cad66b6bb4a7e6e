/** A second factor added during a sign-in without one: that sign-in is asked for it or fails. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { beginTotp, confirmOwnTotp } from '../../src/staff/app/second-factor.ts';
import type { StaffDeps } from '../../src/staff/app/access.ts';
import { signIn } from '../../src/staff/app/sign-in.ts';
import { fromBase32, totpAt } from '../support/people/authenticators.ts';
import { waitingForLocks } from '../support/database/test-database.ts';
import { openStaffFixture, PASSWORD, type StaffFixture } from '../support/people/staff-use-cases.ts';

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

const enter = (deps: StaffDeps) =>
  signIn(deps)({ email: 'owner@beans.example', password: PASSWORD, client: '198.51.100.7' });

/** The owner, signed in elsewhere, is about to confirm a TOTP secret; returns the last step. */
const aboutToAdd = async (): Promise<() => Promise<unknown>> => {
  const owner = await fixture.owner();
  const deps = { ...fixture.deps, service: { name: 'Ahwa' } };
  const { secret } = await beginTotp(deps)(owner, {});
  const code = totpAt(fromBase32(secret), fixture.now);
  return () => confirmOwnTotp(deps)(owner, { code });
};

test('a second factor added after the password is verified is requested', async () => {
  const add = await aboutToAdd();
  const { passwords } = fixture.deps;
  const deps: StaffDeps = {
    ...fixture.deps,
    passwords: {
      ...passwords,
      verify: async (...given) => {
        const isRight = await passwords.verify(...given);
        await add();
        return isRight;
      },
    },
  };
  await expect(enter(deps)).rejects.toMatchObject({ refusal: 'SECOND_FACTOR_REQUIRED' });
});

test('a second factor added just before the session is created refuses the sign-in', async () => {
  const add = await aboutToAdd();
  let transactions = 0;
  const tx: StaffDeps['db']['tx'] = async (work) => {
    transactions += 1;
    if (transactions === 2) await add();
    return fixture.db.tx(work);
  };
  const entering = enter({ ...fixture.deps, db: { ...fixture.db, tx } });
  await expect(entering).rejects.toMatchObject({ refusal: 'SIGN_IN_REQUIRED' });
});

test('a second factor added during the commit of a sign-in waits, then ends its elevation', async () => {
  const add = await aboutToAdd();
  let added: Promise<unknown> = Promise.resolve();
  let transactions = 0;
  const tx: StaffDeps['db']['tx'] = (work) => {
    transactions += 1;
    const isEntering = transactions === 2;
    return fixture.db.tx(async (inside) => {
      const result = await work(inside);
      if (isEntering) {
        added = add();
        await Promise.race([added, waitingForLocks(fixture.db, 1)]);
      }
      return result;
    });
  };
  const { token, elevated_until } = await enter({ ...fixture.deps, db: { ...fixture.db, tx } });
  await added;
  expect(elevated_until).not.toBeNull();
  expect(await fixture.who(token)).toMatchObject({ elevatedUntil: null });
});
