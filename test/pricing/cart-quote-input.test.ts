/** Input of a cart quote: a strict body and an existing place; other input is refused, never mispriced. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { branchId, openShops, tableId } from '../support/shops/cafe.ts';
import {
  addon,
  aQuotingBranch,
  aQuotingShop,
  atBranch,
  atTable,
  combo,
  item,
  line,
  type Line,
  meal,
  pick,
  cartRefusal,
  slot,
} from '../support/shops/quoting-shop.ts';
import { JSON_BODY, post } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;

beforeAll(async () => {
  world = await makeWorld();
  const closed = aQuotingBranch({ key: 'closed', code: 'OFF', name: 'مغلق', active: false });
  await openShops(
    world,
    aQuotingShop({ branches: [aQuotingBranch(), closed] }),
    aQuotingShop({ slug: 'gone', active: false }),
  );
});
afterAll(() => world.close());

const drinkPick = pick('drink', 'latte');
const sweetPick = pick('sweet', 'cake');
const tahini = { addon_item_id: addon('tahini') };

describe('a malformed body', () => {
  const one = line('turkish');
  const many = (count: number) => Array.from({ length: count }, () => one);
  test.each<[string, unknown, path: string]>([
    ['no items', {}, 'items'],
    ['null items', { items: null }, 'items'],
    ['no lines', { items: [] }, 'items'],
    ['101 lines', { items: many(101) }, 'items'],
    ['a line that is none', { items: [one, 5] }, 'items[1]'],
    ...['2', 1.5, -1, 0, 1000, 1e9, 2 ** 31, 1e300, true, null, [1], {}].map(
      (quantity): [string, unknown, string] => [
        `a quantity of ${JSON.stringify(quantity)}`,
        { items: [{ ...one, quantity }] },
        'items[0].quantity',
      ],
    ),
    ['no quantity', { items: [{ menu_item_id: item('turkish') }] }, 'items[0].quantity'],
    ...['turkish', '', `urn:uuid:${item('turkish')}`, ` ${item('turkish')}`, 5].map(
      (id): [string, unknown, string] => [
        `an item ${JSON.stringify(id)}`,
        { items: [{ ...one, menu_item_id: id }] },
        'items[0].menu_item_id',
      ],
    ),
    ['a NUL in the notes', { items: [{ ...one, notes: 'a\0b' }] }, 'items[0].notes'],
    ['501 characters of notes', { items: [{ ...one, notes: 'ن'.repeat(501) }] }, 'items[0].notes'],
    ['a size of 121 characters', { items: [{ ...one, size_label: 'ن'.repeat(121) }] }, 'items[0].size_label'],
    ['a number for a size', { items: [{ ...one, size_label: 5 }] }, 'items[0].size_label'],
    ['null add-ons', { items: [{ ...one, addons: null }] }, 'items[0].addons'],
    ...[0, 100, '1', 1.5].map((quantity): [string, unknown, string] => [
      `add-ons ${JSON.stringify(quantity)} times`,
      { items: [{ ...one, addons: [{ ...tahini, quantity }] }] },
      'items[0].addons[0].quantity',
    ]),
    ...[false, 0, '', 'x', []].map((drink): [string, unknown, string] => [
      `a staff drink of ${JSON.stringify(drink)}`,
      { items: [{ ...one, staff_drink: drink }] },
      'items[0].staff_drink',
    ]),
    ['a combo without picks', { items: [{ ...one, combo: {} }] }, 'items[0].combo.picks'],
    [
      'a pick without a slot',
      { items: [{ ...one, combo: { picks: [{ menu_item_id: item('cake') }] } }] },
      'items[0].combo.picks[0].slot_id',
    ],
    ['a channel that is none', { items: [one], channel: 'car' }, 'channel'],
    ['dine-in at a branch', { items: [one], channel: 'dine_in' }, 'channel'],
    ['hints that are neither true nor false', { items: [one], hints: 'true' }, 'hints'],
    ['a field that nobody knows', { items: [one], coupon: 'FREE' }, 'coupon'],
    ['one in a line', { items: [{ ...one, price: 1 }] }, 'items[0].price'],
    [
      'one in an add-on',
      { items: [{ ...one, addons: [{ ...tahini, name: 'x' }] }] },
      'items[0].addons[0].name',
    ],
    [
      'one in a pick',
      { items: [meal([{ ...drinkPick, price: 1 } as typeof drinkPick])] },
      'items[0].combo.picks[0].price',
    ],
  ])('rejects %s with the path of the field', async (_, body, path) => {
    const { status, error, fields, ...rest } = await cartRefusal(world, body);
    expect([status, rest]).toEqual([400, {}]);
    expect(fields?.[0]?.path).toBe(path);
    expect(error).toBe(`${path} ${fields?.[0]?.problem ?? ''}.`);
  });

  test.each([
    [
      'half a character',
      `{"items":[{"menu_item_id":"${item('turkish')}","quantity":1,"notes":"\\ud83d"}]}`,
      'items[0].notes',
    ],
    [
      'a prototype',
      `{"items":[{"menu_item_id":"${item('turkish')}","quantity":1,"__proto__":{"quantity":9}}]}`,
      'items[0].__proto__',
    ],
    ['a prototype above', `{"__proto__":{"items":[]},"items":[]}`, '__proto__'],
    ['no JSON', '{"items":', 'body'],
    ['a list', '[]', 'body'],
    ['null', 'null', 'body'],
    ['text', '"items"', 'body'],
  ])('rejects %s with its path', async (_, text, path) => {
    expect(await cartRefusal(world, text)).toMatchObject({ status: 400, fields: [{ path }] });
  });

  test('is refused with every malformed field named, before the branch is looked up', async () => {
    const body = {
      items: [
        { ...one, quantity: 0 },
        { ...one, notes: 5 },
      ],
      channel: 'car',
    };
    const { fields } = await cartRefusal(world, body, `/public/branches/${tableId('t1')}/cart-quote`);
    expect(fields?.map(({ path }) => path).toSorted()).toEqual([
      'channel',
      'items[0].quantity',
      'items[1].notes',
    ]);
  });

  test('answers 415 to another content type, 413 to a large body, 400 to an empty body', async () => {
    expect((await world.send('POST', atBranch(), { 'content-type': 'text/plain' }, '{}')).status).toBe(415);
    expect((await world.send('POST', atBranch(), JSON_BODY, 'x'.repeat(600_000))).status).toBe(413);
    expect((await post(world, atBranch(), '')).status).toBe(400);
  });
});

test('a charset other than UTF-8 is refused with 415', async () => {
  const text = JSON.stringify({ items: [line('turkish')] });
  const statusOf = async (address: string, type: string) =>
    (await world.send('POST', address, { 'content-type': type }, text)).status;
  expect(await statusOf('/mcp', 'application/json; charset=utf-16')).toBe(415);
  for (const address of [atBranch(), atTable()]) {
    for (const charset of ['utf-16', '"UTF-16LE"', 'windows-1256', 'iso-8859-1', ''])
      expect([charset, await statusOf(address, `application/json; charset=${charset}`)]).toEqual([
        charset,
        415,
      ]);
    for (const rest of ['', ';charset=utf-8', '; Charset="UTF-8"', '; charset=utf8; v=1'])
      expect([rest, await statusOf(address, `application/json${rest}`)]).toEqual([rest, 200]);
  }
});

describe('a branch or table that does not exist', () => {
  const cart = { items: [line('turkish')] };
  test('answers the same 404: unknown, switched off, of a switched-off shop, or of another kind', async () => {
    const addresses = [
      `/public/branches/${tableId('t1')}/cart-quote`,
      atBranch('closed'),
      atBranch('zamalek', 'gone'),
      `/public/tables/${branchId()}/cart-quote`,
      atTable('t1', 'closed'),
      `/public/tables/${tableId('t1', 'zamalek', 'gone')}/cart-quote`,
      atTable('t9'),
    ];
    const texts = await Promise.all(
      addresses.map(async (address) => {
        const { status, text } = await post(world, address, cart);
        return `${status} ${text}`;
      }),
    );
    expect(new Set(texts)).toEqual(new Set(['404 {"error":"Not found."}']));
  });

  test('answers 400 to a malformed id', async () => {
    for (const kind of ['branches', 'tables'])
      expect(await cartRefusal(world, cart, `/public/${kind}/x/cart-quote`)).toMatchObject({
        status: 400,
        fields: [{ path: 'id' }],
      });
  });

  test('answers 405 with Allow: POST to a GET', async () => {
    for (const address of [atBranch(), atTable()]) {
      const reply = await world.get(address);
      expect([reply.status, reply.headers.allow]).toEqual([405, 'POST']);
    }
  });
});

/** Values that have broken servers before, for any field. */
const hostile = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    '0',
    -1,
    0,
    1.5,
    2 ** 31,
    1e308,
    [],
    {},
    [[]],
    'a\0',
    '\u202e',
    'null',
  ),
  fc.constantFrom(
    item('turkish'),
    item('turkish').toUpperCase(),
    addon('oat'),
    slot('drink'),
    combo(),
    branchId(),
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Sets the value at a path, if its parent exists. */
const put = (body: unknown, path: readonly string[], value: unknown): void => {
  let at = body;
  for (const key of path.slice(0, -1)) at = isRecord(at) ? at[key] : undefined;
  const last = path.at(-1);
  if (isRecord(at) && last !== undefined) at[last] = value;
};
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

test('any value in any field gives totals that add up, or a refusal with its faults', async () => {
  const whole = (): Line[] => [
    line('latte', {
      quantity: 2,
      size_label: 'كبير',
      notes: 'x',
      addons: [{ addon_item_id: addon('oat'), quantity: 1 }],
    }),
    meal([pick('drink', 'latte', { quantity: 1, size_label: 'كبير' }), sweetPick]),
  ];
  /** All paths of the body. */
  const placesIn = (value: unknown, path: readonly string[] = []): (readonly string[])[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, child]) => [[...path, key], ...placesIn(child, [...path, key])])
      : [];
  const places = placesIn({ items: whole() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(), hostile), { minLength: 1, maxLength: 3 }),
      async (changes) => {
        const body: unknown = JSON.parse(JSON.stringify({ items: whole() }));
        for (const [which, value] of changes) put(body, places[which % places.length] ?? [], value);
        // `send` checks status, headers and body against the OpenAPI document.
        const reply = await post(world, atBranch(), body);
        if (reply.status !== 200) {
          const { error, fields, faults } = reply.body as {
            error: string;
            fields?: unknown[];
            faults?: unknown[];
          };
          expect(error).not.toBe('');
          expect((fields ?? faults ?? []).length).toBeGreaterThan(0);
          return;
        }
        const quote = reply.body as {
          lines: { line_total: number; deal_discount: number }[];
          items_total: number;
          total: number;
        };
        const sum = quote.lines.reduce((all, { line_total }) => all + line_total, 0);
        expect([sum, quote.total]).toEqual([quote.items_total, quote.items_total]);
      },
    ),
    { numRuns: 300 },
  );
  expect(world.logged.filter((text) => text.includes('"error"'))).toEqual([]);
});
