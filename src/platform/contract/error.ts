import Type from 'typebox';
import { optionalNullable, nullable, Text, Word } from './scalars.ts';

/**
 * The error body (Behaviour, Errors); `resend_after_seconds`, `fields`, `faults` and `faults_left_out` are additive (Decisions 3, 5).
 */
export const ErrorBody = Type.Object({
  error: Text({ description: 'Human-readable message.' }),
  code: optionalNullable(
    Text({ description: 'Stable machine-readable code; omitted where the status suffices.' }),
  ),
  retry_after_seconds: optionalNullable(
    Type.Integer({
      format: 'int64',
      minimum: 0,
      description: 'Seconds to wait; with `RATE_LIMITED` and `PIN_THROTTLED` only.',
    }),
  ),
  resend_after_seconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'A one-time code was sent to this phone within the last minute and works: when another can be asked for. ' +
        'With `RATE_LIMITED` of `POST /public/otp/request` only.',
    }),
  ),
  vars: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Figures of a coded refusal; omitted otherwise.',
    }),
  ),
  kind: Type.Optional(
    Word(['phone'], { description: 'What is to be chosen; with `IDENTITY_CHOICE_REQUIRED` only.' }),
  ),
  can_combine: Type.Optional(
    Type.Boolean({
      description: 'Whether the two can be combined now; with `PHONE_BELONGS_TO_ANOTHER` only.',
    }),
  ),
  till: optionalNullable(
    Type.Object(
      {
        id: Text(),
        branch_id: Text(),
        branch_name: Text(),
        teller_id: Text(),
        teller_name: Text(),
        status: Text(),
        opened_at: Text(),
        device_id: nullable(Text()),
        device_label: nullable(Text()),
      },
      { description: 'The till concerned; with `TILL_OPEN_ELSEWHERE` and `TILL_OPEN_AT_OTHER_BRANCH` only.' },
    ),
  ),
  fields: Type.Optional(
    Type.Array(Type.Object({ path: Text(), problem: Text() }), { description: 'Every fault of the input.' }),
  ),
  faults: Type.Optional(
    Type.Array(
      Type.Object({
        path: Text({ examples: ['items[2].addons[0].addon_item_id'] }),
        code: nullable(Text()),
        vars: Type.Record(Type.String(), Type.Unknown()),
      }),
      {
        description:
          'Everything that is wrong with a cart, by line and field; the first gives `code` and `vars`. `code` is ' +
          'null for what is malformed, which `fields` tells.',
      },
    ),
  ),
  faults_left_out: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'How many faults more there are than are listed, where there are over 1,000.',
    }),
  ),
});

export type ErrorBody = Type.Static<typeof ErrorBody>;
