/** Second factors: authenticator apps, passkeys, recovery codes (Decisions 12). */
import Type, { type Static } from 'typebox';
import { FACTOR_KINDS } from '../domain/second-factor.ts';
import { endpoint, restricted } from '../../platform/contract/endpoint.ts';
import {
  DateTime,
  Int32,
  optionalNullable,
  nullable,
  Text,
  uuidScalar,
  UuidText,
  Word,
} from '../../platform/contract/scalars.ts';

/** Unknown fields are refused by name (Decisions 7). */
const strict = { additionalProperties: false } as const;

/** Base64url text from a browser; the passkey library checks its content. */
const Encoded = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]*$' });

const credential = {
  id: Encoded(2_000),
  rawId: Encoded(2_000),
  type: Type.String({ maxLength: 32, description: '`public-key`.' }),
};

/** A browser object, which may have further fields. */
const PasskeyAssertion = Type.Object(
  {
    ...credential,
    response: Type.Object({
      clientDataJSON: Encoded(4_000),
      authenticatorData: Encoded(4_000),
      signature: Encoded(8_000),
    }),
  },
  { description: 'The credential that `navigator.credentials.get` gave, as JSON.' },
);

const PasskeyRegistration = Type.Object(
  {
    ...credential,
    response: Type.Object({
      clientDataJSON: Encoded(4_000),
      attestationObject: Encoded(20_000),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16 })),
    }),
  },
  { description: 'The credential that `navigator.credentials.create` gave, as JSON.' },
);

export const SecondFactor = Type.Object(
  {
    totp: Type.Optional(
      Type.String({ maxLength: 32, description: 'The six digits of the authenticator app, good once.' }),
    ),
    passkey: Type.Optional(PasskeyAssertion),
    recovery_code: Type.Optional(Type.String({ maxLength: 64, description: 'One of them, good once.' })),
  },
  { ...strict, description: 'One of these; where a person has none, it is not looked at.' },
);

export const FACTOR_REFUSALS = ['SECOND_FACTOR_REQUIRED', 'SECOND_FACTOR_WRONG'] as const;

const Factor = Type.Object({
  id: UuidText(),
  kind: Word(FACTOR_KINDS),
  label: Text(),
  created_at: DateTime(),
  last_used_at: optionalNullable(DateTime()),
});

const factors = {
  factors: Type.Array(Factor, { description: 'The oldest first.' }),
  recovery_codes_left: Int32({ minimum: 0 }),
};
const Factors = Type.Object(factors);
const RecoveryCode = Text({ examples: ['K7NP4-QXTRA-CDE34-67QRT-WXYHJ'] });
const Added = Type.Object({
  ...factors,
  recovery_codes: nullable(
    Type.Array(RecoveryCode, {
      description: 'With the first factor: each lets in once in place of it. Shown now and never again.',
    }),
  ),
});

const Label = Type.Optional(Type.String({ maxLength: 120, description: 'What people call it.' }));

const common = { tag: 'Second factors', query: {}, cache: 'no-store', limit: 'staff' } as const;
const seen = { by: 'staff', permission: null } as const;
const own = { ...seen, elevated: true } as const;

const TOTP: Static<typeof Factor> = {
  ...{ id: '7c1d2e3f-4a5b-4c6d-8e7f-8091a2b3c4d5', kind: 'totp', label: 'TOTP' },
  ...{ created_at: '2026-12-04T17:00:00.000Z', last_used_at: '2026-12-04T17:00:00.000Z' },
};
const PASSKEY: Static<typeof Factor> = {
  ...{ id: '8d2e3f4a-5b6c-4d7e-9f80-91a2b3c4d5e6', kind: 'passkey', label: 'موبايل سارة' },
  ...{ created_at: '2026-12-04T17:05:00.000Z', last_used_at: null },
};
const CODES = ['K7NP4-QXTRA-CDE34-67QRT-WXYHJ', 'MNPQR-TWXY3-4679A-CDEFG-HJKMN'];

export const listSecondFactors = restricted(
  seen,
  endpoint({
    ...common,
    id: 'listSecondFactors',
    method: 'GET',
    path: '/staff/me/second-factors',
    summary: 'What one shows after the password',
    params: {},
    reply: Factors,
    refusals: [],
    examples: { 'an authenticator app': { reply: { factors: [TOTP], recovery_codes_left: 10 } } },
  }),
);

export const beginTotp = restricted(
  own,
  endpoint({
    ...common,
    id: 'beginTotp',
    method: 'POST',
    path: '/staff/me/second-factors/totp',
    summary: 'Makes a secret for an authenticator app',
    description: 'It is asked for once its first code was confirmed, within ten minutes.',
    params: {},
    body: Type.Object({ label: Label }, strict),
    status: 201,
    reply: Type.Object({
      secret: Text({ description: 'For typing in.', examples: ['GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'] }),
      uri: Text({ description: 'For a QR code (`otpauth://`).' }),
      expires_at: DateTime(),
    }),
    refusals: ['SECOND_FACTOR_LIMIT'],
    examples: {
      'an authenticator app': {
        body: {},
        reply: {
          secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
          uri: 'otpauth://totp/Ahwa:owner%40beit-el-bunn.example?issuer=Ahwa&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
          expires_at: '2026-12-04T17:10:00.000Z',
        },
      },
    },
  }),
);

export const confirmTotp = restricted(
  own,
  endpoint({
    ...common,
    id: 'confirmTotp',
    method: 'POST',
    path: '/staff/me/second-factors/totp/confirm',
    summary: 'Turns the authenticator app on, by its first code',
    params: {},
    body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 32 }) }, strict),
    reply: Added,
    refusals: ['SECOND_FACTOR_WRONG', 'SECOND_FACTOR_LIMIT', 'NOT_FOUND'],
    examples: {
      'the first factor': {
        body: { code: '287082' },
        reply: { factors: [TOTP], recovery_codes_left: 2, recovery_codes: CODES },
      },
    },
  }),
);

export const beginPasskey = restricted(
  own,
  endpoint({
    ...common,
    id: 'beginPasskey',
    method: 'POST',
    path: '/staff/me/second-factors/passkeys',
    summary: 'What a browser makes a passkey with',
    params: {},
    status: 201,
    reply: Type.Object({
      options: Type.Record(Type.String(), Type.Unknown(), {
        description: 'For `navigator.credentials.create`, as JSON; its challenge is good once.',
      }),
      expires_at: DateTime(),
    }),
    refusals: ['SECOND_FACTOR_LIMIT'],
    examples: {
      'a passkey': {
        reply: {
          options: { challenge: '7q0dT1u9…', rp: { id: 'ahwa.example', name: 'Ahwa' } },
          expires_at: '2026-12-04T17:05:00.000Z',
        },
      },
    },
  }),
);

export const confirmPasskey = restricted(
  own,
  endpoint({
    ...common,
    id: 'confirmPasskey',
    method: 'POST',
    path: '/staff/me/second-factors/passkeys/confirm',
    summary: 'Keeps the passkey that a browser made',
    params: {},
    body: Type.Object({ credential: PasskeyRegistration, label: Label }, strict),
    reply: Added,
    refusals: ['SECOND_FACTOR_WRONG', 'SECOND_FACTOR_LIMIT'],
    examples: {
      'a second factor': {
        body: {
          credential: {
            ...{ id: 'AZ0x', rawId: 'AZ0x', type: 'public-key' },
            response: { clientDataJSON: 'eyJ0', attestationObject: 'o2Nm' },
          },
          label: 'موبايل سارة',
        },
        reply: { factors: [TOTP, PASSKEY], recovery_codes_left: 10, recovery_codes: null },
      },
    },
  }),
);

export const makeRecoveryCodes = restricted(
  own,
  endpoint({
    ...common,
    id: 'makeRecoveryCodes',
    method: 'POST',
    path: '/staff/me/second-factors/recovery-codes',
    summary: 'Makes new recovery codes, which end the earlier ones',
    params: {},
    status: 201,
    reply: Type.Object({ recovery_codes: Type.Array(RecoveryCode) }),
    refusals: ['NOT_FOUND'],
    examples: { 'ten of them': { reply: { recovery_codes: CODES } } },
  }),
);

export const removeSecondFactor = restricted(
  own,
  endpoint({
    ...common,
    id: 'removeSecondFactor',
    method: 'POST',
    path: '/staff/me/second-factors/{id}/remove',
    summary: 'Removes one; with the last go the recovery codes',
    params: { id: { scalar: uuidScalar, description: "The factor's id." } },
    reply: Factors,
    refusals: ['NOT_FOUND'],
    examples: { 'the last one': { reply: { factors: [], recovery_codes_left: 0 } } },
  }),
);
