/** Many boards receive one change: guests do not wait for them, and each board gets it. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ChangePublisher } from '../../src/platform/app/change-publisher.ts';
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
  // Room for the guests alone: they are refused as soon as boards wait there too.
  requests = to(GUESTS);
  // Room for one query and one more.
  background = to(1);
  await insertShop(requests.kysely, ORG, 'beans');
  await something();
});
afterAll(async () => {
  await Promise.all([requests.close(), background.close()]);
  await database.drop();
});

/** A menu change, which every branch gets. Returns its number. */
const something = (): Promise<number> =>
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
  const changePublisher = new ChangePublisher();
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
  const announce = (version: number): void =>
    changePublisher.publish({ orgId: ORG, version, scopes: ['shop'] });
  const happen = async (): Promise<number> => {
    const version = await something();
    announce(version);
    return version;
  };
  return { boards, announce, happen };
};

const atOnce = (): Promise<void> => Promise.resolve();

/** The outcomes of guests who ask all at once. */
const guests = (): Promise<string[]> =>
  Promise.all(
    Array.from({ length: GUESTS }, () =>
      sql`select 1`.execute(requests.kysely).then(
        () => 'answered',
        (fault: unknown) => String(fault),
      ),
    ),
  );

describe('a change that many boards get', () => {
  test.each([
    ['one branch', 1],
    ['as many branches', BOARDS],
  ])('150 boards of %s: no guest waits for them, and each hears of it once', async (_, count) => {
    const ids = Array.from({ length: count }, newId);
    const branches = Array.from({ length: BOARDS }, (__, at) => ids[at % count] ?? '');
    const { boards, happen } = await boardsOf(branches, atOnce);
    const version = await happen();
    expect(new Set(await guests())).toEqual(new Set(['answered']));
    await Promise.all(boards.map(({ firstEvent }) => firstEvent));
    expect(boards.map(({ received }) => received.map(({ id }) => id))).toEqual(
      boards.map(() => [String(version)]),
    );
  });

  test('one that is let go while the database takes its time hears nothing of it, and the others do', async () => {
    const branch = newId();
    const { boards, announce, happen } = await boardsOf([branch, branch], atOnce);
    const [ended, stays] = boards;
    const version = await something();
    await requests.tx(async (tx) => {
      // Locks what every query needs until it runs.
      await sql`lock table change in access exclusive mode`.execute(tx);
      announce(version);
      while (background.counts().busy === 0) await new Promise((done) => setImmediate(done));
      ended?.stop();
    });
    await stays?.firstEvent;
    const last = await happen();
    while (stays?.received.at(-1)?.id !== String(last)) await new Promise((done) => setImmediate(done));
    expect(ended?.received).toEqual([]);
    expect(stays.received.map(({ id }) => Number(id))).toEqual([version, last]);
  });

  test('one that takes nothing more keeps none of the others from hearing', async () => {
    const branch = newId();
    const never = new Promise<void>(() => undefined);
    const { boards, happen } = await boardsOf([branch, branch], (at) => (at === 0 ? never : atOnce()));
    const [slow, quick] = boards;
    await happen();
    await Promise.all([slow?.firstEvent, quick?.firstEvent]);
    const last = await happen();
    while (quick?.received.at(-1)?.id !== String(last)) await new Promise((done) => setImmediate(done));
    expect([slow?.received.length, quick.received.length]).toEqual([1, 2]);
  });
});
