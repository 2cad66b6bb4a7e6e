/** How a device tells what it did without the server, for those who write one (Decisions 13). */
import { REVIEW_CODES, reasonTemplate } from '../../platform/domain/review.ts';
import { EVENT_EXAMPLES } from '../../sync/contract/event-examples.ts';
import { EVENT_DATA, EVENT_FACTS, EVENT_KINDS, type EventKind } from '../../sync/contract/event-kinds.ts';
import { MAX_EVENTS, replayEvents } from '../../sync/contract/replay.ts';
import { heading, jsonOf, tableOf, text, type Block } from './document-blocks.ts';
import { fieldRows } from './fields.ts';
import { linked } from './linked.ts';
import { answerBlocks } from './replay-answers.ts';
import { plain } from './shapes.ts';

/** The permission of the kind, and those of single fields. */
const permissionsText = (kind: EventKind): string => {
  const { permission, also = {} } = EVENT_FACTS[kind];
  const more = Object.entries(also).map(([field, one]) => `, and \`${one}\` with \`${field}\``);
  return `\`${permission}\`${more.join('')}`;
};

const kindBlocks = (kind: EventKind): Block[] => [
  heading(3, kind),
  text(
    `${EVENT_FACTS[kind].text} It needs the permission ${permissionsText(kind)}; done by a person without it, it is ` +
      'recorded and reviewed.',
  ),
  tableOf(['Field', 'Type', 'Required', ''], fieldRows(plain(EVENT_DATA[kind])).map(linked)),
  jsonOf(EVENT_EXAMPLES[kind]),
];

const how = (): Block[] => [
  text(
    `\`POST /sync/replay\` takes up to ${MAX_EVENTS} events in one request. A device stores an event before it goes on, sends it until ` +
      'the answer names it, and then forgets it unless it was refused: an event counts once, however often it comes, from ' +
      'however many devices, in any order. Within a request events are recorded in the order of their `at`.',
  ),
  tableOf(
    ['A device', 'Why'],
    [
      [
        'stores and sends an event as the same bytes',
        'An id that comes again with another content is refused: another value, a field more, another way to write the moment. The order of fields does not matter.',
      ],
      [
        'sends `till_close` when every event of the till is answered',
        'A sale that comes after the close is in review (`till_closed`), beside the figures of the Z.',
      ],
      [
        'pulls and applies rows only when it has no event left to send; one that was added meanwhile makes the page too old',
        'The rows would take from the screen what it has just sold.',
      ],
      [
        'keeps its clock as it is until its events are sent, or corrects the `at` of those that it has never sent',
        'The server corrects every `at` by what `device_time` is wrong now. More than a minute ahead is recorded as now (`in_the_future`), more than 30 days ago is in review (`long_ago`).',
      ],
    ],
  ),
  text(
    '`device_time` is what the clock of the device reads when it sends. The server corrects each `at` by the difference to ' +
      'its own clock; the business date follows from that.',
  ),
  text(
    'What was fired within the last half hour goes to the kitchen; older rounds are stored as already prepared. A device ' +
      'that was revoked, or not used for long, may still send events for 30 days.',
  ),
];

const money = (): Block[] => [
  heading(3, 'Prices and totals'),
  text(
    'Prices and totals stand as the device recorded them. Deals, service and tax follow from the prices by ' +
      '[the rules of the server](pricing.md), and where the total is another, the sale has a `recorded_difference`, in review.',
  ),
  tableOf(
    ['What', 'How it is told'],
    [
      [
        'A line',
        '`unit_price` is that of its size, without add-ons, which have prices of their own; an optional has none, and costs what the menu says.',
      ],
      ['A price that is left out', 'That of the menu when the event is recorded.'],
      [
        'A combo',
        'What it costs is the sum of `share` and `surcharge` of its picks, each for one combo; its own `unit_price` does not count. It is voided and refunded only whole: all its units.',
      ],
      ['A counter sale', 'Has no service charge; that is for tickets at a table.'],
      [
        'A ticket that guests paid in parts',
        '`total` is that of the whole bill, `payments` have only what was taken now.',
      ],
      ['A ticket without a live line', 'Is settled with a total of 0, or ended with `ticket_void`.'],
      [
        'A refund',
        '`amount` is what went back. Where its units were sold for another amount, it stands, in review (`refund_differs`).',
      ],
      [
        'A drink of the staff',
        '`staff_drink` is `{id, note}`: an `id` that the device makes, and who it was for, 1 to 200 characters; in counter sales alone. `subtotal` of the sale contains it, and `staff_drink_discount` takes off what the allowance of the branch covers.',
      ],
      [
        'The count of a till',
        'By method: piastres, or the coins and notes that were counted, such as `{"cash": {"100": 3, "20000": 2}}` for 40300.',
      ],
    ],
  ),
];

export const replayBlocks = (): Block[] => [
  heading(2, 'Telling what it did'),
  ...how(),
  ...Object.entries(replayEvents.examples).flatMap(([name, { body, reply }]) => [
    text(`Example, ${name}:`),
    jsonOf(body),
    jsonOf(reply),
  ]),
  ...money(),
  ...answerBlocks(),
  text(
    'A queue for browsers and for Node is ready in `src/client/till/queue`: durable, one tab at a time, with back-off, and it ' +
      'can be carried away as a file, to another device of the branch. [A till in one file](../examples/offline-till.mjs) uses it, with the rest of the ' +
      'library, as `npm start` and `npm run build` write it for Node: `dist/till.js`.',
  ),
  heading(2, 'Events'),
  text(
    'Each has `id`, `kind`, `at`, `by` (the id of a person) and `data`. The examples are events of one evening, which belong ' +
      'together; the ticket that ends in `ticket_void` is another one.',
  ),
  ...EVENT_KINDS.flatMap(kindBlocks),
  heading(2, 'Reviews'),
  text(
    'Owners and managers see them with `GET /staff/reviews`, and close them with a note. An event that waits is among them. ' +
      'The reasons:',
  ),
  tableOf(
    ['Code', 'Words'],
    REVIEW_CODES.map((code) => [`\`${code}\``, reasonTemplate(code)]),
  ),
];
