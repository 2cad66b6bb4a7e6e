/** A member of staff's own sessions, password and PIN (Decisions 12). */
import Type from 'typebox';
import { FACTOR_REFUSALS, SecondFactor } from './second-factor.ts';
import { endpoint, restricted } from '../../platform/contract/endpoint.ts';
import {
  DateTime,
  Flag,
  Int32,
  nullable,
  Text,
  uuidScalar,
  UuidText,
} from '../../platform/contract/scalars.ts';
import { KnownDevice, knownDeviceHeader, strict } from './sign-in.ts';

const common = { tag: 'Own account', query: {}, cache: 'no-store' } as const;
const own = { by: 'staff', permission: null } as const;

const Ended = Type.Object({ sessions_ended: Int32({ description: 'Sign-ins that ended with it.' }) });

const oldSecret = { minLength: 1, maxLength: 200 } as const;

export const changePassword = restricted(
  own,
  endpoint({
    ...common,
    id: 'changePassword',
    method: 'POST',
    path: '/staff/me/password',
    summary: 'Gives oneself another password, which ends one’s other sign-ins',
    description:
      'A wrong `current_password` counts with the other wrong passwords of the account. None of the 100,000 most used passwords is taken, nor the e-mail address, the person’s name, the shop’s name or address name.',
    params: {},
    headers: knownDeviceHeader,
    body: Type.Object(
      {
        current_password: Type.String(oldSecret),
        new_password: Type.String({ minLength: 1, maxLength: 200, description: '8 to 128 characters.' }),
        second_factor: Type.Optional(SecondFactor),
      },
      strict,
    ),
    reply: Type.Object({ ...Ended.properties, known_device: KnownDevice }),
    refusals: ['CREDENTIALS_WRONG', ...FACTOR_REFUSALS],
    limit: 'writes',
    examples: {
      'a new one': {
        body: { current_password: 'a long password', new_password: 'another long password' },
        reply: { sessions_ended: 2, known_device: null },
      },
    },
  }),
);

export const changePin = restricted(
  own,
  endpoint({
    ...common,
    id: 'changePin',
    method: 'POST',
    path: '/staff/me/pin',
    summary: 'Gives oneself another PIN, which ends one’s other sign-ins',
    description:
      'On a paired device by the PIN that one has, where a wrong one counts as at signing in; anywhere while the session is elevated (POST /staff/re-authenticate).',
    params: {},
    body: Type.Object(
      {
        current_pin: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 32,
            description: 'Not looked at while the session is elevated.',
          }),
        ),
        new_pin: Type.String({
          minLength: 1,
          maxLength: 32,
          description: '4 to 8 digits that are no row, repetition or year.',
        }),
      },
      strict,
    ),
    reply: Ended,
    refusals: ['CREDENTIALS_WRONG', 'PIN_THROTTLED', 'DEVICE_REVOKED'],
    limit: 'writes',
    examples: {
      'at a till': { body: { current_pin: '7294', new_pin: '3805' }, reply: { sessions_ended: 0 } },
    },
  }),
);

export const OwnSession = Type.Object({
  id: UuidText(),
  device: nullable(
    Type.Object({ id: UuidText(), label: Text() }, { description: 'The paired device; null: none.' }),
  ),
  since: DateTime(),
  last_used_at: DateTime({ description: 'To within a minute.' }),
  expires_at: DateTime(),
  current: Flag({ description: 'Whether it is the one that asks.' }),
});

const SESSION = '5e6f7081-92a3-4b4c-8d5e-6f708192a3b4';

export const listSessions = restricted(
  own,
  endpoint({
    ...common,
    id: 'listSessions',
    method: 'GET',
    path: '/staff/me/sessions',
    summary: 'Where one is signed in',
    params: {},
    reply: Type.Array(OwnSession),
    refusals: [],
    limit: 'staff',
    examples: {
      'at one till': {
        reply: [
          {
            id: SESSION,
            device: { id: '4d5e6f70-8192-4a3b-9c4d-5e6f70819203', label: 'الكاشير' },
            since: '2026-12-04T17:00:00.000Z',
            last_used_at: '2026-12-04T18:21:00.000Z',
            expires_at: '2026-12-05T05:00:00.000Z',
            current: true,
          },
        ],
      },
    },
  }),
);

export const endOwnSession = restricted(
  own,
  endpoint({
    ...common,
    id: 'endOwnSession',
    method: 'POST',
    path: '/staff/me/sessions/{id}/end',
    summary: 'Ends one of one’s own sign-ins',
    params: { id: { scalar: uuidScalar, description: "The sign-in's id." } },
    reply: Ended,
    refusals: ['NOT_FOUND'],
    limit: 'staff',
    examples: { 'on a lost phone': { reply: { sessions_ended: 1 } } },
  }),
);

export const endOtherSessions = restricted(
  own,
  endpoint({
    ...common,
    id: 'endOtherSessions',
    method: 'POST',
    path: '/staff/me/sessions/end-others',
    summary: 'Ends all of one’s own sign-ins but this one',
    params: {},
    reply: Ended,
    refusals: [],
    limit: 'staff',
    examples: { 'all others': { reply: { sessions_ended: 3 } } },
  }),
);
