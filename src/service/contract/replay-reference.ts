/** How a device tells what it did without the server, for those who write one (Decisions 13). */
import { REVIEW_CODES, reasonTemplate } from '../../platform/domain/review.ts';
import { EVENT_EXAMPLES } from '../../sync/contract/event-examples.ts';
import { EVENT_DATA, EVENT_FACTS, EVENT_KINDS, type EventKind } from '../../sync/contract/event-kinds.ts';
import { MAX_EVENTS, replayEvents } from '../../sync/contract/replay.ts';
import { heading, jsonOf, tableOf, text, type Block } from './document-blocks.ts';
import { fieldRows } from './fields.ts';
import { linked } from './linked.ts';
import { plain } from './shapes.ts';

const OUTCOMES: readonly (readonly [string, string])[] = [
  ['`applied`', 'Forget it: it is in the books.'],
  ['`already`', 'Forget it: it came before. `vars.outcome` says what became of it.'],
  [
    '`waiting`',
    'Forget it: the server keeps it until what it belongs to comes (`vars.waits_for`), then it is recorded.',
  ],
  [
    '`review`',
    'Forget it: the server keeps it, and a person will look at it. It is in the books, unless a reason is `id_taken` or ' +
      '`not_applied`, or, of a void, `ticket_ended`, `paid_in_parts` or `line_voided`.',
  ],
  ['`refused`', 'Keep it for a person: it is not in the books. `code` says why.'],
];

const REFUSED: readonly (readonly [string, string])[] = [
  ['`INVALID_INPUT`', 'It is malformed; `vars.fields` has the fields.'],
  ['`PERSON_UNKNOWN`', '`by` is nobody of the staff of the shop.'],
  ['`EVENT_ID_REUSED`', 'Its id came before with another content.'],
];

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
    `\`POST /sync/replay\` takes up to ${MAX_EVENTS} events and 1 MB in one request. A device stores an event before it goes on, ` +
      'sends it until the answer names it, and then forgets it unless it was refused: an event counts once, however often it comes, from ' +
      'however many devices, in any order. Within a request events are recorded in the order of their `at`.',
  ),
  text(
    'What was sold is never refused: prices and totals stand as the device recorded them. `unit_price` of a line is that of ' +
      'its size, without add-ons, which have prices of their own; where a price is left out, that of the menu counts. ' +
      '`share` and `surcharge` of a pick are for one combo. Deals, service and tax follow from these by the rules of the ' +
      'server, and where the total is another, the sale has a `recorded_difference`.',
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

export const replayBlocks = (): Block[] => [
  heading(2, 'Telling what it did'),
  ...how(),
  ...Object.entries(replayEvents.examples).flatMap(([name, { body, reply }]) => [
    text(`Example, ${name}:`),
    jsonOf(body),
    jsonOf(reply),
  ]),
  tableOf(
    ['Outcome', 'What the device does'],
    OUTCOMES.map((row) => [...row]),
  ),
  tableOf(
    ['Refused with', 'Because'],
    REFUSED.map((row) => [...row]),
  ),
  text(
    'A queue for browsers and for Node is ready in `src/client/till/queue`: durable, one tab at a time, with back-off, and it ' +
      'can be carried away as a file. [A till in one file](../examples/offline-till.mjs) uses it, with the rest of the ' +
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
