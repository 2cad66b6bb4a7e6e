/** A person in the sync feed (Decisions 13). */
import Type from 'typebox';
import { PERMISSIONS, ROLES } from '../../kernel/permission.ts';
import { Int32, nullable, Text, UuidText, Word } from '../../platform/contract/scalars.ts';

const PinVerifier = Type.Object(
  {
    ...{ N: Int32({ minimum: 2 }), r: Int32({ minimum: 1 }), p: Int32({ minimum: 1 }) },
    ...{ salt: Text(), key: Text(), hash: Text() },
  },
  {
    description:
      'A PIN is right when HMAC-SHA-256 under `key` of its scrypt (32 bytes, with N, r, p and `salt`) is `hash`. Bytes are ' +
      'base64url. It opens nothing but this device. Null: the person has no PIN.',
  },
);

/** Who may work at the branch. */
export const FeedStaff = Type.Object({
  ...{ id: UuidText(), name: Text(), role: Word(ROLES) },
  permissions: Type.Array(Word(PERMISSIONS), { description: 'After a sign-in with a PIN.' }),
  pin: nullable(PinVerifier),
});
