/** The pass of wallet one as a guest loads it. The web service that phones use is a raw endpoint of the HTTP door. */
import Type from 'typebox';
import { endpoint, fileAnswer } from '../../platform/contract/endpoint.ts';
import type { Scalar } from '../../platform/contract/scalars.ts';
import { Text } from '../../platform/contract/scalars.ts';

/** Any text: a malformed token is answered as an unknown one. */
const memberToken: Scalar<string> = {
  schema: Text({ examples: ['MK3vXq0c1Zb7n2yRt5uWe8A'] }),
  read: (text) => text,
  expected: { en: 'a member token', ar: 'رمز بطاقة' },
  unreadable: '',
};

/** Bytes of an archive. */
const Archive = Type.Unsafe<string | Buffer>({ type: 'string', format: 'binary' });

export const PASS_MEDIA_TYPE = 'application/vnd.apple.pkpass';

export const getPass = fileAnswer(
  { mediaType: PASS_MEDIA_TYPE, filename: 'card.pkpass' },
  endpoint({
    id: 'getPass',
    method: 'GET',
    path: '/public/loyalty/pass/{member_token}.pkpass',
    tag: 'Loyalty',
    summary: 'The card as a pass of wallet one',
    description:
      'A signed archive that a phone adds to Apple Wallet. It is made anew at each request, and the wallet keeps it up to date by itself. 503 where wallet one is not set up, or its certificate has expired.',
    params: {
      member_token: { scalar: memberToken, description: 'The token of the card.' },
    },
    query: {},
    reply: Archive,
    refusals: ['NOT_FOUND', 'PASS_NOT_AVAILABLE'],
    cache: 'no-store',
    limit: 'booking_and_loyalty_reads',
    examples: { pass: { reply: 'PK…' } },
  }),
);
