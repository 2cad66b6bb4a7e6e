/** Refunds of a sale, by its units (Decisions 12, Sale). */
import Type from 'typebox';
import { endpoint, idempotencyHeaders, restricted } from '../../platform/contract/endpoint.ts';
import { Int32, uuidScalar } from '../../platform/contract/scalars.ts';
import { MAX_LINE_QUANTITY, MAX_LINES } from '../../pricing/domain/cart/limits.ts';
import { PAYMENT_METHOD_PATTERN } from '../../shops/domain/shop.ts';
import { exampleSale, Sale } from './sales.ts';
import { reasonFields } from './void-reason.ts';

const strict = { additionalProperties: false } as const;

export const refundSale = restricted(
  { by: 'staff', permission: 'sales.refund' },
  endpoint({
    id: 'refundSale',
    tag: 'Sales',
    cache: 'no-store',
    limit: 'staff',
    method: 'POST',
    path: '/staff/sales/{id}/refund',
    summary: 'Gives money back for units of a sale',
    description:
      'Each unit once, at its share of what was paid: discount, service and tax included. The delivery fee goes back with the ' +
      'last unit. Points that the units earned are taken back, rewards are given back with the last unit. A combo goes back ' +
      'as a whole. Money of its total that no unit accounts for goes back with `all`, once no units are left: a device may record ' +
      'such sales, and such refunds. Answered with the sale.',
    params: { id: { scalar: uuidScalar, description: "The sale's id." } },
    query: {},
    headers: idempotencyHeaders,
    body: Type.Object(
      {
        lines: Type.Optional(
          Type.Array(
            Type.Object(
              {
                index: Int32({ minimum: 0, description: 'The place of the line in the cart, from 0.' }),
                units: Type.Integer({ minimum: 1, maximum: MAX_LINE_QUANTITY }),
              },
              strict,
            ),
            { minItems: 1, maxItems: MAX_LINES },
          ),
        ),
        all: Type.Optional(
          Type.Literal(true, { description: 'Everything that is left; instead of `lines`.' }),
        ),
        method: Type.String({
          pattern: PAYMENT_METHOD_PATTERN,
          description: 'How the money goes back: a payment method of the shop.',
        }),
        ...reasonFields,
      },
      strict,
    ),
    repeatable: true,
    status: 201,
    reply: Sale,
    refusals: ['NOT_FOUND', 'ALREADY_REFUNDED', 'COMBO_WHOLE_ONLY', 'TILL_REQUIRED'],
    examples: {
      'one of three coffees was cold': {
        body: { lines: [{ index: 0, units: 1 }], method: 'cash', reason: 'quality' },
        reply: {
          ...exampleSale,
          refunded: 4_500,
          refunds: [
            {
              ...{
                id: '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
                at: '2026-12-04T17:55:00.000Z',
                method: 'cash',
              },
              ...{ amount: 4_500, tax_amount: 553, delivery_fee: 0, reason: 'quality', note: null },
              ...{ restocked: false, till_id: null, late: false },
              staff_id: '9a7b6c5d-4e3f-4a2b-8c1d-0e9f8a7b6c5d',
              lines: [{ index: 0, units: 1, amount: 4_500 }],
            },
          ],
        },
      },
    },
  }),
);
