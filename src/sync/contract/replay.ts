/** What devices did without the server (Decisions 13). */
import Type, { type Static } from 'typebox';
import { EVENTS_BODY_LIMIT } from '../../platform/contract/body-limits.ts';
import { endpoint, restricted } from '../../platform/contract/endpoint.ts';
import {
  DateTime,
  IdInput,
  MomentInput,
  optionalNullable,
  Text,
  UuidText,
  Word,
} from '../../platform/contract/scalars.ts';
import { EVENT_EXAMPLES } from './event-examples.ts';
import { EVENT_KINDS } from './event-kinds.ts';

const strict = { additionalProperties: false } as const;

export const MAX_EVENTS = 200;

export const OUTCOMES = ['applied', 'already', 'waiting', 'review', 'refused'] as const;

/** Each event is checked by itself: one that is malformed is refused, and holds up no other. */
const EventInput = Type.Unsafe<{ readonly id: string }>({
  type: 'object',
  required: ['id'],
  properties: { id: IdInput('Of the event, made by the device: it counts once, however often it is sent.') },
  description: `\`{id, kind, at, by, data}\`: \`kind\` is one of ${EVENT_KINDS.join(', ')}; \`docs/sync.md\` has the \`data\` of each.`,
});

const Result = Type.Object({
  id: UuidText(),
  outcome: Word(OUTCOMES, {
    description:
      '`applied`: it is recorded. `already`: it was seen before; `vars.outcome` says what became of it. `waiting`: what it ' +
      'belongs to has not come; it is kept, and recorded when that does. `review`: kept, and a person should look; most are recorded. ' +
      '`refused`: malformed, or of a person who is none of the shop; it is not kept.',
  }),
  code: optionalNullable(Text({ description: 'Why it is refused, or the first reason of the review.' })),
  vars: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Figures of the code; of a review all `reasons`.',
    }),
  ),
});

const Replayed = Type.Object({ server_time: DateTime(), results: Type.Array(Result) });

const BRANCH = '5b0c7a52-6d5e-5a3b-9a41-0b6d9d0f1c22';

const exampleEvents = [EVENT_EXAMPLES.till_open, EVENT_EXAMPLES.sale];

const exampleReply: Static<typeof Replayed> = {
  server_time: '2026-12-04T17:40:00.000Z',
  results: [
    { id: EVENT_EXAMPLES.till_open.id, outcome: 'applied' },
    {
      ...{ id: EVENT_EXAMPLES.sale.id, outcome: 'review', code: 'total_differs' },
      vars: {
        ...{ recorded: 9_000, expected: 8_000 },
        reasons: [{ code: 'total_differs', vars: { recorded: 9_000, expected: 8_000 } }],
      },
    },
  ],
};

export const replayEvents = restricted(
  { by: 'device', evenEnded: true },
  endpoint({
    ...{
      id: 'replayEvents',
      method: 'POST',
      path: '/sync/replay',
      tag: 'Sync',
      cache: 'no-store',
      limit: 'staff',
    },
    summary: 'What a device did without the server',
    description:
      'Each event has its own outcome, in any order and any number of times. A sale is never refused for a business reason: ' +
      'recorded prices and totals stand. `docs/sync.md` has the kinds.',
    params: {},
    query: {},
    bodyLimit: EVENTS_BODY_LIMIT,
    body: Type.Object(
      {
        branch_id: IdInput('The branch of the device.'),
        device_time: MomentInput('The clock of the device now: the times of the events are corrected by it.'),
        events: Type.Array(EventInput, { maxItems: MAX_EVENTS }),
      },
      strict,
    ),
    reply: Replayed,
    refusals: ['NOT_FOUND', 'DEVICE_OF_OTHER_BRANCH'],
    examples: {
      'a till that was opened, and a sale': {
        body: { branch_id: BRANCH, device_time: '2026-12-04T17:39:58.000Z', events: exampleEvents },
        reply: exampleReply,
      },
    },
  }),
);
