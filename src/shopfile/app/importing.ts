/** What importing a shop file and importing a menu have in common: compare with the database, report. */
import type { ShopFile } from '../contract/shopfile.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { emailOwners, loadShop, located, lockForImport, slugOwners } from '../store/shopfile.ts';
import { checkAgainstStored, checkIds, checkSlugOwners, isMistaken, type Described } from './against.ts';
import type { ThingChange, ThingDetails } from './details.ts';
import type { Faults } from './faults.ts';
import { planImport, type Plan } from './plan.ts';
import { readShopFile } from './read/index.ts';
import type { Tx } from './save.ts';
import { checkEmails, checkOwners, emailsIn } from './staff.ts';

export interface ImportFile {
  /** What the owner calls it, such as its path. */
  readonly name: string;
  readonly text: string;
}

export interface ImportOptions {
  /** The file's running state replaces the shop's, also on what exists (Decisions 16). */
  readonly state?: boolean;
  /** Check and report, and change nothing. */
  readonly dryRun?: boolean;
  /** Items of all files together; more are refused. */
  readonly maxItems?: number;
  /** Told, in words, how far the import has come. */
  readonly onProgress?: (line: string) => void;
}

/** What an import did to one shop, or would do. Counts are of things: the shop, a branch, an item, a deal … */
export interface ImportReport {
  readonly file: string;
  readonly slug: string;
  readonly orgId: Uuid;
  readonly created: number;
  readonly updated: number;
  readonly archived: number;
  readonly unchanged: number;
  /** Each thing that is created, updated or archived. */
  readonly things: readonly ThingChange[];
  /** Their prices and sizes, old and new, by the thing's id. */
  readonly details: ReadonlyMap<Uuid, ThingDetails>;
  /** Entries with running state that was left as the shop has it; `state: true` would set it. */
  readonly stateKept: number;
  /** How the file was read, where that is worth knowing; empty for a shop file. */
  readonly notes: readonly string[];
  /** What is allowed and looks like a slip. */
  readonly warnings: readonly string[];
}

/** The rows that a file of good form describes; its faults of meaning go to `faults`. */
export const describe = (
  name: string,
  shape: { readonly file: ShopFile; readonly wrong: ReadonlySet<string> },
  faults: Faults,
  now: Instant,
): Described => {
  const { file, wrong } = shape;
  const { register, rows } = readShopFile(file, wrong, faults, now);
  const slugs = [file.slug, ...(file.former_slugs ?? [])];
  return { name, slugs, register, rows, speaksOfStaff: file.staff !== undefined, faults };
};

const allIds = ({ register }: Described): Uuid[] => [register.shopId, ...register.things.map(({ id }) => id)];

/** Compares each file with what is stored, one import of a shop at a time; faults go to the files'. */
export const planAll = async (
  tx: Tx,
  files: readonly Described[],
  options: ImportOptions,
  now: Instant,
): Promise<Plan[]> => {
  // In one order, so that two imports of several shops cannot wait for each other.
  const shopIds = [...new Set(files.map(({ register }) => register.shopId))].sort();
  for (const shopId of shopIds) await lockForImport(tx, shopId);
  checkEmails(files, await emailOwners(tx, emailsIn(files)));
  const plans: Plan[] = [];
  for (const [index, file] of files.entries()) {
    options.onProgress?.(`comparing ${file.name} with the database (${index + 1} of ${files.length})`);
    const before = await loadShop(tx, file.register.shopId);
    const owners = await slugOwners(tx, file.slugs);
    checkSlugOwners(file, owners);
    // Until it is said which shop is meant, the rest of the file is compared with the wrong one.
    if (!isMistaken(file, owners)) {
      checkIds(file, await located(tx, allIds(file)));
      checkAgainstStored(file, before);
      checkOwners(file, before);
    }
    const planning = { state: options.state ?? false, staff: file.speaksOfStaff, now };
    plans.push(planImport(file.register.shopId, before, file.rows, planning));
  }
  return plans;
};

export const reportOf = (file: Described, plan: Plan): ImportReport => {
  const count = (op: ThingChange['op']): number => plan.things.filter((thing) => thing.op === op).length;
  return {
    file: file.name,
    slug: file.slugs[0] ?? '',
    orgId: plan.shopId,
    created: count('created'),
    updated: count('updated'),
    archived: count('archived'),
    unchanged: plan.unchanged,
    things: plan.things,
    details: plan.details,
    stateKept: plan.stateKept,
    notes: [],
    warnings: plan.slips,
  };
};
