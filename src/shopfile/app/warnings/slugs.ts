/** Warnings about files from before a shop was renamed. */
import type { SlugOwner } from '../../store/shopfile.ts';
import type { ShopRows } from '../../store/tables.ts';

/** The shop has had the file's slug before it had the present one. `owners`: those of the file's slugs. */
export const formerSlugWarnings = (
  { shop: [before] }: ShopRows,
  { shop: [after] }: ShopRows,
  owners: readonly SlugOwner[],
): string[] =>
  before === undefined ||
  after === undefined ||
  before.slug === after.slug ||
  owners.every(({ slug }) => slug !== after.slug)
    ? []
    : [
        `the shop has had ‘${after.slug}’ before, and is renamed from ‘${before.slug}’ back to it; to keep ` +
          `‘${before.slug}’, write it into the file as \`slug\``,
      ];
