/** Whole shops from files and back (Decisions 16). */
import type { ShopFile } from '../contract/shopfile.ts';
import { parseJson } from '../domain/json.ts';
import { MOST_ITEMS, tooManyItems } from '../domain/limits.ts';
import { encodingFault } from '../domain/text.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { loadShop, slugsOf } from '../store/shopfile.ts';
import type { App } from '../../platform/app/app.ts';
import { orgNamed } from '../../shops/app/org-named.ts';
import { checkTogether, type Described } from './against.ts';
import { faultsOf, ShopFileFaults, type FileFault } from './faults.ts';
import {
  describe,
  planAll,
  reportOf,
  type ImportFile,
  type ImportOptions,
  type ImportReport,
} from './importing.ts';
import { at, checkLargeShape, LARGE } from './large.ts';
import { savePlans } from './save.ts';
import { checkShape } from './shape.ts';
import { permissionChanges } from './staff.ts';
import { writeShopFile } from './write/index.ts';

export { ShopFileFaults, type FileFault } from './faults.ts';
export type { ImportFile, ImportOptions, ImportReport } from './importing.ts';
export type { PriceDifference, ThingChange, ThingDetails } from './details.ts';
export { shopFileJsonSchema } from './shape.ts';

/** Items that were read, and the most that may be. */
interface Room {
  items: number;
  readonly most: number;
}

/** A file read as far as it can be; `described` is null when there is nothing to compare with the database. */
interface ReadFile {
  readonly described: Described | null;
  readonly faults: readonly FileFault[];
}

const itemsIn = (value: unknown): number => {
  const items = at(value, ['menu', 'items']);
  return Array.isArray(items) ? items.length : 0;
};

/** Reads a file; `room`: items that may still be read. */
const readFile = ({ name, text }: ImportFile, now: Instant, room: Room): ReadFile => {
  const encoding = encodingFault(text);
  if (encoding !== null)
    return {
      described: null,
      faults: [{ file: name, path: '', problem: encoding, line: null, column: null }],
    };
  const parsed = parseJson(text);
  if (!parsed.ok)
    return { described: null, faults: parsed.faults.map((fault) => ({ file: name, ...fault })) };
  const faults = faultsOf(name, parsed.placeOf);
  room.items += itemsIn(parsed.value);
  if (room.items > room.most) {
    faults.add('menu.items', tooManyItems(room.items, room.most));
    return { described: null, faults: faults.all() };
  }
  const check = parsed.values > LARGE ? checkLargeShape : checkShape;
  const shape = check(parsed.value, faults);
  return { described: shape === null ? null : describe(name, shape, faults, now), faults: faults.all() };
};

/** The files for one try of the transaction, each with the faults of reading it and room for its own. */
const forTry = (read: readonly ReadFile[]): { files: Described[]; faults: () => FileFault[] } => {
  const tries = read.map(({ described, faults }) => ({
    described: described === null ? null : { ...described, faults: described.faults.fork() },
    faults,
  }));
  return {
    files: tries.flatMap(({ described }) => described ?? []),
    faults: () => tries.flatMap(({ described, faults }) => described?.faults.all() ?? faults),
  };
};

/**
 * Brings shops to what their files say, all of them or none: one transaction, repeatable, and safe beside a running
 * server. Throws ShopFileFaults with every fault of every file, and DatabaseUnavailable.
 */
export const importShops = async (
  app: Pick<App, 'db' | 'clock' | 'security'>,
  given: readonly ImportFile[],
  options: ImportOptions = {},
): Promise<ImportReport[]> => {
  const now = app.clock.now();
  const room: Room = { items: 0, most: options.maxItems ?? MOST_ITEMS };
  const read = given.map((file, index) => {
    options.onProgress?.(`reading ${file.name} (${index + 1} of ${given.length})`);
    return readFile(file, now, room);
  });
  const { reports, ended } = await app.db.tx(async (tx) => {
    const { files, faults } = forTry(read);
    checkTogether(files);
    const plans = await planAll(tx, files, options, now);
    if (faults().length > 0) throw new ShopFileFaults(faults());
    const saved = options.dryRun === true ? null : await savePlans(tx, files, plans, options, now);
    return { reports: files.map((file, index) => reportOf(file, planAt(plans, index))), ended: saved };
  });
  if (ended !== null) recordImport(app, reports, ended);
  return reports;
};

const recordImport = (
  app: Pick<App, 'security'>,
  reports: readonly ImportReport[],
  ended: ReadonlyMap<Uuid, number>,
): void => {
  for (const { orgId, things } of reports) {
    for (const change of permissionChanges(things))
      app.security.record('permissions_changed', { org_id: orgId, ...change });
    const sessions = ended.get(orgId) ?? 0;
    if (sessions > 0)
      app.security.record('sessions_ended', { org_id: orgId, why: 'shop_file', sessions }, sessions);
  }
};

const planAt = <P>(plans: readonly P[], index: number): P => {
  const plan = plans[index];
  if (plan === undefined) throw new RangeError('Every file that was read has a plan.');
  return plan;
};

/**
 * A file that imports to the same shop: every id given, archived things left out, running state included. Switched
 * off shops too. Throws UnknownShop.
 */
export const exportShop = (app: Pick<App, 'db'>, slug: string): Promise<ShopFile> =>
  app.db.snapshot(async (tx) => {
    const orgId = await orgNamed({ db: { kysely: tx } }, slug);
    return writeShopFile(orgId, await loadShop(tx, orgId), await slugsOf(tx, orgId));
  });
