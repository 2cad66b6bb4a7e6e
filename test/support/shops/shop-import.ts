/** A fresh database to import shops into, and helpers that read the outcome. */
import { expect } from 'vitest';
import { createPictureRenderer } from '../../../src/adapters/picture-renderer.ts';
import { systemRandom } from '../../../src/adapters/system.ts';
import type { ChangePublisher } from '../../../src/platform/app/changes/change-publisher.ts';
import {
  exportShop,
  importShops,
  ShopFileFaults,
  type FileFault,
} from '../../../src/shopfile/app/shopfile.ts';
import type { ImportOptions, ImportReport } from '../../../src/shopfile/app/shopfile.ts';
import type { ShopFile } from '../../../src/shopfile/contract/shopfile.ts';
import type { Change } from '../../../src/kernel/change.ts';
import type { Uuid } from '../../../src/kernel/ids.ts';
import type { Instant } from '../../../src/kernel/time.ts';
import type { PictureFolder, PictureRenderer, Random } from '../../../src/ports.ts';
import { connect, COMMAND_OPTIONS, type Db } from '../../../src/platform/store/db.ts';
import type { Database } from '../../../src/platform/store/schema.ts';
import { loadShop } from '../../../src/shopfile/store/shopfile.ts';
import type { ShopRows } from '../../../src/shopfile/store/tables.ts';
import { freshDatabase, type TestDatabase } from '../database/test-database.ts';
import { aChangePublisher } from '../server/change-publisher.ts';
import { watchEvents, type WatchedEvents } from '../server/security-events.ts';

export interface ImportFixture {
  readonly db: Db<Database>;
  readonly database: TestDatabase;
  readonly clock: { now(): Instant };
  readonly random: Random;
  readonly security: WatchedEvents;
  readonly pictureRenderer: PictureRenderer;
  readonly changePublisher: ChangePublisher;
  at(instant: string): void;
  import(file: ShopFile, options?: ImportOptions, folder?: PictureFolder): Promise<ImportReport>;
  importText(text: string, options?: ImportOptions, folder?: PictureFolder): Promise<ImportReport>;
  export(slug: string): Promise<ShopFile>;
  rows(orgId: Uuid): Promise<ShopRows>;
  /** Changes logged after `after`, and the newest sequence number. */
  changes(
    orgId: Uuid,
    after?: number,
  ): Promise<{ readonly seq: number; readonly changes: readonly Change[] }>;
  close(): Promise<void>;
}

export const openImportFixture = async (): Promise<ImportFixture> => {
  const database = await freshDatabase();
  const db = connect<Database>(database.connection, COMMAND_OPTIONS);
  const time = { now: Date.parse('2026-11-20T18:00:00Z') };
  const clock = { now: () => time.now };
  const security = watchEvents();
  const changePublisher = aChangePublisher();
  const pictureRenderer = createPictureRenderer();
  const importText: ImportFixture['importText'] = async (text, options = {}, folder) => {
    const [report] = await importShops(
      { db, clock, random: systemRandom, security, pictureRenderer, changePublisher },
      [{ name: 'shop.json', text, folder }],
      options,
    );
    if (report === undefined) throw new Error('an import without a report');
    return report;
  };
  return {
    db,
    database,
    clock,
    random: systemRandom,
    security,
    pictureRenderer,
    changePublisher,
    at: (instant) => {
      time.now = Date.parse(instant);
    },
    import: (file, options, folder) => importText(JSON.stringify(file), options, folder),
    importText,
    export: (slug) => exportShop({ db }, slug),
    rows: (orgId) => loadShop(db.kysely, orgId),
    changes: async (orgId, after = 0) => {
      const logged = await db.kysely
        .selectFrom('change')
        .select(['seq', 'scope', 'type', 'id', 'op'])
        .where('org_id', '=', orgId)
        .where('seq', '>', after)
        .orderBy('seq')
        .execute();
      const changes = logged.map(({ scope, type, id, op }): Change => ({
        scope,
        type,
        id,
        op: op as Change['op'],
      }));
      return { seq: logged.at(-1)?.seq ?? after, changes };
    },
    close: async () => {
      await db.close();
      await database.release();
    },
  };
};

/** The faults of a refused import; fails the test when it succeeds. */
export const faultsOfImport = async (work: Promise<unknown>): Promise<readonly FileFault[]> => {
  try {
    await work;
  } catch (fault) {
    if (fault instanceof ShopFileFaults) return fault.faults;
    throw fault;
  }
  return expect.fail('the import was not refused');
};

/** Each fault as `path: problem`. */
export const faultLines = (faults: readonly FileFault[]): string[] =>
  faults.map(({ path, problem }) => `${path}: ${problem}`);
