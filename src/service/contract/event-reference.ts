/** The kinds of events of devices, and what a person looks at of them (Decisions 13). */
import { REVIEW_CODES, reasonTemplate } from '../../platform/domain/review.ts';
import { EVENT_EXAMPLES } from '../../sync/contract/event-examples.ts';
import { EVENT_DATA, EVENT_FACTS, EVENT_KINDS, type EventKind } from '../../sync/contract/event-kinds.ts';
import { heading, jsonOf, tableOf, text, type Block } from './document-blocks.ts';
import { ruleBlocks } from './event-rules.ts';
import { fieldRows } from './fields.ts';
import { linked } from './linked.ts';
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

/** Reason, kinds, and what became of the event. */
const LEFT_OUT: readonly (readonly [string, string, string])[] = [
  ['`id_taken`', 'all', 'It is not in the books.'],
  ['`not_applied`, `parent_missing`', 'all', 'It is not in the books; the server keeps its data.'],
  [
    '`till_unknown`',
    '`till_cash`, `till_close`',
    'It is not in the books. Money of other kinds is, in no till.',
  ],
  ['`till_closed`', '`till_close`', 'It is not in the books: the first close stands.'],
  ['`ticket_ended`', '`line_void`, `ticket_void`', 'Nothing is void.'],
  ['`ticket_ended`', '`round`', 'The round has a bill of its own, which is open.'],
  ['`ticket_ended`', '`ticket_settle`', 'The money is a sale without lines.'],
  ['`paid_in_parts`', '`ticket_void`', 'The ticket is not void.'],
  ['`line_voided`', '`line_void`', 'What the line still had is void: less than the event says, or nothing.'],
  [
    '`refund_units`',
    '`refund`',
    'The money is refunded of the sale. What is for units that it had no more, or for a part of a combo, is in no line.',
  ],
  [
    '`refund_of_other`',
    '`refund`',
    'The sale that has the money among others’ stays as it is. Cash is a `pay_out` of the till; another method is in the review alone.',
  ],
  [
    '`refund_beyond`',
    '`refund`',
    'What the sale had left is refunded. The rest is, in cash, a `pay_out` of the till: the device sees a movement that it did not tell. By another method it is in the review alone.',
  ],
  [
    '`bill_merged`',
    '`ticket_settle`',
    'The money is a part-payment of the other bill, and there is no sale.',
  ],
  [
    '`settled_twice`',
    '`ticket_settle`',
    'The money is on the first sale of the ticket (`beyond`), and there is no second one.',
  ],
];

const reviewBlocks = (): Block[] => [
  heading(2, 'Reviews'),
  text(
    'Owners and managers see them with `GET /staff/reviews`, and close them with a note. An event that waits is among them.',
  ),
  heading(3, 'What a review leaves out of the books'),
  text('An event in review is in the books as the device told it, but for these reasons:'),
  tableOf(['Reason', 'Of', 'What became of it'], LEFT_OUT),
  heading(3, 'All reasons'),
  tableOf(
    ['Code', 'Words'],
    REVIEW_CODES.map((code) => [`\`${code}\``, reasonTemplate(code)]),
  ),
];

/** Every kind, and the reasons of reviews. */
export const eventBlocks = (): Block[] => [
  heading(2, 'Events'),
  text(
    'Each has `id` (a UUID that the device makes), `kind`, `at` (a moment with its offset), `by` (the id of a person) and ' +
      '`data`. The examples are events of one evening, which belong together; the ticket that ends in `ticket_void` is another ' +
      'one. The kinds: ' +
      `${EVENT_KINDS.map((kind) => `\`${kind}\``).join(', ')}.`,
  ),
  ...ruleBlocks(),
  ...EVENT_KINDS.flatMap(kindBlocks),
  ...reviewBlocks(),
];
