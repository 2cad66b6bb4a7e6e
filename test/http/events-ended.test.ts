/** A board whose session ends, or that loses its permission, gets no further event. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CHECK_MS } from '../../src/orders/app/board-events.ts';
import { revokeNamedDevice, setPassword, setPin } from '../../src/staff/app/staff.ts';
import { at } from '../../src/platform/store/db.ts';
import { openBoard, summaryOf, type BoardStream } from '../support/server/board-client.ts';
import { branchId, openShops, shopId, SLUG, thingId } from '../support/shops/cafe.ts';
import {
  aMember,
  aStaffedShop,
  emailOf,
  pairedTill,
  PASSWORD,
  personId,
  setCredentials,
  type SignedIn,
  signInAs,
  type Till,
} from '../support/people/staff.ts';
import { done } from '../support/server/requests.ts';
import { openProxy, type DatabaseProxy } from '../support/database/proxy.ts';
import { anOrder, placed } from '../support/people/guests.ts';
import { manualTimers } from '../support/background/manual-timers.ts';
import { hearAgain, makeWorld, type World } from '../support/server/world.ts';

/** The boards' server, another one, and a third whose database connection can be cut. */
let world: World;
let elsewhere: World;
let third: World;
let proxy: DatabaseProxy;
const [timers, thirdTimers] = [manualTimers(), manualTimers()];
beforeAll(async () => {
  world = await makeWorld({ timers: timers.timers });
  elsewhere = await makeWorld({ database: world.database });
  proxy = await openProxy(world.database.connection);
  third = await makeWorld({
    ...{ database: world.database, connection: proxy.connection, timers: thirdTimers.timers },
  });
  await openShops(world, aStaffedShop());
  await setCredentials(world);
});
afterAll(async () => {
  await third.close();
  await elsewhere.close();
  await proxy.close();
  await world.close();
});

const boardOf = async (who: SignedIn, slug = SLUG, server = world): Promise<BoardStream> => {
  const board = await openBoard(server.port, `/staff/events?branch_id=${branchId('zamalek', slug)}`, {
    ...who,
  });
  expect(board.status).toBe(200);
  onTestFinished(() => board.close());
  return board;
};

/** None of these got the last order, and all have ended. */
const haveEnded = async (boards: readonly BoardStream[]): Promise<void> => {
  expect(await Promise.all(boards.map(({ ended }) => ended))).toEqual(boards.map(() => []));
};

describe('at the server that makes the change', () => {
  test('signing out ends all boards of that session at once, and no other session’s', async () => {
    const [here, there] = [await signInAs(world, 'teller'), await signInAs(world, 'teller')];
    const boards = [await boardOf(here), await boardOf(here)];
    const stillOpen = await boardOf(there);
    done('staffSignOut', await world.send('POST', '/staff/sign-out', { ...here }));
    const { id } = await placed(world);
    await haveEnded(boards);
    expect(summaryOf(await stillOpen.next())).toBe(`${id} received 1`);
  });

  test('revoking a device ends all its boards at once, and no other device’s', async () => {
    const [lost, kept] = [await pairedTill(world), await pairedTill(world)];
    const boards = [await boardOf(await lost.signIn('teller')), await boardOf(await lost.signIn('owner'))];
    const stillOpen = await boardOf(await kept.signIn('teller'));
    const owner = await signInAs(world, 'owner');
    done('revokeDevice', await world.send('POST', `/staff/devices/${lost.id}/revoke`, { ...owner }));
    const { id } = await placed(world);
    await haveEnded(boards);
    expect(summaryOf(await stillOpen.next())).toBe(`${id} received 1`);
  });
});

interface Case {
  readonly slug: string;
  /** Paired at the branch; the manager is signed in on it. */
  readonly till: Till;
  readonly manager: SignedIn;
}

/** The operator imports the shop's file with other staff. */
const imported = (slug: string, manager: ReturnType<typeof aMember> | null, isActive = true): Promise<void> =>
  openShops(
    elsewhere,
    aStaffedShop(slug, {
      active: isActive,
      staff: [aMember('owner', 'owner', {}, slug), ...(manager === null ? [] : [manager])],
    }),
  );

/** What ends the manager's boards, done by another process. */
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
const createCase = async (slug: string): Promise<Case> => {
  await openShops(world, aStaffedShop(slug));
  await setCredentials(world, slug);
  const till = await pairedTill(world, 'zamalek', slug);
  return { slug, till, manager: await till.signIn('manager') };
};

/** An order placed at another server. */
const ordered = async (slug: string): Promise<string> => {
  const items = [{ menu_item_id: thingId('item', 'turkish', slug), quantity: 1 }];
  const { id } = await placed(elsewhere, anOrder({ branch_id: branchId('zamalek', slug), items }));
  return `${id} received 1`;
};

describe('at another server', () => {
  test.each(ENDS)('the next poll ends the boards of a person who %s', async (reason, end) => {
    const slug = `shop-${ENDS.findIndex(([each]) => each === reason)}`;
    const shopCase = await createCase(slug);
    const boards = [await boardOf(shopCase.manager, slug), await boardOf(shopCase.manager, slug)];
    const stillOpen = await boardOf(await signInAs(world, 'owner', slug), slug);
    await end(shopCase);
    const order = await ordered(slug);
    await world.hearOfChanges();
    expect(summaryOf(await stillOpen.next())).toBe(order);
    await haveEnded(boards);
  });

  test('the next poll ends all boards of a shop that was switched off', async () => {
    const slug = 'switched-off';
    const { manager } = await createCase(slug);
    const boards = [await boardOf(manager, slug), await boardOf(await signInAs(world, 'owner', slug), slug)];
    const stillOpen = await boardOf(await signInAs(world, 'teller'));
    await ordered(slug);
    const order = await ordered(SLUG);
    await imported(slug, aMember('manager', 'manager', { branches: ['zamalek'] }, slug), false);
    await world.hearOfChanges();
    await haveEnded(boards);
    expect(summaryOf(await stillOpen.next())).toBe(order);
  });

  test('boards end with the first successful poll after the database was unreachable', async () => {
    const slug = 'far-away';
    const { manager } = await createCase(slug);
    const board = await boardOf(manager, slug, third);
    const stillOpen = await boardOf(await signInAs(world, 'owner', slug), slug, third);
    proxy.cut();
    await setPin(elsewhere.app, slug, 'manager', '8643');
    const order = await ordered(slug);
    thirdTimers.fire(CHECK_MS);
    await expect(third.db.ping()).rejects.toThrow();
    proxy.restore();
    await hearAgain(third);
    expect(summaryOf(await stillOpen.next())).toBe(order);
    await haveEnded([board]);
  });
});

test('a board gets a reset event after its database was restored to an earlier state', async () => {
  const slug = 'brought-back';
  const { manager } = await createCase(slug);
  const board = await boardOf(manager, slug);
  await ordered(slug);
  await world.hearOfChanges();
  const { id } = await board.next();
  await sql`delete from change where org_id = ${shopId(slug)} and seq >= ${Number(id)}`.execute(
    world.db.kysely,
  );
  await sql`update change_counter set seq = ${Number(id) - 1} where org_id = ${shopId(slug)}`.execute(
    world.db.kysely,
  );
  // The feed finds another run of the database server.
  world.app.changePublisher.relayMissed();
  expect((await board.next()).event).toBe('reset');
  const order = await ordered(slug);
  await world.hearOfChanges();
  expect(summaryOf(await board.next())).toBe(order);
});

describe('an open board without other requests', () => {
  test('keeps its session alive for twelve hours; a session without a board expires', async () => {
    const slug = 'all-evening';
    const { till } = await createCase(slug);
    const [kitchen, idle] = [await till.signIn('kitchen'), await till.signIn('waiter')];
    const board = await boardOf(kitchen, slug);
    const start = world.now;
    const later = async (ms: number): Promise<void> => {
      world.now = start + ms;
      const order = await ordered(slug);
      await world.hearOfChanges();
      expect(summaryOf(await board.next())).toBe(order);
      await world.app.backgroundTasks.settled();
    };
    const statusOf = async (who: SignedIn): Promise<number> =>
      (await world.get(`/staff/orders?branch_id=${branchId('zamalek', slug)}`, { ...who })).status;
    try {
      for (let minutes = 29; minutes < 12 * 60; minutes += 29) await later(minutes * 60_000);
      expect([await statusOf(kitchen), await statusOf(idle)]).toEqual([200, 401]);
      world.now = start + 12 * 60 * 60_000;
      timers.fire(CHECK_MS);
      await haveEnded([board]);
      expect(await statusOf(kitchen)).toBe(401);
    } finally {
      world.now = start;
    }
  });
});
