/** Signing in (Decisions 12). */
import Type from 'typebox';
import { PERMISSIONS, permissionsInForce, ROLES } from '../../kernel/permission.ts';
import { endpoint, optional, restricted, type HeaderParameters } from '../../platform/contract/endpoint.ts';
import {
  DateTime,
  Flag,
  IdInput,
  Int32,
  nullable,
  Text,
  UuidText,
  Word,
  type Scalar,
} from '../../platform/contract/scalars.ts';

import { FACTOR_REFUSALS, SecondFactor } from './second-factor.ts';

/** Unknown fields are refused by name (Decisions 7). */
export const strict = { additionalProperties: false } as const;

export const StaffMember = Type.Object({ id: UuidText(), name: Text(), role: Word(ROLES) });

const Permissions = Type.Array(Word(PERMISSIONS), {
  description:
    'Those in force now; `people.*`, `devices.*` and an owner’s own only while the session is elevated.',
});

export const Notice = Type.Object({
  kind: Word(['wrong_tries']),
  at: DateTime(),
  tries: Int32({
    description: 'Wrong PINs and passwords at the shop within the hour before.',
    examples: [10],
  }),
});

export const StaffSession = Type.Object({
  token: nullable(
    Text({
      description: 'The bearer token of further requests; null: it is in the cookie.',
      examples: ['stf_4f0c9a2be1_Vd8…'],
    }),
  ),
  expires_at: DateTime(),
  permissions: Permissions,
  elevated_until: nullable(
    DateTime({ description: 'Ten minutes after the password was given; null: it was not.' }),
  ),
  notices: Type.Array(Notice, {
    description: 'What an owner has not been told at an earlier sign-in with their password.',
  }),
  staff: StaffMember,
  org_id: UuidText(),
  branch_ids: Type.Unsafe<readonly string[] | null>({
    type: ['array', 'null'],
    items: UuidText(),
    description: 'Where they work; null: every branch of the shop.',
  }),
});

const SHOP = '3f0a4d0e-58a4-5a55-9a0c-1f2f6f1d7b10';
export const BRANCH = '9f6e1f5b-6a2b-5f2a-8a53-2f6d3c9b7e11';
export const PERSON = { id: '0a6b8c1d-2e3f-4a5b-8c6d-7e8f9a0b1c2d', name: 'سارة', role: 'teller' } as const;

const session = (role: 'owner' | 'teller') => ({
  token: 'stf_4f0c9a2be1_Vd8mK2xQ7nR4tY9wB3cF6hJ1lP5sA0zE8uG2iO7vXqM',
  expires_at: '2026-12-05T05:00:00.000Z',
  permissions: [...permissionsInForce(role, role === 'owner')],
  elevated_until: role === 'owner' ? '2026-12-04T17:10:00.000Z' : null,
  notices: [],
  staff: { ...PERSON, role },
  org_id: SHOP,
  branch_ids: role === 'owner' ? null : [BRANCH],
});

export const common = { tag: 'Sign-in', query: {}, cache: 'no-store', limit: 'staff' } as const;

const deviceToken: Scalar<string> = {
  schema: Text({ examples: ['kdv_Rt5…'] }),
  read: (text) => (/^[\w-]{1,200}$/.test(text) ? text : null),
  expected: { en: 'a token of a known device', ar: 'رمز جهاز معروف' },
};

export const knownDeviceHeader = {
  'x-known-device': optional(
    deviceToken,
    '`known_device` of an earlier sign-in here, or the token of a paired device of the shop: served before strangers, and not slowed down by wrong passwords that were typed elsewhere.',
  ),
} satisfies HeaderParameters;

export const KnownDevice = nullable(
  Text({
    description:
      'To be kept on this device and sent as `X-Known-Device` when signing in again; null: the one that was sent holds for 90 days more.',
    examples: ['kdv_Rt5…'],
  }),
);

const credentials = {
  email: Type.String({ minLength: 3, maxLength: 254 }),
  password: Type.String({ minLength: 1, maxLength: 200 }),
  second_factor: Type.Optional(SecondFactor),
};

/** The cookie that holds a session. Behind https no other host of the domain can set it (RFC 6265bis, 4.1.3.2). */
export const SESSION_COOKIE = { http: 'staff', https: '__Host-staff' } as const;

const keptSession = {
  session: Type.Optional(
    Word(['token', 'cookie'], {
      description:
        'Where the session is kept: `cookie` is for a page of this origin, or of one of `CONSOLE_ORIGINS`, none of whose scripts then sees the token; the service must be at https, or on this machine. `token` when left out.',
    }),
  ),
};

const OWNER = { email: 'owner@beit-el-bunn.example', password: 'a long password' } as const;

export const staffSignIn = restricted(
  { by: 'anyone' },
  endpoint({
    ...common,
    id: 'staffSignIn',
    method: 'POST',
    path: '/staff/sign-in',
    summary: 'Signs in with e-mail and password',
    description:
      'Five wrong passwords of an account from one address in 15 minutes: wait. Many of an account from anywhere: strangers wait. ' +
      'Who has a second factor is asked for it once the password was right, and sends the same again with it.',
    params: {},
    headers: knownDeviceHeader,
    body: Type.Object({ ...credentials, ...keptSession }, strict),
    reply: Type.Object({
      ...StaffSession.properties,
      known_device: KnownDevice,
    }),
    refusals: ['WRONG_PASSWORD', 'SIGN_IN_REQUIRED', 'ORG_SUSPENDED', ...FACTOR_REFUSALS],
    limit: 'writes',
    examples: {
      'an owner': {
        body: OWNER,
        reply: { ...session('owner'), known_device: 'kdv_Rt5yU8iO2pA4sD7fG1hJ3kL6zX9cV0bN5mQwErTyUiO' },
      },
    },
  }),
);

export const reauthenticate = restricted(
  { by: 'staff', permission: null },
  endpoint({
    ...common,
    id: 'reauthenticate',
    method: 'POST',
    path: '/staff/re-authenticate',
    summary:
      'Elevates this session for ten minutes, by the e-mail and password of its own person, and their second factor',
    description: 'Wrong ones count with the other wrong passwords of the account.',
    params: {},
    headers: knownDeviceHeader,
    body: Type.Object(credentials, strict),
    reply: Type.Object({ permissions: Permissions, elevated_until: DateTime() }),
    refusals: ['CREDENTIALS_WRONG', ...FACTOR_REFUSALS],
    limit: 'writes',
    examples: {
      'an owner at a till': {
        body: OWNER,
        reply: {
          permissions: [...permissionsInForce('owner', true)],
          elevated_until: '2026-12-04T17:10:00.000Z',
        },
      },
    },
  }),
);

export const pinSignIn = restricted(
  { by: 'device' },
  endpoint({
    ...common,
    id: 'pinSignIn',
    method: 'POST',
    path: '/staff/pin',
    summary: 'Signs a person in on a paired device, with their PIN',
    description: 'Wrong PINs make the device wait, longer each time; they never lock a person.',
    params: {},
    body: Type.Object(
      {
        staff_id: IdInput('Who signs in.'),
        pin: Type.String({ minLength: 1, maxLength: 32 }),
        ...keptSession,
      },
      strict,
    ),
    reply: StaffSession,
    refusals: ['WRONG_PIN', 'PIN_THROTTLED'],
    limit: 'writes',
    examples: { 'a teller': { body: { staff_id: PERSON.id, pin: '2468' }, reply: session('teller') } },
  }),
);

export const staffSignOut = restricted(
  { by: 'staff', permission: null, evenSuspended: true },
  endpoint({
    ...common,
    id: 'staffSignOut',
    method: 'POST',
    path: '/staff/sign-out',
    summary: 'Ends this sign-in',
    description: 'At a shop that is switched off too.',
    params: {},
    reply: Type.Object({ signed_out: Flag() }),
    refusals: [],
    examples: { 'signed out': { reply: { signed_out: true } } },
  }),
);
