/**
 * Kills the server and PostgreSQL while guests place a hundred orders per second and staff move them, then
 * compares the database with every acknowledgement. `AHWA_CRASHES=<number> npm test --
 * test/process/crash-orders.test.ts` kills that many times more, and prints its figures.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TemplateName } from '../../src/messaging/domain/template.ts';
import {
  aBusyShop,
  CAKES,
  canaryGuest,
  GARDEN_MINUTES,
  isForged,
  MANAGER,
  orderOf,
  RARE,
  type Known,
} from '../support/shops/busy-shop.ts';
import { aJoin } from '../support/people/members.ts';
import { SLUG, thingId } from '../support/shops/cafe.ts';
import { crashFixture, until, type Crash } from '../support/programs/crashes.ts';
import { httpRequest } from '../support/server/http-client.ts';
import {
  retryingClient,
  orderStaff,
  keyOf,
  orderLoad,
  stepsOf,
  type Acknowledged,
  type RetryingClient,
  type OrderLoad,
  type MovedOrder,
} from '../support/programs/order-load.ts';
import { useProgram, eventually } from '../support/programs/program.ts';
import { INCONSISTENT_ROWS } from '../support/database/inconsistent-rows.ts';
import { openWhatsApp } from '../support/stand-ins/whatsapp.ts';

const bench = useProgram('file', 'embedded');
const messageFile = (): string => join(bench.dataDir(), 'messages.jsonl');
const fixture = crashFixture(bench, () => ({
  ...{ OTP_SENDER: 'file', OTP_FILE: messageFile(), RATE_LIMIT_SCALE: '0' },
}));
const { current, rows } = fixture;

const PASSWORD = 'canary-password-9417';
const PER_SECOND = 100;
/** Orders acknowledged before the next event. */
const A_FEW = 40;
const MORE_CRASHES = Number(process.env['AHWA_CRASHES'] ?? 0);

// ── People ──────────────────────────────────────────────────────────────────────────────────────

interface Line {
  readonly phone: string;
  readonly code?: string;
  readonly template?: TemplateName;
  readonly text?: string;
}

/** Texts that phones received, in order. */
const sent = (): Line[] =>
  readFileSync(messageFile(), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

const command = async (args: readonly string[], input?: string): Promise<string> => {
  const { code, stdout, stderr } = await bench.ahwa(args, {}, input);
  if (code !== 0) throw new Error(stderr);
  return stdout;
};

/** A guest with a proven phone; the first one also has a card. */
const proven = async (caller: RetryingClient, n: number): Promise<Known> => {
  const guest = canaryGuest(500 + n);
  await caller.postUntilAnswered('/public/otp/request', { phone: guest.typed });
  const code = sent().findLast((line) => line.phone === guest.phone)?.code;
  const { body } = await caller.postUntilAnswered('/public/otp/verify', { phone: guest.typed, code });
  const { device_token: deviceToken } = body as { device_token: string };
  if (n > 1) return { ...guest, deviceToken };
  const join = aJoin({ name: 'صاحب الكارت', phone: guest.typed, device_token: deviceToken });
  const joined = await caller.postUntilAnswered('/public/loyalty/join', join);
  const { member_token: memberToken } = joined.body as { member_token: string };
  return { ...guest, deviceToken, memberToken };
};

const signedIn = async (caller: RetryingClient): Promise<string> => {
  await command(['staff', 'password', SLUG, MANAGER], `${PASSWORD}\n`);
  const { body } = await caller.postUntilAnswered('/staff/sign-in', { email: MANAGER, password: PASSWORD });
  return (body as { token: string }).token;
};

// ── Scenario ────────────────────────────────────────────────────────────────────────────────────

interface Scenario {
  readonly caller: RetryingClient;
  readonly guests: readonly Known[];
  readonly token: string;
  readonly load: OrderLoad;
  readonly movedOrders: readonly MovedOrder[];
  readonly figures: string;
}
let scenario: Scenario;

const isOfGarden = ({ order }: Acknowledged): boolean => order.delivery_ref?.startsWith('D-GRD-') === true;
/** The crew that moves an order, or null; orders of the garden are left to the sweeper. */
const staffGroupOf = (taken: Acknowledged): 'early' | 'late' | null => {
  if (taken.n % 2 === 1 || isOfGarden(taken)) return null;
  return taken.n % 4 === 0 ? 'early' : 'late';
};

/** Every `many`th acknowledged order. */
const everyNth = (many: number): Acknowledged[] =>
  scenario.load.acknowledged().filter((_, place) => place % many === 0);

/** At random times. */
const moreCrashes = (): readonly Crash[] =>
  Array.from({ length: MORE_CRASHES }, (_, n) => (['server', 'postgres', 'both'] as const)[n % 3] ?? 'both');

const underLoad = async (): Promise<Scenario> => {
  await command(['import', '-'], JSON.stringify(aBusyShop()));
  await fixture.serve(0);
  const caller = retryingClient(() => current().port);
  const [token, ...guests] = await Promise.all([
    signedIn(caller),
    ...[1, 2, 3, 4, 5, 6].map((n) => proven(caller, n)),
  ]);
  const staffGroups = { early: orderStaff(caller, token, 6), late: orderStaff(caller, token, 6) };
  const load = orderLoad({
    ...{ client: caller, perSecond: PER_SECOND, orderOf: (n) => orderOf(n, guests) },
    onTaken: (taken) => {
      const staffGroup = staffGroupOf(taken);
      if (staffGroup !== null) staffGroups[staffGroup].take(taken);
    },
  });
  const more = (): Promise<true> => {
    const enough = load.acknowledged().length + A_FEW;
    return eventually(() => (load.acknowledged().length >= enough ? true : null), 'orders to be taken');
  };
  await more();
  for (const crash of ['unheard order', 'half written', 'postgres', 'both', ...moreCrashes()] as const) {
    // Before that, the order must be one without notifications.
    if (crash === 'half written') staffGroups.early.begin();
    await fixture.crashes[crash](caller);
    await more();
  }
  const isRefused = (status: number): boolean => load.refused().some((each) => each.status === status);
  await eventually(() => (isRefused(401) && isRefused(409) ? true : null), 'orders to be refused');
  const figures = await fixture.figures();
  await load.stop();
  await staffGroups.early.stop();
  await fixture.crashes['unheard move'](caller, staffGroups.late.begin);
  await staffGroups.late.stop();
  return {
    caller,
    guests,
    token,
    load,
    figures,
    movedOrders: [...staffGroups.early.moved(), ...staffGroups.late.moved()],
  };
};

const GARDEN = `status = 'received' and delivery_ref like 'D-GRD-%'`;

/**
 * Hours later the garden's orders are overdue. The first sweeper is killed while its messages wait for a
 * silent provider; the next one finishes.
 */
const sweptInTwo = async (): Promise<void> => {
  const silent = await openWhatsApp();
  silent.instead = () => undefined;
  await fixture.killServer();
  await fixture.withTables(async (client) => {
    await client.query('begin');
    await client.query(
      `select from delivery_order where id = (
         select id from delivery_order where ${GARDEN} order by created_at, id
         offset (select count(*) / 2 from delivery_order where ${GARDEN}) limit 1)
       for update`,
    );
    await fixture.serve(GARDEN_MINUTES * 60_000, {
      ...{ OTP_SENDER: 'whatsapp', WHATSAPP_TOKEN: silent.token, WHATSAPP_PHONE_ID: silent.phoneId },
      ...{ WHATSAPP_API: silent.api, OTP_FILE: '' },
    });
    await until(client, `select from delivery_order where status = 'rejected'`, 'the sweeper to begin');
    await eventually(() => (silent.requests > 0 ? true : null), 'a message to be on its way');
    await fixture.killServer();
    await silent.stop();
    await client.query('rollback');
    await fixture.serve();
    const none = (of: string): string => `select where not exists (select from ${of})`;
    await until(client, none(`delivery_order where ${GARDEN}`), 'the sweeper to end');
    await until(client, none(`outbox where status = 'waiting'`), 'everything to be sent');
  });
};

beforeAll(
  async () => {
    scenario = await underLoad();
    await sweptInTwo();
  },
  180_000 + MORE_CRASHES * 30_000,
);

// ── Verification ────────────────────────────────────────────────────────────────────────────────

test('crashes interrupted requests, and the server restarted PostgreSQL by itself', () => {
  const { caller, load, movedOrders } = scenario;
  const acknowledged = load.acknowledged();
  expect(caller.lost()).toBeGreaterThan(0);
  expect(caller.unavailable()).toBeGreaterThan(0);
  // Committed before a crash, acknowledged after it.
  expect(acknowledged.filter(({ status }) => status === 200)).not.toEqual([]);
  expect(movedOrders).not.toEqual([]);
  const output = fixture.servers.map((server) => server.stdout() + server.stderr()).join('');
  expect(output).toContain('PostgreSQL has ended unexpectedly; starting it again');
  expect(output).not.toContain('"level":"error"');
  if (MORE_CRASHES === 0) return;
  const figures = {
    ...{
      acknowledged: acknowledged.length,
      at_the_second_asking: acknowledged.filter(({ status }) => status === 200).length,
    },
    ...{ refused: load.refused().length, movedOrders: movedOrders.length, starts: fixture.servers.length },
    ...{ lost: caller.lost(), unavailable: caller.unavailable(), sent: sent().length },
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
});

describe('orders after crashes', () => {
  test('each acknowledged order is stored once with its key and price, and no other order exists', async () => {
    const found = await rows<{ key: string; id: string; ref: string; total: number }>(
      `select k.key, o.id, o.delivery_ref as ref, o.total::int
       from delivery_order o left join idempotency_key k on k.org_id = o.org_id and k.subject_id = o.id
       order by key collate "C"`,
    );
    const acknowledged = scenario.load
      .acknowledged()
      .map(({ key, order: { id, delivery_ref: ref, total } }) => ({ key, id, ref, total }));
    expect(found).toEqual(acknowledged.sort((a, b) => (a.key < b.key ? -1 : 1)));
  });

  test('tracking returns the acknowledged reference and amounts', async () => {
    for (const { order } of everyNth(10)) {
      const { status, body } = await current().get(`/public/delivery-orders/${order.id}/track`);
      const { delivery_ref, total, subtotal } = order;
      expect([status, body]).toEqual([200, expect.objectContaining({ delivery_ref, total, subtotal })]);
    }
  });

  test('a retried idempotency key returns the stored order and creates none', async () => {
    const before = await rows('select count(*) from delivery_order');
    for (const { n, key, order } of everyNth(40)) {
      const headers = { 'idempotency-key': key };
      const again = await scenario.caller.postUntilAnswered(
        '/public/delivery-orders',
        orderOf(n, scenario.guests),
        headers,
      );
      const { id, total } = order;
      expect([again.status, again.body]).toEqual([200, expect.objectContaining({ id, total })]);
    }
    expect(await rows('select count(*) from delivery_order')).toEqual(before);
  });

  test('orders refused with 401 or 409 leave no idempotency key', async () => {
    const refused = scenario.load.refused();
    const ways = refused.map(({ n, status }) => `${isForged(n) ? 'forged' : 'honest'} ${status}`);
    expect([...new Set(ways)].sort()).toEqual(['forged 401', 'honest 409']);
    const keys = refused.map(({ n }) => keyOf(n));
    expect(await rows('select key from idempotency_key where key = any($1)', [keys])).toEqual([]);
  });

  test('every total is the sum of lines, discount, charges and tax', async () => {
    const wrong = await rows(
      `select id from delivery_order
       where subtotal <> (select sum((line ->> 'line_total')::bigint) from jsonb_array_elements(cart -> 'lines') line)
          or total <> subtotal - discount_amount + service_charge_amount + delivery_fee
                      + case when tax_inclusive then 0 else tax_amount end`,
    );
    expect(wrong).toEqual([]);
  });

  test('the order numbers of each branch run from one without a gap', async () => {
    const found = await rows<{ branch: string; numbers: number[]; last: number }>(
      `with numbered as (
         select org_id, split_part(delivery_ref, '-', 2) as branch, split_part(delivery_ref, '-', 4)::int as number
         from delivery_order)
       select branch, array_agg(number order by number) as numbers, last
       from numbered n join order_number o on o.org_id = n.org_id and branch_code = branch
       group by branch, last order by branch`,
    );
    expect(found.map(({ branch }) => branch)).toEqual(['ASK', 'GRD', 'OPN']);
    for (const { numbers, last } of found)
      expect(numbers).toEqual(Array.from({ length: last }, (_, place) => place + 1));
  });

  test('stock plus the units of orders that hold stock equals the initial stock', async () => {
    const shelves = await rows<{ item: string; stock: number; held: number }>(
      `select a.subject_id as item, a.stock::int,
              (select coalesce(sum(t.units), 0)::int
               from delivery_order o, jsonb_to_recordset(o.stock_taken) as t(id uuid, units int)
               where o.branch_id = a.branch_id and t.id = a.subject_id and o.cancel_restocked is not true) as held
       from availability a where a.stock is not null`,
    );
    const [cake, rare] = [thingId('item', 'cake'), thingId('item', 'rare')];
    expect(shelves.map(({ item, stock, held }) => [item, stock + held]).sort()).toEqual(
      [
        [cake, CAKES],
        [cake, CAKES],
        [cake, CAKES],
        [rare, RARE],
      ].sort(),
    );
    const wrong = await rows(
      `select id from delivery_order
       where (select coalesce(sum(units), 0) from jsonb_to_recordset(stock_taken) as t(units int))
          <> (select coalesce(sum((sold ->> 'quantity')::int), 0)
              from (select jsonb_path_query(cart, '$.lines[*]')
                    union all select jsonb_path_query(cart, '$.lines[*].combo.parts[*]')) as line(sold)
              where (sold ->> 'menu_item_id')::uuid = any($1))`,
      [[cake, rare]],
    );
    expect(wrong).toEqual([]);
  });
});

test('no stored row is inconsistent or duplicated', async () => {
  expect(await rows(INCONSISTENT_ROWS)).toEqual([]);
  // The scenario has produced such cases.
  expect(await rows('select from customer_address where use_count > 1')).not.toEqual([]);
  expect(await rows('select from sale')).not.toEqual([]);
});

test('each acknowledged move is stored once, in order, and counted by the revision', async () => {
  const found = await rows(
    `select o.id, o.status, o.revision,
            array_agg(a.detail ->> 'to' order by (a.detail ->> 'revision')::int) as steps
     from delivery_order o join audit a on a.org_id = o.org_id and a.subject_id = o.id and a.staff_id is not null
     group by o.org_id, o.id order by o.id`,
  );
  const acknowledged = scenario.movedOrders.map(({ taken, steps }) => ({
    ...{ id: taken.order.id, status: steps.at(-1)?.to, revision: 1 + steps.length },
    steps: steps.map(({ to }) => to),
  }));
  expect(found).toEqual(acknowledged.sort((a, b) => (a.id < b.id ? -1 : 1)));
});

test('overdue orders are rejected once each, although the first sweeper was killed', async () => {
  const found = await rows(
    `select count(*)::int as rejected,
            (select count(*)::int from audit where action = 'order.not_confirmed') as audited
     from delivery_order where revision = 2 and cancel_reason = 'not_confirmed' and cancel_restocked`,
  );
  const { length } = scenario.load.acknowledged().filter(isOfGarden);
  expect(found).toEqual([{ rejected: length, audited: length }]);
});

describe('messages after crashes', () => {
  /** Expected notifications per order, in sequence. */
  const expectedMessages = (): [string, TemplateName[]][] => {
    const movedOrders = new Set(scenario.movedOrders.map(({ taken }) => taken));
    return scenario.load
      .acknowledged()
      .map((taken) => [
        taken.order.id,
        [
          'order_received',
          ...(movedOrders.has(taken) ? stepsOf(taken).flatMap(({ notifies }) => notifies ?? []) : []),
          ...(isOfGarden(taken) ? (['order_rejected'] as const) : []),
        ],
      ]);
  };

  test('each message is one outbox row with status sent', async () => {
    const found = await rows<{ id: string; templates: TemplateName[] }>(
      `select subject_id as id, array_agg(payload ->> 'template' order by position) as templates
       from outbox where status = 'sent' group by subject_id`,
    );
    expect(new Map(found.map(({ id, templates }) => [id, templates]))).toEqual(new Map(expectedMessages()));
    expect(await rows(`select from outbox where status <> 'sent'`)).toEqual([]);
  });

  test('each message reaches the phone of its order at least once, in order', () => {
    const received = new Map<string, { readonly phones: Set<string>; readonly templates: TemplateName[] }>();
    for (const { phone, template, text = '' } of sent()) {
      const id = /\/track\/([0-9a-f-]{36})/.exec(text)?.[1];
      if (id === undefined || template === undefined) continue;
      const { phones, templates } = received.get(id) ?? { phones: new Set(), templates: [] };
      received.set(id, { phones: phones.add(phone), templates });
      // A message resent after a crash repeats itself.
      if (templates.at(-1) !== template) templates.push(template);
    }
    const phoneOf = new Map(
      scenario.load.acknowledged().map(({ order }) => [order.id, order.customer_phone]),
    );
    expect(received).toEqual(
      new Map(
        expectedMessages().map(([id, templates]) => [id, { phones: new Set([phoneOf.get(id)]), templates }]),
      ),
    );
  });
});

// ── Canaries ────────────────────────────────────────────────────────────────────────────────────

describe('phones and tokens', () => {
  /** As stored; a phone without the country code, which a text may omit. */
  const canaries = (): string[] => {
    const { guests, token, load } = scenario;
    const phones = new Set(load.acknowledged().map(({ order }) => order.customer_phone.slice(2)));
    return [
      ...phones,
      ...guests.flatMap(({ deviceToken, memberToken = [] }) => [deviceToken].concat(memberToken)),
      ...[token, PASSWORD],
    ];
  };
  const foundIn = (text: string): string[] => canaries().filter((canary) => text.includes(canary));

  test('the search of these tests finds phones and tokens', () => {
    expect(foundIn(canaries().join(' '))).toEqual(canaries());
    expect(canaries().length).toBeGreaterThan(30);
    expect(scenario.guests.some(({ memberToken }) => memberToken !== undefined)).toBe(true);
  });

  test('no phone or token is in the output of a server or the log of PostgreSQL', () => {
    for (const server of fixture.servers) expect(foundIn(server.stdout() + server.stderr())).toEqual([]);
    expect(foundIn(readFileSync(join(bench.dataDir(), 'postgres.log'), 'utf8'))).toEqual([]);
  });

  test('no phone or token is in the metrics', () => {
    expect(scenario.figures).toContain('operation="placeOrder",status="201"');
    expect(foundIn(scenario.figures)).toEqual([]);
  });

  test('no phone or token is in a public answer, except the phone of an own order', async () => {
    for (const text of scenario.caller.refusals()) expect(foundIn(text)).toEqual([]);
    for (const { order, text } of scenario.load.acknowledged())
      expect(foundIn(text)).toEqual([order.customer_phone.slice(2)]);
    for (const { order } of everyNth(20)) {
      const tracked = await current().get(`/public/delivery-orders/${order.id}/track`);
      const params = { name: 'track_order', arguments: { order_id: order.id } };
      const answered = await httpRequest(current().port, '/mcp', {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      expect(answered.text).toContain(order.delivery_ref);
      expect(foundIn(tracked.text + answered.text)).toEqual([]);
    }
  });

  test('no phone or token is in the outbox, the audit log or the idempotency keys', async () => {
    const kept = await rows<{ text: string }>(
      `select payload::text as text from outbox union all select detail::text from audit
       union all select row_to_json(k)::text from idempotency_key k`,
    );
    expect(foundIn(kept.map(({ text }) => text).join('\n'))).toEqual([]);
  });
});
