/** Second factors of staff over HTTP: add, use and remove them. */
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Uuid } from '../../../src/kernel/ids.ts';
import { fromBase32, softPasskey, totpAt, type SoftPasskey } from './authenticators.ts';
import { emailOf, PASSWORD, type Person, type SignedIn, type StaffReply } from './staff.ts';
import { done, post, refusalOf } from '../server/requests.ts';
import { PUBLIC_ADDRESS, type World } from '../server/world.ts';
import type { Reply } from '../server/http-client.ts';

export const FACTORS = '/staff/me/second-factors';

/** Signs in by e-mail, with or without a second factor; returns the reply. */
export const signInWith = (
  world: World,
  person: Person,
  secondFactor?: object,
  password = PASSWORD,
): Promise<Reply> =>
  post(world, '/staff/sign-in', {
    ...{ email: emailOf(person), password },
    ...(secondFactor && { second_factor: secondFactor }),
  });

export const bearerOf = (reply: Reply): SignedIn => ({
  authorization: `Bearer ${done('staffSignIn', reply).token}`,
});

/** The passkey options in a refusal that asks for a second factor. */
export const passkeyOptionsOf = ({ body }: Reply): Parameters<SoftPasskey['get']>[0] => {
  const { vars } = body as { vars: { passkey: Parameters<SoftPasskey['get']>[0] } };
  return vars.passkey;
};

export const expectWrongFactor = (reply: Reply): void =>
  expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'SECOND_FACTOR_WRONG' });

export interface AuthenticatorApp {
  /** The code now, or `by` steps of 30 s later. */
  code(by?: number): string;
  readonly recoveryCodes: readonly string[];
  readonly id: Uuid;
}

/** Adds an authenticator app, which uses its current code up. */
export const addApp = async (world: World, who: SignedIn): Promise<AuthenticatorApp> => {
  const { secret } = done('beginTotp', await post(world, `${FACTORS}/totp`, {}, who));
  const key = fromBase32(secret);
  const code = (by = 0): string => totpAt(key, world.now + by * 30_000);
  const reply = await post(world, `${FACTORS}/totp/confirm`, { code: code() }, who);
  const { factors, recovery_codes } = done('confirmTotp', reply);
  const id = factors.find(({ kind }) => kind === 'totp')?.id ?? '';
  return { code, recoveryCodes: recovery_codes ?? [], id };
};

type CreationOptions = Parameters<SoftPasskey['create']>[0];

export const creationFor = async (world: World, who: SignedIn): Promise<CreationOptions> => {
  const reply = await world.send('POST', `${FACTORS}/passkeys`, { ...who });
  return done('beginPasskey', reply).options as unknown as CreationOptions;
};

/** Adds a passkey of `PUBLIC_ADDRESS`. */
export const addPasskey = async (
  world: World,
  who: SignedIn,
  counts = true,
): Promise<{ readonly key: SoftPasskey; readonly added: StaffReply<'confirmPasskey'> }> => {
  const key = softPasskey(PUBLIC_ADDRESS, counts);
  const credential = key.create(await creationFor(world, who));
  const reply = await post(world, `${FACTORS}/passkeys/confirm`, { credential, label: 'موبايل' }, who);
  return { key, added: done('confirmPasskey', reply) };
};

// ── For tests of all operations ─────────────────────────────────────────────────────

/** Elevates every session, as if its password had just been given. */
export const elevateAll = async ({ db }: World): Promise<void> => {
  await sql`update staff_session set password_at = created_at`.execute(db.kysely);
};

export const withoutFactors = async (world: World): Promise<void> => {
  for (const table of [
    ...(['staff_factor', 'staff_recovery_code', 'staff_challenge', 'staff_factor_failure'] as const),
  ])
    await world.db.kysely.deleteFrom(table).execute();
  await elevateAll(world);
};

type OwnOperation =
  | 'listSecondFactors'
  | 'beginTotp'
  | 'confirmTotp'
  | 'beginPasskey'
  | 'confirmPasskey'
  | 'makeRecoveryCodes'
  | 'removeSecondFactor';

interface OwnRequest {
  readonly method?: 'POST';
  readonly address: string;
  readonly body?: object;
}

/** A request of each operation that succeeds for a person without second factors. */
export const OWN_FACTORS: Readonly<
  Record<OwnOperation, (world: World, who: SignedIn) => OwnRequest | Promise<OwnRequest>>
> = {
  listSecondFactors: () => ({ address: FACTORS }),
  beginTotp: () => ({ method: 'POST', address: `${FACTORS}/totp`, body: { label: 'موبايل' } }),
  confirmTotp: async (world, who) => {
    const { secret } = done('beginTotp', await post(world, `${FACTORS}/totp`, {}, who));
    const body = { code: totpAt(fromBase32(secret), world.now) };
    return { method: 'POST', address: `${FACTORS}/totp/confirm`, body };
  },
  beginPasskey: () => ({ method: 'POST', address: `${FACTORS}/passkeys` }),
  confirmPasskey: async (world, who) => {
    const credential = softPasskey(PUBLIC_ADDRESS).create(await creationFor(world, who));
    return { method: 'POST', address: `${FACTORS}/passkeys/confirm`, body: { credential } };
  },
  makeRecoveryCodes: async (world, who) => {
    await addApp(world, who);
    return { method: 'POST', address: `${FACTORS}/recovery-codes` };
  },
  removeSecondFactor: async (world, who) => {
    const { id } = await addApp(world, who);
    return { method: 'POST', address: `${FACTORS}/${id}/remove` };
  },
};
