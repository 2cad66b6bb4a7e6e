/** Tills: opened with a float, counted and closed (Decisions 4, 12). */
import Type from 'typebox';
import {
  endpoint,
  idempotencyHeaders,
  optional,
  required,
  restricted,
} from '../../platform/contract/endpoint.ts';
import { listLimit } from '../../platform/contract/lists.ts';
import { IdInput, nullable, uuidScalar, Word } from '../../platform/contract/scalars.ts';
import { HIGHEST_PRICE, HIGHEST_TOTAL } from '../../kernel/money.ts';
import { PAYMENT_METHOD_PATTERN } from '../../shops/domain/shop.ts';
import { CASH_KINDS, NOTES_AND_COINS } from '../domain/till.ts';
import {
  CashMovement,
  closedReport,
  exampleLate,
  exampleMovement,
  exampleReport,
  exampleTill,
  Till,
  TillReport,
} from './till-report.ts';

const strict = { additionalProperties: false } as const;

const common = { tag: 'Tills', cache: 'no-store', limit: 'staff' } as const;
const tillId = { id: { scalar: uuidScalar, description: "The till's id." } };

const MAX_PIECES = 100_000;

const CountedSum = Type.Unsafe<number | Record<string, number>>({
  // Of a sum.
  ...{ type: ['integer', 'object'], minimum: 0, maximum: HIGHEST_TOTAL },
  // Of notes and coins.
  ...{ minProperties: 1, propertyNames: { enum: NOTES_AND_COINS.map(String) } },
  additionalProperties: { type: 'integer', minimum: 0, maximum: MAX_PIECES },
  description: `A sum, or how many pieces of each note and coin, by its piastres: ${NOTES_AND_COINS.join(', ')}.`,
});

/** What was counted, by payment method. */
export const Counted = Type.Record(Type.String({ pattern: PAYMENT_METHOD_PATTERN }), CountedSum, {
  ...strict,
  description:
    'By payment method of the shop, and of what the till took before the shop gave one up: a sum in piastres, or how many ' +
    `pieces of each note and coin, by its piastres (${NOTES_AND_COINS.join(', ')}), each 0 to ${MAX_PIECES}. ` +
    '`{"cash": {"20000": 1, "500": 4}}` is one note of 200 pounds and four of 5.',
});

export const reasonText = (description: string) => Type.String({ minLength: 1, maxLength: 500, description });

export const closeTill = restricted(
  { by: 'staff', permission: 'tills.use' },
  endpoint({
    ...common,
    id: 'closeTill',
    method: 'POST',
    path: '/staff/tills/{id}/close',
    summary: 'Closes a till with what was counted in it',
    description:
      'Cash is always counted; a payment method that is left out was not counted. A till that is closed already is ' +
      'answered as it was closed. That of another person needs `tills.manage`.',
    params: tillId,
    query: {},
    body: Type.Object(
      {
        counted: Counted,
        note: Type.Optional(nullable(reasonText('What a manager should know.'))),
      },
      strict,
    ),
    reply: TillReport,
    refusals: ['NOT_FOUND', 'NOT_PERMITTED'],
    examples: {
      'by notes': {
        body: { counted: { cash: { 20_000: 6, 1_000: 11, 500: 1 }, card: 120_000 } },
        reply: closedReport,
      },
    },
  }),
);

export const forceCloseTill = restricted(
  { by: 'staff', permission: 'tills.manage' },
  endpoint({
    ...common,
    id: 'forceCloseTill',
    method: 'POST',
    path: '/staff/tills/{id}/force-close',
    summary: 'Closes a till that nobody counts, such as that of somebody who has left',
    description: 'A till that is closed already is answered as it was closed.',
    params: tillId,
    query: {},
    body: Type.Object({ note: reasonText('Why.') }, strict),
    reply: TillReport,
    refusals: ['NOT_FOUND'],
    examples: {
      'somebody went home': {
        body: { note: 'نسي إغلاقها' },
        reply: { ...closedReport, status: 'force_closed', note: 'نسي إغلاقها' },
      },
    },
  }),
);

export const getTillReport = restricted(
  { by: 'staff', permission: 'tills.read' },
  endpoint({
    ...common,
    id: 'getTillReport',
    method: 'GET',
    path: '/staff/tills/{id}/report',
    summary: 'The report of a till: X while it is open, Z once it is closed',
    description: 'That of another person needs `tills.manage`.',
    params: tillId,
    query: {},
    reply: TillReport,
    refusals: ['NOT_FOUND', 'NOT_PERMITTED'],
    examples: {
      'that of a teller, whose till is open': { reply: exampleReport },
      'a closed one, for which a sale came later': { reply: { ...closedReport, late: [exampleLate] } },
    },
  }),
);

export const listTills = restricted(
  { by: 'staff', permission: 'tills.read' },
  endpoint({
    ...common,
    id: 'listTills',
    method: 'GET',
    path: '/staff/tills',
    summary: 'The tills of a branch, the one that was opened last first',
    params: {},
    query: {
      branch_id: required(uuidScalar, "The branch's id."),
      limit: listLimit,
      after: optional(uuidScalar, 'The last till of the page before.'),
    },
    reply: Type.Array(Till),
    refusals: ['NOT_FOUND'],
    examples: { 'one that is open': { reply: [exampleTill] } },
  }),
);

export const moveCash = restricted(
  { by: 'staff', permission: 'tills.use' },
  endpoint({
    ...common,
    id: 'moveCash',
    method: 'POST',
    path: '/staff/tills/{id}/cash',
    summary: 'Records cash that goes into a till or out of it without a sale',
    description: 'In the till of another person it needs `tills.manage`.',
    params: tillId,
    query: {},
    headers: idempotencyHeaders,
    body: Type.Object(
      {
        kind: Word(CASH_KINDS, { description: '`drop`: into the safe.' }),
        amount: Type.Integer({ minimum: 1, maximum: HIGHEST_PRICE, description: 'Piastres.' }),
        reason: reasonText('What it is for.'),
      },
      strict,
    ),
    repeatable: true,
    status: 201,
    reply: CashMovement,
    refusals: ['NOT_FOUND', 'NOT_PERMITTED', 'TILL_CLOSED'],
    examples: {
      'into the safe': {
        body: { kind: 'drop', amount: 100_000, reason: 'إلى الخزنة' },
        reply: exampleMovement,
      },
    },
  }),
);

export const openTill = restricted(
  { by: 'staff', permission: 'tills.use' },
  endpoint({
    ...common,
    id: 'openTill',
    method: 'POST',
    path: '/staff/tills',
    summary: 'Opens a till, or goes on with the one that the person has open on this device',
    description:
      'A person has one open till, and others that devices opened without the server. The one of this device and branch is answered with 200.',
    params: {},
    query: {},
    headers: idempotencyHeaders,
    body: Type.Object(
      {
        branch_id: IdInput("The branch's id."),
        opening_float: Type.Integer({
          minimum: 0,
          maximum: HIGHEST_PRICE,
          description: 'The cash that is in it, in piastres.',
        }),
      },
      strict,
    ),
    repeatable: true,
    status: 201,
    reply: Till,
    refusals: ['NOT_FOUND', 'TILL_OPEN_ELSEWHERE', 'TILL_OPEN_AT_OTHER_BRANCH'],
    examples: {
      'in the morning': {
        body: { branch_id: '5b0c7a52-6d5e-5a3b-9a41-0b6d9d0f1c22', opening_float: 50_000 },
        reply: exampleTill,
      },
    },
  }),
);
