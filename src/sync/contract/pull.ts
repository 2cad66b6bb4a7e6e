/** What a branch's devices hold to go on without the server (Decisions 13). */
import Type, { type Static } from 'typebox';
import { endpoint, restricted } from '../../platform/contract/endpoint.ts';
import {
  DateTime,
  Flag,
  IdInput,
  optionalNullable,
  Text,
  UuidText,
  Word,
} from '../../platform/contract/scalars.ts';
import { FEED_TYPES } from '../../platform/domain/feed.ts';
import { DEFAULT_ROWS, MAX_ROWS } from '../domain/cursor.ts';

const strict = { additionalProperties: false } as const;

/** A number of the change log. */
const Sequence = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, format: 'int64', description });

const Change = Type.Object({
  seq: Sequence('Of the change, which everything before it precedes; in a snapshot that of its begin.'),
  type: Word(FEED_TYPES),
  id: UuidText(),
  op: Word(['upsert', 'delete']),
  data: Type.Unsafe<Record<string, unknown> | null>({
    anyOf: [{ type: 'object' }, { type: 'null' }],
    description: 'The whole row as it is now; null: the device holds it no more.',
  }),
});

const Pulled = Type.Object({
  full: Flag({ description: 'A page of the whole state; false: changes.' }),
  resync_required: Type.Optional(
    Flag({ description: '`since` or `cursor` is too old, or of another history: pull without them.' }),
  ),
  next: Sequence('The `since` of the pull after this one, or after the last page.'),
  has_more: Flag({ description: 'More is there now: pull again at once.' }),
  cursor: Type.Optional(Text({ description: 'Of the next page of the whole state, until the last one.' })),
  server_time: DateTime(),
  changes: Type.Array(Change),
});

const BRANCH = '5b0c7a52-6d5e-5a3b-9a41-0b6d9d0f1c22';
const TABLE = '9e8d7c6b-5a49-5838-8271-605f4e3d2c04';
const SERVER_TIME = '2026-12-04T17:40:00.000Z';

const changed: Static<typeof Pulled> = {
  ...{ full: false, next: 4_182, has_more: false, server_time: SERVER_TIME },
  changes: [
    {
      ...{ seq: 4_181, type: 'table', id: TABLE, op: 'upsert' },
      data: { id: TABLE, label: '7', section: 'inside', seats_min: 1, seats_max: 4, bookable: true },
    },
    { seq: 4_182, type: 'open_ticket', id: '2f1e0d9c-8b7a-4695-a4b3-c2d1e0f9a816', op: 'delete', data: null },
  ],
};

export const pullChanges = restricted(
  { by: 'device' },
  endpoint({
    ...{
      id: 'pullChanges',
      method: 'POST',
      path: '/sync/pull',
      tag: 'Sync',
      cache: 'no-store',
      limit: 'staff',
    },
    summary: 'The state of a branch, or what has changed since',
    description:
      'Without `since`: the whole state in pages, each with the `cursor` of the one before. After the last page, and from ' +
      'then on, `since` is `next`. A row is sent whole, as it is now, and may be sent again. `docs/sync.md` has the rows.',
    params: {},
    query: {},
    body: Type.Object(
      {
        branch_id: IdInput('The branch of the device.'),
        since: Type.Optional(Sequence('`next` of the pull before; left out: the whole state.')),
        types: Type.Optional(
          Type.Array(Word(FEED_TYPES), {
            ...{ minItems: 1, maxItems: FEED_TYPES.length, uniqueItems: true },
            description: 'Only these; all when left out. The same on every page.',
          }),
        ),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: MAX_ROWS,
            description: `Rows; ${DEFAULT_ROWS} when left out.`,
          }),
        ),
        cursor: optionalNullable(Type.String({ maxLength: 200, description: 'Of the page before.' })),
      },
      strict,
    ),
    reply: Pulled,
    refusals: ['DEVICE_OF_OTHER_BRANCH'],
    examples: { 'what has changed': { body: { branch_id: BRANCH, since: 4_180 }, reply: changed } },
  }),
);
