/**
 * Every column with personal data is classified in `test/support/database/personal-columns.ts`, so new tables
 * cannot be missed by exports and erasures.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertBooking } from '../support/database/orders-and-bookings.ts';
import { newId } from '../support/database/ids.ts';
import { shopId } from '../support/shops/cafe.ts';
import { aCard } from '../support/people/guests.ts';
import {
  mentions,
  openPersonalDataFixture,
  type PersonalDataFixture,
} from '../support/people/personal-data.ts';
import { LOOKS_PERSONAL, NOT_A_GUESTS, PERSONAL } from '../support/database/personal-columns.ts';
import { meal, pick } from '../support/shops/quoting-shop.ts';
import { coffees, ticketsBy } from '../support/people/tickets.ts';
import { aCounterSale } from '../support/people/tills.ts';
import { done, post } from '../support/server/requests.ts';
import { saveLift } from '../../src/orders/store/brake.ts';
import { insert } from '../support/database/rows.ts';

let fixture: PersonalDataFixture;
beforeAll(async () => {
  fixture = await openPersonalDataFixture();
});
afterAll(() => fixture.close());

/** As `table.column`. */
const catalog = async (): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = current_schema() order by 1
  `.execute(fixture.world.db.kysely);
  return rows.map(({ name }) => name);
};

const classified: readonly (readonly [name: string, fate: string])[] = Object.entries(PERSONAL).flatMap(
  ([table, columns]) =>
    Object.entries(columns).map(([column, fate]) => [`${table}.${column}`, fate] as const),
);

test('every column that may hold personal data is classified', async () => {
  const known = new Set([...classified.map(([name]) => name), ...Object.keys(NOT_A_GUESTS)]);
  const forgotten = (await catalog()).filter((name) => {
    const [table = '', column = ''] = name.split('.');
    return (table in PERSONAL || LOOKS_PERSONAL.test(column)) && !known.has(name);
  });
  expect(forgotten).toEqual([]);
});

test('every table with a foreign key to customers or orders is classified', async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid in ('customer'::regclass, 'delivery_order'::regclass)
  `.execute(fixture.world.db.kysely);
  expect(rows.map(({ name }) => name).filter((name) => !(name in PERSONAL))).toEqual([]);
});

test('the classification has no column that does not exist', async () => {
  const there = new Set(await catalog());
  const gone = [...classified.map(([name]) => name), ...Object.keys(NOT_A_GUESTS)];
  expect(gone.filter((name) => !there.has(name))).toEqual([]);
});

const PHONE = '201001234567';

/** A unique value per column, and how it is stored. */
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
  loyalty_card: { token_hash: '\\xfeedfacefeedface', code_hash: '\\xfacefeedfacefeed' },
  loyalty_entry: { note: 'mark-ledger' },
  wallet_registration: { device: 'mark-device', push_token: 'mark-push-token' },
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
  booking: {
    ...{ guest_name: 'mark-booker', notes: 'mark-occasion', guest_phone: PHONE },
    manage_hash: `\\x${'beef'.repeat(16)}`,
  },
  ticket: { customer_name: 'mark-caller', customer_phone: PHONE, notes: 'mark-allergy' },
  kitchen_firing: { name: 'mark-called', notes: 'mark-fired' },
  kitchen_line: { notes: 'mark-made' },
  ticket_round: { notes: 'mark-round' },
  ticket_item: { line: 'mark-dish', input: 'mark-dish' },
  sale: { customer_name: 'mark-counter' },
  outbox: { provider_id: 'mark-provider', last_error: 'mark-error' },
  order_brake_lift: { phone: PHONE, until: '2004-02-03T04:05:06+00:00' },
  audit: { detail: 'mark-cancel' },
};

/** In JSON, instants have several forms and bytes have no prefix. */
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

const mark = async (table: string): Promise<void> => {
  // The cart also holds what was sold; its marks are the notes of the placed order.
  const marks = Object.fromEntries(
    Object.entries(MARKS[table] ?? {}).filter(([column]) => column !== 'cart'),
  );
  const columns = sql.join(Object.keys(marks).map((column) => sql.ref(column)));
  await sql`
    update ${sql.table(table)} set (${columns}) = (
      select ${columns} from jsonb_populate_record(null::${sql.table(table)}, ${JSON.stringify(marks)}::jsonb))
    where org_id = ${shopId()}
  `.execute(fixture.world.db.kysely);
};

/** A ticket that has ended and a counter sale, of the card; lines and names have their marks. */
const visit = async (member: string): Promise<void> => {
  const { world, owner } = fixture;
  const floor = ticketsBy(world, owner);
  const [dish] = coffees(1);
  const opened = await floor.open({
    items: [{ ...dish, menu_item_id: dish?.menu_item_id ?? '', quantity: 1, notes: 'mark-dish' }],
  });
  await floor.void(await floor.change(opened, { member_id: member }));
  const sold = await post(
    world,
    '/staff/sales',
    { ...aCounterSale(), member_id: member, customer_name: 'mark-counter' },
    owner,
  );
  done('sellOverCounter', sold);
};

/** A customer with a card, a delivered order and a booking that has ended, with a mark in every personal column. */
const marked = async (): Promise<void> => {
  const guest = await fixture.newGuest();
  await aCard(fixture.world, guest);
  const notes = 'mark-cart';
  const picks = [pick('drink', 'latte', { notes }), pick('sweet', 'cake')];
  const { id } = await fixture.delivered(fixture.orderDelivery(guest, { items: [meal(picks, { notes })] }));
  await saveLift(fixture.world.db.kysely, shopId(), PHONE, Date.parse('2004-02-03T04:05:06Z'));
  await insertBooking(fixture.world, {
    ...{ serviceDate: '2026-11-20', status: 'completed' },
    ...{ startsAt: '2026-11-20T10:00:00Z', endsAt: '2026-11-20T11:30:00Z' },
  });
  const cards = await fixture.world.db.kysely.selectFrom('loyalty_card').select('id').execute();
  await visit(cards[0]?.id ?? '');
  await insert(fixture.world.db.kysely, 'loyalty_entry', {
    ...{ org_id: shopId(), id: newId(), card_id: cards[0]?.id, at: '2026-01-01T00:00:00Z', mode: 'points' },
    ...{ kind: 'adjust', source: 'manual', amount: 5 },
  });
  await insert(fixture.world.db.kysely, 'wallet_registration', {
    ...{ org_id: shopId(), id: newId(), card_id: cards[0]?.id, created_at: '2026-01-01T00:00:00Z' },
    ...{ device: 'a phone', push_token: 'a token', generation: 1 },
  });
  const tables = [
    'customer',
    'customer_address',
    'loyalty_card',
    'loyalty_entry',
    'wallet_registration',
    'delivery_order',
    'booking',
    ...['ticket', 'ticket_round', 'kitchen_firing', 'kitchen_line'],
    'outbox',
  ];
  for (const table of tables) await mark(table);
  await insert(fixture.world.db.kysely, 'audit', {
    ...{ org_id: shopId(), id: newId(), at: '2026-01-01T00:00:00Z', subject: 'order', subject_id: id },
    ...{ action: 'order.cancelled', detail: { note: 'mark-cancel' } },
  });
};

test('an erasure removes everything that an export contains from the whole database', async () => {
  const person = { typed: PHONE, phone: PHONE };
  await marked();
  for (const [name, mark] of marksOf(['goes', 'derived']))
    expect(await mentions(fixture.world, mark), name).toContain(name.split('.')[0]);
  const handedOut = JSON.stringify(await fixture.exportOf(person));
  expect(marksOf(['goes']).filter(([, mark]) => !handedOut.includes(mark))).toEqual([]);
  expect(await fixture.erase(person)).toEqual({
    erased: true,
    orders: 1,
    open_orders: 0,
    bookings: 1,
    open_bookings: 0,
    open_tickets: 0,
  });
  for (const [name, mark] of marksOf(['goes', 'derived']))
    expect(await mentions(fixture.world, mark), name).toEqual([]);
});
