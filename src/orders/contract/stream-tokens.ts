/** Streams of a browser's EventSource (Decisions 12). */
import Type from 'typebox';
import { endpoint, restricted, streaming } from '../../platform/contract/endpoint.ts';
import { DateTime, IdInput, Text, type Scalar } from '../../platform/contract/scalars.ts';
import { BoardEvent, boardEvents, boardCommon, lastEventHeader, lastEventQuery } from './staff-orders.ts';

const EXAMPLE_TOKEN = 'evt_4f0c9a2be1_Yb3nT6wK9rD2sV5xA8eH1jM4oQ7uZ0cG3iL6pF9tXyE';

export const makeStreamToken = restricted(
  { by: 'staff', permission: 'events.read' },
  endpoint({
    ...boardCommon,
    id: 'makeStreamToken',
    method: 'POST',
    path: '/staff/events/token',
    summary: 'A token that opens one stream of events, for EventSource',
    description:
      'For a page without a session cookie, as its EventSource sends no `Authorization`. The token opens one stream ' +
      'of this branch within a minute, which ends with this session.',
    params: {},
    query: {},
    body: Type.Object(
      { branch_id: IdInput('The branch whose events are wanted.') },
      { additionalProperties: false },
    ),
    status: 201,
    reply: Type.Object({
      stream_token: Text({
        description: 'Part of an address: use it at once, once.',
        examples: ['evt_4f0c9a2be1_Yb3…'],
      }),
      expires_at: DateTime(),
    }),
    refusals: ['NOT_FOUND'],
    examples: {
      'a board': {
        body: { branch_id: '9f6e1f5b-6a2b-5f2a-8a53-2f6d3c9b7e11' },
        reply: { stream_token: EXAMPLE_TOKEN, expires_at: '2026-12-04T17:01:00.000Z' },
      },
    },
  }),
);

const streamToken: Scalar<string> = {
  schema: Text({ examples: ['evt_4f0c9a2be1_Yb3…'] }),
  read: (text) => (/^[\w-]{1,200}$/.test(text) ? text : null),
  expected: { en: 'a stream token', ar: 'رمز بث' },
};

export const streamBoardEvents = restricted(
  { by: 'anyone' },
  streaming(
    endpoint({
      ...boardCommon,
      id: 'streamBoardEvents',
      method: 'GET',
      path: '/staff/events/{stream_token}',
      summary: 'The same events, by a stream token',
      description:
        'An EventSource that reconnects sends its token again, is answered with 401 and stops: on `error` with ' +
        '`readyState` 2 the page asks for another token, and opens a new EventSource with `last_event_id`, the ' +
        '`lastEventId` of the last event that it received.',
      params: { stream_token: { scalar: streamToken, description: 'From POST /staff/events/token.' } },
      query: lastEventQuery,
      headers: lastEventHeader,
      reply: BoardEvent,
      refusals: ['STREAM_TOKEN_INVALID', 'ORG_SUSPENDED'],
      examples: boardEvents.examples,
    }),
  ),
);
