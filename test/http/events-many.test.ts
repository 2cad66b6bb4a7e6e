/** Many boards that hear of one change: guests do not wait for them, and each hears of it. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Announcements } from '../../src/platform/app/announcements.ts';
import type { ServerEvent } from '../../src/platform/app/answer.ts';
import { BoardEvents } from '../../src/orders/app/board-events.ts';
import type { Uuid } from '../../src/kernel/ids.ts';
import { connect, type Db } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { recordChanges } from '../../src/platform/store/versions.ts';
import { staffParts } from '../support/staff.ts';
import { anId, handTimers, ORG } from '../support/outbox.ts';
import { PATIENT } from '../support/patience.ts';
import { freshDatabase, type TestDatabase } from '../support/postgres.ts';
import { insertShop } from '../support/rows.ts';

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
  // Room for one question and one more.
  background = to(1);
  await insertShop(requests.kysely, ORG, 'beans');
  await something();
});
afterAll(async () => {
  await Promise.all([requests.close(), background.close()]);
  await database.drop();
});

/** A change of the shop's menu, which every branch hears of. Gives its number. */
const something = (): Promise<number> =>
  requests.tx((tx) =>
    recordChanges(tx, ORG, [{ scope: 'shop', type: 'menu_item', id: anId(), op: 'upsert' }], NOW),
  );

interface Board {
  readonly heard: ServerEvent[];
  /** Nobody listens any more. */
  readonly stop: () => void;
  /** Resolves once it has heard something. */
  readonly hears: Promise<void>;
}

/** Boards of these branches, one for each time that a branch is named, which have heard of everything until now. */
const boardsOf = async (branches: readonly Uuid[], take: (board: number) => Promise<void>) => {
  const announcements = new Announcements();
  const events = new BoardEvents(
    { db: background, clock: { now: () => NOW }, announcements, aside: staffParts().aside },
    handTimers().timers,
  );
  const { seq } = await requests.kysely.selectFrom('change_counter').select('seq').executeTakeFirstOrThrow();
  const boards = branches.map((branchId, at): Board => {
    const heard: ServerEvent[] = [];
    let stop: () => void = () => undefined;
    const hears = new Promise<void>((resolve) => {
      stop = events.stream({ orgId: ORG, branchId, session: String(at), deviceId: null }, seq).start(
        (event) => {
          heard.push(event);
          resolve();
          return take(at);
        },
        () => undefined,
      );
      onTestFinished(stop);
    });
    return { heard, hears, stop: () => stop() };
  });
  const announce = (version: number): void =>
    announcements.announce({ orgId: ORG, version, scopes: ['shop'] });
  const happen = async (): Promise<number> => {
    const version = await something();
    announce(version);
    return version;
  };
  return { boards, announce, happen };
};

const atOnce = (): Promise<void> => Promise.resolve();

/** What becomes of guests who ask all at once. */
const guests = (): Promise<string[]> =>
  Promise.all(
    Array.from({ length: GUESTS }, () =>
      sql`select 1`.execute(requests.kysely).then(
        () => 'answered',
        (fault: unknown) => String(fault),
      ),
    ),
  );

describe('a change that many boards hear of', () => {
  test.each([
    ['one branch', 1],
    ['as many branches', BOARDS],
  ])('150 boards of %s: no guest waits for them, and each hears of it once', async (_, count) => {
    const ids = Array.from({ length: count }, anId);
    const branches = Array.from({ length: BOARDS }, (__, at) => ids[at % count] ?? '');
    const { boards, happen } = await boardsOf(branches, atOnce);
    const version = await happen();
    expect(new Set(await guests())).toEqual(new Set(['answered']));
    await Promise.all(boards.map(({ hears }) => hears));
    expect(boards.map(({ heard }) => heard.map(({ id }) => id))).toEqual(boards.map(() => [String(version)]));
  });

  test('one that is let go while the database takes its time hears nothing of it, and the others do', async () => {
    const branch = anId();
    const { boards, announce, happen } = await boardsOf([branch, branch], atOnce);
    const [gone, stays] = boards;
    const version = await something();
    await requests.tx(async (tx) => {
      // What every look needs is held until it is under way.
      await sql`lock table change in access exclusive mode`.execute(tx);
      announce(version);
      while (background.counts().busy === 0) await new Promise((done) => setImmediate(done));
      gone?.stop();
    });
    await stays?.hears;
    const last = await happen();
    while (stays?.heard.at(-1)?.id !== String(last)) await new Promise((done) => setImmediate(done));
    expect(gone?.heard).toEqual([]);
    expect(stays.heard.map(({ id }) => Number(id))).toEqual([version, last]);
  });

  test('one that takes nothing more keeps none of the others from hearing', async () => {
    const branch = anId();
    const never = new Promise<void>(() => undefined);
    const { boards, happen } = await boardsOf([branch, branch], (at) => (at === 0 ? never : atOnce()));
    const [slow, quick] = boards;
    await happen();
    await Promise.all([slow?.hears, quick?.hears]);
    const last = await happen();
    while (quick?.heard.at(-1)?.id !== String(last)) await new Promise((done) => setImmediate(done));
    expect([slow?.heard.length, quick.heard.length]).toEqual([1, 2]);
  });
});
