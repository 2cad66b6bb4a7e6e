/** Boards of a sign-in that ends while they listen, or that may no longer look: they hear nothing more. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { POLL_MS } from '../../src/orders/app/board-events.ts';
import { revokeNamedDevice, setPassword, setPin } from '../../src/staff/app/staff.ts';
import { at } from '../../src/platform/store/db.ts';
import { listen, told, type Listening } from '../support/board-client.ts';
import { branchId, openShops, shopId, SLUG, thingId } from '../support/cafe.ts';
import { aMember, type SignedIn } from '../support/crew.ts';
import { lineTo, type Line } from '../support/cut.ts';
import { anOrder, placed } from '../support/guests.ts';
import { handTimers } from '../support/outbox.ts';
import {
  aShopAtWork,
  done,
  emailOf,
  hire,
  pairedTill,
  PASSWORD,
  personId,
  signInAs,
  type Till,
} from '../support/shift.ts';
import { makeWorld, type World } from '../support/world.ts';

/** The server that boards listen at, another one, and a third whose line to their database can be cut. */
let world: World;
let elsewhere: World;
let far: World;
let line: Line;
const [timers, farTimers] = [handTimers(), handTimers()];
beforeAll(async () => {
  world = await makeWorld({ timers: timers.timers });
  elsewhere = await makeWorld({ database: world.database });
  line = await lineTo(world.database.connection);
  far = await makeWorld({
    ...{ database: world.database, connection: line.connection, timers: farTimers.timers },
  });
  await openShops(world, aShopAtWork());
  await hire(world);
});
afterAll(async () => {
  await far.close();
  await elsewhere.close();
  await line.close();
  await world.close();
});

const boardOf = async (who: SignedIn, slug = SLUG, server = world): Promise<Listening> => {
  const board = await listen(server.port, `/staff/events?branch_id=${branchId('zamalek', slug)}`, { ...who });
  expect(board.status).toBe(200);
  onTestFinished(() => board.close());
  return board;
};

/** None of these heard of the order that came last, and they have ended. */
const haveEnded = async (boards: readonly Listening[]): Promise<void> => {
  expect(await Promise.all(boards.map(({ ended }) => ended))).toEqual(boards.map(() => []));
};

describe('at the server that is told of it, at once', () => {
  test('whoever signs out hears nothing more, on none of their boards; they do where they are signed in still', async () => {
    const [here, there] = [await signInAs(world, 'teller'), await signInAs(world, 'teller')];
    const boards = [await boardOf(here), await boardOf(here)];
    const stays = await boardOf(there);
    done('staffSignOut', await world.send('POST', '/staff/sign-out', { ...here }));
    const { id } = await placed(world);
    await haveEnded(boards);
    expect(told(await stays.next())).toBe(`${id} received 1`);
  });

  test('a device that is revoked hears nothing more, whoever is signed in on it; another of the branch does', async () => {
    const [lost, kept] = [await pairedTill(world), await pairedTill(world)];
    const boards = [await boardOf(await lost.signIn('teller')), await boardOf(await lost.signIn('owner'))];
    const stays = await boardOf(await kept.signIn('teller'));
    const owner = await signInAs(world, 'owner');
    done('revokeDevice', await world.send('POST', `/staff/devices/${lost.id}/revoke`, { ...owner }));
    const { id } = await placed(world);
    await haveEnded(boards);
    expect(told(await stays.next())).toBe(`${id} received 1`);
  });
});

/** The shop of a case, and who listens there. */
interface Case {
  readonly slug: string;
  /** Paired at the branch; the manager is signed in on it. */
  readonly till: Till;
  /** The manager's sign-in. */
  readonly manager: SignedIn;
}

/** An import of the shop's file with other staff, by the operator. */
const imported = (slug: string, manager: ReturnType<typeof aMember> | null, isActive = true): Promise<void> =>
  openShops(
    elsewhere,
    aShopAtWork(slug, {
      active: isActive,
      staff: [aMember('owner', 'owner', {}, slug), ...(manager === null ? [] : [manager])],
    }),
  );

/** What ends the manager's boards, done by another process than the one at which they listen. */
const ENDS: readonly (readonly [string, (of: Case) => Promise<unknown>])[] = [
  ['is archived by an import', ({ slug }) => imported(slug, null)],
  [
    'is switched off by an import',
    ({ slug }) => imported(slug, aMember('manager', 'manager', { active: false }, slug)),
  ],
  [
    'is sent to another branch by an import',
    ({ slug }) => imported(slug, aMember('manager', 'manager', { branches: ['maadi'] }, slug)),
  ],
  ['is given a new PIN', ({ slug }) => setPin(elsewhere.app, slug, 'manager', '8643')],
  [
    'is given a new password',
    ({ slug }) => setPassword(elsewhere.app, slug, emailOf('manager', slug), `${PASSWORD} 2`),
  ],
  [
    'signs out elsewhere',
    async ({ manager }) =>
      done('staffSignOut', await elsewhere.send('POST', '/staff/sign-out', { ...manager })),
  ],
  [
    'has a device that is revoked by the operator',
    ({ slug }) => revokeNamedDevice(elsewhere.app, slug, 'الكاشير'),
  ],
  [
    'has a device that is revoked elsewhere',
    async ({ slug, till }) => {
      const owner = await signInAs(elsewhere, 'owner', slug);
      const address = `/staff/devices/${till.id}/revoke`;
      done('revokeDevice', await elsewhere.send('POST', address, { ...owner }));
    },
  ],
  [
    'has been signed in for as long as one may be',
    ({ slug }) =>
      elsewhere.db.kysely
        .updateTable('staff_session')
        .set({ expires_at: at(world.now) })
        .where('staff_id', '=', personId('manager', slug))
        .execute(),
  ],
];

/** A shop with its manager signed in on a device. */
const aCase = async (slug: string): Promise<Case> => {
  await openShops(world, aShopAtWork(slug));
  await hire(world, slug);
  const till = await pairedTill(world, 'zamalek', slug);
  return { slug, till, manager: await till.signIn('manager') };
};

/** An order that is taken at another server. */
const ordered = async (slug: string): Promise<string> => {
  const items = [{ menu_item_id: thingId('item', 'turkish', slug), quantity: 1 }];
  const { id } = await placed(elsewhere, anOrder({ branch_id: branchId('zamalek', slug), items }));
  return `${id} received 1`;
};

describe('at another server, with its next poll', () => {
  test.each(ENDS)('who %s hears nothing more; the others of the shop do', async (how, end) => {
    const slug = `shop-${ENDS.findIndex(([each]) => each === how)}`;
    const known = await aCase(slug);
    const boards = [await boardOf(known.manager, slug), await boardOf(known.manager, slug)];
    const stays = await boardOf(await signInAs(world, 'owner', slug), slug);
    await end(known);
    const order = await ordered(slug);
    timers.goOff(POLL_MS);
    expect(told(await stays.next())).toBe(order);
    await haveEnded(boards);
  });

  test('nobody of a shop that is switched off hears anything more; those of another shop do', async () => {
    const slug = 'switched-off';
    const { manager } = await aCase(slug);
    const boards = [await boardOf(manager, slug), await boardOf(await signInAs(world, 'owner', slug), slug)];
    const stays = await boardOf(await signInAs(world, 'teller'));
    await ordered(slug);
    const order = await ordered(SLUG);
    await imported(slug, aMember('manager', 'manager', { branches: ['zamalek'] }, slug), false);
    timers.goOff(POLL_MS);
    await haveEnded(boards);
    expect(told(await stays.next())).toBe(order);
  });

  test('and if that poll finds no database, with the first that does', async () => {
    const slug = 'far-away';
    const { manager } = await aCase(slug);
    const board = await boardOf(manager, slug, far);
    const stays = await boardOf(await signInAs(world, 'owner', slug), slug, far);
    line.cut();
    await setPin(elsewhere.app, slug, 'manager', '8643');
    const order = await ordered(slug);
    farTimers.goOff(POLL_MS);
    await expect(far.db.ping()).rejects.toThrow();
    line.mend();
    const state = { isOver: false };
    const heard = stays.next().finally(() => (state.isOver = true));
    while (!state.isOver) {
      farTimers.goOff(POLL_MS);
      await far.db.ping().catch(() => undefined);
    }
    expect(told(await heard)).toBe(order);
    await haveEnded([board]);
  });
});

test('a board whose database was brought back to an earlier day reads everything anew', async () => {
  const slug = 'brought-back';
  const { manager } = await aCase(slug);
  const board = await boardOf(manager, slug);
  await ordered(slug);
  timers.goOff(POLL_MS);
  const { id } = await board.next();
  await sql`delete from change where org_id = ${shopId(slug)} and seq = ${Number(id)}`.execute(
    world.db.kysely,
  );
  await sql`update change_counter set seq = seq - 1 where org_id = ${shopId(slug)}`.execute(world.db.kysely);
  timers.goOff(POLL_MS);
  expect((await board.next()).event).toBe('reset');
  const order = await ordered(slug);
  timers.goOff(POLL_MS);
  expect(told(await board.next())).toBe(order);
});

describe('a board that is looked at all evening without a tap', () => {
  test('keeps the sign-in on its till for twelve hours; beside it, one without a board ends after 30 minutes', async () => {
    const slug = 'all-evening';
    const { till } = await aCase(slug);
    const [kitchen, idle] = [await till.signIn('kitchen'), await till.signIn('waiter')];
    const board = await boardOf(kitchen, slug);
    const start = world.now;
    const later = async (ms: number): Promise<void> => {
      world.now = start + ms;
      const order = await ordered(slug);
      timers.goOff(POLL_MS);
      expect(told(await board.next())).toBe(order);
      await world.app.aside.settled();
    };
    const statusOf = async (who: SignedIn): Promise<number> =>
      (await world.get(`/staff/orders?branch_id=${branchId('zamalek', slug)}`, { ...who })).status;
    try {
      for (let minutes = 29; minutes < 12 * 60; minutes += 29) await later(minutes * 60_000);
      expect([await statusOf(kitchen), await statusOf(idle)]).toEqual([200, 401]);
      world.now = start + 12 * 60 * 60_000;
      timers.goOff(POLL_MS);
      await haveEnded([board]);
      expect(await statusOf(kitchen)).toBe(401);
    } finally {
      world.now = start;
    }
  });
});
