/** How a device tells what it did without the server, for those who write one (Decisions 13). */
import { EVENTS_BODY_LIMIT } from '../../platform/contract/body-limits.ts';
import { MAX_EVENTS, replayEvents } from '../../sync/contract/replay.ts';
import { heading, jsonOf, tableOf, text, type Block } from './document-blocks.ts';
import { answerBlocks } from './replay-answers.ts';

const QUEUE: readonly (readonly [string, string])[] = [
  ['stores an event before it goes on', 'A crash or a power cut loses nothing that was done.'],
  [
    'sends an event until an answer names it, the oldest first',
    'An event counts once, however often it comes, from however many devices.',
  ],
  [
    'then forgets it, unless it was refused',
    'From then on the server keeps it: in the books, in review, or until what it belongs to comes.',
  ],
  [
    'sends `till_close` when every event of its till is answered',
    'Events may come in any order: what comes before its till, its ticket or its sale waits. A close does not wait: money of its till that comes in a later request is late (`till_closed`), beside the figures of the Z report.',
  ],
  [
    'sends a refund when the rounds and voids of its ticket are answered',
    'A line that comes later is not put on a sale of which units were refunded (`ticket_ended`).',
  ],
];

const CLOCK: readonly (readonly [string, string])[] = [
  ['More than a minute ahead of the server', 'The event is recorded now, in review (`in_the_future`).'],
  ['Up to a minute ahead', 'The event is recorded now.'],
  ['More than 30 days ago', 'The event is recorded then, in review (`long_ago`).'],
  ['Before 2000', 'The event is recorded at the begin of 2000, in review (`long_ago`).'],
];

const how = (): Block[] => [
  text(
    `\`POST /sync/replay\` takes up to ${MAX_EVENTS} events and ${EVENTS_BODY_LIMIT} bytes in one request. Within a request events ` +
      'are recorded in the order of their `at`.',
  ),
  tableOf(['A device', 'Why'], QUEUE),
  text(
    'What was fired within the last half hour goes to the kitchen; older rounds are stored as already prepared. A device ' +
      'that was revoked, or not used for long, may still send events for 30 days; they are in review (`device_ended`).',
  ),
];

const clockBlocks = (): Block[] => [
  heading(3, 'Its clock'),
  text(
    '`device_time` is what the clock of the device reads when it sends. The server adds to each `at` what its own clock is ' +
      'ahead of that; the business date follows. Corrected so, a moment may be:',
  ),
  tableOf(['Moment', 'What becomes of it'], CLOCK),
  text(
    'That is right only where `at` and `device_time` are of the same clock. A clock that is repaired between the two makes ' +
      'every event of before wrong by as much. So a device counts on with the clock of before until its queue is empty, for ' +
      'example by the difference to a clock that is never set. Or it corrects `at` of the events that it has never sent; one that ' +
      'was sent, with an answer or without, keeps its `at`, which is part of its content. The ready queue does neither: its ' +
      'caller gives both moments.',
  ),
];

const gateBlocks = (): Block[] => [
  heading(3, 'Rows while events wait'),
  text(
    'A device pulls and applies rows only while none of its own events waits. Until the server has an event, the rows of the ' +
      'server are those of before it: they would take off the screen what was just sold. A refused event does not wait.',
  ),
  tableOf(
    ['Step', 'What the device does'],
    [
      ['1', 'It sends until no event waits.'],
      ['2', 'It pulls a page.'],
      [
        '3',
        'It stores the page and `next`, in one step with the check that no event was added since step 2 began. If one was, also one that is sent already, the page is stale: it drops the page and goes to step 1.',
      ],
    ],
  ),
  text('`pullWhenSent` of `src/client/till/queue` does this.'),
];

/** Telling what it did, up to the kinds of events. */
export const replayBlocks = (): Block[] => [
  heading(2, 'Telling what it did'),
  ...how(),
  ...Object.entries(replayEvents.examples).flatMap(([name, { body, reply }]) => [
    text(`Example, ${name}:`),
    jsonOf(body),
    jsonOf(reply),
  ]),
  ...answerBlocks(),
  ...clockBlocks(),
  ...gateBlocks(),
  heading(3, 'A queue that is ready'),
  text(
    'A queue for browsers and for Node is ready in `src/client/till/queue`: durable, one tab at a time, with back-off, and it ' +
      'can be carried away as a file, to another device of the branch. [A till in one file](../examples/offline-till.mjs) uses it, with the rest of the ' +
      'library, as `npm start` and `npm run build` write it for Node: `dist/till.js`.',
  ),
];
