/** A database of its own to import shops into, and a few words to look at the outcome. */
import { expect } from 'vitest';
import { exportShop, importShops, ShopFileFaults, type FileFault } from '../../src/shopfile/app/shopfile.ts';
import type { ImportOptions, ImportReport } from '../../src/shopfile/app/shopfile.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import type { Change } from '../../src/kernel/change.ts';
import type { Uuid } from '../../src/kernel/ids.ts';
import type { Instant } from '../../src/kernel/time.ts';
import { connect, UNHURRIED, type Db } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { loadShop } from '../../src/shopfile/store/shopfile.ts';
import type { ShopRows } from '../../src/shopfile/store/tables.ts';
import { freshDatabase, type TestDatabase } from './postgres.ts';
import { watchEvents, type WatchedEvents } from './security.ts';

export interface ShopHouse {
  readonly db: Db<Database>;
  readonly database: TestDatabase;
  readonly clock: { now(): Instant };
  readonly security: WatchedEvents;
  /** Moves the clock. */
  at(moment: string): void;
  /** Imports one file and returns its report. */
  import(file: ShopFile, options?: ImportOptions): Promise<ImportReport>;
  importText(text: string, options?: ImportOptions): Promise<ImportReport>;
  export(slug: string): Promise<ShopFile>;
  rows(orgId: Uuid): Promise<ShopRows>;
  /** Changes logged after `seq`, and the newest number. */
  changes(
    orgId: Uuid,
    after?: number,
  ): Promise<{ readonly seq: number; readonly changes: readonly Change[] }>;
  close(): Promise<void>;
}

export const openShopHouse = async (): Promise<ShopHouse> => {
  const database = await freshDatabase();
  const db = connect<Database>(database.connection, UNHURRIED);
  const time = { now: Date.parse('2026-11-20T18:00:00Z') };
  const clock = { now: () => time.now };
  const security = watchEvents();
  const importText = async (text: string, options: ImportOptions = {}): Promise<ImportReport> => {
    const [report] = await importShops({ db, clock, security }, [{ name: 'shop.json', text }], options);
    if (report === undefined) throw new Error('an import without a report');
    return report;
  };
  return {
    db,
    database,
    clock,
    security,
    at: (moment) => {
      time.now = Date.parse(moment);
    },
    import: (file, options) => importText(JSON.stringify(file), options),
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
      await database.drop();
    },
  };
};

/** The faults an import is refused with; fails when it is not refused. */
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
export const told = (faults: readonly FileFault[]): string[] =>
  faults.map(({ path, problem }) => `${path}: ${problem}`);
