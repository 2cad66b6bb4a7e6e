/**
 * Kills the server and PostgreSQL while waiters open, split, merge and settle tickets, take part-payments, accept what
 * guests order at their tables, sell over the counter and refund, then compares the database with every acknowledgement.
 */
import { beforeAll, expect, test } from 'vitest';
import { crashFixture } from '../support/programs/crashes.ts';
import { retryingClient, type RetryingClient } from '../support/programs/order-load.ts';
import { eventually, useProgram } from '../support/programs/program.ts';
import { aStaffedShop, emailOf } from '../support/people/staff.ts';
import { coffees, type Ticket } from '../support/people/tickets.ts';
import { branchId, SLUG, tableId } from '../support/shops/cafe.ts';

const bench = useProgram('file', 'embedded');
const fixture = crashFixture(bench, () => ({ RATE_LIMIT_SCALE: '0' }));
const { current, rows } = fixture;

const PASSWORD = 'a password of the crash test';
const WAITERS = 8;
/** Tickets that are settled before the next crash. */
const A_FEW = 25;

const command = async (args: readonly string[], input?: string): Promise<void> => {
  const { code, stderr } = await bench.ahwa(args, {}, input);
  if (code !== 0) throw new Error(stderr);
};

interface Paid {
  readonly id: string;
  readonly total: number;
}

const paid: Paid[] = [];
const refunded: { readonly id: string; readonly amount: number }[] = [];
/** Accepted rounds of guests, by their tickets. */
const accepted: string[] = [];
/** More of one table within an hour are refused. */
const MAX_GUESTS = 10;
/** At which table the guests of a waiter sit. */
const TABLES: Readonly<Record<string, string>> = { w1: 't2', w2: 't3', w3: 't4' };

let [isStopped, lost] = [false, 0];

/** One guest after the other, each request under a key of its own and repeated until it is answered. */
const waiter = async (client: RetryingClient, token: string, name: string): Promise<void> => {
  const authorization = `Bearer ${token}`;
  let asked = 0;
  const ask = async <T = Ticket>(path: string, body: object): Promise<T> => {
    const headers = { authorization, 'idempotency-key': `${name}-${asked++}` };
    const { status, body: answer, text } = await client.postUntilAnswered(path, body, headers);
    if (status >= 300) throw new Error(`${path} was answered ${status}: ${text}`);
    // The shape was checked against the document.
    return answer as T;
  };
  const settle = async ({ id, revision }: Ticket, total: number): Promise<void> => {
    const payments = [{ method: 'cash', amount: total, tip: 100 }];
    const settled = await ask(`/staff/tickets/${id}/settle`, { revision, payments });
    paid.push({ id, total: settled.bill?.total ?? 0 });
  };
  /** Three coffees for a table of guests, who pay at once. */
  const guest = async (table: string): Promise<void> => {
    const sent = await ask('/public/table-orders', { table_id: table, items: coffees(3) });
    const taken = await ask(`/staff/tickets/${sent.id}/rounds/1/accept`, {});
    accepted.push(sent.id);
    await settle(taken, 13_500);
  };
  for (let n = 0; !isStopped; n++) {
    const own = TABLES[name];
    if (own !== undefined && n < MAX_GUESTS) await guest(tableId(own));
    const table = n % 3 === 0 && name === 'w0' ? { table_id: tableId('t1') } : {};
    const opened = await ask('/staff/tickets', { branch_id: branchId(), items: coffees(3), ...table });
    const fired = await ask(`/staff/tickets/${opened.id}/rounds`, { items: coffees(1) });
    const { revision, items } = fired;
    const [line] = items;
    if (n % 4 === 0) {
      await ask(`/staff/tickets/${fired.id}/void`, { revision, reason: 'mistake' });
      continue;
    }
    const part = await ask(`/staff/tickets/${fired.id}/split`, {
      revision,
      items: [{ item_id: line?.id, units: 1 }],
    });
    await settle(part, 4_500);
    const piece = { revision: revision + 1, method: 'card', amount: 4_000 };
    await settle(await ask(`/staff/tickets/${fired.id}/payments`, piece), 9_500);
    const payments = [{ method: 'card', amount: 9_000 }];
    const sold = await ask<Paid>('/staff/sales', { branch_id: branchId(), items: coffees(2), payments });
    paid.push({ id: sold.id, total: sold.total });
    const back = { lines: [{ index: 0, units: 1 }], method: 'cash', reason: 'quality' };
    await ask(`/staff/sales/${sold.id}/refund`, back);
    refunded.push({ id: sold.id, amount: 4_500 });
  }
};

beforeAll(async () => {
  await command(['import', '-'], JSON.stringify(aStaffedShop()));
  await command(['staff', 'password', SLUG, emailOf('manager')], `${PASSWORD}\n`);
  await fixture.serve(0);
  const client = retryingClient(() => current().port);
  const { body } = await client.postUntilAnswered('/staff/sign-in', {
    email: emailOf('manager'),
    password: PASSWORD,
  });
  const { token } = body as { token: string };
  await client.postUntilAnswered(
    '/staff/tills',
    { branch_id: branchId(), opening_float: 0 },
    { authorization: `Bearer ${token}` },
  );
  const waiters = Promise.all(Array.from({ length: WAITERS }, (_, n) => waiter(client, token, `w${n}`)));
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

test('no stored ticket is inconsistent', async () => {
  const wrong = await rows(`
    select 'open ticket' as what from ticket where status = 'open'
    union all select 'settled ticket without its sale' from ticket t
      where status = 'settled' and not exists (
        select from sale s where s.org_id = t.org_id and s.id = t.id and s.total = (t.paid ->> 'total')::int)
    union all select 'sale of no settled ticket' from sale s
      where source = 'ticket' and not exists (select from ticket t where t.id = s.id and t.status = 'settled')
    union all select 'sale that is not paid' from sale s
      where total <> (select sum(amount) from sale_payment p where p.org_id = s.org_id and p.sale_id = s.id)
    union all select 'part-payment of a ticket that has ended' from part_payment
    union all select 'refund that its sale does not count' from sale s
      where refunded <> (select coalesce(sum(amount), 0) from sale_refund r where r.org_id = s.org_id and r.sale_id = s.id)
    union all select 'lines that are not those that were fired' from ticket_item
      group by org_id, origin_id, round_id having sum(quantity) not in (1, 3)
    union all select 'round without lines' from ticket_round r
      where not exists (select from ticket_item i where i.org_id = r.org_id and i.round_id = r.id)
    union all select 'round that the kitchen did not get once' from ticket_round r
      where 1 <> (select count(*) from kitchen_firing f where f.org_id = r.org_id and f.source_id = r.ticket_id and f.round = r.number)
    union all select 'sale that the kitchen did not get once' from sale s
      where source = 'counter' and 1 <> (select count(*) from kitchen_firing f where f.org_id = s.org_id and f.source_id = s.id)
    union all select 'firing of nothing' from kitchen_firing f
      where not exists (select from ticket_round r where r.ticket_id = f.source_id and r.number = f.round)
        and not exists (select from sale s where s.id = f.source_id)
    union all select 'dishes that are not those that were fired' from ticket_round r
      join ticket_item i on i.round_id = r.id
      left join kitchen_line l on l.line_id = i.origin_id
      group by i.origin_id, l.quantity having l.quantity is distinct from sum(i.quantity)
    union all select 'change that was not audited once' from ticket t
      where revision <> (select count(*) from audit a where a.subject = 'ticket' and a.subject_id = t.id)
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

test('the till has all of the money', async () => {
  const [sums] = await rows<{ expected: number; sold: number }>(`
    select (select sum(amount + tip)::int from sale_payment p join sale s on s.id = p.sale_id where s.till_id is not null) as expected,
           (select sum(total)::int + 100 * count(*) filter (where source = 'ticket')::int from sale) as sold
  `);
  expect(sums?.expected).toBe(sums?.sold);
});
