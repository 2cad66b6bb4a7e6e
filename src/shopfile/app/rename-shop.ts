/** Renames a shop: what the import of a file with another slug does, without a file (Decisions 1). */
import { isSlug, type Uuid } from '../../kernel/ids.ts';
import { isReservedSlug } from '../../kernel/slugs.ts';
import type { App } from '../../platform/app/app.ts';
import { recordAudit } from '../../platform/app/audit.ts';
import { commitAndPublish } from '../../platform/app/commit.ts';
import { orgBySlug } from '../../shops/app/org-by-slug.ts';
import { MAX_FORMER_SLUGS } from '../contract/shopfile.ts';
import { lockForImport, presentSlugOf, saveSlug, slugOwners, slugsOf, takeSlugs } from '../store/shopfile.ts';
import { shopChange } from './plan.ts';

/** The message is a sentence for the operator. */
export class RenameFault extends Error {
  override readonly name = 'RenameFault';
}

export interface Renaming {
  readonly orgId: Uuid;
  /** Equal where the shop has this slug already. */
  readonly from: string;
  readonly to: string;
}

const assertSlug = (slug: string): void => {
  if (!isSlug(slug))
    throw new RenameFault(
      `‘${slug}’ cannot be an address name: it has 2 to 63 of a-z, 0-9 and hyphens, and does not begin with a hyphen.`,
    );
  if (isReservedSlug(slug))
    throw new RenameFault(`‘${slug}’ is the name of one of the service’s own addresses.`);
};

/**
 * The old slug becomes a former one, which leads to the shop; a former slug of the shop can become its slug again.
 * Throws UnknownShop, RenameFault.
 */
export const renameShop = async (
  app: Pick<App, 'db' | 'clock' | 'random' | 'changePublisher'>,
  slug: string,
  to: string,
): Promise<Renaming> => {
  assertSlug(to);
  return commitAndPublish(app, async (tx, log) => {
    const orgId = await orgBySlug({ db: { kysely: tx } }, slug);
    await lockForImport(tx, orgId);
    const from = await presentSlugOf(tx, orgId);
    if (from === to) return { orgId, from, to };
    const known = await slugsOf(tx, orgId);
    await takeSlugs(tx, orgId, [to]);
    if ((await slugOwners(tx, [to])).some((owner) => owner.org_id !== orgId))
      throw new RenameFault(`‘${to}’ leads to another shop.`);
    if (!known.includes(to) && known.length > MAX_FORMER_SLUGS)
      throw new RenameFault(`A shop has at most ${MAX_FORMER_SLUGS} former address names.`);
    const now = app.clock.now();
    await saveSlug(tx, orgId, to, now);
    const renamed = { action: 'shop.renamed', subject: 'shop', subjectId: orgId, detail: { from, to } };
    await recordAudit(app, tx, { orgId, at: now, ...renamed });
    log.add(orgId, shopChange(orgId));
    return { orgId, from, to };
  });
};
