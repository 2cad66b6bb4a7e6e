/** Server-Sent Events over real sockets: each event once and in order. */
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  MAX_STREAM_MS,
  MAX_BACKLOG,
  MAX_STREAMS_PER_SESSION,
  CHECK_MS,
} from '../../src/orders/app/board-events.ts';
import { HEARTBEAT_MS } from '../../src/doors/http/events.ts';
import {
  eventLoopTurn,
  receive,
  openBoard,
  summaryOf,
  type ReceivedEvent,
  type BoardStream,
} from '../support/server/board-client.ts';
import { branchId, openShops, shopId, thingId } from '../support/shops/cafe.ts';
import {
  aStaffedShop,
  changed,
  orderOf,
  setCredentials,
  type SignedIn,
  signInAs,
} from '../support/people/staff.ts';
import { done } from '../support/server/requests.ts';
import { openProxy, type DatabaseProxy } from '../support/database/proxy.ts';
import { httpRequest } from '../support/server/http-client.ts';
import { anOrder, placed } from '../support/people/guests.ts';
import { manualTimers } from '../support/background/manual-timers.ts';
import { hearAgain, makeWorld, type World } from '../support/server/world.ts';

const OTHER = 'kashk';
const EVENT_STREAM = 'text/event-stream; charset=utf-8';

/** A server, and another on the same database, whose connection can be cut. */
let world: World;
let second: World;
let proxy: DatabaseProxy;
const [timers, secondTimers] = [manualTimers(), manualTimers()];
let teller: SignedIn;
let owner: SignedIn;
beforeAll(async () => {
  world = await makeWorld({ timers: timers.timers, maxWaiting: 3 });
  proxy = await openProxy(world.database.connection);
  const database = { database: world.database, connection: proxy.connection };
  second = await makeWorld({ ...database, timers: secondTimers.timers });
  await openShops(world, aStaffedShop(), aStaffedShop(OTHER));
  await setCredentials(world);
  await setCredentials(world, OTHER);
});
beforeEach(async () => {
  teller = await signInAs(world, 'teller');
  owner = await signInAs(world, 'owner');
});
afterAll(async () => {
  await second.close();
  await proxy.close();
  await world.close();
});

const open: BoardStream[] = [];
afterEach(async () => {
  for (const board of open) board.close();
  await Promise.all(open.splice(0).map(({ ended }) => ended));
});

const addressOf = (branch: string): string => `/staff/events?branch_id=${branch}`;

const boardAt = async (
  at: World,
  who: SignedIn,
  { branch = 'zamalek', lastId }: { readonly branch?: string; readonly lastId?: string } = {},
): Promise<BoardStream> => {
  const headers = { ...who, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) };
  // A confirmed order is a ticket of the kitchen too: `kitchen/kitchen.test.ts` receives those.
  const board = await openBoard(at.port, addressOf(branchId(branch)), headers, ['kitchen_ticket']);
  open.push(board);
  return board;
};

const [confirm, cancel] = [
  { to: 'confirmed', from: 'received' },
  { reason: 'other', restock: true, from: 'confirmed' },
];

const isGrowing = (events: readonly ReceivedEvent[]): boolean =>
  events.every(({ id }, at) => at === 0 || Number(id) > Number(events[at - 1]?.id));

describe('a board', () => {
  test('receives an event with the current order for every step of the order', async () => {
    const board = await boardAt(world, teller);
    expect(board.status).toBe(200);
    expect(board.headers).toMatchObject({ 'content-type': EVENT_STREAM, 'cache-control': 'no-store' });
    const { id } = await placed(world);
    const [placedEvent] = await receive(board, 1);
    expect(placedEvent).toMatchObject({ event: 'delivery', data: { type: 'delivery', id } });
    expect(placedEvent?.data.order).toEqual(await orderOf(world, teller, id));
    const confirmed = await changed(world, teller, id, 'move', confirm);
    expect((await board.next()).data.order).toEqual(confirmed);
    const printed = await changed(world, teller, id, 'printed');
    expect((await board.next()).data.order).toEqual(printed);
    const off = await changed(world, teller, id, 'cancel', cancel);
    expect((await board.next()).data.order).toEqual(off);
  });

  test('receives one event for a repeated step', async () => {
    const { id } = await placed(world);
    const board = await boardAt(world, teller);
    for (let tap = 0; tap < 3; tap += 1) await changed(world, teller, id, 'move', confirm);
    const other = await placed(world);
    expect((await receive(board, 2)).map(summaryOf)).toEqual([`${id} confirmed 2`, `${other.id} received 1`]);
  });

  test('receives no event of another branch or shop', async () => {
    const [here, there] = [await boardAt(world, owner), await boardAt(world, owner, { branch: 'maadi' })];
    const headers = await signInAs(world, 'owner', OTHER);
    const elsewhere = await openBoard(world.port, addressOf(branchId('zamalek', OTHER)), headers);
    open.push(elsewhere);
    const items = [{ menu_item_id: thingId('item', 'turkish', OTHER), quantity: 1 }];
    const ofOtherShop = await placed(world, anOrder({ branch_id: branchId('zamalek', OTHER), items }));
    const ofOtherBranch = await placed(world, anOrder({ branch_id: branchId('maadi') }));
    const ofThisBranch = await placed(world);
    expect(summaryOf(await here.next())).toBe(`${ofThisBranch.id} received 1`);
    expect(summaryOf(await there.next())).toBe(`${ofOtherBranch.id} received 1`);
    expect(summaryOf(await elsewhere.next())).toBe(`${ofOtherShop.id} received 1`);
    for (const board of [here, there, elsewhere]) {
      board.close();
      expect(await board.ended).toEqual([]);
    }
  });

  test('receives events of channels and availability, and one per menu import', async () => {
    const board = await boardAt(world, owner);
    const put = (address: string, body: object) =>
      world.send('PUT', address, { ...owner, 'content-type': 'application/json' }, JSON.stringify(body));
    const channel = `/staff/branches/${branchId()}/channels/umbrella`;
    for (const mode of ['closed', 'auto']) {
      done('setChannelMode', await put(channel, { mode }));
      expect(await board.next()).toMatchObject({
        ...{ event: 'channel', data: { type: 'channel', id: branchId() } },
      });
    }
    const item = thingId('item', 'turkish');
    for (const available of [false, true]) {
      done(
        'setAvailability',
        await put(`/staff/branches/${branchId()}/items/${item}/availability`, { available }),
      );
      expect(await board.next()).toMatchObject({ event: 'availability', data: { id: item } });
    }
    const before = Number(board.lastId());
    const many = Array.from({ length: 30 }, (_, at) => ({
      ...{
        key: `drink-${at}`,
        name: { ar: `مشروب ${at}`, en: `Drink ${at}` },
        category: 'coffee',
        price: 1000,
      },
    }));
    const file = aStaffedShop();
    await openShops(world, { ...file, menu: { ...file.menu, items: [...(file.menu.items ?? []), ...many] } });
    // An import runs in another process.
    await world.hearOfChanges();
    const menu = await board.next();
    expect(menu).toMatchObject({ event: 'menu', data: { type: 'menu', id: shopId() } });
    expect(Number(menu.id) - before).toBeGreaterThanOrEqual(30);
    const { id } = await placed(world);
    expect(summaryOf(await board.next())).toBe(`${id} received 1`);
  });

  test('receives a change of another process with the next poll', async () => {
    const [atFirst, atSecond] = [await boardAt(world, teller), await boardAt(second, teller)];
    const { id } = await placed(world);
    expect(summaryOf(await atFirst.next())).toBe(`${id} received 1`);
    await second.hearOfChanges();
    expect(summaryOf(await atSecond.next())).toBe(`${id} received 1`);
    await changed(second, teller, id, 'move', confirm);
    expect(summaryOf(await atSecond.next())).toBe(`${id} confirmed 2`);
    await world.hearOfChanges();
    expect(summaryOf(await atFirst.next())).toBe(`${id} confirmed 2`);
  });

  test('receives missed changes as soon as its server reaches the database again', async () => {
    const board = await boardAt(second, teller);
    proxy.cut();
    const { id } = await placed(world);
    await expect(second.hearOfChanges()).rejects.toThrow();
    proxy.restore();
    await hearAgain(second);
    expect(summaryOf(await board.next())).toBe(`${id} received 1`);
  });
});

describe('a board that reconnects', () => {
  test('receives each missed order once, with its last change', async () => {
    const first = await boardAt(world, teller);
    const before = await placed(world);
    expect(summaryOf(await first.next())).toBe(`${before.id} received 1`);
    first.close();
    await first.ended;
    const [one, two] = [await placed(world), await placed(world)];
    await changed(world, teller, one.id, 'move', confirm);
    await placed(world, anOrder({ branch_id: branchId('maadi') }));
    const reconnected = await boardAt(world, teller, { lastId: first.lastId() });
    expect((await receive(reconnected, 2)).map(summaryOf)).toEqual([
      `${two.id} received 1`,
      `${one.id} confirmed 2`,
    ]);
    await changed(world, teller, two.id, 'move', confirm);
    expect(summaryOf(await reconnected.next())).toBe(`${two.id} confirmed 2`);
    const again = await boardAt(world, teller, { lastId: reconnected.lastId() });
    const { id } = await placed(world);
    expect(summaryOf(await again.next())).toBe(`${id} received 1`);
  });

  test('before its first event receives every change since it opened', async () => {
    const first = await boardAt(world, teller);
    while (first.lastId() === '') await eventLoopTurn();
    first.close();
    await first.ended;
    const { id } = await placed(world);
    const reconnected = await boardAt(world, teller, { lastId: first.lastId() });
    expect(summaryOf(await reconnected.next())).toBe(`${id} received 1`);
  });

  test('shows the current orders after any sequence of disconnections', async () => {
    const anyAction = fc.oneof(
      fc.record({ kind: fc.constant('place' as const) }),
      fc.record({
        kind: fc.constant('move' as const),
        which: fc.nat(3),
        to: fc.constantFrom('confirmed', 'ready'),
      }),
      fc.record({ kind: fc.constant('cut' as const) }),
      fc.record({ kind: fc.constant('listen' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(anyAction, { minLength: 5, maxLength: 25 }), async (actions) => {
        const now: { board: BoardStream | null; lastId: string } = {
          ...{ board: await boardAt(world, teller), lastId: '' },
        };
        const received: ReceivedEvent[] = [];
        const orders: { id: string; revision: number }[] = [];
        const cut = async (): Promise<void> => {
          const { board } = now;
          if (board === null) return;
          board.close();
          received.push(...(await board.ended));
          now.lastId = board.lastId();
          now.board = null;
        };
        while (now.board?.lastId() === '') await eventLoopTurn();
        for (const action of actions) {
          if (action.kind === 'place') orders.push({ id: (await placed(world)).id, revision: 1 });
          if (action.kind === 'cut') await cut();
          if (action.kind === 'listen') now.board ??= await boardAt(world, teller, { lastId: now.lastId });
          const order = action.kind === 'move' ? orders[action.which] : undefined;
          if (action.kind !== 'move' || order === undefined) continue;
          const { revision } = order;
          order.revision = (
            await changed(world, teller, order.id, 'move', { to: action.to, revision })
          ).revision;
        }
        await cut();
        const last = await boardAt(world, teller, { lastId: now.lastId });
        const lastOrder = await placed(world);
        for (let one = await last.next(); ; one = await last.next()) {
          received.push(one);
          if (one.data.id === lastOrder.id) break;
        }
        expect(isGrowing(received)).toBe(true);
        const latest = new Map(received.map(({ data }) => [data.id, data.order]));
        for (const { id } of orders) expect(latest.get(id)).toEqual(await orderOf(world, teller, id));
        const firsts = received.filter(
          ({ data }, at) => received.findIndex((other) => other.data.id === data.id) === at,
        );
        expect(firsts.map(({ data }) => data.id).toSorted()).toEqual(
          [...orders.map(({ id }) => id), lastOrder.id].toSorted(),
        );
      }),
      { numRuns: 8 },
    );
  });

  test('gets a reset event for an event id that the database never issued', async () => {
    const board = await boardAt(world, teller, { lastId: '2147483647' });
    expect(await board.next()).toMatchObject({ event: 'reset', data: { type: 'reset' } });
    const { id } = await placed(world);
    expect(summaryOf(await board.next())).toBe(`${id} received 1`);
  });

  test('gets a reset event when it missed more changes than the backlog holds', async () => {
    const board = await boardAt(world, teller);
    const { id } = await placed(world);
    await board.next();
    board.close();
    await board.ended;
    await sql`
      with counter as (
        update change_counter set seq = seq + ${MAX_BACKLOG + 1} where org_id = ${shopId()} returning seq
      )
      insert into change (org_id, seq, scope, type, id, op, at)
      select ${shopId()}, counter.seq - ${MAX_BACKLOG}::bigint + step, 'staff', 'staff', ${id}, 'upsert', '2026-11-20'
      from counter, generate_series(0, ${MAX_BACKLOG}::bigint) step
    `.execute(world.db.kysely);
    const reconnected = await boardAt(world, teller, { lastId: board.lastId() });
    expect((await reconnected.next()).event).toBe('reset');
    const fresh = await placed(world);
    expect(summaryOf(await reconnected.next())).toBe(`${fresh.id} received 1`);
  });

  test('receives 451 missed changes in order, over several queries', async () => {
    const board = await boardAt(world, teller);
    while (board.lastId() === '') await eventLoopTurn();
    board.close();
    await board.ended;
    const { id } = await placed(world);
    const { rows } = await sql<{ id: string }>`
      with template as (select * from delivery_order where id = ${id}),
      copies as (
        insert into delivery_order
        select copy.*
        from template, generate_series(1, 450) number,
             jsonb_populate_record(null::delivery_order, to_jsonb(template) || jsonb_build_object(
               'id', gen_random_uuid(), 'delivery_ref', 'D-ZML-' || number)) copy
        returning id
      ),
      numbered as (select id, row_number() over () as number from copies),
      counter as (update change_counter set seq = seq + 450 where org_id = ${shopId()} returning seq),
      logged as (
        insert into change (org_id, seq, scope, type, id, op, at)
        select ${shopId()}, counter.seq - 450 + numbered.number, 'order:' || numbered.id, 'delivery', numbered.id,
               'upsert', '2026-11-20'
        from numbered, counter
        returning id, seq
      )
      select id from logged order by seq
    `.execute(world.db.kysely);
    const reconnected = await boardAt(world, teller, { lastId: board.lastId() });
    const received = await receive(reconnected, 451);
    expect(received.map(({ data }) => data.id)).toEqual([id, ...rows.map((row) => row.id)]);
    expect(isGrowing(received)).toBe(true);
  });

  test.each(['-1', 'x', '1.5', ''])('is refused with 400 for the event id %j', async (lastId) => {
    const reply = await world.get(`/staff/events?branch_id=${branchId()}`, {
      ...teller,
      'last-event-id': lastId,
    });
    expect(reply.body).toMatchObject({ fields: [{ path: 'last-event-id' }] });
    expect(reply.status).toBe(400);
  });
});

describe('an event stream', () => {
  test('sends a comment at every heartbeat', async () => {
    const board = await boardAt(world, teller);
    timers.fire(HEARTBEAT_MS);
    expect(await board.beat()).toBe(': alive');
    timers.fire(HEARTBEAT_MS);
    expect(await board.beat()).toBe(': alive');
  });

  test('ends at its maximum age, and a signed-out session cannot reopen it', async () => {
    const [signedIn, signedOut] = [await boardAt(world, owner), await boardAt(world, teller)];
    done('staffSignOut', await second.send('POST', '/staff/sign-out', { ...teller }));
    timers.fire(MAX_STREAM_MS);
    await Promise.all([signedIn.ended, signedOut.ended]);
    const { id } = await placed(world);
    const reconnected = await boardAt(world, owner, { lastId: signedIn.lastId() });
    expect(summaryOf(await reconnected.next())).toBe(`${id} received 1`);
    expect((await boardAt(world, teller, { lastId: signedOut.lastId() })).status).toBe(401);
  });

  test('leaves no timer behind when its client disconnects', async () => {
    const boards = [await boardAt(second, teller), await boardAt(second, teller)];
    expect(secondTimers.pending()).toEqual([
      CHECK_MS,
      HEARTBEAT_MS,
      HEARTBEAT_MS,
      MAX_STREAM_MS,
      MAX_STREAM_MS,
    ]);
    for (const board of boards) board.close();
    while (secondTimers.pending().length > 0) await eventLoopTurn();
  });

  test('of one session ends when that session opens too many newer ones', async () => {
    const oldest = await boardAt(world, teller);
    const others: BoardStream[] = [];
    while (others.length < MAX_STREAMS_PER_SESSION - 1) others.push(await boardAt(world, teller));
    const elsewhere = await boardAt(world, owner);
    const newest = await boardAt(world, teller);
    await oldest.ended;
    const { id } = await placed(world);
    for (const board of [...others, newest, elsewhere])
      expect(summaryOf(await board.next())).toBe(`${id} received 1`);
  });

  test('holds no permit of the concurrency limit', async () => {
    // This server has three permits.
    for (let at = 0; at < 6; at += 1) await boardAt(world, teller);
    expect((await world.get(`/staff/orders?branch_id=${branchId()}`, { ...teller })).status).toBe(200);
  });

  test('has headers and no body for HEAD', async () => {
    const options = { method: 'HEAD', headers: teller };
    const { status, headers, text } = await httpRequest(world.port, addressOf(branchId()), options);
    expect([status, headers['content-type'], text]).toEqual([200, EVENT_STREAM, '']);
  });

  test('ends when the server stops, without delaying the stop', async () => {
    const own = manualTimers();
    const third = await makeWorld({ database: world.database, timers: own.timers });
    const boards = [await boardAt(third, teller), await boardAt(third, owner)];
    const stopping = third.close();
    await Promise.all(boards.map(({ ended }) => ended));
    await stopping;
    expect(own.pending()).toEqual([]);
  });
});
