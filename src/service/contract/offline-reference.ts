/** What a device sells without the server, for how much, and for which rewards (Decisions 13). */
import { VOUCHER_LENGTH, VOUCHER_MINUTES } from '../../loyalty/domain/voucher.ts';
import { heading, tableOf, text, type Block } from './document-blocks.ts';

const AT_A_TILL: readonly (readonly [string, string])[] = [
  [
    '`prices`',
    'A till has no channel: of the prices without `channel`, that of the branch counts, else the catalogue’s (`branch_id` is null). An item, a size or a combo without one is not sold.',
  ],
  [
    '`availability`',
    'A till counts as the channel `dine_in`. An entry applies where its `branch_id` is null or the branch, and its `channel` null or `dine_in`. An item is not sold where one entry that applies has `is_on` false, `out_of_stock` true, or `sold_out` true and a `back_at` that is null or has not come.',
  ],
  [
    '`windows`',
    'By the clock of the branch (`timezone`); windows of another `branch_id` do not count, and without a window the item is always sold. A window includes `starts_at` and excludes `ends_at`; null is midnight. Where the end is not after the start, it is on the next day, and the window belongs to the day on which it starts: `weekdays`, `valid_from` and `valid_to` are of that day.',
  ],
  [
    '`sell`',
    'Combos and deals count at tills where `sell.pos` is true. An item has no `sell`: every till sells it.',
  ],
  [
    'Combos',
    'A combo is sold where every slot with a `min` above 0 has a choice that is sold, in its included size.',
  ],
  [
    'Service',
    'A ticket at a table has the `service_charge_rate` of the branch. A sale over the counter and a ticket without a table have none.',
  ],
  [
    'Discounts',
    'Staff give them on tickets (`discount_id` of `ticket_settle`). A sale over the counter has none.',
  ],
  ['Opening hours', 'They are for guests who order by themselves. A till sells at any hour.'],
];

const CLAIMS: readonly (readonly [string, string, string])[] = [
  ['`jti`', 'uuid', 'The voucher. All vouchers of one card within half an hour have the same.'],
  ['`iss`', 'uuid', 'The shop: `org_id` of `branch_settings`.'],
  ['`sub`', 'uuid', 'The card. The event of the sale has it as `member_id`.'],
  ['`mode`', '`points`, `visits`', 'It is good while this is the `loyalty.mode` of the shop.'],
  [
    '`limit`',
    'integer, at least 1',
    'Points or visits that its rewards may cost, less what the device has spent on vouchers of the same `jti`.',
  ],
  ['`iat`', 'integer', 'When it was given, in seconds since 1970.'],
  [
    '`exp`',
    'integer',
    `When it ends, in seconds since 1970: ${VOUCHER_MINUTES} minutes later. From then on it is good for nothing.`,
  ],
];

const prices = (): Block[] => [
  heading(3, 'What is sold, and for how much'),
  text(
    '[How a price is made](pricing.md) has every step with sums: lines, combos, deals, tax, rounding. A till takes the ' +
      'prices that a table has there. It differs from other places in this:',
  ),
  tableOf(['Of a till', 'Rule'], AT_A_TILL),
  text(
    'A device in TypeScript has these rules ready: `TillQuotes` of `src/client/till/quote.ts` takes the rows of ' +
      '`branch_settings`, `category`, `addon`, `modifier_group`, `menu_item` and `deal`, and prices carts with the best ' +
      'deals, by the same code as the server. Bundled for a browser it weighs less than 60 KB, compressed.',
  ),
  text(
    'It need not keep the rows by itself: `BranchCopy` of `src/client/till/branch-copy.ts` says what to pull next and takes ' +
      'the answers, `createDeviceClient` of `src/client/till/device-client.ts` sends the requests, and `saved()` is the ' +
      'copy as one text for any storage. While a whole state is read again, the rows of before stand.',
  ),
];

const rewards = (): Block[] => [
  heading(3, 'Rewards'),
  text(
    'A device does not know the current balance of a card. It gives a reward only against a voucher, which the guest’s phone ' +
      'shows (`GET /public/loyalty/card/{member_token}/voucher`): a compact JWS (ES256) of at most ' +
      `${VOUCHER_LENGTH} characters, whose \`kid\` names a key of \`loyalty.voucher_keys\` in \`branch_settings\`. Its payload:`,
  ),
  tableOf(['Field', 'Type', ''], CLAIMS),
  text(
    'A voucher is good where its signature is right, `iss` and `mode` are those of the shop, and `exp` is not reached by the ' +
      'server’s clock: that of the device with its difference to the last `server_time`. The event of the sale has the text ' +
      'as `voucher`. `readVoucher` of `src/client/till/voucher.ts` verifies one, `VoucherUses` of ' +
      '`src/client/till/voucher-uses.ts` counts, and `TillQuotes` prices carts with rewards against it.',
  ),
];

export const offlineBlocks = (): Block[] => [
  heading(2, 'Offline'),
  text(
    'A person signs in offline with the PIN verifier of their `staff` row. Rows name other rows by their ids: people, tables ' +
      'and stations have rows of their own. Phones are there by their last four digits alone. What devices must not know is ' +
      'in no row: no password, no e-mail address of a person, no cost, no data of another branch.',
  ),
  ...prices(),
  ...rewards(),
];
