/** Staff lift the order limits of a phone (Decisions 8). */
import Type from 'typebox';
import { endpoint, restricted } from '../../platform/contract/endpoint.ts';
import { PhoneInput } from '../../identity/contract/otp.ts';
import { DateTime, Flag, IdInput, MaskedPhone, nullable } from '../../platform/contract/scalars.ts';

export const setOrderBrake = restricted(
  { by: 'staff', permission: 'orders.lift_brake' },
  endpoint({
    id: 'setOrderBrake',
    method: 'PUT',
    path: '/staff/phones/brake',
    tag: 'Board',
    summary: 'Lifts the brake on orders for a phone until the end of the business day, or puts it back',
    description:
      "While it is lifted the shop's `order_brake` holds nothing of this phone back, at any of its branches. The phone stands in the body, since addresses end up in logs.",
    params: {},
    query: {},
    body: Type.Object(
      {
        phone: PhoneInput("The guest's mobile, in any usual writing; Egypt's without a country code."),
        lifted: Flag({ description: 'False: the brake holds again at once.' }),
        branch_id: Type.Optional(
          IdInput('Whose business day it is; the first branch by name where one works when left out.'),
        ),
      },
      { additionalProperties: false },
    ),
    reply: Type.Object({
      phone: MaskedPhone(),
      lifted: Flag(),
      until: nullable(DateTime({ description: 'When the brake holds again; null where it does.' })),
    }),
    refusals: ['NOT_FOUND'],
    cache: 'no-store',
    limit: 'staff',
    examples: {
      'a caterer': {
        body: { phone: '0100 123 4567', lifted: true },
        reply: { phone: '•••• 4567', lifted: true, until: '2026-12-05T03:00:00.000Z' },
      },
    },
  }),
);
