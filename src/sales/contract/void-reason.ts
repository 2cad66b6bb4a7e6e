import Type from 'typebox';
import { Flag, nullable, Word } from '../../platform/contract/scalars.ts';
import { VOID_REASONS } from '../domain/void-reason.ts';

/** Of a void or a refund (Decisions 12). */
export const reasonFields = {
  reason: Word(VOID_REASONS),
  note: Type.Optional(nullable(Type.String({ maxLength: 500, description: 'Required with `other`.' }))),
  restock: Type.Optional(
    Flag({
      description:
        'Whether counted stock goes back; by the reason when left out: for `mistake` and `guest_changed`.',
    }),
  ),
};
