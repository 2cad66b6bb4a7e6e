/** Due work, with one sweeper and with several at once. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { moveOrder } from '../../src/orders/app/board.ts';
import { handlersOf } from '../../src/service/app/handlers.ts';
import { LookupLimit } from '../../src/platform/app/limits/lookup-limit.ts';
import type { Uuid } from '../../src/kernel/ids.ts';
import { Refusal } from '../../src/kernel/refusal.ts';
import { insertOrder, type OrderFacts } from '../support/database/orders-and-bookings.ts';
import { newId } from '../support/database/ids.ts';
import { aBranch, aMenu, aShopFile, branchId, openShops, shopId, thingId } from '../support/shops/cafe.ts';
import { openProxy } from '../support/database/proxy.ts';
import { waitingForLocks } from '../support/database/test-database.ts';
import { insert } from '../support/database/rows.ts';
import { anOwner, sweepingProcess, type SweepingProcess } from '../support/background/sweeper.ts';
import { auditOf, changesOf, storedAvailability } from '../support/database/stored-rows.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const [SECOND, MINUTE] = [1_000, 60_000];
const EVERY = 5 * SECOND;
const iso = (instant: number): string => new Date(instant).toISOString();

let world: World;
let opened: SweepingProcess[] = [];

beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());
afterEach(async () => {
  await Promise.all(opened.map((one) => one.close()));
  opened = [];
});

const aProcess = (...[connection]: [Parameters<typeof sweepingProcess>[1]?]): SweepingProcess => {
  const made = sweepingProcess(world, connection);
  opened.push(made);
  return made;
};

/** One round of all of them at once. */
const sweepTogether = async (processes: readonly SweepingProcess[]): Promise<void> => {
  await Promise.all(processes.map(({ sweeper }) => sweeper.sweep()));
};

let shops = 0;
/** The shop's first branch lets an order wait ten minutes. */
const aShop = async (stock?: number): Promise<string> => {
  const slug = `sweep-${(shops += 1)}`;
  const { items = [], ...menu } = aMenu();
  const counted = stock === undefined ? {} : { availability: [{ branch: 'zamalek', stock }] };
  await openShops(
    world,
    aShopFile({
      slug,
      branches: [
        aBranch({ auto_reject_minutes: 10, channels: { pickup: {}, outside: {} } }),
        aBranch({ key: 'maadi', code: 'MAD', name: { ar: 'المعادي' } }),
      ],
      menu: { ...menu, items: items.map((item) => ({ ...item, ...counted })) },
    }),
  );
  return slug;
};

/** An order placed `minutes` ago by a guest with a phone. */
const orderFrom = (slug: string, minutes: number, facts: OrderFacts = {}): Promise<Uuid> =>
  insertOrder(world, {
    slug,
    createdAt: iso(world.now - minutes * MINUTE),
    ...facts,
    row: { customer_phone: '201001234567', ...facts.row },
  });

interface StoredOrder {
  readonly status: string;
  readonly revision: number;
  readonly reason: string | null;
}

const stored = async (id: Uuid): Promise<StoredOrder | undefined> => {
  const { rows } = await sql<StoredOrder>`
    select status, revision, cancel_reason as reason from delivery_order where id = ${id}
  `.execute(world.db.kysely);
  return rows[0];
};

/** Templates of the messages about an order. */
const messagesOf = async (id: Uuid): Promise<string[]> => {
  const { rows } = await sql<{ template: string }>`
    select payload ->> 'template' as template from outbox
    where subject_id = ${id} and kind = 'message' order by position
  `.execute(world.db.kysely);
  return rows.map(({ template }) => template);
};

/** Locks an order during `work`; `waiting` resolves once that many sessions wait for it. */
const whileHeld = <T>(
  slug: string,
  id: Uuid,
  work: (waiting: (count: number) => Promise<void>) => Promise<T>,
): Promise<T> =>
  world.db.tx(async (tx) => {
    await sql`select from delivery_order where org_id = ${shopId(slug)} and id = ${id} for update`.execute(
      tx,
    );
    return work((count) => waitingForLocks(world.db, count));
  });

const REJECTED = { status: 'rejected', revision: 2, reason: 'not_confirmed' };
const WAITING = { status: 'received', revision: 1, reason: null };

describe('an unconfirmed order', () => {
  test('is rejected after the branch’s auto_reject_minutes, with a message to the guest', async () => {
    const slug = await aShop();
    const [late, inTime] = [await orderFrom(slug, 11), await orderFrom(slug, 10)];
    const { sweeper } = aProcess();
    await sweeper.sweep();
    expect(await stored(late)).toEqual(REJECTED);
    expect(await stored(inTime)).toEqual(WAITING);
    expect(await messagesOf(late)).toEqual(['order_rejected']);
    expect(await changesOf(world, 'delivery', late)).toEqual([`order:${late}`]);
    expect(await auditOf(world, late)).toMatchObject([{ action: 'order.not_confirmed', staff_id: null }]);
    world.now += 1;
    await sweeper.sweep();
    expect(await stored(inTime)).toEqual(REJECTED);
  });

  test('is never rejected where the branch has set no auto_reject_minutes', async () => {
    const slug = await aShop();
    const id = await orderFrom(slug, 100_000, { branch: 'maadi' });
    await aProcess().sweeper.sweep();
    expect(await stored(id)).toEqual(WAITING);
  });

  test('is rejected once by four concurrent sweepers: one message, stock returned once', async () => {
    const slug = await aShop(0);
    const coffee = thingId('item', 'turkish', slug);
    const target = newId();
    await insert(world.db.kysely, 'webhook_target', {
      ...{ org_id: shopId(slug), id: target, url: 'https://shop.example/hook', generation: 1 },
      ...{ secret_hash: '\\x00', is_active: true, created_at: iso(world.now) },
    });
    const ids: Uuid[] = [];
    for (let n = 0; n < 50; n += 1)
      ids.push(await orderFrom(slug, 20, { row: { stock_taken: [{ id: coffee, units: 2 }] } }));
    await sweepTogether([aProcess(), aProcess(), aProcess(), aProcess()]);
    for (const id of ids) {
      expect(await stored(id)).toEqual(REJECTED);
      expect(await messagesOf(id)).toEqual(['order_rejected']);
      expect(await auditOf(world, id)).toHaveLength(1);
    }
    const events = await sql`select from outbox where target_id = ${target}`.execute(world.db.kysely);
    expect(events.rows).toHaveLength(50);
    expect(await storedAvailability(world, branchId('zamalek', slug), coffee)).toMatchObject({ stock: 100 });
    // One notification, when the first units made it available again.
    expect(await changesOf(world, 'availability', coffee)).toEqual([`branch:${branchId('zamalek', slug)}`]);
  });

  test('that staff confirm at the same time has one outcome, confirmed or rejected', async () => {
    const slug = await aShop();
    const ids: Uuid[] = [];
    for (let n = 0; n < 40; n += 1) ids.push(await orderFrom(slug, 20));
    const actor = anOwner(slug);
    // Staff start with the newest order and the sweepers with the oldest, so that they meet.
    const confirmed = [...ids].reverse().map((id) =>
      moveOrder(world.app)({ path: { id }, body: { to: 'confirmed', from: 'received' }, actor }).then(
        ({ status }) => status,
        (fault: unknown) => (fault instanceof Refusal ? fault.refusal : fault),
      ),
    );
    await sweepTogether([aProcess(), aProcess()]);
    const answers = new Map((await Promise.all(confirmed)).reverse().map((answer, n) => [ids[n], answer]));
    for (const id of ids) {
      const order = await stored(id);
      expect(order?.revision).toBe(2);
      expect(answers.get(id)).toBe(order?.status === 'confirmed' ? 'confirmed' : 'ORDER_ENDED');
      expect(await messagesOf(id)).toEqual([`order_${order?.status}`]);
      expect(await auditOf(world, id)).toHaveLength(1);
    }
  });

  test.each(['the sweeper', 'the staff'] as const)(
    'is decided by the first to lock it: %s',
    async (first) => {
      const slug = await aShop();
      const id = await orderFrom(slug, 20);
      const { sweeper } = aProcess();
      const path = { id };
      const actor = anOwner(slug);
      const begin = {
        'the sweeper': () => sweeper.sweep(),
        'the staff': () => moveOrder(world.app)({ path, body: { to: 'confirmed', from: 'received' }, actor }),
      };
      const second = first === 'the staff' ? 'the sweeper' : 'the staff';
      const { both } = await whileHeld(slug, id, async (waiting) => {
        const one = begin[first]();
        await waiting(1);
        const other = begin[second]();
        await waiting(2);
        return { both: Promise.allSettled([one, other]) };
      });
      const [, loser] = await both;
      const status = first === 'the staff' ? 'confirmed' : 'rejected';
      expect(await stored(id)).toMatchObject({ status, revision: 2 });
      expect(await messagesOf(id)).toEqual([`order_${status}`]);
      // A sweeper that loses does not fail.
      expect(loser).toMatchObject(
        first === 'the staff' ? { status: 'fulfilled' } : { reason: { refusal: 'ORDER_ENDED' } },
      );
    },
  );

  test('that cannot be rejected blocks no other order, is logged once and retried', async () => {
    const slug = await aShop();
    const damaged = await orderFrom(slug, 30, { row: { stock_taken: 'no list' } });
    const fine = await orderFrom(slug, 20);
    const { sweeper, logged } = aProcess();
    await sweeper.sweep();
    expect(await stored(fine)).toEqual(REJECTED);
    expect(await stored(damaged)).toEqual(WAITING);
    await sweeper.sweep();
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain('"job":"unconfirmed orders"');
    await sql`update delivery_order set stock_taken = '[]' where id = ${damaged}`.execute(world.db.kysely);
    await sweeper.sweep();
    expect(await stored(damaged)).toEqual(REJECTED);
    expect(logged).toHaveLength(2);
    expect(logged[1]).toContain('the sweep succeeds again');
  });
});

const asStaff = () =>
  handlersOf({
    app: world.app,
    background: world.app,
    timers: { every: () => () => undefined, after: () => () => undefined },
    lookups: new LookupLimit({ scale: 0, monotonic: () => 0 }),
    leases: world.leases,
    readiness: { check: () => Promise.resolve({ failing: [], isSilent: false }) },
  });

const stateOf = async (slug: string, channel: string) => {
  const { rows } = await sql<{ mode: string; until: number | null }>`
    select mode, mode_until as until from branch_channel
    where org_id = ${shopId(slug)} and branch_id = ${branchId('zamalek', slug)} and channel = ${channel}
  `.execute(world.db.kysely);
  return rows[0];
};

describe('a channel mode that has expired', () => {
  test('is ended once by four concurrent sweepers, with one change and one audit entry', async () => {
    const slug = await aShop();
    const branch = branchId('zamalek', slug);
    const actor = anOwner(slug);
    const until = iso(world.now + 30 * MINUTE);
    const pause = asStaff().setChannelMode;
    const channel = (name: 'pickup' | 'outside') => ({ id: branch, channel: name });
    await pause({ path: channel('pickup'), body: { mode: 'closed', until }, actor });
    await pause({ path: channel('outside'), body: { mode: 'open' }, actor });
    const processes = [aProcess(), aProcess(), aProcess(), aProcess()];
    await sweepTogether(processes);
    expect(await stateOf(slug, 'pickup')).toEqual({ mode: 'closed', until: Date.parse(until) });
    world.now += 30 * MINUTE;
    await sweepTogether(processes);
    expect(await stateOf(slug, 'pickup')).toEqual({ mode: 'auto', until: null });
    expect(await stateOf(slug, 'outside')).toEqual({ mode: 'open', until: null });
    expect(await changesOf(world, 'channel', branch)).toHaveLength(3);
    expect((await auditOf(world, branch)).at(-1)).toMatchObject({
      ...{ action: 'channel.resumed', staff_id: null, branch_id: branch },
      detail: { channel: 'pickup', from: 'closed', to: 'auto', until: null },
    });
    expect(await auditOf(world, branch)).toHaveLength(3);
  });
});

describe('a snooze', () => {
  test('that has expired is ended once by four sweepers, and counted stock stays', async () => {
    const slug = await aShop(7);
    const [branch, other] = [branchId('zamalek', slug), branchId('maadi', slug)];
    const coffee = thingId('item', 'turkish', slug);
    const actor = anOwner(slug);
    const until = iso(world.now + 10 * MINUTE);
    const snooze = asStaff().setAvailability;
    for (const id of [branch, other])
      await snooze({ path: { id, item_id: coffee }, body: { available: false, until }, actor });
    world.now += 10 * MINUTE;
    await sweepTogether([aProcess(), aProcess(), aProcess(), aProcess()]);
    expect(await storedAvailability(world, branch, coffee)).toEqual({
      isOn: true,
      soldOutUntil: null,
      stock: 7,
    });
    expect(await storedAvailability(world, other, coffee)).toBeNull();
    expect([...(await changesOf(world, 'availability', coffee))].sort()).toEqual(
      [branch, branch, other, other].map((id) => `branch:${id}`).sort(),
    );
    const entries = await auditOf(world, coffee);
    expect(entries.map(({ action, staff_id }) => [action, staff_id === null])).toEqual([
      ['item.snoozed', false],
      ['item.snoozed', false],
      ['item.available', true],
      ['item.available', true],
    ]);
  });

  test('without an end is never ended', async () => {
    const slug = await aShop();
    const [branch, coffee] = [branchId('zamalek', slug), thingId('item', 'turkish', slug)];
    const path = { id: branch, item_id: coffee };
    await asStaff().setAvailability({ path, body: { available: false }, actor: anOwner(slug) });
    world.now += 1_000 * 24 * 60 * MINUTE;
    await aProcess().sweeper.sweep();
    expect(await storedAvailability(world, branch, coffee)).toMatchObject({ soldOutUntil: Infinity });
  });
});

describe('the sweeper', () => {
  test('sweeps at its start and every five seconds until it is stopped', async () => {
    const slug = await aShop();
    const [first, second, third] = [
      await orderFrom(slug, 11),
      await orderFrom(slug, 5),
      await orderFrom(slug, 0),
    ];
    const { sweeper, fire, pending } = aProcess();
    sweeper.start();
    sweeper.start();
    await sweeper.sweep();
    expect(await stored(first)).toEqual(REJECTED);
    expect(pending()).toEqual([EVERY]);
    world.now += 6 * MINUTE;
    fire(EVERY);
    await sweeper.sweep();
    expect(await stored(second)).toEqual(REJECTED);
    await sweeper.stop();
    expect(pending()).toEqual([]);
    world.now += 6 * MINUTE;
    await sweeper.sweep();
    expect(await stored(third)).toEqual(WAITING);
  });

  test('waits at its stop for the order under way and leaves the others', async () => {
    const slug = await aShop();
    const [first, second] = [await orderFrom(slug, 60), await orderFrom(slug, 50)];
    const { sweeper } = aProcess();
    const { stopping } = await whileHeld(slug, first, async (waiting) => {
      void sweeper.sweep();
      await waiting(1);
      const stopped = sweeper.stop().then(() => 'stopped');
      expect(await Promise.race([stopped, world.db.ping().then(() => 'at it')])).toBe('at it');
      return { stopping: stopped };
    });
    await stopping;
    expect(await stored(first)).toEqual(REJECTED);
    expect(await stored(second)).toEqual(WAITING);
    await aProcess().sweeper.sweep();
  });

  test('logs once that the database is unreachable and resumes when it returns', async () => {
    const slug = await aShop();
    const id = await orderFrom(slug, 11);
    const proxy = await openProxy(world.database.connection);
    const process = aProcess(proxy.connection);
    proxy.cut();
    await process.sweeper.sweep();
    await process.sweeper.sweep();
    expect(process.logged).toHaveLength(1);
    expect(process.logged[0]).toContain('it is tried again');
    proxy.restore();
    await process.sweeper.sweep();
    expect(await stored(id)).toEqual(REJECTED);
    expect(process.logged).toHaveLength(2);
    await process.close();
    await proxy.close();
  });
});
