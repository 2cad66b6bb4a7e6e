/** Steps shared by shop file and menu CSV imports. */
import type { ShopFile } from '../contract/shopfile.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { PictureFolder } from '../../ports.ts';
import type { Instant } from '../../kernel/time.ts';
import {
  checkAgainstStored,
  checkIds,
  checkFormerSlugs,
  checkSlugOwners,
  namesAnotherShop,
  type ParsedFile,
} from './conflicts.ts';
import type { EntityChange, EntityDetails } from './change-details.ts';
import type { Faults } from './faults.ts';
import { planPictures, referencesIn, type PictureFetching } from './pictures.ts';
import { planImport, withPictures, type Plan } from './plan.ts';
import { readShopFile } from './read/index.ts';
import { checkEmails, checkOwners, emailsIn } from './staff.ts';
import type { StoredShops } from './stored-shops.ts';
import { formerSlugWarnings } from './warnings/slugs.ts';

export interface ImportFile {
  /** Shown in faults. */
  readonly name: string;
  readonly text: string;
  /** Left out: the file has no folder. */
  readonly folder?: PictureFolder | undefined;
}

export interface ImportOptions {
  /** Overwrite the running state of existing entities too (Decisions 16). */
  readonly state?: boolean;
  /** Check and report without writing. */
  readonly dryRun?: boolean;
  /** Of all files together. */
  readonly maxItems?: number;
  /** Pictures at `https://` addresses are fetched with it, and stored. */
  readonly fetching?: PictureFetching | undefined;
  readonly onProgress?: (line: string) => void;
}

/** The changes that an import made to one shop, or would make. Counts are of entities, the shop included. */
export interface ImportReport {
  readonly file: string;
  readonly slug: string;
  readonly orgId: Uuid;
  readonly created: number;
  readonly updated: number;
  readonly archived: number;
  readonly unchanged: number;
  readonly entities: readonly EntityChange[];
  /** By entity id. */
  readonly details: ReadonlyMap<Uuid, EntityDetails>;
  /** Running-state entries not applied without `state: true`. */
  readonly ignoredStates: number;
  /** References of pictures that were stored or deleted. */
  readonly pictures: { readonly stored: readonly string[]; readonly removed: readonly string[] };
  /** How a menu CSV was interpreted; empty for a shop file. */
  readonly notes: readonly string[];
  /** Sentences about valid values that look like mistakes. */
  readonly warnings: readonly string[];
}

/** Adds semantic faults to `faults`. */
export const toParsedFile = (
  name: string,
  checked: { readonly file: ShopFile; readonly invalidPaths: ReadonlySet<string> },
  faults: Faults,
  now: Instant,
): ParsedFile => {
  const { file, invalidPaths } = checked;
  const { entityIndex, rows } = readShopFile(file, invalidPaths, faults, now);
  const slugs = [file.slug, ...(file.former_slugs ?? [])];
  const references = referencesIn(file, (path) => entityIndex.isInvalid(path));
  const hasStaffList = file.staff !== undefined;
  return { name, slugs, entityIndex, rows, hasStaffList, references, pictures: null, faults };
};

const allIds = ({ entityIndex }: ParsedFile): Uuid[] => [
  entityIndex.shopId,
  ...entityIndex.entities.map(({ id }) => id),
];

/** Locks and compares each shop; adds conflicts to the faults of its file. */
export const planAll = async (
  stored: StoredShops,
  files: readonly ParsedFile[],
  options: ImportOptions,
  now: Instant,
): Promise<Plan[]> => {
  // Sorted, so that two imports of several shops cannot deadlock.
  const shopIds = [...new Set(files.map(({ entityIndex }) => entityIndex.shopId))].sort();
  for (const shopId of shopIds) await stored.lock(shopId);
  checkEmails(files, await stored.emailOwners(emailsIn(files)));
  const plans: Plan[] = [];
  for (const [index, file] of files.entries()) {
    options.onProgress?.(`comparing ${file.name} with the database (${index + 1} of ${files.length})`);
    const before = await stored.load(file.entityIndex.shopId);
    const owners = await stored.slugOwners(file.slugs);
    checkSlugOwners(file, owners);
    checkFormerSlugs(file, await stored.slugsOf(file.entityIndex.shopId));
    // With another shop's slug, the comparison would run against the wrong shop.
    if (!namesAnotherShop(file, owners)) {
      checkIds(file, await stored.located(allIds(file)));
      checkAgainstStored(file, before);
      checkOwners(file, before);
    }
    const planning = { state: options.state ?? false, staff: file.hasStaffList, now };
    const { references, pictures, rows } = file;
    const { shopId } = file.entityIndex;
    const planned = planImport(shopId, before, rows, planning);
    const warnings = [...formerSlugWarnings(before, rows, owners), ...planned.warnings];
    const plan = { ...planned, warnings };
    plans.push(
      pictures === null
        ? plan
        : withPictures(plan, planPictures(await stored.pictureIdsOf(shopId), references, pictures.pictures)),
    );
  }
  return plans;
};

export const reportOf = (file: ParsedFile, plan: Plan): ImportReport => {
  const count = (op: EntityChange['op']): number => plan.entities.filter((entity) => entity.op === op).length;
  return {
    file: file.name,
    slug: file.slugs[0] ?? '',
    orgId: plan.shopId,
    created: count('created'),
    updated: count('updated'),
    archived: count('archived'),
    unchanged: plan.unchanged,
    entities: plan.entities,
    details: plan.details,
    ignoredStates: plan.ignoredStates,
    pictures: {
      stored: plan.pictures.stored.map(({ source }) => source),
      removed: plan.pictures.removed,
    },
    notes: [],
    warnings: [...plan.warnings, ...(file.pictures?.warnings ?? [])],
  };
};
