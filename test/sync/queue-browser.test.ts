/** The queue in a browser: its database, and the tabs that share it. */
import { join } from 'node:path';
import { build } from 'esbuild';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type * as Queue from '../../src/client/till/queue/event-queue.ts';
import type * as Store from '../../src/client/till/queue/indexed-db-store.ts';
import type * as Locks from '../../src/client/till/queue/locks.ts';
import type { EventResult, QueuedEvent } from '../../src/client/till/queue/event.ts';
import { deferred } from '../support/background/manual-timers.ts';
import { launchBrowser, type Browser } from '../support/browser/launch.ts';
import { ROOT } from '../support/documents/pages.ts';
import { anEvent, idOf, numbersOf, upTo } from '../support/sync/till-events.ts';
import { applied } from '../support/sync/till-queue.ts';

/** On localhost a page has what it has over https. */
const ADDRESS = 'http://localhost/till';

/** What the pages of these tests have. */
interface InPage {
  readonly Till: typeof Queue & typeof Store & typeof Locks;
  /** Of the test: the server. */
  readonly answer: (events: readonly QueuedEvent[]) => Promise<readonly EventResult[]>;
  store: Store.IndexedDbStore;
  queue: Queue.EventQueue;
}

const MODULES = ['event-queue', 'indexed-db-store', 'locks', 'row-gate'];

let browser: Browser;
let code: string;
beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: MODULES.map((name) => `export * from './${name}.ts';`).join('\n'),
      resolveDir: join(ROOT, 'src/client/till/queue'),
    },
    // Fails for a module of Node.
    ...{ bundle: true, write: false, minify: true, platform: 'browser', format: 'iife', globalName: 'Till' },
  });
  code = outputFiles[0]?.text ?? '';
  browser = await launchBrowser();
});
afterAll(() => browser.close());

let context: BrowserContext;
beforeEach(async () => {
  context = await browser.newContext();
  await context.route(ADDRESS, (route) =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html><script>${code}</script>` }),
  );
});
afterEach(() => context.close());

const aPage = async (): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(ADDRESS);
  return page;
};

/** A tab with the store open. */
const aTab = async (): Promise<Page> => {
  const page = await aPage();
  await page.evaluate(async () => {
    const here = globalThis as unknown as InPage;
    const options = { indexedDB, storage: navigator.storage, name: 'till of branch 1' };
    here.store = await here.Till.openIndexedDbStore(options);
  });
  return page;
};

const append = (page: Page, events: readonly QueuedEvent[]): Promise<void> =>
  page.evaluate((all) => (globalThis as unknown as InPage).store.append(all), events);

const waitingIn = async (page: Page): Promise<number[]> =>
  numbersOf(await page.evaluate(() => (globalThis as unknown as InPage).store.waiting()));

const events = (numbers: readonly number[]): QueuedEvent[] => numbers.map((number) => anEvent(number));

describe('the database', () => {
  test('what waits is there, in its order, after its tab was closed', async () => {
    const tab = await aTab();
    await append(tab, events([3, 1]));
    await append(tab, events([2, 1]));
    await tab.close();
    expect(await waitingIn(await aTab())).toEqual([3, 1, 2]);
  });

  test('removed, refused and dismissed events are so in every tab', async () => {
    const tab = await aTab();
    await append(tab, events(upTo(6)));
    await tab.evaluate(
      async ({ all, ids }) => {
        const { store } = globalThis as unknown as InPage;
        const refused = all.map((event) => ({ event, code: 'MALFORMED', vars: { total: 5 }, message: null }));
        await store.refuse(refused);
        await store.remove(ids);
        await store.dismiss(refused[1]?.event.id ?? '');
        await store.append(refused.slice(2, 3).map(({ event }) => event));
      },
      { all: events([2, 4, 5]), ids: [idOf(1), idOf(99)] },
    );
    const other = await aTab();
    expect(await waitingIn(other)).toEqual([3, 6, 5]);
    const { refused, oldest, appended } = await other.evaluate(async () => {
      const { store } = globalThis as unknown as InPage;
      return {
        refused: await store.refused(),
        oldest: await store.waiting(2),
        appended: await store.appended(),
      };
    });
    expect(refused).toEqual([{ event: anEvent(2), code: 'MALFORMED', vars: { total: 5 }, message: null }]);
    expect([numbersOf(oldest), appended]).toEqual([[3, 6], 7]);
  });

  test('a change that fails half-way is undone as a whole', async () => {
    const tab = await aTab();
    await append(tab, events([1]));
    const fault = await tab.evaluate(
      async ([good, other]) => {
        const { store } = globalThis as unknown as InPage;
        if (good === undefined || other === undefined) return '';
        const bad = { ...other, data: { print: () => undefined } };
        return store.append([good, bad]).then(
          () => '',
          (reason: unknown) => (reason as Error).name,
        );
      },
      events([2, 3]),
    );
    expect(fault).toBe('DataCloneError');
    expect(await waitingIn(tab)).toEqual([1]);
  });

  /** Another tab begins an upgrade, which closes the connections of all others, and gives it up. */
  const closeConnectionsOfOthers = (page: Page): Promise<void> =>
    page.evaluate(
      () =>
        new Promise((resolve) => {
          const request = indexedDB.open('till of branch 1', 2);
          request.onupgradeneeded = () => request.transaction?.abort();
          request.onerror = () => resolve();
        }),
    );

  test('a connection that was closed is opened again, and what waits is there', async () => {
    const tab = await aTab();
    await append(tab, events([1]));
    await closeConnectionsOfOthers(await aPage());
    expect(await waitingIn(tab)).toEqual([1]);
    await closeConnectionsOfOthers(await aPage());
    await Promise.all([append(tab, events([2])), append(tab, events([3]))]);
    expect(await waitingIn(tab)).toEqual([1, 2, 3]);
  });

  test('a store that the browser clears while it is open says so once, and takes events again', async () => {
    const tab = await aTab();
    await append(tab, events([1]));
    const browserOf = await context.newCDPSession(tab);
    await browserOf.send('Storage.clearDataForOrigin', {
      ...{ origin: new URL(ADDRESS).origin, storageTypes: 'indexeddb' },
    });
    await expect(append(tab, events([2]))).rejects.toThrow('has cleared the stored events of this device');
    await append(tab, events([2]));
    expect(await waitingIn(tab)).toEqual([2]);
  });

  test('a store that is closed takes and gives nothing', async () => {
    const tab = await aTab();
    const fault = await tab.evaluate(
      async (all) => {
        const { store } = globalThis as unknown as InPage;
        await store.close();
        return store.append(all).then(
          () => '',
          (reason: unknown) => (reason as Error).name,
        );
      },
      events([1]),
    );
    expect(fault).toBe('InvalidStateError');
    expect(await waitingIn(await aTab())).toEqual([]);
  });

  test('changes are on disk before they resolve, and the browser is asked to keep them', async () => {
    const tab = await aTab();
    const { durabilities, asked, isPersistent } = await tab.evaluate(
      async (all) => {
        const { Till } = globalThis as unknown as InPage;
        const durabilities = new Set<string>();
        const prototype: { transaction: (this: IDBDatabase, ...how: never[]) => IDBTransaction } =
          IDBDatabase.prototype;
        const opened = prototype.transaction;
        prototype.transaction = function (...how) {
          const transaction = opened.apply(this, how);
          durabilities.add(transaction.durability);
          return transaction;
        };
        let asked = 0;
        const storage = { persist: () => Promise.resolve((asked += 1) > 0) };
        const store = await Till.openIndexedDbStore({ indexedDB, storage, name: 'another till' });
        await store.append(all);
        return { durabilities: [...durabilities], asked, isPersistent: await store.isPersistent };
      },
      events([1]),
    );
    expect({ durabilities, asked, isPersistent }).toEqual({
      ...{ durabilities: ['strict'], asked: 1, isPersistent: true },
    });
  });

  test('a browser that has no storage manager, or refuses, promises nothing', async () => {
    const tab = await aTab();
    const promises = await tab.evaluate(async () => {
      const { Till } = globalThis as unknown as InPage;
      const refusing = { persist: () => Promise.reject(new Error('no')) };
      const stores = [
        await Till.openIndexedDbStore({ indexedDB, storage: undefined, name: 'one' }),
        await Till.openIndexedDbStore({ indexedDB, storage: refusing, name: 'two' }),
      ];
      return await Promise.all(stores.map(({ isPersistent }) => isPersistent));
    });
    expect(promises).toEqual([false, false]);
  });
});

describe('two tabs', () => {
  /** A tab with a queue, which sends to the test. */
  const aSendingTab = async (): Promise<Page> => {
    const page = await aTab();
    await page.evaluate(() => {
      const here = globalThis as unknown as InPage;
      here.queue = new here.Till.EventQueue({
        branchId: 'branch 1',
        store: here.store,
        send: here.answer,
        locks: here.Till.tabLocks(navigator.locks, 'till of branch 1'),
        clock: Date,
        timers: {
          after: (ms, work) => {
            const timer = setTimeout(work, ms);
            return () => clearTimeout(timer);
          },
        },
        random: Math.random,
      });
    });
    return page;
  };

  const add = (page: Page, all: readonly QueuedEvent[]): Promise<string> =>
    page.evaluate(async (own) => {
      const { queue } = globalThis as unknown as InPage;
      for (const event of own) await queue.add(event);
      return queue.state.status;
    }, all);

  const settled = (page: Page): Promise<string> =>
    page.evaluate(async () => (await (globalThis as unknown as InPage).queue.settled()).status);

  /** The first request waits for `goOn`. */
  const aSlowServer = async () => {
    const first = deferred();
    const requests: number[][] = [];
    await context.exposeFunction('answer', async (sent: readonly QueuedEvent[]) => {
      requests.push(numbersOf(sent));
      if (requests.length === 1) await first.promise;
      return applied(sent);
    });
    return { requests, goOn: first.resolve };
  };

  test('one sends at a time, and each event is sent once', async () => {
    const server = await aSlowServer();
    const [one, two] = [await aSendingTab(), await aSendingTab()];
    await add(one, events([1]));
    await expect.poll(() => server.requests).toEqual([[1]]);
    expect(await add(two, events([2, 3]))).toBe('sending');
    expect(await add(one, events([4]))).toBe('sending');
    expect(server.requests).toEqual([[1]]);
    server.goOn();
    expect([await settled(one), await settled(two)]).toEqual(['idle', 'idle']);
    expect(server.requests).toEqual([[1], [2, 3, 4]]);
    expect(await waitingIn(two)).toEqual([]);
  });

  test('when a tab is closed during its request, the other sends what waits', async () => {
    const server = await aSlowServer();
    const [one, two] = [await aSendingTab(), await aSendingTab()];
    await add(one, events([1]));
    await expect.poll(() => server.requests).toEqual([[1]]);
    await add(two, events([2]));
    await one.close();
    expect(await settled(two)).toBe('idle');
    expect(server.requests).toEqual([[1], [1, 2]]);
    server.goOn();
  });

  test('an event of one tab makes the rows that another has pulled too old', async () => {
    const server = await aSlowServer();
    server.goOn();
    const [one, two] = [await aSendingTab(), await aSendingTab()];
    const mark = await one.evaluate(() => (globalThis as unknown as InPage).queue.emptyMark());
    await add(two, events([1]));
    await settled(two);
    const isApplied = await one.evaluate(
      (before) =>
        (globalThis as unknown as InPage).queue.unlessAddedSince(before ?? -1, () => Promise.resolve()),
      mark,
    );
    expect([mark, isApplied]).toEqual([0, false]);
  });
});
