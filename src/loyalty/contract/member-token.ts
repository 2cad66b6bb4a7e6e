import { Text, type Scalar } from '../../platform/contract/scalars.ts';

/** Any text passes: a malformed token answers as an unknown one (Decisions 11, Card). */
const memberTokenScalar: Scalar<string> = {
  schema: Text({ examples: ['M3kT0qV9xYbZ2mN8pR5sLwA'] }),
  read: (text) => text,
  unreadable: '',
  expected: { en: 'a token', ar: 'رمز' },
};

/** The path of what belongs to a card. */
export const byMemberToken = {
  member_token: {
    scalar: memberTokenScalar,
    description: "The card's `member_token`: whoever holds it holds the card.",
  },
};
