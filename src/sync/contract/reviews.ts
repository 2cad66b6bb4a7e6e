/** What a person should look at of what devices recorded (Decisions 13). */
import Type, { type Static } from 'typebox';
import { endpoint, optional, required, restricted } from '../../platform/contract/endpoint.ts';
import { listLimit } from '../../platform/contract/lists.ts';
import {
  DateTime,
  nullable,
  Text,
  uuidScalar,
  UuidText,
  Word,
  wordScalar,
} from '../../platform/contract/scalars.ts';
import { REVIEW_CODES } from '../../platform/domain/review.ts';
import { EVENT_KINDS } from './event-kinds.ts';

const strict = { additionalProperties: false } as const;

const Review = Type.Object({
  id: UuidText({ description: 'Of the event.' }),
  branch_id: UuidText(),
  status: Word(['open', 'closed']),
  outcome: Word(['review', 'waiting'], {
    description:
      '`waiting`: what it belongs to has not come, so nothing is recorded yet. A closed one stays `review`, also when what came later has resolved it.',
  }),
  kind: Word(EVENT_KINDS),
  at: DateTime({ description: 'When it happened, by the clock of the server.' }),
  received_at: DateTime(),
  staff_id: UuidText(),
  staff_name: Text(),
  device_id: UuidText(),
  device_label: Text(),
  subject_id: UuidText({ description: 'The till, round, ticket, sale or refund, as the device named it.' }),
  result_id: nullable(
    UuidText({ description: 'What it became, where that has another id: a sale, or a ticket.' }),
  ),
  reasons: Type.Array(
    Type.Object({
      code: Word(REVIEW_CODES),
      vars: Type.Record(Type.String(), Type.Unknown()),
      en: Text(),
      ar: Text(),
    }),
  ),
  data: nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'As the device sent it, with `voucher_id` in the place of a voucher; null once it was closed, also where it is open again.',
    }),
  ),
  closed_at: nullable(DateTime()),
  closed_by: nullable(UuidText()),
  note: nullable(Text()),
});

const exampleReview: Static<typeof Review> = {
  ...{ id: 'a4f1d2c3-0b1a-4c2d-8e3f-4a5b6c7d8e02', branch_id: '5b0c7a52-6d5e-5a3b-9a41-0b6d9d0f1c22' },
  ...{ status: 'open', outcome: 'review', kind: 'sale', at: '2026-12-04T17:12:32.000Z' },
  ...{ received_at: '2026-12-04T17:40:00.000Z', staff_id: '9a7b6c5d-4e3f-4a2b-8c1d-0e9f8a7b6c5d' },
  ...{ staff_name: 'منى', device_id: '3c2b1a09-8f7e-4d6c-9b5a-493827160f5e', device_label: 'الكاشير' },
  ...{ subject_id: 'c1d2e3f4-a5b6-4c7d-8e9f-0a1b2c3d4e5f', result_id: null },
  reasons: [
    {
      ...{ code: 'total_differs', vars: { recorded: 9_000, expected: 8_000 } },
      en: 'The device recorded a total of 9000 piastres; its lines come to 8000.',
      ar: 'سجّل الجهاز إجمالي 9000 قرش، ومجموع بنوده 8000.',
    },
  ],
  data: {
    sale_id: 'c1d2e3f4-a5b6-4c7d-8e9f-0a1b2c3d4e5f',
    items: [{ menu_item_id: '5d9e3f21-7a4b-5c6d-9e8f-0a1b2c3d4e05', quantity: 2, unit_price: 4_500 }],
    ...{ total: 9_000, payments: [{ method: 'cash', amount: 9_000 }] },
  },
  ...{ closed_at: null, closed_by: null, note: null },
};

const common = { tag: 'Sync', cache: 'no-store', limit: 'staff' } as const;

export const closeReview = restricted(
  { by: 'staff', permission: 'tills.manage' },
  endpoint({
    ...common,
    id: 'closeReview',
    method: 'POST',
    path: '/staff/reviews/{id}/close',
    summary: 'Closes a review: somebody has looked at it',
    description: 'One that is closed already is answered as it was closed.',
    params: { id: { scalar: uuidScalar, description: "The review's id." } },
    query: {},
    body: Type.Object(
      {
        note: Type.String({ minLength: 1, maxLength: 500, description: 'What was found, or done about it.' }),
      },
      strict,
    ),
    reply: Review,
    refusals: ['NOT_FOUND'],
    examples: {
      'an old price': {
        body: { note: 'سعر الأسبوع الماضي' },
        reply: {
          ...exampleReview,
          ...{ status: 'closed', data: null, closed_at: '2026-12-04T19:00:00.000Z' },
          ...{ closed_by: '9a7b6c5d-4e3f-4a2b-8c1d-0e9f8a7b6c5d', note: 'سعر الأسبوع الماضي' },
        },
      },
    },
  }),
);

export const listReviews = restricted(
  { by: 'staff', permission: 'tills.manage' },
  endpoint({
    ...common,
    id: 'listReviews',
    method: 'GET',
    path: '/staff/reviews',
    summary: 'What devices recorded that a person should look at, the last received first',
    params: {},
    query: {
      branch_id: required(uuidScalar, "The branch's id."),
      status: optional(wordScalar(['open', 'closed']), '`open` when left out.'),
      limit: listLimit,
      after: optional(uuidScalar, 'The last review of the page before.'),
    },
    reply: Type.Array(Review),
    refusals: ['NOT_FOUND'],
    examples: { 'a total that differs': { reply: [exampleReview] } },
  }),
);
