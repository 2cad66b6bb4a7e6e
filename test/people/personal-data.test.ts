/**
 * What is kept of guests is known column by column (`test/support/personal.ts`), so that no table that comes later is
 * forgotten by exports and erasures.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../support/activity.ts';
import { shopId } from '../support/cafe.ts';
import { aCard } from '../support/guests.ts';
import { mentions, openHouse, type House } from '../support/people.ts';
import { LOOKS_PERSONAL, NOT_A_GUESTS, PERSONAL } from '../support/personal.ts';
import { meal, pick } from '../support/quotes.ts';
import { saveLift } from '../../src/orders/store/brake.ts';
import { insert } from '../support/rows.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

/** Every column of the database, as `table.column`. */
const catalog = async (): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = current_schema() order by 1
  `.execute(house.world.db.kysely);
  return rows.map(({ name }) => name);
};

const classified: readonly (readonly [name: string, fate: string])[] = Object.entries(PERSONAL).flatMap(
  ([table, columns]) =>
    Object.entries(columns).map(([column, fate]) => [`${table}.${column}`, fate] as const),
);

test('of every column that may say something of a guest it is known what becomes of it', async () => {
  const known = new Set([...classified.map(([name]) => name), ...Object.keys(NOT_A_GUESTS)]);
  const forgotten = (await catalog()).filter((name) => {
    const [table = '', column = ''] = name.split('.');
    return (table in PERSONAL || LOOKS_PERSONAL.test(column)) && !known.has(name);
  });
  expect(forgotten).toEqual([]);
});

test('every table that points at a customer or an order of one is among them', async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid in ('customer'::regclass, 'delivery_order'::regclass)
  `.execute(house.world.db.kysely);
  expect(rows.map(({ name }) => name).filter((name) => !(name in PERSONAL))).toEqual([]);
});

test('what is known of columns that are gone is not kept', async () => {
  const there = new Set(await catalog());
  const gone = [...classified.map(([name]) => name), ...Object.keys(NOT_A_GUESTS)];
  expect(gone.filter((name) => !there.has(name))).toEqual([]);
});

const PHONE = '201001234567';

/** A mark that stands nowhere else: what a column of each table holds, and how it is written wherever it is. */
const MARKS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  customer: { phone: PHONE, name: 'mark-name', phone_proven_at: '2001-02-03T04:05:06+00:00' },
  customer_address: {
    id: 'aaaaaaaa-0000-4000-8000-000000000001',
    branch_id: 'aaaaaaaa-0000-4000-8000-000000000002',
    delivery_zone_id: 'aaaaaaaa-0000-4000-8000-000000000003',
    address_key: 'mark-key',
    label: 'mark-label',
    address_line: 'mark-saved-line',
    floor: 'mark-saved-floor',
    unit_number: 'mark-saved-unit',
    landmark: 'mark-saved-landmark',
    place_name: 'mark-saved-place',
    delivery_notes: 'mark-saved-notes',
    lat: 31.123451,
    lng: 32.123451,
    use_count: 7654321,
    last_used_at: '2002-02-03T04:05:06+00:00',
    created_at: '2003-02-03T04:05:06+00:00',
  },
  loyalty_card: { token_hash: '\\xfeedfacefeedface' },
  delivery_order: {
    customer_name: 'mark-contact',
    customer_phone: PHONE,
    address_id: 'aaaaaaaa-0000-4000-8000-000000000001',
    address_line: 'mark-line',
    floor: 'mark-floor',
    unit_number: 'mark-unit',
    landmark: 'mark-landmark',
    place_name: 'mark-place',
    delivery_notes: 'mark-notes',
    customer_lat: 33.123451,
    customer_lng: 34.123451,
    road_distance_meters: 8765432,
    distance_source: 'osrm',
    cancel_note: 'mark-cancel',
    cart: 'mark-cart',
  },
  outbox: { provider_id: 'mark-provider', last_error: 'mark-error' },
  order_brake_lift: { phone: PHONE, until: '2004-02-03T04:05:06+00:00' },
  audit: { detail: 'mark-cancel' },
};

/** How a mark is found in JSON: moments are written in more than one way, bytes without their prefix. */
const written = (mark: unknown): string =>
  String(mark)
    .replace(/\+00:00$/, '')
    .replace(/^\\x/, '');

const marksOf = (fates: readonly string[]): [name: string, mark: string][] =>
  classified
    .filter(([, fate]) => fates.includes(fate))
    .map(([name]) => {
      const [table = '', column = ''] = name.split('.');
      const mark = MARKS[table]?.[column];
      if (mark === undefined) throw new Error(`${name} has no mark.`);
      return [name, written(mark)];
    });

/** Writes a table's marks over its rows. */
const mark = async (table: string): Promise<void> => {
  const marks = { ...MARKS[table] };
  // What was sold is in it too: its marks are the notes of the order that is placed.
  if (table === 'delivery_order') delete marks['cart'];
  const columns = sql.join(Object.keys(marks).map((column) => sql.ref(column)));
  await sql`
    update ${sql.table(table)} set (${columns}) = (
      select ${columns} from jsonb_populate_record(null::${sql.table(table)}, ${JSON.stringify(marks)}::jsonb))
    where org_id = ${shopId()}
  `.execute(house.world.db.kysely);
};

/** One customer with a card and a delivered order, and a mark in every column that names them. */
const marked = async (): Promise<void> => {
  const guest = await house.somebody();
  await aCard(house.world, guest);
  const notes = 'mark-cart';
  const picks = [pick('drink', 'latte', { notes }), pick('sweet', 'cake')];
  const { id } = await house.delivered(house.toTheDoor(guest, { items: [meal(picks, { notes })] }));
  await saveLift(house.world.db.kysely, shopId(), PHONE, Date.parse('2004-02-03T04:05:06Z'));
  for (const table of ['customer', 'customer_address', 'loyalty_card', 'delivery_order', 'outbox'])
    await mark(table);
  await insert(house.world.db.kysely, 'audit', {
    ...{ org_id: shopId(), id: newId(), at: '2026-01-01T00:00:00Z', subject: 'order', subject_id: id },
    ...{ action: 'order.cancelled', detail: { note: 'mark-cancel' } },
  });
};

test('what an export hands out is what an erasure takes, and afterwards nothing is left of it anywhere', async () => {
  const person = { typed: PHONE, phone: PHONE };
  await marked();
  for (const [name, mark] of marksOf(['goes', 'derived']))
    expect(await mentions(house.world, mark), name).toContain(name.split('.')[0]);
  const handedOut = JSON.stringify(await house.exportOf(person));
  expect(marksOf(['goes']).filter(([, mark]) => !handedOut.includes(mark))).toEqual([]);
  expect(await house.erase(person)).toEqual({ erased: true, orders: 1, open_orders: 0 });
  for (const [name, mark] of marksOf(['goes', 'derived']))
    expect(await mentions(house.world, mark), name).toEqual([]);
});
