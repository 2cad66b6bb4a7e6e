/** Channel modes and sold-out items of a branch (Decisions 12). */
import Type from 'typebox';
import { ONLINE_CHANNELS } from '../../shops/domain/shop.ts';
import { endpoint, restricted } from '../../platform/contract/endpoint.ts';
import {
  DateTime,
  Flag,
  Int32,
  optionalNullable,
  MomentInput,
  nullable,
  Text,
  TranslationsMap,
  uuidScalar,
  UuidText,
  Word,
  wordScalar,
} from '../../platform/contract/scalars.ts';

const strict = { additionalProperties: false } as const;
const common = { tag: 'Sale', query: {}, cache: 'no-store', limit: 'staff' } as const;
const branch = { scalar: uuidScalar, description: "The branch's id." };
const MODES = ['auto', 'open', 'closed'] as const;

const until = (description: string) => optionalNullable(MomentInput(description));

const BRANCH = '9f6e1f5b-6a2b-5f2a-8a53-2f6d3c9b7e11';
const ITEM = '5d9e3f21-7a4b-5c6d-9e8f-0a1b2c3d4e05';

export const setChannelMode = restricted(
  { by: 'staff', permission: 'channels.pause' },
  endpoint({
    ...common,
    id: 'setChannelMode',
    method: 'PUT',
    path: '/staff/branches/{id}/channels/{channel}',
    summary: 'Pauses a channel, forces it open, or leaves it to its hours',
    params: { id: branch, channel: { scalar: wordScalar(ONLINE_CHANNELS), description: 'The channel.' } },
    body: Type.Object(
      {
        mode: Word(MODES, { description: '`auto`: by its hours.' }),
        until: until('When it is left to its hours again; null or left out: not by itself.'),
      },
      strict,
    ),
    reply: Type.Object({
      branch_id: UuidText(),
      channel: Word(ONLINE_CHANNELS),
      mode: Word(MODES),
      until: nullable(DateTime()),
      open_now: Flag(),
    }),
    refusals: ['NOT_FOUND', 'CHANNEL_NOT_OFFERED'],
    examples: {
      'half an hour of peace': {
        body: { mode: 'closed', until: '2026-12-04T17:30:00Z' },
        reply: {
          ...{ branch_id: BRANCH, channel: 'pickup', mode: 'closed' },
          ...{ until: '2026-12-04T17:30:00.000Z', open_now: false },
        },
      },
    },
  }),
);

export const setAvailability = restricted(
  { by: 'staff', permission: 'items.snooze' },
  endpoint({
    ...common,
    id: 'setAvailability',
    method: 'PUT',
    path: '/staff/branches/{id}/items/{item_id}/availability',
    summary: 'Says that an item, combo or add-on is sold out at a branch, or there again',
    description: 'Counted units stay as they are.',
    params: {
      id: branch,
      item_id: { scalar: uuidScalar, description: "The item's, combo's or add-on's id." },
    },
    body: Type.Object(
      {
        available: Flag(),
        until: until('With `available: false`: when it is back; null or left out: not by itself.'),
      },
      strict,
    ),
    reply: Type.Object({
      branch_id: UuidText(),
      item_id: UuidText(),
      available: Flag(),
      until: nullable(DateTime()),
    }),
    refusals: ['NOT_FOUND', 'ITEM_NOT_FOUND'],
    examples: {
      'out of croissants': {
        body: { available: false, until: '2026-12-05T05:00:00Z' },
        reply: { branch_id: BRANCH, item_id: ITEM, available: false, until: '2026-12-05T05:00:00.000Z' },
      },
    },
  }),
);

const counted = (description: string) => nullable(Int32({ description }));

/** An item, combo or add-on that is sold out, switched off or counted. */
export const LimitedItem = Type.Object({
  item_id: UuidText(),
  kind: Word(['item', 'combo', 'addon']),
  name: Text(),
  name_translations: TranslationsMap,
  available: Flag(),
  until: nullable(DateTime({ description: 'When it is back by itself; null: available, or not by itself.' })),
  stock: counted('Units left, below zero where devices sold more; null: not counted.'),
});

export const getBranchSale = restricted(
  { by: 'staff', permission: null },
  endpoint({
    ...common,
    id: 'getBranchSale',
    method: 'GET',
    path: '/staff/branches/{id}/sale',
    summary: 'Pauses of the channels of a branch, what is sold out there, and what is counted',
    params: { id: branch },
    reply: Type.Object({
      branch_id: UuidText(),
      channels: Type.Array(
        Type.Object({
          channel: Word(ONLINE_CHANNELS),
          mode: Word(MODES, { description: '`auto`: by its hours.' }),
          until: nullable(DateTime()),
          open_now: Flag(),
          opens_at: nullable(
            DateTime({ description: 'When a closed channel opens next, where that is known.' }),
          ),
        }),
        { description: 'Those that the branch offers.' },
      ),
      items: Type.Array(LimitedItem, {
        description:
          'By name; all others are not counted, and available unless they are switched off on a single channel.',
      }),
    }),
    refusals: ['NOT_FOUND'],
    examples: {
      'out of croissants': {
        reply: {
          branch_id: BRANCH,
          channels: [{ channel: 'pickup', mode: 'auto', until: null, open_now: true, opens_at: null }],
          items: [
            {
              ...{ item_id: ITEM, kind: 'item', name: 'كرواسون', name_translations: { en: 'Croissant' } },
              ...{ available: false, until: null, stock: 0 },
            },
          ],
        },
      },
    },
  }),
);

export const setStock = restricted(
  { by: 'staff', permission: 'items.snooze' },
  endpoint({
    ...common,
    id: 'setStock',
    method: 'PUT',
    path: '/staff/branches/{id}/items/{item_id}/stock',
    summary: 'Counts the units of an item, combo or add-on that a branch has, or counts them no more',
    params: {
      id: branch,
      item_id: { scalar: uuidScalar, description: "The item's, combo's or add-on's id." },
    },
    body: Type.Object(
      {
        stock: nullable(Int32({ minimum: 0, maximum: 1_000_000, description: 'Null: it is not counted.' })),
      },
      strict,
    ),
    reply: Type.Object({
      branch_id: UuidText(),
      item_id: UuidText(),
      stock: counted('Units left; null: not counted.'),
      available: Flag({ description: 'A counted item may be switched off or snoozed, too.' }),
      until: nullable(DateTime()),
    }),
    refusals: ['NOT_FOUND', 'ITEM_NOT_FOUND'],
    examples: {
      'a tray of twelve': {
        body: { stock: 12 },
        reply: { branch_id: BRANCH, item_id: ITEM, stock: 12, available: true, until: null },
      },
    },
  }),
);
