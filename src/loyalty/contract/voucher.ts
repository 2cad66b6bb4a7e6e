/** Balance vouchers: what a till without the server may give rewards against (Decisions 11, 13). */
import Type, { type Static } from 'typebox';
import { endpoint, fileAnswer } from '../../platform/contract/endpoint.ts';
import { DateTime, Int32, Text, UuidText } from '../../platform/contract/scalars.ts';
import { byMemberToken } from './member-token.ts';
import { ModeWord } from './shapes.ts';

const IssuedVoucher = Type.Object({
  voucher: Text({
    description: 'A compact JWS (ES256). A till verifies it with the `voucher_keys` of its branch.',
    examples: ['eyJhbGciOiJFUzI1NiIsImtpZCI6IjNmOWEwYzFiMmQ0ZSJ9.eyJqdGkiOiI…'],
  }),
  member_id: UuidText({ description: 'The card.' }),
  mode: ModeWord(),
  limit: Int32({
    minimum: 1,
    description: 'Points or visits: no more than the balance, and than the shop gives.',
  }),
  valid_until: DateTime(),
  qr: Type.Object(
    {
      side: Int32({ minimum: 1, description: 'Of the white square, with its quiet zone, in modules.' }),
      path: Text({ description: 'The dark modules, as a path of SVG.', examples: ['M4 4h7v1h-7z…'] }),
    },
    { description: 'The text as a QR code, for a page that draws it.' },
  ),
});

const common = {
  tag: 'Loyalty',
  method: 'GET',
  params: byMemberToken,
  query: {},
  cache: 'no-store',
  limit: 'booking_and_loyalty_reads',
  refusals: ['NOT_FOUND', 'LOYALTY_OFF', 'VOUCHERS_OFF', 'REWARD_UNAVAILABLE'],
} as const;

const example: Static<typeof IssuedVoucher> = {
  voucher: 'eyJhbGciOiJFUzI1NiIsImtpZCI6IjNmOWEwYzFiMmQ0ZSJ9.eyJqdGkiOiI…',
  ...{ member_id: '2f1e0d9c-8b7a-4695-a4b3-c2d1e0f9a816', mode: 'points', limit: 113 },
  valid_until: '2026-12-04T18:10:00.000Z',
  qr: { side: 89, path: 'M4 4h7v1h-7z…' },
};

export const getVoucher = endpoint({
  ...common,
  id: 'getVoucher',
  path: '/public/loyalty/card/{member_token}/voucher',
  summary: 'A voucher of a card’s balance, for a till that has no internet',
  description:
    'For 30 minutes. Asked again within them, it has the same id: what is spent on one counts for both. The balance changes ' +
    'when the till has told the server of the sale.',
  reply: IssuedVoucher,
  examples: { 'a voucher for one reward': { reply: example } },
});

export const getVoucherQr = fileAnswer(
  { mediaType: 'image/svg+xml', filename: 'voucher.svg' },
  endpoint({
    ...common,
    id: 'getVoucherQr',
    path: '/public/loyalty/card/{member_token}/voucher.svg',
    summary: 'The voucher as a QR code',
    description: 'Dark on white with its quiet zone, whatever the colours of the page.',
    reply: Text(),
    examples: {
      'a voucher': {
        reply:
          '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 89 89" shape-rendering="crispEdges">…</svg>',
      },
    },
  }),
);
