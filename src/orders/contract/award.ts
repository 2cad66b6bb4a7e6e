/** A sale that was made without a card is given to one (Decisions 11). */
import Type from 'typebox';
import { MODES } from '../../loyalty/domain/programme.ts';
import { endpoint, restricted } from '../../platform/contract/endpoint.ts';
import { IdInput, Int32, UuidText, uuidScalar, Word } from '../../platform/contract/scalars.ts';
import { exampleOrder } from './delivery-order.ts';

const EXAMPLE_CARD = '2c7f1b3d-9e4a-4c5d-8b6f-1a2b3c4d5e06';

export const awardSale = restricted(
  { by: 'staff', permission: 'loyalty.award' },
  endpoint({
    id: 'awardSale',
    method: 'POST',
    path: '/staff/sales/{id}/award',
    tag: 'Board',
    summary: 'Gives a card what a sale earns that was made without one, within 24 hours of its delivery',
    description:
      'Under the programme as it is now. The same card again is the same answer. A sale that has a card, or was ' +
      'delivered more than 24 hours ago, is refused with `id` named; a card that the shop does not have, with `member_id`.',
    params: { id: { scalar: uuidScalar, description: "The sale's id: the order's that was delivered." } },
    query: {},
    body: Type.Object(
      { member_id: IdInput("The card's id, as the look-up of members names it.") },
      { additionalProperties: false },
    ),
    reply: Type.Object({
      sale_id: UuidText(),
      member_id: UuidText(),
      mode: Word(MODES),
      earned: Int32({ minimum: 0, description: 'Points or visits; 0 where the balance is at its cap.' }),
      balance: Int32({ minimum: 0, description: 'Of the card, now.' }),
    }),
    refusals: ['NOT_FOUND', 'LOYALTY_OFF'],
    cache: 'no-store',
    limit: 'staff',
    examples: {
      'the card came out late': {
        body: { member_id: EXAMPLE_CARD },
        reply: {
          sale_id: exampleOrder.id,
          member_id: EXAMPLE_CARD,
          mode: 'points',
          earned: 4,
          balance: 61,
        },
      },
    },
  }),
);
