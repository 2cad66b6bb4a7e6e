/** How a device goes on without the server, for those who write one (Decisions 13). */
import { FEED_TYPES, type FeedType } from '../../platform/domain/feed.ts';
import { pullChanges } from '../../sync/contract/pull.ts';
import { ROWS } from '../../sync/contract/rows.ts';
import { DEFAULT_ROWS, MAX_ROWS } from '../../sync/domain/cursor.ts';
import { commandOf, heading, jsonOf, markdown, tableOf, text, type Block } from './document-blocks.ts';
import { eventBlocks } from './event-reference.ts';
import { constText, fieldRows } from './fields.ts';
import { linked } from './linked.ts';
import { offlineBlocks } from './offline-reference.ts';
import { replayBlocks } from './replay-reference.ts';
import { isPlain, plain, type Plain } from './shapes.ts';

/** Of rows that a device holds, what they are and when they leave. */
const ABOUT: Readonly<Record<FeedType, string>> = {
  branch_settings:
    'One row, whose id is that of the branch: its taxes, its clock, its kitchen, the loyalty programme.',
  staff: 'Who may work at the branch. A person who is archived, switched off or moved away leaves.',
  category: 'The categories of the menu. One that is archived leaves.',
  addon: 'All add-ons, also those that are offered no more (`is_live`): they may be the default of a swap.',
  modifier_group: 'Groups of add-ons that items name. One that is archived leaves.',
  menu_item:
    'Items (`kind` is `item`) and combos (`kind` is `combo`), for every channel and time. One that is archived leaves. An ' +
    'item has no `sell`: every till sells it.',
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

const STEPS: readonly (readonly [string, string])[] = [
  ['is paired once, and keeps its token', '[The device](#the-device)'],
  ['pulls the rows of its branch, stores them, and follows their changes', '[Pulling](#pulling)'],
  ['sells from its rows', '[Offline](#offline)'],
  [
    'stores what it does as events, and sends them when the line is up',
    '[Telling what it did](#telling-what-it-did), [Events](#events)',
  ],
  ['pulls again when the server has every event', '[Rows while events wait](#rows-while-events-wait)'],
];

const introduction = (): Block[] => [
  heading(1, 'Sync: a device that goes on without the server'),
  text(
    'A till keeps a copy of its branch, so that it can sell while the line is down. This page is what one needs to write ' +
      'such a device; the operations are also in [the staff API](staff-api.md). Amounts are in piastres (100 = 1.00 EGP).',
  ),
  tableOf(['A device', 'Where'], STEPS),
  heading(2, 'The device'),
  text(
    'An owner or manager makes a pairing code (`POST /staff/devices`), and the device trades it once for its token ' +
      '(`POST /staff/devices/pair`). The token is the bearer token of every request on this page, and opens the data of ' +
      'its own branch alone. A device that is revoked, or that was not used for 90 days, gets 401 `DEVICE_REVOKED` from every ' +
      'operation but `POST /sync/replay`.',
  ),
];

// ── Pulling ─────────────────────────────────────────────────────────────────────────────────────

const REPLICA: readonly (readonly [string, string])[] = [
  ['stores `next` in the same transaction as the rows', 'A crash between the two would lose changes.'],
  ['puts the row of an `upsert` in the place of the one with its type and id', 'A row is always sent whole.'],
  ['removes the row of a `delete`, and minds none that it never had', 'A row may leave before it was seen.'],
  ['takes the same change twice', 'After a lost answer it asks from the same number again.'],
  [
    'begins anew where `resync_required` is true: it drops its copy and pulls without `since` and `cursor`',
    'Changes are kept for 30 days, and after a restore every device begins anew.',
  ],
  [
    'minds no field, type or value of a row that it does not know',
    'Rows get more fields in time, and none is taken away. Events are strict: [an unknown field is refused](#what-makes-an-event-malformed).',
  ],
  ['sends the same `types` with every page, or none for all', 'A cursor stands within a type.'],
  [
    'begins anew to hold more `types` than before',
    '`since` brings what has changed, never rows that were there already.',
  ],
  [
    'pulls while [none of its events waits](#rows-while-events-wait)',
    'Rows of before an event would undo on the screen what was just sold.',
  ],
];

const PULL_ANSWERS: readonly (readonly [string, string])[] = [
  [
    '400 with the field `cursor` (`is no cursor of a pull`)',
    'The cursor was cut or changed, or its type is not among `types`: drop it, and begin anew (`BranchCopy.beginAnew`).',
  ],
  ['401', 'The token is no more: sell on with the rows, and have the device paired again.'],
  ['403 `ORG_SUSPENDED`', 'The shop is switched off.'],
  ['404 `DEVICE_OF_OTHER_BRANCH`', '`branch_id` is not the branch of the device.'],
  ['429, 503', 'Pull again after `Retry-After`, in seconds.'],
];

const pulling = (): Block[] => [
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
  tableOf(['A device', 'Why'], REPLICA),
  text(
    `A page has at most \`limit\` rows, from 1 to ${MAX_ROWS} and ${DEFAULT_ROWS} when left out. \`next\` only rises: a device that has ` +
      'seen a number is never told of a change below it. Numbers are those of the shop, so a branch sees gaps.',
  ),
  ...Object.entries(pullChanges.examples).flatMap(([name, { body, reply }]) => [
    text(`Example, ${name}:`),
    jsonOf(body),
    jsonOf(reply),
  ]),
  tableOf(['A pull is answered with', 'What it means'], PULL_ANSWERS),
];

// ── Rows ────────────────────────────────────────────────────────────────────────────────────────

/** The shapes of a type: one, or those of a union. */
const membersOf = (schema: Plain): readonly Plain[] =>
  Array.isArray(schema['anyOf']) ? schema['anyOf'].map(plain) : [schema];

/** What a row of this shape is known by, such as `kind` is `combo`; one of a single shape by nothing. */
const shapeBlock = ({ properties }: Plain): Block[] => {
  const words = Object.entries(isPlain(properties) ? properties : {}).flatMap(([name, of]) =>
    isPlain(of) && of['const'] !== undefined ? [`\`${name}\` is \`${constText(of['const'])}\``] : [],
  );
  return words.length === 0 ? [] : [text(`Where ${words.join(' and ')}:`)];
};

const typeBlocks = (type: FeedType): Block[] => [
  heading(3, type),
  text(ABOUT[type]),
  ...membersOf(plain(ROWS[type])).flatMap((member) => [
    ...shapeBlock(member),
    tableOf(['Field', 'Type', 'Always', ''], fieldRows(member).map(linked)),
  ]),
];

/** How a device is written; with `eventBlocks` and `rowBlocks` all of `docs/sync.md`. */
export const syncBlocks = (): Block[] => [
  ...introduction(),
  ...pulling(),
  ...offlineBlocks(),
  ...replayBlocks(),
];

export const rowBlocks = (): Block[] => [
  heading(2, 'Rows'),
  text(`The types: ${FEED_TYPES.map((type) => `\`${type}\``).join(', ')}.`),
  ...FEED_TYPES.flatMap(typeBlocks),
];

/** `docs/sync.md`. */
export const syncReference = (): string => markdown([...syncBlocks(), ...eventBlocks(), ...rowBlocks()]);
