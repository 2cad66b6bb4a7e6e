/** Imports shop files and exports shops (Decisions 16). */
import { commitAndPublish } from '../../platform/app/commit.ts';
import type { ShopFile } from '../contract/shopfile.ts';
import { parseJson } from '../domain/json.ts';
import { MAX_ITEMS, tooManyItems } from '../domain/limits.ts';
import { encodingFault } from '../domain/text.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { loadShop, slugsOf } from '../store/shopfile.ts';
import type { App } from '../../platform/app/app.ts';
import { originalBySource, pictureIdsOf } from '../../pictures/app/shared.ts';
import { isPicturePath } from '../../pictures/domain/picture.ts';
import { orgBySlug } from '../../shops/app/org-by-slug.ts';
import { checkAcrossFiles, type ParsedFile } from './conflicts.ts';
import { faultsOf, ShopFileFaults, type FileFault } from './faults.ts';
import {
  toParsedFile,
  planAll,
  reportOf,
  type ImportFile,
  type ImportOptions,
  type ImportReport,
} from './importing.ts';
import { valueAt, checkLargeSchema, LARGE_FILE_VALUES } from './large-file-schema-check.ts';
import { checkPictures } from './pictures.ts';
import type { Plan } from './plan.ts';
import { savePlans } from './save.ts';
import { checkSchema } from './schema-check.ts';
import { permissionChanges } from './staff.ts';
import { NO_SHOPS, storedIn, type StoredShops } from './stored-shops.ts';
import { writeShopFile } from './write/index.ts';

export { ShopFileFaults, type FileFault } from './faults.ts';
export type { ImportFile, ImportOptions, ImportReport } from './importing.ts';
export type { PriceDifference, EntityChange, EntityDetails } from './change-details.ts';
export { shopFileJsonSchema } from './schema-check.ts';

interface ItemBudget {
  items: number;
  readonly max: number;
}

/** `parsed`: null if the file cannot be compared with the database. */
interface ReadFile {
  readonly parsed: ParsedFile | null;
  readonly faults: readonly FileFault[];
}

const itemsIn = (value: unknown): number => {
  const items = valueAt(value, ['menu', 'items']);
  return Array.isArray(items) ? items.length : 0;
};

const readFile = ({ name, text }: ImportFile, now: Instant, budget: ItemBudget): ReadFile => {
  const encoding = encodingFault(text);
  if (encoding !== null)
    return {
      parsed: null,
      faults: [{ file: name, path: '', problem: encoding, line: null, column: null }],
    };
  const json = parseJson(text);
  if (!json.ok) return { parsed: null, faults: json.faults.map((fault) => ({ file: name, ...fault })) };
  const faults = faultsOf(name, json.positionOf);
  budget.items += itemsIn(json.value);
  if (budget.items > budget.max) {
    faults.add('menu.items', tooManyItems(budget.items, budget.max));
    return { parsed: null, faults: faults.all() };
  }
  const check = json.values > LARGE_FILE_VALUES ? checkLargeSchema : checkSchema;
  const checked = check(json.value, faults);
  return { parsed: checked === null ? null : toParsedFile(name, checked, faults, now), faults: faults.all() };
};

const withCheckedPictures = async (
  tools: Pick<App, 'pictureRenderer'>,
  { folder }: ImportFile,
  { parsed, faults: unparsed }: ReadFile,
  { fetching }: ImportOptions,
): Promise<ReadFile> => {
  if (parsed === null) return { parsed, faults: unparsed };
  const { entityIndex, references, faults } = parsed;
  const sources = { folder, fetching };
  const pictures = await checkPictures(tools, entityIndex.shopId, references, sources, faults);
  return { parsed: { ...parsed, pictures }, faults: faults.all() };
};

/** Copies the faults: a transaction retry must not see those of an earlier attempt. */
const forAttempt = (read: readonly ReadFile[]): { files: ParsedFile[]; faults: () => FileFault[] } => {
  const attempts = read.map(({ parsed, faults }) => ({
    parsed: parsed === null ? null : { ...parsed, faults: parsed.faults.fork() },
    faults,
  }));
  return {
    files: attempts.flatMap(({ parsed }) => parsed ?? []),
    faults: () => attempts.flatMap(({ parsed, faults }) => parsed?.faults.all() ?? faults),
  };
};

/** Files as far as they can be read and checked without a database. */
export interface ReadShopFiles {
  readonly files: readonly ReadFile[];
  readonly now: Instant;
}

type ReadingTools = Pick<App, 'clock' | 'pictureRenderer'>;

/** Faults are kept, and thrown by the next step together with its own. */
export const readShopFiles = async (
  tools: ReadingTools,
  inputs: readonly ImportFile[],
  options: ImportOptions = {},
): Promise<ReadShopFiles> => {
  const now = tools.clock.now();
  const budget: ItemBudget = { items: 0, max: options.maxItems ?? MAX_ITEMS };
  const files: ReadFile[] = [];
  for (const [index, file] of inputs.entries()) {
    options.onProgress?.(`reading ${file.name} (${index + 1} of ${inputs.length})`);
    files.push(await withCheckedPictures(tools, file, readFile(file, now, budget), options));
  }
  return { files, now };
};

interface Planned {
  readonly files: readonly ParsedFile[];
  readonly plans: readonly Plan[];
  readonly reports: ImportReport[];
}

/** Throws ShopFileFaults with every fault of every file. */
const planFiles = async (
  stored: StoredShops,
  { files: read, now }: ReadShopFiles,
  options: ImportOptions,
): Promise<Planned> => {
  const { files, faults } = forAttempt(read);
  checkAcrossFiles(files);
  const plans = await planAll(stored, files, options, now);
  if (faults().length > 0) throw new ShopFileFaults(faults());
  return { files, plans, reports: files.map((file, index) => reportOf(file, planAt(plans, index))) };
};

/** What an import into an empty database would do. Throws ShopFileFaults. */
export const planFirstImport = async (read: ReadShopFiles): Promise<ImportReport[]> =>
  (await planFiles(NO_SHOPS, read, {})).reports;

type SavingApp = Pick<App, 'db' | 'clock' | 'random' | 'security' | 'changePublisher'>;

/** The second step of `importShops`. */
export const saveShopFiles = async (
  app: SavingApp,
  read: ReadShopFiles,
  options: ImportOptions = {},
): Promise<ImportReport[]> => {
  const { reports, ended } = await commitAndPublish(app, async (tx, log) => {
    const { files, plans, reports: planned } = await planFiles(storedIn(tx), read, options);
    const saved =
      options.dryRun === true ? null : await savePlans({ app, tx, log }, files, plans, options, read.now);
    return { reports: planned, ended: saved };
  });
  if (ended !== null) recordSecurityEvents(app, reports, ended);
  return reports;
};

/**
 * Makes shops match their files, all or none: one transaction, idempotent, safe while the server runs. Throws
 * ShopFileFaults with every fault of every file, and DatabaseUnavailable.
 */
export const importShops = async (
  app: SavingApp & ReadingTools,
  inputs: readonly ImportFile[],
  options: ImportOptions = {},
): Promise<ImportReport[]> => {
  try {
    return await saveShopFiles(app, await readShopFiles(app, inputs, options), options);
  } finally {
    options.fetching?.spool.discard();
  }
};

const recordSecurityEvents = (
  app: Pick<App, 'security'>,
  reports: readonly ImportReport[],
  ended: ReadonlyMap<Uuid, number>,
): void => {
  for (const { orgId, entities } of reports) {
    for (const change of permissionChanges(entities))
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

/** Called for one file after the other; `path` is that of a file beside the shop file. */
export type TakePicture = (path: string, bytes: Uint8Array) => void;

/**
 * Imports to the same shop: with every id and the running state, without archived entities. Stored pictures that the
 * file names by a path are passed to `takePicture`; a retry of the snapshot passes them again. Throws UnknownShop.
 */
export const exportShop = (
  app: Pick<App, 'db'>,
  slug: string,
  takePicture: TakePicture = () => undefined,
): Promise<ShopFile> =>
  app.db.snapshot(async (tx) => {
    const orgId = await orgBySlug({ db: { kysely: tx } }, slug);
    const file = writeShopFile(orgId, await loadShop(tx, orgId), await slugsOf(tx, orgId));
    for (const path of [...(await pictureIdsOf(tx, orgId)).keys()].filter(isPicturePath)) {
      const bytes = await originalBySource(tx, orgId, path);
      if (bytes !== null) takePicture(path, bytes);
    }
    return file;
  });
