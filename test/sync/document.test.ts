/** `docs/sync.md`, from which others write a till, says what the server answers and takes (Decisions 13). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FEED_TYPES, type FeedType } from '../../src/platform/domain/feed.ts';
import { EVENT_KINDS } from '../../src/sync/contract/event-kinds.ts';
import { newId } from '../support/database/ids.ts';
import { read } from '../support/documents/pages.ts';
import { aStaffedWorld, bearer, deviceAt, pairedTill, personId } from '../support/people/staff.ts';
import { done, post } from '../support/server/requests.ts';
import type { World } from '../support/server/world.ts';
import { thingId } from '../support/shops/cafe.ts';
import { makeDemo } from '../support/shops/demo.ts';
import { outcomesOf, replayed, type DeviceEvent } from '../support/sync/device-events.ts';
import { freshReplica } from '../support/sync/replica.ts';

const DOCUMENT = read('docs/sync.md');

/** What stands under a heading of a text, up to the next one of its level. */
const under = (text: string, heading: string): string => {
  const [level = ''] = heading.split(' ');
  const own = text.split(`\n${heading}\n`)[1]?.split(`\n${level} `)[0];
  if (own === undefined) throw new Error(`docs/sync.md has no ${heading}`);
  return own;
};

describe('rows', () => {
  interface Field {
    readonly type: string;
    readonly isAlways: boolean;
  }

  type Fields = ReadonlyMap<string, Field>;

  interface Shape {
    /** What its rows have, such as `kind` that is `combo`; empty: every row of the type is of this shape. */
    readonly has: ReadonlyMap<string, string>;
    /** By path, such as `items[].name`. */
    readonly fields: Fields;
  }

  const shapeIn = (text: string): Shape => ({
    has: new Map(
      [...text.matchAll(/`(\w+)` is `(\w+)`(?: and|:$)/gm)].map(([, name = '', word = '']) => [name, word]),
    ),
    fields: new Map(
      [...text.matchAll(/^\| `([^`]+)` \| (.+?) \| (yes|no) \|/gm)].map(
        ([, path = '', shape = '', always]) => [path, { type: shape, isAlways: always === 'yes' }],
      ),
    ),
  });

  /** Each has a table of its own, which "Where …:" stands above where there are several. */
  const shapesOf = (type: FeedType): readonly Shape[] => {
    const text = under(under(DOCUMENT, '## Rows'), `### ${type}`);
    const [, ...several] = text.split(/^Where /m);
    return (several.length === 0 ? [text] : several).map(shapeIn);
  };

  const fieldOf = (value: object, name: string): unknown =>
    (value as Readonly<Record<string, unknown>>)[name];

  /** Null: the row is of none, or of two. */
  const fieldsFor = (row: object, shapes: readonly Shape[]): Fields | null => {
    const [own, ...more] = shapes.filter(({ has }) =>
      [...has].every(([name, word]) => fieldOf(row, name) === word),
    );
    return own === undefined || more.length > 0 ? null : own.fields;
  };

  /** A shape with a table elsewhere, and a map of names that differ, are not spelled out. */
  const isSpelledOut = (field: Field | undefined): boolean => !/\]\(|\bmap\b/.test(field?.type ?? '');

  const pathsIn = (value: unknown, fields: Fields, above = ''): string[] => {
    if (Array.isArray(value)) return value.flatMap((each) => pathsIn(each, fields, `${above}[]`));
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, of]) => {
      const path = above === '' ? name : `${above}.${name}`;
      return [path, ...(isSpelledOut(fields.get(path)) ? pathsIn(of, fields, path) : [])];
    });
  };

  /** What has a field of the path, such as the objects at `items[]` for `items[].name`; none where that is null. */
  const holdersIn = (row: object, path: string): readonly object[] =>
    path
      .split('.')
      .slice(0, -1)
      .reduce<readonly object[]>(
        (all, step) =>
          all
            .flatMap((value) => [fieldOf(value, step.replaceAll('[]', ''))].flat(Infinity))
            .filter((value) => typeof value === 'object' && value !== null),
        [row],
      );

  /** Fields that are said to be always there, and are not. */
  const missingIn = (row: object, fields: Fields): string[] =>
    [...fields].flatMap(([path, { isAlways }]) => {
      const name = path.split('.').at(-1) ?? '';
      return isAlways && holdersIn(row, path).some((holder) => !Object.hasOwn(holder, name)) ? [path] : [];
    });

  const seen = new Map<FeedType, readonly object[]>();
  let world: World;
  beforeAll(async () => {
    const made = await makeDemo({ limitScale: 0 });
    world = made.world;
    const shops = await world.db.kysely
      .selectFrom('shop')
      .innerJoin('branch', 'branch.org_id', 'shop.org_id')
      .select(['shop.slug', 'branch.id'])
      .where('shop.is_active', '=', true)
      .execute();
    for (const { slug, id } of shops) {
      const owner = { email: `owner@${slug}.example`, password: 'ahwa-demo' };
      const { token } = done('staffSignIn', await post(world, '/staff/sign-in', owner));
      const { device } = await deviceAt(world, bearer(token), id);
      const replica = await freshReplica(world, { branchId: id, device });
      for (const type of FEED_TYPES) seen.set(type, [...(seen.get(type) ?? []), ...replica.of(type)]);
    }
  });
  afterAll(() => world.close());

  test.each(FEED_TYPES)('of %s have the fields that the document names, and no other', (type) => {
    const shapes = shapesOf(type);
    const rows = seen.get(type) ?? [];
    expect(rows.length, 'rows of the demo shops').toBeGreaterThan(0);
    const known = rows.map((row) => ({ row, fields: fieldsFor(row, shapes) }));
    expect(known.filter(({ fields }) => fields === null)).toEqual([]);
    expect(new Set(known.map(({ fields }) => fields)).size, 'shapes that rows have').toBe(shapes.length);
    const unknown = known.flatMap(({ row, fields }) =>
      fields === null ? [] : pathsIn(row, fields).filter((path) => !fields.has(path)),
    );
    expect([...new Set(unknown)]).toEqual([]);
    const missing = known.flatMap(({ row, fields }) => (fields === null ? [] : missingIn(row, fields)));
    expect([...new Set(missing)]).toEqual([]);
  });
});

describe('events', () => {
  /** The ids of the document, and those of the shop of the test. */
  const HERE: Readonly<Record<string, string>> = {
    '9a7b6c5d-4e3f-4a2b-8c1d-0e9f8a7b6c5d': personId('manager'),
    '5d9e3f21-7a4b-5c6d-9e8f-0a1b2c3d4e05': thingId('item', 'turkish'),
  };

  const eventsIn = (text: string): readonly DeviceEvent[] =>
    [...text.matchAll(/```json\n(.*?)\n```/gs)].flatMap(([, json = '']) => {
      const here = Object.entries(HERE).reduce((all, [from, to]) => all.replaceAll(from, to), json);
      const value = JSON.parse(here) as DeviceEvent | { readonly events?: readonly DeviceEvent[] };
      return 'kind' in value ? [value] : (value.events ?? []);
    });

  let world: World;
  beforeAll(async () => {
    world = await aStaffedWorld({ now: '2026-12-04T17:40:00Z', limitScale: 0 });
  });
  afterAll(() => world.close());

  test('of every kind have an example, and those of the evening are recorded as they are', async () => {
    const { device } = await pairedTill(world);
    const evening = EVENT_KINDS.flatMap((kind) =>
      eventsIn(under(under(DOCUMENT, '## Events'), `### ${kind}`)),
    );
    expect(evening.map(({ kind }) => kind)).toEqual(EVENT_KINDS);
    const opened = evening.find(({ kind }) => kind === 'ticket_open');
    const ended = evening.find(({ kind }) => kind === 'ticket_void');
    const other = { ticket_id: (ended?.data as { ticket_id: string }).ticket_id };
    const results = await replayed(world, device, [...evening, { ...opened, id: newId(), data: other }]);
    expect(outcomesOf(results)).toEqual([...evening.map(() => 'applied'), 'applied']);
    const again = eventsIn(under(DOCUMENT, '## Telling what it did'));
    expect(outcomesOf(await replayed(world, device, again))).toEqual(['already', 'already']);
    expect(again.map(({ kind }) => kind)).toEqual(['till_open', 'sale']);
  });
});
