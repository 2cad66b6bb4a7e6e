/** Query plans of the sweeper on tables with few due rows. */
import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { greetingDayOf, type GreetingDay } from '../../src/loyalty/domain/greeting.ts';
import { dueMembers, dueMembersQuery } from '../../src/loyalty/store/greeting.ts';
import { dueReminders, dueRemindersQuery } from '../../src/bookings/store/reminder.ts';
import {
  expiredChannelModesQuery,
  expiredSnoozesQuery,
  shopsWithExpiredChannelModes,
  shopsWithExpiredSnoozes,
} from '../../src/menu/store/sweep.ts';
import { unconfirmedOrdersQuery, unconfirmedOrders } from '../../src/orders/store/sweep.ts';
import { OF_ANY } from '../../src/platform/store/nodes/everywhere.ts';
import type { DueQuery } from '../../src/platform/store/sweep.ts';
import { insertOrder } from '../support/database/orders-and-bookings.ts';
import { newId } from '../support/database/ids.ts';
import { aBranch, aShopFile, branchId, openShops, shopId } from '../support/shops/cafe.ts';
import { asOwner } from '../support/database/test-database.ts';
import { makeWorld, type World } from '../support/server/world.ts';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Plan[];
}

/** Pages of 8 KB; the smallest of the tables below has some 500. */
const FEW_PAGES = 50;

const TABLES = [
  'delivery_order',
  'branch',
  'branch_channel',
  'availability',
  'booking',
  'customer',
  'loyalty_card',
] as const;

let world: World;

beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, aShopFile({ branches: [aBranch({ auto_reject_minutes: 10 })] }));
  for (const table of TABLES) await keepUnknown(table);
});
afterAll(() => world.close());

/** By the owner, for whom the time limits of the service do not hold. */
const insertMany = (statement: string): Promise<void> => asOwner(world.database, statement);

/**
 * Nothing is left of rows that an earlier test deleted, whose index entries would be read with those of this one. And no
 * statistics but those a test takes: autovacuum that comes while rows are inserted counts none of them, and the checks of
 * their foreign keys then read the whole table for each row.
 */
const keepUnknown = async (table: string): Promise<void> => {
  await asOwner(world.database, `alter table ${table} set (autovacuum_enabled = false)`);
  await asOwner(world.database, `vacuum full ${table}`);
};

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

const planOf = async (statement: RawBuilder<unknown>): Promise<Plan> => {
  const { rows } = await sql<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>`
    explain (analyze, buffers, format json) ${statement}
  `.execute(world.db.kysely);
  const [row] = rows;
  if (row === undefined) throw new Error('a statement has a plan');
  return row['QUERY PLAN'][0].Plan;
};

/** The statement reads few pages and scans no whole table, with and without planner statistics. */
const readsFewPages = async (table: string, statement: RawBuilder<unknown>): Promise<void> => {
  for (const isKnown of [false, true]) {
    if (isKnown) await asOwner(world.database, `analyze ${table}`);
    const plan = await planOf(statement);
    const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    expect(pages, JSON.stringify(plan, null, 1)).toBeLessThan(FEW_PAGES);
    expect(nodesOf(plan).filter((node) => node['Relation Name'] === table)).not.toContainEqual(
      expect.objectContaining({ 'Node Type': 'Seq Scan' }),
    );
  }
};

const aLook = (): DueQuery => ({ now: world.now, without: [newId()], limit: 200 });

test('beside 50,000 ended orders, unconfirmed ones are found in few pages', async () => {
  const late = await insertOrder(world, { createdAt: '2026-11-20T17:00:00Z' });
  await insertMany(`
    insert into delivery_order (org_id, id, branch_id, channel, status, customer_name, base_prep_minutes, cart, subtotal,
                                tax_rate_applied, tax_inclusive, tax_amount, total, created_at, updated_at)
    select '${shopId()}'::uuid, md5(n::text)::uuid, '${branchId()}'::uuid, 'pickup', 'cancelled', 'منى', 20,
           '{}', 0, 0.14, true, 0, 0, to_timestamp(n), to_timestamp(n)
    from generate_series(1, 50000) n
  `);
  const look = aLook();
  await readsFewPages('delivery_order', unconfirmedOrdersQuery(look, OF_ANY));
  expect(await unconfirmedOrders(world.db.kysely, look)).toEqual([
    { orgId: shopId(), id: late, minutes: 10 },
  ]);
});

test('beside 50,000 other channel modes, expired ones are found in few pages', async () => {
  const { kysely } = world.db;
  await insertMany(`
    insert into branch (org_id, id, name, code)
    select '${shopId()}'::uuid, md5(n::text)::uuid, 'فرع', 'B' || n from generate_series(1, 25000) n
  `);
  await insertMany(`
    insert into branch_channel (org_id, branch_id, channel, mode, mode_until)
    select '${shopId()}'::uuid, md5(n::text)::uuid, channel, 'closed', case when channel = 'umbrella' then
             to_timestamp(${world.now / 1_000}::float8 + n) end
    from generate_series(1, 25000) n, unnest('{umbrella,in_mall}'::text[]) channel
  `);
  await readsFewPages('branch_channel', expiredChannelModesQuery(aLook(), OF_ANY));
  expect(await shopsWithExpiredChannelModes(kysely, aLook())).toEqual([]);
  world.now += 1_000;
  expect(await shopsWithExpiredChannelModes(kysely, aLook())).toEqual([{ id: shopId() }]);
});

test('beside 50,000 other sold-out items, expired snoozes are found in few pages', async () => {
  const { kysely } = world.db;
  await insertMany(`
    insert into availability (org_id, subject_id, branch_id, sold_out_until)
    select '${shopId()}'::uuid, md5(n::text)::uuid, '${branchId()}'::uuid,
           case when n % 2 = 0 then 'infinity' else to_timestamp(${world.now / 1_000}::float8 + n) end
    from generate_series(1, 50000) n
  `);
  await readsFewPages('availability', expiredSnoozesQuery(aLook(), OF_ANY));
  expect(await shopsWithExpiredSnoozes(kysely, aLook())).toEqual([]);
  world.now += 1_000;
  expect(await shopsWithExpiredSnoozes(kysely, aLook())).toEqual([{ id: shopId() }]);
});

test('beside 50,000 other bookings, due reminders are found in few pages', async () => {
  const { kysely } = world.db;
  await insertMany(`
    insert into booking (org_id, id, branch_id, service_date, party_size, starts_at, ends_at, guest_name, created_at,
                         status, notified, remind_at)
    select '${shopId()}'::uuid, md5(n::text)::uuid, '${branchId()}'::uuid, '2026-11-21', 2, to_timestamp(s), to_timestamp(s + 5400),
           'منى', to_timestamp(s), case when n % 2 = 0 then 'cancelled' else 'confirmed' end, true,
           case when n % 5 > 0 then to_timestamp(s - 7200) end
    from generate_series(1, 50000) n,
         lateral (select ${world.now / 1_000}::float8 + 7200 + case when n % 2 = 0 then -n else n end) as start(s)
  `);
  await readsFewPages('booking', dueRemindersQuery(aLook(), OF_ANY));
  expect(await dueReminders(kysely, aLook())).toEqual([]);
  world.now += 1_000;
  expect(await dueReminders(kysely, aLook())).toMatchObject([{ orgId: shopId(), remindAt: world.now }]);
});

test('beside 50,000 other members, birthdays and absences are found in few pages', async () => {
  const { kysely } = world.db;
  await insertMany(`
    insert into customer (org_id, id, phone, name, phone_proven_at, created_at, updated_at, birth_month, birth_day)
    select '${shopId()}'::uuid, md5(n::text)::uuid, '2010' || lpad(n::text, 8, '0'), 'منى', to_timestamp(n), to_timestamp(n),
           to_timestamp(n), case when n % 2 = 0 then 1 + n % 12 end, case when n % 2 = 0 then 1 + n % 27 end
    from generate_series(1, 50000) n
  `);
  // The others were here on this day, or their absence was greeted.
  await insertMany(`
    insert into loyalty_card (org_id, id, customer_id, token_hash, created_at, changed_at, absent_since)
    select '${shopId()}'::uuid, md5(n::text)::uuid, md5(n::text)::uuid, sha256(n::text::bytea), to_timestamp(n), to_timestamp(n),
           case when n = 1 then to_timestamp(n) when n % 3 > 0 then to_timestamp(${world.now / 1_000}::float8) end
    from generate_series(1, 50000) n
  `);
  const day: GreetingDay = greetingDayOf(
    { areBirthdaysGreeted: true, awayDays: 60 },
    'Africa/Cairo',
    '2026-11-28',
  );
  await asOwner(
    world.database,
    "update customer set birth_month = 11, birth_day = 28 where phone = '201000000002'",
  );
  await readsFewPages('customer', dueMembersQuery(shopId(), day, aLook()));
  await readsFewPages('loyalty_card', dueMembersQuery(shopId(), day, aLook()));
  const { rows } = await sql<{ id: string }>`
    select md5('1')::uuid as id union all select md5('2')::uuid
  `.execute(kysely);
  const found = await dueMembers(kysely, shopId(), day, aLook());
  expect(found.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
    rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  );
});
