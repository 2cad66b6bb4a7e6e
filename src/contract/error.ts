import Type from 'typebox';
import { maybe, Text } from './scalars.ts';

/** The one error body (Behaviour, Errors); `fields` is additive (Decisions 5). */
export const ErrorBody = Type.Object({
  error: Text({ description: 'Human-readable message.' }),
  code: maybe(Text({ description: 'Stable machine-readable code; omitted where the status suffices.' })),
  retry_after_seconds: maybe(
    Type.Integer({ format: 'int64', minimum: 0, description: 'Seconds to wait; with `RATE_LIMITED` only.' }),
  ),
  vars: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Figures of a coded refusal; omitted otherwise.',
    }),
  ),
  fields: Type.Optional(
    Type.Array(Type.Object({ path: Text(), problem: Text() }), { description: 'Every fault of the input.' }),
  ),
});

export type ErrorBody = Type.Static<typeof ErrorBody>;
