import Type from 'typebox';
import { ROLES } from '../../kernel/permission.ts';
import { identity, optional, reference, strict, text, word } from './values.ts';

/** Printable ASCII: every mail server accepts it, and lower case does not depend on the locale. */
const EMAIL = '^[!-?A-~]+@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$';

/** Without passwords and PINs (Decisions 16). */
const StaffEntry = Type.Object(
  {
    ...identity,
    name: text(120),
    role: word(ROLES),
    email: optional(
      Type.String({
        pattern: EMAIL,
        maxLength: 254,
        description: 'Signs this person in, once they have a password. One person’s, at whichever shop.',
      }),
    ),
    branches: optional(
      Type.Array(reference('a branch'), {
        minItems: 1,
        maxItems: 500,
        uniqueItems: true,
        description: 'Left out: every branch. An owner has every branch.',
      }),
    ),
    active: optional(Type.Boolean({ default: true })),
  },
  strict,
);

export const Staff = Type.Array(StaffEntry, {
  maxItems: 1000,
  description:
    'Left out altogether: the shop’s staff stay as they are. Who is left out of the list is archived, and signed out.',
});
