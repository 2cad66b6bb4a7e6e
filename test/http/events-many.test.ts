/** Many boards receive one change: guests do not wait for them, and each board gets it. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { aChangePublisher } from '../support/server/change-publisher.ts';
import type { ServerEvent } from '../../src/platform/app/answer.ts';
import { BoardEvents } from '../../src/orders/app/board-events.ts';
import type { Uuid } from '../../src/kernel/ids.ts';
import { connect, type Db } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { recordChanges } from '../../src/platform/store/change-log.ts';
import { staffParts } from '../support/people/staff-use-cases.ts';
import { ORG } from '../support/background/outbox.ts';
import { manualTimers } from '../support/background/manual-timers.ts';
import { newId } from '../support/database/ids.ts';
import { PATIENT } from '../support/database/patient-options.ts';
import { freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { insertShop } from '../support/database/rows.ts';

const BOARDS = 150;
const GUESTS = 20;
const NOW = Date.UTC(2026, 10, 20, 18);

let database: TestDatabase;
let requests: Db<Database>;
let background: Db<Database>;
beforeAll(async () => {
  database = await freshDatabase();
  const to = (waiting: number) =>
    connect<Database>(database.connection, { ...PATIENT, size: 1, waiting, applicationName: 'boards' });
  // Fits only the guests' queries: some fail as soon as boards queue here too.
  requests = to(GUESTS);
  // Fits one running and one waiting query.
  background = to(1);
  await insertShop(requests.kysely, ORG, 'beans');
  await recordMenuChange();
});
afterAll(async () => {
  await Promise.all([requests.close(), background.close()]);
  await database.release();
});

/** A menu change, which every branch gets. Returns its number. */
const recordMenuChange = (): Promise<number> =>
  requests.tx((tx) =>
    recordChanges(tx, ORG, [{ scope: 'shop', type: 'menu_item', id: newId(), op: 'upsert' }], NOW),
  );

interface Board {
  readonly received: ServerEvent[];
  readonly stop: () => void;
  /** Resolves at the first event. */
  readonly firstEvent: Promise<void>;
}

/** Boards of these branches, one per entry, which have every event so far. */
const boardsOf = async (branches: readonly Uuid[], take: (board: number) => Promise<void>) => {
  const changePublisher = aChangePublisher();
  const events = new BoardEvents(
    {
      db: background,
      clock: { now: () => NOW },
      changePublisher,
      backgroundTasks: staffParts().backgroundTasks,
    },
    manualTimers().timers,
  );
  const { seq } = await requests.kysely.selectFrom('change_counter').select('seq').executeTakeFirstOrThrow();
  const boards = branches.map((branchId, at): Board => {
    const received: ServerEvent[] = [];
    let stop: () => void = () => undefined;
    const firstEvent = new Promise<void>((resolve) => {
      stop = events.stream({ orgId: ORG, branchId, session: String(at), deviceId: null }, seq).start(
        (event) => {
          received.push(event);
          resolve();
          return take(at);
        },
        () => undefined,
      );
      onTestFinished(stop);
    });
    return { received, firstEvent, stop: () => stop() };
  });
  const publish = (version: number): void =>
    changePublisher.publish({ orgId: ORG, version, scopes: ['shop'] });
  const changeMenu = async (): Promise<number> => {
    const version = await recordMenuChange();
    publish(version);
    return version;
  };
  return { boards, publish, changeMenu };
};

const atOnce = (): Promise<void> => Promise.resolve();

/** The outcomes of concurrent guests. */
const guests = (): Promise<string[]> =>
  Promise.all(
    Array.from({ length: GUESTS }, () =>
      sql`select 1`.execute(requests.kysely).then(
        () => 'answered',
        (fault: unknown) => String(fault),
      ),
    ),
  );

describe('a change that concerns many boards', () => {
  test.each([
    ['one branch', 1],
    ['as many branches', BOARDS],
  ])('150 boards of %s receive it once each, and no guest’s query is refused', async (_, count) => {
    const ids = Array.from({ length: count }, newId);
    const branches = Array.from({ length: BOARDS }, (__, at) => ids[at % count] ?? '');
    const { boards, changeMenu } = await boardsOf(branches, atOnce);
    const version = await changeMenu();
    expect(new Set(await guests())).toEqual(new Set(['answered']));
    await Promise.all(boards.map(({ firstEvent }) => firstEvent));
    expect(boards.map(({ received }) => received.map(({ id }) => id))).toEqual(
      boards.map(() => [String(version)]),
    );
  });

  test('a board that ends while the change is loaded receives no event; the others do', async () => {
    const branch = newId();
    const { boards, publish, changeMenu } = await boardsOf([branch, branch], atOnce);
    const [ended, remaining] = boards;
    const version = await recordMenuChange();
    await requests.tx(async (tx) => {
      // Locks what every query needs until it runs.
      await sql`lock table change in access exclusive mode`.execute(tx);
      publish(version);
      while (background.counts().busy === 0) await new Promise((done) => setImmediate(done));
      ended?.stop();
    });
    await remaining?.firstEvent;
    const last = await changeMenu();
    while (remaining?.received.at(-1)?.id !== String(last)) await new Promise((done) => setImmediate(done));
    expect(ended?.received).toEqual([]);
    expect(remaining.received.map(({ id }) => Number(id))).toEqual([version, last]);
  });

  test('a board that stops reading does not delay the others', async () => {
    const branch = newId();
    const never = new Promise<void>(() => undefined);
    const { boards, changeMenu } = await boardsOf([branch, branch], (at) => (at === 0 ? never : atOnce()));
    const [slow, quick] = boards;
    await changeMenu();
    await Promise.all([slow?.firstEvent, quick?.firstEvent]);
    const last = await changeMenu();
    while (quick?.received.at(-1)?.id !== String(last)) await new Promise((done) => setImmediate(done));
    expect([slow?.received.length, quick.received.length]).toEqual([1, 2]);
  });
});
