/** Streams of events by a token in the address, as a browser's EventSource opens them. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CHECK_MS } from '../../src/orders/app/board-events.ts';
import { openBoard, receive, summaryOf, type BoardStream } from '../support/server/board-client.ts';
import { branchId, openShops } from '../support/shops/cafe.ts';
import {
  aMember,
  aStaffedShop,
  setCredentials,
  type SignedIn,
  signInAs,
  streamAddress,
} from '../support/people/staff.ts';
import { placed } from '../support/people/guests.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { manualTimers } from '../support/background/manual-timers.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const MINUTE = 60_000;

/** A server, and another on the same database. */
let world: World;
let second: World;
const secondTimers = manualTimers();
let teller: SignedIn;
beforeAll(async () => {
  world = await makeWorld();
  second = await makeWorld({ database: world.database, timers: secondTimers.timers });
  await openShops(world, aStaffedShop());
  await setCredentials(world);
});
beforeEach(async () => {
  teller = await signInAs(world, 'teller');
});
afterAll(async () => {
  await second.close();
  await world.close();
});

const open: BoardStream[] = [];
afterEach(async () => {
  for (const board of open) board.close();
  await Promise.all(open.splice(0).map(({ ended }) => ended));
});

const boardAt = async (at: World, address: string, headers = {}): Promise<BoardStream> => {
  const board = await openBoard(at.port, address, headers, ['kitchen_ticket']);
  open.push(board);
  return board;
};

const invalid = { status: 401, code: 'STREAM_TOKEN_INVALID' };

describe('a stream token', () => {
  test('opens one stream without a header, in another process too; used again it is 401', async () => {
    const address = await streamAddress(world, teller, branchId());
    const board = await boardAt(second, address);
    expect(board.status).toBe(200);
    const { id } = await placed(second);
    expect(summaryOf(await board.next())).toBe(`${id} received 1`);
    expect(refusalOf(await second.get(address))).toMatchObject(invalid);
    expect(refusalOf(await world.get(address))).toMatchObject(invalid);
  });

  test('of twenty clients of two processes that use one token at once one gets the stream', async () => {
    const address = await streamAddress(world, teller, branchId());
    const boards = await Promise.all(
      Array.from({ length: 20 }, (_, client) => boardAt(client % 2 === 0 ? world : second, address)),
    );
    expect(boards.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(19).fill(401)]);
  });

  test('is good for a minute', async () => {
    const reply = await post(world, '/staff/events/token', { branch_id: branchId() }, teller);
    expect(reply.status).toBe(201);
    const { stream_token: token, expires_at: end } = done('makeStreamToken', reply);
    expect(token).toMatch(/^evt_[0-9a-f]{10}_[\w-]{43}$/);
    expect(end).toBe(new Date(world.now + MINUTE).toISOString());
    const inTime = await streamAddress(world, teller, branchId());
    world.now += MINUTE - 1;
    expect((await boardAt(world, inTime)).status).toBe(200);
    world.now += 1;
    expect(refusalOf(await world.get(`/staff/events/${token}`))).toMatchObject(invalid);
  });

  test('of a session that has ended opens nothing', async () => {
    const address = await streamAddress(world, teller, branchId());
    await world.send('POST', '/staff/sign-out', { ...teller });
    expect(refusalOf(await world.get(address))).toMatchObject(invalid);
  });

  test('of a person who works at another branch by now opens nothing', async () => {
    const slug = 'moved';
    const branch = branchId('zamalek', slug);
    await openShops(world, aStaffedShop(slug));
    await setCredentials(world, slug);
    const manager = await signInAs(world, 'manager', slug);
    const address = await streamAddress(world, manager, branch);
    const owner = aMember('owner', 'owner', {}, slug);
    const elsewhere = aMember('manager', 'manager', { branches: ['maadi'] }, slug);
    await openShops(world, aStaffedShop(slug, { staff: [owner, elsewhere] }));
    expect(refusalOf(await world.get(address))).toMatchObject(invalid);
    const other = await streamAddress(world, manager, branchId('maadi', slug));
    expect((await boardAt(world, other)).status).toBe(200);
  });

  test('opens a stream that ends with its session', async () => {
    const boards = [
      await boardAt(world, await streamAddress(world, teller, branchId())),
      await boardAt(second, await streamAddress(world, teller, branchId())),
    ];
    await world.send('POST', '/staff/sign-out', { ...teller });
    await boards[0]?.ended;
    secondTimers.fire(CHECK_MS);
    await boards[1]?.ended;
  });

  test.each(['last_event_id', 'Last-Event-ID'])('resumes a stream with %s', async (how) => {
    const before = await boardAt(world, await streamAddress(world, teller, branchId()));
    await placed(world);
    await receive(before, 1);
    before.close();
    await before.ended;
    const missed = await placed(world);
    const address = await streamAddress(world, teller, branchId());
    const after =
      how === 'last_event_id'
        ? await boardAt(world, `${address}?last_event_id=${before.lastId()}`)
        : await boardAt(world, `${address}?last_event_id=0`, { 'last-event-id': before.lastId() });
    expect(summaryOf(await after.next())).toBe(`${missed.id} received 1`);
  });

  test('is made for a branch where its person works alone', async () => {
    const reply = await post(world, '/staff/events/token', { branch_id: branchId('maadi') }, teller);
    expect(reply.status).toBe(404);
  });

  test('that is none of ours is refused without an echo', async () => {
    const reply = await world.get(`/staff/events/evt_${'a'.repeat(43)}`);
    expect(refusalOf(reply)).toMatchObject(invalid);
    const malformed = await world.get('/staff/events/s3cret%20text?branch=s3cret');
    expect(refusalOf(malformed)).toMatchObject({
      status: 400,
      fields: [{ path: 'stream_token' }, { path: 'branch' }],
    });
    expect(malformed.text).not.toContain('s3cret');
  });

  test('is in no row, log line, metric or answer', async () => {
    const address = await streamAddress(world, teller, branchId());
    const token = address.split('/').at(-1) ?? '';
    const rows = await world.db.kysely.selectFrom('stream_token').selectAll().execute();
    const board = await boardAt(world, address);
    const answers = [
      await world.get(address),
      await world.send('DELETE', address),
      await world.get(`${address}?more=1`),
      await world.get(`${address}/more`),
      await world.get(`${address}?${'x'.repeat(5_000)}`),
    ];
    expect([board.status, ...answers.map(({ status }) => status)]).toEqual([200, 401, 405, 400, 404, 414]);
    const told = [
      ...rows.map((row) => JSON.stringify(row)),
      ...world.logged.map((line) => JSON.stringify(line)),
      ...answers.map(({ text, headers }) => text + JSON.stringify(headers)),
      await world.metrics.text(),
    ];
    for (const text of told) expect(text).not.toContain(token);
  });
});
