/** What a device does with the answers to its events, and to a request of them as a whole (Decisions 13). */
import { EVENTS_BODY_LIMIT } from '../../platform/contract/body-limits.ts';
import { MAX_EVENTS } from '../../sync/contract/replay.ts';
import { heading, tableOf, text, type Block } from './document-blocks.ts';

const OUTCOMES: readonly (readonly [string, string])[] = [
  ['`applied`', 'Forget it: it is in the books.'],
  [
    '`already`',
    'Forget it: it came before. `vars.outcome` says what became of it; `applied` where it came under another event id.',
  ],
  [
    '`waiting`',
    'Forget it: the server keeps it until what it belongs to comes (`vars.waits_for`), then it is recorded. Money that waits a day for its till is recorded without it (`till_missing`).',
  ],
  [
    '`review`',
    'Forget it: the server keeps it, and a person will look at it. `code` is the first reason, `vars.reasons` has all. It is in the books, but for [these reasons](#what-a-review-leaves-out-of-the-books).',
  ],
  [
    '`refused`',
    'Keep it for a person: it is not in the books, and the server has not kept it. `code` says why.',
  ],
];

const REFUSED: readonly (readonly [string, string])[] = [
  [
    '`INVALID_INPUT`',
    '[It is malformed](#what-makes-an-event-malformed); `vars.fields` has the fields, each with its `problem` and the same in Arabic (`arabic`). Once it is mended, it may be sent under the same id.',
  ],
  ['`PERSON_UNKNOWN`', '`by` is nobody of the staff of the shop.'],
  ['`EVENT_ID_REUSED`', 'Its id came before with [another content](#the-same-event-again).'],
];

const WHOLE: readonly (readonly [string, string, string])[] = [
  [
    'No answer within a minute; any answer but 413 without `code` and `fields`, such as the page of a proxy; 200 that names none of the events',
    'yes',
    'The line is at fault, or the address.',
  ],
  [
    '408, 425, 429, 500 and above',
    'yes',
    'Wait at least as long as `Retry-After` says: 429 and 503 have it, in seconds.',
  ],
  [
    '413',
    'smaller',
    `The body has more than ${EVENTS_BODY_LIMIT} bytes. An event that is too large by itself is set aside for a person.`,
  ],
  [
    '400, and `fields` begins with `events`',
    'smaller',
    `More than ${MAX_EVENTS} events (\`events\`), or one of which nothing can be read (\`events[7].data.note\`): set that one aside for a person, and send the others.`,
  ],
  [
    '400, and `fields` begins with `body`',
    'smaller',
    'The request has too many values, or is no JSON. Where a single event is answered so: stop, until the program is mended.',
  ],
  [
    '400, and `fields` begins with another path',
    'no',
    '`branch_id` or `device_time` is wrong: every event would be refused for it. Stop, until the program is mended.',
  ],
  [
    '401',
    'no',
    'The token is wrong, or ended more than 30 days ago. Stop, until the device is paired again.',
  ],
  ['403', 'no', 'The server does not answer so; something between it and the device does. Stop.'],
  [
    '404 `DEVICE_OF_OTHER_BRANCH`',
    'no',
    '`branch_id` is not the branch of the device. Stop, until a person has decided: events of the branch before are sent by a device of that branch.',
  ],
  ['another status from 404 to 499', 'no', 'The request is wrong in another way. Stop.'],
];

const SAME_AGAIN: readonly (readonly [string, string])[] = [
  [
    '`kind`, `by`, `data`',
    'As JSON values: the order of fields and spaces do not count, nor whether an id is in upper case.',
  ],
  ['`at`', 'As text: `17:05:00Z` and `17:05:00.000Z` differ.'],
  ['A field that is null, and one that is left out', 'They differ.'],
  ['`branch_id`, `device_time`', 'They are of the request, and do not count.'],
];

const wholeBlocks = (): Block[] => [
  heading(3, 'Answers to the whole request'),
  text(
    'Any answer but 200 is about the request, and every event stays stored. Each event is recorded by itself: those that were ' +
      'recorded before the request failed are `already` when they come again.',
  ),
  tableOf(['Answer', 'Send again', 'What it means'], WHOLE),
  text(
    'Waits between tries: a second, then twice as long each time, up to a minute; chance takes off up to half of each, so that ' +
      'the tills of a branch do not return together. After an outcome they begin anew. A longer `Retry-After` counts, up to ' +
      'a quarter of an hour.',
  ),
  text(
    'Smaller: send the first half of the events, then the other half, and so on, until one event stands alone. That finds every ' +
      'event at fault, also where `fields` does not name it: of a request with more than 2,000 values it has the first fault, and ' +
      'then one with the path `body`, which says so.',
  ),
  text(
    'The whole request is refused for an `id` that is no UUID, text with a NUL character or half of a surrogate pair, more than ' +
      '32 levels, and a field `__proto__`: look for these before an event is stored. Every other fault is of one event, which is ' +
      '`refused`. A request has at most 40,000 values, and its objects at most 512 different lists of fields: write the ' +
      'fields of a kind in one order. Beyond that the answer is 400 with `body`: send fewer events at once.',
  ),
];

const sameBlocks = (): Block[] => [
  heading(3, 'The same event again'),
  text(
    'Store the text of an event, and send that text each time: then it is the same event. A known id with another content is ' +
      'refused (`EVENT_ID_REUSED`). What counts:',
  ),
  tableOf(['Of the content', 'How it is compared'], SAME_AGAIN),
  text(
    'What an event makes has an id too, such as `sale_id`. Under another event it counts once: the same sale is `already`, ' +
      'another one is in review (`id_taken`), and not in the books. The same has the same `kind`, `by` and `data`, whatever its `at`.',
  ),
  text(
    'Sales, tickets and online orders share one space of ids: a ticket that is settled at the server, and an order that is ' +
      'delivered, is a sale of its id. A `sale_id` that is the id of an order or of another ticket, and a `ticket_id` that is ' +
      'the id of a sale or an order, is `id_taken`: an order is delivered at the server, not sold by a device.',
  ),
];

/** After the example of a request. */
export const answerBlocks = (): Block[] => [
  heading(3, 'What became of each event'),
  text('`results` has the events in their order.'),
  tableOf(['Outcome', 'What the device does'], OUTCOMES),
  tableOf(['Refused with', 'Because'], REFUSED),
  ...wholeBlocks(),
  ...sameBlocks(),
];
