/** What the fields of events mean together, and what is no event at all (Decisions 13). */
import { HIGHEST_TOTAL } from '../../kernel/money.ts';
import { MAX_LINES, MAX_LINE_QUANTITY } from '../../pricing/domain/cart/limits.ts';
import { heading, tableOf, text, type Block } from './document-blocks.ts';

const PRICES: readonly (readonly [string, string])[] = [
  ['`unit_price` of a line', 'One unit in its size, without add-ons and optionals.'],
  ['`unit_price` of an add-on', 'One of it; of a swap the difference to what it replaces, never below zero.'],
  ['An optional', 'It has no price in events: that of the menu counts.'],
  [
    'A combo',
    'Its price is the sum of the `share` of its picks; `surcharge` and add-ons come on top. `share` and `surcharge` are for all units of the pick in one combo. Give every pick its `share`: where one has none, the price of the combo on the menu counts. `unit_price` of the line is ignored while the menu has the combo.',
  ],
  [
    'A price that is left out, or null',
    'That of the menu when the server records the event, not of `at`. So send every price.',
  ],
  [
    '`total`',
    'It stands. The server works out its own from the lines: with the deals whose windows include `at`, and the rates of the branch when it records the event; a ticket has those of its `ticket_open`. Where that is another, the sale has a `recorded_difference`, in review (`total_differs`).',
  ],
  [
    '`payments`',
    'They stand. Where they do not add up to `total`, the sale is in review (`payments_differ`).',
  ],
];

const TICKETS: readonly (readonly [string, string])[] = [
  [
    'Paid in parts before',
    '`total` is the whole bill, `payments` only what is taken now: the server adds the parts. No event tells of a part-payment.',
  ],
  [
    'Without live lines',
    '`ticket_settle` makes a sale without lines: `total` is 0, and `payments` is empty. `ticket_void` ends the ticket without a sale.',
  ],
  ['Drinks of the staff', 'A ticket has none: `staff_drink` in a `round` is malformed.'],
  [
    'A combo',
    'It is void only whole, with all units of its line. A `line_void` of some of them is not recorded (`not_applied`).',
  ],
];

const DRINKS: readonly (readonly [string, string])[] = [
  [
    '`staff_drink.id`',
    'A UUID that the device makes, another one for each line. It counts once (`drink_recorded`).',
  ],
  ['`staff_drink.note`', 'Text of at most 200 characters, not null. It may be left out.'],
  [
    'Units',
    'Those of the line count towards `staff_drinks_per_day` of the person in `by`; more are in review (`drink_allowance`).',
  ],
  [
    'Price',
    'The line has its prices as any other, and costs nothing: it is in no deal, and no reward pays for it.',
  ],
  ['`subtotal` of the sale', 'All lines at their prices, drinks of the staff too.'],
  ['`staff_drink_discount` of the sale', 'What the drinks of the staff would have cost.'],
  [
    '`total`',
    '`subtotal` less `deal_discount`, `reward_discount` and `staff_drink_discount`, plus the tax where `tax_inclusive` is false. Of drinks of the staff alone it is 0, and `payments` is empty.',
  ],
];

const REFUNDS: readonly (readonly [string, string])[] = [
  ['`lines` or `all`', 'One of the two.'],
  [
    '`lines[].index`',
    'The place in `cart.lines` of the row of the sale. Of a `sale` of the device that is the place in `items`.',
  ],
  [
    'A combo',
    'It goes back only whole, with all units of its line. Of some of them the money alone goes back (`refund_units`).',
  ],
  [
    '`amount`',
    'It stands. The server expects [the share of the units in what was paid](spec/sales.md#refunds); another amount is in review (`refund_differs`).',
  ],
  [
    'The share',
    'The total without the delivery fee is split over the lines by their `line_total`, with [the splitter](pricing.md#rounding--التقريب), then evenly over the units of a line; units that a reward paid for go back last, for nothing. The fee goes back with the last unit.',
  ],
  [
    'More than is left',
    'What the sale has left is booked as refunded, also for units that it has not (`refund_units`). [The rest](#what-a-review-leaves-out-of-the-books) is in no sale (`refund_beyond`).',
  ],
];

const MALFORMED: readonly (readonly [string, string])[] = [
  ['a `kind` that is not below, or an `at` that is no moment with its offset', 'any'],
  ['a field that is missing, of another type or beyond the bounds of its table', 'any'],
  [
    'a field that is not in its table: rows get more fields in time, events take none but these',
    'any (`staff_drink` alone takes others)',
  ],
  [`more than ${MAX_LINES} lines, or a quantity over ${MAX_LINE_QUANTITY}`, '`sale`, `round`'],
  [
    `lines that come to more than ${HIGHEST_TOTAL} piastres, with add-ons, service and tax; of a ticket with its other lines`,
    '`sale`, `round`',
  ],
  ['a `staff_drink` without its own `id`, or with a note that is no text', '`sale`'],
  ['an `item_id` twice, or a `staff_drink`', '`round`'],
  ['both `lines` and `all`, or neither', '`refund`'],
  ['a `reason` of spaces alone', '`till_cash`'],
  [`pieces of notes and coins that come to more than ${HIGHEST_TOTAL} piastres`, '`till_close`'],
  [`payments that come to more than ${HIGHEST_TOTAL} piastres with their tips`, '`sale`, `ticket_settle`'],
];

/** Before the kinds. */
export const ruleBlocks = (): Block[] => [
  heading(3, 'Prices and totals'),
  text(
    'What was sold is never refused for a reason of business: an old price, an item that is gone, a stock below zero, a person ' +
      'without the permission. It is recorded as the device says, and a person looks at it.',
  ),
  tableOf(['Of an event', 'What it means'], PRICES),
  heading(3, 'Tickets'),
  tableOf(['A ticket', 'What holds'], TICKETS),
  heading(3, 'Drinks of the staff'),
  text('A line of a `sale` with `staff_drink` is a drink of the staff; no other kind takes it.'),
  tableOf(['Of such a sale', 'What it is'], DRINKS),
  heading(3, 'Refunds'),
  tableOf(['Of a refund', 'What holds'], REFUNDS),
  heading(3, 'What makes an event malformed'),
  text(
    'Such an event is refused with `INVALID_INPUT`. Sizes are in the tables of the kinds; an int32 goes up to 2147483647.',
  ),
  tableOf(['Malformed is', 'In'], MALFORMED),
];
