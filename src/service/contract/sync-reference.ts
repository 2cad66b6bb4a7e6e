/** How a device goes on without the server, for those who write one (Decisions 13). */
import { FEED_TYPES, type FeedType } from '../../platform/domain/feed.ts';
import { pullChanges } from '../../sync/contract/pull.ts';
import { ROWS } from '../../sync/contract/rows.ts';
import { DEFAULT_ROWS, MAX_ROWS } from '../../sync/domain/cursor.ts';
import { commandOf, heading, jsonOf, markdown, tableOf, text, type Block } from './document-blocks.ts';
import { fieldRows } from './fields.ts';
import { linked } from './linked.ts';
import { replayBlocks } from './replay-reference.ts';
import { plain, type Plain } from './shapes.ts';

/** Of rows that a device holds, what they are and when they leave. */
const ABOUT: Readonly<Record<FeedType, string>> = {
  branch_settings:
    'One row, whose id is that of the branch: its taxes, its clock, its kitchen, the loyalty programme.',
  staff: 'Who may work at the branch. A person who is archived, switched off or moved away leaves.',
  category: 'The categories of the menu. One that is archived leaves.',
  addon: 'All add-ons, also those that are offered no more (`is_live`): they may be the default of a swap.',
  modifier_group: 'Groups of add-ons that items name. One that is archived leaves.',
  menu_item:
    'Items and combos, for every channel and time. One that is archived leaves. `slots` and `sell` are of a combo, which tills sell with `sell.pos`; sizes, ' +
    'optionals, add-ons, groups and `meal` are of an item, which is sold at tills wherever it is live.',
  deal: 'Deals. `is_active` is what counts at this branch; a till applies those with `sell.pos`.',
  discount: 'Discounts that the branch offers somewhere. Staff give those whose `on` has `till`.',
  table: 'Dining tables. Who has one now is in the open tickets.',
  customer: 'Who ordered at the branch, or bought with a card, within 90 days; then the row leaves.',
  till: 'Tills while they are open, and for two days after their close, then with the figures of the Z report.',
  booking: 'Bookings whose guests are expected or seated, until a day after their end.',
  open_ticket: 'Open tickets with what they come to now. One that is settled or void leaves.',
  kitchen_ticket: 'What the kitchen has to make. It leaves when it is made, and a day after it was fired.',
  delivery: 'Online orders that have not ended. One that is delivered, cancelled or rejected leaves.',
  sale: 'Sales of the last two days, and those of tills that are open.',
};

const introduction = (): Block[] => [
  heading(1, 'Sync: a device that goes on without the server'),
  text(
    'A till keeps a copy of its branch, so that it can sell while the line is down. This page is what one needs to write ' +
      'such a device; the operations are also in [the staff API](staff-api.md).',
  ),
  heading(2, 'The device'),
  text(
    'An owner or manager makes a pairing code (`POST /staff/devices`), and the device trades it once for its token ' +
      '(`POST /staff/devices/pair`). The token is the bearer token of every request on this page, and opens the data of ' +
      'its own branch alone. A device that is revoked, or that was not used for 90 days, gets 401 from every ' +
      'operation but `POST /sync/replay`.',
  ),
  heading(2, 'Pulling'),
  commandOf(
    [
      'curl "$BASE_URL/sync/pull" -H "Authorization: Bearer $DEVICE_TOKEN" -H "Content-Type: application/json" \\',
      '  -d \'{"branch_id": "5b0c7a52-6d5e-5a3b-9a41-0b6d9d0f1c22"}\'',
    ].join('\n'),
  ),
  text(
    'First the whole state: pull without `since`, and go on with the `cursor` of each answer until one has none. Then the ' +
      'changes: pull with `since`, which is the `next` of the answer before, at once while `has_more` is true, and from ' +
      'then on every few seconds. What is written while the pages are read comes with the changes: nothing is missed.',
  ),
  tableOf(
    ['A device', 'Why'],
    [
      ['stores `next` in the same transaction as the rows', 'A crash between the two would lose changes.'],
      [
        'puts the row of an `upsert` in the place of the one with its type and id',
        'A row is always sent whole.',
      ],
      [
        'removes the row of a `delete`, and minds none that it never had',
        'A row may leave before it was seen.',
      ],
      ['takes the same change twice', 'After a lost answer it asks from the same number again.'],
      [
        'begins anew where `resync_required` is true: it drops its copy and pulls without `since` and `cursor`',
        'Changes are kept for 30 days, and a restored database may not have come as far as the device.',
      ],
      ['minds no field, type or value of a row that it does not know', 'Fields are added, never taken away.'],
      ['sends the same `types` with every page, or none for all', 'A cursor stands within a type.'],
      [
        'begins anew where it wants more `types`, and where its `cursor` is refused (400, `is no cursor of a pull`)',
        'The changes after `since` do not bring rows that were there before.',
      ],
    ],
  ),
  text(
    `A page has at most \`limit\` rows, from 1 to ${MAX_ROWS} and ${DEFAULT_ROWS} when left out. \`next\` only rises: a device that has ` +
      'seen a number is never told of a change below it. Numbers are those of the shop, so a branch sees gaps.',
  ),
  ...Object.entries(pullChanges.examples).flatMap(([name, { body, reply }]) => [
    text(`Example, ${name}:`),
    jsonOf(body),
    jsonOf(reply),
  ]),
];

const offline = (): Block[] => [
  heading(2, 'Offline'),
  text(
    'A person signs in offline with the PIN verifier of their `staff` row. Prices follow from the rows of the menu as on ' +
      'the server ([pricing.md](pricing.md)): of the `prices` that apply, the price of branch and channel counts, else that of the channel, else ' +
      'that of the branch, else the catalogue’s; a till has no channel. An item is sold where it is live, no entry of ' +
      '`availability` that applies (without a channel, or of `dine_in`) says otherwise, and one of its `windows` is open, or it has none for the branch. A window ' +
      'past midnight is of the day on which it begins, and its end is no more in it.',
  ),
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
  text(
    'A device does not know the current balance of a card. It gives a reward only against a voucher, which the guest’s phone ' +
      'shows (`GET /public/loyalty/card/{member_token}/voucher`): a compact JWS (ES256), whose `kid` names a key of ' +
      '`loyalty.voucher_keys` in `branch_settings`. It is good where its signature is right, `iss` is the shop, `mode` that of ' +
      'the programme, and `exp` not reached by the server’s clock: that of the device with its difference to `server_time`. ' +
      '`sub` is the card, to be told as `member_id`, and `limit` what its rewards may cost (points or visits, by `mode`), less ' +
      'what the device has spent on vouchers of the same `jti`; `iat` and `exp` are in seconds. The event of the sale has the text as `voucher`. `readVoucher` of ' +
      '`src/client/till/voucher.ts` verifies one, `VoucherUses` of `src/client/till/voucher-uses.ts` counts, and `TillQuotes` ' +
      'prices carts with rewards against it.',
  ),
  text(
    'Rows name other rows by their ids: people, tables and stations have rows of their own. Phones are there by their ' +
      'last four digits alone. What devices must not know is in no row: no password, no e-mail address of a person, no ' +
      'cost, no data of another branch.',
  ),
];

/** The members of a union, such as items and combos. */
const membersOf = (schema: Plain): readonly Plain[] =>
  Array.isArray(schema['anyOf']) ? schema['anyOf'].map(plain) : [schema];

/** The fields of all members, each once: always there is what every member has. Of a field within another, as its member says. */
const rowsOf = (schema: Plain): string[][] => {
  const members = membersOf(schema).map((member) => fieldRows(member));
  const typesOf = (path: string): string =>
    [...new Set(members.flat().flatMap(([one, type = '']) => (one === path ? [type] : [])))].join(' or ');
  const isEverywhere = (path: string): boolean =>
    members.every((own) => own.some(([one, , always]) => one === path && always === 'yes'));
  const rows = members.flat().map(([path = '', , always = '', words = '']) => {
    const isAlways = path.includes('.') ? always : isEverywhere(path) ? 'yes' : 'no';
    return [path, typesOf(path), isAlways, words];
  });
  return [...new Map(rows.map((row) => [row[0], row])).values()];
};

const typeBlocks = (type: FeedType): Block[] => [
  heading(3, type),
  text(ABOUT[type]),
  tableOf(['Field', 'Type', 'Always', ''], rowsOf(plain(ROWS[type])).map(linked)),
];

/** `docs/sync.md`. */
export const syncReference = (): string =>
  markdown([
    ...introduction(),
    ...offline(),
    ...replayBlocks(),
    heading(2, 'Rows'),
    ...FEED_TYPES.flatMap(typeBlocks),
  ]);
