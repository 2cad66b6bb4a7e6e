/** Customers whom the staff combine (Decisions 11, Staff). */
import Type from 'typebox';
import { endpoint, restricted } from '../../platform/contract/endpoint.ts';
import { IdInput, Int32, nullable, Text, uuidScalar, UuidText } from '../../platform/contract/scalars.ts';

export const mergeCustomers = restricted(
  { by: 'staff', permission: 'customers.merge' },
  endpoint({
    tag: 'People',
    cache: 'no-store',
    limit: 'staff',
    id: 'mergeCustomers',
    method: 'POST',
    path: '/staff/customers/{id}/merge',
    summary: 'Combines two customers who are one person',
    description:
      'As guests do it themselves, but the staff vouch for the phones: that of the path stays, unless the other alone is proven. ' +
      'Repeated, it answers the same.',
    params: { id: { scalar: uuidScalar, description: 'The customer whose name and phone stay.' } },
    query: {},
    body: Type.Object(
      { customer_id: IdInput('The customer who is combined into them.') },
      { additionalProperties: false },
    ),
    reply: Type.Object({
      customer_id: UuidText({ description: 'Of the older card.' }),
      card_id: nullable(UuidText({ description: 'Null: neither had a card.' })),
      first_name: Text(),
      phone_hint: Text({ description: 'The last four digits.', examples: ['•••• 4567'] }),
      points: Int32({ minimum: 0 }),
      visits: Int32({ minimum: 0 }),
    }),
    refusals: ['NOT_FOUND', 'NOTHING_TO_COMBINE'],
    examples: {
      'two cards of one guest': {
        body: { customer_id: '7b1e5f30-9c2d-4a6e-8f41-2d3c4b5a6978' },
        reply: {
          ...{ customer_id: '3c9d1c6e-0d55-4c61-9c83-0a6d3f1b2e47', first_name: 'منى' },
          ...{ card_id: '5e4d3c2b-1a09-4f8e-9d7c-6b5a4f3e2d1c', phone_hint: '•••• 4567' },
          ...{ points: 130, visits: 0 },
        },
      },
    },
  }),
);
