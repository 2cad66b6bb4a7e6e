/**
 * Kills the server and PostgreSQL while waiters open tickets, merge, move, split, settle and void them, take part-payments,
 * accept what guests order at their tables, make what the kitchen has, sell over the counter, refund, and open and close
 * their tills; then compares the database with every acknowledgement.
 */
import { beforeAll, expect, test } from 'vitest';
import { MISFIRED_ROWS } from '../support/database/misfired-rows.ts';
import { crashFixture } from '../support/programs/crashes.ts';
import { retryingClient, type RetryingClient } from '../support/programs/order-load.ts';
import { eventually, useProgram } from '../support/programs/program.ts';
import { emptyRecord, waiterAtWork, type Paid, type Waiter } from '../support/programs/waiters.ts';
import { aMember, aStaffedShop, emailOf } from '../support/people/staff.ts';
import { aTable, SLUG } from '../support/shops/cafe.ts';

const bench = useProgram('file', 'embedded');
const fixture = crashFixture(bench, () => ({ RATE_LIMIT_SCALE: '0' }));
const { current, rows } = fixture;

const PASSWORD = 'a password of the crash test';
const NAMES = Array.from({ length: 8 }, (_, n) => `w${n}`);
/** Tickets that are settled before the next crash. */
const A_FEW = 15;

const command = async (args: readonly string[], input?: string): Promise<void> => {
  const { code, stderr } = await bench.ahwa(args, {}, input);
  if (code !== 0) throw new Error(stderr);
};

const record = emptyRecord();
const { paid, refunded, accepted, merged, voided, moved, bumped, closedTills } = record;

let [isStopped, lost] = [false, 0];

/** A shop with a manager and a table of every name. */
const aShopOfWaiters = () => {
  const shop = aStaffedShop();
  const [first, ...others] = shop.branches;
  if (first === undefined) throw new Error('a staffed shop has branches');
  const branch = { ...first, tables: NAMES.map((name) => aTable(name, 4)) };
  const waiters = NAMES.map((name) => aMember(name, 'manager', { branches: ['zamalek'] }));
  return { ...shop, branches: [branch, ...others], staff: [...(shop.staff ?? []), ...waiters] };
};

/** All with the password of the first one: a command a person would take longer than the test. */
const signedIn = async (client: RetryingClient): Promise<readonly Waiter[]> => {
  await rows(
    `update staff set password_hash = first.password_hash
     from staff first where first.email = $1 and staff.email = any($2)`,
    [emailOf('w0'), NAMES.map((name) => emailOf(name))],
  );
  return Promise.all(
    NAMES.map(async (table) => {
      const credentials = { email: emailOf(table), password: PASSWORD };
      const { body } = await client.postUntilAnswered('/staff/sign-in', credentials);
      return { table, token: (body as { token: string }).token };
    }),
  );
};

beforeAll(async () => {
  await command(['import', '-'], JSON.stringify(aShopOfWaiters()));
  await command(['staff', 'password', SLUG, emailOf('w0')], `${PASSWORD}\n`);
  await fixture.serve(0);
  const client = retryingClient(() => current().port);
  const waiters = Promise.all(
    (await signedIn(client)).map((waiter) => waiterAtWork(client, waiter, record, () => isStopped)),
  );
  const more = async (): Promise<void> => {
    const enough = paid.length + A_FEW;
    await Promise.race([
      eventually(() => (paid.length >= enough ? true : null), 'tickets to be settled'),
      waiters,
    ]);
  };
  await more();
  for (const crash of ['server', 'postgres', 'both', 'server'] as const) {
    await fixture.crashes[crash](client);
    await more();
  }
  isStopped = true;
  await waiters;
  lost = client.lost();
}, 180_000);

test('crashes interrupted requests', () => expect(lost).toBeGreaterThan(0));

test('every settled ticket and counter sale that was acknowledged is one sale at its total, and there is no other', async () => {
  const stored = await rows<Paid>('select id, total::int from sale order by id');
  expect(stored).toEqual(paid.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
});

test('every acknowledged refund is one refund of its amount, and there is no other', async () => {
  const stored = await rows('select sale_id as id, amount from sale_refund order by sale_id');
  expect(stored).toEqual(refunded.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
});

test('every accepted round of guests is one ticket, and there is no other', async () => {
  const stored = await rows<{ id: string }>("select id from ticket where opened_via = 'qr' order by id");
  expect(stored.map(({ id }) => id)).toEqual(accepted.toSorted());
  expect(accepted.length).toBeGreaterThan(0);
});

test('every acknowledged merge, void of a unit, move to a table and bump is there once, and there is no other', async () => {
  const ids = (all: readonly { readonly id: string }[]) => all.map(({ id }) => id).toSorted();
  const ended = await rows<{ id: string; into: string }>(
    `select id, merged_into as into from ticket where void_reason = 'merged' order by id`,
  );
  expect(ended).toEqual(merged.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
  const units = await rows<{ id: string }>(
    `select ticket_id as id from ticket_item where void_reason = 'quality' and quantity = 1`,
  );
  expect(ids(units)).toEqual(voided.toSorted());
  const placed = await rows<{ id: string; table: string }>(
    `select id, table_id as table from ticket where table_id is not null and opened_via = 'staff' and split_of is null
     order by id`,
  );
  expect(placed).toEqual(moved.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
  expect(ids(await rows<{ id: string }>('select id from kitchen_ticket where done_at is not null'))).toEqual(
    bumped.toSorted(),
  );
  for (const each of [merged, voided, moved, bumped]) expect(each.length).toBeGreaterThan(0);
});

test('every till was closed once: its Z report has its sales and its money, under the next number', async () => {
  const stored = await rows<{ id: string }>("select id from till where status = 'closed' order by id");
  expect(stored.map(({ id }) => id)).toEqual(closedTills.toSorted());
  const wrong = await rows(`
    select 'open till' as what from till where status = 'open'
    union all select 'gap in the Z numbers of a register' from till
      group by org_id, branch_id, register_id having count(*) <> max(z_number) or count(distinct z_number) <> count(*)
    union all select 'counter that is not at the last Z number' from z_counter n
      where last <> (select max(z_number) from till t
                     where t.org_id = n.org_id and t.branch_id = n.branch_id and t.register_id = n.register_id)
    union all select 'Z report whose total is not that of its sales' from till t
      where (z_figures ->> 'total')::bigint <> (
        select coalesce(sum(total), 0) from sale s where s.org_id = t.org_id and s.till_id = t.id)
    union all select 'Z report whose payments are not those of its sales' from till t
      where (select sum((m ->> 'sales')::bigint) from jsonb_array_elements(z_figures -> 'methods') m) <> (
        select coalesce(sum(amount), 0) from sale_payment p where p.org_id = t.org_id and p.till_id = t.id)
    union all select 'sale of no till' from sale where till_id is null
  `);
  expect(wrong).toEqual([]);
});

test('no stored ticket is inconsistent', async () => {
  const wrong = await rows(`
    select 'open ticket' as what from ticket where status = 'open'
    union all select 'settled ticket without its sale' from ticket t
      where status = 'settled' and not exists (
        select from sale s where s.org_id = t.org_id and s.id = t.id and s.total = (t.paid ->> 'total')::int)
    union all select 'sale of no settled ticket' from sale s
      where source = 'ticket' and not exists (select from ticket t where t.org_id = s.org_id and t.id = s.id and t.status = 'settled')
    union all select 'sale that is not paid' from sale s
      where total <> (select sum(amount) from sale_payment p where p.org_id = s.org_id and p.sale_id = s.id)
    union all select 'part-payment of a ticket that has ended' from part_payment
    union all select 'refund that its sale does not count' from sale s
      where refunded <> (select coalesce(sum(amount), 0) from sale_refund r where r.org_id = s.org_id and r.sale_id = s.id)
    union all select 'lines that are not those that were fired' from ticket_item
      group by org_id, origin_id, round_id having sum(quantity) not in (1, 3)
    union all select 'round without lines' from ticket_round r
      where not exists (select from ticket_item i where i.org_id = r.org_id and i.round_id = r.id)
    union all ${MISFIRED_ROWS}
    union all select 'change that was not audited once' from ticket t
      where revision <> (select count(*) from audit a where a.subject = 'ticket' and a.subject_id = t.id)
                        -- Its end in another ticket is a change of the other.
                        + (merged_into is not null)::int
        and split_of is null
    union all select 'table of nobody' from table_occupancy
    union all select 'gap in the ticket numbers' from ticket_number n
      where last <> (select count(*) from ticket t where t.org_id = n.org_id and t.branch_id = n.branch_id)
    union all select 'gap in the sale numbers' from sale_number n where last <> (select count(*) from sale s where s.org_id = n.org_id)
    union all select 'gap in the change log' from change_counter n
      where seq - trimmed <> (select count(*) from change c where c.org_id = n.org_id)
  `);
  expect(wrong).toEqual([]);
});

test('the tills have all of the money', async () => {
  const [sums] = await rows<{ expected: number; sold: number }>(`
    select (select sum(amount + tip)::int from sale_payment p join sale s on s.org_id = p.org_id and s.id = p.sale_id where s.till_id is not null) as expected,
           (select sum(total)::int + 100 * count(*) filter (where source = 'ticket')::int from sale) as sold
  `);
  expect(sums?.expected).toBe(sums?.sold);
});
