/** Devices of a branch on which staff sign in with a PIN (Decisions 12). */
import Type from 'typebox';
import { endpoint, restricted } from '../../platform/contract/endpoint.ts';
import {
  DateTime,
  Flag,
  IdInput,
  optionalNullable,
  Text,
  uuidScalar,
  UuidText,
} from '../../platform/contract/scalars.ts';
import { BRANCH, common, PERSON, StaffMember, strict } from './sign-in.ts';

const DEVICE = '4d5e6f70-8192-4a3b-9c4d-5e6f70819203';

export const makePairingCode = restricted(
  { by: 'staff', permission: 'devices.pair' },
  endpoint({
    ...common,
    id: 'makePairingCode',
    method: 'POST',
    path: '/staff/devices',
    summary: 'Makes a code with which a device of a branch is paired',
    params: {},
    body: Type.Object(
      {
        branch_id: IdInput('Where the device stands.'),
        label: Type.String({ minLength: 1, maxLength: 120, description: 'What people call it.' }),
      },
      strict,
    ),
    status: 201,
    reply: Type.Object({
      pairing_code: Text({
        description: 'Typed in on the device, once, within ten minutes.',
        examples: ['K7NP4QXT'],
      }),
      device_id: UuidText(),
      expires_at: DateTime(),
    }),
    refusals: ['NOT_FOUND'],
    examples: {
      'a till': {
        body: { branch_id: BRANCH, label: 'الكاشير' },
        reply: { pairing_code: 'K7NP4QXT', device_id: DEVICE, expires_at: '2026-12-04T17:10:00.000Z' },
      },
    },
  }),
);

export const pairDevice = restricted(
  { by: 'anyone' },
  endpoint({
    ...common,
    id: 'pairDevice',
    method: 'POST',
    path: '/staff/devices/pair',
    summary: 'Pairs this device by the code that an owner or manager made',
    params: {},
    body: Type.Object({ pairing_code: Type.String({ minLength: 1, maxLength: 32 }) }, strict),
    reply: Type.Object({
      device_token: Text({
        description: 'The bearer token of PIN sign-ins on this device.',
        examples: ['till_4f0c9a2be1_Qw4…'],
      }),
      device_id: UuidText(),
      branch_id: UuidText(),
      label: Text(),
      staff: Type.Array(StaffMember, { description: 'Who may sign in here with a PIN, by name.' }),
    }),
    refusals: ['PAIRING_CODE_INVALID', 'ORG_SUSPENDED'],
    limit: 'writes',
    examples: {
      'a till': {
        body: { pairing_code: 'K7NP 4QXT' },
        reply: {
          ...{
            device_token: 'till_4f0c9a2be1_Qw4eR7tY1uI8oP2aS5dF3gH6jK9lZ0xC4vB7nM1qWeE',
            device_id: DEVICE,
          },
          ...{ branch_id: BRANCH, label: 'الكاشير', staff: [PERSON] },
        },
      },
    },
  }),
);

export const Device = Type.Object({
  id: UuidText(),
  branch_id: UuidText(),
  label: Text(),
  paired_at: optionalNullable(DateTime({ description: 'Null while the code waits to be typed in.' })),
  revoked_at: optionalNullable(DateTime()),
  last_used_at: optionalNullable(DateTime({ description: 'Written down once a day.' })),
  expired: Flag({ description: 'Not used for 90 days: its token has ended. Pair it anew.' }),
});

export const listDevices = restricted(
  { by: 'staff', permission: 'devices.pair' },
  endpoint({
    ...common,
    id: 'listDevices',
    method: 'GET',
    path: '/staff/devices',
    summary: 'The devices of the branches one works at',
    params: {},
    reply: Type.Array(Device),
    refusals: [],
    examples: {
      'one till': {
        reply: [
          {
            id: DEVICE,
            branch_id: BRANCH,
            label: 'الكاشير',
            paired_at: '2026-12-04T17:02:00.000Z',
            expired: false,
          },
        ],
      },
    },
  }),
);

export const revokeDevice = restricted(
  { by: 'staff', permission: 'devices.pair' },
  endpoint({
    ...common,
    id: 'revokeDevice',
    method: 'POST',
    path: '/staff/devices/{id}/revoke',
    summary: 'Ends a device: its token, and every sign-in on it',
    params: { id: { scalar: uuidScalar, description: "The device's id." } },
    reply: Device,
    refusals: ['NOT_FOUND'],
    examples: {
      'a lost tablet': {
        reply: {
          ...{ id: DEVICE, branch_id: BRANCH, label: 'الكاشير' },
          ...{ paired_at: '2026-12-04T17:02:00.000Z', revoked_at: '2026-12-06T09:00:00.000Z' },
          expired: false,
        },
      },
    },
  }),
);

export const listPinStaff = restricted(
  { by: 'device' },
  endpoint({
    ...common,
    id: 'listPinStaff',
    method: 'GET',
    path: '/staff/pin',
    summary: 'Who may sign in on this device with a PIN',
    params: {},
    reply: Type.Array(StaffMember),
    refusals: [],
    examples: { 'one teller': { reply: [PERSON] } },
  }),
);
