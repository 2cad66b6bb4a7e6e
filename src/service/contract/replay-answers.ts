/** What a device does with the answers to its events, for those who write one (Decisions 13). */
import { HIGHEST_TOTAL } from '../../kernel/money.ts';
import { MAX_LINES } from '../../pricing/domain/cart/limits.ts';
import { MAX_EVENTS } from '../../sync/contract/replay.ts';
import { heading, tableOf, text, type Block } from './document-blocks.ts';

const OUTCOMES: readonly (readonly [string, string])[] = [
  ['`applied`', 'Forget it: it is in the books.'],
  ['`already`', 'Forget it: it came before. `vars.outcome` says what became of it.'],
  [
    '`waiting`',
    'Forget it: the server keeps it until what it belongs to comes (`vars.waits_for`), then it is recorded.',
  ],
  [
    '`review`',
    'Forget it: the server keeps it, and a person will look at it. It is in the books, but for the reasons below.',
  ],
  ['`refused`', 'Keep it for a person: it is not in the books. `code` says why.'],
];

const NOT_IN_BOOKS: readonly (readonly [string, string, string])[] = [
  ['any', '`id_taken`, `not_applied`, `parent_missing`', 'Nothing of it.'],
  ['`till_cash`', '`till_unknown`', 'Nothing of it.'],
  ['`till_close`', '`till_unknown`, `till_closed`', 'Nothing of it: the first close of a till counts.'],
  ['`line_void`', '`ticket_ended`', 'Nothing of it.'],
  ['`line_void`', '`line_voided`', 'What the line still had is void, and no more.'],
  ['`ticket_void`', '`ticket_ended`, `paid_in_parts`', 'Nothing of it.'],
  [
    '`refund`',
    '`refund_beyond`',
    'What the sale had left went back. The rest is in cash a `pay_out` of the till, by another method in the review alone.',
  ],
  [
    '`refund`',
    '`refund_of_other`',
    'The sale of the other guests stays as it is. Cash is a `pay_out` of the till, another method is in the review alone.',
  ],
  ['`refund`', '`refund_units`', 'The money went back; units that the sale has not are in no line of it.'],
];

const REFUSED: readonly (readonly [string, string])[] = [
  ['`INVALID_INPUT`', 'It is malformed; `vars.fields` has the fields.'],
  ['`PERSON_UNKNOWN`', '`by` is nobody of the staff of the shop.'],
  ['`EVENT_ID_REUSED`', 'Its id came before with another content.'],
];

const WHOLE: readonly (readonly [string, string])[] = [
  [
    'none, 404, 408, 425, 429, 5xx, or a body that is none of ours (without `code` and `fields`)',
    'Send the same later, with waits that grow up to a minute. `Retry-After` counts where it is there. Nothing is lost: what was recorded is answered with `already`.',
  ],
  [
    '400 whose `fields` name `events[i]`',
    'An event at fault as a whole: its `id` is no UUID, or a text in it has a NUL or half of a surrogate pair. None of the request was recorded. Set that event aside for a person, and send the others.',
  ],
  ['413', 'The request is too large: send half of its events.'],
  [
    '400 that names another field, 401, 403',
    'Nothing gets better by itself: stop, and ask a person to pair or update the device. Go on storing events.',
  ],
];

const BOUNDS =
  `No sale is refused for a rule of the shop. Refused is what no sale can be: more than ${MAX_LINES} lines, a quantity above 999, an ` +
  `amount or a sum above ${HIGHEST_TOTAL} piastres, a method that is not 1 to 40 of \`a\` to \`z\`, \`0\` to \`9\` and \`_\`, and a ` +
  'field that is not in the tables below: events are strict, whereas a device minds no field of a row that it does not know.';

/** Of single events, and of requests. */
export const answerBlocks = (): Block[] => [
  heading(3, 'The outcome of an event'),
  tableOf(
    ['Outcome', 'What the device does'],
    OUTCOMES.map((row) => [...row]),
  ),
  text('In review, and not in the books as the device told it:'),
  tableOf(
    ['Event', 'Reason', 'What is in the books'],
    NOT_IN_BOOKS.map((row) => [...row]),
  ),
  tableOf(
    ['Refused with', 'Because'],
    REFUSED.map((row) => [...row]),
  ),
  text(BOUNDS),
  heading(3, 'The answer to a request'),
  text(
    `At most ${MAX_EVENTS} events and 1 MB (1,000,000 bytes) make a request. Where it is not answered with 200:`,
  ),
  tableOf(
    ['Answer', 'What the device does'],
    WHOLE.map((row) => [...row]),
  ),
];
